"""Where the parts of a JSON text stand in it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

_SPACE = re.compile(r"[ \t\n\r]*")
_decoder = json.JSONDecoder()


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """A value and its place: ``text[start:end]``."""

    value: Any
    start: int
    end: int


def members(text: str, start: int) -> tuple[dict[str, Span], int]:
    """The members of the object that begins at ``start``, and where it ends; of two with one name the last.

    Raises ValueError, RecursionError.
    """
    found: dict[str, Span] = {}
    at = _behind(text, start, "{")
    if text[at : at + 1] == "}":
        return found, at + 1
    while True:
        name = _value(text, at)
        if not isinstance(name.value, str):
            raise ValueError("a member has no name")
        one = _value(text, _behind(text, name.end, ":"))
        found[name.value] = one
        at = _space(text, one.end)
        if text[at : at + 1] == "}":
            return found, at + 1
        at = _behind(text, at, ",")


def elements(text: str, start: int) -> list[Span]:
    """The elements of the array that begins at ``start``. Raises ValueError, RecursionError."""
    found: list[Span] = []
    at = _behind(text, start, "[")
    if text[at : at + 1] == "]":
        return found
    while True:
        found.append(_value(text, at))
        at = _space(text, found[-1].end)
        if text[at : at + 1] == "]":
            return found
        at = _behind(text, at, ",")


def _value(text: str, at: int) -> Span:
    start = _space(text, at)
    value, end = _decoder.raw_decode(text, start)
    return Span(value=value, start=start, end=end)


def _behind(text: str, at: int, mark: str) -> int:
    """The next thing after a mark that must come."""
    at = _space(text, at)
    if text[at : at + 1] != mark:
        raise ValueError(f"{mark} is missing")
    return _space(text, at + 1)


def _space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
