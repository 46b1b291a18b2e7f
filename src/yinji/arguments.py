"""What callers may pass: each check gives the value as the engine uses it, or says what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from yinji.errors import InvalidInput, InvalidTime
from yinji.language import text as language
from yinji.model import Kind

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


def message(text: str, what: str) -> tuple[str, int]:
    if not isinstance(text, str):
        raise InvalidInput(what=what, problem=f"it is {type(text).__name__}, not text", hint="Give a str.")
    if len(text) > LONGEST_MESSAGE:
        raise InvalidInput(
            what=what,
            problem=f"it has {len(text):,} characters",
            hint=f"At most {LONGEST_MESSAGE:,} are taken; cut it up.",
        )
    return language.tidy(text)


def name(text: str, what: str) -> str:
    name, replaced = language.tidy(text) if isinstance(text, str) else ("", 0)
    if replaced or not name.strip() or len(name) > LONGEST_NAME:
        raise InvalidInput(
            what=what, problem=f"{text!r} is not a name", hint=f"Use 1 to {LONGEST_NAME} printable characters."
        )
    return name.strip()


def kinds_of(kinds: Iterable[str] | None) -> frozenset[Kind] | None:
    return None if kinds is None else frozenset(choice(Kind, one, "kind") for one in kinds)


def choice(kind: type[Named], value: str, what: str) -> Named:
    try:
        return kind(value)
    except ValueError:
        allowed = [one.value for one in kind]
        raise InvalidInput(
            what=f"The {what} {value!r}",
            problem="there is none such",
            hint=f"Use one of: {', '.join(allowed)}.{nearest(str(value), allowed)}",
        ) from None


def nearest(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), n=1)
    return f" Did you mean {near[0]!r}?" if near else ""
