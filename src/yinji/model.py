"""The values that flow through Yinji: a turn in, memories kept, a query, a context out.

All are frozen and keyword-only. Times are aware; intervals are half-open; offsets count code points, end exclusive.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import overload


class Kind(StrEnum):
    """What sort of statement a memory is."""

    FACT = "fact"
    PREFERENCE = "preference"
    STATE = "state"
    EVENT = "event"
    RELATION = "relation"
    PROCEDURE = "procedure"


class Layer(StrEnum):
    """Which memory system it belongs to; ``core`` is set by the user and never fades."""

    WORKING = "working"
    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    CORE = "core"


class Tier(StrEnum):
    """Where a memory is looked for and what that costs."""

    HOT = "hot"
    WARM = "warm"
    COLD = "cold"


class State(StrEnum):
    """How alive a memory is (SPEC L2)."""

    ACTIVE = "active"
    REINFORCED = "reinforced"
    DECAYING = "decaying"
    ARCHIVED = "archived"


class Validity(StrEnum):
    """Whether it still holds."""

    CURRENT = "current"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    RETRACTED = "retracted"
    DISPUTED = "disputed"


HOLDS = frozenset({Validity.CURRENT, Validity.DISPUTED})
"""What may be so now: of two that contradict each other both are shown until the user says which is right."""


class Trust(StrEnum):
    """Who said so, from most to least trusted; see :data:`TRUST_ORDER`."""

    USER_EXPLICIT = "user_explicit"
    USER_IMPLIED = "user_implied"
    ASSISTANT = "assistant"
    TOOL = "tool"
    WEB = "web"
    IMPORT = "import"


TRUST_ORDER: Mapping[Trust, int] = {
    Trust.USER_EXPLICIT: 3,
    Trust.USER_IMPLIED: 2,
    Trust.ASSISTANT: 1,
    Trust.TOOL: 0,
    Trust.WEB: 0,
    Trust.IMPORT: 0,
}


class Visibility(StrEnum):
    PRIVATE = "private"
    TEAM = "team"
    PUBLIC = "public"


class Sensitivity(StrEnum):
    NORMAL = "normal"
    SENSITIVE = "sensitive"


class Role(StrEnum):
    """Which half of a turn, or what else, a text comes from."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    WEB = "web"
    IMPORT = "import"


class Polarity(StrEnum):
    POSITIVE = "positive"
    NEGATIVE = "negative"


class Modality(StrEnum):
    """How a statement is meant; only ``asserted`` and ``planned`` ones describe the world."""

    ASSERTED = "asserted"
    PLANNED = "planned"
    WISHED = "wished"
    HYPOTHETICAL = "hypothetical"
    ASKED = "asked"
    QUOTED = "quoted"


class DropReason(StrEnum):
    """Why the gate, or a later stage, did not keep a piece of a turn."""

    EMPTY = "empty"
    FILLER = "filler"
    GREETING = "greeting"
    ACKNOWLEDGEMENT = "acknowledgement"
    COMMAND = "command"
    QUESTION = "question"
    REPEATED = "repeated"
    TOO_SHORT = "too_short"
    NOT_ABOUT_USER = "not_about_user"
    HYPOTHETICAL = "hypothetical"
    UNCERTAIN = "uncertain"
    NOT_WORTH = "not_worth"
    SENSITIVE = "sensitive"
    INJECTION = "injection"
    ASSISTANT = "assistant"
    TOO_LONG = "too_long"
    DUPLICATE = "duplicate"


class Verdict(StrEnum):
    """What a new statement is to one that is already kept (SPEC W9)."""

    UNRELATED = "unrelated"
    COMPATIBLE = "compatible"
    DUPLICATE = "duplicate"
    UPDATE = "update"
    CONFLICT = "conflict"
    RETRACT = "retract"
    UNSURE = "unsure"


class LinkKind(StrEnum):
    SUPERSEDES = "supersedes"
    MERGED_FROM = "merged_from"
    BUILT_FROM = "built_from"
    RELATED = "related"
    CONTRADICTS = "contradicts"
    OVERTAKEN_BY = "overtaken_by"


class Grain(StrEnum):
    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    PART_OF_DAY = "part_of_day"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


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


@dataclass(frozen=True, kw_only=True, slots=True)
class JournalEntry:
    """One change, who or what made it, and whether it can be undone. Never holds content."""

    id: int
    owner: str
    at: datetime
    action: str
    """added, reinforced, superseded, edited, pinned, unpinned, hidden, restored, erased, imported, undone …"""
    memory_id: str | None
    actor: str
    reason: str = ""
    undone: bool = False
    undoable: bool = False
    app: str | None = None
    """The program that told what was read, where reading made the change; None where the user did it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Erasure:
    """A receipt: what was erased and what the byte scan afterwards looked for and found."""

    owner: str
    memories: int
    turns: int
    at: datetime
    files: tuple[str, ...]
    """The files that were scanned, by name."""
    probes: int
    """Byte strings looked for: whole texts, their three-character runs, vectors."""
    shared: int
    """Runs that were not looked for because something that was kept contains them."""
    found: int
    """Probes found; 0 proves the erasure."""
    documents: int = 0
    """Of those that programs keep here (``Memory.documents``)."""

    @property
    def proved(self) -> bool:
        return self.found == 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Stats:
    owner: str
    memories: int
    by_kind: Mapping[str, int]
    by_validity: Mapping[str, int]
    by_language: Mapping[str, int]
    turns: int
    pending: int
    failed: int
    without_vector: int
    hidden: int
    drops: Mapping[str, int]
    file_bytes: int
    model: str | None
    schema: int
    model_calls: int = 0
    """Turns that a language model was asked about."""
    documents: int = 0
    """Kept by programs under names of their own (``Memory.documents``); they are no memories."""
