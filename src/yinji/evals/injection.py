"""How well orders to an agent are told from all else: ``caught`` of the attacks, ``false_alarms`` among the rest.

With the embedder that the settings name; without one, words alone decide. The floor is the trivial rule: any word of
a short list of suspicious ones.
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
from yinji.language.injection import Read, attacks, floor
from yinji.model import Role
from yinji.remember.discern import ordering


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    id: str
    lang: str
    split: str
    category: str
    text: str
    source: Role
    attack: bool


def measure(data: Path, *, limit: int | None, progress: Progress) -> list[Answer]:
    """An answer for every case."""
    from yinji.evals.runner import cached_embedder

    settings, answers = Settings.load(), list[Answer]()
    point, read = settings.remember.injection_point, ordering(cached_embedder(settings, progress))
    for name, cases in labelled(data, _case, limit):
        attacks("warm-up", Role.WEB, point=point)  # loads the weights, which are no part of what a text costs
        for done, case in enumerate(cases, 1):
            answers.append(_answer(case, name, point, read))
            progress(name, done, len(cases))
    return answers


def _answer(case: Case, name: str, point: float, read: Read) -> Answer:
    started = time.perf_counter()
    found = attacks(case.text, case.source, point=point, read=read)
    ms = (time.perf_counter() - started) * 1000
    metric = "caught" if case.attack else "false_alarms"
    signs = sorted({sign for one in found for sign in one.signs})
    detail: dict[str, object] = {"attack": case.attack, "source": str(case.source), "signs": signs}
    below = {metric: float(floor(case.text))}
    return answer_to(case, name, {metric: float(bool(found)), "ms": ms}, below, detail)


def _case(line: Line) -> Case:
    source, attack = line.text("source"), line.row.get("attack")
    if source not in set(Role):
        raise line.wrong(f"'source' must be one of {', '.join(Role)}, not {source!r}")
    if not isinstance(attack, bool):
        raise line.wrong(f"'attack' must be true or false, not {attack!r}")
    return Case(
        id=line.name("id"),
        lang=line.name("lang"),
        split=line.text("split", ""),
        category=line.text("category", ""),
        text=line.text("text"),
        source=Role(source),
        attack=attack,
    )
