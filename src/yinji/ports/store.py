"""Where everything is kept."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from yinji.document import DocumentStore
from yinji.model import (
    Choice,
    Drop,
    DropReason,
    Erasure,
    JournalEntry,
    MemoryEntry,
    Question,
    Scope,
    Stats,
    Turn,
)
from yinji.ports.changes import Accepted, Change, NewMemory, Outcome, Reinforce, Replay, Token
from yinji.ports.findings import NO_WEIGHTS, Examined, Lens, Probe, Ranking, Scored
from yinji.review import Digest, Dropped, Feedback, FeedbackVerdict

if TYPE_CHECKING:
    from yinji.ports.models import Vector


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
        """Pinned and core memories, anyone's allergies, and the user's own (subject ``user``) preferences, procedures
        and single-valued slots: at most 200, the most important first."""
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
