"""What callers may pass: each check gives the value as the engine uses it, or says what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from yinji.errors import InvalidInput, InvalidTime, meant
from yinji.language import text as language
from yinji.model import Interval, Kind, Role, Turn

LONGEST_MESSAGE = 1_000_000
LONGEST_NAME = 200

Named = TypeVar("Named", bound=StrEnum)


def aware(value: datetime | None, what: str) -> datetime | None:
    if value is None:
        return None
    if not isinstance(value, datetime):
        raise InvalidTime(value=value, problem=f"{what} is not a date and time")
    if value.tzinfo is None or value.utcoffset() is None:
        raise InvalidTime(value=value.isoformat(), problem="it has no zone")
    return value


def message(value: str, what: str) -> tuple[str, int]:
    if len(text(value, what)) > LONGEST_MESSAGE:
        raise InvalidInput(
            what=what,
            problem=f"it has {len(value):,} characters",
            hint=f"At most {LONGEST_MESSAGE:,} are taken; cut it up.",
        )
    return language.tidy(value)


def name(value: str, what: str) -> str:
    name, replaced = language.tidy(value) if isinstance(value, str) else ("", 0)
    if replaced or not name.strip() or len(name) > LONGEST_NAME:
        raise InvalidInput(
            what=what, problem=f"{value!r} is not a name", hint=f"Use 1 to {LONGEST_NAME} printable characters."
        )
    return name.strip()


def text(value: str, what: str) -> str:
    if not isinstance(value, str):
        raise InvalidInput(what=what, problem=f"it is {type(value).__name__}, not text", hint="Give a str.")
    return value


def whole(value: int, what: str, *, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(what=what, problem=f"{value!r} is not a whole number", hint="Give an int.")
    if value < least:
        raise InvalidInput(what=what, problem=f"{value} is less than {least}", hint=f"Give {least} or more.")
    return value


def share(value: float, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput(what=what, problem=f"{value!r} is not between 0 and 1", hint="Give a number from 0 to 1.")
    return value


def listed(values: Iterable[str] | None, what: str) -> tuple[str, ...] | None:
    """Several texts; a single one would be taken letter by letter."""
    if values is None:
        return None
    if isinstance(values, str) or not isinstance(values, Iterable):
        told = f"{values!r} is one value, not several"
        raise InvalidInput(what=what, problem=told, hint="Give a list, even of one.")
    return tuple(text(one, what) for one in values)


def kinds_of(kinds: Iterable[str] | None) -> frozenset[Kind] | None:
    several = listed(kinds, "kinds")
    return None if several is None else frozenset(choice(Kind, one, "kind") for one in several)


def stretch(value: Interval | None, what: str) -> Interval | None:
    if value is None:
        return None
    if not isinstance(value, Interval):
        raise InvalidInput(what=what, problem=f"it is {type(value).__name__}", hint="Give an Interval.")
    start, end = aware(value.start, f"{what}.start"), aware(value.end, f"{what}.end")
    if start is not None and end is not None and end < start:
        raise InvalidTime(value=f"{start.isoformat()}/{end.isoformat()}", problem="it ends before it begins")
    return value


def said(value: Turn | Mapping[str, object], now: datetime) -> Turn:
    """A turn, or a mapping of its parts; without ``at`` it is said now."""
    if isinstance(value, Mapping):
        parts = {one.name for one in fields(Turn)}
        if unknown := [one for one in value if one not in parts]:
            raise InvalidInput(what="The turn", problem=f"there is no part {unknown[0]!r}", hint=_parts_of_a_turn())
        if "user" not in value:
            raise InvalidInput(what="The turn", problem="it has no part 'user'", hint=_parts_of_a_turn())
        given: dict[str, Any] = {"at": now, **value}
        value = Turn(**given)
    if not isinstance(value, Turn):
        raise InvalidInput(
            what="The turn", problem=f"it is {type(value).__name__}", hint="Give a Turn, or a dict of its parts."
        )
    if isinstance(value.seq, bool) or not isinstance(value.seq, int):
        raise InvalidInput(what="seq", problem=f"{value.seq!r} is not a whole number", hint="Give an int.")
    role, app = choice(Role, value.role, "role"), value.app
    return replace(value, role=role, app=None if app is None else text(app, "app"))


def _parts_of_a_turn() -> str:
    return f"A turn has: {', '.join(one.name for one in fields(Turn))}."


def choice(kind: type[Named], value: str, what: str) -> Named:
    try:
        return kind(value)
    except (ValueError, TypeError):
        allowed = [one.value for one in kind]
        raise InvalidInput(
            what=f"The {what} {value!r}",
            problem="there is none such",
            hint=f"Use one of: {', '.join(allowed)}.{nearest(str(value), allowed)}",
        ) from None


def nearest(name: str, known: Iterable[str], *, after: str = "") -> str:
    """The question whether the likest name was meant, to follow a sentence; empty where none is like it.

    ``after``: how the known names begin, which makes none of them more like the name than another.
    """
    return f" {told}" if (told := meant(name, known, after=after)) else ""
