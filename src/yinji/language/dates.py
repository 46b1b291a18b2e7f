"""Which times a text names, as intervals relative to when it was said (SPEC T states the conventions).

Words and patterns are the language pack's (``date_*``); the rules here only compute. A rule reads one
expression; neighbours that name a day and an hour are joined afterwards.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from yinji.language.packs import Pack, pack
from yinji.language.script import simplify
from yinji.model import Grain, Interval


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """A time expression: its interval, where it stands, and where in it the words for the date stand."""

    interval: Interval
    start: int
    end: int
    date_start: int
    date_end: int
    date: Interval | None
    """What the date words alone mean; ``None`` when there are none."""
    relative: bool
    """Whether the words mean another time when read on another day."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Reading:
    """What a rule may ask about: the moment and the sentence's direction."""

    at: datetime
    pack: Pack
    past: bool


_Rule = Callable[[re.Match[str], _Reading], Interval | None]


def find_times(text: str, *, at: datetime, language: str) -> list[Found]:
    """Every time the text names, in order, none overlapping another. ``at`` is aware; its zone is the speaker's."""
    words = pack(language)
    past = words.matcher("past_tense").search(text) and not words.matcher("future_tense").search(text)
    reading = _Reading(at=at, pack=words, past=bool(past))
    found = [one for name, rule in RULES.items() for one in _apply(name, rule, text, reading)]
    return _joined(_longest(found), text, reading)


def _apply(name: str, rule: _Rule, text: str, reading: _Reading) -> list[Found]:
    found = []
    for matcher in reading.pack.matchers(f"date_{name}"):
        for match in matcher.finditer(text):
            try:
                interval = rule(match, reading)
            except (ValueError, OverflowError):  # 30 February, or a year that no calendar has: not a date
                continue
            if interval is not None:
                found.append(_found(name, match, interval, reading.pack))
    return found


def _found(name: str, match: re.Match[str], interval: Interval, words: Pack) -> Found:
    start, end = match.span()
    dated = name not in HOURS and (name != "day_part" or simplify(match[0]).lower() in words.tables["part_names"])
    return Found(
        interval=replace(interval, text=match[0]),
        start=start,
        end=end,
        date_start=start,
        date_end=end if dated else start,
        date=interval if dated else None,
        relative=dated and (name not in ABSOLUTE or (name == "absolute" and not match["year"])),
    )


def _longest(found: list[Found]) -> list[Found]:
    kept: list[Found] = []
    for one in sorted(found, key=lambda one: (one.start - one.end, one.start)):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)


# ------------------------------------------------------------------- rules


def _absolute(match: re.Match[str], reading: _Reading) -> Interval | None:
    groups = match.groupdict()
    year, month, day = (_number(groups.get(name), reading) for name in ("year", "month", "day"))
    if groups.get("month_name"):
        month = int(reading.pack.tables["months"][groups["month_name"].lower()[:3]])
    if month is None:
        return _span(date(year or 1, 1, 1), Grain.YEAR, reading) if year else None
    grain = Grain.MONTH if day is None else Grain.DAY
    return _span(date(year or _year_near(month, day or 1, reading), month, day or 1), grain, reading)


def _year_near(month: int, day: int, reading: _Reading) -> int:
    """The year of a date that names none: the last one or the next one, by the sentence's direction."""
    today = reading.at.date()
    if reading.past:
        return today.year if (month, day) <= (today.month, today.day) else today.year - 1
    return today.year if (month, day) >= (today.month, today.day) else today.year + 1


def _day_offset(match: re.Match[str], reading: _Reading) -> Interval:
    days = int(_look_up("day_offsets", match["word"], reading))
    return _span(reading.at.date() + timedelta(days=days), Grain.DAY, reading)


def _weekday(match: re.Match[str], reading: _Reading) -> Interval:
    today = reading.at.date()
    target = int(_look_up("weekdays", match["weekday"], reading))
    monday = today - timedelta(days=today.weekday())
    if match["shift"]:
        weeks = int(_look_up("shifts", match["shift"], reading))
    else:
        weeks = (-1 if target > today.weekday() else 0) if reading.past else int(target < today.weekday())
    return _span(monday + timedelta(days=7 * weeks + target), Grain.DAY, reading)


