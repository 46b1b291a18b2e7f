"""Parts of a JSON value: what a path leads to as texts, and whether a value is as a filter asks.

A path has names with dots between them, ``[0]``, ``[-1]`` and ``[*]`` into lists, ``*`` for every part, and ``{a,b.c}``
for several; ``$`` is the whole. A filter has values by name, or ``{"$gt": 3}`` with ``$eq $ne $gt $gte $lt $lte``.
"""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from yinji.errors import InvalidInput

WHOLE = "$"
_STEP = re.compile(r"\[[^\]]*\]|\{[^}]*\}|[^.\[{]+")
_INDEX = re.compile(r"\[(-?\d+)\]")
_ORDER: Mapping[str, Callable[[float, float], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


def texts_at(value: object, path: str) -> list[str]:
    """The texts that a path leads to, each searched by itself."""
    if path in ("", WHOLE):
        return [told] if (told := as_text(value)) else []
    return [text for part in _follow(value, _STEP.findall(path)) if (text := _plain(part)) is not None]


def searched(value: Mapping[str, object] | None, fields: Sequence[str]) -> list[str]:
    """The texts of a value that it is found by."""
    return [] if value is None else [text for path in fields for text in texts_at(value, path) if text.strip()]


def as_text(value: object) -> str:
    """All that a value says, a line for each of its parts with their names; a single text as it stands."""
    leaves = [(name, text) for name, part in _leaves(value, "") if (text := _plain(part))]
    if len(leaves) == 1:
        return leaves[0][1]
    return "\n".join(f"{name}: {text}" if name else text for name, text in leaves)


def matches(value: Mapping[str, object], where: Mapping[str, object]) -> bool:
    """Whether each part that the filter names is as it asks. Raises InvalidInput for an operator that there is not."""
    return all(_is(value.get(name), wanted) for name, wanted in where.items())


def _follow(value: object, steps: Sequence[str]) -> Iterator[object]:
    if not steps:
        yield value
        return
    step, rest = steps[0], steps[1:]
    for part in _parts(value, step):
        # Of several names at once, what follows them is not looked at: they are the end of the path.
        yield from [part] if step.startswith("{") else _follow(part, rest)


def _parts(value: object, step: str) -> Iterator[object]:
    if step.startswith("{"):
        for name in step[1:-1].split(","):
            yield from _named(value, [one for one in name.strip().split(".") if one])
    elif step == "*":
        yield from value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    elif step.startswith("["):
        yield from _indexed(value, step) if isinstance(value, list) else ()
    elif isinstance(value, dict) and step in value:
        yield value[step]


def _named(value: object, names: Sequence[str]) -> Iterator[object]:
    if not names:
        return
    for name in names:
        if not (isinstance(value, dict) and name in value):
            return
        value = value[name]
    yield value


def _indexed(value: list[object], step: str) -> Iterator[object]:
    if step == "[*]":
        yield from value
    elif (found := _INDEX.fullmatch(step)) and -len(value) <= int(found[1]) < len(value):
        yield value[int(found[1])]


def _plain(part: object) -> str | None:
    """A part as text; None for what says nothing."""
    if part is None:
        return None
    if isinstance(part, dict | list):
        return json.dumps(part, sort_keys=True, ensure_ascii=False)
    return str(part)


def _leaves(value: object, name: str) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        for one, part in value.items():
            yield from _leaves(part, one)
    elif isinstance(value, list):
        for part in value:
            yield from _leaves(part, name)
    else:
        yield name, value


def _is(part: object, wanted: object) -> bool:
    if isinstance(wanted, Mapping):
        if any(name.startswith("$") for name in wanted):
            return all(_compares(part, name, other) for name, other in wanted.items())
        return isinstance(part, Mapping) and matches(part, wanted)
    if isinstance(wanted, list | tuple):
        return (
            isinstance(part, list | tuple)
            and len(part) == len(wanted)
            and all(_is(one, other) for one, other in zip(part, wanted, strict=True))
        )
    return part == wanted


def _compares(part: object, name: str, other: object) -> bool:
    if name == "$eq":
        return part == other
    if name == "$ne":
        return part != other
    if name not in _ORDER:
        raise InvalidInput(
            what="The filter", problem=f"there is no {name!r}", hint=f"Known are: $eq, $ne, {', '.join(_ORDER)}."
        )
    numbers = _number(part), _number(other)
    return None not in numbers and _ORDER[name](*numbers)  # type: ignore[arg-type]


def _number(value: object) -> float | None:
    """What counts as a number; None for what is no number, which is in no order to one."""
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
