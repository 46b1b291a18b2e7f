"""Whether a question about now is answered by the newest value, and one about then by what was known then.

Each case has an owner of its own, who says the old value, then the current one.

- ``current_first``: of what is recalled, the best is of the current one; ``current_first_kept``: where both were kept.
- ``as_of_old``: asked as of a moment between the two, the best is of the old one.
- ``stale_shown``: whether the context shows the old one as still holding, without saying that it may be outdated.

The floor takes the newest message for the answer, whenever it is asked about.
"""

from __future__ import annotations

import html
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from yinji.evals.conversation import MARKED
from yinji.evals.data import Line
from yinji.evals.labelled import labelled
from yinji.evals.report import Answer, Progress
from yinji.evals.retrieval import DEPTH, PREFIX, STORE, Open
from yinji.evals.said import spoken

if TYPE_CHECKING:
    from yinji.engine import Memory
    from yinji.model import MemoryEntry

BEFORE = {"old": timedelta(days=60), "current": timedelta(days=20)}
"""How long before the question each value is said: the set does not tell."""
BETWEEN = timedelta(days=40)
FIRST = {"old": 0, "current": 100}
"""Where their messages start in the session."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    id: str
    question: str
    asked_at: datetime
    old: tuple[str, ...]
    current: tuple[str, ...]


def measure(data: Path, open_memory: Open, *, limit: int | None, progress: Progress) -> list[Answer]:
    """An answer for each case that has both values."""
    answers: list[Answer] = []
    with TemporaryDirectory(prefix=PREFIX) as folder, open_memory(Path(folder) / STORE) as memory:
        for name, cases in labelled(data, _case, limit):
            whole = [case for case in cases if case.old and case.current]
            for done, case in enumerate(whole, 1):
                answers.append(_answer(case, name, memory))
                progress(name, done, len(whole))
    return answers


def _answer(case: Case, name: str, memory: Memory) -> Answer:
    sides = {side: _say(case, side, memory) for side in BEFORE}
    started = time.perf_counter()
    now = memory.recall(case.question, DEPTH, owner=case.id, now=case.asked_at)
    ms = (time.perf_counter() - started) * 1000
    then = memory.recall(case.question, DEPTH, owner=case.id, now=case.asked_at, as_of=case.asked_at - BETWEEN)
    context = memory.context(case.question, owner=case.id, now=case.asked_at, used=False)
    kept = memory.list(owner=case.id, validity=None, limit=None)
    told = [line for line in html.unescape(context.text).splitlines() if MARKED not in line]
    stale = [one for one in kept if _side(one, sides) == "old" and any(one.content in line for line in told)]
    first = _first([hit.memory for hit in now], sides) == "current"
    both = {_side(one, sides) for one in kept} >= set(BEFORE)
    values = {
        "current_first": float(first),
        "as_of_old": float(_first([hit.memory for hit in then], sides) == "old"),
        "stale_shown": float(bool(stale)),
        "kept": float(both),
        "ms": ms,
    }
    if both:
        values["current_first_kept"] = float(first)
    return Answer(
        set=name,
        id=case.id,
        text=case.question,
        lang="en",
        category="",
        values=values,
        floor={"current_first": 1.0, "as_of_old": 0.0},
        detail={"kept": [f"{one.content} [{one.validity}]" for one in kept]},
    )


def _say(case: Case, side: str, memory: Memory) -> frozenset[str]:
    """The ids of the turns in which a value was said."""
    at = case.asked_at - BEFORE[side]
    texts = getattr(case, side)
    turns = [
        replace(spoken(text, at + timedelta(minutes=5 * n), seq=n + FIRST[side]), id="", owner="")
        for n, text in enumerate(texts)
    ]
    return frozenset(one.turn_id for one in memory.remember_many(turns, owner=case.id))


def _side(memory: MemoryEntry, sides: dict[str, frozenset[str]]) -> str:
    turns = {source.turn_id for source in memory.sources}
    return next((side for side in ("current", "old") if turns & sides[side]), "")


def _first(found: Sequence[MemoryEntry], sides: dict[str, frozenset[str]]) -> str:
    return _side(found[0], sides) if found else ""


def _case(line: Line) -> Case:
    row = dict(line.row)
    return Case(
        id=line.name("id"),
        question=line.text("question"),
        asked_at=line.time("asked_at"),
        old=_texts(line, row.get("old_text"), "old_text"),
        current=_texts(line, row.get("current_text"), "current_text"),
    )


def _texts(line: Line, listed: object, name: str) -> tuple[str, ...]:
    if not isinstance(listed, list) or not all(isinstance(text, str) for text in listed):
        raise line.wrong(f"{name!r} must be a list of texts")
    return tuple(map(str, listed))
