"""What an eval found: per question, per group and in all, with the floor and an interval beside every number."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from yinji.evals.metrics import Estimate, bootstrap, mean, percentile

Progress: TypeAlias = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""

DIMENSIONS = ("set", "lang", "category", "type", "split")
LATENCY = "ms"
PERCENTILES = {"ms_p50": 0.50, "ms_p95": 0.95}


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What one question came to: a value for each metric that applies to it, the floor's, and what was given."""

    set: str
    id: str
    text: str
    lang: str
    category: str = ""
    type: str = ""
    split: str = ""
    values: Mapping[str, float]
    floor: Mapping[str, float]
    detail: Mapping[str, object] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        groups = {name: getattr(self, name) for name in DIMENSIONS if getattr(self, name)}
        values = {name: round(value, 6) for name, value in self.values.items()}
        floor = {name: round(value, 6) for name, value in self.floor.items()}
        return {**groups, "id": self.id, "text": self.text, "values": values, "floor": floor, **self.detail}


@dataclass(frozen=True, kw_only=True, slots=True)
class Group:
    """The means over some questions; each over those that the metric applies to."""

    n: int
    overall: Mapping[str, float]
    floor: Mapping[str, float]
    interval: Mapping[str, Estimate]
    """Its ``n`` is how many questions the metric applies to."""

    def as_json(self) -> dict[str, object]:
        return {
            "n": self.n,
            **_rounded(self.overall),
            "floor": _rounded(self.floor),
            "interval": _intervals(self.interval),
            "applies": _counts(self.interval),
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Compared:
    """This run minus an earlier one: per metric, with an interval where both have answers to the same questions."""

    source: str
    date: str
    before: Mapping[str, float]
    difference: Mapping[str, float]
    paired: Mapping[str, Estimate]

    def as_json(self) -> dict[str, object]:
        return {
            "source": self.source,
            "date": self.date,
            "before": _rounded(self.before),
            "difference": _rounded(self.difference),
            "paired": _paired(self.paired),
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """One run of one eval; ``as_json`` is the object of SPEC E1."""

    eval: str
    data: str
    all: Group
    paired: Mapping[str, Estimate]
    """System minus floor, on the same questions."""
    by: Mapping[str, Mapping[str, Group]]
    version: str
    model: str
    date: str
    command: str
    warnings: tuple[str, ...] = ()
    against: Compared | None = None
    answers: tuple[Answer, ...] = ()

    @property
    def overall(self) -> Mapping[str, float]:
        return self.all.overall

    @property
    def floor(self) -> Mapping[str, float]:
        return self.all.floor

    @property
    def n(self) -> int:
        return self.all.n

    def as_json(self) -> dict[str, object]:
        return {
            "eval": self.eval,
            "data": self.data,
            "n": self.n,
            "overall": _rounded(self.overall),
            "floor": _rounded(self.floor),
            "by": {name: {key: group.as_json() for key, group in groups.items()} for name, groups in self.by.items()},
            "version": self.version,
            "model": self.model,
            "interval": _intervals(self.all.interval),
            "applies": _counts(self.all.interval),
            "paired": _paired(self.paired),
            "date": self.date,
            "command": self.command,
            "warnings": list(self.warnings),
            **({"against": self.against.as_json()} if self.against else {}),
        }

    def as_table(self, lang: str = "en") -> str:
        """For a person's eyes, in their language."""
        from yinji.evals.table import plain

        return plain(self, lang)

    def as_markdown(self, lang: str = "en") -> str:
        """For ``docs/results.md``."""
        from yinji.evals.table import markdown

        return markdown(self, lang)

    def __str__(self) -> str:
        return self.as_table()


def summarise(
    name: str,
    answers: Sequence[Answer],
    *,
    data: str,
    version: str,
    model: str,
    date: str,
    command: str,
    warnings: Sequence[str] = (),
    extra: Mapping[str, Mapping[str, float]] | None = None,
) -> Report:
    """The report over these answers. ``extra`` holds, per set, numbers that no single question has."""
    extra = extra or {}
    by = {name: _by(name, answers) for name in DIMENSIONS}
    by["set"] = {key: _with_extra(group, extra.get(key, {})) for key, group in by["set"].items()}
    return Report(
        eval=name,
        data=data,
        all=_with_extra(group(answers), _mean_extra(extra)),
        paired=differences([(one.values, one.floor) for one in answers]),
        by={name: groups for name, groups in by.items() if groups and (name != "set" or len(groups) > 1)},
        version=version,
        model=model,
        date=date,
        command=command,
        warnings=tuple(warnings),
        answers=tuple(answers),
    )


def group(answers: Sequence[Answer]) -> Group:
    """The means over these answers, latency as percentiles."""
    columns = _columns([one.values for one in answers])
    times = columns.pop(LATENCY, [])
    floor = _columns([one.floor for one in answers])
    overall = {name: mean(values) for name, values in columns.items()}
    overall |= {name: percentile(times, share) for name, share in PERCENTILES.items() if times}
    return Group(
        n=len(answers),
        overall=overall,
        floor={name: mean(values) for name, values in floor.items()},
        interval={name: bootstrap(values) for name, values in columns.items()},
    )


def differences(pairs: Sequence[tuple[Mapping[str, float], Mapping[str, float]]]) -> dict[str, Estimate]:
    """Per metric the mean of first minus second over the pairs that have both, with its interval."""
    columns = _columns([{name: a[name] - b[name] for name in a if name in b} for a, b in pairs])
    return {name: bootstrap(values) for name, values in columns.items()}


def _by(dimension: str, answers: Sequence[Answer]) -> dict[str, Group]:
    groups: dict[str, list[Answer]] = {}
    for one in answers:
        if value := getattr(one, dimension):
            groups.setdefault(value, []).append(one)
    return {value: group(groups[value]) for value in sorted(groups)}


def _with_extra(group: Group, extra: Mapping[str, float]) -> Group:
    return Group(n=group.n, overall={**group.overall, **extra}, floor=group.floor, interval=group.interval)


def _mean_extra(extra: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    return {name: mean(values) for name, values in _columns(list(extra.values())).items()}


def _columns(rows: Sequence[Mapping[str, float]]) -> dict[str, list[float]]:
    columns: dict[str, list[float]] = {}
    for row in rows:
        for name, value in row.items():
            columns.setdefault(name, []).append(value)
    return columns


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 6) for name, value in values.items()}


def _intervals(values: Mapping[str, Estimate]) -> dict[str, list[float]]:
    return {name: [round(one.low, 6), round(one.high, 6)] for name, one in values.items()}


def _counts(values: Mapping[str, Estimate]) -> dict[str, int]:
    return {name: one.n for name, one in values.items()}


def _paired(values: Mapping[str, Estimate]) -> dict[str, dict[str, float]]:
    return {
        name: {"difference": round(one.mean, 6), "low": round(one.low, 6), "high": round(one.high, 6), "n": one.n}
        for name, one in values.items()
    }
