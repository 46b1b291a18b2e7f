"""What the finders of names know of a language: word lists, patterns and gazetteers, read from data when first used."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from yinji import shipped

_PART = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """A stretch of text that may be a name; of two that overlap the heavier is taken, of equal ones the longer."""

    start: int
    end: int
    type: str
    weight: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Lists:
    """One language's lists; patterns have their ``{part}`` references filled in."""

    language: str
    words: Mapping[str, frozenset[str]]
    patterns: Mapping[str, tuple[str, ...]]

    def has(self, name: str, word: str) -> bool:
        return word in self.words[name]

    def matchers(self, name: str) -> tuple[re.Pattern[str], ...]:
        """The patterns of that name, compiled on first use."""
        return _matchers(self.language, name)

    def matchers_for(self, name: str, text: str) -> tuple[re.Pattern[str], ...]:
        """Those patterns, or none where the text has nothing that any of them must have."""
        hint = self.patterns.get(f"{name}_hint")
        return self.matchers(name) if hint is None or self.matchers(f"{name}_hint")[0].search(text) else ()


@cache
def lists(language: str) -> Lists:
    """The lists of ``zh`` or ``en``."""
    rules = shipped.toml(f"lang/entities/{language}.toml")
    names = shipped.toml(f"gazetteers/{language}.toml")
    words = {name: _words(text) for name, text in {**names, **rules["words"]}.items()}
    parts = {name: _either(words[name]) for name in (*rules["words"], "makers")}
    for name, pattern in rules.get("parts", {}).items():
        parts[name] = f"(?:{_fill(pattern, parts)})"
    filled = {name: tuple(_fill(one, parts) for one in listed) for name, listed in rules["patterns"].items()}
    return Lists(language=language, words=words, patterns=filled)


def _words(text: str) -> frozenset[str]:
    return frozenset(word.replace("_", " ") for word in text.split())


def _either(words: frozenset[str]) -> str:
    listed = sorted(words, key=lambda one: (-len(one), one))
    return f"(?:{'|'.join(word if word.isalnum() else re.escape(word) for word in listed)})"


def _fill(pattern: str, parts: Mapping[str, str]) -> str:
    """Only references to known parts are filled in: ``{2,4}`` and the like stay."""
    return _PART.sub(lambda found: parts.get(found[1], found[0]), pattern)


@cache
def _matchers(language: str, name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(one) for one in lists(language).patterns[name])


# ------------------------------------------------------------- gazetteers


class Gazetteer:
    """Known names, found in a text by their first two characters."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._types = names
        lengths: dict[str, set[int]] = defaultdict(set)
        for name in names:
            lengths[name[:2]].add(len(name))
        self._lengths = {head: tuple(sorted(sizes, reverse=True)) for head, sizes in lengths.items()}

    def kind(self, name: str) -> str | None:
        """What a name is known as."""
        return self._types.get(name)

    def search(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Start, end and type of every known name, at each place the longest; Latin ones as whole words."""
        for at in range(len(text) - 1):
            for size in self._lengths.get(text[at : at + 2], ()):
                if at + size > len(text):
                    continue
                name = text[at : at + size]
                if name in self._types and _is_whole(text, at, at + size):
                    yield at, at + size, self._types[name]
                    break


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether no Latin word goes on at either end."""
    before, after = text[start - 1 : start], text[end : end + 1]
    opens = text[start].isascii() and text[start].isalnum() and before.isascii() and before.isalnum()
    closes = text[end - 1].isascii() and text[end - 1].isalnum() and after.isascii() and after.isalnum()
    return not opens and not closes


@cache
def gazetteer(language: str) -> Gazetteer:
    """Places, organisations and products; a name in two lists is what the last of them says."""
    known: dict[str, str] = {}
    for source in (language, "en") if language == "zh" else (language,):
        for name, kind in (("places", "place"), ("organisations", "organisation"), ("products", "product")):
            known.update((word, kind) for word in lists(source).words[name] if len(word) > 1 and word not in known)
    return Gazetteer(known)
