"""What each stage decides on a message, piece by piece, and what would become of it; nothing is changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from yinji.config import RememberSettings, Settings
from yinji.language import memo
from yinji.language.dates import find_times
from yinji.language.text import detect, lead_to
from yinji.language.time.conventions import using
from yinji.model import Draft, Drop, DropReason, Interval, Judgement, Turn
from yinji.ports import Outcome, Store
from yinji.remember.book import PassageEmbedder
from yinji.remember.clean import clean
from yinji.remember.discern import referring
from yinji.remember.gate import evidence, judge
from yinji.remember.pipeline import Traced, trace_turn
from yinji.remember.resolve import resolve, said_before
from yinji.remember.resolve_rank import Refer
from yinji.remember.weigh import threshold

DROPPED, ADDED, REINFORCED, ASKED = "dropped", "added", "reinforced", "asked"


@dataclass(frozen=True, kw_only=True, slots=True)
class Pronoun:
    """A pronoun and what it was taken for; ``antecedent`` is None where it is left alone."""

    text: str
    antecedent: str | None
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ExplainedPiece:
    """A stretch of the message and what each stage says of it."""

    text: str
    start: int
    end: int
    becomes: str
    """``added``, ``reinforced`` (known already), ``asked`` (waits for an answer of the user's), or ``dropped``."""
    reason: DropReason | None
    """Why it is dropped."""
    rules: DropReason | None
    """Why the rules would drop it, taken by itself."""
    evidence: float
    """What speaks for it in the eyes of the rules."""
    score: float | None
    """The classifier's; None when it was not asked."""
    wanted: bool | None
    """What the classifier says to it; None leaves it to the rules."""
    pronouns: tuple[Pronoun, ...]
    times: tuple[Interval, ...]
    draft: Draft | None
    """The statement, with its subject, polarity, modality, kind, slot and interval."""
    judgements: tuple[Judgement, ...]
    """What it is to memories that are kept, what is acted on first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Explained:
    text: str
    language: str
    threshold: float
    """The score from which the classifier wants a sentence."""
    embedded: bool
    """Whether the classifier saw an embedding."""
    pieces: tuple[ExplainedPiece, ...]
    retires: tuple[str, ...]
    """Ids of memories that would no longer hold."""
    warnings: tuple[str, ...]


@memo.reading()
def explain_turn(
    turn: Turn,
    *,
    store: Store,
    embedder: PassageEmbedder | None,
    now: datetime,
    settings: Settings,
    new_id: Callable[[], str],
) -> Explained:
    """A language model is not asked: what it proposes in place of the statements is not shown."""
    traced = trace_turn(turn, store=store, embedder=embedder, now=now, settings=settings, new_id=new_id)
    reading, outcome, refer = traced.reading, traced.outcome, referring(embedder)
    with using(settings.remember.time_conventions):
        pieces = tuple(_piece(*one, traced, settings.remember, refer=refer) for one in _parts(traced))
    return Explained(
        text=reading.outcome.turn.user,
        language=detect(reading.outcome.turn.user),
        threshold=threshold(settings.remember),
        embedded=reading.weighed is not None and reading.weighed.embedded,
        pieces=pieces,
        retires=tuple(one.memory_id for one in outcome.retired),
        warnings=outcome.warnings,
    )


def _parts(traced: Traced) -> list[tuple[Draft | None, Drop | None, Sequence[Judgement]]]:
    """Every statement, and every drop with the statement that it would be, in the order of the text."""
    heard = list(zip(traced.heard, traced.judged, strict=True))
    looked_at = {one.drop: (one.draft, judged) for one, judged in heard}
    parts: list[tuple[Draft | None, Drop | None, Sequence[Judgement]]]
    parts = [(one.draft, None, judged) for one, judged in heard if one.drop is None]
    for drop in traced.reading.outcome.drops:
        draft, judged = looked_at.get(drop, (None, ()))
        parts.append((draft, drop, judged))
    return sorted(parts, key=lambda part: _span(part[0], part[1]))


def _span(draft: Draft | None, drop: Drop | None) -> tuple[int, int]:
    if drop is not None:
        return drop.start, drop.end
    assert draft is not None
    return draft.source.start, draft.source.end


def _piece(
    draft: Draft | None,
    drop: Drop | None,
    judged: Sequence[Judgement],
    traced: Traced,
    settings: RememberSettings,
    *,
    refer: Refer | None,
) -> ExplainedPiece:
    start, end = _span(draft, drop)
    turn, weighed = traced.reading.outcome.turn, traced.reading.weighed
    text = turn.user[start:end]
    language = detect(text)
    becomes = _becomes(draft, drop, traced.outcome)
    return ExplainedPiece(
        text=text,
        start=start,
        end=end,
        becomes=becomes,
        reason=drop.reason if drop is not None and becomes == DROPPED else None,
        rules=judge(text, language=language, settings=settings),
        evidence=evidence(clean(text, language).text, language=language),
        score=weighed.score(start, end) if weighed is not None else None,
        wanted=weighed.wanted(start, end, settings) if weighed is not None else None,
        pronouns=tuple(
            _pronouns(text, [*said_before(traced.reading.recent), lead_to(turn.user, start)], language, refer)
        ),
        times=tuple(one.interval for one in find_times(text, at=turn.at, language=language)),
        draft=draft,
        judgements=tuple(judged),
    )


def _becomes(draft: Draft | None, drop: Drop | None, outcome: Outcome) -> str:
    if draft is not None:
        groups = (
            (ADDED, [source for new in outcome.added for source in new.entry.sources]),
            (REINFORCED, [one.source for one in outcome.reinforced]),
            (ASKED, [source for new in outcome.waiting for source in new.entry.sources]),
        )
        if found := next((name for name, sources in groups if draft.source in sources), None):
            return found
    return DROPPED


def _pronouns(text: str, before: Sequence[str], language: str, refer: Refer | None) -> list[Pronoun]:
    found = resolve(text, before, language=language, refer=refer)
    return [Pronoun(text=one.pronoun, antecedent=one.antecedent, why=one.why) for one in found]