def _weekend(match: re.Match[str], reading: _Reading) -> Interval:
    today = reading.at.date()
    weeks = int(_look_up("shifts", match["shift"], reading)) if match["shift"] else 0
    if not match["shift"] and reading.past and today.weekday() < 5:
        weeks = -1
    saturday = today - timedelta(days=today.weekday()) + timedelta(days=7 * weeks + 5)
    return _between(saturday, saturday + timedelta(days=2), Grain.DAY, reading)


def _unit(match: re.Match[str], reading: _Reading) -> Interval:
    shift = int(_look_up("shifts", match["shift"], reading))
    unit = Grain(_look_up("units", match["unit"], reading))
    return _span(_shifted(reading.at.date(), unit, shift), unit, reading)


def _ago(match: re.Match[str], reading: _Reading) -> Interval | None:
    """A count of units away: to the day for days and weeks, to the unit for months and years."""
    count = _number(match["count"], reading)
    if count is None:
        return None
    unit = Grain(_look_up("units", match["unit"], reading))
    if reading.pack.has("half", match["count"].lower()) and unit is Grain.YEAR:
        unit, count = Grain.MONTH, 6
    sign = -1 if match.groupdict().get("before") else 1
    if unit in (Grain.HOUR, Grain.MINUTE):
        step = timedelta(hours=count) if unit is Grain.HOUR else timedelta(minutes=count)
        start = reading.at + sign * step
        return Interval(start=start, end=start + timedelta(minutes=1), grain=Grain.MINUTE)
    there = _shifted(reading.at.date(), unit, sign * count, whole=False)
    return _span(there, unit if unit in (Grain.MONTH, Grain.YEAR) else Grain.DAY, reading)


def _day_part(match: re.Match[str], reading: _Reading) -> Interval:
    """A part of a day, of the one that its own words name or else of today."""
    days, _, part = _look_up("day_parts", match["part"], reading).rpartition(" ")
    first, last = map(int, reading.pack.tables["parts"][part].split("-"))
    day = reading.at.date() + timedelta(days=int(days or 0))
    return Interval(
        start=_moment(day, first * 60, reading), end=_moment(day, last * 60, reading), grain=Grain.PART_OF_DAY
    )


def _clock(match: re.Match[str], reading: _Reading) -> Interval | None:
    groups = match.groupdict()
    hour, minute = _number(groups["hour"], reading), _number(groups.get("minute"), reading)
    if hour is None or hour > 24 or (minute or 0) > 59:
        return None
    if groups.get("half"):
        minute = 30
    part = (groups.get("part") or "").lower()
    if reading.pack.has("afternoon", part) and hour < 12:
        hour += 12
    if reading.pack.has("midnight", part) and hour == 12:
        hour = 24 if not reading.pack.has("before_noon", part) else 0
    start = hour * 60 + (minute or 0)
    length, grain = (60, Grain.HOUR) if not minute else (1, Grain.MINUTE)
    day = reading.at.date()
    return Interval(start=_moment(day, start, reading), end=_moment(day, start + length, reading), grain=grain)


def _every(match: re.Match[str], reading: _Reading) -> Interval:
    groups = match.groupdict()
    if groups.get("weekday"):
        day = int(_look_up("weekdays", groups["weekday"], reading))
        rule = f"FREQ=WEEKLY;BYDAY={('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU')[day]}"
    elif not groups.get("unit"):
        rule = "FREQ=WEEKLY;BYDAY=SA,SU"
    else:
        rule = f"FREQ={_look_up('frequencies', groups['unit'], reading)}"
    return Interval(start=None, end=None, recurrence=rule)


RULES: Mapping[str, _Rule] = {
    "absolute": _absolute,
    "day_offset": _day_offset,
    "weekday": _weekday,
    "weekend": _weekend,
    "unit": _unit,
    "ago": _ago,
    "day_part": _day_part,
    "clock": _clock,
    "every": _every,
}
HOURS = frozenset({"clock"})
ABSOLUTE = frozenset({"absolute", "every"})


# ---------------------------------------------------------------- joining


def _joined(found: list[Found], text: str, reading: _Reading) -> list[Found]:
    """Puts an hour or a part of the day on the day named beside it."""
    joined: list[Found] = []
    for one in found:
        if joined and reading.pack.matcher("date_joint").fullmatch(text[joined[-1].end : one.start]):
            both = _both(joined[-1], one, text)
            if both is not None:
                joined[-1] = both
                continue
        joined.append(one)
    return joined


