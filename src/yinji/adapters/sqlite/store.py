"""The Store port on one SQLite file: each method is a transaction around a function of its subject."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Self

from yinji.adapters.sqlite import buffers, changes, examine, forget, health, owners, queue, replays, schema, search
from yinji.adapters.sqlite import documents as papers
from yinji.adapters.sqlite import memories as kept
from yinji.adapters.sqlite import questions as asked
from yinji.adapters.sqlite import tokens as doors
from yinji.adapters.sqlite import turns as taken
from yinji.adapters.sqlite.cache import Cache
from yinji.adapters.sqlite.changes import Pen
from yinji.adapters.sqlite.connection import File, Options
from yinji.adapters.sqlite.together import Intake
from yinji.adapters.sqlite.trouble import translated
from yinji.document import Document, DocumentWrite, Shelf
from yinji.errors import NotFound, StoreDamaged
from yinji.model import Choice, DropReason, Erasure, JournalEntry, MemoryEntry, Question, Scope, Stats, Turn
from yinji.ports import (
    NO_WEIGHTS,
    Accepted,
    Change,
    Examined,
    Lens,
    NewMemory,
    Outcome,
    Probe,
    Ranking,
    Reinforce,
    Replay,
    Scored,
    Token,
)
from yinji.review import Digest, Dropped, Feedback, FeedbackVerdict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from yinji.ports import Vector, Vectors


def open_store(
    path: str | os.PathLike[str],
    *,
    key: str | bytes | None = None,
    busy_s: float = 60,
    synchronous: str = "full",
    readonly: bool = False,
) -> SqliteStore:
    """The store in this file, which is made if it is not there and upgraded if it is old.

    ``key``: a passphrase, or the 32 bytes of the key itself; the file is encrypted with it.
    ``synchronous``: ``full`` keeps what was acknowledged through a power cut, ``normal`` only through a crash.
    Raises NotAStore, NewerStore, WrongKey, ReadOnlyStore, and leaves the file as it was.
    """
    options = Options(key=key, busy_s=busy_s, synchronous=synchronous, readonly=readonly)
    name = os.path.abspath(os.fspath(path))
    with translated(name, busy_s=busy_s):
        schema.prepare(name, options, schema.steps())
    return SqliteStore(File(name, options))


class SqliteStore:
    """See :class:`yinji.ports.Store`. Thread-safe; as many processes as like may open the same file."""

    def __init__(self, file: File) -> None:
        self.path = file.path
        self._file = file
        self._cache = Cache()
        self._intake = Intake(file)

    # turns in

    def accept(self, turns: Sequence[Turn]) -> list[Accepted]:
        return self._intake.accept(turns)

    def claim(self, *, holder: str, now: datetime, limit: int, lease_s: float) -> list[Turn]:
        with self._file.read() as db:
            if not taken.claimable(db, holder, now):
                return []
        with self._file.write() as db:
            return taken.claim(db, holder=holder, now=now, limit=limit, lease_s=lease_s)

    def commit(self, outcome: Outcome) -> bool:
        # A power cut may undo it; then the turn, which is durable, waits again and is read again.
        with self._file.write(durable=False) as db:
            return queue.commit(db, self.path, outcome)

    def fail(self, turn: Turn, *, error: str, now: datetime) -> None:
        with self._file.write() as db:
            taken.fail(db, turn, error)

    def release_lease(self, holder: str) -> None:
        with self._file.write() as db:
            taken.release_lease(db, holder)

    def pending(self, owner: str | None = None, ids: Sequence[str] | None = None) -> int:
        with self._file.read() as db:
            return taken.pending(db, owner, ids)

    def outcome_of(self, owner: str, turn_id: str) -> taken.Told | None:
        with self._file.read() as db:
            return taken.outcome_of(db, owner, turn_id)

    def turn(self, owner: str, turn_id: str) -> Turn | None:
        with self._file.read() as db:
            return taken.one(db, owner, turn_id)

    def recent_turns(self, owner: str, session: str, *, before_seq: int | None, limit: int) -> list[Turn]:
        with self._file.read() as db:
            return taken.recent(db, owner, session, before_seq, limit)

    def sweep_buffers(self, *, now: datetime, days: int = 7, keep: int = 10) -> int:
        with self._file.write() as db:
            return taken.sweep(db, now, days=days, keep=keep)

    def dropped(
        self, owner: str, *, reason: DropReason | None = None, number: int | None = None, limit: int | None = None
    ) -> list[Dropped]:
        with self._file.read() as db:
            return buffers.dropped(db, owner, reason=reason, number=number, limit=limit)

    def let_go(self, owner: str, number: int) -> bool:
        with self._file.write() as db:
            return buffers.let_go(db, owner, number)

    def digest(
        self, *, now: datetime, summarise: Callable[[Sequence[tuple[str, DropReason]]], str], days: int = 7
    ) -> int:
        with self._file.write() as db:
            return buffers.digest(db, now, summarise, days=days)

    def digests(self, owner: str) -> list[Digest]:
        with self._file.read() as db:
            return buffers.digests(db, owner)

    # what became of memories

    def add_feedback(
        self, owner: str, given: Sequence[tuple[str, FeedbackVerdict, int | None]], *, at: datetime
    ) -> None:
        with self._file.write() as db:
            buffers.add_feedback(db, owner, given, at=at)

    def feedback(self, owner: str) -> list[Feedback]:
        with self._file.read() as db:
            return buffers.feedback(db, owner)

    def count_call(self, owner: str, *, at: datetime, most: int) -> bool:
        with self._file.write() as db:
            return buffers.count_call(db, owner, at=at, most=most)

    # memories in and out

    def import_memories(self, memories: Sequence[NewMemory], *, at: datetime) -> int:
        with self._file.write() as db:
            return queue.import_memories(db, self.path, memories, at=at)

    def reinforce(self, owner: str, said: Sequence[Reinforce], *, at: datetime) -> int:
        with self._pen(owner, at=at, actor=queue.ACTOR) as pen:
            return sum(changes.reinforce(pen, one) for one in said) if pen is not None else 0

    def get(self, owner: str, ids: Sequence[str], *, hidden: bool = False) -> list[MemoryEntry]:
        with self._file.read() as db:
            return kept.get(db, owner, ids, hidden=hidden)

    def find(self, owner: str, tail: str, *, limit: int) -> list[str]:
        with self._file.read() as db:
            return kept.ending(db, owner, tail, limit)

    def revision(self, owner: str) -> tuple[int, int]:
        with self._file.read() as db:
            return owners.revision(db, owner)

    def mentioning(self, scope: Scope, names: Sequence[str], *, limit: int) -> list[str]:
        if not names:
            return []
        with self._file.read() as db:
            return search.mentioning(db, self._cache, scope, names, limit=limit)

    def within(self, scope: Scope, start: datetime, end: datetime, *, limit: int) -> list[str]:
        with self._file.read() as db:
            return search.within(db, self._cache, scope, start, end, limit=limit)

    def given(self, scope: Scope, scores: Mapping[str, float]) -> Ranking:
        if not scores:
            return Ranking(hits=())
        with self._file.read() as db:
            return search.given(db, self._cache, scope, scores)

    def mentioned(self, owner: str, ids: Sequence[str]) -> list[tuple[str, str]]:
        if not ids:
            return []
        with self._file.read() as db:
            return kept.mentioned(db, owner, ids)

    def successor(self, owner: str, memory_id: str) -> str | None:
        with self._file.read() as db:
            return kept.successor(db, owner, memory_id)

    def hard_facts(self, scope: Scope) -> list[MemoryEntry]:
        with self._file.read() as db:
            return kept.hard_facts(db, scope)

    def select(
        self, scope: Scope, *, limit: int | None, offset: int = 0, newest_first: bool = True
    ) -> list[MemoryEntry]:
        with self._file.read() as db:
            return kept.select(db, scope, limit=limit, offset=offset, newest_first=newest_first)

    def iterate(self, owner: str) -> Iterator[MemoryEntry]:
        after: tuple[int, int] | None = None
        damage: StoreDamaged | None = None
        while True:
            before = after
            try:
                with self._file.read() as db:
                    entries, after = kept.page(db, owner, after)
            except StoreDamaged as error:
                damage = error
                entries, after = self._rescued(owner, before)
            if after == before:
                break
            yield from entries
            if not entries and damage is None:
                break
        if damage is not None:
            raise damage

    def _rescued(self, owner: str, after: tuple[int, int] | None) -> tuple[list[MemoryEntry], tuple[int, int] | None]:
        """A page that cannot be read whole, memory by memory without those that are lost."""
        with self._file.read() as db:
            places = kept.places_after(db, owner, after)
        entries: list[MemoryEntry] = []
        for place in places:
            with suppress(StoreDamaged), self._file.read() as db:  # iterate raises it at its end
                entries += kept.at_places(db, owner, [place])
        return entries, places[-1] if places else after

    def by_slot(self, owner: str, subject: str, attribute: str) -> list[MemoryEntry]:
        with self._file.read() as db:
            return kept.by_slot(db, owner, subject, attribute)

    def by_content(self, owner: str, content_key: str) -> list[MemoryEntry]:
        with self._file.read() as db:
            return kept.by_content(db, owner, content_key)

    def owners(self) -> list[str]:
        with self._file.read() as db:
            return owners.everyone(db)

    # recall

    def words(
        self, scope: Scope, terms: Sequence[str], *, limit: int, weights: Mapping[str, float] = NO_WEIGHTS
    ) -> Ranking:
        with self._file.read() as db:
            return search.words(db, self._cache, scope, terms, limit=limit, weights=weights)

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
        probe = Probe(terms=(), weights=NO_WEIGHTS, language=language, vector=vector, model=model, lens=lens)
        with self._file.read() as db:
            return search.vectors(db, self._cache, scope, probe, limit=limit, also=also)

    def examine(self, scope: Scope, ids: Sequence[str], probe: Probe) -> Examined:
        with self._file.read() as db:
            return examine.examine(db, self._cache, scope, ids, probe)

    def terms(self, owner: str, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        with self._file.read() as db:
            return search.terms(db, self._cache, owner, ids)

    def sharing(self, owner: str, ids: Sequence[str], terms: Collection[str]) -> dict[str, frozenset[str]]:
        with self._file.read() as db:
            return search.sharing(db, self._cache, owner, ids, terms)

    def nearest(self, owner: str, vector: Vector, *, model: str, limit: int) -> list[Scored]:
        with self._file.read() as db:
            return search.nearest(db, self._cache, owner, vector, model=model, limit=limit)

    def vectors_of(self, owner: str, ids: Sequence[str], *, model: str) -> dict[str, Vector]:
        with self._file.read() as db:
            return kept.vectors_of(db, owner, ids, model)

    def touch(self, owner: str, ids: Sequence[str], *, at: datetime) -> int:
        with self._file.write() as db:
            number = owners.find(db, owner)
            return kept.touch(db, number, ids, at) if number is not None else 0

    # vectors that are missing

    def without_vector(self, model: str, *, limit: int) -> list[tuple[str, str, str]]:
        with self._file.read() as db:
            return kept.without_vector(db, model, limit)

    def put_vectors(self, rows: Sequence[tuple[str, str, Vector]], *, model: str) -> None:
        with self._file.write() as db:
            kept.put_vectors(db, self.path, rows, model=model)

    def model(self) -> tuple[str, int] | None:
        with self._file.read() as db:
            known = owners.model(db)
        return known[1:] if known else None

    def set_model(self, model: str, dim: int) -> None:
        with self._file.write() as db:
            owners.set_model(db, self.path, model, dim)

    # changing and forgetting

    def change(
        self, owner: str, memory_id: str, change: Change, *, at: datetime, actor: str, reason: str
    ) -> MemoryEntry:
        with self._pen(owner, at=at, actor=actor) as pen:
            if pen is None:
                raise NotFound(what="memory", name=memory_id)
            changes.change(pen, memory_id, change, reason=reason)
            return kept.get(pen.db, owner, [memory_id], hidden=False)[0]

    def hide(self, owner: str, ids: Sequence[str], *, at: datetime, actor: str, reason: str) -> int:
        with self._pen(owner, at=at, actor=actor) as pen:
            return changes.hide(pen, ids, reason=reason) if pen else 0

    def hidden_before(self, when: datetime) -> list[tuple[str, str]]:
        """(owner, memory id) of what was softly deleted before a time, for the job that erases it."""
        with self._file.read() as db:
            return changes.hidden_before(db, when)

    def erase(self, owner: str, ids: Sequence[str] | None, *, at: datetime, actor: str) -> Erasure:
        return forget.erase(self._file, owner, ids, at=at, actor=actor)

    def journal(self, owner: str, *, memory_id: str | None = None, limit: int | None = None) -> list[JournalEntry]:
        with self._file.read() as db:
            return changes.journal(db, owner, memory_id, limit)

    def undo(self, owner: str, entry_id: int, *, at: datetime, actor: str) -> JournalEntry:
        with self._pen(owner, at=at, actor=actor) as pen:
            if pen is None:
                raise NotFound(what="journal entry", name=entry_id)
            return changes.undo(pen, entry_id)

    def undo_with(self, owner: str, entry_id: int, *, at: datetime, actor: str) -> list[JournalEntry]:
        with self._pen(owner, at=at, actor=actor) as pen:
            if pen is None:
                raise NotFound(what="journal entry", name=entry_id)
            return asked.undo_with(pen, entry_id)

    # documents

    def write_documents(self, owner: str, collection: str, writes: Sequence[DocumentWrite], *, at: datetime) -> bool:
        with self._file.write() as db:
            return papers.write(db, self.path, owner, collection, writes, at=at)

    def documents(
        self,
        shelf: Shelf,
        *,
        limit: int | None = None,
        offset: int = 0,
        newest_first: bool = True,
        pending: bool = False,
    ) -> list[Document]:
        with self._file.read() as db:
            return papers.on_shelf(db, shelf, limit=limit, offset=offset, newest_first=newest_first, pending=pending)

    def documents_at(self, owner: str, stamps: Sequence[int]) -> list[Document]:
        with self._file.read() as db:
            return papers.at_stamps(db, owner, stamps)

    def iterate_documents(self, owner: str) -> Iterator[Document]:
        after = 0
        while True:
            with self._file.read() as db:
                found = papers.page(db, owner, after)
            if not found:
                return
            yield from found
            after = found[-1].stamp

    def document_namespaces(self, owner: str, collection: str) -> list[tuple[str, ...]]:
        with self._file.read() as db:
            return papers.namespaces(db, owner, collection)

    def document_vectors(self, shelf: Shelf, *, model: str) -> tuple[NDArray[np.int64], Vectors]:
        with self._file.read() as db:
            return papers.vectors(db, shelf, model)

    def put_document_vectors(self, owner: str, rows: Sequence[tuple[int, Vectors]], *, model: str) -> None:
        with self._file.write(durable=False) as db:  # they can be made again
            papers.put_vectors(db, self.path, owner, rows, name=model)

    def erase_documents(self, shelf: Shelf, *, at: datetime) -> Erasure:
        return forget.erase_documents(self._file, shelf, at=at)

    # what the user is to be asked

    def questions(self, owner: str, *, answered: bool | None = False) -> list[Question]:
        with self._file.read() as db:
            return asked.listed(db, owner, answered=answered)

    def settle(self, owner: str, question_id: int, choice: Choice, *, at: datetime, actor: str) -> Question:
        with self._pen(owner, at=at, actor=actor) as pen:
            if pen is None:
                raise NotFound(what="question", name=question_id)
            return asked.settle(pen, question_id, choice)

    @contextmanager
    def _pen(self, owner: str, *, at: datetime, actor: str) -> Iterator[Pen | None]:
        """A transaction that changes an owner's memories; None when the owner has none."""
        with self._file.write() as db:
            number = owners.find(db, owner)
            yield queue.pen(db, self.path, number, owner, at=at, actor=actor) if number is not None else None

    # who may come in

    def add_token(self, token: Token, digest: bytes) -> bool:
        with self._file.write() as db:
            return doors.add(db, token, digest)

    def token(self, digest: bytes, *, now: datetime) -> Token | None:
        with self._file.read() as db:
            return doors.with_digest(db, digest, now=now)

    def tokens(self) -> list[Token]:
        with self._file.read() as db:
            return doors.everyone(db)

    def ever_had_tokens(self) -> bool:
        with self._file.read() as db:
            return doors.ever_had_one(db)

    def revoke_token(self, name: str, *, at: datetime) -> bool:
        with self._file.write() as db:
            return doors.revoke(db, name, at=at)

    # what was answered

    def begin_replay(self, owner: str, key: bytes, *, since: datetime) -> tuple[Replay | None, int]:
        with self._file.read() as db:
            return replays.begin(db, owner, key, since=since)

    def keep_replay(
        self, owner: str, key: bytes, replay: Replay, *, begun: int, at: datetime, since: datetime, most: int
    ) -> None:
        with self._file.write(durable=False) as db:
            replays.keep(db, owner, key, replay, begun=begun, at=at, since=since, most=most)

    # the file itself

    def stats(self, owner: str) -> Stats:
        with self._file.read() as db:
            return health.stats(db, self.path, owner)

    def check(self) -> list[str]:
        if self._file.options.readonly:
            with self._file.read() as db:
                return health.check(db, self._cache, may_write=False)
        with self._file.alone() as db:
            return health.check(db, self._cache, may_write=True)

    def close(self) -> None:
        self._cache.forget()
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
