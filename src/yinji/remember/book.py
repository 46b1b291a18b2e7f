"""The book of one batch: what is kept already, what the batch adds and retires, and what becomes of each draft."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from yinji.config import RememberSettings
from yinji.language.text import content_key, query_terms, terms
from yinji.model import (
    Draft,
    Drop,
    DropReason,
    Grain,
    Interval,
    MemoryEntry,
    Modality,
    Scope,
    Turn,
    Validity,
    Verdict,
)
from yinji.ports import ModelCard, NewMemory, Outcome, Reinforce, Retire, Store
from yinji.remember.reconcile import overtaken, reconcile, retired
from yinji.remember.retract import asks_to_forget, attribute_of, meant

if TYPE_CHECKING:
    from yinji.ports import Vector


class Book:
    """What is kept as this batch goes: the store's memories, and what the batch has added and retired so far."""

    def __init__(
        self,
        *,
        store: Store,
        model: ModelCard | None,
        now: datetime,
        settings: RememberSettings,
        new_id: Callable[[], str],
    ) -> None:
        self._store = store
        self._model = model
        self._now = now
        self._settings = settings
        self._new_id = new_id
        self._added: list[NewMemory] = []
        self._retired: set[str] = set()

    def enter(self, drafts: Sequence[tuple[Draft, Vector | None]], outcome: Outcome) -> Outcome:
        """The outcome with all that comes of a turn's drafts, taken in order."""
        for draft, vector in drafts:
            outcome = self._enter_draft(draft, vector, outcome)
        return outcome

    def _enter_draft(self, draft: Draft, vector: Vector | None, outcome: Outcome) -> Outcome:
        candidates = self._candidates(draft, vector, outcome.turn.owner)
        retire = retired(draft, candidates)
        gone = {memory.id for memory, _ in retire}
        verdict, memory, reason = reconcile(draft, [one for one in candidates if one.id not in gone])
        if verdict is Verdict.DUPLICATE and memory is not None:
            return self._again(draft, memory, reason, retire, outcome)
        after = [one.recorded_at for one in candidates if overtaken(draft, one)]
        return self._add(draft, vector, retire, outcome, retired_at=min(after, default=None))

    def _again(
        self,
        draft: Draft,
        memory: MemoryEntry,
        reason: str,
        retire: Sequence[tuple[MemoryEntry, str]],
        outcome: Outcome,
    ) -> Outcome:
        """Said before: the memory gets the source. A retelling of the memory itself is no evidence."""
        source = draft.source
        drop = Drop(text=source.quote, reason=DropReason.DUPLICATE, start=source.start, end=source.end)
        ended = self._retire(retire, memory.id, draft.source.at)
        outcome = replace(outcome, drops=(*outcome.drops, drop), retired=(*outcome.retired, *ended))
        if _retold(draft) or memory.id in {new.entry.id for new in outcome.added}:
            return outcome
        again = Reinforce(memory_id=memory.id, source=source, reason=reason)
        return replace(outcome, reinforced=(*outcome.reinforced, again))

    def _add(
        self,
        draft: Draft,
        vector: Vector | None,
        retire: Sequence[tuple[MemoryEntry, str]],
        outcome: Outcome,
        *,
        retired_at: datetime | None,
    ) -> Outcome:
        """``retired_at``: when something that was said later, but taken in before, had already replaced it."""
        entry = self._entry(draft, vector, outcome.turn.owner)
        entry = replace(entry, valid=_since(draft, replaces=bool(retire)))
        if retired_at is not None:
            entry = replace(entry, validity=Validity.SUPERSEDED, retired_at=retired_at)
        new = NewMemory(entry=entry, terms=terms(entry.content), vector=vector)
        self._added.append(new)
        ended = self._retire(retire, entry.id, draft.source.at)
        return replace(outcome, added=(*outcome.added, new), retired=(*outcome.retired, *ended))

    def _retire(self, memories: Sequence[tuple[MemoryEntry, str]], by: str, at: datetime) -> tuple[Retire, ...]:
        self._retired.update(memory.id for memory, _ in memories)
        return tuple(
            Retire(memory_id=memory.id, validity=Validity.SUPERSEDED, at=at, by=by, reason=reason)
            for memory, reason in memories
        )

    def _entry(self, draft: Draft, vector: Vector | None, owner: str) -> MemoryEntry:
        return MemoryEntry(
            id=self._new_id(),
            owner=owner,
            content=draft.content,
            kind=draft.kind,
            layer=draft.layer,
            language=draft.language,
            importance=draft.importance,
            confidence=draft.confidence,
            created_at=self._now,
            updated_at=self._now,
            recorded_at=draft.source.at,
            valid=draft.valid,
            subject=draft.subject,
            slot=draft.slot,
            polarity=draft.polarity,
            modality=draft.modality,
            fields=draft.fields,
            entities=draft.entities,
            scenes=draft.scenes,
            sensitivity=draft.sensitivity,
            trust=draft.trust,
            sources=(draft.source,),
            model=self._model.id if self._model is not None and vector is not None else None,
        )

    def take_back(self, outcome: Outcome) -> Outcome:
        """The outcome with what the turn asks to forget retracted; what is not clearly meant stays."""
        turn = outcome.turn
        for drop in outcome.drops:
            if drop.reason is not DropReason.COMMAND or not asks_to_forget(drop.text):
                continue
            found = [one for one in self._spoken_of(drop.text, turn.owner) if one.recorded_at <= turn.at]
            reason = "the user asked to forget it"
            gone = tuple(
                Retire(memory_id=one.id, validity=Validity.RETRACTED, at=turn.at, by=None, reason=reason)
                for one in meant(drop.text, found, self._latest(turn))
            )
            self._retired.update(one.memory_id for one in gone)
            outcome = replace(outcome, retired=(*outcome.retired, *gone))
        return outcome

    def _alike(self, text: str, owner: str) -> list[MemoryEntry]:
        hits = self._store.words(Scope(owner=owner), query_terms(text), limit=self._settings.nominate_limit).hits
        unique = {one.id: one for one in [*self._store.get(owner, [hit.id for hit in hits]), *self._fresh(owner)]}
        return [one for one in unique.values() if one.id not in self._retired and one.validity is Validity.CURRENT]

    def _spoken_of(self, text: str, owner: str) -> list[MemoryEntry]:
        found = self._alike(text, owner)
        if (attribute := attribute_of(text)) is not None:
            found += [one for one in self._store.by_slot(owner, "user", attribute) if one.id not in self._retired]
        return list({one.id: one for one in found if one.validity is Validity.CURRENT}.values())

    def _latest(self, turn: Turn) -> list[MemoryEntry]:
        """What was taken from the turn before it in the session."""
        before = self._store.recent_turns(turn.owner, turn.session, before_seq=turn.seq, limit=1)
        ids = {one.id for one in before}
        alike = self._alike(" ".join(one.user for one in before), turn.owner) if before else []
        return [one for one in alike if any(source.turn_id in ids for source in one.sources)]

    # candidates

    def _candidates(self, draft: Draft, vector: Vector | None, owner: str) -> list[MemoryEntry]:
        """Current memories of the owner that may say the same or the opposite, each once."""
        key = content_key(draft.content)
        found = [*self._store.by_content(owner, key), *self._fresh(owner)]
        if draft.slot is not None:
            found += self._store.by_slot(owner, draft.slot.subject, draft.slot.attribute)
        if vector is not None and self._model is not None:
            limit = self._settings.nominate_limit
            near = self._store.nearest(owner, vector, model=self._model.id, limit=limit)
            found += self._store.get(owner, [one.id for one in near])
        if draft.replaces:
            said, limit = query_terms(draft.content), self._settings.nominate_limit
            alike = self._store.words(Scope(owner=owner), said, limit=limit)
            found += self._store.get(owner, [one.id for one in alike.hits])
        unique = {memory.id: memory for memory in found if memory.id not in self._retired}
        return [memory for memory in unique.values() if memory.validity is Validity.CURRENT]

    def _fresh(self, owner: str) -> list[MemoryEntry]:
        return [new.entry for new in self._added if new.entry.owner == owner]


def _since(draft: Draft, *, replaces: bool) -> Interval | None:
    """When it holds. What is so of a single-valued thing, such as a home, holds on until something replaces it,
    whenever it began; and what replaces something else does not hold before it was said."""
    lasting = draft.slot is not None and draft.slot.single and not draft.slot.attribute.startswith("time ")
    if not lasting or draft.modality is not Modality.ASSERTED:
        return draft.valid
    if draft.valid is not None:
        stretch = draft.valid.recurrence is not None or draft.valid.grain in (Grain.QUARTER, Grain.YEAR)
        return draft.valid if stretch else replace(draft.valid, end=None)
    return Interval(start=draft.source.at, end=None) if replaces else None


def _retold(draft: Draft) -> bool:
    """Whether it was said in the very words of a memory, as recalled text that is fed back is."""
    return content_key(draft.source.quote) == content_key(draft.content)
