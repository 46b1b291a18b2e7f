"""What is left of a text without fillers, stutters and noise, and where each character of it came from.

Only whole matches of the pack's cleaning patterns are cut out; nothing is replaced, so names, numbers, code,
negations and hedges stay as they were said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from yinji.language.packs import Pack, pack

_REPEATED = re.compile(r"([!！?？~～。，,、…])\1+")
_EMOJI = re.compile(
    "[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d\U000e0020-\U000e007f]+|:[a-z_]{3,20}:|\\[[\u4e00-\u9fff]{1,3}\\](?!\\()"
)
_BLANKS = re.compile(r"(?<=\s)\s+|^\s+|\s+$")
_TAILS = re.compile(r"^[\s，,、。.;；:：~～!！…-]+|[\s，,、;；:：~～…-]+$")


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


@lru_cache(maxsize=256)
def clean(text: str, language: str) -> Cleaned:
    """The text without noise; ``clean`` of what it gives changes nothing more."""
    kept = list(range(len(text)))
    while True:
        now = "".join(text[at] for at in kept)
        cuts = {at for start, end in _noise(now, pack(language)) for at in range(start, end)}
        if not cuts:
            return Cleaned(text=now, origin=tuple(kept))
        kept = [origin for at, origin in enumerate(kept) if at not in cuts]


def _noise(text: str, words: Pack) -> Iterator[tuple[int, int]]:
    """Stretches to cut; cutting some may lay bare others, so this is asked until it finds none."""
    for matcher in (_EMOJI, _TAILS, _BLANKS):
        yield from (match.span() for match in matcher.finditer(text))
    for match in _REPEATED.finditer(text):
        yield match.start() + 1, match.end()
    for name in ("interjection", "filler_inside", "laugh"):
        for matcher in words.matchers(name):
            yield from (match.span() for match in matcher.finditer(text) if match[0])
    for matcher in words.matchers("stutter"):
        for match in matcher.finditer(text):
            yield match.end("again"), match.end()
