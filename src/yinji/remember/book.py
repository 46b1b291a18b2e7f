"""The book of one batch: what is kept already, what the batch adds and retires, and what becomes of each draft."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Protocol

from yinji.config import RememberSettings
from yinji.errors import ModelUnavailable
from yinji.language.text import content_key, query_terms, sentences, terms
from yinji.model import (
    HOLDS,
    Draft,
    Drop,
    DropReason,
    Grain,
    Interval,
    Judgement,
    LinkKind,
    MemoryEntry,
    Modality,
    Role,
    Scope,
    Turn,
    Validity,
    Verdict,
)
from yinji.ports import Doubt, ModelCard, NewMemory, Outcome, Overtake, Purpose, Reinforce, Retire, Store
from yinji.remember.beside import Heard, beside
from yinji.remember.let_go import WAS_JOKE, called_off, holding_again, joke, joked, planned, retracted
from yinji.remember.reconcile import overtaken, retired
from yinji.remember.relation import weights
from yinji.remember.remains import names_none, remains
from yinji.remember.reread import reread
from yinji.remember.retract import (
    about,
    asks_to_forget,
    attribute_of,
    had_by_user,
    meant,
    names,
)
from yinji.remember.settle import put_off, settled
from yinji.review import FeedbackVerdict

if TYPE_CHECKING:
    from yinji.ports import Vector, Vectors


class PassageEmbedder(Protocol):
    """The part of an embedder that writing needs."""

    @property
    def card(self) -> ModelCard | None: ...

    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors: ...


ORDER = (
    Verdict.RETRACT,
    Verdict.DUPLICATE,
    Verdict.UPDATE,
    Verdict.CONFLICT,
    Verdict.UNSURE,
    Verdict.COMPATIBLE,
    Verdict.UNRELATED,
)
"""What a statement is, of all that it is to several memories, the strongest first."""
FORGETTABLE = 60
"""Memories that are looked at for what a request to forget means, or for where somebody lived before."""
ENDS = frozenset({LinkKind.SUPERSEDES, LinkKind.CONTRADICTS})
"""Links to what a memory has ended or put in doubt."""
NAMING = frozenset({DropReason.COMMAND, DropReason.NOT_ABOUT_USER, DropReason.UNCERTAIN, DropReason.NOT_WORTH})
"""Reasons of what may ask to delete something without saying that it is to be forgotten."""


class Book:
    """What is kept as this batch goes: the store's memories, and what the batch has added and retired so far."""

    def __init__(
        self,
        *,
        store: Store,
        embedder: PassageEmbedder | None,
        now: datetime,
        settings: RememberSettings,
        new_id: Callable[[], str],
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._model = embedder.card if embedder is not None else None
        self._now = now
        self._settings = settings
        self._new_id = new_id
        self._added: list[NewMemory] = []
        self._retired: set[str] = set()
        self._disputed: set[str] = set()
        self._asked: set[tuple[str, str]] = set()
        self._ended: dict[str, list[str]] = {}
        """What each memory that the batch adds has ended or disputed."""

    def enter(self, heard: Sequence[Heard], outcome: Outcome) -> Outcome:
        """The outcome with all that comes of a turn's statements, taken in order."""
        owner = outcome.turn.owner
        for one in heard:
            draft = put_off(one.draft, partial(self._candidates, one.draft, one.vector, owner))
            vector = one.vector if draft is one.draft else self._vector(draft.content)
            full = replace(one, draft=settled(draft, partial(self._of_slot, owner)), vector=vector)
            others = [full if each is one else each for each in heard]
            judged = self.judged(full, others, outcome.turn)
            outcome = self._enter(full, judged, outcome)
        return outcome

    def _of_slot(self, owner: str, subject: str, attribute: str, word: str) -> list[MemoryEntry]:
        """What gives an attribute of somebody, oldest first; of what was superseded, what has the word."""
        found = [*self._store.by_slot(owner, subject, attribute), *self._fresh(owner)]
        if word:
            scope = Scope(owner=owner, validity=frozenset({Validity.SUPERSEDED}))
            hits = self._store.words(scope, query_terms(word), limit=FORGETTABLE).hits
            found += self._store.get(owner, [hit.id for hit in hits])
        told = {one.id: replace(one, validity=Validity.SUPERSEDED) if one.id in self._retired else one for one in found}
        place = (subject, attribute)
        return [one for one in told.values() if one.slot and (one.slot.subject, one.slot.attribute) == place]

    def judged(self, one: Heard, heard: Sequence[Heard], turn: Turn) -> list[Judgement]:
        """What a statement is to each memory that may matter; what another of the turn is nearer to is left to that."""
        candidates = self._candidates(one.draft, one.vector, turn.owner)
        vectors = self._vectors(turn.owner, candidates)
        found = beside(
            one,
            heard,
            turn=turn,
            memories=candidates,
            vectors=vectors,
            embedder=self._embedder,
            settings=self._settings,
        )
        return sorted(found, key=lambda each: (not each.sure, ORDER.index(each.verdict), -each.chance))

    def _vectors(self, owner: str, memories: Sequence[MemoryEntry]) -> dict[str, Vector]:
        """Those that the learned relation can read."""
        if self._model is None or self._model.id != weights().model:
            return {}
        found = self._store.vectors_of(owner, [one.id for one in memories], model=self._model.id)
        fresh = {new.entry.id: new.vector for new in self._added if new.vector is not None}
        return {**found, **fresh}

    # ------------------------------------------------------------ what becomes of it

    def _enter(self, one: Heard, judged: Sequence[Judgement], outcome: Outcome) -> Outcome:
        best = judged[0] if judged else None
        verdict = best.verdict if best is not None and best.sure else Verdict.COMPATIBLE
        if one.drop is not None and verdict in (Verdict.COMPATIBLE, Verdict.UNRELATED, Verdict.CONFLICT):
            return outcome
        if best is not None and verdict is Verdict.RETRACT:
            return self._take_back(one, [each for each in judged if each.sure and each.verdict is verdict], outcome)
        if one.drop is not None and (asks_to_forget(one.drop.text) or _only_asks(one.drop, verdict)):
            return outcome
        if best is not None and verdict is Verdict.UNSURE and best.chance < 1.0:
            return self._doubt(one, best, outcome)
        retire = self._outdated(one, judged)
        if best is not None and verdict is Verdict.DUPLICATE and best.memory.id not in {m.id for m, _ in retire}:
            return self._again(one.draft, best, retire, outcome)
        return self._keep(one, judged, retire, outcome)

    def _outdated(self, one: Heard, judged: Sequence[Judgement]) -> list[tuple[MemoryEntry, str]]:
        """What it makes outdated: all that a rule names, and what it most likely ends."""
        by_rule = retired(one.draft, [each.memory for each in judged if each.sure and each.verdict is Verdict.UPDATE])
        learned = next((each for each in judged if each.sure and each.chance < 1.0), None)
        if by_rule or learned is None or learned.verdict is not Verdict.UPDATE or names_none(one.draft, learned.memory):
            return by_rule
        return [(learned.memory, learned.reason)]

    def _again(
        self, draft: Draft, best: Judgement, retire: Sequence[tuple[MemoryEntry, str]], outcome: Outcome
    ) -> Outcome:
        """Said before: the memory gets the source. A retelling of the memory itself is no evidence."""
        source, memory = draft.source, best.memory
        drop = Drop(text=source.quote, reason=DropReason.DUPLICATE, start=source.start, end=source.end)
        ended = self._retire(retire, memory.id, draft)
        outcome = replace(outcome, drops=_with(outcome.drops, drop), retired=(*outcome.retired, *ended))
        if _retold(draft) or memory.id in {new.entry.id for new in outcome.added}:
            return outcome
        again = Reinforce(memory_id=memory.id, source=source, reason=best.reason)
        return replace(outcome, reinforced=(*outcome.reinforced, again))

    def _keep(
        self, one: Heard, judged: Sequence[Judgement], retire: Sequence[tuple[MemoryEntry, str]], outcome: Outcome
    ) -> Outcome:
        """Adds it, with what it ends, contradicts or leaves in doubt."""
        draft = one.draft
        later = [each.memory.recorded_at for each in judged if overtaken(draft, each.memory)]
        entry = replace(self._entry(draft, one.vector, outcome.turn.owner), valid=_since(draft, replaces=bool(retire)))
        against = [
            each for each in judged if each.sure and each.verdict is Verdict.CONFLICT and not retire and not later
        ]
        if later:
            entry = replace(entry, validity=Validity.SUPERSEDED, retired_at=min(later))
        elif against:
            entry = replace(entry, validity=Validity.DISPUTED)
        self._added.append(new := NewMemory(entry=entry, terms=terms(entry.content), vector=one.vector))
        ended = self._retire(retire, entry.id, draft)
        rest = [left for memory, _ in retire if (left := self._left(memory, draft)) is not None]
        outcome = replace(outcome, added=(*outcome.added, new, *rest), retired=(*outcome.retired, *ended))
        outcome = replace(outcome, drops=tuple(drop for drop in outcome.drops if drop is not one.drop))
        if against:
            return self._dispute(against[0], entry, outcome)
        return outcome if later else self._overtake(judged, entry, outcome)

    def _left(self, memory: MemoryEntry, draft: Draft) -> NewMemory | None:
        """The clauses of an ended memory that the news is not about, as a memory of their own."""
        content = remains(draft, memory)
        if content is None:
            return None
        vector = self._vector(content)
        slot = reread(content, memory.language, at=memory.recorded_at).slot if memory.slot is not None else None
        entry = replace(
            memory,
            id=self._new_id(),
            content=content,
            slot=slot,
            entities=tuple(one for one in memory.entities if one.name in content),
            created_at=self._now,
            updated_at=self._now,
            links=(),
            model=self._model.id if self._model is not None and vector is not None else None,
        )
        self._added.append(left := NewMemory(entry=entry, terms=terms(content), vector=vector))
        return left

    def _vector(self, content: str) -> Vector | None:
        if self._embedder is None or self._model is None:
            return None
        try:
            found: Vector = self._embedder.embed([content], purpose="passage")[0]
        except ModelUnavailable:
            return None  # the stage that embeds a turn's statements has met it and said so
        return found

    def _overtake(self, judged: Sequence[Judgement], entry: MemoryEntry, outcome: Outcome) -> Outcome:
        """What the new memory probably took the place of points to it, and stays."""
        found = tuple(
            Overtake(memory_id=each.memory.id, by=entry.id, reason=each.reason)
            for each in judged
            if each.overtakes and each.memory.id not in self._retired
        )
        return replace(outcome, overtaken=(*outcome.overtaken, *found))

    def _dispute(self, best: Judgement, entry: MemoryEntry, outcome: Outcome) -> Outcome:
        """Both stay, each marked and the pair linked, and the user is asked which is right."""
        disputed = Retire(
            memory_id=best.memory.id,
            validity=Validity.DISPUTED,
            at=entry.recorded_at,
            by=entry.id,
            reason=best.reason,
        )
        self._disputed.add(best.memory.id)
        self._ended.setdefault(entry.id, []).append(best.memory.id)
        outcome = replace(outcome, retired=(*outcome.retired, disputed))
        return self._ask(best, entry, outcome)

    def _doubt(self, one: Heard, best: Judgement, outcome: Outcome) -> Outcome:
        """Nothing changes: what was said waits, out of sight, for the user's answer."""
        source = one.draft.source
        drop = one.drop or Drop(text=source.quote, reason=DropReason.UNCERTAIN, start=source.start, end=source.end)
        outcome = replace(outcome, drops=_with(outcome.drops, drop))
        if self._was_asked(best.memory, one.draft.content, outcome.turn.owner):
            return outcome
        entry = replace(self._entry(one.draft, one.vector, outcome.turn.owner), hidden_at=self._now)
        new = NewMemory(entry=entry, terms=terms(entry.content), vector=one.vector)
        return self._ask(best, entry, replace(outcome, waiting=(*outcome.waiting, new)))

    def _ask(self, best: Judgement, entry: MemoryEntry, outcome: Outcome) -> Outcome:
        self._asked.add((best.memory.id, content_key(entry.content)))
        doubt = Doubt(verdict=best.verdict, old=best.memory.id, new=entry.id)
        return replace(outcome, doubts=(*outcome.doubts, doubt))

    def _was_asked(self, memory: MemoryEntry, content: str, owner: str) -> bool:
        key = content_key(content)
        asked = {(one.old.id, content_key(one.new.content)) for one in self._store.questions(owner, answered=None)}
        return (memory.id, key) in self._asked | asked

    def _retire(self, memories: Sequence[tuple[MemoryEntry, str]], by: str, draft: Draft) -> tuple[Retire, ...]:
        self._ended.setdefault(by, []).extend(memory.id for memory, _ in memories)
        feedback = FeedbackVerdict.CORRECTED if draft.replaces else None
        return self._over(memories, by=by, at=draft.source.at, feedback=feedback)

    def _over(
        self,
        memories: Sequence[tuple[MemoryEntry, str]],
        *,
        at: datetime,
        by: str | None = None,
        feedback: FeedbackVerdict | None = None,
    ) -> tuple[Retire, ...]:
        self._retired.update(memory.id for memory, _ in memories)
        return tuple(
            Retire(
                memory_id=memory.id,
                validity=Validity.SUPERSEDED,
                at=at,
                by=by,
                reason=reason,
                feedback=feedback,
            )
            for memory, reason in memories
        )

    def _entry(self, draft: Draft, vector: Vector | None, owner: str) -> MemoryEntry:
        model = self._model.id if self._model is not None and vector is not None else None
        return entry_of(draft, id=self._new_id(), owner=owner, now=self._now, model=model)

    # ------------------------------------------------------------ taking back

    def _take_back(self, one: Heard, meant_: Sequence[Judgement], outcome: Outcome) -> Outcome:
        """What was said asks to forget; it is not kept itself."""
        source = one.draft.source
        drop = one.drop or Drop(text=source.quote, reason=DropReason.COMMAND, start=source.start, end=source.end)
        if called_off(outcome.turn.user[drop.start :]) is not None or joke(drop.text) is not None:
            return replace(outcome, drops=_with(outcome.drops, drop))
        asked = self._meant(drop, outcome.turn) if asks_to_forget(drop.text) else []
        gone = self._retract(asked or [each.memory for each in meant_[:1]], outcome.turn)
        return replace(outcome, drops=_with(outcome.drops, drop), retired=(*outcome.retired, *gone))

    def let_go(self, outcome: Outcome) -> Outcome:
        """The outcome with the plans over that the turn drops, and with what was said before retracted where the turn
        calls it a joke; what that had ended holds again."""
        turn = outcome.turn
        if turn.role is not Role.USER:
            return outcome
        over: tuple[Retire, ...] = ()
        for drop in outcome.drops:
            if (off := called_off(turn.user[drop.start :])) is not None:
                plans = planned(off.what, self._spoken_of(off.what, turn.owner), turn.at)
                over += self._over([(one, f"{off.what} is off") for one in plans], at=turn.at)
        return replace(outcome, retired=(*outcome.retired, *over, *self._unsaid(turn)))

    def _unsaid(self, turn: Turn) -> tuple[Retire, ...]:
        span = joke(turn.user)
        if span is None or span[0]:
            return ()
        before = self._store.recent_turns(turn.owner, turn.session, before_seq=turn.seq, limit=1)
        gone = joked(turn.user, self._latest(turn), " ".join(one.user for one in before))
        ended = {link.target for one in gone for link in one.links if link.kind in ENDS}
        ended |= {each for one in gone for each in self._ended.get(one.id, ())}
        self._retired -= ended
        return (*self._retract(gone, turn, reason=WAS_JOKE), *holding_again(ended, at=turn.at, reason=WAS_JOKE))

    def take_back(self, outcome: Outcome) -> Outcome:
        """The outcome with what the turn asks to forget retracted; what is not clearly meant stays."""
        turn = outcome.turn
        for drop in outcome.drops if turn.role is Role.USER else ():
            gone = self._retract(self._meant(drop, turn), turn)
            outcome = replace(outcome, retired=(*outcome.retired, *gone))
        return outcome

    def _meant(self, drop: Drop, turn: Turn) -> list[MemoryEntry]:
        """What a piece of the turn asks to forget; what is said behind it is not meant."""
        if called_off(turn.user[drop.start :]) is not None:
            return []
        if drop.reason is DropReason.COMMAND and asks_to_forget(drop.text):
            text = drop.text if names(drop.text) else _sentence(drop, turn)
            said_before = [one for one in self._spoken_of(text, turn.owner) if not _behind(one, drop, turn)]
            return meant(text, said_before, ()) or meant(drop.text, said_before, self._latest(turn))
        if drop.reason not in NAMING:
            return []
        known = had_by_user(drop.text, lambda text: self._said_of(text, turn.owner))
        return [one for one in known if one.validity in HOLDS]

    def _retract(
        self, memories: Sequence[MemoryEntry], turn: Turn, *, reason: str = "the user asked to forget it"
    ) -> tuple[Retire, ...]:
        gone = [one for one in memories if one.id not in self._retired]
        self._retired.update(one.id for one in gone)
        return retracted(gone, at=turn.at, reason=reason)

    def _alike(self, text: str, owner: str) -> list[MemoryEntry]:
        hits = self._store.words(Scope(owner=owner), query_terms(text), limit=self._settings.nominate_limit).hits
        return self._holding([*self._store.get(owner, [hit.id for hit in hits]), *self._fresh(owner)])

    def _spoken_of(self, text: str, owner: str) -> list[MemoryEntry]:
        found = self._said_of(text, owner)
        if (attribute := attribute_of(text)) is not None:
            found += self._store.by_slot(owner, "user", attribute)
        return list({one.id: one for one in found if one.id not in self._retired}.values())

    def _said_of(self, text: str, owner: str) -> list[MemoryEntry]:
        """All that may be meant by a request to forget, what was superseded too."""
        scope = Scope(owner=owner, validity=HOLDS | {Validity.SUPERSEDED})
        hits = self._store.words(scope, query_terms(about(text)), limit=FORGETTABLE).hits
        return [*self._store.get(owner, [hit.id for hit in hits]), *self._fresh(owner)]

    def _latest(self, turn: Turn) -> list[MemoryEntry]:
        """What was taken from the turn before it in the session."""
        before = self._store.recent_turns(turn.owner, turn.session, before_seq=turn.seq, limit=1)
        ids = {one.id for one in before}
        alike = self._alike(" ".join(one.user for one in before), turn.owner) if before else []
        return [one for one in alike if any(source.turn_id in ids for source in one.sources)]

    # ------------------------------------------------------------- candidates

    def _candidates(self, draft: Draft, vector: Vector | None, owner: str) -> list[MemoryEntry]:
        """Memories of the owner that hold and may say the same or the opposite, each once."""
        limit = self._settings.nominate_limit
        found = [*self._store.by_content(owner, content_key(draft.content)), *self._fresh(owner)]
        if draft.slot is not None:
            found += self._store.by_slot(owner, draft.slot.subject, draft.slot.attribute)
        if vector is not None and self._model is not None:
            near = self._store.nearest(owner, vector, model=self._model.id, limit=limit)
            found += self._store.get(owner, [one.id for one in near])
        alike = self._store.words(Scope(owner=owner), query_terms(draft.content), limit=limit)
        found += self._store.get(owner, [one.id for one in alike.hits])
        return self._holding(found)

    def _fresh(self, owner: str) -> list[MemoryEntry]:
        return [new.entry for new in self._added if new.entry.owner == owner]

    def _holding(self, found: Sequence[MemoryEntry]) -> list[MemoryEntry]:
        unique = {one.id: one for one in found if one.id not in self._retired}
        return [one for one in unique.values() if one.validity in HOLDS]


def entry_of(draft: Draft, *, id: str, owner: str, now: datetime, model: str | None) -> MemoryEntry:
    """The draft as it is kept."""
    return MemoryEntry(
        id=id,
        owner=owner,
        content=draft.content,
        kind=draft.kind,
        layer=draft.layer,
        language=draft.language,
        importance=draft.importance,
        confidence=draft.confidence,
        created_at=now,
        updated_at=now,
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
        model=model,
    )


def _with(drops: tuple[Drop, ...], drop: Drop) -> tuple[Drop, ...]:
    """The drops with this one, in the place of one for the same words."""
    return (*(one for one in drops if (one.start, one.end) != (drop.start, drop.end)), drop)


def _sentence(drop: Drop, turn: Turn) -> str:
    """The sentence of the turn in which the piece stands."""
    spans = (turn.user[start:end] for start, end in sentences(turn.user) if start <= drop.start < end)
    return next(spans, drop.text)


def _behind(memory: MemoryEntry, drop: Drop, turn: Turn) -> bool:
    """Whether it was learned after the turn, or from what the turn says behind the piece."""
    own = any(source.turn_id == turn.id and source.start > drop.start for source in memory.sources)
    return own or memory.recorded_at > turn.at


def _only_asks(drop: Drop, verdict: Verdict) -> bool:
    """Whether it is a question that settles nothing: it may raise a doubt, and never holds or ends anything itself."""
    return drop.reason is DropReason.QUESTION and verdict is not Verdict.UNSURE


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
