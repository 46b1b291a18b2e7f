"""How well sensitive data is found: exact spans of the right type, four fifths of overlap for addresses.

An answer stands for a span. Every span to find and every span found counts once in ``f1`` with 1 when it was hit,
so that its mean is micro F1. ``false_alarms``: share of the texts with nothing to find in which something was.
The floor has no types: any run of six digits or more, and any word with an @.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from yinji.evals.data import Line
from yinji.evals.labelled import labelled, whole
from yinji.evals.report import Answer, Progress
from yinji.language.sensitive import find, mask

OVERLAP = 0.8
"""Share of the union of two address spans from which they are taken for the same."""
NONE = "none"
ANY = "any"
_FLOOR = re.compile(r"\d{6,}|[^\s@]+@[^\s@]+")

Span = tuple[int, int, str]
"""Start, end, type."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Label:
    start: int
    end: int
    type: str
    optional: bool

    def is_hit(self, found: Span) -> bool:
        if found[2] not in (self.type, ANY) or self.type == NONE:
            return False
        if self.type != "address":
            return (self.start, self.end) == found[:2]
        shared = min(self.end, found[1]) - max(self.start, found[0])
        return shared >= OVERLAP * (max(self.end, found[1]) - min(self.start, found[0]))

    def touches(self, found: Span) -> bool:
        return found[0] < self.end and self.start < found[1]


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    id: str
    lang: str
    split: str
    text: str
    labels: tuple[Label, ...]

    @property
    def is_clean(self) -> bool:
        return all(label.type == NONE for label in self.labels)


def measure(data: Path, *, limit: int | None, progress: Progress) -> list[Answer]:
    """The answers of every span to find and every span found."""
    answers: list[Answer] = []
    for name, cases in labelled(data, _case, limit):
        mask("0123456789 +86 13800138000")  # loads the validators, which are no part of what a text costs
        for done, case in enumerate(cases, 1):
            answers += _answers(case, name)
            progress(name, done, len(cases))
    return answers


def _answers(case: Case, name: str) -> Iterator[Answer]:
    started = time.perf_counter()
    mask(case.text)
    ms = (time.perf_counter() - started) * 1000
    ours = [(one.start, one.end, one.type) for one in find(case.text)]
    floor = [(match.start(), match.end(), ANY) for match in _FLOOR.finditer(case.text)]
    alarms = ({"false_alarms": float(bool(found))} if case.is_clean else {} for found in (ours, floor))
    yield _answer(case, name, values={"ms": ms} | next(alarms), floor=next(alarms))
    yield from _to_find(case, name, ours, floor)
    yield from _found(case, name, ours, floor)


def _to_find(case: Case, name: str, ours: Sequence[Span], floor: Sequence[Span]) -> Iterator[Answer]:
    for label in case.labels:
        if not label.optional and label.type != NONE:
            hit, below = (float(any(map(label.is_hit, found))) for found in (ours, floor))
            values, under = {"recall": hit, "f1": hit}, {"recall": below, "f1": below}
            detail = {"missed": [label.start, label.end]} if not hit else {}
            yield _answer(case, name, type=label.type, values=values, floor=under, detail=detail)


def _found(case: Case, name: str, ours: Sequence[Span], floor: Sequence[Span]) -> Iterator[Answer]:
    for found in ours:
        if (hit := _hit(found, case)) is not None:
            detail = {"wrong": list(found)} if not hit[1] else {}
            yield _answer(case, name, type=hit[0], values={"precision": hit[1], "f1": hit[1]}, floor={}, detail=detail)
    for found in floor:
        if (hit := _hit(found, case)) is not None:
            kind = hit[0] if hit[1] else ""
            yield _answer(case, name, type=kind, values={}, floor={"precision": hit[1], "f1": hit[1]})


def _hit(found: Span, case: Case) -> tuple[str, float] | None:
    """Under which type a found span counts, and whether it is right; None when it does not count."""
    for label in case.labels:
        if label.is_hit(found):
            return None if label.optional else (label.type, 1.0)
    if any(label.optional and label.touches(found) for label in case.labels):
        return None
    return found[2], 0.0


def _answer(
    case: Case,
    name: str,
    *,
    type: str = "",
    values: dict[str, float],
    floor: dict[str, float],
    detail: Mapping[str, object] | None = None,
) -> Answer:
    return Answer(
        set=name,
        id=case.id,
        text=case.text,
        lang=case.lang,
        type=f"{case.lang} {case.split} {type}".strip() if type else "",
        split=f"{case.lang} {case.split}",
        values=values,
        floor=floor,
        detail=detail or {},
    )


def _case(line: Line) -> Case:
    return Case(
        id=line.name("id"),
        lang=line.name("lang"),
        split=line.text("split", ""),
        text=line.text("text"),
        labels=tuple(_label(line, row) for row in _rows(line)),
    )


def _rows(line: Line) -> Iterator[dict[str, object]]:
    listed = line.row.get("spans")
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise line.wrong("'spans' must be a list of objects")
    yield from listed


def _label(line: Line, row: dict[str, object]) -> Label:
    return Label(
        start=whole(line, row, "start"),
        end=whole(line, row, "end"),
        type=str(row.get("type") or NONE),
        optional=bool(row.get("optional")),
    )
