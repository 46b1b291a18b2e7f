"""How well statements are read: ``right`` when one was made that says it and is right in every field.

``found``: a statement with all it must contain and nothing it must not. The fields are measured on those.
``nothing``: nothing was made of what says nothing worth keeping. ``extra``: statements that nothing asked for, per
case. ``as_fact``: a plan, wish, question or hypothesis that is kept as if it were so. The floor keeps the text as
it was said, as a fact of the user.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from yinji.config import Settings
from yinji.evals.data import Line
from yinji.evals.labelled import labelled
from yinji.evals.report import Answer, Progress
from yinji.evals.said import also, answer_to, sorted_, spoken, turns_before, weighed
from yinji.language.text import fold
from yinji.model import Draft, Modality, Polarity
from yinji.remember.discern import referring
from yinji.remember.extract import extract

ZONES = {"zh": "Asia/Shanghai", "en": "Europe/London"}
"""Where the speakers of a language live, for dates on the other side of a change of clocks."""
FIELDS = ("kind", "subject", "polarity", "modality", "entities", "time")

if TYPE_CHECKING:
    from yinji.ports import Embedder


@dataclass(frozen=True, kw_only=True, slots=True)
class Expected:
    """One statement; any of the given answers is right for a field."""

    must: tuple[tuple[str, ...], ...]
    never: tuple[str, ...]
    kinds: frozenset[str]
    subjects: frozenset[str]
    polarities: frozenset[str]
    modalities: frozenset[str]
    names: frozenset[str]
    start: datetime | None
    optional: bool

    def is_said(self, content: str) -> bool:
        text = fold(content).replace(" ", "")

        def has(one: str) -> bool:
            return fold(one).replace(" ", "") in text

        return all(any(map(has, wordings)) for wordings in self.must) and not any(map(has, self.never))

    def fields(self, draft: Draft) -> dict[str, float]:
        named = {fold(one.name) for one in draft.entities}
        valid = draft.valid.start if draft.valid else None
        right = {
            "kind": str(draft.kind) in self.kinds,
            "subject": not self.subjects.isdisjoint({_bare(draft.subject), draft.subject}),
            "polarity": str(draft.polarity) in self.polarities,
            "modality": str(draft.modality) in self.modalities,
            "entities": all(any(name in one for one in named) for name in self.names),
            "time": self.start is None or valid == self.start,
        }
        return {name: float(value) for name, value in right.items()}


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    id: str
    lang: str
    split: str
    category: str
    at: datetime
    context: tuple[str, ...]
    text: str
    expected: tuple[Expected, ...]


def measure(data: Path, *, limit: int | None, progress: Progress) -> list[Answer]:
    """An answer for each statement that is expected, and one for each case that expects none."""
    from yinji.evals.runner import cached_embedder

    settings, answers = Settings.load(), list[Answer]()
    embedder = cached_embedder(settings, progress)
    for name, cases in labelled(data, case_of, limit):
        for done, case in enumerate(cases, 1):
            answers += _answers(case, name, settings, embedder)
            progress(name, done, len(cases))
    return answers


def _answers(case: Case, name: str, settings: Settings, embedder: Embedder | None) -> Iterator[Answer]:
    before = turns_before(case.context, case.at)
    turn = spoken(case.text, case.at, seq=len(before))
    opinion = weighed(turn, before, embedder)
    started = time.perf_counter()
    drafts, drops = extract(turn, before, settings.remember, weighed=opinion, refer=referring(embedder))
    ms = (time.perf_counter() - started) * 1000
    drafts = sorted_(drafts, embedder)
    detail: dict[str, object] = {
        "kept": [_shown(one) for one in drafts],
        "dropped": [f"{one.reason}: {one.text}" for one in drops],
    }
    used: set[int] = set()
    for expected in case.expected:
        values = _values(expected, drafts, used)
        floor = _floor(expected, case)
        if values is not None:
            yield answer_to(case, name, values, floor, detail | {"must": [list(one) for one in expected.must]})
    extra = {"extra": float(len(drafts) - len(used)), "ms": ms}
    nothing = {} if case.expected else {"nothing": float(not drafts)}
    yield answer_to(case, name, nothing | extra, {"nothing": 0.0} if nothing else {}, detail)


def _values(expected: Expected, drafts: Sequence[Draft], used: set[int]) -> dict[str, float] | None:
    """What the best of the statements that say it is right in; None for one that may be missing and is."""
    said = [(at, expected.fields(one)) for at, one in enumerate(drafts) if expected.is_said(one.content)]
    if not said:
        return None if expected.optional else {"right": 0.0, "found": 0.0}
    at, fields = max(said, key=lambda one: sum(one[1].values()))
    used.add(at)
    so = not expected.modalities & {Modality.ASSERTED, Modality.QUOTED}
    as_fact = {"as_fact": float(drafts[at].modality is Modality.ASSERTED)} if so else {}
    return {"right": float(all(fields.values())), "found": 1.0} | fields | as_fact


def _floor(expected: Expected, case: Case) -> dict[str, float]:
    fields = {
        "kind": "fact" in expected.kinds,
        "subject": "user" in expected.subjects,
        "polarity": Polarity.POSITIVE in expected.polarities,
        "modality": Modality.ASSERTED in expected.modalities,
        "entities": not expected.names,
        "time": expected.start is None,
    }
    found = expected.is_said(case.text)
    values = {name: float(value) for name, value in fields.items()} if found else {}
    return {"right": float(found and all(fields.values())), "found": float(found)} | values


def _bare(subject: str) -> str:
    return subject.removeprefix("the ").strip()


def _shown(draft: Draft) -> str:
    fields = [draft.kind, draft.subject, draft.polarity, draft.modality]
    start = draft.valid.start.isoformat() if draft.valid and draft.valid.start else "-"
    return f"{draft.content} [{', '.join(map(str, fields))}, {start}, {[one.name for one in draft.entities]}]"


def case_of(line: Line) -> Case:
    """One line of the labelled data."""
    listed = line.row.get("expect", [])
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise line.wrong("'expect' must be a list of objects")
    return Case(
        id=line.name("id"),
        lang=line.name("lang"),
        split=line.text("split", ""),
        category=line.text("category", ""),
        at=_said_at(line),
        context=line.texts("context"),
        text=line.text("text"),
        expected=tuple(_expected(line, row) for row in listed),
    )


def _said_at(line: Line) -> datetime:
    """When it was said, in the speaker's own zone: that of ``tz``, else that of the language."""
    at, zone = line.time("at"), line.text("tz", "") or ZONES.get(line.name("lang"))
    return at if zone is None else at.astimezone(ZoneInfo(zone))


def _expected(line: Line, row: dict[str, object]) -> Expected:
    inner = Line(path=line.path, number=line.number, row=row)
    entities, span = row.get("entities", []), row.get("time")
    names = [str(one["text"]) for one in entities if isinstance(one, dict)] if isinstance(entities, list) else []
    start = span.get("start") if isinstance(span, dict) and not row.get("time_free") else None
    return Expected(
        must=inner.wordings("must_contain"),
        never=inner.texts("must_not_contain"),
        kinds=also(line, row, "kind"),
        subjects=also(line, row, "subject"),
        polarities=also(line, row, "polarity"),
        modalities=also(line, row, "modality"),
        names=frozenset(map(fold, names)),
        start=datetime.fromisoformat(str(start)) if start else None,
        optional=bool(row.get("optional")),
    )
