"""How well is told what is worth keeping: ``precision``, ``recall``, ``f1``, and the kind of what is rightly kept.

``small_talk_kept``: share of what must not be kept of which something was. A case gives one answer for what it is
and one for what was made of it, so that the mean of ``f1`` is ``2 TP / (to keep + kept)``. The floor keeps all.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from yinji.config import Settings
from yinji.evals.data import Line
from yinji.evals.labelled import labelled
from yinji.evals.report import Answer, Progress
from yinji.evals.said import AT, also, answer_to, sorted_, spoken, turns_before, weighed
from yinji.remember.extract import extract

if TYPE_CHECKING:
    from yinji.ports import Embedder


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
        for done, case in enumerate(cases, 1):
            answers += _answers(case, name, settings, embedder)
            progress(name, done, len(cases))
    return answers


def _answers(case: Case, name: str, settings: Settings, embedder: Embedder | None) -> Iterator[Answer]:
    before = turns_before(case.context, AT)
    turn = spoken(case.text, AT, seq=len(before))
    opinion = weighed(turn, before, embedder)
    started = time.perf_counter()
    drafts, drops = extract(turn, before, settings.remember, weighed=opinion)
    ms = (time.perf_counter() - started) * 1000
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
        kind = {"kind": float(any(one in case.kinds for one in kinds))} if kept else {}
        yield answer_to(case, name, hit | kind | {"ms": ms}, {"recall": 1.0, "f1": 1.0}, detail)
    else:
        yield answer_to(case, name, {"small_talk_kept": float(kept), "ms": ms}, {"small_talk_kept": 1.0}, detail)
    right = {"precision": float(case.keep), "f1": float(case.keep)}
    yield answer_to(case, name, right if kept else {}, right, {})


def _case(line: Line) -> Case:
    return Case(
        id=line.name("id"),
        lang=line.name("lang"),
        split=line.text("split", ""),
        category=line.text("category", ""),
        context=line.texts("context"),
        text=line.text("text"),
        keep=bool(line.row.get("keep")),
        kinds=also(line, dict(line.row), "kind"),
    )
