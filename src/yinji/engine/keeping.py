"""The calls that show, change, delete and carry memories."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from yinji.arguments import choice, kinds_of, listed, message, nearest, share, whole
from yinji.engine.desk import USER, Desk
from yinji.engine.writing import Progress
from yinji.errors import InvalidInput, ModelUnavailable, NotFound, NothingToUndo
from yinji.language import memo, sensitive
from yinji.language import text as language
from yinji.model import (
    HOLDS,
    Choice,
    Erasure,
    JournalEntry,
    Kind,
    Layer,
    MemoryEntry,
    Question,
    Scope,
    Sensitivity,
    Stats,
    Validity,
)
from yinji.ownership import portability
from yinji.ownership.portability import Imported
from yinji.ports import Change
from yinji.recall.explain import asked
from yinji.remember.reread import reread
from yinji.review import FeedbackVerdict

if TYPE_CHECKING:
    pass

BY_UNDO = "#"
"""How the reason of a journal line starts that an undo made."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Forgotten:
    """What ``forget`` did: hidden ones can be brought back with ``undo``, erased ones cannot."""

    hidden: tuple[MemoryEntry, ...] = ()
    erasure: Erasure | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Undone(JournalEntry):
    """What ``undo`` did: the line of the newest change that it took back, and the memories that all of it was about as
    they are now, hidden ones too."""

    memories: tuple[MemoryEntry, ...] = ()


