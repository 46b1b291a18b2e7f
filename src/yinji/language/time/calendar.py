"""Calendar arithmetic that no language changes: units, weeks, weekdays of months, Easter."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from yinji.model import Grain

DAY = timedelta(days=1)
MONTHS = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}
DAYS = {"day": 1, "night": 1, "weekend": 7, "week": 7, "fortnight": 14}
SECONDS = {"hour": 3600, "minute": 60, "second": 1}
GRAINS = {"night": Grain.DAY, "weekend": Grain.DAY, "fortnight": Grain.WEEK, "half": Grain.MONTH, "workday": Grain.DAY}


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """A stretch of the speaker's wall clock, half-open."""

    start: datetime
    end: datetime
    grain: Grain


def midnight(day: date) -> datetime:
    return datetime.combine(day, time())


def days(first: date, last: date, grain: Grain = Grain.DAY) -> Span:
    """From the first day to before the last."""
    return Span(start=midnight(first), end=midnight(last), grain=grain)


def month_on(day: date, count: int) -> date:
    """The day so many months on, or the last day of that month when it is shorter. Raises ValueError."""
    year, month = divmod(day.year * 12 + day.month - 1 + count, 12)
    if not 1 <= year <= 9999:
        raise ValueError(year)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def month_span(year: int, month: int) -> Span:
    first = date(year, month, 1)
    return days(first, month_on(first, 1), Grain.MONTH)


def year_span(year: int, count: int = 1) -> Span:
    return days(date(year, 1, 1), date(year + count, 1, 1), Grain.YEAR)


def quarter_span(year: int, quarter: int) -> Span:
    first = date(year, 3 * quarter - 2, 1)
    return days(first, month_on(first, 3), Grain.QUARTER)


def season_span(year: int, season: int) -> Span:
    """The meteorological season, northern; winter opens in December of that year."""
    first = date(year, 3 * season, 1)
    return days(first, month_on(first, 3), Grain.MONTH)


def week_start(day: date, opens: int = 1) -> date:
    """The first day of its week, which opens on that weekday (1 Monday to 7 Sunday)."""
    return day - timedelta(days=(day.isoweekday() - opens) % 7)


def week_span(monday: date, count: int = 1) -> Span:
    return days(monday, monday + timedelta(weeks=count), Grain.WEEK)


def unit_span(unit: str, shift: int, today: date, opens: int = 1) -> Span:
    """The calendar unit so many before or after the one today is in."""
    if unit == "day":
        return days(today + shift * DAY, today + (shift + 1) * DAY)
    if unit == "week":
        return week_span(week_start(today, opens) + timedelta(weeks=shift))
    if unit == "quarter":
        quarter = today.year * 4 + (today.month - 1) // 3 + shift
        return quarter_span(quarter // 4, quarter % 4 + 1)
    if unit == "month":
        first = month_on(today.replace(day=1), shift)
        return month_span(first.year, first.month)
    return year_span(today.year + shift)


def added(moment: datetime, amount: tuple[tuple[float, str], ...], sign: int) -> datetime:
    """The moment so much later or earlier, by the calendar for days and longer, months before days."""
    months, length = 0.0, timedelta()
    for count, unit in amount:
        if unit in MONTHS:
            months += count * MONTHS[unit]
        elif unit == "workday":
            length += workdays(moment.date(), round(count), sign)
        else:
            length += (
                timedelta(seconds=count * SECONDS[unit]) if unit in SECONDS else timedelta(days=count * DAYS[unit])
            )
    whole = int(months)
    day = month_on(moment.date(), sign * whole) if whole else moment.date()
    # Half a month is fifteen days.
    return datetime.combine(day, moment.time()) + sign * (length + timedelta(days=round((months - whole) * 30)))


def workdays(day: date, count: int, sign: int) -> timedelta:
    """How long it is until so many days from Monday to Friday have passed."""
    there = day
    for _ in range(min(count, 5000)):
        there += sign * DAY
        while there.weekday() > 4:
            there += sign * DAY
    return abs(there - day)


def nth_weekday(first: date, end: date, weekday: int, nth: int) -> date | None:
    """The nth such weekday (1 Monday) in a stretch of days, from its end when below 0."""
    if nth > 0:
        day = first + timedelta(days=(weekday - 1 - first.weekday()) % 7) + timedelta(weeks=nth - 1)
    else:
        last = end - DAY
        day = last - timedelta(days=(last.weekday() - weekday + 1) % 7) + timedelta(weeks=nth + 1)
    return day if first <= day < end else None


def nth_week(first: date, end: date, nth: int, *, whole: bool) -> date:
    """The Monday of the nth week of a stretch: ``whole`` counts weeks that start in it, else those with a Thursday."""
    anchor = nth_weekday(first, end, 1 if whole else 4, nth)
    if anchor is None:
        raise ValueError(nth)
    return week_start(anchor)


def easter(year: int) -> date:
    """Easter Sunday by the Gregorian computus (Meeus, Astronomical Algorithms, ch. 8)."""
    a, b, c = year % 19, year // 100, year % 100
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    f = d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114
    return date(year, f // 31, f % 31 + 1)
