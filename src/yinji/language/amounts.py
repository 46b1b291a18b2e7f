"""Which amounts a text tells: a number in digits or words, and the unit that it is of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from yinji import shipped
from yinji.language.script import simplify
from yinji.language.time.lexicon import lexicon

_LOOSE = re.compile(r"^an? (?=couple)|\bof\b")
"""Words of a count that say nothing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Amount:
    """So much of a unit, as ``data/lang/amounts`` names it (``CNY``, ``kg``); empty where none is said."""

    value: float
    unit: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Words:
    """A language's units, each with its name and how many of that one is, words that multiply, and patterns."""

    units: Mapping[str, tuple[str, float]]
    times: Mapping[str, float]
    hint: re.Pattern[str]
    """What any text with an amount has in it."""
    written: tuple[str, ...]
    """Patterns, compiled when a text first needs them."""


def find_amounts(text: str, *, language: str) -> tuple[Amount, ...]:
    """Every amount, in order, none overlapping another: 一万二, 三斤半, "two and a half grand", "$1.2m"."""
    plain = simplify(text).lower() if language == "zh" else text.lower()
    words, found = _words(language), list[Amount]()
    if not words.hint.search(plain):
        return ()
    for written in words.written:
        for match in _compiled(written).finditer(plain):
            if all(match.end() <= one.start or one.end <= match.start() for one in found):
                found.extend(_read(match, language))
    return tuple(sorted(found, key=lambda one: one.start))


def _read(match: re.Match[str], language: str) -> Iterator[Amount]:
    """What the groups say: ``count``, ``half`` (or a quarter) of one more, ``times``, ``unit``, ``tail`` in tenths."""
    words, said = _words(language), match.groupdict()
    value = _number(said["count"], language)
    if value is None:
        return
    value += _part(said.get("half"), language) + _part(said.get("more"), language)
    for word in (said.get("times") or "").split():
        value *= words.times[word]
    unit, each = words.units[_plain(said.get("unit") or said.get("sign") or "")]
    value = (value + _tenths(said.get("tail"), language)) * each
    yield Amount(value=round(value, 6), unit=unit, start=match.start(), end=match.end())


def _number(text: str, language: str) -> float | None:
    return lexicon(language).number(_LOOSE.sub("", text))


def _part(text: str | None, language: str) -> float:
    """A half, or a quarter."""
    return 0.0 if not text else 0.25 if lexicon(language).quarters(text) else 0.5


def _tenths(text: str | None, language: str) -> float:
    """What is said behind the unit without its own: of three and five tenths, the five."""
    if not text:
        return 0.0
    digits = [_number(char, language) or 0.0 for char in text]
    return sum(digit * 0.1 ** (place + 1) for place, digit in enumerate(digits))


def _plain(unit: str) -> str:
    return " ".join(unit.replace("-", " ").split())


@cache
def _words(language: str) -> Words:
    read = shipped.toml(f"lang/amounts/{language}.toml")
    units = {"": ("", 1.0), **{word: _unit(text) for word, text in read["units"].items()}}
    parts = {"unit": _either(read["units"]), "times": _either(read["times"])}
    for name, pattern in read["parts"].items():
        parts[name] = f"(?:{_filled(pattern, parts)})"
    hint, written = re.compile(_filled(read["hint"], parts)), read["patterns"]["amount"]
    return Words(units=units, times=read["times"], hint=hint, written=tuple(_filled(one, parts) for one in written))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _unit(text: str) -> tuple[str, float]:
    """A unit as data write it: ``"kg 0.5"``."""
    name, _, each = text.partition(" ")
    return name, float(each or 1)


def _either(words: Mapping[str, object]) -> str:
    return "(?:" + "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)) + ")"


def _filled(pattern: str, parts: Mapping[str, str]) -> str:
    return re.sub(r"\{([a-z_]+)\}", lambda found: parts[found[1]], pattern)
