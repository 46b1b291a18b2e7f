"""The Chinese calendar of 1900 to 2100: lunar dates and solar terms, from a table of month lengths."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from yinji import shipped

FIRST_HALF, SECOND_HALF = 3, 18
"""The days of the month from which the table counts the month's first and second solar term."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LunarYear:
    """When a lunar year starts, its leap month (0 for none), its months' lengths, and its calendar year's terms."""

    start: date
    leap: int
    lengths: tuple[int, ...]
    terms: str


def lunar_year(year: int) -> LunarYear:
    """Raises ValueError outside 1900 to 2100."""
    line = _lines().get(year)
    if line is None:
        raise ValueError(year)
    start, leap, lengths, terms = line.split()
    return LunarYear(
        start=date(year, int(start[:2]), int(start[2:])),
        leap=int(leap, 16),
        lengths=tuple(29 + int(long) for long in lengths),
        terms=terms,
    )


def lunar_month(year: int, month: int, *, leap: bool = False) -> tuple[date, date]:
    """The first day of a lunar month and the day after its last. Raises ValueError when there is none."""
    read = lunar_year(year)
    if not 1 <= month <= 12 or (leap and read.leap != month):
        raise ValueError(month)
    index = month - 1 + (leap or bool(read.leap and month > read.leap))
    first = read.start + timedelta(days=sum(read.lengths[:index]))
    return first, first + timedelta(days=read.lengths[index])


def lunar_day(year: int, month: int, day: int, *, leap: bool = False) -> date:
    """Raises ValueError when the month has no such day; below 0 counts from its end."""
    first, end = lunar_month(year, month, leap=leap)
    there = first + timedelta(days=day - 1) if day > 0 else end + timedelta(days=day)
    if not first <= there < end:
        raise ValueError(day)
    return there


def lunar_date(day: date) -> tuple[int, int, int]:
    """Year, month (below 0 for a leap month) and day of the lunar calendar. Raises ValueError."""
    year = day.year if day >= lunar_year(day.year).start else day.year - 1
    read, rest = lunar_year(year), (day - lunar_year(year).start).days
    index = 0
    while rest >= read.lengths[index]:
        rest -= read.lengths[index]
        index += 1
    if not read.leap or index < read.leap:
        return year, index + 1, rest + 1
    return year, -read.leap if index == read.leap else index, rest + 1


def solar_term(year: int, index: int) -> date:
    """The day of a solar term of a calendar year, 0 for Lesser Cold in January to 23 for the winter solstice."""
    month, second = divmod(index, 2)
    letter = ord(lunar_year(year).terms[index]) - ord("a")
    return date(year, month + 1, letter + (SECOND_HALF if second else FIRST_HALF))


@cache
def _lines() -> dict[int, str]:
    text = shipped.text("lang/time/almanac.txt")
    rows = (line.split(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    return {int(year): rest for year, rest in rows}
