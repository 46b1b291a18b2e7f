"""The words of a message with the class that each has for finding noun phrases."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, kw_only=True, slots=True)
class Token:
    """A word; ``look`` is its class: a part of speech, or a list that has it. ``.`` stands for punctuation."""

    start: int
    end: int
    text: str
    look: str


@lru_cache(maxsize=256)
def tokens(text: str, language: str) -> tuple[Token, ...]:
    """The words of a message in order; simplified characters in, for Chinese."""
    if language == "zh":
        from yinji.remember.resolve_zh import cut
    else:
        from yinji.remember.resolve_en import cut
    return tuple(cut(text))
