"""From what an expression says to the stretch of time that it means."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from yinji.language.time import dates as day_arithmetic
from yinji.language.time.calendar import (
    GRAINS,
    MONTHS,
    SECONDS,
    Span,
    added,
    midnight,
    week_span,
    week_start,
    year_span,
)
from yinji.language.time.hours import on_day, other_half
from yinji.language.time.moment import Moment, bounded_lean
from yinji.language.time.said import CLOCK, LUNAR, MAYBE_LUNAR, MONTH, YEAR, Said
from yinji.model import Grain

TURNS = range(-8, 9)
SOON = timedelta(days=45)
"""What was done before a time may have been done before the coming one, when that is no further away."""
"""How far a date that leaves its year open is looked for: 29 February may be eight years away."""
WHOLE = ("quarter", "decade", "century")
"""Units that are only ever counted whole."""
HOURS = (Grain.SECOND, Grain.MINUTE, Grain.HOUR)


@dataclass(frozen=True, kw_only=True, slots=True)
class Stretch:
    """A stretch of the wall clock; ``None`` at an end is unbounded."""

    start: datetime | None
    end: datetime | None
    grain: Grain


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """What an expression means, what else it may mean, and how sure the first is (0 to 1)."""

    chosen: Stretch
    others: tuple[Stretch, ...] = ()
    certainty: float = 1.0


def resolve(said: Said, moment: Moment) -> Reading | None:
    """When it is; ``None`` for what is no time at all, such as a mere length or 30 February."""
    try:
        return _resolve(said, moment)
    except (ValueError, OverflowError, IndexError):
        return None


def _resolve(said: Said, moment: Moment) -> Reading | None:
    if said.bound is not None:
        return _bounded(said, moment)
    if said.until is not None:
        return _range(said, moment)
    if said.recent is not None:
        return _recent(said, moment)
    if said.amount is not None:
        return _distant(said, moment)
    if said.now is not None:
        instant = moment.now.replace(microsecond=0)
        return Reading(chosen=Stretch(start=instant, end=instant + timedelta(seconds=1), grain=Grain.SECOND))
    return _dated(said, moment)


def plain(said: Said, moment: Moment, turn: int) -> Span:
    """The stretch in one time round of what is left open. Raises ValueError when there is none."""
    if said.edge in ("earlier", "later"):
        return _side_of_now(said, moment, turn)
    span = day_arithmetic.dates(said, moment, turn)
    if said.weekend_of is not None:
        return _weekend_of(span)
    if said.week_of is not None:
        return week_span(week_start(span.start.date(), moment.conventions.week_starts))
    if said.day_end is not None:
        return Span(start=span.end - timedelta(seconds=1), end=span.end, grain=Grain.SECOND)
    if not said.has("hour", "part", "ampm"):
        return span
    if said.part_edge is not None and not said.has("part"):
        return span
    return on_day(said, span.start.date(), moment)


def _weekend_of(span: Span) -> Span:
    """Saturday and Sunday nearest to a day, and the days up to it."""
    weekday = span.start.weekday()
    saturday = span.start + timedelta(days=5 - weekday - (7 if weekday < 2 else 0))
    return Span(start=min(saturday, span.start), end=max(saturday + timedelta(days=2), span.end), grain=Grain.DAY)


def _side_of_now(said: Said, moment: Moment, turn: int) -> Span:
    """What is over, or left, of the stretch: earlier this week, later this year."""
    span = day_arithmetic.dates(said.without("edge"), moment, turn)
    today = midnight(moment.today)
    if not span.start <= today < span.end:
        return day_arithmetic.dates(replace(said, edge="start" if said.edge == "earlier" else "end"), moment, turn)
    if said.edge == "later":
        return replace(span, start=max(span.start, min(today, span.end - timedelta(days=1))))
    return replace(span, end=min(span.end, max(today, span.start + timedelta(days=1))))


# --------------------------------------------------------- dates and clocks


def _dated(said: Said, moment: Moment) -> Reading:
    cycle = day_arithmetic.cycle(said)
    if cycle is None:
        chosen = plain(said, moment, 0)
        others = (*_other_halves(said, moment, 0), *_other_calendars(said, moment, 0))
        return Reading(chosen=_stretch(chosen), others=others)
    spans = turns(said, moment)
    turn = choose(spans, cycle, said, moment)
    near = [span for step in (-1, 1) for span in _near(spans, turn, step)]
    certainty = 0.7 if moment.lean is None and said.has("day", "weekday", *CLOCK) else 0.85
    return Reading(
        chosen=_stretch(spans[turn]),
        others=(*map(_stretch, near), *_other_halves(said, moment, turn), *_other_calendars(said, moment, turn)),
        certainty=1.0 if said.has(*YEAR) else certainty,
    )


def turns(said: Said, moment: Moment) -> dict[int, Span]:
    """The stretch for each time round that has one; a weekday beside a date leaves those that fall on it."""
    found: dict[int, Span] = {}
    for turn in TURNS:
        try:
            found[turn] = plain(said, moment, turn)
        except (ValueError, OverflowError):
            continue
    if said.weekday is not None and said.has("day"):
        near = range(-1, 2) if said.has(*MONTH) else TURNS
        fitting = {
            turn: span for turn, span in found.items() if span.start.isoweekday() == said.weekday and turn in near
        }
        if said.has(*MONTH):
            fitting = {turn: span for turn, span in fitting.items() if _leans(span, moment)}
        found = fitting or found
    if not found:
        raise ValueError(said.day)
    return found


def _leans(span: Span, moment: Moment) -> bool:
    """Whether the stretch lies where the sentence leans."""
    if moment.lean == "past":
        return span.start <= moment.now
    return moment.lean is None or span.end > moment.now


def choose(spans: dict[int, Span], cycle: str, said: Said, moment: Moment) -> int:
    """The time round that is meant, by the lean of the sentence, else by custom (docs/time.md)."""
    lean, today, now = moment.lean, midnight(moment.today), moment.now
    if lean == "coming":
        lean = "future" if cycle in ("year", "month") else None
    if lean is None and moment.conventions.undirected == "coming":
        lean = "future" if cycle != "week" else None
    if said.turn is not None:
        over = [turn for turn, span in spans.items() if span.end <= now]
        ahead = [turn for turn, span in spans.items() if span.start > now]
        return max(over) if said.turn < 0 else min(ahead) if said.turn > 0 else 0
    if said.week is not None and not said.has(*MONTH) and 0 in spans:
        return 0
    if lean == "near":
        last = max((turn for turn, span in spans.items() if span.start <= now), default=min(spans))
        following = min((turn for turn, span in spans.items() if span.start > now), default=last)
        wait = spans[following].start - now
        return following if wait <= min(SOON, now - spans[last].start) else last
    if cycle == "week" and said.weekend is not None:
        return -1 if lean == "past" and moment.today.weekday() < 5 else 0
    if cycle == "week":
        shown = {turn: span.start.replace(hour=0, minute=0, second=0) for turn, span in spans.items()}
        if lean == "past":
            return max((turn for turn, start in shown.items() if start < today), default=min(spans))
        first = (turn for turn, start in shown.items() if (start > today if lean == "future" else start >= today))
        return min(first, default=max(spans))
    if lean == "past":
        return max((turn for turn, span in spans.items() if span.start <= now), default=min(spans))
    coming = min((turn for turn, span in spans.items() if span.end > now), default=max(spans))
    if lean == "future":
        return coming
    if said.part is not None and cycle == "day" and moment.parts[said.part].last <= 6:
        return 0 if now.hour < moment.parts[said.part].last else 1
    if 0 in spans:
        return 0
    return min((turn for turn in spans if turn > 0), default=max(spans))


def _near(spans: dict[int, Span], turn: int, step: int) -> list[Span]:
    beyond = [one for one in spans if (one - turn) * step > 0]
    return [spans[min(beyond, key=lambda one: abs(one - turn))]] if beyond else []


def _other_halves(said: Said, moment: Moment, turn: int) -> Iterator[Stretch]:
    half = other_half(said)
    if half is not None:
        yield _stretch(plain(half, moment, turn))


def _other_calendars(said: Said, moment: Moment, turn: int) -> Iterator[Stretch]:
    """A day that may be lunar as one; a lunar day of the lunar year's end; a feast of days as its first day."""
    try:
        if said.lunar == MAYBE_LUNAR:
            yield _stretch(plain(replace(said, lunar=LUNAR), moment, turn))
        if said.has(*YEAR) and (said.lunar == LUNAR or said.has("holiday")):
            shift = None if said.year is not None else (said.year_shift or 0) + 1
            later = replace(said, year=None if said.year is None else said.year + 1, year_shift=shift)
            span = plain(later, moment, turn)
            if span.start.month <= 2:
                yield _stretch(span)
        if said.has("holiday") and not said.has("hour", "part"):
            span = plain(said, moment, turn)
            if span.end - span.start > timedelta(days=1):
                yield Stretch(start=span.start, end=span.start + timedelta(days=1), grain=Grain.DAY)
    except ValueError:
        return


