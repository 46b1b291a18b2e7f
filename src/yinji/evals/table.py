"""Reports as tables, for a terminal and for Markdown, in the reader's language (``data/evals.toml``)."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from yinji import shipped
from yinji.evals.losses import BROUGHT, LOST
from yinji.evals.metrics import Estimate
from yinji.evals.report import Group, Report

Rows: TypeAlias = list[tuple[str, ...]]
"""The first is the heading."""

COLUMNS = {
    "sensitive": ("recall", "precision", "f1", "false_alarms"),
    "retrieval": ("r_at_1", "r_at_5", "r_at_10", "mrr", "ndcg_at_10"),
    "conversation": ("r_at_5", "answer_in_1200", "answer_in_720", "stale_shown", "abstained", "recall_lost"),
}
NOT_SHARES = ("ms_p50", "ms_p95", "rules_ms", "memories_per_turn", "context_tokens")
BENCH = "bench"
OF_RULES = frozenset(
    {"gate", "extract", "coref", "time", "conflict", "sensitive", "injection", "scenes", "entities", "update"}
)
"""Evals whose floor is a trivial rule, not a ranking by BM25."""
WIDE = "WF"


def plain(report: Report, lang: str) -> str:
    """Aligned columns, Chinese characters counted as two."""
    return "\n\n".join(_blocks(report, lang, _aligned)) + "\n"


def markdown(report: Report, lang: str) -> str:
    return "\n\n".join(_blocks(report, lang, _piped)) + "\n"


def _blocks(report: Report, lang: str, write: Callable[[Rows], str]) -> Iterator[str]:
    words = _words_for(report.eval, lang)
    yield words["head"].format(
        eval=report.eval,
        data=report.data,
        n=report.n,
        version=report.version,
        model=report.model,
        date=report.date,
    )
    if report.eval == BENCH:
        compared = any(group.floor for group in report.by["size"].values())
        yield write(_bench(report, words) if compared else _alone(report))
        yield words["bench" if compared else "alone"]
    else:
        yield write(_metrics(report, words))
        yield write(_groups(report, words, _columns(report)))
        if lost := [name for name in report.overall if name.startswith((LOST, BROUGHT))]:
            yield words["losses"]
            yield write(_groups(report, words, lost))
        yield words["legend"]
    if report.against:
        yield words["against"].format(source=report.against.source, date=report.against.date)
        yield write(_against(report, words))
    if report.warnings:
        yield "\n".join(f"{words['warnings']}: {one}" for one in report.warnings)


def _words_for(name: str, lang: str) -> Mapping[str, str]:
    """The words of a report, with the right name for its floor."""
    words = labels(lang)
    if name not in OF_RULES:
        return words
    return {**words, "floor": words["rule"], "legend": words["legend"].replace(words["floor"], words["rule"])}


@cache
def labels(lang: str) -> Mapping[str, str]:
    """The words of tables in that language; English where there are none."""
    read = shipped.toml("evals.toml")
    words: Mapping[str, str] = read.get(lang, read["en"])
    return words


def number(name: str, value: float | None) -> str:
    """Shares in percent, other things as they are; ``·`` for what does not apply."""
    if value is None:
        return "·"
    return amount(value) if name in NOT_SHARES else f"{value * 100:.1f}"


def amount(value: float) -> str:
    """Three digits or so."""
    size = abs(value)
    return f"{value:.0f}" if size >= 100 else f"{value:.1f}" if size >= 10 else f"{value:.2f}"


def _bench(report: Report, words: Mapping[str, str]) -> Rows:
    sizes = report.by["size"]
    columns = [(size, what) for size in sizes for what in ("", words["alternative"], words["ratio"])]
    heading = ("", *(f"{size} {what}".strip() for size, what in columns))
    return [heading, *((name, *_bench_cells(name, list(sizes.values()))) for name in report.overall)]


def _alone(report: Report) -> Rows:
    """Without an alternative beside it."""
    groups = report.by["size"]
    return [
        ("", *groups),
        *((name, *(_spread(group.interval[name]) for group in groups.values())) for name in report.overall),
    ]


def _bench_cells(name: str, groups: Sequence[Group]) -> Iterator[str]:
    for group in groups:
        one, other = group.interval[name], group.floor.get(name)
        yield _spread(one)
        yield "·" if other is None else amount(other)
        yield "·" if not other else f"{one.mean / other:.2f}"


def _spread(one: Estimate) -> str:
    spread = f" ({amount(one.low)} – {amount(one.high)}; n {one.n})" if one.n > 1 else ""
    return amount(one.mean) + spread


def _metrics(report: Report, words: Mapping[str, str]) -> Rows:
    heading = tuple(words[name] for name in ("metric", "value", "interval", "floor", "difference"))
    return [
        heading,
        *(
            (
                name,
                number(name, value),
                _span(name, report.all.interval.get(name)),
                number(name, report.floor.get(name)),
                _change(name, report.paired.get(name)),
            )
            for name, value in report.overall.items()
            if not name.startswith((LOST, BROUGHT))
        ),
    ]


def _span(name: str, estimate: Estimate | None) -> str:
    return "" if estimate is None else f"{number(name, estimate.low)} – {number(name, estimate.high)}"


def _change(name: str, estimate: Estimate | None) -> str:
    if estimate is None:
        return ""
    sign = "+" if estimate.mean >= 0 else ""
    return f"{sign}{number(name, estimate.mean)} ({_span(name, estimate)})"


def _columns(report: Report) -> list[str]:
    return [name for name in COLUMNS.get(report.eval, tuple(report.overall)) if name in report.overall]


def _groups(report: Report, words: Mapping[str, str], columns: Sequence[str]) -> Rows:
    rows: Rows = [("", words["n"], *columns), _group_row(words["all"], report.all, columns)]
    for dimension, groups in report.by.items():
        rows += [_group_row(f"{words[dimension]} {key}", group, columns) for key, group in groups.items()]
    return rows


def _group_row(label: str, group: Group, columns: Sequence[str]) -> tuple[str, ...]:
    return (label, str(group.n), *(_cell(name, group) for name in columns))


def _cell(name: str, group: Group) -> str:
    if name not in group.overall:
        return "·"
    around = group.interval.get(name)
    spread = f" ±{number(name, (around.high - around.low) / 2)}" if around else ""
    floor = f" ({number(name, group.floor[name])})" if name in group.floor else ""
    return number(name, group.overall[name]) + spread + floor


def _against(report: Report, words: Mapping[str, str]) -> Rows:
    compared = report.against
    assert compared is not None
    heading = tuple(words[name] for name in ("metric", "before", "value", "difference"))
    return [
        heading,
        *(
            (
                name,
                number(name, compared.before[name]),
                number(name, report.overall.get(name)),
                _change(name, compared.paired[name]) if name in compared.paired else number(name, difference),
            )
            for name, difference in compared.difference.items()
        ),
    ]


def _aligned(rows: Rows) -> str:
    widths = [max(_width(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            _padded(cell, width, left=at == 0) for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _padded(cell: str, width: int, *, left: bool) -> str:
    blank = " " * (width - _width(cell))
    return cell + blank if left else blank + cell


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in WIDE else 1 for char in text)


def _piped(rows: Rows) -> str:
    rule = ("---", *("---:" for _ in rows[0][1:]))
    lines = ([cell.replace("|", "\\|") for cell in row] for row in (rows[0], rule, *rows[1:]))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
