"""The days that an expression names, for each time round of what it leaves open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta

from yinji.language.time.calendar import (
    DAY,
    GRAINS,
    Span,
    added,
    days,
    midnight,
    month_on,
    month_span,
    nth_week,
    nth_weekday,
    quarter_span,
    season_span,
    unit_span,
    week_span,
    week_start,
    year_span,
)
from yinji.language.time.holidays import ends_lunar_year, holiday, lunar_in, term_season
from yinji.language.time.lunar import lunar_day, lunar_month
from yinji.language.time.moment import Moment
from yinji.language.time.said import LUNAR, WITHIN_YEAR, YEAR, Said
from yinji.model import Grain

WINTER = 4
BARE_WEEKEND = 9
"""The value of ``weekend`` when no week is named."""


def cycle(said: Said) -> str | None:
    """What the expression leaves open: ``year``, ``month``, ``week`` or ``day``; ``None`` when nothing."""
    if said.has("now", "amount", "day_shift", "month_shift", "quarter_shift", "week_shift", "weekday_shift"):
        return None
    if said.has("season_shift", "decade_shift", *YEAR, "century"):
        return None
    if said.decade is not None:
        return None if said.decade >= 100 else "century"
    if said.has("holiday", *WITHIN_YEAR, "week", "head", "nth") and said.half_of in (None, "year"):
        return "year"
    if said.has("edge_of", "half"):
        return None
    if said.has("day"):
        return "month"
    if said.has("weekday") or said.weekend == BARE_WEEKEND:
        return "week"
    return None if said.has("weekend") else "day"


def dates(said: Said, moment: Moment, turn: int) -> Span:
    """The stretch of days in the cycle ``turn`` after this one. Raises ValueError when there is none."""
    for applies, stretch in STRETCHES:
        if applies(said):
            return stretch(said, moment, turn)
    return unit_span("day", turn, moment.today)


# ------------------------------------------------- around now and in weeks


def _amount(said: Said, moment: Moment, turn: int) -> Span:
    there = added(midnight(moment.today), said.amount or (), said.sign or 1).date()
    if said.weekday is not None:
        opens = moment.conventions.week_starts
        there = week_start(there, opens) + (said.weekday - opens) % 7 * DAY
    return days(there, there + DAY)


def its_weekday(said: Said, there: date) -> date:
    """The weekday named, in the week of a day; counted in days, the first one from that day on, in their direction."""
    assert said.weekday is not None
    if said.amount and said.amount[-1][1] == "day":
        sign = said.sign or 1
        return there + sign * (sign * (said.weekday - there.isoweekday()) % 7) * DAY
    return there + (said.weekday - there.isoweekday()) * DAY


def _near_day(said: Said, moment: Moment, turn: int) -> Span:
    first = month_on(moment.today + (said.day_shift or 0) * DAY, 12 * (said.year_shift or 0))
    return days(first, first + (said.span_days or 1) * DAY)


def _weekend(said: Said, moment: Moment, turn: int) -> Span:
    shift = turn if said.weekend == BARE_WEEKEND else said.weekend or 0
    saturday = week_start(moment.today) + timedelta(weeks=shift, days=5)
    span = days(saturday, saturday + 2 * DAY)
    return replace(span, start=span.start - timedelta(hours=24 - moment.conventions.weekend_from))


def _weekday_round(said: Said, moment: Moment, turn: int) -> Span:
    """So many such weekdays before or after today."""
    count, weekday = said.weekday_shift or 0, said.weekday or 1
    ahead = (weekday - 1 - moment.today.weekday()) % 7
    first = moment.today + timedelta(days=ahead or 7) if count > 0 else moment.today - timedelta(days=7 - ahead)
    there = first + timedelta(weeks=count - 1 if count > 0 else count + 1)
    return days(there, there + DAY)


def _week(said: Said, moment: Moment, turn: int) -> Span:
    opens = moment.conventions.week_starts
    week = unit_span("week", turn if said.week_shift is None else said.week_shift, moment.today, opens)
    monday = week.start.date()
    if said.half is not None:
        return days(monday, monday + 3 * DAY) if said.half == 1 else days(monday + 3 * DAY, monday + 7 * DAY)
    if said.edge is not None:
        return _edge(said.edge, replace(week, grain=Grain.WEEK))
    if said.weekday is None:
        return week
    there = monday + (said.weekday - opens) % 7 * DAY
    return days(there, there + DAY)


# -------------------------------------------------------- years and within


def _decade(said: Said, moment: Moment, turn: int) -> Span:
    if said.decade_shift is not None:
        return year_span((moment.today.year // 10 + said.decade_shift) * 10, 10)
    first = said.decade or 0
    if first < 100:
        century = moment.today.year // 100 * 100
        first += century if century + first <= moment.today.year - 10 else century - 100
        first += 100 * turn
    span = year_span(first, 10)
    return span if said.edge is None else year_edge(said.edge, span)


def _century(said: Said, moment: Moment, turn: int) -> Span:
    span = year_span(((said.century or 1) - 1) * 100, 100) if (said.century or 0) > 1 else year_span(1, 99)
    return span if said.edge is None else year_edge(said.edge, span)


def year_edge(edge: str, span: Span) -> Span:
    """The first, middle or last three in ten years; of a century two in ten."""
    edge, length = THIRDS.get(edge, edge), span.end.year - span.start.year
    part = 3 if length <= 10 else 20
    first = {"start": span.start.year, "mid": span.start.year + length // 2 - part // 2, "end": span.end.year - part}
    return year_span(first[edge], part)


def year_of(said: Said, moment: Moment, turn: int) -> int:
    if said.year is not None:
        return said.year
    return moment.today.year + (turn if said.year_shift is None else said.year_shift)


def _within_year(said: Said, moment: Moment, turn: int) -> Span:
    year = year_of(said, moment, turn)
    if said.holiday is not None:
        span = _holiday(said, moment, year)
        return span if said.nth is None else _nth_from(said, span.start)
    if said.has("season", "season_shift"):
        return _season(said, moment, year)
    if said.has("month", "month_shift"):
        return _month(said, moment, year)
    span = year_span(year)
    if said.quarter is not None:
        span = quarter_span(year, said.quarter)
    elif said.quarter_shift is not None:
        span = unit_span("quarter", said.quarter_shift, moment.today)
    elif said.half is not None and said.half_of == "year":
        first = date(year, 6 * said.half - 5, 1)
        span = days(first, month_on(first, 6), Grain.MONTH)
    return within(said, moment, span)


def _holiday(said: Said, moment: Moment, year: int) -> Span:
    """One of the lunar year may fall in January or February after it; a feast of days may be its first."""
    assert said.holiday is not None
    span = holiday(said.holiday, year)
    if moment.conventions.lunar_years == "lunar" and ends_lunar_year(said.holiday):
        span = holiday(said.holiday, year + 1)
    if moment.conventions.feasts == "first" and span.end - span.start == 7 * DAY:
        span = replace(span, end=span.start + DAY)
    return span


def _season(said: Said, moment: Moment, year: int) -> Span:
    season, span_of = said.season or 1, term_season if moment.conventions.seasons == "terms" else season_span
    if said.season_shift is None:
        return within(said, moment, span_of(year, season))
    around = [span_of(moment.today.year + turn, season) for turn in range(-3, 4)]
    if said.season_shift < 0:
        return [span for span in around if span.end <= moment.now][said.season_shift]
    if said.season_shift > 0:
        return span_of(moment.today.year + said.season_shift, season)
    if season < WINTER:
        return span_of(moment.today.year, season)
    return next(span for span in around if span.end > moment.now)


def _month(said: Said, moment: Moment, year: int) -> Span:
    if said.lunar == LUNAR and said.month is not None:
        return _lunar(said, moment, year)
    if said.month_shift is not None:
        return within(said, moment, unit_span("month", said.month_shift, moment.today))
    return within(said, moment, month_span(year, said.month or 1))


def _lunar(said: Said, moment: Moment, year: int) -> Span:
    """A day or month of the lunar calendar that falls in, or starts in, the calendar year."""
    month, leap = said.month or 1, bool(said.leap)
    if said.day is not None:
        by_lunar = moment.conventions.lunar_years == "lunar"
        there = (lunar_day if by_lunar else lunar_in)(year, month, said.day, leap=leap)
        return days(there, there + DAY)
    first = lunar_in(year, month, 1, leap=leap)
    lunar = next(one for one in (year, year - 1, year + 1) if _starts(one, month, leap) == first)
    span = days(*lunar_month(lunar, month, leap=leap), Grain.MONTH)
    return within(said.without("day"), moment, span)


def _starts(year: int, month: int, leap: bool) -> date | None:
    try:
        return lunar_month(year, month, leap=leap)[0]
    except ValueError:
        return None


def _open_month(said: Said, moment: Moment, turn: int) -> Span:
    return within(said, moment, unit_span("month", turn if said.edge_of is None else 0, moment.today))


def within(said: Said, moment: Moment, span: Span) -> Span:
    """The day, week, edge or count of units that is named inside a month, quarter or year. Raises ValueError."""
    first, end = span.start.date(), span.end.date()
    if said.day is not None:
        there = first + (said.day - 1) * DAY if said.day > 0 else end + said.day * DAY
        if not first <= there < end:
            raise ValueError(said.day)
        return days(there, there + DAY)
    if said.weekday is not None and said.weekday_nth is not None:
        found = nth_weekday(first, end, said.weekday, said.weekday_nth)
        if found is None:
            raise ValueError(said.weekday_nth)
        return days(found, found + DAY)
    if said.week is not None:
        monday = nth_week(first, end, said.week, whole=_whole_weeks(span, moment))
        there = monday + ((said.weekday or 1) - 1) * DAY
        return week_span(monday) if said.weekday is None else days(there, there + DAY)
    if said.head is not None:
        return _head(said, moment, span)
    if said.nth is not None:
        return _nth(said, span)
    if said.half is not None and said.half_of == "month":
        return days(first, first + 15 * DAY) if said.half == 1 else days(first + 15 * DAY, end)
    if said.edge == "start" and span.grain is Grain.MONTH and (end - first).days <= 31:
        return days(first, first + moment.conventions.month_start * DAY)
    return span if said.edge is None else _edge(said.edge, span)


THIRDS = {"early": "start", "middle": "mid", "late": "end"}
"""What says a third of a year names in anything shorter what the others do."""
YEAR_EDGES = {"start": (1, 2), "mid": (6, 8), "end": (12, 13), "early": (1, 5), "middle": (5, 9), "late": (9, 13)}
"""The first month, and the one after the last."""


def _edge(edge: str, span: Span) -> Span:
    """The start, middle or end of a unit: the thirds of a month, one month of a year, and so on."""
    first, end = span.start.date(), span.end.date()
    if span.grain is Grain.YEAR:
        pieces = YEAR_EDGES[edge]
        return days(month_on(first, pieces[0] - 1), month_on(first, pieces[1] - 1), Grain.MONTH)
    edge = THIRDS.get(edge, edge)
    if span.grain is Grain.QUARTER or (end - first).days > 31:
        pieces = {"start": (0, 1), "mid": (1, 2), "end": (2, 3)}[edge]
        return days(month_on(first, pieces[0]), month_on(first, pieces[1]), Grain.MONTH)
    if span.grain is Grain.WEEK:
        pieces = {"start": (0, 2), "mid": (2, 4), "end": (4, 7)}[edge]
        return days(first + pieces[0] * DAY, first + pieces[1] * DAY)
    if edge == "end":
        return days(first + 20 * DAY, end)
    return days(first, first + 10 * DAY) if edge == "start" else days(first + 10 * DAY, first + 20 * DAY)


def _head(said: Said, moment: Moment, span: Span) -> Span:
    """The first or last so many units of a stretch."""
    count, unit = said.head or 1, said.head_unit or "day"
    first, end = span.start.date(), span.end.date()
    if unit == "week":
        if count > 0:
            return week_span(nth_week(first, end, 1, whole=_whole_weeks(span, moment)), count)
        return week_span(nth_week(first, end, count, whole=_whole_weeks(span, moment)), -count)
    if count > 0:
        return days(first, added(midnight(first), ((count, unit),), 1).date(), GRAINS.get(unit, Grain.DAY))
    return days(added(midnight(end), ((-count, unit),), -1).date(), end, GRAINS.get(unit, Grain.DAY))


def _whole_weeks(span: Span, moment: Moment) -> bool:
    """Whether a week belongs to the month of its Monday; else, as always in a year, to that of its Thursday."""
    return moment.whole_weeks and span.grain is not Grain.YEAR


def _nth(said: Said, span: Span) -> Span:
    there = _nth_from(said, span.start)
    if not span.start <= there.start < span.end:
        raise ValueError(said.nth)
    return there


def _nth_from(said: Said, first: datetime) -> Span:
    """The so-manieth unit, the first of which opens then."""
    count, unit = said.nth or 1, said.nth_unit or "day"
    start = added(first, ((count - 1, unit),), 1).date()
    end = added(midnight(start), ((1, unit),), 1).date()
    return days(start, end, Grain(unit) if unit in ("month", "quarter", "week") else Grain.DAY)


def _of_year(said: Said) -> bool:
    return said.has("holiday", *WITHIN_YEAR, *YEAR, "head", "nth", "week") or said.edge_of == "year"


STRETCHES: tuple[tuple[Callable[[Said], bool], Callable[[Said, Moment, int], Span]], ...] = (
    (lambda said: said.amount is not None, _amount),
    (lambda said: said.day_shift is not None, _near_day),
    (lambda said: said.has("decade", "decade_shift"), _decade),
    (lambda said: said.century is not None, _century),
    (lambda said: said.half_of == "week" or said.week_shift is not None, _week),
    (lambda said: said.half_of == "month" and not said.has("month", "month_shift"), _open_month),
    (_of_year, _within_year),
    (lambda said: said.edge_of == "month", _open_month),
    (lambda said: said.day is not None, _open_month),
    (lambda said: said.weekday_shift is not None, _weekday_round),
    (lambda said: said.weekend is not None, _weekend),
    (lambda said: said.weekday is not None, _week),
)
