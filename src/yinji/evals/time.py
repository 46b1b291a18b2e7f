"""How well times are understood: each labelled phrase parsed at its moment, and compared with what it means.

A line is right when the expression that overlaps its phrase most has the interval expected, or one of the
``alternatives``: *exact* both ends equal; *start* the start equal and the end within an hour; *overlap* intersection
over union of at least 0.5; *recurrence* the same rule, part by part. ``any_reading`` also counts the other readings
that the parser offers, ``agreed`` leaves out the lines of a public set whose conventions differ,
``by_their_conventions`` reads them by the set of conventions that is named like the public set. The floor knows dates
written as YYYY-MM-DD.

The public sets have forms of their own, told by their fields: see :mod:`yinji.evals.time_public`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from yinji import shipped
from yinji.errors import InvalidInput
from yinji.evals.data import Line, lines, sample
from yinji.evals.report import Answer, Progress
from yinji.evals.time_public import FORMS, Verdict
from yinji.language.time.conventions import names, using
from yinji.language.time.find import Found, find
from yinji.model import Interval

MATCHES = ("exact", "start", "overlap", "recurrence")
LEAST_OVERLAP = 0.5
HOUR = timedelta(hours=1)
_ISO = re.compile(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)")


def measure(data: Path, *, limit: int | None, progress: Progress) -> list[Answer]:
    """An answer for each line of a file, or of every ``.jsonl`` file of a folder."""
    answers: list[Answer] = []
    for path in files(data):
        rows = sample(list(lines(path)), limit)
        for done, line in enumerate(rows, 1):
            answers.append(_answer(line, path.stem))
            progress(path.stem, done, len(rows))
    return answers


def files(data: Path) -> list[Path]:
    found = [data] if data.is_file() else sorted(data.glob("*.jsonl"))
    if not found:
        raise InvalidInput(what=str(data), problem="it has no .jsonl file", hint="Check --data.")
    return found


def _answer(line: Line, name: str) -> Answer:
    public = next((form for form in FORMS if form.applies(line.row)), None)
    started = time.perf_counter()
    verdict = _own(line) if public is None else public.judge(line.row)
    return Answer(
        set=name,
        id=line.name("id"),
        text=line.text("text"),
        lang=line.text("lang"),
        category=verdict.category or line.text("group", ""),
        type=line.text("setting", "") or (line.text("match", "") if public is None else ""),
        split=line.text("split", ""),
        values={} if verdict.right is None else {
            "accuracy": float(verdict.right),
            "any_reading": float(verdict.right or verdict.any_reading),
            **({"agreed": float(verdict.right)} if name in _differing() and not _differs(line, name) else {}),
            **_by_theirs(line, name),
            "ms": (time.perf_counter() - started) * 1000,
        },
        floor={} if verdict.right is None else {"accuracy": float(verdict.floor)},
        detail={"expected": verdict.expected, "found": verdict.found, "reason": verdict.reason},
    )  # fmt: skip


def _by_theirs(line: Line, name: str) -> dict[str, float]:
    """Whether a line of a public set is right when read by the conventions of that set."""
    convention = next((one for one in names() if name.startswith(f"{one}_")), None)
    if convention is None:
        return {}
    with using(convention):
        public = next(form for form in FORMS if form.applies(line.row))
        return {"by_their_conventions": float(bool(public.judge(line.row).right))}


def _differs(line: Line, name: str) -> bool:
    return line.row.get("id") in _differing()[name]


@cache
def _differing() -> Mapping[str, frozenset[str]]:
    """By set, the lines that mean something else by the same words than we do (``data/evals_time.toml``)."""
    read = shipped.toml("evals_time.toml")
    return {name: frozenset(id for row in rows for id in row["ids"]) for name, rows in read.items()}


# ---------------------------------------------------------------- own form


def _own(line: Line) -> Verdict:
    text, phrase, match = line.text("text"), line.text("phrase"), line.text("match", "exact")
    if match not in MATCHES:
        raise line.wrong(f"'match' must be one of {', '.join(MATCHES)}, not {match!r}")
    start = text.find(phrase)
    if start < 0:
        raise line.wrong(f"{phrase!r} is not in the text")
    at = line.time("at").astimezone(_zone(line))
    found = overlapping(find(text, at=at, language=line.text("lang")), start, start + len(phrase))
    wanted = _wanted(line)
    if match == "recurrence":
        rules = {_rule(one) for one in (line.text("recurrence", ""), *line.texts("recurrence_also"))}
        right = found is not None and _rule(found.interval.recurrence or "") in rules
        return Verdict(right=right, expected=line.row.get("recurrence"), found=shown(found))
    return Verdict(
        right=found is not None and _fits([found.interval], wanted, match),
        any_reading=found is not None and _fits(found.others, wanted, match),
        floor=_fits(_iso(phrase, at), wanted, match),
        expected=[[one.isoformat() for one in pair] for pair in wanted],
        found=shown(found),
    )


def overlapping(found: Sequence[Found], start: int, end: int) -> Found | None:
    """The expression that has most of the stretch; ``None`` when none has any."""
    return max(
        (one for one in found if one.start < end and start < one.end and one.length is None),
        key=lambda one: min(one.end, end) - max(one.start, start),
        default=None,
    )


def shown(found: Found | None) -> object:
    """A found expression as ``--out`` writes it."""
    if found is None:
        return None
    interval = found.interval
    ends = [one.isoformat() if one else None for one in (interval.start, interval.end)]
    return {"text": interval.text, "ends": ends, "recurrence": interval.recurrence, "reading": found.reading}


def _zone(line: Line) -> ZoneInfo:
    try:
        return ZoneInfo(line.text("tz"))
    except (ZoneInfoNotFoundError, ValueError):
        raise line.wrong(f"there is no zone {line.text('tz')!r}") from None


def _wanted(line: Line) -> list[tuple[datetime, datetime]]:
    """The interval expected and its alternatives."""
    listed = line.row.get("alternatives") or []
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise line.wrong("'alternatives' must be a list of objects")
    rows = [line, *(Line(path=line.path, number=line.number, row=one) for one in listed)]
    return [(one.time("start"), one.time("end")) for one in rows if one.row.get("start")]


def _fits(found: Iterable[Interval], wanted: Sequence[tuple[datetime, datetime]], match: str) -> bool:
    return any(
        one.start is not None and one.end is not None and fits(one.start, one.end, *pair, match)
        for one in found
        for pair in wanted
    )


def fits(start: datetime, end: datetime, first: datetime, last: datetime, match: str) -> bool:
    """Whether an interval is the one expected, by the instants."""
    if match == "overlap":
        return overlap(start, end, first, last) >= LEAST_OVERLAP
    same_start = start.timestamp() == first.timestamp()
    apart = abs(end.timestamp() - last.timestamp())
    return same_start and (apart <= HOUR.total_seconds() if match == "start" else apart == 0)


def overlap(start: datetime, end: datetime, first: datetime, last: datetime) -> float:
    """Intersection over union."""
    common = min(end.timestamp(), last.timestamp()) - max(start.timestamp(), first.timestamp())
    union = max(end.timestamp(), last.timestamp()) - min(start.timestamp(), first.timestamp())
    return max(0.0, common) / union if union > 0 else 1.0


def _rule(text: str) -> frozenset[tuple[str, str]]:
    """A rule by its parts, their order and that of their lists left out."""
    pairs = (part.partition("=") for part in text.upper().split(";") if part)
    return frozenset((name, ",".join(sorted(value.split(",")))) for name, _, value in pairs)


def _iso(phrase: str, at: datetime) -> list[Interval]:
    found = _ISO.search(phrase)
    if found is None:
        return []
    try:
        day = datetime(int(found[1]), int(found[2]), int(found[3]), tzinfo=at.tzinfo)
    except ValueError:
        return []
    return [Interval(start=day, end=day + timedelta(days=1))]
