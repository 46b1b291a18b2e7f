"""A turn becomes memories: the stages, in order, and what they add up to for the store.

Everything is pure but for looking up what is already kept; the store applies an outcome in one transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from yinji.config import Settings
from yinji.errors import LLMUnavailable, ModelUnavailable
from yinji.language import memo
from yinji.language.sensitive import policy
from yinji.language.text import lead_to, query_terms, tidy
from yinji.language.time.conventions import using
from yinji.model import Draft, Drop, DropReason, Judgement, MemoryEntry, Role, Scope, Sensitivity, Turn, Validity
from yinji.ports import LLM, Outcome, Store
from yinji.remember.beside import Heard
from yinji.remember.book import Book, PassageEmbedder
from yinji.remember.classify import to_judge
from yinji.remember.discern import ordering, referring, worthy
from yinji.remember.extract import extract, may_open
from yinji.remember.kinds import in_kinds
from yinji.remember.let_go import called_off
from yinji.remember.onboarding import answered
from yinji.remember.proposals import grounded, parsed, question, schema
from yinji.remember.quarantine import own_words, quarantine
from yinji.remember.resolve import said_before
from yinji.remember.retract import asks_to_forget
from yinji.remember.scenes import in_scenes
from yinji.remember.second_look import second_look
from yinji.remember.weigh import EMBEDDER, Weighed, weigh, worths

if TYPE_CHECKING:
    from yinji.ports import Vector


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """How far a turn has got: what was said before it, what it says, and what is to come of it."""

    recent: tuple[Turn, ...]
    """The session's turns before it, oldest first."""
    outcome: Outcome
    safe: Turn
    """The turn as it may be read: without what is in quarantine."""
    weighed: Weighed | None = None
    """What the classifier thinks of it."""
    drafts: tuple[Draft, ...] = ()
    vectors: tuple[Vector | None, ...] = ()
    """One for each draft, then for each piece that was let go; ``None`` when there is no model."""
    let_go: tuple[tuple[Draft, Drop], ...] = ()
    """What the gate dropped and a memory may answer to."""
    known: frozenset[str] = frozenset()
    """Names of people whom memories name, as far as the turn may speak of them."""
    sorts: bool = False
    """Its statements were read by rule, so that their kinds are still to be told."""

    @property
    def contents(self) -> list[str]:
        return [draft.content for draft in (*self.drafts, *(draft for draft, _ in self.let_go))]


@dataclass(frozen=True, kw_only=True, slots=True)
class Desk:
    """What the stages work with."""

    store: Store
    embedder: PassageEmbedder | None
    settings: Settings
    now: datetime
    new_id: Callable[[], str]
    llm: LLM | None = None


NAMED = 12
"""Memories that are looked at for the people whom they name."""

Stage = Callable[[list[Reading], Desk], list[Reading]]


@memo.reading()
def read_turn(
    turn: Turn,
    *,
    store: Store,
    embedder: PassageEmbedder | None,
    recent: Sequence[Turn],
    now: datetime,
    settings: Settings,
    new_id: Callable[[], str],
) -> Outcome:
    """All that reading this turn changes. ``recent``: the session's turns before it, oldest first."""
    desk = Desk(store=store, embedder=embedder, settings=settings, now=now, new_id=new_id)
    return _run([Reading(recent=tuple(recent), outcome=Outcome(turn=turn, at=now), safe=turn)], desk)[0]


@memo.reading()
def read_turns(
    turns: Sequence[Turn],
    *,
    store: Store,
    embedder: PassageEmbedder | None,
    now: datetime,
    settings: Settings,
    new_id: Callable[[], str],
    llm: LLM | None = None,
) -> list[Outcome]:
    """The outcomes of several turns, in order, to be committed in that order.

    All their statements are embedded together, and each turn sees what the ones before it add and retire.
    """
    desk = Desk(store=store, embedder=embedder, settings=settings, now=now, new_id=new_id, llm=llm)
    return _run([_unread(turn, desk, turns[:at]) for at, turn in enumerate(turns)], desk)


