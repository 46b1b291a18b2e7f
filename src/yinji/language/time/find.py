"""Every time expression of a text, as intervals in the speaker's zone."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from yinji.language.time.calendar import DAYS, MONTHS, SECONDS, Span, days, midnight
from yinji.language.time.compose import HOURS, expressions
from yinji.language.time.conventions import conventions, current, using
from yinji.language.time.lengths import AT_LEAST, AT_MOST
from yinji.language.time.lexicon import Lexicon, lexicon, plain
from yinji.language.time.moment import Moment
from yinji.language.time.recur import first_day, first_time, last_day, rule
from yinji.language.time.resolve import Reading, Stretch, resolve
from yinji.language.time.said import MONTH, WEEK, YEAR, Amount, Expression, Said
from yinji.model import Grain, Interval

PARTIAL = HOURS | {
    "edge", "half_of", "lunar", "leap", "turn", "week_of", "day_end", "head", "head_unit", "nth", "nth_unit", "bound"
}  # fmt: skip
"""Fields that need another to name a time."""
_CLAUSE = re.compile(r"[,，。;；!！?？\n]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """A time expression: its interval, where it stands, and where in it the words for the date stand."""

    kind: str = "time"
    """``time``; ``rule`` for what repeats; ``length`` for a mere length of time; ``now`` for the moment of speaking."""
    interval: Interval
    """Unbounded where a rule repeats; ``first`` is then its first time."""
    start: int
    end: int
    date_start: int
    date_end: int
    date: Interval | None
    """What the date words alone mean; ``None`` when there are none, or when there are several."""
    relative: bool
    """Whether the words mean another time when read on another day."""
    first: Interval | None = None
    """The first occurrence that is not over, of what repeats."""
    others: tuple[Interval, ...] = ()
    """Other readings, the likeliest first."""
    certainty: float = 1.0
    """How sure the reading is, 0 to 1."""
    reading: str = "present"
    """``past``, ``future``, or ``present`` when the moment of speaking is inside."""
    dates: tuple[tuple[int, int, Interval], ...] = ()
    """Each stretch of date words with what it means: two in a range."""
    length: float | None = None
    """Seconds, of a mere length of time; it has no interval. The least of one that is not exact."""
    longest: float | None = None
    """The most of a length that is not exact; infinite where it is only said to be at least so long."""


def find(text: str, *, at: datetime, language: str, convention: str | None = None) -> list[Found]:
    """Every time expression in order, mere lengths of time too. ``at`` is aware; its zone is the speaker's.

    ``convention`` names the set that says what is meant where people differ, else the one in use. Raises NotFound.
    """
    with using(convention or current()):
        return _find(text, at, language)


def _find(text: str, at: datetime, language: str) -> list[Found]:
    words = lexicon(language)
    folded = plain(text)
    read = expressions(folded, words)
    leans = {one.start: _lean_of(one, folded, words) for one in read}
    found = {one.start: _found(one, text, at, leans[one.start], words) for one in read}
    others = [other for one in read if not _is_bare_day(one) and (other := found[one.start]) is not None]
    for one in read:
        if leans[one.start] is None and _is_bare_day(one) and (near := _month_beside(one, others)) is not None:
            ahead = "future" if near > at.date() else "past"
            found[one.start] = _found(_in_month(one, near.month), text, at, ahead, words)
    return [one for one in found.values() if one is not None]


def _is_bare_day(one: Expression) -> bool:
    """Whether it is a day of some month ("the 4th"): the other dates of the text tell which."""
    return one.said.has("day") and not one.said.has(*MONTH, *YEAR, *WEEK, "weekday", "every", "lunar")


def _month_beside(one: Expression, others: Sequence[Found]) -> date | None:
    """The day of the month that it names nearest to the last other time before it, else to the first after it."""
    starts = [(other.start, other.interval.start.date()) for other in others if other.interval.start is not None]
    before = [day for start, day in starts if start < one.start]
    if not starts or one.said.day is None:
        return None
    beside = before[-1] if before else starts[0][1]
    months = [(beside.replace(day=1) + timedelta(days=shift)).replace(day=1) for shift in (-1, 0, 31)]
    near = [month + timedelta(days=one.said.day - 1) for month in months]
    return min((day for day in near if day.day == one.said.day), key=lambda day: abs(day - beside), default=None)


def _in_month(one: Expression, month: int) -> Expression:
    dates = tuple((start, end, replace(said, month=month) if said.day else said) for start, end, said in one.dates)
    return replace(one, said=replace(one.said, month=month), dates=dates)


def _found(one: Expression, text: str, at: datetime, leans: str | None, words: Lexicon) -> Found | None:
    differing = conventions(current())
    parts = {**words.parts, **differing.parts} if differing.parts else words.parts
    moment = Moment(at=at, lean=leans, parts=parts, conventions=differing, whole_weeks=words.whole_weeks)
    said = text[one.start : one.end]
    if one.said.has("amount") and not one.said.has("sign", "recent", "every", "until", "base"):
        return Found(
            interval=Interval(start=None, end=None, text=said),
            start=one.start, end=one.end, date_start=one.start, date_end=one.start, date=None, relative=False,
            kind="length", length=0.0 if one.said.open == AT_MOST else _seconds(one.said.amount or ()),
            longest=math.inf if one.said.open == AT_LEAST else _seconds(one.said.most) if one.said.most else None,
        )  # fmt: skip
    if one.said.has("every"):
        return _repeating(one, said, moment)
    if not _names_a_time(one.said):
        return None
    reading = resolve(one.said, moment)
    return None if reading is None else _dated(one, said, text, reading, moment)


def _names_a_time(said: Said) -> bool:
    """Whether it says more than which part of something, such as its end."""
    return said.has("hour", "part", "ampm") or not PARTIAL.issuperset(said.given())


def _lean_of(one: Expression, text: str, words: Lexicon) -> str | None:
    leans = lean(text, one.start, one.end, words)
    return "near" if leans == "past" and one.said.bound in ("before", "by") else leans


def lean(text: str, start: int, end: int, words: Lexicon) -> str | None:
    """Which way the clause around an expression leans, else the sentence; ``None`` when nothing says."""
    first = max((match.end() for match in _CLAUSE.finditer(text, 0, start)), default=0)
    last = _CLAUSE.search(text, end)
    clause = text[first:start] + "\0" + text[end : last.start() if last else len(text)]
    return _lean(clause, words) or _lean(text[:start] + "\0" + text[end:], words)


def _lean(text: str, words: Lexicon) -> str | None:
    if words.tense["decides"].search(text):
        return "future"
    past, future = words.tense["past"].search(text), words.tense["future"].search(text)
    if past and future and words.tense["strong"].search(text):
        return "past"
    return "future" if future else "past" if past else None


def _seconds(amount: Amount) -> float:
    """A year as 365 days, a month as 30."""
    units: dict[str, float] = {"workday": 86400, **SECONDS}
    units |= {unit: days * 86400 for unit, days in DAYS.items()}
    units["weekend"] = 2 * 86400
    units |= {unit: (count // 12 * 365 + count % 12 * 30) * 86400 for unit, count in MONTHS.items()}
    return sum(count * units[unit] for count, unit in amount)


def _repeating(one: Expression, said: str, moment: Moment) -> Found:
    first, last = first_day(one.said, moment), last_day(one.said, moment)
    whole = one.said.without("approximate", "since")
    span = first_time(whole, moment if first is None else _from(first, moment))
    if span is not None and first is not None and span.start.date() < first:
        span = days(first, first + timedelta(days=1))
    if span is not None and whole.until is not None and last is None:
        span = _with_end(span, whole, moment)
    return Found(
        kind="rule",
        interval=Interval(
            start=None if first is None else moment.aware(midnight(first)),
            end=None if last is None else moment.aware(midnight(last + timedelta(days=1))),
            recurrence=rule(whole, moment),
            text=said,
        ),
        start=one.start,
        end=one.end,
        date_start=one.start,
        date_end=one.start,
        date=None,
        relative=False,
        first=None if span is None else _interval(_stretch(span), moment),
    )


def _from(day: date, moment: Moment) -> Moment:
    """The moment, or the beginning of a later day."""
    return max(moment, replace(moment, at=moment.aware(midnight(day))), key=lambda one: one.at)


def _stretch(span: Span) -> Stretch:
    return Stretch(start=span.start, end=span.end, grain=span.grain)


def _with_end(first: Span, said: Said, moment: Moment) -> Span:
    """The first time of a range that repeats lasts as long as the range does."""
    names = ("every", "interval", "byday")
    reading = resolve(replace(said, **dict.fromkeys(names)), moment)
    if reading is None or reading.chosen.start is None or reading.chosen.end is None:
        return first
    return replace(first, end=first.start + (reading.chosen.end - reading.chosen.start))


def _dated(one: Expression, said: str, text: str, reading: Reading, moment: Moment) -> Found:
    interval = _interval(reading.chosen, moment, said)
    dates = tuple(_written(one, moment))
    single = dates[0] if len(dates) == 1 and not one.said.has("until") else None
    others = [_interval(other, moment, said) for other in reading.others]
    return Found(
        kind="now" if one.said.has("now") and not one.said.has("until", "bound") else "time",
        interval=interval,
        start=one.start,
        end=one.end,
        date_start=single[0] if single else one.start,
        date_end=single[1] if single else one.start,
        date=single[2] if single else None,
        relative=_is_relative(one.said),
        others=tuple(dict.fromkeys(other for other in others if other != interval)),
        certainty=_certainty(one.said, reading),
        reading=_reading(reading.chosen, moment),
        dates=dates,
    )


def _written(one: Expression, moment: Moment) -> Iterator[tuple[int, int, Interval]]:
    """What each stretch of date words means, if one date can stand for it; so many months away, the whole month."""
    for start, end, said in one.dates:
        reading = resolve(said.without("hour", "minute", "second"), moment)
        if reading is None or reading.chosen.start is None or said.has("recent", "span_days", "head", "now"):
            continue
        chosen = reading.chosen
        if said.amount is not None and reading.others and reading.others[0].grain in (Grain.MONTH, Grain.YEAR):
            chosen = reading.others[0]
        yield start, end, _interval(chosen, moment)


def _is_relative(said: Said) -> bool:
    return not said.has("year", "era", "century") and (said.decade or 0) < 100


def _certainty(said: Said, reading: Reading) -> float:
    return round(reading.certainty * (0.8 if said.approximate else 1.0), 2)


def _reading(chosen: Stretch, moment: Moment) -> str:
    now = moment.now
    if chosen.end is not None and chosen.end <= now:
        return "past"
    return "future" if chosen.start is not None and chosen.start > now else "present"


def _interval(stretch: Stretch, moment: Moment, said: str = "") -> Interval:
    """The stretch as instants; what lasts no longer than hours keeps its length over a change of clocks."""
    start = None if stretch.start is None else moment.aware(stretch.start)
    end = None if stretch.end is None else moment.aware(stretch.end)
    if start is not None and end is not None and end <= start and stretch.start is not None and stretch.end is not None:
        end = start + max(stretch.end - stretch.start, timedelta(seconds=1))
    return Interval(start=start, end=end, grain=stretch.grain, text=said)
