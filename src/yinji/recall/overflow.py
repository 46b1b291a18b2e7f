"""What a context has no room for, in one line: how many, of when, about what, and by which ids (SPEC R9).

Extractive: the names that the memories hold, and the first words of one that holds none. Nothing is said that they
do not say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from yinji.language.names import NO_NAMES
from yinji.language.text import HAN
from yinji.model import MemoryEntry
from yinji.recall.explain import SHORT_ID

MOST_THEMES = 6
"""Themes of one line: it is to be glanced at."""
HAN_SHOWN, WORDS_SHOWN = 12, 6
"""Chinese characters, or other words, of a memory without a name."""
_HAN = re.compile(f"[{HAN}]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Overflow:
    """The memories that did not fit, summed up."""

    count: int
    since: str
    until: str
    """The first and the last day of them."""
    themes: tuple[str, ...]
    ids: tuple[str, ...]
    """The ends of their ids, by which each can be shown."""

    def shorter(self) -> Iterator[Overflow]:
        """This, then with fewer and fewer themes, and at last without ids."""
        for many in range(len(self.themes), -1, -1):
            yield replace(self, themes=self.themes[:many])
        yield replace(self, themes=(), ids=())


def summed_up(left: Sequence[MemoryEntry], days: Sequence[str]) -> Overflow:
    """``left``: at least one, the most wanted first; ``days``: of when each is."""
    themes = dict.fromkeys(theme for memory in left for theme in _themes(memory))
    return Overflow(
        count=len(left),
        since=min(days),
        until=max(days),
        themes=tuple(themes)[:MOST_THEMES],
        ids=tuple(memory.id[-SHORT_ID:] for memory in left),
    )


def _themes(memory: MemoryEntry) -> tuple[str, ...]:
    named = [" ".join(one.name.split()) for one in memory.entities if one.type not in NO_NAMES]
    return tuple(named) or (_beginning(memory.content),)


def _beginning(content: str) -> str:
    flat = " ".join(content.split())
    if _HAN.search(flat):
        return flat if len(flat) <= HAN_SHOWN else f"{flat[:HAN_SHOWN]}…"
    words = flat.split(" ")
    return flat if len(words) <= WORDS_SHOWN else f"{' '.join(words[:WORDS_SHOWN])}…"