@memo.reading()
def weigh_turn(
    turn: Turn,
    *,
    store: Store,
    embedder: PassageEmbedder | None,
    now: datetime,
    settings: Settings,
    new_id: Callable[[], str],
) -> list[Judgement]:
    """What a turn's statements, those that the gate lets go too, are to what is kept; the most certain first."""
    desk = Desk(store=store, embedder=embedder, settings=settings, now=now, new_id=new_id)
    (reading,) = _through(("tidy", "quarantine", "weigh", "extract"), [_unread(turn, desk)], desk)
    drops, before = reading.outcome.drops, said_before(reading.recent)
    every = second_look(reading.safe, drops, before, settings.remember, every=True, refer=referring(embedder))
    (reading,) = _sort(_embed([replace(reading, let_go=tuple(every))], desk), desk)
    heard, book = _heard(reading), _book(desk)
    found = [judgement for one in heard for judgement in book.judged(one, heard, reading.outcome.turn)]
    return sorted(found, key=lambda each: (not each.sure, -each.chance))


@dataclass(frozen=True, kw_only=True, slots=True)
class Traced:
    """How a turn was read, what each of its statements is to what is kept, and what would come of it."""

    reading: Reading
    """Before anything was compared with what is kept."""
    heard: tuple[Heard, ...]
    judged: tuple[tuple[Judgement, ...], ...]
    """One for each heard."""
    outcome: Outcome


@memo.reading()
def trace_turn(
    turn: Turn,
    *,
    store: Store,
    embedder: PassageEmbedder | None,
    now: datetime,
    settings: Settings,
    new_id: Callable[[], str],
) -> Traced:
    """A turn through all stages but the language model's; nothing is committed."""
    desk = Desk(store=store, embedder=embedder, settings=settings, now=now, new_id=new_id)
    (reading,) = _through([name for name in STAGES if name not in UNTRACED], [_unread(turn, desk)], desk)
    book, heard = _book(desk), tuple(_heard(reading))
    return Traced(
        reading=reading,
        heard=heard,
        judged=tuple(tuple(book.judged(one, heard, reading.outcome.turn)) for one in heard),
        outcome=_reconcile([reading], desk)[0].outcome,
    )


UNTRACED = frozenset({"propose", "reconcile"})
"""Stages that a trace leaves out: nobody is asked, and comparing comes last, to be looked at by itself."""


def _unread(turn: Turn, desk: Desk, batch: Sequence[Turn] = ()) -> Reading:
    return Reading(recent=_before(turn, batch, desk), outcome=Outcome(turn=turn, at=desk.now), safe=turn)


def _before(turn: Turn, batch: Sequence[Turn], desk: Desk) -> tuple[Turn, ...]:
    """The session's turns before this one: those of the batch, and the store's where they are too few."""
    own = [one for one in batch if (one.owner, one.session) == (turn.owner, turn.session)]
    missing = desk.settings.store.turns_kept - len(own)
    if missing <= 0:
        return tuple(own)
    seq = min((one.seq for one in own), default=turn.seq)
    return (*desk.store.recent_turns(turn.owner, turn.session, before_seq=seq, limit=missing), *own)


def _run(readings: list[Reading], desk: Desk) -> list[Outcome]:
    return [reading.outcome for reading in _through(tuple(STAGES), readings, desk)]


def _through(names: Sequence[str], readings: list[Reading], desk: Desk) -> list[Reading]:
    with using(desk.settings.remember.time_conventions):
        for name in names:
            readings = STAGES[name](readings, desk)
    return readings


# ------------------------------------------------------------------ stages


def _tidy(readings: list[Reading], desk: Desk) -> list[Reading]:
    """Blanks what no store can keep."""

    def tidied(turn: Turn) -> Turn:
        return replace(turn, user=tidy(turn.user)[0])

    fit = [(one, tidied(one.outcome.turn)) for one in readings]
    return [replace(one, outcome=replace(one.outcome, turn=turn), safe=turn) for one, turn in fit]


def _quarantine(readings: list[Reading], desk: Desk) -> list[Reading]:
    """Holds text that gives orders to an agent, so that no later stage reads it."""
    done, read = [], ordering(desk.embedder)
    for one in readings:
        safe, held = quarantine(one.outcome.turn, point=desk.settings.remember.injection_point, read=read)
        done.append(replace(one, safe=safe, outcome=replace(one.outcome, drops=held)))
    return done


def _weigh(readings: list[Reading], desk: Desk) -> list[Reading]:
    """What every message and its sentences are worth, all of them embedded, and read, in one call."""
    own = [one.safe.role in (Role.USER, Role.IMPORT) and one.safe.user.strip() for one in readings]
    judged = [to_judge(one.safe, one.recent) if mine else () for one, mine in zip(readings, own, strict=True)]
    every = [one for each in judged for one in each]
    vectors = _seen([one.embedded for one in every], desk)
    scores = iter(worths(every, vectors, worthy(desk.embedder)))
    embedded = all(one is not None for one in vectors)
    return [
        replace(one, weighed=weigh(one.safe, each, [next(scores) for _ in each], embedded=embedded)) if each else one
        for one, each in zip(readings, judged, strict=True)
    ]


