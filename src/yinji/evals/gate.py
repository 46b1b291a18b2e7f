"""How well is told what is worth keeping: ``precision``, ``recall``, ``f1``, and the kind of what is rightly kept.

``small_talk_kept``: share of what must not be kept of which something was. A case gives one answer for what it is
and one for what was made of it, so that the mean of ``f1`` is ``2 TP / (to keep + kept)``. The floor keeps all.
``ms``: processor time of the rules and the classifier, once the embedding is there; ``rules_ms``: of the rules alone,
on average. A line may say ``label`` (0 or 1) for ``keep``, and leave out its language.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from yinji.config import Settings
from yinji.evals.data import Line
from yinji.evals.labelled import labelled
from yinji.evals.report import Answer, Progress
from yinji.evals.said import AT, also, answer_to, sorted_, spoken, turns_before, vectors_of, weighed
from yinji.language.memo import reading
from yinji.language.text import detect, sentences
from yinji.model import Turn
from yinji.remember.classify import to_judge
from yinji.remember.extract import extract
from yinji.remember.gate import judge
from yinji.remember.weigh import worths

if TYPE_CHECKING:
    from yinji.ports import Embedder


WARMING = 20
"""Cases of a set that are run once before any is timed: patterns are compiled when they are first asked for."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    id: str
    lang: str
    split: str
    category: str
    context: tuple[str, ...]
    text: str
    keep: bool
    kinds: frozenset[str]


def measure(data: Path, *, limit: int | None, progress: Progress) -> list[Answer]:
    """The answers of every case."""
    from yinji.evals.runner import cached_embedder

    settings, answers = Settings.load(), list[Answer]()
    embedder = cached_embedder(settings, progress)
    for name, cases in labelled(data, _case, limit):
        for case in cases[:WARMING]:
            list(_answers(case, name, settings, embedder))
        for done, case in enumerate(cases, 1):
            answers += _answers(case, name, settings, embedder)
            progress(name, done, len(cases))
    return answers


def _answers(case: Case, name: str, settings: Settings, embedder: Embedder | None) -> Iterator[Answer]:
    before = turns_before(case.context, AT)
    turn = spoken(case.text, AT, seq=len(before))
    opinion, took = weighed(turn, before, embedder), _timed(turn, before, settings, embedder)
    drafts, drops = extract(turn, before, settings.remember, weighed=opinion)
    drafts = sorted_(drafts, embedder)
    kept, kinds = bool(drafts), [str(one.kind) for one in drafts]
    detail: dict[str, object] = {
        "keep": case.keep,
        "kept": [one.content for one in drafts],
        "kinds": kinds,
        "reasons": [str(one.reason) for one in drops],
    }
    if case.keep:
        hit = {"recall": float(kept), "f1": float(kept)}
        kind = {"kind": float(any(one in case.kinds for one in kinds))} if kept and case.kinds else {}
        yield answer_to(case, name, hit | kind | took, {"recall": 1.0, "f1": 1.0}, detail)
    else:
        yield answer_to(case, name, {"small_talk_kept": float(kept)} | took, {"small_talk_kept": 1.0}, detail)
    right = {"precision": float(case.keep), "f1": float(case.keep)}
    yield answer_to(case, name, right if kept else {}, right, {})


def _timed(turn: Turn, before: Sequence[Turn], settings: Settings, embedder: Embedder | None) -> dict[str, float]:
    """How long the gate takes over the turn; the embedding, and what is read in doubt, left out."""
    judged = to_judge(turn, before)
    vectors = vectors_of(judged, embedder)
    with reading():
        started = time.thread_time()
        for start, end in sentences(turn.user):
            said = turn.user[start:end]
            judge(said, language=detect(said), settings=settings.remember)
        ruled = time.thread_time()
        worths(judged, vectors)
        done = time.thread_time()
    return {"ms": (done - started) * 1000, "rules_ms": (ruled - started) * 1000}


def _case(line: Line) -> Case:
    return Case(
        id=line.name("id"),
        lang=line.text("lang", "") or detect(line.text("text")),
        split=line.text("split", ""),
        category=line.text("category", ""),
        context=line.texts("context"),
        text=line.text("text"),
        keep=bool(line.row.get("keep", line.row.get("label"))),
        kinds=also(line, dict(line.row), "kind"),
    )
