"""The public date-time sets, each in its own form, judged by what the forms have in common with ours.

*Recognizers* (``spans``, or ``span`` with ``future`` and ``past``): every expression named must be found where it
stands with one of its values, and nothing else may be found. Their ranges stop at the start of the last day named, ours
after it: both count. Parts of the day are compared by name, since their hours are their own. Times that they leave
unresolved count as right when the expression is found, or is refused as no date.

*JioNLP* (``gold``): instants are compared to the second for what is called accurate (a clock time's end to the hour,
as everywhere), by an overlap of a half for what is called blurred. Lines that need a reference and have none are out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from yinji.language.time.find import Found, find
from yinji.model import Grain, Interval

Row = Mapping[str, Any]
DAY = timedelta(days=1)
PARTS = ("TMO", "TAF", "TEV", "TNI", "TDT", "TNT")
NEVER = "0001-01-01"
UNRESOLVED = "not resolved"
CHINA = ZoneInfo("Asia/Shanghai")
SECONDS = {"year": 31536000, "month": 2592000, "day": 86400, "workday": 86400, "hour": 3600, "minute": 60, "second": 1}
FREQUENCIES = {"D": "DAILY", "W": "WEEKLY", "M": "MONTHLY", "Y": "YEARLY", "H": "HOURLY", "S": "SECONDLY"}
PERIODS = {"year": "YEARLY", "month": "MONTHLY", "day": "DAILY", "hour": "HOURLY", "second": "SECONDLY"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """Whether a line was understood; ``right`` is ``None`` for one that cannot be asked."""

    right: bool | None
    any_reading: bool = False
    floor: bool = False
    expected: object = None
    found: object = None
    reason: str = ""
    category: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Form:
    applies: Callable[[Row], bool]
    judge: Callable[[Row], Verdict]


# ------------------------------------------------------------- Recognizers


def _model(row: Row) -> Verdict:
    at = datetime.fromisoformat(row["ref"] or "2020-01-01T00:00:00").replace(tzinfo=UTC)
    found = find(row["text"], at=at, language=row["lang"])
    wanted = [span for span in row["spans"] if span["type"] != "timezone"]
    missed = [span for span in wanted if not _span_is_right(span, found, others=False)]
    loosely = [span for span in missed if not _span_is_right(span, found, others=True)]
    extra = [one for one in found if not any(_overlaps(one, span) for span in row["spans"])]
    return Verdict(
        right=not missed and not extra,
        any_reading=not loosely and not extra,
        expected=[(span["text"], span["values"]) for span in missed],
        found=[_shown(one) for one in found],
        reason="missed" if missed else "extra" if extra else "",
        category=wanted[0]["type"] if wanted else "none",
    )


def _overlaps(one: Found, span: Row) -> bool:
    return bool(one.start <= span["end"] and span["start"] < one.end)


def _span_is_right(span: Row, found: Sequence[Found], *, others: bool) -> bool:
    here = [one for one in found if _overlaps(one, span)]
    values = span["values"] or []
    if not here:
        return bool(values) and all(value.get("value") == UNRESOLVED and span["type"] != "set" for value in values)
    best = max(here, key=lambda one: min(one.end, span["end"] + 1) - max(one.start, span["start"]))
    return any(value_is_right(value, best, others=others) for value in values)


def value_is_right(value: Row, found: Found, *, others: bool) -> bool:
    """Whether one of the values that Recognizers gives is what was found."""
    timex, kind = str(value.get("timex", "")), value.get("type")
    if kind == "duration":
        wanted = float(value["value"])  # of "less than a week" it is the week
        return any(abs(one - wanted) <= 0.02 * wanted for one in (found.length, found.longest) if one is not None)
    if kind == "set":
        return _set_is_right(timex, found)
    if value.get("value") == UNRESOLVED:
        return found.length is None
    readings = [found.interval, *(found.others if others else ())]
    return found.length is None and any(_interval_is_right(value, timex, one) for one in readings)


def _interval_is_right(value: Row, timex: str, one: Interval) -> bool:
    if value.get("Mod") in ("start", "mid", "end") and timex[-3:] in PARTS:
        return one.start is not None and one.grain is Grain.PART_OF_DAY and _same_day(str(value["start"]), one.start)
    if value.get("Mod"):
        return _bound_is_right(value, one)
    if value.get("isLunar"):
        return one.start is not None and _is_lunar(str(value["value"]), one.start)
    if "value" in value:
        return one.start is not None and _same(value["value"], one.start)
    start, end = value.get("start"), value.get("end")
    if timex[-3:] in PARTS:
        return one.start is not None and one.grain is Grain.PART_OF_DAY and _same_day(str(start), one.start)
    if one.start is None or one.end is None or end is None or not _starts(str(start), one.start):
        return False
    if _at_hour(str(end), one.end):
        return _moment(str(end), one.end).date() == one.end.date()
    units = {Grain.YEAR: 366, Grain.MONTH: 31, Grain.QUARTER: 92, Grain.WEEK: 7, Grain.DAY: 1}
    first = _moment(str(end), one.end)
    late = (one.end - first) / DAY
    whole = 1 if ":" not in str(end) and (one.end.hour, one.end.minute) == (0, 0) else 0
    return late == 0 or (late > 0 and late <= max(units.get(one.grain, 0), whole))


def _is_lunar(text: str, there: datetime) -> bool:
    """Whether the day has that lunar date, which their value writes as if it were a solar one."""
    from yinji.language.time.lunar import lunar_date

    day, _, clock = text.partition(" ")
    year, month, number = lunar_date(there.date())
    return day == f"{year:04}-{month:02}-{number:02}" and (not clock or _same(clock, there))


def _at_hour(text: str, there: datetime) -> bool:
    """Whether a day is given for what we know to the hour, as now is."""
    return "-" in text and ":" not in text and (there.hour, there.minute) != (0, 0)


def _starts(text: str, there: datetime) -> bool:
    return _same_day(text, there) if _at_hour(text, there) else _same(text, there)


def _bound_is_right(value: Row, one: Interval) -> bool:
    modifier = str(value["Mod"])
    if "start" in value and "end" in value:
        return one.start is not None and one.end is not None and _share(value, one.start, one.end)
    if "end" in value:
        return one.end is not None and _near(value["end"], one.end, "until" in modifier)
    if "start" in value:
        return one.start is not None and _near(value["start"], one.start, modifier == "after")
    return one.start is not None and "value" in value and _same(value["value"], one.start)


def _share(value: Row, start: datetime, end: datetime) -> bool:
    """Whether a part such as the end of a year lies in theirs, or overlaps it by a half."""
    first, last = _moment(value["start"], start), _moment(value["end"], end)
    common = (min(last, end) - max(first, start)).total_seconds()
    return common >= 0.5 * (max(last, end) - min(first, start)).total_seconds() or first <= start < end <= last


def _near(text: str, there: datetime, day_off: bool) -> bool:
    return _same(text, there) or (day_off and _same(text, there - DAY))


def _moment(text: str, like: datetime) -> datetime:
    """A date, a date with a clock or a clock, in the zone and on the day of another."""
    if "-" not in text:
        hours, minutes, seconds = map(int, text.split(":"))
        base = like.replace(hour=0, minute=0, second=0, microsecond=0)
        return base + timedelta(hours=hours, minutes=minutes, seconds=seconds)
    return datetime.fromisoformat(text.replace(" ", "T")).replace(tzinfo=like.tzinfo)


def _same(text: str, there: datetime) -> bool:
    """Seconds are left out, since some references were given without theirs."""
    try:
        return abs((_moment(text, there) - there).total_seconds()) < 60
    except ValueError:
        return False


def _same_day(text: str, there: datetime) -> bool:
    return "-" not in text or _moment(text, there).date() == there.date()


def _set_is_right(timex: str, found: Found) -> bool:
    rule = dict(part.split("=") for part in (found.interval.recurrence or "").split(";") if part)
    if not rule:
        return False
    if timex.startswith("P"):
        return _period_is_right(timex[1:], rule)
    if timex.startswith("XXXX-WXX-"):
        days = {"1": "MO", "2": "TU", "3": "WE", "4": "TH", "5": "FR", "6": "SA", "7": "SU", "W": "SA,SU"}
        return rule.get("BYDAY") == days.get(timex[9:10])
    if timex.startswith("XXXX-XX-"):
        return rule.get("BYMONTHDAY") == str(int(timex[8:10]))
    return rule.get("FREQ") == "DAILY"


def _period_is_right(period: str, rule: Mapping[str, str]) -> bool:
    if "WE" in period or "WD" in period:
        return "BYDAY" in rule and rule.get("INTERVAL", "1") == str(int(period.rstrip("WED")))
    unit, count = period[-1], float(period[:-1].lstrip("T") or 1)
    if unit == "Y" and count < 1:
        unit, count = "M", count * 12
    if period.startswith("T") and unit == "M":
        return rule.get("FREQ") == "MINUTELY"
    return rule.get("FREQ") == FREQUENCIES[unit] and float(rule.get("INTERVAL", 1)) == count


def _parser(row: Row) -> Verdict:
    """One span of one of the single-purpose parsers, with its future and its past value."""
    at = datetime.fromisoformat(row["ref"] or "2020-01-01T00:00:00").replace(tzinfo=UTC)
    found = find(row["text"], at=at, language=row["lang"])
    start = row["start"] if isinstance(row.get("start"), int) else row["text"].lower().find(row["span"].lower())
    span = {"start": start, "end": start + len(row["span"]) - 1}
    here = [one for one in found if _overlaps(one, span)]
    best = max(here, key=lambda one: min(one.end, span["end"] + 1) - max(one.start, start), default=None)
    values = [_resolution(row, side) for side in ("future", "past") if row.get(side)]
    if any(value.get("value") == NEVER for value in values):
        return Verdict(
            right=best is None, expected="no such day", found=[_shown(one) for one in found], category="date"
        )
    unresolved = best is not None and not any(values)
    right = (best is not None and any(value_is_right(value, best, others=False) for value in values)) or unresolved
    loose = best is not None and any(value_is_right(value, best, others=True) for value in values)
    return Verdict(
        right=right, any_reading=loose, expected=values, found=[_shown(one) for one in found],
        category=row["type"],
    )  # fmt: skip


def _resolution(row: Row, side: str) -> Row:
    """A value in the form of the whole model's."""
    value: dict[str, Any] = {"timex": row.get("timex", ""), "type": row["type"]}
    for name, one in row[side].items():
        if name in ("date", "time", "dateTime", "duration"):
            value["value"] = one
        elif name == "set":
            value["type"] = "set"
        elif name.startswith("start"):
            value["start"] = one
        elif name.startswith("end"):
            value["end"] = one
    return value


