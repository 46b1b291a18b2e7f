"""How well pronouns are replaced by what they stand for.

``accuracy``: the right thing was put in, or the pronoun was left alone where it has to be. ``wrongly_replaced``:
something else was put in. The floor is the trivial rule: the nearest name or noun phrase before the pronoun that
can be meant by its number and kind.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from yinji.config import Settings
from yinji.evals.data import Line
from yinji.evals.labelled import labelled
from yinji.evals.report import Answer, Progress
from yinji.language.text import content_key
from yinji.remember.discern import referring
from yinji.remember.resolve import nearest, resolve
from yinji.remember.resolve_rank import Refer

ARTICLES = ("the ", "a ", "an ")


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    id: str
    lang: str
    split: str
    category: str
    context: tuple[str, ...]
    text: str
    start: int
    end: int
    right: frozenset[str]
    """Keys of what may be put in; none when the pronoun must be left alone."""


def measure(data: Path, *, limit: int | None, progress: Progress) -> list[Answer]:
    """An answer for each pronoun, by the signs and, where the embedder has them, its tuned layers."""
    from yinji.evals.runner import cached_embedder

    answers, refer = list[Answer](), referring(cached_embedder(Settings.load(), progress))
    for name, cases in labelled(data, _case, limit):
        for done, case in enumerate(cases, 1):
            answers.append(_answer(case, name, refer))
            progress(name, done, len(cases))
    return answers


def _answer(case: Case, name: str, refer: Refer | None) -> Answer:
    started = time.perf_counter()
    found = resolve(case.text, case.context, language=case.lang, refer=refer)
    ms = (time.perf_counter() - started) * 1000
    mine = next((one for one in found if one.start < case.end and case.start < one.end and one.antecedent), None)
    given = mine.antecedent if mine else None
    below = nearest(case.text, case.context, case.start, case.end, language=case.lang)
    return Answer(
        set=name,
        id=case.id,
        text=case.text,
        lang=case.lang,
        category=f"{case.lang} {case.category}",
        split=f"{case.lang} {case.split}",
        values=_values(given, case) | {"ms": ms},
        floor=_values(below, case),
        detail={"given": given, "why": mine.why if mine else "", "right": sorted(case.right), "floor": below},
    )


def _values(given: str | None, case: Case) -> dict[str, float]:
    right = answer_key(given) in case.right if given else not case.right
    return {"accuracy": float(right), "wrongly_replaced": float(given is not None and not right)}


def answer_key(text: str) -> str:
    low = text.lower()
    return content_key(next((low[len(one) :] for one in ARTICLES if low.startswith(one)), low))


def _case(line: Line) -> Case:
    start = line.number_of("pronoun_start", 0)
    gold = [line.text("antecedent", "")] if line.row.get("antecedent") else []
    return Case(
        id=line.name("id"),
        lang=line.name("lang"),
        split=line.text("split", ""),
        category=line.text("category", ""),
        context=line.texts("context"),
        text=line.text("text"),
        start=start,
        end=start + len(line.text("pronoun")),
        right=frozenset(map(answer_key, [*gold, *line.texts("antecedent_also")] if gold else [])),
    )
