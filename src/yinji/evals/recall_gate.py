"""How well is told whether a message needs memory: ``precision``, ``recall``, ``f1``. The floor recalls always.

A case gives one answer for what it is and one for what was made of it, so that the mean of ``f1`` is
``2 TP / (needed + recalled)``. ``idle``: share of messages that need nothing for which memories were fetched.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from yinji.evals.data import Line
from yinji.evals.labelled import labelled
from yinji.evals.report import Answer, Progress
from yinji.evals.retrieval import Open
from yinji.evals.said import answer_to

if TYPE_CHECKING:
    from yinji.engine import Memory


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    id: str
    lang: str
    split: str
    category: str
    context: tuple[str, ...]
    text: str
    needed: bool


def measure(data: Path, open_memory: Open, *, limit: int | None, progress: Progress) -> list[Answer]:
    """The answers of every case."""
    answers: list[Answer] = []
    with tempfile.TemporaryDirectory() as folder, open_memory(Path(folder) / "gate.yinji") as memory:
        for name, cases in labelled(data, _case, limit):
            for done, case in enumerate(cases, 1):
                answers += _answers(case, name, memory)
                progress(name, done, len(cases))
    return answers


def _answers(case: Case, name: str, memory: Memory) -> Iterator[Answer]:
    memory.needs_recall(case.text, context=case.context)  # the vector is made here: what is timed is the decision
    started = time.perf_counter()
    told = memory.needs_recall(case.text, context=case.context)
    ms = (time.perf_counter() - started) * 1000
    detail: dict[str, object] = {
        "needed": case.needed,
        "recall": told.recall,
        "share": round(told.share, 3),
        "by": told.by,
    }
    if case.needed:
        hit = float(told.recall)
        yield answer_to(case, name, {"recall": hit, "f1": hit, "ms": ms}, {"recall": 1.0, "f1": 1.0}, detail)
    else:
        yield answer_to(case, name, {"idle": float(told.recall), "ms": ms}, {"idle": 1.0}, detail)
    right = {"precision": float(case.needed), "f1": float(case.needed)}
    yield answer_to(case, name, right if told.recall else {}, right, {})


def _case(line: Line) -> Case:
    return Case(
        id=line.name("id"),
        lang=line.name("lang"),
        split=line.text("split", ""),
        category=line.text("category", ""),
        context=line.texts("context"),
        text=line.text("text"),
        needed=bool(line.row.get("need_recall")),
    )