# ------------------------------------------------------------------ JioNLP


def _jio(row: Row) -> Verdict:
    gold = row["gold"]
    reference = _reference(row["ref_unix"])
    answers = [find(row["text"], at=at, language="zh") for at in (reference or _ANY)]
    category = gold["type"]
    if category != "time_delta" and len(answers) > 1 and answers[0] != answers[1]:
        return Verdict(right=None, reason="no reference", category=category)
    found = answers[0]
    whole = max(found, key=lambda one: one.end - one.start, default=None)
    right = whole is not None and JIO[category](gold, [whole.interval], whole)
    loose = whole is not None and JIO[category](gold, [whole.interval, *whole.others], whole)
    return Verdict(
        right=right, any_reading=loose, expected=gold["time"], found=[_shown(one) for one in found], category=category
    )


_ANY = (datetime(2021, 3, 9, 10, tzinfo=CHINA), datetime(2022, 8, 20, 16, tzinfo=CHINA))


def _reference(given: object) -> list[datetime] | None:
    if isinstance(given, int | float):
        return [datetime.fromtimestamp(int(given), CHINA)]
    if isinstance(given, dict):
        names = ("year", "month", "day", "hour", "minute")
        fields = [int(given.get(name, default)) for name, default in zip(names, (2021, 1, 1, 0, 0), strict=True)]
        return [datetime(fields[0], fields[1], fields[2], fields[3], fields[4], tzinfo=CHINA)]
    return None


