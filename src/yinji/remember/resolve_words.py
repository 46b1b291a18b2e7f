"""What pronouns there are and what may stand behind them, by language (``data/lang/pronouns``)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from yinji import shipped

_PART = re.compile(r"\{([a-z_]+)\}")
_GROUP = re.compile(r"\(\?P<([a-z]+)>")


@dataclass(frozen=True, kw_only=True, slots=True)
class PronounWords:
    """One language's lists; ``affinity`` says of what kind a thing is by what is said of it."""

    language: str
    words: Mapping[str, frozenset[str]]
    patterns: Mapping[str, tuple[str, ...]]
    affinity: Mapping[str, tuple[str, ...]]
    heads: Mapping[str, str]
    """General nouns and the kind of what they may point back to."""
    shortened: Mapping[str, str]
    """Verbs as they are joined with a pronoun, and in full."""
    definite: str
    """The article of what was named before."""

    def has(self, name: str, word: str) -> bool:
        return word in self.words[name]

    def says(self, name: str, text: str) -> bool:
        """Whether a text has a word of that list."""
        if self.language == "zh":
            return any(one in text for one in self.words[name])
        return not self.words[name].isdisjoint(text.split())

    def ends(self, name: str, phrase: str) -> bool:
        """Whether a phrase ends in a word of that list."""
        if self.language == "zh":
            return any(phrase.endswith(one) for one in self.words[name])
        return phrase in self.words[name] or any(phrase.endswith(f" {one}") for one in self.words[name])

    def listed(self, word: str) -> bool:
        """Whether a word by itself is a noun of a known kind."""
        return bool(_english_kind(word, _endings("en")) if self.language == "en" else _endings("zh").get(word))

    def matcher(self, name: str) -> re.Pattern[str]:
        """The patterns of that name as one, compiled on first use."""
        return _matcher(self.language, name)

    def kind_of(self, phrase: str) -> str:
        """The kind of a noun phrase by its last words; ``""`` when no list has them."""
        return _kind_of(self.language, phrase)


KINDS = (
    "person",
    "animal",
    "vehicles",
    "machines",
    "documents",
    "software",
    "clothes",
    "plants",
    "medicine",
    "food",
    "container",
    "place",
)
"""Word lists that are kinds, the most telling first."""


@cache
def pronoun_words(language: str) -> PronounWords:
    """The lists of ``zh`` or ``en``."""
    read = shipped.toml(f"lang/pronouns/{language}.toml")
    words = {name: frozenset(one.replace("_", " ") for one in text.split()) for name, text in read["words"].items()}
    heads = dict(pair.split("=") for pair in read["words"].get("generic_heads", "").split())
    parts = {name: _either(listed) for name, listed in words.items()} | {"known": _either(frozenset(heads))}
    for name, pattern in read.get("parts", {}).items():
        parts[name] = _fill(pattern, parts)
    return PronounWords(
        language=language,
        words=words,
        patterns={name: tuple(_fill(one, parts) for one in listed) for name, listed in read["patterns"].items()},
        affinity={
            name: tuple(text.replace("_", " ").split("|") if "|" in text else text.split())
            for name, text in read["affinity"].items()
        },
        heads=heads,
        shortened=read.get("shortened", {}),
        definite=read.get("definite", ""),
    )


def span_of(match: re.Match[str], group: str) -> tuple[int, int]:
    """The span of the group in whichever of the patterns matched; of the whole where none has it."""
    return next(
        (match.span(name) for name in match.re.groupindex if name.rstrip("0123456789") == group and match[name]),
        match.span(),
    )


def _either(words: frozenset[str]) -> str:
    return f"(?:{'|'.join(re.escape(one) for one in sorted(words, key=lambda one: (-len(one), one)))})"


def _fill(pattern: str, parts: Mapping[str, str]) -> str:
    return _PART.sub(lambda found: parts.get(found[1], found[0]), pattern)


@cache
def _matcher(language: str, name: str) -> re.Pattern[str]:
    flags = re.IGNORECASE if language == "en" else re.RegexFlag(0)
    listed = pronoun_words(language).patterns[name]
    apart = (_GROUP.sub(rf"(?P<\g<1>{at}>", one) for at, one in enumerate(listed))
    return re.compile("|".join(f"(?:{one})" for one in apart), flags)


@cache
def _endings(language: str) -> Mapping[str, str]:
    words = pronoun_words(language).words
    return {word: kind for kind in reversed(KINDS) for word in words[kind]}


@cache
def _longest(language: str) -> int:
    return max(len(word) for word in _endings(language))


def _kind_of(language: str, phrase: str) -> str:
    endings = _endings(language)
    if language == "en":
        tokens = phrase.lower().split()
        ends = (" ".join(tokens[-size:]) for size in (3, 2, 1) if len(tokens) >= size)
        return next((kind for one in ends if (kind := _english_kind(one, endings))), "")
    sizes = range(min(len(phrase), _longest(language)), 0, -1)
    return next((endings[phrase[-size:]] for size in sizes if phrase[-size:] in endings), "")


def _english_kind(word: str, endings: Mapping[str, str]) -> str:
    singular = word.removesuffix("'s")
    for form in (
        singular,
        singular.removesuffix("s"),
        singular.removesuffix("es"),
        f"{singular[:-3]}y" if singular.endswith("ies") else "",
    ):
        if form in endings:
            return endings[form]
    return ""
