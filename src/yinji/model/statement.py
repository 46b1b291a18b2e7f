"""What is said, and what is kept of it: turns, the parts of a statement, memories."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from yinji.model.words import (
    Grain,
    Kind,
    Layer,
    LinkKind,
    Modality,
    Polarity,
    Role,
    Sensitivity,
    State,
    Tier,
    Trust,
    Validity,
    Visibility,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Interval:
    """A stretch of time, half-open; ``None`` at an end means unbounded there."""

    start: datetime | None
    end: datetime | None
    grain: Grain = Grain.DAY
    recurrence: str | None = None
    """An iCalendar RRULE (RFC 5545, without the ``RRULE:`` prefix) when it repeats."""
    text: str = ""
    """The words it was read from."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Mention:
    """A stretch of the source text; offsets count characters of the cleaned turn text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Entity:
    """Something named in a memory: ``type`` is person, place, organisation, product, code,
    amount, device, project, date or other."""

    name: str
    type: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Fields:
    """Who did what, where, when: each a list of mentions in the source text (SPEC W5)."""

    time: tuple[Mention, ...] = ()
    place: tuple[Mention, ...] = ()
    people: tuple[Mention, ...] = ()
    event: tuple[Mention, ...] = ()
    object: tuple[Mention, ...] = ()
    action: tuple[Mention, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Slot:
    """What a statement is about: ``attribute`` of ``subject`` is ``value``.

    Two current statements with the same subject and a single-valued attribute cannot both hold.
    """

    subject: str
    attribute: str
    value: str = ""
    single: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """One user message and, when there is one, the assistant's answer.

    A caller gives ``user`` and what else it knows; the engine fills in the rest when it takes the turn.
    """

    user: str
    assistant: str | None = None
    at: datetime
    """When it was said; its tzinfo is the speaker's zone."""
    session: str = "default"
    seq: int = -1
    """Its number within the session; negative: the next one."""
    key: str = ""
    """Idempotency key, unique within the owner: the same key is the same turn. Empty: ``session#seq``."""
    owner: str = ""
    id: str = ""
    role: Role = Role.USER
    """Where the ``user`` text comes from; tool, web and import text is never trusted as the user."""
    app: str | None = None
    language: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """Where a memory was taken from."""

    turn_id: str
    session: str
    seq: int
    role: Role
    start: int
    end: int
    quote: str
    """The exact words, ``turn text[start:end]``."""
    at: datetime
    app: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Link:
    kind: LinkKind
    target: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Misstated:
    """A sentence said before of which something was wrong."""

    said: str
    wrong: str
    """Its words that do not hold."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """A statement that extraction proposes: everything but identity and history."""

    content: str
    kind: Kind
    layer: Layer
    language: str
    """ISO 639-1: ``zh`` or ``en``."""
    importance: float
    confidence: float
    source: Source
    subject: str = "user"
    slot: Slot | None = None
    polarity: Polarity = Polarity.POSITIVE
    modality: Modality = Modality.ASSERTED
    fields: Fields = Fields()
    entities: tuple[Entity, ...] = ()
    valid: Interval | None = None
    scenes: tuple[str, ...] = ()
    sensitivity: Sensitivity = Sensitivity.NORMAL
    trust: Trust = Trust.USER_EXPLICIT
    replaces: bool = False
    """Said as a correction or a change ("actually …", "no longer …", "不对，是…")."""
    instead: Misstated | None = None
    """What it sets right, where it is told again in full for that."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MemoryEntry:
    """One self-contained statement that is kept (SPEC K2)."""

    id: str
    owner: str
    content: str
    kind: Kind
    layer: Layer
    language: str
    importance: float
    confidence: float
    created_at: datetime
    updated_at: datetime
    recorded_at: datetime
    """When it was learned; with ``retired_at`` it answers ``as_of=``."""
    retired_at: datetime | None = None
    accessed_at: datetime | None = None
    recalls: int = 0
    recalls_90d: int = 0
    valid: Interval | None = None
    """When it is true in the world; it answers ``during=``."""
    validity: Validity = Validity.CURRENT
    state: State = State.ACTIVE
    tier: Tier = Tier.HOT
    pinned: bool = False
    hidden_at: datetime | None = None
    """Set by a soft delete, which can be undone (SPEC O8)."""
    subject: str = "user"
    slot: Slot | None = None
    polarity: Polarity = Polarity.POSITIVE
    modality: Modality = Modality.ASSERTED
    fields: Fields = Fields()
    entities: tuple[Entity, ...] = ()
    scenes: tuple[str, ...] = ()
    visibility: Visibility = Visibility.PRIVATE
    sensitivity: Sensitivity = Sensitivity.NORMAL
    trust: Trust = Trust.USER_EXPLICIT
    sources: tuple[Source, ...] = ()
    links: tuple[Link, ...] = ()
    model: str | None = None
    """Id of the embedding model its vector is from; ``None`` while it has no vector."""

    def __str__(self) -> str:
        return self.content