def _stretch(span: Span) -> Stretch:
    return Stretch(start=span.start, end=span.end, grain=span.grain)


# ------------------------------------------------------- lengths from now


def _distant(said: Said, moment: Moment) -> Reading | None:
    """So long before or after now, or before or after what is named; a mere length is no time."""
    if said.sign is None:
        return None
    amount, sign = said.amount or (), said.sign
    if said.base is not None:
        return _from_base(said, moment)
    if said.most is not None:
        ends = sorted(added(moment.now, length, sign) for length in (amount, said.most))
        return Reading(chosen=Stretch(start=ends[0], end=ends[1], grain=GRAINS.get(amount[0][1], Grain.DAY)))
    if all(unit in SECONDS for _, unit in amount):
        return Reading(chosen=_beyond(_elapsed(amount, sign, moment), said, moment), certainty=0.95)
    if any(unit in SECONDS for _, unit in amount):
        start = added(moment.now, amount, sign)
        return Reading(chosen=Stretch(start=start, end=start + timedelta(minutes=1), grain=Grain.MINUTE))
    span = plain(said, moment, 0)
    there = [_stretch(span), *_around(span.start, amount, moment)]
    if moment.conventions.away == "unit" and said.weekday is None and not amount[-1][0] % 1:  # half of one is days
        there.reverse()
    chosen, *others = there
    return Reading(chosen=_beyond(chosen, said, moment), others=tuple(others), certainty=0.9)