def _both(first: Found, second: Found, text: str) -> Found | None:
    grains = (first.interval.grain, second.interval.grain)
    inner = {Grain.PART_OF_DAY, Grain.HOUR, Grain.MINUTE}
    if grains[0] is Grain.DAY and grains[1] in inner:
        day, hour = first, second
    elif grains[1] is Grain.DAY and grains[0] in inner:
        day, hour = second, first
    elif grains[0] is Grain.PART_OF_DAY and grains[1] in (Grain.HOUR, Grain.MINUTE):
        day, hour = first, second
    else:
        return None
    return Found(
        interval=_moved(hour.interval, day.interval, text[first.start : second.end]),
        start=first.start,
        end=second.end,
        date_start=day.date_start,
        date_end=day.date_end,
        date=day.date,
        relative=day.relative,
    )


def _moved(hour: Interval, day: Interval, text: str) -> Interval:
    """The hour on that day; an hour without its half of the day takes the part's."""
    if day.start is None or day.end is None or hour.start is None or hour.end is None:
        return hour
    zone = hour.start.tzinfo
    start = datetime.combine(day.start.date(), hour.start.time(), zone)
    if start.hour == 0 and hour.start.date() > day.start.date() and day.grain is Grain.DAY:
        start += timedelta(days=1) if hour.grain is Grain.HOUR and hour.start.time() == time(0) else timedelta()
    if day.grain is Grain.PART_OF_DAY and start < day.start and start + timedelta(hours=12) <= day.end:
        start += timedelta(hours=12)
    return Interval(start=start, end=start + (hour.end - hour.start), grain=hour.grain, text=text)


# ------------------------------------------------------------- arithmetic


def _look_up(table: str, word: str, reading: _Reading) -> str:
    return reading.pack.look_up(table, word)


def _number(word: str | None, reading: _Reading) -> int | None:
    """A number in digits or in words; ``None`` for nothing."""
    if not word:
        return None
    word = simplify(word)
    if word.isdecimal():
        return int(word)
    table = reading.pack.tables["numbers"]
    if (known := table.get(word.lower())) is not None:
        return int(known)
    if all(char in table for char in word):
        return _positional(word, table)
    return None


def _positional(word: str, table: Mapping[str, str]) -> int:
    """Chinese numerals: digits in a row are a number as written, ten multiplies what is before it."""
    values = [int(table[char]) for char in word]
    if 10 not in values:
        return int("".join(map(str, values)))
    at = values.index(10)
    tens = values[at - 1] if at else 1
    return tens * 10 + (values[at + 1] if at + 1 < len(values) else 0)


def _shifted(day: date, unit: Grain, count: int, *, whole: bool = True) -> date:
    """The day ``count`` units on; with ``whole`` the first day of that unit."""
    if unit is Grain.DAY:
        return day + timedelta(days=count)
    if unit is Grain.WEEK:
        start = day - timedelta(days=day.weekday()) if whole else day
        return start + timedelta(weeks=count)
    months = day.year * 12 + day.month - 1 + count * (12 if unit is Grain.YEAR else 1)
    year, month = divmod(months, 12)
    if whole:
        return date(year, 1 if unit is Grain.YEAR else month + 1, 1)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _span(day: date, grain: Grain, reading: _Reading) -> Interval:
    """The whole unit that the day is in; a week starts with the day given."""
    if grain is Grain.MONTH:
        return _between(day.replace(day=1), _shifted(day, Grain.MONTH, 1), grain, reading)
    if grain is Grain.YEAR:
        return _between(date(day.year, 1, 1), date(day.year + 1, 1, 1), grain, reading)
    return _between(day, day + timedelta(days=7 if grain is Grain.WEEK else 1), grain, reading)


def _between(start: date, end: date, grain: Grain, reading: _Reading) -> Interval:
    return Interval(start=_moment(start, 0, reading), end=_moment(end, 0, reading), grain=grain)


def _moment(day: date, minutes: int, reading: _Reading) -> datetime:
    days, rest = divmod(minutes, 24 * 60)
    return datetime.combine(day + timedelta(days=days), time(rest // 60, rest % 60), reading.at.tzinfo)
