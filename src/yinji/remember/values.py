"""Which values a text names that can change: numbers, days, times, lines, floors, colours, names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from yinji.language.amounts import find_amounts
from yinji.language.packs import Pack
from yinji.language.text import fold

TYPES = ("code", "line", "floor", "weekday", "clock", "date", "colour", "name", "amount")
"""In the order in which they are tried; each has a pattern ``value_<type>``."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Value:
    """One value: its type (with the unit, for an amount), a key by which it is compared, and where it stands."""

    type: str
    key: str
    start: int
    end: int


def values(text: str, words: Pack) -> list[Value]:
    """Every value, in order, none overlapping another."""
    found: list[Value] = []
    for name in TYPES:
        if name == "amount":
            found.extend(one for one in _amounts(text, words) if _is_apart(one.start, one.end, found))
        for matcher in words.matchers(f"value_{name}"):
            for match in matcher.finditer(text):
                start, end = _trimmed(match)
                if start < end and _is_apart(start, end, found):
                    found.append(_value(name, match, text[start:end], start, end))
    return sorted(found, key=lambda one: one.start)


def _amounts(text: str, words: Pack) -> list[Value]:
    """Amounts by what they come to: twelve thousand is 12000, however it is said."""
    return [
        Value(type=f"amount {one.unit}".strip(), key=f"{one.value:.12g}", start=one.start, end=one.end)
        for one in find_amounts(text, language=words.language)
    ]


def _is_apart(start: int, end: int, found: list[Value]) -> bool:
    return all(end <= other.start or other.end <= start for other in found)


def _trimmed(match: re.Match[str]) -> tuple[int, int]:
    text = match[0]
    return match.start() + len(text) - len(text.lstrip()), match.end() - len(text) + len(text.rstrip())


def _value(name: str, match: re.Match[str], text: str, start: int, end: int) -> Value:
    groups = match.groupdict()
    unit = groups.get("unit") or groups.get("unit_")
    key = fold(groups.get("key") or text).replace(" ", "").replace(",", "")
    return Value(type=f"{name} {fold(unit).rstrip('s')}" if unit else name, key=key, start=start, end=end)


def without(text: str, found: list[Value]) -> str:
    """The text with its values left out."""
    for one in reversed(found):
        text = f"{text[: one.start]} {text[one.end :]}"
    return text