class Keeping(Desk):
    """Seeing, changing and deleting what is kept, and taking it along."""

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
        """Memories, newest first. ``validity=None`` shows what no longer holds too; ``current`` has disputed ones."""
        scope = Scope(
            owner=self._whose(owner),
            kinds=kinds_of(kinds),
            validity=None if validity is None else _held(choice(Validity, validity, "validity")),
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
        edited = self._change(id, owner, self._with_content(change, content), "edited")
        if content is not None:
            self._note([edited.id], FeedbackVerdict.CORRECTED, edited.owner, self._clock())
        return edited

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

    def undo(self, entry_id: int | None = None, *, owner: str | None = None) -> Undone:
        """Takes back one change; by default the last thing that the user did by a call (told, forgot, edited, pinned,
        answered, imported) with all that it changed. Again, the one before it.

        What reading changed of what an app told (:attr:`JournalEntry.app`: an agent, the proxy, an integration) was
        not asked for and is taken back only by its number. Raises NotFound, and InvalidInput, also where something
        was erased since: that is what may have been meant.
        """
        whose = self._whose(owner)
        if entry_id is None:
            number = self._last_done(whose).id
            lines = self._store.undo_with(whose, number, at=self._clock(), actor=USER)
        else:
            lines = [self._store.undo(whose, entry_id, at=self._clock(), actor=USER)]
        about = dict.fromkeys(one.memory_id for one in lines if one.memory_id)
        told = {part.name: getattr(lines[0], part.name) for part in fields(JournalEntry)}
        return Undone(**told, memories=tuple(self._store.get(whose, list(about), hidden=True)))

    def _last_done(self, whose: str) -> JournalEntry:
        """The newest change that the user made by a call. Raises NothingToUndo, InvalidInput."""
        done = self._store.journal(whose)
        open_ = [one for one in done if _can_be_undone(one)]
        if not open_:
            raise NothingToUndo
        newest = next((one for one in open_ if one.app is None), None)
        if newest is None:
            raise InvalidInput(
                what="undo without a number",
                problem="the newest change was made in reading what an app told",
                hint=f"If that is meant: undo {open_[0].id}; history shows what it was.",
            )
        if any(one.action == "erased" and one.id > newest.id for one in done):
            raise InvalidInput(
                what="undo without a number",
                problem="the newest change erased something for good",
                hint=f"The one before it can: undo {newest.id}; history shows what it was.",
            )
        if any(one.action == NOT_FORGOTTEN and one.app is None and one.id > newest.id for one in done):
            raise InvalidInput(
                what="undo without a number",
                problem="the newest request was to forget something, and nothing was forgotten",
                hint=f"The one before it can: undo {newest.id}; history shows what it was.",
            )
        return newest

    def forget(self, ids: str | Iterable[str], *, owner: str | None = None, hard: bool = False) -> Forgotten:
        """Hides memories at once, everywhere; ``undo`` brings them back for 30 days. ``hard=True`` erases them
        for good and proves it by a byte scan of every file of the store. Raises NotFound.
        """
        whose = self._whose(owner)
        found = [self._find(one, whose) for one in ([ids] if isinstance(ids, str) else ids)]
        if not found:
            raise InvalidInput(what="forget", problem="no memory was named", hint="Give one id or more.")
        if hard:
            erasure = self._store.erase(whose, found, at=self._clock(), actor=USER)
            self._let_go(whose)
            return Forgotten(erasure=erasure)
        hidden = self._store.get(whose, found)
        self._store.hide(whose, found, at=self._clock(), actor=USER, reason="asked")
        self._let_go(whose)
        self._note([one.id for one in hidden], FeedbackVerdict.DELETED, whose, self._clock())
        return Forgotten(hidden=tuple(hidden))

    def erase(self, owner: str) -> Erasure:
        """Erases everything of an owner for good, and proves it by a byte scan. Raises NotFound."""
        whose = self._whose(owner)
        known = self._store.owners()
        if whose not in known:
            raise NotFound(what="owner", name=whose, nearest=nearest(whose, known))
        erasure = self._store.erase(whose, None, at=self._clock(), actor=USER)
        self._let_go(whose)
        return erasure

    def _let_go(self, owner: str) -> None:
        """Empties what is held in memory of questions and answers: nothing forgotten may live on there."""
        self._embedding.forget_queries()
        self._answers.forget(owner)
        memo.forget()

    def export(
        self,
        target: str | Path | TextIO,
        *,
        owner: str | None = None,
        hidden: bool = False,
        progress: Progress | None = None,
    ) -> int:
        """Writes all memories of an owner, and the documents that programs keep for it, as JSON Lines, without loss;
        how many. A file appears whole or not at all. With ``hidden`` also what was forgotten and can still be brought
        back, and what waits for an answer."""
        whose = self._whose(owner)
        target = Path(target) if isinstance(target, str) else target
        if not isinstance(target, Path):
            return self._write(target, whose, hidden, progress)
        partial = target.with_name(target.name + ".partial")
        try:
            with partial.open("w", encoding="utf-8", newline="\n") as stream:
                count = self._write(stream, whose, hidden, progress)
            partial.replace(target)
        except OSError as error:
            raise InvalidInput(
                what=str(target), problem=error.strerror or str(error), hint="Name a file that can be written."
            ) from error
        finally:
            with suppress(OSError):  # Where nothing can be written, there is nothing to remove either.
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
        taken = take_in(
            Path(source) if isinstance(source, str) else source,
            owner=self._whose(owner),
            store=self._store,
            embedding=self._embedding,
            now=self._clock(),
            stable_id=self._stable_id,
            dry_run=dry_run,
            progress=progress,
            policy=self._sensitive,
            injection_point=self._settings.remember.injection_point,
            read=reread,
        )
        if taken.quarantined and not dry_run:
            self._reader.wake()
        return taken

    def questions(self, *, owner: str | None = None, answered: bool = False) -> builtins.list[Question]:
        """Pairs of memories of which the engine could not tell whether both hold, oldest first.

        Each is there until it is answered, or settles itself. ``answered=True`` shows those that were.
        """
        return [asked(one) for one in self._store.questions(self._whose(owner), answered=answered)]

    def answer(self, id: int, choice: str, *, owner: str | None = None) -> Question:
        """Settles a question: ``old`` or ``new`` holds, ``both`` or ``neither``.

        What was wrong is retracted, what was so before is superseded; ``undo`` takes it back. Raises NotFound,
        InvalidInput.
        """
        number, made = whole(id, "The question's number", least=1), _choice(choice)
        return asked(self._store.settle(self._whose(owner), number, made, at=self._clock(), actor=USER))

    def owners(self) -> builtins.list[str]:
        """Who has memories here."""
        return self._store.owners()

    def stats(self, *, owner: str | None = None) -> Stats:
        """How many memories of which sort, what waits, and how large the file is."""
        return self._store.stats(self._whose(owner))

    def check(self) -> builtins.list[str]:
        """What is wrong with the file; empty when nothing is."""
        return self._store.check()

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
        if sensitive.refused(masked, self._sensitive):
            problem = "nothing is left of it without what must never be kept"
            raise InvalidInput(what="The content", problem=problem, hint="To remove a memory: forget.")
        try:
            vector = self._embedding.embed([masked])[0] if self._embedding.available else None
        except ModelUnavailable:
            vector = None
        told = language.detect(masked)
        return replace(
            change,
            content=masked,
            language=told,
            sensitivity=Sensitivity.SENSITIVE.value if sensitive.is_delicate(masked, self._sensitive) else None,
            terms=language.terms(masked),
            vector=vector,
            says=reread(masked, told, at=self._clock()),
        )

    def _write(self, stream: TextIO, owner: str, hidden: bool, progress: Progress | None) -> int:
        count = 0
        memories = (one for one in self._store.iterate(owner) if hidden or one.hidden_at is None)
        documents = self._store.iterate_documents(owner)
        for count in portability.write_lines(memories, documents, stream.write):
            if progress is not None:
                progress(count, None)
        return count


NOT_FORGOTTEN = "not_forgotten"
"""Journal action of a request to forget that found nothing."""


def _choice(text: str) -> Choice:
    return choice(Choice, text, "choice")


def _held(validity: Validity) -> frozenset[Validity]:
    return HOLDS if validity is Validity.CURRENT else frozenset({validity})


def _can_be_undone(entry: JournalEntry) -> bool:
    return entry.undoable and not entry.undone and not entry.reason.startswith(BY_UNDO)
