"""How well names are found: exact spans of the right type.

An answer stands for a span. Every span to find and every span found counts once in ``f1`` with 1 when it was
hit, so that its mean is micro F1: ``2 TP / (gold + found)``. Found spans that overlap an optional one do not
count. The floor: the segmenter's own tags for Chinese, runs of capitalised words for English.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from yinji.evals.data import Line
from yinji.evals.labelled import labelled, whole
from yinji.evals.report import Answer, Progress
from yinji.language.entities import aliases, find_entities
from yinji.language.segment import tagged

TAGS = {"nr": "person", "nrt": "person", "nrfg": "person", "ns": "place", "nt": "organisation", "nz": "product"}
_CAPITALS = re.compile(r"[A-Z][\w'’.-]*(?:\s+[A-Z][\w'’.-]*)*")
ALIASES = "aliases"

Span = tuple[int, int, str]
"""Start, end, type."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Label:
    """One span to find; any of ``spans`` with any of ``types`` is right."""

    type: str
    types: frozenset[str]
    spans: frozenset[tuple[int, int]]
    optional: bool

    def is_hit(self, found: Span) -> bool:
        return found[:2] in self.spans and found[2] in self.types

    def touches(self, found: Span) -> bool:
        return any(found[0] < end and start < found[1] for start, end in self.spans)


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    id: str
    lang: str
    split: str
    text: str
    labels: tuple[Label, ...]
    aliases: frozenset[frozenset[str]]


def measure(data: Path, *, limit: int | None, progress: Progress) -> list[Answer]:
    """The answers of every span to find and every span found."""
    answers: list[Answer] = []
    for name, cases in labelled(data, _case, limit):
        for done, case in enumerate(cases, 1):
            answers += _answers(case, name)
            progress(name, done, len(cases))
    return answers


def _answers(case: Case, name: str) -> Iterator[Answer]:
    started = time.perf_counter()
    entities = find_entities(case.text, language=case.lang)
    ms = (time.perf_counter() - started) * 1000
    ours = [(one.start, one.end, one.type) for one in entities]
    yield _answer(case, name, values={"ms": ms}, floor={})
    yield from _compared(case, name, ours, _floor(case))
    yield from _linked(case, name)


def _compared(case: Case, name: str, ours: Sequence[Span], floor: Sequence[Span]) -> Iterator[Answer]:
    for label in case.labels:
        if not label.optional:
            hit, below = (float(any(map(label.is_hit, found))) for found in (ours, floor))
            values, under = {"recall": hit, "f1": hit}, {"recall": below, "f1": below}
            yield _answer(case, name, type=label.type, values=values, floor=under)
    for found in ours:
        if (hit_by := _hit(found, case)) is not None:
            yield _answer(case, name, type=hit_by[0], values={"precision": hit_by[1], "f1": hit_by[1]}, floor={})
    for found in floor:
        if (hit_by := _hit(found, case)) is not None:
            yield _answer(case, name, type=hit_by[0], values={}, floor={"precision": hit_by[1], "f1": hit_by[1]})


def _hit(found: Span, case: Case) -> tuple[str, float] | None:
    """Under which type a found span counts, and whether it is right; None when it does not count."""
    for label in case.labels:
        if label.is_hit(found):
            return None if label.optional else (label.type, 1.0)
    if any(label.optional and label.touches(found) for label in case.labels):
        return None
    return found[2], 0.0


def _linked(case: Case, name: str) -> Iterator[Answer]:
    """Pairs that the sentence says are one; there is no trivial rule that would find them."""
    found = {frozenset(pair) for pair in aliases(case.text, language=case.lang)}
    for pair in case.aliases:
        hit = float(pair in found)
        yield _answer(case, name, type=ALIASES, values={"recall": hit, "f1": hit}, floor={})
    for pair in found:
        hit = float(pair in case.aliases)
        yield _answer(case, name, type=ALIASES, values={"precision": hit, "f1": hit}, floor={})


def _answer(case: Case, name: str, *, type: str = "", values: dict[str, float], floor: dict[str, float]) -> Answer:
    return Answer(
        set=name,
        id=case.id,
        text=case.text,
        lang=case.lang,
        type=f"{case.lang} {case.split} {type}".strip() if type else "",
        split=f"{case.lang} {case.split}" if type != ALIASES else "",
        values=values,
        floor=floor,
    )


def _floor(case: Case) -> list[Span]:
    if case.lang != "zh":
        return [(match.start(), match.end(), "person") for match in _CAPITALS.finditer(case.text)]
    found, at = [], 0
    for word, tag in tagged(case.text):
        start = case.text.find(word, at)
        at = start + len(word)
        if tag in TAGS and len(word) > 1:
            found.append((start, at, TAGS[tag]))
    return found


def _case(line: Line) -> Case:
    return Case(
        id=line.name("id"),
        lang=line.name("lang"),
        split=line.text("split", ""),
        text=line.text("text"),
        labels=tuple(_label(line, row) for row in _rows(line)),
        aliases=frozenset(frozenset(pair) for pair in line.wordings("aliases")),
    )


def _rows(line: Line) -> Iterator[dict[str, object]]:
    listed = line.row.get("entities")
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise line.wrong("'entities' must be a list of objects")
    yield from listed


def _label(line: Line, row: dict[str, object]) -> Label:
    also, types = row.get("also", []), row.get("type_also", [])
    if not isinstance(also, list) or not isinstance(types, list):
        raise line.wrong("'also' and 'type_also' must be lists")
    return Label(
        type=str(row["type"]),
        types=frozenset({str(row["type"]), *map(str, types)}),
        spans=frozenset({(whole(line, row, "start"), whole(line, row, "end")), *((a, b) for a, b in also)}),
        optional=bool(row.get("optional")),
    )
