"""What is left of a text without fillers, stutters and noise, and where each character of it came from.

Only whole matches of the cleaning patterns are cut out; nothing is replaced. What must stay as it was said (code,
addresses of the net, numbers with sign and unit, negations, hedges) is never cut into. An answering "no," that
opens a sentence is an interjection.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from yinji import shipped
from yinji.language.memo import while_reading
from yinji.language.packs import Pack, pack

KEPT_WORDS = ("negative", "hedge")
"""Patterns of the packs for what noise may surround but never swallow."""
OPENERS = ("interjection",)
FILLERS = ("filler_inside", "laugh")

SHOUTED = 2
"""Words in capitals that are shouted and no abbreviation."""
_WIDE = {",": "\uff0c", ";": "\uff1b", ":": "\uff1a", "!": "\uff01", "?": "\uff1f", ".": "\u3002"}
_NARROW = re.compile(
    r"(?<=[\u4e00-\u9fff\u201d\u300b\u300d\uff09])(?:[,;:!?](?!//)|\.(?![.\dA-Za-z_]))|(?<![,;:!?])[,;:!?](?=\s?[\u4e00-\u9fff])"
)
_CAPITALS = re.compile(r"(?<![\w-])[A-Z]+(?![\w-]*\d)")

Span = tuple[int, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Cleaned:
    """The text and, for each of its characters, the offset in the text it was cleaned from."""

    text: str
    origin: tuple[int, ...]

    def source(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original that ``text[start:end]`` came from; an empty one stays empty."""
        if start >= end:
            at = self.origin[start] if start < len(self.origin) else 0
            return at, at
        return self.origin[start], self.origin[end - 1] + 1


@dataclass(frozen=True, kw_only=True, slots=True)
class _Patterns:
    noise: tuple[re.Pattern[str], ...]
    repeated: re.Pattern[str]
    kept: re.Pattern[str]
    joined: re.Pattern[str]
    """Ends in a word behind which a repeated one is no stutter."""


@while_reading(256)
def clean(text: str, language: str) -> Cleaned:
    """The text without noise; ``clean`` of what it gives changes nothing more."""
    kept = list(range(len(text)))
    while True:
        now = "".join(text[at] for at in kept)
        cuts = _cuts(now, pack(language))
        if not cuts:
            return Cleaned(text=now, origin=tuple(kept))
        kept = [origin for at, origin in enumerate(kept) if at not in cuts]


def unshouted(text: str) -> str:
    """What is shouted, in small letters but for "I" and names; anything else as it is. Of the same length."""
    if len(text.split()) < SHOUTED or not text.isascii() or not text.isupper():
        return text
    return _CAPITALS.sub(lambda found: _lowered(found[0], pack("en")), text)


def _lowered(word: str, words: Pack) -> str:
    low = word.lower()
    if word == "I" or words.has("first_names", low) or words.has("places", low):
        return word.capitalize()
    return low


def widened(text: str) -> str:
    """The text with the narrow marks beside Chinese characters as wide ones; of the same length."""
    return _NARROW.sub(lambda found: _WIDE[found[0]], text)


def protected(text: str, language: str) -> list[Span]:
    """What is never cut into: code, addresses, numbers, negations, hedges."""
    words = pack(language)
    said = [match.span() for name in KEPT_WORDS for match in words.matcher(name).finditer(text)]
    return [match.span() for match in _patterns().kept.finditer(text)] + [span for span in said if span[0] < span[1]]


def _cuts(text: str, words: Pack) -> set[int]:
    """Offsets to cut; cutting some may lay bare others, so this is asked until there are none."""
    for look in (_plain_noise, _spoken_noise):  # signs first: long runs of them are slow to look for words in
        noise = list(look(text, words))
        values = [match.span() for match in _patterns().kept.finditer(text)] if noise else []
        everything = protected(text, words.language) if noise else []
        cuts = {
            at
            for span, opens in noise
            if not any(_cut_into(span, one) for one in (values if opens else everything))
            for at in range(*span)
        }
        if cuts:
            return cuts
    return set()


def _cut_into(cut: Span, kept: Span) -> bool:
    return cut[0] < kept[1] and kept[0] < cut[1]


def _plain_noise(text: str, words: Pack) -> Iterator[tuple[Span, bool]]:
    """Signs to cut, in any language; none counts as opening the sentence."""
    patterns = _patterns()
    for matcher in patterns.noise:
        yield from ((match.span(), False) for match in matcher.finditer(text) if match[0])
    for match in patterns.repeated.finditer(text):
        yield (match.start() + 1, match.end()), False


def _spoken_noise(text: str, words: Pack) -> Iterator[tuple[Span, bool]]:
    """Words to cut, and whether each opens the sentence."""
    patterns = _patterns()
    for name in OPENERS + FILLERS:
        for matcher in words.matchers(name):
            yield from ((match.span(), name in OPENERS) for match in matcher.finditer(text) if match[0])
    for matcher in words.matchers("stutter"):
        for match in matcher.finditer(text):
            if not patterns.joined.search(text, 0, match.start()):
                yield (match.end("again"), match.end()), False


@cache
def _patterns() -> _Patterns:
    read = shipped.toml("clean.toml")
    noise, kept = read["noise"], read["kept"]
    faces = "|".join(map(re.escape, noise["faces"].split()))
    return _Patterns(
        noise=tuple(
            re.compile(noise[name].replace("{faces}", faces)) for name in ("emoji", "typed", "named", "ends", "blanks")
        ),
        repeated=re.compile(noise["repeated"]),
        kept=re.compile("|".join(f"(?:{pattern})" for pattern in kept.values())),
        joined=re.compile(read["stutter"]["not_after"]),
    )
