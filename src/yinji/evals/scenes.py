"""How well the scenes of a statement are told: ``accuracy`` (all of them and no other), ``precision``, ``recall``.

The floor says ``life``, which is the commonest.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from yinji.config import Settings
from yinji.evals.data import Line
from yinji.evals.labelled import labelled
from yinji.evals.report import Answer, Progress
from yinji.evals.said import answer_to
from yinji.remember.scenes import label

COMMONEST = frozenset({"life"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    id: str
    lang: str
    split: str
    category: str
    text: str
    scenes: frozenset[str]


def measure(data: Path, *, limit: int | None, progress: Progress) -> list[Answer]:
    """An answer for every case."""
    settings, answers = Settings.load().remember, list[Answer]()
    for name, cases in labelled(data, _case, limit):
        label("warm-up", settings)  # loads the weights, which are no part of what a text costs
        for done, case in enumerate(cases, 1):
            started = time.perf_counter()
            found = frozenset(label(case.text, settings))
            ms = (time.perf_counter() - started) * 1000
            values = _values(found, case.scenes) | {"ms": ms}
            detail: dict[str, object] = {"scenes": sorted(case.scenes), "found": sorted(found)}
            answers.append(answer_to(case, name, values, _values(COMMONEST, case.scenes), detail))
            progress(name, done, len(cases))
    return answers


def _values(found: frozenset[str], wanted: frozenset[str]) -> dict[str, float]:
    hit = len(found & wanted)
    return {"accuracy": float(found == wanted), "precision": hit / len(found), "recall": hit / len(wanted)}


def _case(line: Line) -> Case:
    listed = line.row.get("scenes")
    if not isinstance(listed, list) or not listed:
        raise line.wrong(f"'scenes' must be a list of scenes, not {listed!r}")
    scenes = frozenset(str(one) for one in listed)
    return Case(
        id=line.name("id"),
        lang=line.name("lang"),
        split=line.text("split", ""),
        category="several" if len(scenes) > 1 else next(iter(scenes)),
        text=line.text("text"),
        scenes=scenes,
    )
