"""The facade: what a user of Yinji calls. It checks arguments, names the owner, and leaves the work to the stages."""

from __future__ import annotations

import builtins
import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

from yinji.arguments import aware, choice, kinds_of, listed, message, name, nearest, said, share, stretch, text, whole
from yinji.config import Settings
from yinji.embedding import EmbedderState, Embedding
from yinji.errors import InvalidInput, MissingOwner, ModelUnavailable, NotFound, NothingToUndo, StoreError
from yinji.language import sensitive
from yinji.language import text as language
from yinji.model import (
    Context,
    Erasure,
    Interval,
    JournalEntry,
    Kind,
    Layer,
    MemoryEntry,
    Recall,
    Remembered,
    Role,
    Scope,
    Stats,
    Turn,
    Validity,
)
from yinji.ownership import portability
from yinji.ownership.portability import Imported
from yinji.ownership.tokens import Tokens
from yinji.ports import Accepted, Change, Clock, Store
from yinji.recall import budget as contexts
from yinji.recall.analyse import analyse
from yinji.recall.pipeline import STAGES, Finding
from yinji.remember.reader import Reader
from yinji.remember.receive import Reception

if TYPE_CHECKING:
    from yinji.ports import Vector

SHORTEST_TAIL = 6
IMPORT_BATCH = 256
USER = "user"
BY_UNDO = "#"
"""How the reason of a journal line starts that an undo made."""
WAS_TRUE = (Validity.CURRENT, Validity.SUPERSEDED, Validity.EXPIRED)
"""What a question about a stretch of time may be answered with."""

