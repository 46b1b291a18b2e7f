"""A turn becomes memories: the stages, in order, and what they add up to for the store.

Everything is pure but for looking up what is already kept; the store applies an outcome in one transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from yinji.config import Settings
from yinji.errors import ModelUnavailable
from yinji.language.text import tidy
from yinji.model import Draft, Drop, Judgement, Turn
from yinji.ports import ModelCard, Outcome, Purpose, Store
from yinji.remember.book import Book, Heard
from yinji.remember.extract import extract
from yinji.remember.resolve import said_before
from yinji.remember.second_look import second_look

if TYPE_CHECKING:
    from yinji.ports import Vector, Vectors


class PassageEmbedder(Protocol):
    """The part of an embedder that writing needs."""

    @property
    def card(self) -> ModelCard | None: ...

    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """How far a turn has got: what was said before it, what it says, and what is to come of it."""

    recent: tuple[Turn, ...]
    """The session's turns before it, oldest first."""
    outcome: Outcome
    drafts: tuple[Draft, ...] = ()
    vectors: tuple[Vector | None, ...] = ()
    """One for each draft, then for each piece that was let go; ``None`` when there is no model."""
    let_go: tuple[tuple[Draft, Drop], ...] = ()
    """What the gate dropped and a memory may answer to."""

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


Stage = Callable[[list[Reading], Desk], list[Reading]]


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
    return _run([Reading(recent=tuple(recent), outcome=Outcome(turn=turn, at=now))], desk)[0]


def read_turns(
    turns: Sequence[Turn],
    *,
    store: Store,
    embedder: PassageEmbedder | None,
    now: datetime,
    settings: Settings,
    new_id: Callable[[], str],
) -> list[Outcome]:
    """The outcomes of several turns, in order, to be committed in that order.

    All their statements are embedded together, and each turn sees what the ones before it add and retire.
    """
    desk = Desk(store=store, embedder=embedder, settings=settings, now=now, new_id=new_id)
    readings = [
        Reading(recent=_before(turn, turns[:at], desk), outcome=Outcome(turn=turn, at=now))
        for at, turn in enumerate(turns)
    ]
    return _run(readings, desk)


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
    (reading,) = _tidy([Reading(recent=_before(turn, (), desk), outcome=Outcome(turn=turn, at=now))], desk)
    (reading,) = _extract([reading], desk)
    drops, before = reading.outcome.drops, said_before(reading.recent)
    every = second_look(reading.outcome.turn, drops, before, settings.remember, every=True)
    (reading,) = _embed([replace(reading, let_go=tuple(every))], desk)
    heard, book = _heard(reading), _book(desk)
    found = [judgement for one in heard for judgement in book.judged(one, heard, reading.outcome.turn)]
    return sorted(found, key=lambda each: (not each.sure, -each.chance))


def _before(turn: Turn, batch: Sequence[Turn], desk: Desk) -> tuple[Turn, ...]:
    """The session's turns before this one: those of the batch, and the store's where they are too few."""
    own = [one for one in batch if (one.owner, one.session) == (turn.owner, turn.session)]
    missing = desk.settings.store.turns_kept - len(own)
    if missing <= 0:
        return tuple(own)
    seq = min((one.seq for one in own), default=turn.seq)
    return (*desk.store.recent_turns(turn.owner, turn.session, before_seq=seq, limit=missing), *own)


def _run(readings: list[Reading], desk: Desk) -> list[Outcome]:
    for stage in STAGES.values():
        readings = stage(readings, desk)
    return [reading.outcome for reading in readings]


# ------------------------------------------------------------------ stages


def _tidy(readings: list[Reading], desk: Desk) -> list[Reading]:
    """Blanks what no store can keep."""

    def tidied(turn: Turn) -> Turn:
        return replace(turn, user=tidy(turn.user)[0])

    return [replace(one, outcome=replace(one.outcome, turn=tidied(one.outcome.turn))) for one in readings]


def _extract(readings: list[Reading], desk: Desk) -> list[Reading]:
    """Sentence by sentence: gate, clean, resolve, and the statements that are left."""
    done = []
    for one in readings:
        drafts, drops = extract(one.outcome.turn, one.recent, desk.settings.remember)
        spare = second_look(one.outcome.turn, drops, said_before(one.recent), desk.settings.remember)
        outcome = replace(one.outcome, drops=tuple(drops))
        done.append(replace(one, drafts=tuple(drafts), let_go=tuple(spare), outcome=outcome))
    return done


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
        outcome = replace(one.outcome, warnings=warnings) if own else one.outcome
        done.append(replace(one, vectors=own, outcome=outcome))
    return done


def _reconcile(readings: list[Reading], desk: Desk) -> list[Reading]:
    """Compares every statement with what is kept and with what came before it in the batch."""
    book, done = _book(desk), []
    for one in readings:
        outcome = book.enter(_heard(one), one.outcome)
        done.append(replace(one, outcome=book.take_back(outcome)))
    return done


def _book(desk: Desk) -> Book:
    return Book(
        store=desk.store,
        model=desk.embedder.card if desk.embedder is not None else None,
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


STAGES: dict[str, Stage] = {"tidy": _tidy, "extract": _extract, "embed": _embed, "reconcile": _reconcile}
"""What happens to turns, in order."""