def _edge(text: str, *, end: bool) -> datetime | None:
    if text.endswith("inf"):
        return None
    there = datetime.fromisoformat(text).replace(tzinfo=CHINA)
    return there + timedelta(seconds=1) if end and there.second == 59 else there


def _jio_interval(gold: Row, readings: Sequence[Interval], whole: Found) -> bool:
    if whole.length is not None:
        return False
    start, end = _edge(gold["time"][0], end=False), _edge(gold["time"][1], end=True)
    slack = 3600 if gold["type"] == "time_point" else 60
    return any(_jio_fits(one, start, end, slack, blurred=gold["definition"] == "blur") for one in readings)


def _jio_fits(
    one: Interval, start: datetime | None, end: datetime | None, slack: float, *, blurred: bool
) -> bool:  # fmt: skip
    def close(found: datetime | None, wanted: datetime | None, most: float) -> bool:
        if found is None or wanted is None:
            return found is wanted
        return abs((found - wanted).total_seconds()) <= most

    if close(one.start, start, 0) and close(one.end, end, slack):
        return True
    if not blurred or None in (start, end, one.start, one.end):
        return False
    assert start
    assert end
    assert one.start
    assert one.end
    common = (min(end, one.end) - max(start, one.start)).total_seconds()
    union = (max(end, one.end) - min(start, one.start)).total_seconds()
    return union > 0 and common / union >= 0.5


