"""What a question is answered with, and why: scopes and queries, hits, contexts, the graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import overload

from yinji.model.outcome import Drop
from yinji.model.statement import Interval, MemoryEntry
from yinji.model.words import HOLDS, Kind, Validity


@dataclass(frozen=True, kw_only=True, slots=True)
class Scope:
    """Which memories a read may see. Every store statement takes one: the owner cannot be left out."""

    owner: str
    kinds: frozenset[Kind] | None = None
    scenes: frozenset[str] | None = None
    validity: frozenset[Validity] | None = HOLDS
    """``None`` means any."""
    as_of: datetime | None = None
    """What was known at that moment: recorded by then and not retired by then; overrides ``validity``."""
    during: Interval | None = None
    """Only what was true at some time in that interval; what has none of its own always was, until superseded."""
    hidden: bool = False
    """Show soft-deleted ones too."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Query:
    """A question with what the analysis found in it."""

    text: str
    language: str
    """The question's own."""
    reply: str = "en"
    """The language that reasons are told in."""
    scope: Scope
    terms: tuple[str, ...]
    """Index terms of the words that say what it is about."""
    weak: tuple[str, ...] = ()
    """Index terms of the rest: particles, question words."""
    now: datetime
    intent: Kind | None = None
    past: bool = False
    """Whether it asks for what was: what no longer holds may answer, too."""
    times: tuple[Interval, ...] = ()
    """The stretches of time that it names."""
    many: bool = False
    """Whether several memories may answer it together: it asks for more than one thing, or names a stretch of time."""
    names: tuple[str, ...] = ()
    """Every stretch of it that may be a name (``language.names``); the store tells which are."""
    attributes: tuple[str, ...] = ()
    """What of the user's own it asks for, as slots call it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PathRank:
    """How one path saw a memory: ``rank`` from 1, the raw ``score`` and its ``z`` within the owner's memories."""

    path: str
    rank: int
    score: float
    z: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    memory: MemoryEntry
    score: float
    paths: tuple[PathRank, ...]
    factors: Mapping[str, float] = field(default_factory=dict)
    newer: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """A memory that answers a query, and why it came; ``newer``: id of the one that probably holds in its place."""

    memory: MemoryEntry
    rank: int
    score: float
    """Higher is nearer; comparable within one recall only."""
    paths: tuple[PathRank, ...]
    factors: Mapping[str, float]
    """What moved the score: name → signed amount, summing to ``score``."""
    why: str
    """One sentence in the asker's language."""
    newer: str | None = None

    def __str__(self) -> str:
        return f"{self.rank}. {self.memory.content}  ({self.why})"


@dataclass(frozen=True, kw_only=True, slots=True)
class Recall(Sequence[Hit]):
    """The hits of one recall, best first, and whatever the caller should know about how they came."""

    query: str
    hits: tuple[Hit, ...]
    warnings: tuple[str, ...] = ()
    pending: int = 0
    """Turns accepted but not yet read; they cannot be among the hits."""
    stages_ms: Mapping[str, float] = field(default_factory=dict)
    trace: tuple[Candidate, ...] = ()
    """All that were weighed, best first, those below the cut too; only where it was asked for."""

    @overload
    def __getitem__(self, index: int) -> Hit: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, index: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[index]

    def __len__(self) -> int:
        return len(self.hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __str__(self) -> str:
        return "\n".join(map(str, self.hits))


class Fate(StrEnum):
    """How far a memory came on the way to an answer; all but ``shown`` are where it was lost."""

    SHOWN = "shown"
    WAITING = "waiting"
    """Its turn is not read yet."""
    NOT_KEPT = "not_kept"
    """Never written: the gate, or a later stage, dropped it."""
    HIDDEN = "hidden"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    RETRACTED = "retracted"
    DISPUTED = "disputed"
    NOT_THEN = "not_then"
    """Not known at the moment asked about, or not true in the stretch asked about."""
    OTHER_KIND = "other_kind"
    OTHER_SCENE = "other_scene"
    NOT_FOUND = "not_found"
    """In scope, but no path brought it."""
    TOO_WEAK = "too_weak"
    """A path brought it, but it does not answer."""
    DOUBTED = "doubted"
    """It is among the best, but these are unlikely to answer: nothing is said."""
    BELOW_CUT = "below_cut"
    """It answers, but others answer better."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Why:
    """Why a memory came, or why it did not (SPEC R10)."""

    query: str
    fate: Fate
    why: str
    """One sentence in the asker's language."""
    stage: str
    """The stage that brought or lost it: ``gate``, ``scope``, ``search`` and so on; ``shown`` at the end."""
    memory: MemoryEntry | None = None
    """None when nothing was written."""
    rank: int | None = None
    """Its place among all that answer, from 1; None where it has none."""
    score: float | None = None
    needed: float | None = None
    """The score of the last memory shown: what it lacked."""
    paths: tuple[PathRank, ...] = ()
    """What each path saw; ``rank`` 0 where the path did not bring it."""
    factors: Mapping[str, float] = field(default_factory=dict)
    by: str | None = None
    """The memory that took its place, when it was superseded."""
    drops: tuple[Drop, ...] = ()
    """What was dropped of its turn, when it was never written."""

    def __str__(self) -> str:
        return self.why


@dataclass(frozen=True, kw_only=True, slots=True)
class Edge:
    """What a memory says between names (SPEC K7)."""

    path: tuple[str, ...]
    """The names by which it was reached, from the one asked for; as many as steps."""
    subject: str
    relation: str
    """The attribute that the memory fills in; empty where it only names both."""
    objects: tuple[str, ...]
    memory: MemoryEntry
    """Where it comes from, with its time and confidence."""
    strength: float
    """How close it is to the name asked for, up to 1."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Graph:
    """What hangs together with a name, the nearest first."""

    name: str
    edges: tuple[Edge, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Context:
    """Text ready for a prompt. ``text`` never costs more than ``budget`` tokens by the estimator used."""

    text: str
    tokens: int
    budget: int
    hits: tuple[Hit, ...]
    left_out: tuple[Hit, ...] = ()
    warnings: tuple[str, ...] = ()
    needed: bool = True
    """Whether the message was found to need memories; when not, none were recalled for it."""
    always: tuple[str, ...] = ()
    """Ids of the hard facts that stand first in ``text``, the same in every context while none of them changes."""
    besides: tuple[str, ...] = ()
    """Ids of what is told along with a hit, as it was said in the same breath."""
    in_brief: tuple[str, ...] = ()
    """Ids of what had no room of its own: its first words stand in the last line."""

    def __str__(self) -> str:
        return self.text