def _beyond(then: Stretch, said: Said, moment: Moment) -> Stretch:
    """All the time before or after, where that is meant by so long before or after."""
    if said.beyond is None or moment.conventions.beyond != "open":
        return then
    return replace(then, start=None) if said.sign == -1 else replace(then, end=None)


def _elapsed(amount: Sequence[tuple[float, str]], sign: int, moment: Moment) -> Stretch:
    start = moment.later(sign * sum(count * SECONDS[unit] for count, unit in amount))
    if any(unit == "second" for _, unit in amount):
        return Stretch(start=start, end=start + timedelta(seconds=1), grain=Grain.SECOND)
    return Stretch(start=start, end=start + timedelta(minutes=1), grain=Grain.MINUTE)


def _around(start: datetime, amount: Sequence[tuple[float, str]], moment: Moment) -> Iterator[Stretch]:
    """The whole week, month or year in which a day so many of them away falls."""
    unit = amount[-1][1]
    if unit == "week":
        first = midnight(week_start(start.date(), moment.conventions.week_starts))
        yield Stretch(start=first, end=first + timedelta(weeks=1), grain=Grain.WEEK)
    if unit in ("month", "quarter", "half"):
        first = midnight(start.date().replace(day=1))
        yield Stretch(start=first, end=added(first, ((1, "month"),), 1), grain=Grain.MONTH)
    if unit == "year":
        yield Stretch(start=year_span(start.year).start, end=year_span(start.year).end, grain=Grain.YEAR)


def _from_base(said: Said, moment: Moment) -> Reading | None:
    base = resolve(said.base or Said(), moment)
    if base is None or base.chosen.start is None:
        return None
    amount, sign = said.amount or (), said.sign or 1
    start = added(base.chosen.start, amount, sign)
    if said.weekday is not None:
        start = midnight(day_arithmetic.its_weekday(said, start.date()))
    if said.has("hour", "part"):
        return Reading(chosen=_stretch(on_day(said, start.date(), moment)), certainty=0.9)
    if base.chosen.grain in HOURS or any(unit in SECONDS for _, unit in amount):
        return Reading(chosen=Stretch(start=start, end=start + timedelta(minutes=1), grain=Grain.MINUTE))
    others = tuple(
        Stretch(start=there, end=there + timedelta(days=1), grain=Grain.DAY)
        for other in base.others
        if other.start is not None and (there := added(other.start, amount, sign))
    )
    return Reading(
        chosen=Stretch(start=start, end=start + timedelta(days=1), grain=Grain.DAY), others=others, certainty=0.9
    )


