"""What may be kept as a document: names as they are, JSON values without what must never be written down."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from yinji.arguments import text
from yinji.errors import InvalidInput
from yinji.language import sensitive

LONGEST_NAME = 4000
"""Characters of a key or of a label of a namespace."""


def safe(value: Mapping[str, object], policy: sensitive.Policy | None) -> Mapping[str, object]:
    """A value as it comes back, its texts masked (SPEC W10). Raises InvalidInput for what JSON cannot hold."""
    if not isinstance(value, Mapping):
        problem = f"it is {type(value).__name__}, not an object"
        raise InvalidInput(what="The value", problem=problem, hint="Give a dict of what JSON can hold.")
    try:
        return _object(value, policy)
    except RecursionError as error:
        raise InvalidInput(what="The value", problem="it is nested too deeply") from error


def labels(namespace: Iterable[str]) -> tuple[str, ...]:
    if isinstance(namespace, str) or not isinstance(namespace, Iterable):
        told = f"{namespace!r} is no list of labels"
        raise InvalidInput(what="The namespace", problem=told, hint="Give a tuple of texts.")
    return tuple(key_name(one, "A label of the namespace") for one in namespace)


def key_name(value: str, what: str) -> str:
    """A name exactly as it is given. Raises InvalidInput."""
    if len(text(value, what)) > LONGEST_NAME or not _is_utf8(value):
        raise InvalidInput(
            what=what,
            problem=f"{value[:80]!r} is not a name",
            hint=f"Use {LONGEST_NAME} characters at most, of Unicode.",
        )
    return value


def _is_utf8(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _json(value: object, policy: sensitive.Policy | None, label: str) -> object:
    """A value as JSON gives it back, its texts masked. ``label``: the name it stands under, which may tell what it is.

    Raises InvalidInput for what JSON cannot hold, RecursionError.
    """
    if isinstance(value, str):
        return value if policy is None else sensitive.mask(value, policy, before=(label,)).text
    if isinstance(value, Mapping):
        return _object(value, policy)
    if isinstance(value, list | tuple):
        return [_json(part, policy, label) for part in value]
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as error:
        problem = f"JSON cannot hold this {type(value).__name__}"
        raise InvalidInput(what="The value", problem=problem, hint="Use texts, numbers, lists and dicts.") from error
    return value


def _object(value: Mapping[str, object], policy: sensitive.Policy | None) -> dict[str, object]:
    return {_part(name, policy): _json(part, policy, f"{name}: ") for name, part in value.items()}


def _part(name: object, policy: sensitive.Policy | None) -> str:
    if not isinstance(name, str):
        problem = f"a part of it is named by {type(name).__name__}"
        raise InvalidInput(what="The value", problem=problem, hint="Names of parts are texts.")
    return name if policy is None else sensitive.mask(name, policy).text
