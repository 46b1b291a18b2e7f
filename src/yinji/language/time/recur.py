"""What repeats: the rule (RFC 5545) and the first time that is not over."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from yinji.language.time.calendar import Span, midnight, unit_span
from yinji.language.time.dates import dates
from yinji.language.time.holidays import yearly_rule
from yinji.language.time.hours import on_day
from yinji.language.time.moment import Moment
from yinji.language.time.resolve import resolve
from yinji.language.time.said import LUNAR, WEEKDAYS, Said, is_end
from yinji.model import Grain

FREQUENCIES = {
    "second": "SECONDLY",
    "minute": "MINUTELY",
    "hour": "HOURLY",
    "day": "DAILY",
    "week": "WEEKLY",
    "month": "MONTHLY",
    "year": "YEARLY",
}
OCCASIONS = ("month", "holiday", "season", "edge")
SEARCHED = 800
"""Days ahead in which the first time is looked for: two years and a leap day."""


SEASONS = {1: "3,4,5", 2: "6,7,8", 3: "9,10,11", 4: "12,1,2"}


def rule(said: Said, moment: Moment) -> str:
    """The RRULE without its prefix; hours are not in it."""
    parts = {"FREQ": FREQUENCIES[said.every or "day"]}
    if said.interval is not None and said.interval > 1:
        parts["INTERVAL"] = str(said.interval)
    if said.byday is not None:
        parts["BYDAY"] = _weekdays(said) or said.byday
    elif said.weekday is not None and not said.has("day"):
        nth = str(said.weekday_nth) if said.weekday_nth is not None else ""
        parts["BYDAY"] = _weekdays(said) or f"{nth}{WEEKDAYS[said.weekday - 1]}"
    if said.every == "year" and said.holiday is not None:
        parts |= yearly_rule(said.holiday)
    if said.every == "year" and said.month is not None:
        parts["BYMONTH"] = str(said.month)
    elif said.every == "year" and said.season is not None:
        parts["BYMONTH"] = SEASONS[said.season]
    if said.day is not None and said.lunar != LUNAR:
        parts["BYMONTHDAY"] = said.bymonthday or str(said.day)
    if (last := last_day(said, moment)) is not None:
        parts["UNTIL"] = last.strftime("%Y%m%d")
    return ";".join(f"{name}={value}" for name, value in parts.items())


def _weekdays(said: Said) -> str:
    """From Monday to Friday; nothing where one day is named."""
    last = said.until.weekday if said.until is not None and not is_end(said, said.until) else None
    first = said.weekday or (WEEKDAYS.index(said.byday) + 1 if said.byday in WEEKDAYS else None)
    if first is None or last is None or said.weekday_nth is not None or last == first:
        return ""
    return ",".join(WEEKDAYS[at % 7] for at in range(first - 1, last + 7 * (last < first)))


def last_day(said: Said, moment: Moment) -> date | None:
    """The last day on which it repeats; ``None`` without one."""
    if said.until is None or not is_end(said, said.until):
        return None
    reading = resolve(said.until, replace(moment, lean="future"))
    end = reading.chosen.end if reading is not None else None
    return None if end is None else (end - timedelta(microseconds=1)).date()


def first_day(said: Said, moment: Moment) -> date | None:
    """The day from which it repeats; ``None`` where none is named."""
    if said.since is None:
        return None
    reading = resolve(said.since, replace(moment, lean=moment.lean or "future"))
    start = reading.chosen.start if reading is not None else None
    return None if start is None else start.date()


def first_time(said: Said, moment: Moment) -> Span | None:
    """The first occurrence that is not over; ``None`` for what repeats within a day."""
    unit = said.every or "day"
    if unit in ("second", "minute", "hour"):
        return None
    if said.byday is None and not said.has("weekday", "day", "hour", "part", *OCCASIONS):
        return _unit(said, moment)
    if said.byday is None and unit in ("month", "year") and said.has("day", "weekday", *OCCASIONS):
        return _of_unit(said, moment)
    return _day(said, moment)


def _unit(said: Said, moment: Moment) -> Span:
    """The unit in progress."""
    unit = "quarter" if said.every == "month" and (said.interval or 1) % 3 == 0 else said.every or "day"
    return unit_span(unit, 0, moment.today)


def _of_unit(said: Said, moment: Moment) -> Span | None:
    days = [said.day] if said.bymonthday is None else [int(day) for day in said.bymonthday.split(",")]
    named = said.without("every", "interval", "bymonthday")
    for turn, day in ((turn, day) for turn in range(10) for day in days):
        try:
            named = replace(named, day=day)
            monthly = said.every == "month" and named.month is None
            span = dates(replace(named, month_shift=turn) if monthly else named, moment, turn)
            if named.has("hour", "part"):
                span = on_day(named, span.start.date(), moment)
        except ValueError:
            continue
        if span.end > moment.now:
            return span
    return None


def _day(said: Said, moment: Moment) -> Span | None:
    wanted = set((_weekdays(said) or said.byday or "").split(",")) - {""}
    if said.weekday is not None:
        wanted.add(WEEKDAYS[said.weekday - 1])
    for ahead in range(-1, SEARCHED):
        day = moment.today + timedelta(days=ahead)
        if wanted and WEEKDAYS[day.weekday()] not in wanted:
            continue
        span = on_day(said, day, moment) if said.has("hour", "part") else _whole(day, wanted)
        if span is not None and span.end > moment.now:
            return span
    return None


def _whole(day: date, wanted: set[str]) -> Span:
    if wanted == {"SA", "SU"}:
        # A weekend is one occasion.
        saturday = day if day.weekday() == 5 else day - timedelta(days=1)
        return Span(start=midnight(saturday), end=midnight(saturday) + timedelta(days=2), grain=Grain.DAY)
    return Span(start=midnight(day), end=midnight(day) + timedelta(days=1), grain=Grain.DAY)
