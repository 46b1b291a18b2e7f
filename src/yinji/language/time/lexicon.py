"""The words and rules by which a language says when, read from ``data/lang/time/<language>.toml``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from yinji import shipped
from yinji.language.script import simplify
from yinji.language.time.moment import PartHours
from yinji.language.time.numbers import Numerals, number

_PART = re.compile(r"\{([a-z_][a-z_0-9]*)\}")
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0x2019: 0x27, 0xA0: 0x20}
_UPPER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """A pattern, the fields that it sets, and the name of the way its groups are read."""

    pattern: str
    needs: tuple[str, ...]
    """What any match has one of in it, ``#`` for a digit; none when that is not known."""
    set: Mapping[str, int | str]
    read: str

    def matches(self, text: str, *, digits: bool) -> Iterator[re.Match[str]]:
        """The matches in a text, of which it is known whether it has digits. Compiled when it is first needed."""
        if not self.needs or any(digits if need == "#" else need in text for need in self.needs):
            return _compiled(self.pattern).finditer(text)
        return iter(())


@dataclass(frozen=True, kw_only=True, slots=True)
class Patterns:
    """Patterns by name; each is compiled when it is first needed, so that a first text does not wait for all."""

    written: Mapping[str, str]

    def __getitem__(self, name: str) -> re.Pattern[str]:
        return _compiled(self.written[name])


@dataclass(frozen=True, kw_only=True, slots=True)
class Bound:
    """Words before or after a time that make it an end: by, before, since."""

    bound: str
    written_before: str | None
    written_after: str | None

    @property
    def before(self) -> re.Pattern[str] | None:
        return None if self.written_before is None else _compiled(self.written_before)

    @property
    def after(self) -> re.Pattern[str] | None:
        return None if self.written_after is None else _compiled(self.written_after)


@dataclass(frozen=True, kw_only=True, slots=True)
class Lexicon:
    """One language's words for times."""

    language: str
    hint: re.Pattern[str]
    """What some time expression or other has in it; a text without is not looked at."""
    rules: tuple[Rule, ...]
    words: Mapping[str, Mapping[str, Mapping[str, int | str]]]
    """Per list, the fields that a word stands for."""
    numerals: Numerals
    glue: Patterns
    bounds: tuple[Bound, ...]
    tense: Patterns
    parts: Mapping[str, PartHours]
    whole_weeks: bool
    amounts: re.Pattern[str]
    """One count and unit inside an amount."""

    def number(self, text: str) -> float | None:
        return number(text, self.numerals)

    def halves(self, text: str) -> bool:
        """Whether a half is added."""
        return bool(self.glue["half"].search(text))

    def quarters(self, text: str) -> bool:
        """Whether a quarter is added."""
        return bool(self.glue["quarter"].search(text))


def plain(text: str) -> str:
    """The text as rules match it: simplified, half width, lower case, without changing its length."""
    if not text.isascii():
        text = simplify(text).translate(_WIDE)
    return text.translate(_UPPER)


@cache
def lexicon(language: str) -> Lexicon:
    """The words for times of a language that there is a pack for."""
    read = shipped.toml(f"lang/time/{language}.toml")
    parts = {name: _either(table) for name, table in read["words"].items()}
    for name, pattern in read["parts"].items():
        parts[name] = f"(?:{_filled(pattern, parts)})"
    return Lexicon(
        language=language,
        hint=re.compile(_filled(read["hint"], parts)),
        rules=tuple(_rule(row, parts) for row in read["rules"]),
        words={name: _table(table) for name, table in read["words"].items()},
        numerals=Numerals(
            values=read["numbers"],
            multipliers=read["multipliers"],
            prefixes=read.get("number_prefixes", {}),
            spaced=read.get("spaced", False),
        ),
        glue=Patterns(written={name: _filled(_one(rows), parts) for name, rows in read["glue"].items()}),
        bounds=tuple(_bound(row, parts) for row in read["bounds"]),
        tense=Patterns(written={name: _filled(_one(rows), parts) for name, rows in read["tense"].items()}),
        parts={name: PartHours(**row) for name, row in read["part_hours"].items()},
        whole_weeks=read.get("whole_weeks", False),
        amounts=re.compile(_filled(read["amount"], parts)),
    )


def _rule(row: Mapping[str, Any], parts: Mapping[str, str]) -> Rule:
    return Rule(
        pattern=_filled(row["pattern"], parts),
        needs=tuple(row.get("needs", "").split()),
        set=fields_of(row.get("set", "")),
        read=row.get("as", "fields"),
    )


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _bound(row: Mapping[str, Any], parts: Mapping[str, str]) -> Bound:
    before, after = (_filled(row[side], parts) if side in row else None for side in ("before", "after"))
    return Bound(bound=row["bound"], written_before=None if before is None else f"(?:{before})$", written_after=after)


def _table(table: Mapping[str, str]) -> Mapping[str, Mapping[str, int | str]]:
    return {word: fields_of(text) for word, text in table.items()}


def fields_of(text: str) -> Mapping[str, int | str]:
    """Fields as data write them: ``"day_shift=0 part=evening"``."""
    pairs = (piece.split("=") for piece in text.split())
    return {name: int(value) if value.lstrip("-").isdecimal() else value for name, value in pairs}


def _either(words: Mapping[str, object]) -> str:
    listed = sorted(words, key=len, reverse=True)
    return "(?:" + "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in listed) + ")"


def _one(rows: str | list[str]) -> str:
    """The pattern, or several of which any may match, as one."""
    return rows if isinstance(rows, str) else "|".join(rows)


def _filled(pattern: str, parts: Mapping[str, str]) -> str:
    return _PART.sub(lambda found: parts[found[1]], pattern)