Progress = Callable[[int, int | None], None]
"""Called with how much is done and how much there is, when that is known."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Forgotten:
    """What ``forget`` did: hidden ones can be brought back with ``undo``, erased ones cannot."""

    hidden: tuple[MemoryEntry, ...] = ()
    erasure: Erasure | None = None


class Memory:
    """A long-term memory in one file. Thread-safe; several processes may open the same file.

    Open it with ``Memory.open``, as a context manager. Leaving the block waits until every accepted turn is read,
    unless an exception leaves it: the turns are durable, and the next to open the file reads them.
    """

    def __init__(
        self,
        *,
        store: Store,
        embedding: Embedding,
        settings: Settings,
        owner: str,
        clock: Clock,
        new_id: Callable[[], str],
        stable_id: Callable[[str, datetime | None], str],
        holder: str,
        new_secret: Callable[[], str],
        readonly: bool = False,
        reads: bool = True,
    ) -> None:
        self._store = store
        self._readonly = readonly
        self._embedding = embedding
        self._settings = settings
        self._owner = owner
        self._clock = clock
        self._new_id = new_id
        self._stable_id = stable_id
        self._sensitive = sensitive.policy(settings.remember.sensitive_policy)
        self._reader = Reader(
            store, embedding, settings=settings, clock=clock, new_id=new_id, holder=holder, reads=reads
        )
        self.tokens = Tokens(store, clock=clock, new_secret=new_secret)
        self._closed = False
        self._match_model()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(flush=kind is None)

    def close(self, *, flush: bool = True) -> None:
        """Gives everything back; with ``flush``, first waits until all accepted turns are read. Twice is once."""
        if self._closed:
            return
        self._closed = True
        try:
            if flush:
                self.flush()
        finally:
            self._reader.close()
            self._embedding.close()
            self._store.close()

    def __repr__(self) -> str:
        return f"Memory({self.path!r}, owner={self._owner!r})"

    @property
    def path(self) -> str:
        return self._store.path

    @property
    def embedder(self) -> EmbedderState:
        """What turns text into vectors here, and why, if it is not the first choice."""
        return self._embedding.state

    def warm_up(self, *, wait: bool = True) -> None:
        """Loads the model and dictionaries now, so that no later call waits for them.

        ``wait=False`` does it in the background: right after opening, in a service. Raises ModelUnavailable when
        it waits; otherwise ``embedder`` shows what went wrong, and words alone answer.
        """
        if not wait:
            threading.Thread(target=self._warm, name="yinji-warm-up", daemon=True).start()
            return
        language.preload()
        self._embedding.warm_up()

    def _warm(self) -> None:
        language.preload()
        with contextlib.suppress(ModelUnavailable):  # The embedding keeps the reason, and its state shows it.
            self._embedding.warm_up()

    # ------------------------------------------------------------ remember

    def remember(
        self,
        user_msg: str,
        assistant_msg: str | None = None,
        *,
        owner: str | None = None,
        session: str = "default",
        seq: int | None = None,
        key: str | None = None,
        at: datetime | None = None,
        role: str = "user",
        app: str | None = None,
        wait: bool = False,
    ) -> Remembered:
        """Takes one turn. It is durable when this returns; what is worth keeping is read from it in the background.

        ``seq`` numbers turns within ``session`` and ``key`` is the caller's own idempotency key: the same turn
        again changes nothing, the same key with other words raises KeyReused. ``at`` is when it was said, in the
        speaker's zone. ``wait=True`` returns what became of it. Raises InvalidInput, StoreError.
        """
        turn = Turn(
            user=user_msg,
            assistant=assistant_msg,
            at=at if at is not None else self._clock(),
            session=session,
            seq=-1 if seq is None else seq,
            key=key or "",
            role=choice(Role, role, "role"),
            app=app,
        )
        return self.remember_many([turn], owner=owner, wait=wait)[0]

    def remember_many(
        self,
        turns: Iterable[Turn | Mapping[str, object]],
        *,
        owner: str | None = None,
        wait: bool = True,
        progress: Progress | None = None,
    ) -> builtins.list[Remembered]:
        """Takes a conversation, in order; a turn may be a dict of its parts. Each batch is durable as a whole or not
        taken; a later call with the same turns goes on where this one stopped: repeated turns change nothing.
        """
        whose = self._whose(owner)
        now = self._clock()
        ready = self._reception(whose, now).receive([said(turn, now) for turn in turns])
        accepted: builtins.list[tuple[Accepted, tuple[str, ...]]] = []
        for start in range(0, len(ready), IMPORT_BATCH):
            batch = ready[start : start + IMPORT_BATCH]
            taken = self._store.accept([turn for turn, _ in batch])
            accepted += [(one, warnings) for one, (_, warnings) in zip(taken, batch, strict=True)]
            if any(one.pending for one in taken):
                self._reader.wake()
        unread = self._await([one.turn for one, _ in accepted if one.pending], whose, progress) if wait else ()
        return [
            self._became(one.turn, repeated=one.repeated, warnings=(*warnings, *unread)) for one, warnings in accepted
        ]

    def flush(self, timeout: float | None = None) -> int:
        """Waits until every accepted turn is read, or ``timeout`` seconds; how many still wait.

        Opened for reading only, it waits for nothing.
        """
        if self._store.pending() and not self._readonly:
            self._reader.wake()
            self._reader.wait(lambda: not self._store.pending(), timeout)
        return self._store.pending()

    def outcome(self, turn_id: str, *, owner: str | None = None) -> Remembered:
        """What became of a turn that was accepted earlier; ``pending`` while it waits. Raises NotFound."""
        turn = self._store.turn(self._whose(owner), turn_id)
        if turn is None:
            raise NotFound(what="turn", name=turn_id, nearest="")
        return self._became(turn, repeated=False, warnings=())

    # -------------------------------------------------------------- recall

    def recall(
        self,
        query: str,
        top_k: int | None = None,
        *,
        owner: str | None = None,
        now: datetime | None = None,
        as_of: datetime | None = None,
        during: Interval | None = None,
        kinds: Iterable[str] | None = None,
        scenes: Iterable[str] | None = None,
        past: bool = False,
        language: str | None = None,
    ) -> Recall:
        """The memories that answer a question, best first, each with its reasons; empty when none does.

        ``as_of`` answers as was known then, ``during`` with what was true then, ``past=True`` also with what no
        longer holds. ``language`` is that of the reasons; by default the question's. Changes nothing.
        Raises InvalidInput.
        """
        started = time.perf_counter()
        now = aware(now, "now") or self._clock()
        k = self._settings.recall.top_k if top_k is None else whole(top_k, "top_k", least=1)
        scope = Scope(
            owner=self._whose(owner),
            kinds=kinds_of(kinds),
            scenes=None if scenes is None else frozenset(listed(scenes, "scenes") or ()),
            as_of=aware(as_of, "as_of"),
            during=stretch(during, "during"),
            validity=frozenset(WAS_TRUE if during is not None else {Validity.CURRENT}),
        )
        asked = analyse(text(query, "The question"), scope=scope, now=now, past=past, language=language)
        vector, warnings = self._vector(asked.text)
        embedded = time.perf_counter()
        finding = Finding(
            query=asked,
            top_k=k,
            store=self._store,
            settings=self._settings,
            card=self._embedding.card,
            vector=vector,
            rankings={},
        )
        stages = {"embed": (embedded - started) * 1000}
        for stage in STAGES:
            before = time.perf_counter()
            finding = stage(finding)
            stages[stage.__name__] = (time.perf_counter() - before) * 1000
        return Recall(
            query=asked.text,
            hits=finding.hits,
            warnings=warnings,
            pending=self._store.pending(scope.owner),
            stages_ms=stages,
        )

    def context(
        self,
        query: str,
        budget: int | None = None,
        *,
        owner: str | None = None,
        format: str | None = None,
        top_k: int | None = None,
        now: datetime | None = None,
        as_of: datetime | None = None,
        count_tokens: Callable[[str], int] | None = None,
        language: str | None = None,
        used: bool = True,
    ) -> Context:
        """Text for a prompt: hard facts first, then what the question recalls, within ``budget`` tokens.

        Tokens are counted by ``count_tokens``, or by the stated estimate. What is shown counts as used (it grows
        stronger) unless ``used=False``. ``hits`` are the recalled ones alone. Raises InvalidInput.
        """
        limits = self._settings.context
        allowed = limits.budget if budget is None else whole(budget, "The budget", least=1)
        form = format or limits.format
        if form not in contexts.FORMS:
            raise InvalidInput(
                what="The format", problem=f"there is no {form!r}", hint=f"Use one of: {', '.join(contexts.FORMS)}."
            )
        moment = aware(now, "now") or self._clock()
        found = self.recall(query, top_k or limits.most, owner=owner, now=moment, as_of=as_of, language=language)
        stable = contexts.stable_memories(self._hard_facts(self._whose(owner), as_of), limits.stable)
        context = contexts.pack(
            found.hits,
            stable,
            most=limits.most,
            budget=allowed,
            form=form,
            count=count_tokens or contexts.estimate_tokens,
            warnings=found.warnings,
        )
        if used and context.hits and self._readonly:
            return replace(context, warnings=(*context.warnings, "not_counted:"))
        if used and context.hits:
            self.used([hit.memory.id for hit in context.hits], owner=owner, at=moment)
        return context

    def used(self, ids: Iterable[str], *, owner: str | None = None, at: datetime | None = None) -> int:
        """Counts that these memories were really used in an answer; how many were known."""
        whose = self._whose(owner)
        known = [self._find(one, whose) for one in ids]
        return self._store.touch(whose, known, at=aware(at, "at") or self._clock())

    # ----------------------------------------------------------- see, change

    def get(self, id: str, *, owner: str | None = None) -> MemoryEntry:
        """One memory, hidden or not. The last six characters of an id, or more, are enough. Raises NotFound."""
        whose = self._whose(owner)
        return self._store.get(whose, [self._find(id, whose)], hidden=True)[0]

    def list(
        self,
        *,
        owner: str | None = None,
        kinds: Iterable[str] | None = None,
        validity: str | None = "current",
        limit: int | None = 50,
        offset: int = 0,
        hidden: bool = False,
    ) -> builtins.list[MemoryEntry]:
        """Memories, newest first. ``validity=None`` shows what no longer holds too."""
        scope = Scope(
            owner=self._whose(owner),
            kinds=kinds_of(kinds),
            validity=None if validity is None else frozenset({choice(Validity, validity, "validity")}),
            hidden=hidden,
        )
        most = None if limit is None else whole(limit, "limit", least=0)
        return self._store.select(scope, limit=most, offset=whole(offset, "offset", least=0))

    def edit(
        self,
        id: str,
        *,
        owner: str | None = None,
        content: str | None = None,
        kind: str | None = None,
        importance: float | None = None,
        layer: str | None = None,
        scenes: Iterable[str] | None = None,
    ) -> MemoryEntry:
        """Changes a memory; ``undo`` takes it back. Raises NotFound, InvalidInput."""
        change = Change(
            kind=None if kind is None else choice(Kind, kind, "kind").value,
            layer=None if layer is None else choice(Layer, layer, "layer").value,
            importance=None if importance is None else share(importance, "importance"),
            scenes=listed(scenes, "scenes"),
        )
        return self._change(id, owner, self._with_content(change, content), "edited")

    def pin(self, id: str, pinned: bool = True, *, owner: str | None = None) -> MemoryEntry:
        """A pinned memory never fades, and is in every context. Raises NotFound."""
        return self._change(id, owner, Change(pinned=pinned), "pinned" if pinned else "unpinned")

    def history(
        self, id: str | None = None, *, owner: str | None = None, limit: int | None = None
    ) -> builtins.list[JournalEntry]:
        """What was changed, by whom and why, newest first; of one memory, or of all."""
        whose = self._whose(owner)
        most = None if limit is None else whole(limit, "limit", least=0)
        return self._store.journal(whose, memory_id=None if id is None else self._find(id, whose), limit=most)

    def undo(self, entry_id: int | None = None, *, owner: str | None = None) -> JournalEntry:
        """Takes back one change, by default the newest that can be; again, the one before it.

        Raises NotFound, InvalidInput.
        """
        whose = self._whose(owner)
        if entry_id is None:
            newest = next((one for one in self._store.journal(whose) if _can_be_undone(one)), None)
            if newest is None:
                raise NothingToUndo
            entry_id = newest.id
        return self._store.undo(whose, entry_id, at=self._clock(), actor=USER)

    # -------------------------------------------------------------- forget

    def forget(self, ids: str | Iterable[str], *, owner: str | None = None, hard: bool = False) -> Forgotten:
        """Hides memories at once, everywhere; ``undo`` brings them back for 30 days. ``hard=True`` erases them
        for good and proves it by a byte scan of every file of the store. Raises NotFound.
        """
        whose = self._whose(owner)
        found = [self._find(one, whose) for one in ([ids] if isinstance(ids, str) else ids)]
        if not found:
            raise InvalidInput(what="forget", problem="no memory was named", hint="Give one id or more.")
        self._embedding.forget_queries()
        if hard:
            return Forgotten(erasure=self._store.erase(whose, found, at=self._clock(), actor=USER))
        hidden = self._store.get(whose, found)
        self._store.hide(whose, found, at=self._clock(), actor=USER, reason="asked")
        return Forgotten(hidden=tuple(hidden))

    def erase(self, owner: str) -> Erasure:
        """Erases everything of an owner for good, and proves it by a byte scan. Raises NotFound."""
        whose = self._whose(owner)
        known = self._store.owners()
        if whose not in known:
            raise NotFound(what="owner", name=whose, nearest=nearest(whose, known))
        self._embedding.forget_queries()
        return self._store.erase(whose, None, at=self._clock(), actor=USER)

    # ------------------------------------------------------ take along, look

    def export(self, target: str | Path | TextIO, *, owner: str | None = None, progress: Progress | None = None) -> int:
        """Writes all memories of an owner as JSON Lines, without loss; how many. A file appears whole or not at all."""
        whose = self._whose(owner)
        target = Path(target) if isinstance(target, str) else target
        if not isinstance(target, Path):
            return self._write(target, whose, progress)
        partial = target.with_name(target.name + ".partial")
        try:
            with partial.open("w", encoding="utf-8", newline="\n") as stream:
                count = self._write(stream, whose, progress)
            partial.replace(target)
        except OSError as error:
            raise InvalidInput(
                what=str(target), problem=error.strerror or str(error), hint="Name a file that can be written."
            ) from error
        finally:
            partial.unlink(missing_ok=True)
        return count

    def import_(
        self,
        source: str | Path | Iterable[Mapping[str, object]],
        *,
        owner: str | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Imported:
        """Takes memories in: exported ones as they were, minimal records (``content`` and little else) as they stand.

        What is there already changes nothing; a bad record is named and passed over. A minimal record's ``id``
        comes back as ``memory.sources[0].turn_id``. A str names a file. Raises ImportFailed when it cannot be read.
        """
        from yinji.ownership.intake import take_in

        if isinstance(source, Mapping) or not isinstance(source, str | Path | Iterable):
            told = f"it is {type(source).__name__}, not records"
            raise InvalidInput(what="The source", problem=told, hint="Give a file, or a list of records.")
        return take_in(
            Path(source) if isinstance(source, str) else source,
            owner=self._whose(owner),
            store=self._store,
            embedding=self._embedding,
            now=self._clock(),
            stable_id=self._stable_id,
            dry_run=dry_run,
            progress=progress,
            policy=self._sensitive,
        )

    def owners(self) -> builtins.list[str]:
        """Who has memories here."""
        return self._store.owners()

    def stats(self, *, owner: str | None = None) -> Stats:
        """How many memories of which sort, what waits, and how large the file is."""
        return self._store.stats(self._whose(owner))

    def check(self) -> builtins.list[str]:
        """What is wrong with the file; empty when nothing is."""
        return self._store.check()

    # ------------------------------------------------------------- inwards

    def _whose(self, owner: str | None) -> str:
        whose = self._owner if owner is None else owner
        if not isinstance(whose, str) or not whose.strip():
            raise MissingOwner()
        return name(whose, "The owner")

    def _reception(self, owner: str, now: datetime) -> Reception:
        return Reception(
            owner=owner,
            store=self._store,
            policy=self._sensitive,
            turns_kept=self._settings.store.turns_kept,
            now=now,
            new_id=self._new_id,
        )

    def _await(self, turns: Sequence[Turn], owner: str, progress: Progress | None) -> tuple[str, ...]:
        """Waits until these are read. They are safe whatever stops the reading, so that is a warning."""
        ids = [turn.id for turn in turns]

        def done() -> bool:
            waiting = self._store.pending(owner, ids)
            if progress is not None:
                progress(len(ids) - waiting, len(ids))
            return not waiting

        if not ids:
            return ()
        try:
            self._reader.wait(done, None)
        except StoreError as error:
            return (f"not_read:{error}",)
        return ()

    def _became(self, turn: Turn, *, repeated: bool, warnings: tuple[str, ...]) -> Remembered:
        outcome = self._store.outcome_of(turn.owner, turn.id)
        if outcome is None:
            return Remembered(
                turn_id=turn.id, session=turn.session, seq=turn.seq, pending=True, repeated=repeated, warnings=warnings
            )
        added, reinforced, superseded, drops, noted = outcome
        return Remembered(
            turn_id=turn.id,
            session=turn.session,
            seq=turn.seq,
            pending=False,
            repeated=repeated,
            added=tuple(self._store.get(turn.owner, added)),
            reinforced=tuple(self._store.get(turn.owner, reinforced)),
            superseded=tuple(self._store.get(turn.owner, superseded)),
            drops=drops,
            warnings=(*warnings, *noted),
        )

    def _vector(self, text: str) -> tuple[Vector | None, tuple[str, ...]]:
        if not self._embedding.available:
            return None, tuple(f"words_only:{note}" for note in self._embedding.state.notes)
        try:
            return self._embedding.query(text), ()
        except ModelUnavailable as error:
            return None, (f"words_only:{error}",)

    def _hard_facts(self, owner: str, as_of: datetime | None) -> builtins.list[MemoryEntry]:
        return self._store.hard_facts(Scope(owner=owner, as_of=as_of))

    def _find(self, id: str, owner: str) -> str:
        """The whole id for a whole id or its last characters. Raises NotFound, InvalidInput when it is not one."""
        tail = id.strip().lower() if isinstance(id, str) else ""
        if len(tail) < SHORTEST_TAIL:
            raise InvalidInput(
                what=f"The id {id!r}",
                problem="it is too short",
                hint=f"Give its last {SHORTEST_TAIL} characters, or all.",
            )
        found = self._store.find(owner, tail, limit=2)
        if not found:
            raise NotFound(what="memory", name=id, nearest="")
        if len(found) > 1:
            raise InvalidInput(what=f"The id {id!r}", problem="several memories end so", hint="Give more of it.")
        return found[0]

    def _change(self, id: str, owner: str | None, change: Change, action: str) -> MemoryEntry:
        whose = self._whose(owner)
        return self._store.change(whose, self._find(id, whose), change, at=self._clock(), actor=USER, reason=action)

    def _with_content(self, change: Change, content: str | None) -> Change:
        if content is None:
            return change
        text, _ = message(content, "The content")
        if not text.strip():
            raise InvalidInput(what="The content", problem="it is empty", hint="To remove a memory: forget.")
        masked = sensitive.mask(text.strip(), self._sensitive).text
        try:
            vector = self._embedding.embed([masked])[0] if self._embedding.available else None
        except ModelUnavailable:
            vector = None
        return replace(
            change, content=masked, language=language.detect(masked), terms=language.terms(masked), vector=vector
        )

    def _write(self, stream: TextIO, owner: str, progress: Progress | None) -> int:
        count = 0
        for count in portability.write_lines(self._store.iterate(owner), stream.write):
            if progress is not None:
                progress(count, None)
        return count

    def _match_model(self) -> None:
        """Vectors of two models are never mixed: a store of another model answers by words (SPEC K6)."""
        card = self._embedding.card
        if card is None:
            return
        kept = self._store.model()
        if kept is not None and kept != (card.id, card.dim):
            self._embedding.give_up(f"the store's vectors are of {kept[0]}, not of {card.id}")


def _can_be_undone(entry: JournalEntry) -> bool:
    return entry.undoable and not entry.undone and not entry.reason.startswith(BY_UNDO)
