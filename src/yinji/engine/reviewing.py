"""The calls about what was not kept, what is held back, and what became of what was shown."""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from yinji.arguments import aware, choice, whole
from yinji.engine.desk import Desk
from yinji.errors import InvalidInput, ModelUnavailable, NotFound
from yinji.language.text import terms
from yinji.model import DropReason, MemoryEntry
from yinji.ports import NewMemory
from yinji.remember.release import as_memory
from yinji.review import Digest, Dropped, Feedback, FeedbackVerdict

TOLD = frozenset({FeedbackVerdict.USED, FeedbackVerdict.IRRELEVANT})
"""Verdicts that a caller gives; the others record themselves."""


class Reviewing(Desk):
    """Looking through what the gate dropped, deciding about the quarantine, and telling what was of use."""

    def dropped(
        self, reason: str | None = None, *, owner: str | None = None, limit: int | None = 50
    ) -> builtins.list[Dropped]:
        """What was not kept in the last days, newest first, each piece with its reason; of one reason, or of all."""
        wanted = None if reason is None else choice(DropReason, reason, "reason")
        most = None if limit is None else whole(limit, "limit", least=0)
        return self._store.dropped(self._whose(owner), reason=wanted, limit=most)

    def digests(self, *, owner: str | None = None) -> builtins.list[Digest]:
        """What was not kept, summed up by day, newest first; the day that is going on has none yet."""
        return self._store.digests(self._whose(owner))

    def quarantine(self, *, owner: str | None = None, limit: int | None = 50) -> builtins.list[Dropped]:
        """Text that was held because it gives orders to an agent: in no recall and no context until released."""
        return self.dropped(DropReason.INJECTION, owner=owner, limit=limit)

    def held(self, number: int, *, owner: str | None = None) -> Dropped:
        """One text of the quarantine. Raises NotFound."""
        return self._held(number, self._whose(owner))

    def release(self, number: int, *, owner: str | None = None) -> MemoryEntry:
        """Takes text out of the quarantine and keeps it as a memory in its own words, no more trusted than where it
        came from. Raises NotFound.
        """
        whose = self._whose(owner)
        held = self._held(number, whose)
        entry = as_memory(held, owner=whose, id=self._new_id(), now=self._clock())
        self._store.import_memories([self._findable(entry)], at=self._clock())
        self._store.let_go(whose, number)
        return entry

    def discard(self, number: int, *, owner: str | None = None) -> Dropped:
        """Deletes text that was not kept, from the quarantine or not. Raises NotFound."""
        whose = self._whose(owner)
        found = next(iter(self._store.dropped(whose, number=whole(number, "number", least=1), limit=1)), None)
        if found is None:
            raise NotFound(what="piece", name=number, nearest="")
        self._store.let_go(whose, number)
        return found

    def feedback(
        self,
        ids: str | Iterable[str] | None = None,
        verdict: str = "used",
        *,
        owner: str | None = None,
        at: datetime | None = None,
    ) -> builtins.list[Feedback]:
        """Records that memories that were shown were ``used`` or ``irrelevant``, and gives the whole record.

        Corrections and deletions record themselves. It stays on the device and holds no content. Without ids it
        only shows. Raises NotFound.
        """
        whose = self._whose(owner)
        given = choice(FeedbackVerdict, verdict, "verdict")
        if ids is not None:
            self._judge([ids] if isinstance(ids, str) else list(ids), given, whose, at)
        return self._store.feedback(whose)

    def _judge(self, ids: builtins.list[str], given: FeedbackVerdict, whose: str, at: datetime | None) -> None:
        if given not in TOLD:
            told = f"{given.value} is recorded by itself"
            raise InvalidInput(what="The verdict", problem=told, hint="Say: used, irrelevant.")
        known = [self._find(one, whose) for one in ids]
        moment = aware(at, "at") or self._clock()
        if given is FeedbackVerdict.USED:
            self._store.touch(whose, known, at=moment)
        self._note(known, given, whose, moment)

    def _held(self, number: int, whose: str) -> Dropped:
        held = self._store.dropped(whose, number=whole(number, "number", least=1), limit=1)
        if not held or held[0].reason is not DropReason.INJECTION:
            raise NotFound(what="text in quarantine", name=number, nearest="")
        return held[0]

    def _findable(self, entry: MemoryEntry) -> NewMemory:
        try:
            vector = self._embedding.embed([entry.content])[0] if self._embedding.available else None
        except ModelUnavailable:
            vector = None  # It is embedded later, and found by its words until then.
        card = self._embedding.card
        model = card.id if card is not None and vector is not None else None
        return NewMemory(entry=replace(entry, model=model), terms=terms(entry.content), vector=vector)