def _seen(texts: Sequence[str], desk: Desk) -> list[Vector | None]:
    """The vectors that the classifier knows how to read; none of another model, and none where that fails."""
    card = desk.embedder.card if desk.embedder is not None else None
    if desk.embedder is None or card is None or card.id != EMBEDDER or not texts:
        return [None] * len(texts)
    try:
        return list(desk.embedder.embed(texts, purpose="passage"))
    except ModelUnavailable:
        return [None] * len(texts)  # the stage that embeds what is kept meets the same and says so


def _extract(readings: list[Reading], desk: Desk) -> list[Reading]:
    """Sentence by sentence: gate, clean, resolve, and the statements that are left."""
    done, refer = [], referring(desk.embedder)
    for one in readings:
        if one.outcome.drops and not one.safe.user.strip():
            done.append(one)
            continue
        if (answer := answered(one.safe)) is not None:
            done.append(replace(one, drafts=(answer,)))
            continue
        known = _named(one.safe, desk)
        drafts, dropped = extract(
            one.safe, one.recent, desk.settings.remember, weighed=one.weighed, known=known, refer=refer
        )
        drops = (*one.outcome.drops, *own_words(dropped, one.safe.role))
        spare = second_look(one.safe, dropped, said_before(one.recent), desk.settings.remember, refer=refer)
        outcome = replace(one.outcome, drops=drops)
        done.append(replace(one, drafts=tuple(drafts), let_go=tuple(spare), outcome=outcome, sorts=True, known=known))
    return done


def _named(turn: Turn, desk: Desk) -> frozenset[str]:
    """The people whom memories of the owner name and with whom a clause of the turn may open."""
    names = may_open(turn.user)
    ids = desk.store.mentioning(Scope(owner=turn.owner), names, limit=NAMED) if names else ()
    kept = desk.store.get(turn.owner, ids)
    people = {named.name for one in kept for named in one.entities if named.type == "person"}
    return frozenset(people & set(names))


def _propose(readings: list[Reading], desk: Desk) -> list[Reading]:
    """What a language model would keep, in place of what was extracted, when one is configured and answers well."""
    if desk.llm is None:
        return readings
    done: list[Reading] = []
    away = ""
    for one in readings:
        if not _is_asked_about(one.safe):
            done.append(one)
        elif away:  # A batch must not wait for it turn by turn.
            done.append(_warned(one, away))
        else:
            done.append(_proposed(one, desk.llm, desk))
            away = next((told for told in done[-1].outcome.warnings if told in AWAY), "")
    return done


AWAY = ("llm_unavailable:it did not answer in time", "llm_unavailable:it cannot be reached")
"""What is told when it is of no use to ask again at once."""


def _is_asked_about(turn: Turn) -> bool:
    return turn.role is Role.USER and bool(turn.user.strip()) and answered(turn) is None


def _proposed(one: Reading, llm: LLM, desk: Desk) -> Reading:
    turn = one.safe
    try:
        if not desk.store.count_call(turn.owner, at=desk.now, most=desk.settings.llm.daily_calls):
            raise LLMUnavailable(problem="the calls of the day are used up")
        known = _known(turn, desk)
        proposals = parsed(llm.answer(*question(turn, known), schema=schema()))
    except LLMUnavailable as error:
        return _warned(one, f"llm_unavailable:{error.params['problem']}")
    found, rejected = grounded(proposals, turn, known, policy(desk.settings.remember.sensitive_policy))
    if rejected and not found and one.drafts:  # Nothing of what it says holds: what is built in does better.
        return _warned(one, f"llm_rejected:{rejected}")
    return _warned(replace(one, drafts=tuple(found), sorts=False), *([f"llm_rejected:{rejected}"] if rejected else []))


def _label(readings: list[Reading], desk: Desk) -> list[Reading]:
    """The scenes of each statement; one that spans scenes becomes one for each."""
    settings = desk.settings.remember

    def labelled(one: Reading) -> Reading:
        def again(part: Turn) -> list[Draft]:
            recent = (*one.recent, *_said_ahead(part, one.safe))
            return extract(
                part, recent, settings, weighed=one.weighed, known=one.known, refer=referring(desk.embedder)
            )[0]

        return replace(one, drafts=tuple(in_scenes(one.drafts, one.safe, again, settings)))

    return [labelled(one) for one in readings]


