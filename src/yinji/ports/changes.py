"""What goes into a store: turns that were accepted, what reading them changed, what the user changes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from yinji.model import (
    Drop,
    Entity,
    Fields,
    MemoryEntry,
    Modality,
    Polarity,
    Slot,
    Source,
    Turn,
    Validity,
    Verdict,
)
from yinji.review import FeedbackVerdict

if TYPE_CHECKING:
    from yinji.ports.models import Vector


@dataclass(frozen=True, kw_only=True, slots=True)
class Accepted:
    """A turn is durable. ``repeated``: the same key and words were there already."""

    turn: Turn
    repeated: bool
    pending: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class NewMemory:
    """A memory to insert with all that makes it findable; ``vector`` is ``None`` when embedding failed."""

    entry: MemoryEntry
    terms: tuple[str, ...]
    """Index terms of the content, in order, repeats included (``language.text.terms``)."""
    vector: Vector | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Retire:
    """An existing memory stops being current because of ``by``."""

    memory_id: str
    validity: Validity
    at: datetime
    by: str | None
    reason: str
    feedback: FeedbackVerdict | None = None
    """What the user said of it thereby: corrected, or to be forgotten."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Overtake:
    """An existing memory stays, but ``by`` probably says what holds now: it is the one to be shown."""

    memory_id: str
    by: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Reinforce:
    """An existing memory was said again."""

    memory_id: str
    source: Source
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Doubt:
    """Two memories, by id, about which the user is to be asked."""

    verdict: Verdict
    old: str
    new: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """All that reading one turn changes; the store applies it in one transaction or not at all."""

    turn: Turn
    at: datetime
    """When it is applied (the clock, not the turn's time)."""
    added: tuple[NewMemory, ...] = ()
    retired: tuple[Retire, ...] = ()
    overtaken: tuple[Overtake, ...] = ()
    reinforced: tuple[Reinforce, ...] = ()
    waiting: tuple[NewMemory, ...] = ()
    """Doubtful statements, hidden until the user has answered."""
    doubts: tuple[Doubt, ...] = ()
    drops: tuple[Drop, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Says:
    """What is read from a memory's own words; offsets point into its content."""

    subject: str
    slot: Slot | None
    polarity: Polarity
    modality: Modality
    fields: Fields
    entities: tuple[Entity, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """What a user may change of a memory; ``None`` leaves it."""

    content: str | None = None
    kind: str | None = None
    layer: str | None = None
    importance: float | None = None
    pinned: bool | None = None
    scenes: tuple[str, ...] | None = None
    language: str | None = None
    sensitivity: str | None = None
    terms: tuple[str, ...] | None = None
    """With ``content``: its index terms."""
    vector: Vector | None = None
    """With ``content``: its new vector; absent means to embed later."""
    says: Says | None = None
    """With ``content``: what the new words say; absent leaves what the old ones said."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Token:
    """What lets an app in through a server's door, without the secret itself."""

    name: str
    owner: str
    app: str | None = None
    may: frozenset[str]
    """Grants: groups of operations."""
    created_at: datetime
    until: datetime | None = None
    """From then on it opens nothing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Replay:
    """An answer that is given again to a request that comes again."""

    request: bytes
    """SHA-256 of what was asked."""
    status: int
    body: str
