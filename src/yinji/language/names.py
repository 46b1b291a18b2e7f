"""Names as the graph holds them: what a memory names, and what in a question may be a name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

from yinji.language.entities import entity_key
from yinji.language.text import HAN, fold
from yinji.model import Entity, Slot

USER = "user"
NO_NAMES = frozenset({"amount", "date"})
"""Types of entities that many memories share by chance."""
SHORTEST, LONGEST = 2, 40
"""Characters of a name: a single one is part of too many words."""
LONGEST_HAN, LONGEST_WORDS = 8, 4
"""How long a stretch of a question is tried as a name: Chinese characters, other words."""
_HAN = re.compile(f"[{HAN}]+")
_WORD = re.compile(r"[^\W_]+(?:[-_.'][^\W_]+)*")


class Naming(Protocol):
    """What names somebody or something: a memory, or what its new words say."""

    @property
    def subject(self) -> str: ...
    @property
    def slot(self) -> Slot | None: ...
    @property
    def entities(self) -> tuple[Entity, ...]: ...


def names_of(memory: Naming) -> tuple[str, ...]:
    """Whom and what a memory names, folded, each once; not the user."""
    said = [one.name for one in memory.entities if one.type not in NO_NAMES]
    said += [memory.subject, memory.slot.subject if memory.slot else "", memory.slot.value if memory.slot else ""]
    keys = (entity_key(name) for name in said if name and name != USER)
    return tuple(dict.fromkeys(key for key in keys if SHORTEST <= len(key) <= LONGEST and not key.isdigit()))


def may_be_names(text: str) -> tuple[str, ...]:
    """Every stretch of a text that could be a name, folded; a store tells which are."""
    return tuple(dict.fromkeys(key for key in map(entity_key, _stretches(fold(text))) if len(key) >= SHORTEST))


def _stretches(folded: str) -> Iterator[str]:
    for run in _HAN.finditer(folded):
        for start in range(len(run[0])):
            for length in range(SHORTEST, LONGEST_HAN + 1):
                if start + length <= len(run[0]):
                    yield run[0][start : start + length]
    words = list(_WORD.finditer(folded))
    for at, first in enumerate(words):
        for last in words[at : at + LONGEST_WORDS]:
            yield folded[first.start() : last.end()].removesuffix("'s")