def _recent(said: Said, moment: Moment) -> Reading:
    """The stretch up to now or from now on: whole days beside today, hours by the stopwatch."""
    amount, forward = said.amount or (), said.recent == 1
    if said.base is not None and (base := resolve(said.base, moment)) and base.chosen.start:
        start = base.chosen.start
        return Reading(chosen=Stretch(start=start, end=added(start, amount, 1), grain=base.chosen.grain))
    now, today = moment.now, midnight(moment.today)
    if all(unit in SECONDS for _, unit in amount):
        edge = moment.later((1 if forward else -1) * sum(count * SECONDS[unit] for count, unit in amount))
        start, end = (now, edge) if forward else (edge, now)
        return Reading(chosen=Stretch(start=start, end=end, grain=Grain.MINUTE), certainty=0.95)
    grain = GRAINS.get(amount[-1][1], Grain.DAY)
    if said.within is not None:
        end = added(today, amount, 1) + timedelta(days=1)
        return Reading(chosen=Stretch(start=now, end=end, grain=grain), certainty=0.9)
    if amount[-1][1] == "workday":
        return Reading(chosen=_workdays(amount, forward=forward, today=today), certainty=0.9)
    tomorrow = today + timedelta(days=1)
    if amount[-1][1] in WHOLE and (whole := list(_calendar_units(amount, forward=forward, moment=moment))):
        return Reading(chosen=whole[0], certainty=0.8)
    if forward:
        ends = [(tomorrow, added(tomorrow, amount, 1)), (today, added(today, amount, 1)), (now, added(now, amount, 1))]
    else:
        ends = [
            (added(today, amount, -1), today),
            (added(tomorrow, amount, -1), tomorrow),
            (added(now, amount, -1), now),
        ]
    if moment.conventions.recent == "moment":
        ends = ends[-1:] + ends[:-1]
    chosen, *others = [Stretch(start=start, end=end, grain=grain) for start, end in ends]
    return Reading(
        chosen=chosen, others=(*others, *_calendar_units(amount, forward=forward, moment=moment)), certainty=0.8
    )


def _workdays(amount: Sequence[tuple[float, str]], *, forward: bool, today: datetime) -> Stretch:
    """From the first to after the last of so many working days beside today."""
    one, day = ((1, "workday"),), timedelta(days=1)
    near, far = added(today, one, 1 if forward else -1), added(today, tuple(amount), 1 if forward else -1)
    return Stretch(start=min(near, far), end=max(near, far) + day, grain=Grain.DAY)


