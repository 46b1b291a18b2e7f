"""Values as JSON and back, the same for every interface: times in ISO 8601, enumerations by their value."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from enum import Enum, StrEnum
from functools import cache
from pathlib import PurePath
from typing import Annotated, Any, TypeAlias, Union, get_args, get_origin, get_type_hints

from yinji.arguments import choice, nearest
from yinji.errors import InvalidInput, InvalidTime

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

FIRST_YEAR, LAST_YEAR = 1000, 9000
"""Further out, arithmetic with zones and ages leaves what a datetime can hold."""
OBJECT = dict[str, Any]
"""Any JSON object, taken as it is."""


def to_json(value: object) -> Json:
    """Dataclasses become objects of their fields, sequences become arrays; what JSON knows stays."""
    if isinstance(value, Enum):
        return to_json(value.value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    kind: Any = type(value)
    if (names := _parts_of(kind)) is not None:
        return {name: to_json(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {str(to_json(key)): to_json(item) for key, item in value.items()}
    if isinstance(value, AbstractSet):
        return sorted((to_json(item) for item in value), key=str)
    if isinstance(value, list | tuple):
        return [to_json(item) for item in value]
    if isinstance(value, PurePath):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")


@cache
def _parts_of(kind: Any) -> tuple[str, ...] | None:
    """The names of a dataclass's fields; None for other types."""
    return tuple(one.name for one in fields(kind)) if is_dataclass(kind) else None


# -------------------------------------------------------------------- back


def from_json(kind: Any, value: object, name: str, *, strict: bool = True) -> Any:
    """The value of a type hint that this JSON stands for; what is not of it is named by ``name``.

    Knows what :func:`to_json` makes. Without ``strict``, parts of a record that are not known are passed over: a newer
    server may send them. Raises InvalidInput, InvalidTime.
    """
    if value is None and is_optional(kind):
        return None
    kind, least, most = bare(kind)
    if is_dataclass(kind):
        return _record(kind, value, name, strict=strict)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return choice(kind, value if isinstance(value, str) else repr(value), name)
    if kind is datetime:
        return _moment(value, name)
    if get_origin(kind) in (tuple, list, Sequence):
        return _several(kind, value, name, strict=strict)
    if get_origin(kind) in (dict, Mapping):
        return dict(_of(dict, value, name))
    return _within(_of(kind, value, name), least, most, name)


def bare(kind: Any) -> tuple[Any, float | None, float | None]:
    """The type without ``None`` and its bounds, and them."""
    kind = next(part for part in _parts(kind) if part is not type(None))
    if get_origin(kind) is not Annotated:
        return kind, None, None
    inner, bounds = get_args(kind)[:2]
    return inner, bounds[0], bounds[1]


def is_optional(kind: Any) -> bool:
    return type(None) in _parts(kind)


def _parts(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)


def _record(kind: Any, value: object, name: str, *, strict: bool) -> Any:
    given = _of(dict, value, name)
    hints = hints_of(kind)
    unknown = [one for one in given if one not in hints]
    if unknown and strict:
        raise _unknown(name, unknown[0], list(hints))
    needed = [
        one.name for one in fields(kind) if one.default is MISSING and one.default_factory is MISSING
    ]  # fmt: skip
    if missing := [one for one in needed if one not in given]:
        raise _missing(name, missing[0])
    known = {key: item for key, item in given.items() if key in hints}
    return kind(**{key: from_json(hints[key], item, f"{name}.{key}", strict=strict) for key, item in known.items()})


@cache
def hints_of(kind: Any) -> dict[str, Any]:
    """The resolved type hints of a dataclass or function, bounds included."""
    return get_type_hints(kind, include_extras=True)


def _unknown(name: str, what: str, known: Sequence[str]) -> InvalidInput:
    return InvalidInput(
        what=f"The argument {name}",
        problem=f"there is no argument {what!r}",
        hint=f"Known are: {', '.join(known) or 'none'}.{nearest(what, known)}",
    )


def _missing(name: str, what: str) -> InvalidInput:
    return InvalidInput(what=f"The argument {name}", problem=f"{what!r} is missing", hint="Give it.")


def _several(kind: Any, value: object, name: str, *, strict: bool) -> tuple[Any, ...]:
    items = _of(list, value, name)
    parts = get_args(kind)
    if len(parts) == 2 and parts[1] is not Ellipsis and get_origin(kind) is tuple:
        if len(items) != 2:
            raise InvalidInput(what=f"The argument {name}", problem=f"it has {len(items)} parts, not 2", hint="")
        return tuple(from_json(part, item, name, strict=strict) for part, item in zip(parts, items, strict=True))
    return tuple(from_json(parts[0], item, f"{name}[{at}]", strict=strict) for at, item in enumerate(items))


def _moment(value: object, name: str) -> datetime:
    try:
        read = datetime.fromisoformat(_of(str, value, name).strip())
    except ValueError as error:
        raise InvalidTime(value=value, problem="it is not a date or time in ISO 8601") from error
    if read.utcoffset() is None:
        raise InvalidTime(value=value, problem="it has no zone")
    if not FIRST_YEAR <= read.year <= LAST_YEAR:
        raise InvalidTime(value=value, problem="its year is out of range")
    return read


_CALLED = {
    str: ("it is not text", "Give a text in quotes."),
    bool: ("it is not true or false", "Give true or false, without quotes."),
    int: ("it is not a whole number", "Give a whole number, without quotes."),
    float: ("it is not a number", "Give a number, without quotes."),
    list: ("it is not a list", "Give a list, even of one."),
    dict: ("it is not an object", "Give an object with named parts."),
}


def _of(kind: type, value: object, name: str) -> Any:
    fits = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        fits = True
    if not fits:
        problem, hint = _CALLED[kind]
        raise InvalidInput(what=f"The argument {name}", problem=problem, hint=hint)
    return value


def _within(value: Any, least: float | None, most: float | None, name: str) -> Any:
    size = len(value) if isinstance(value, str) else value
    if (least is not None and size < least) or (most is not None and size > most):
        hint = f"Allowed is from {least:,} to {most:,}."
        told = f"{size} characters" if isinstance(value, str) else str(value)
        raise InvalidInput(
            what=f"The argument {name}",
            problem=f"{told} is out of range",
            hint=hint,
        )
    return value
