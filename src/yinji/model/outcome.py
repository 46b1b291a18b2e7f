"""What becomes of a turn: what a statement is to a memory, what is asked, what is dropped and kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from yinji.model.statement import MemoryEntry
from yinji.model.words import DropReason, Role, Verdict


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgement:
    """What a statement is to a memory; ``overtakes``: it probably says what holds now, not surely enough to end it."""

    content: str
    """The statement."""
    verdict: Verdict
    memory: MemoryEntry
    reason: str
    chance: float
    """How likely, 0 to 1; 1 where a rule says so."""
    sure: bool
    """Whether it is acted on; else nothing is lost and, where it matters, the user is asked."""
    overtakes: bool = False


class Choice(StrEnum):
    """What a question is answered with."""

    OLD = "old"
    NEW = "new"
    BOTH = "both"
    NEITHER = "neither"


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """Two memories of which the engine cannot tell whether both hold. Asked once; the answer settles it (SPEC L8)."""

    id: int
    at: datetime
    """When it came up."""
    verdict: Verdict
    """``conflict``: both stand, disputed; ``update``: both stand, the new one may end the old one; ``unsure``: the new
    one is doubtful and waits, hidden, until it is answered."""
    old: MemoryEntry
    new: MemoryEntry
    text: str = ""
    """In the language of what was said."""
    answer: Choice | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Drop:
    """A piece of a turn that was not kept, and why."""

    text: str
    reason: DropReason
    start: int = 0
    end: int = 0
    role: Role = Role.USER


@dataclass(frozen=True, kw_only=True, slots=True)
class Remembered:
    """What became of a turn. ``pending`` while it waits to be read in the background."""

    turn_id: str
    session: str
    seq: int
    pending: bool
    repeated: bool = False
    """The same turn had been taken before; nothing was done."""
    added: tuple[MemoryEntry, ...] = ()
    reinforced: tuple[MemoryEntry, ...] = ()
    superseded: tuple[MemoryEntry, ...] = ()
    drops: tuple[Drop, ...] = ()
    warnings: tuple[str, ...] = ()