def _calendar_units(amount: Sequence[tuple[float, str]], *, forward: bool, moment: Moment) -> Iterator[Stretch]:
    """The same stretch in whole calendar units."""
    (count, unit), *rest = amount
    if rest or count % 1 or unit not in ("week", *MONTHS):
        return
    if unit == "week":
        first = midnight(week_start(moment.today, moment.conventions.week_starts))
    else:
        month = (moment.today.month - 1) // min(MONTHS[unit], 12) * min(MONTHS[unit], 12) + 1
        first = midnight(moment.today.replace(month=month, day=1))
        if unit in ("decade", "century"):
            years = MONTHS[unit] // 12
            first = first.replace(year=first.year // years * years)
    start, end = (
        (added(first, ((1, unit),), 1), added(first, ((count + 1, unit),), 1))
        if forward
        else (
            added(first, ((count, unit),), -1),
            first,
        )
    )
    yield Stretch(start=start, end=end, grain=GRAINS.get(unit, Grain.DAY))


# -------------------------------------------------------- ranges and bounds


def _range(said: Said, moment: Moment) -> Reading | None:
    assert said.until is not None
    first, last = said.without("until"), said.until
    whole = _pairs(first, last, moment)
    others = []
    half = other_half(first)
    if half is not None and last.has("hour") and not last.has("ampm", "part"):
        others = [_pairs(half, replace(last, ampm=half.ampm) if other_half(last) else last, moment)]
    chosen, *rest = whole
    spare = tuple(one for listed in (rest, *others) for one in listed)
    return Reading(chosen=chosen, others=spare, certainty=0.9)


def _pairs(first: Said, last: Said, moment: Moment) -> list[Stretch]:
    """The range, chosen first, for the times round that its start may have."""
    reading = resolve(first, moment)
    if reading is None:
        raise ValueError(first)
    starts = [reading.chosen, *reading.others]
    found = []
    for start in starts[:1] + [one for one in starts[1:] if one.grain == reading.chosen.grain]:
        end = _end(last, start, moment)
        if end is not None:
            found.append(Stretch(start=start.start, end=end[0], grain=_finer(start.grain, end[1])))
    if not found:
        raise ValueError(last)
    if moment.lean == "future":
        # The first that is not over, also when it has begun.
        length = _length(found[0])
        coming = [one for one in found if one.end and one.end > moment.now and _length(one) <= length]
        found.sort(key=lambda one: (one not in coming, one.start))
    return found


def _length(stretch: Stretch) -> timedelta:
    assert stretch.start is not None
    assert stretch.end is not None
    return stretch.end - stretch.start


def _finer(first: Grain, second: Grain) -> Grain:
    return min(first, second, key=list(Grain).index)


def _end(last: Said, start: Stretch, moment: Moment) -> tuple[datetime, Grain] | None:
    """Where the range ends: the moment said by a clock, else the end of the last day or unit."""
    assert start.start is not None
    if last.now is not None or (moment.conventions.recent == "moment" and last.given() == {"day_shift": 0}):
        return moment.now, Grain.SECOND
    if last.amount is not None and last.sign is None:
        return added(start.start, last.amount, 1), Grain.MINUTE
    half = other_half(last)
    if half is not None:
        ends = [_end(replace(last, ampm=one), start, moment) for one in ("am", "pm")]
        return min((end for end in ends if end is not None), default=None)
    if day_arithmetic.cycle(last) is None:
        reading = resolve(last, moment)
        spans = [] if reading is None else [reading.chosen, *reading.others]
    else:
        spans = [_stretch(span) for _, span in sorted(turns(last, moment).items())]
    clock = last.has("hour")
    for span in spans:
        end = span.start if clock else span.end
        if end is not None and end > start.start:
            return end, span.grain
    if clock and spans and spans[0].start is not None:
        return spans[0].start + timedelta(days=1), spans[0].grain
    return None


def _bounded(said: Said, moment: Moment) -> Reading | None:
    bound, inner = said.bound or "", said.without("bound")
    lean = bounded_lean(bound, moment)
    if inner.edge == "end" and bound == "before":
        bound = "by"
    if inner.edge == "start" and bound == "after":
        bound = "since"
    reading = resolve(inner, replace(moment, lean=lean))
    if reading is None:
        return None
    meant = [BOUNDS[bound](reading.chosen, moment)]
    if bound == "before":
        meant.append(_by(replace(reading.chosen, grain=Grain.DAY), moment))
    if moment.conventions.before == "included":
        meant.reverse()
    return Reading(
        chosen=meant[0],
        others=(*meant[1:], *(BOUNDS[bound](one, moment) for one in reading.others), reading.chosen),
        certainty=min(reading.certainty, 0.9),
    )


def _up_to(end: datetime | None, grain: Grain, moment: Moment) -> Stretch:
    now = moment.now
    ahead = end is None or (end > now and moment.lean != "near")
    return Stretch(start=now if ahead else None, end=end, grain=grain)


def _before(span: Stretch, moment: Moment) -> Stretch:
    return _up_to(span.start, span.grain, moment)


def _by(span: Stretch, moment: Moment) -> Stretch:
    return _up_to(span.start if span.grain in HOURS else span.end, span.grain, moment)


def _since(span: Stretch, moment: Moment) -> Stretch:
    ahead = span.start is not None and span.start > moment.now
    return Stretch(start=span.start, end=None if ahead else moment.now, grain=span.grain)


def _after(span: Stretch, moment: Moment) -> Stretch:
    return Stretch(start=span.start if span.grain in HOURS else span.end, end=None, grain=span.grain)


BOUNDS: dict[str, Callable[[Stretch, Moment], Stretch]] = {
    "before": _before,
    "by": _by,
    "until": _by,
    "since": _since,
    "after": _after,
}
