"""What a context has no room for, in one line: how many, of when, and in brief what they say, as far as that fits
(SPEC R9).

Extractive: the day and the first words of each. Nothing is said that they do not say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from yinji.language.text import HAN
from yinji.model import MemoryEntry
from yinji.recall.explain import SHORT_ID

HAN_SHOWN, WORDS_SHOWN = 40, 24
"""Chinese characters, or other words, of a memory: most statements are shorter and are told whole."""
_HAN = re.compile(f"[{HAN}]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Brief:
    """A memory in brief: its day, and its first words with how far it holds."""

    id: str
    day: str
    words: str

    @staticmethod
    def of(memory: MemoryEntry, day: str, held: str) -> Brief:
        """``held``: empty where it holds."""
        return Brief(id=memory.id, day=day, words=beginning(memory.content) + (f" ({held})" if held else ""))


@dataclass(frozen=True, kw_only=True, slots=True)
class Overflow:
    """The memories that did not fit, summed up."""

    count: int
    since: str
    until: str
    """The first and the last day of them."""
    told: tuple[str, ...]
    """What is said of the first of them."""
    ids: tuple[str, ...]
    """The ends of the ids of those of which nothing is said, by which each can be shown."""


def summed_up(left: Sequence[Brief], told: int, *, named: bool) -> Overflow:
    """``left``: at least one, the most wanted first, of which the first ``told`` are told; the others by their ids,
    where they are ``named``."""
    days = [one.day for one in left]
    return Overflow(
        count=len(left),
        since=min(days),
        until=max(days),
        told=tuple(f"{one.day} {one.words}" for one in left[:told]),
        ids=tuple(one.id[-SHORT_ID:] for one in left[told:]) if named else (),
    )


def beginning(content: str) -> str:
    """The first words, ended by … where there are more."""
    flat = " ".join(content.split())
    if _HAN.search(flat):
        return flat if len(flat) <= HAN_SHOWN else f"{flat[:HAN_SHOWN]}…"
    words = flat.split(" ")
    return flat if len(words) <= WORDS_SHOWN else f"{' '.join(words[:WORDS_SHOWN])}…"
