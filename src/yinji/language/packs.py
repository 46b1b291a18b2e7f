"""What a language knows: word lists, patterns, tables and slots, read from ``data/lang/<language>.toml``.

``data/lang/remember`` and ``data/lang/belonging`` have more of the same for the write path: patterns of a name that
several have are tried one after the other, slots of the later first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from yinji import shipped
from yinji.errors import NotFound
from yinji.language.script import both_scripts, simplify

_PART = re.compile(r"\{([a-z_]+)\}")
_UNCASED = re.compile(r"\\.|\(\?P[<=]\w+[>)]")
"""What has letters in a pattern and matches none: escapes, and the names of groups."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SlotRule:
    """How sentences say one attribute of somebody. A pattern may name the groups ``subject`` and ``value``."""

    attribute: str
    single: bool
    kind: str
    importance: float
    patterns: tuple[str, ...]
    negative: bool = False
    """The pattern itself says that it is not so."""
    value: str | None = None
    """The value when the pattern names none; ``""`` takes the whole match."""
    subject: str | None = None
    """The subject when it is not whom the sentence is about."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pack:
    """One language. Patterns have their ``{part}`` references filled in: a word list or another pattern."""

    language: str
    name: str
    words: Mapping[str, tuple[str, ...]]
    patterns: Mapping[str, tuple[str, ...]]
    tables: Mapping[str, Mapping[str, str]]
    slots: tuple[SlotRule, ...]

    def has(self, name: str, word: str) -> bool:
        """Whether ``word`` is in the word list ``name``."""
        return simplify(word) in word_set(self.language, name)

    def look_up(self, table: str, word: str) -> str:
        """What the table says of a word, whatever its case, script or spacing. Raises KeyError."""
        return self.tables[table][" ".join(simplify(word).lower().split())]

    def matcher(self, name: str) -> re.Pattern[str]:
        """All patterns of that name as one; compiled on first use."""
        return _matcher(self.language, name)

    def matchers(self, name: str) -> tuple[re.Pattern[str], ...]:
        """The patterns of that name one by one, in their order, so that they may share group names."""
        return _matchers(self.language, name)

    def first_match(self, name: str, text: str) -> re.Match[str] | None:
        """What the first of the patterns of that name that fits the text's beginning matches."""
        return next((found for one in self.matchers(name) if (found := one.match(text))), None)

    def slot_matchers(self) -> tuple[tuple[SlotRule, tuple[re.Pattern[str], ...]], ...]:
        return _slot_matchers(self.language)


def languages() -> tuple[str, ...]:
    """The languages there are packs for, by their ISO 639-1 codes."""
    return _languages()


@cache
def _languages() -> tuple[str, ...]:
    names = (entry.name for entry in shipped.file("lang").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@cache
def pack(language: str) -> Pack:
    """The pack of a language. Raises NotFound for one that has none."""
    if language not in languages():
        raise NotFound(what="language pack", name=language, nearest=f" There are: {', '.join(languages())}.")
    read = _added(shipped.toml(f"lang/{language}.toml"), shipped.toml(f"lang/remember/{language}.toml"))
    read = _added(read, shipped.toml(f"lang/belonging/{language}.toml"))
    words = {name: tuple(text.split()) for name, text in read["words"].items()}
    parts = {name: _either(words[name]) for name in words}
    for name, pattern in read.get("parts", {}).items():
        parts[name] = f"(?:{_fill(pattern, parts)})"
    return Pack(
        language=language,
        name=read["name"],
        words=words,
        patterns={name: tuple(_fill(one, parts) for one in listed) for name, listed in read["patterns"].items()},
        tables={name: dict(table) for name, table in read["tables"].items()},
        slots=tuple(_slot(row, parts) for row in read.get("slots", ())),
    )


def _added(base: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """The one with what the other adds; a word list or part of the same name is replaced."""
    patterns = {name: [*base["patterns"].get(name, ()), *listed] for name, listed in more["patterns"].items()}
    return {
        **base,
        "words": {**base["words"], **more.get("words", {})},
        "parts": {**base.get("parts", {}), **more.get("parts", {})},
        "patterns": {**base["patterns"], **patterns},
        "tables": {**base["tables"], **more.get("tables", {})},
        "slots": [*more.get("slots", ()), *base.get("slots", ())],
    }


def _slot(row: Mapping[str, object], parts: Mapping[str, str]) -> SlotRule:
    listed = row["patterns"]
    assert isinstance(listed, list)
    filled = tuple(_fill(one, parts) for one in listed)
    return SlotRule(**{**row, "patterns": filled})  # type: ignore[arg-type]  # TypeError names a wrong key


def _either(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first; ``_`` in a list stands for a space."""
    listed = sorted(words, key=len, reverse=True)
    return f"(?:{'|'.join(word if word.isalnum() else re.escape(word.replace('_', ' ')) for word in listed)})"


def _fill(pattern: str, parts: Mapping[str, str]) -> str:
    return _PART.sub(lambda found: parts[found[1]], pattern)


@cache
def word_set(language: str, name: str) -> frozenset[str]:
    """The words of a list, without the rest of the pack."""
    return frozenset(word.replace("_", " ") for word in _words(language)[name])


@cache
def _words(language: str) -> Mapping[str, tuple[str, ...]]:
    """The word lists alone: to tell a language needs no more."""
    listed = (shipped.toml(f"lang/{folder}{language}.toml")["words"] for folder in ("", "remember/"))
    return {name: tuple(text.split()) for words in listed for name, text in words.items()}


@cache
def _matcher(language: str, name: str) -> re.Pattern[str]:
    return _compiled("|".join(f"(?:{one})" for one in pack(language).patterns[name]), name)


@cache
def _matchers(language: str, name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(_compiled(one, name) for one in pack(language).patterns[name])


def _compiled(pattern: str, name: str = "") -> re.Pattern[str]:
    """Matches both scripts; case tells a name from a word and nothing else apart."""
    bare = _UNCASED.sub("", pattern)
    cased = not name.startswith("entity_") and bare.lower() != bare.upper()  # to look for the other case costs time
    return re.compile(both_scripts(pattern), re.IGNORECASE if cased else re.RegexFlag(0))


@cache
def _slot_matchers(language: str) -> tuple[tuple[SlotRule, tuple[re.Pattern[str], ...]], ...]:
    return tuple((rule, tuple(_compiled(one) for one in rule.patterns)) for rule in pack(language).slots)