def _said_ahead(part: Turn, turn: Turn) -> list[Turn]:
    """What the message says before the part of it, so that "his" and "the wife" in that are still somebody's."""
    said = lead_to(turn.user, len(part.user) - len(part.user.lstrip()))
    return [replace(turn, user=said, assistant=None)] if said.strip() else []


def _known(turn: Turn, desk: Desk) -> list[MemoryEntry]:
    """Memories that the turn may be about; delicate ones stay on the device."""
    most = desk.settings.llm.known
    hits = desk.store.words(Scope(owner=turn.owner), query_terms(turn.user), limit=most).hits if most else ()
    found = desk.store.get(turn.owner, [hit.id for hit in hits])
    return [one for one in found if one.sensitivity is Sensitivity.NORMAL]


def _warned(one: Reading, *warnings: str) -> Reading:
    return replace(one, outcome=replace(one.outcome, warnings=(*one.outcome.warnings, *warnings)))


def _embed(readings: list[Reading], desk: Desk) -> list[Reading]:
    """The vectors of all statements in one call; without them, and saying so, when that fails."""
    texts = [content for one in readings for content in one.contents]
    vectors: list[Vector | None] = [None] * len(texts)
    warnings: tuple[str, ...] = ()
    if desk.embedder is not None and texts:
        try:
            vectors = list(desk.embedder.embed(texts, purpose="passage"))
        except ModelUnavailable as error:
            warnings = (f"words_only:{error}",)
    done, at = [], 0
    for one in readings:
        own = tuple(vectors[at : at + len(one.contents)])
        at += len(own)
        outcome = replace(one.outcome, warnings=(*one.outcome.warnings, *warnings)) if own else one.outcome
        done.append(replace(one, vectors=own, outcome=outcome))
    return done


def _sort(readings: list[Reading], desk: Desk) -> list[Reading]:
    """The kinds of all statements that were read by rule, told from their vectors."""
    card = desk.embedder.card if desk.embedder is not None else None
    if card is None or card.id != EMBEDDER:
        return readings
    return [
        replace(one, drafts=in_kinds(one.drafts, one.vectors[: len(one.drafts)])) if one.sorts else one
        for one in readings
    ]


def _reconcile(readings: list[Reading], desk: Desk) -> list[Reading]:
    """Compares every statement with what is kept and with what came before it in the batch."""
    book, done = _book(desk), []
    for one in readings:
        entered = book.enter(_heard(one), book.let_go(one.outcome))
        outcome = book.take_back(entered)
        kept = replace(one, outcome=outcome)
        done.append(_warned(kept, NOT_FORGOTTEN) if _forgot_nothing(outcome) else kept)
    return done


NOT_FORGOTTEN = "not_forgotten:"
"""Somebody asked to forget something, and what is not clear."""


def _forgot_nothing(outcome: Outcome) -> bool:
    """Whether the turn asks to forget something and ends nothing; who drops a plan asks for nothing to be forgotten."""
    user = outcome.turn.user
    asked = outcome.turn.role is Role.USER and any(
        drop.reason is DropReason.COMMAND and asks_to_forget(drop.text) and called_off(user[drop.start :]) is None
        for drop in outcome.drops
    )
    return asked and not any(one.validity in (Validity.RETRACTED, Validity.SUPERSEDED) for one in outcome.retired)


def _book(desk: Desk) -> Book:
    return Book(
        store=desk.store,
        embedder=desk.embedder,
        now=desk.now,
        settings=desk.settings.remember,
        new_id=desk.new_id,
    )


def _heard(one: Reading) -> list[Heard]:
    drops = [*(None for _ in one.drafts), *(drop for _, drop in one.let_go)]
    drafts = [*one.drafts, *(draft for draft, _ in one.let_go)]
    return [
        Heard(draft=draft, vector=vector, drop=drop)
        for draft, vector, drop in zip(drafts, one.vectors, drops, strict=True)
    ]


STAGES: dict[str, Stage] = {
    "tidy": _tidy,
    "quarantine": _quarantine,
    "weigh": _weigh,
    "extract": _extract,
    "propose": _propose,
    "label": _label,
    "embed": _embed,
    "sort": _sort,
    "reconcile": _reconcile,
}
"""What happens to turns, in order."""