def _jio_length(gold: Row, readings: Sequence[Interval], whole: Found) -> bool:
    listed = gold["time"] if isinstance(gold["time"], list) else [gold["time"]]
    wanted = [math.inf if "infinite" in one else _jio_seconds(one) for one in listed]
    found = [whole.length] if len(listed) == 1 else [whole.length, whole.longest]
    return all(
        one is not None and (one == asked or abs(one - asked) <= 0.02 * asked)
        for one, asked in zip(found, wanted, strict=True)
    )


def _jio_seconds(length: Mapping[str, float]) -> float:
    return sum(count * SECONDS[unit] for unit, count in length.items() if unit in SECONDS)


def _jio_period(gold: Row, readings: Sequence[Interval], whole: Found) -> bool:
    rule = dict(part.split("=") for part in (whole.interval.recurrence or "").split(";") if part)
    (unit, count), *_ = gold["time"]["delta"].items()
    same = (
        (unit, count) in (("day", 7), ("day", 1))
        if rule.get("FREQ") == "WEEKLY" and "BYDAY" in rule
        else _same_length(unit, count, rule)
    )
    point = (gold["time"].get("point") or {}).get("time")
    if not (same and point):
        return same
    first = point[0] if isinstance(point[0], list) else point
    return whole.first is not None and whole.first.start is not None and _same_clock(first[0], whole.first.start)


def _same_length(unit: str, count: float, rule: Mapping[str, str]) -> bool:
    lengths = {"YEARLY": 365, "MONTHLY": 30, "WEEKLY": 7, "DAILY": 1, "HOURLY": 1 / 24, "MINUTELY": 1 / 1440,
               "SECONDLY": 1 / 86400}  # fmt: skip
    if not rule:
        return False
    found = lengths[rule["FREQ"]] * float(rule.get("INTERVAL", 1))
    return abs(found - count * SECONDS[unit] / 86400) <= 0.03 * found


def _same_clock(text: str, there: datetime) -> bool:
    """The first time, wherever the search for it started."""
    return datetime.fromisoformat(text).time() == there.time()


JIO: Mapping[str, Callable[[Row, Sequence[Interval], Found], bool]] = {
    "time_point": _jio_interval,
    "time_span": _jio_interval,
    "time_delta": _jio_length,
    "time_period": _jio_period,
}


def _shown(one: Found) -> object:
    ends = [end.isoformat() if end else None for end in (one.interval.start, one.interval.end)]
    return [one.interval.text, *ends, one.interval.recurrence or one.length]


FORMS = (
    Form(applies=lambda row: "spans" in row, judge=_model),
    Form(applies=lambda row: "gold" in row and "suite" in row, judge=_jio),
    Form(applies=lambda row: "span" in row and "timex" in row, judge=_parser),
)
