"""Which numbers a text gives, and of what: "a team of five engineers" and "4 engineers" count the same thing.

How numbers are written is the language's (``[numbers]`` of ``data/lang/relation/<language>.toml``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from yinji import shipped
from yinji.language.text import query_terms

AROUND = 16
"""Characters on either side of a number in which stands what it is a number of."""
_CUT = re.compile(r"^[A-Za-z]+")
"""A word that may be cut off."""
_ENDS = re.compile(r"[,.;!?，。；！？\n]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Counted:
    """A number, and the index terms beside it."""

    number: float
    of: frozenset[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Written:
    pattern: re.Pattern[str]
    units: Mapping[str, float]
    scales: Mapping[str, float]
    bare: frozenset[str]
    """Measure words that do not say what is counted."""


@cache
def _written(language: str) -> _Written:
    read = shipped.toml(f"lang/relation/{language}.toml")["numbers"]
    return _Written(
        pattern=re.compile(read["pattern"], re.IGNORECASE),
        units=read["units"],
        scales=read["scales"],
        bare=frozenset(read["bare"]),
    )


def counted(text: str, language: str) -> tuple[Counted, ...]:
    """Its numbers, in order."""
    return tuple(_counted(text, language))


def _counted(text: str, language: str) -> Iterator[Counted]:
    written = _written(language)
    for match in written.pattern.finditer(text):
        number = _number(match[0].lower().strip(), written)
        if number is None:
            continue
        before = _CUT.sub("", _ENDS.split(text[max(0, match.start() - AROUND) : match.start()])[-1])
        after = _ENDS.split(text[match.end() : match.end() + AROUND])[0]
        near = {term for term in (*query_terms(before), *query_terms(after)) if len(term) > 1}
        measure = {sign for sign in after[:1] if not sign.isascii() and sign not in written.bare}
        yield Counted(number=number, of=frozenset((near | measure) - written.units.keys()))


def _number(token: str, written: _Written) -> float | None:
    plain = re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", token).replace(",", "")
    if match := re.fullmatch(r"(\d+):(\d\d)(?::\d\d)?", plain):
        return int(match[1]) + int(match[2]) / 60
    if match := re.fullmatch(r"(\d+(?:\.\d+)?)(\D*)", plain):
        return float(match[1]) * written.scales.get(match[2], 1.0)
    return _spelt(plain, written)


def _spelt(token: str, written: _Written) -> float | None:
    """A number in words: units are added up, a scale multiplies what stands before it."""
    if token in written.units:
        return written.units[token]
    total, part = 0.0, 0.0
    for sign in token:
        if sign in written.units:
            part = written.units[sign]
        elif sign in written.scales:
            scale = written.scales[sign]
            if scale >= 10_000:
                total, part = (total + part) * scale, 0.0
            else:
                total, part = total + (part or 1.0) * scale, 0.0
        else:
            return None
    return total + part


def same_number(one: str, other: str, language: str) -> bool:
    """Whether two values are one number, however it is written."""
    written = _written(language)
    numbers = [_number(value.lower().strip(), written) if value else None for value in (one, other)]
    return numbers[0] is not None and numbers[0] == numbers[1]


def compared(new: tuple[Counted, ...], old: tuple[Counted, ...]) -> tuple[int, int, bool]:
    """Of numbers of the same: the most terms in common of two that differ, of two that are the same, and whether the
    differing one grew."""
    apart, same, grew = 0, 0, False
    for mine in new:
        for theirs in old:
            shared = len(mine.of & theirs.of)
            if mine.number == theirs.number:
                same = max(same, shared)
            elif shared > apart:
                apart, grew = shared, mine.number > theirs.number
    return apart, same, grew
