"""What a phrase means at a given moment: rules made of picks, parts of the day, clocks and stopwatches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta

from picks import FRI, MON, THU, TUE, WED, Pick, around, day, moved, weekend

PARTS = {
    "凌晨": (0, 6),
    "早上": (6, 9),
    "上午": (9, 12),
    "中午": (11, 13),
    "下午": (12, 18),
    "傍晚": (17, 19),
    "晚上": (18, 24),
    "半夜": (24, 29),
    "morning": (6, 12),
    "afternoon": (12, 18),
    "evening": (18, 22),
    "night": (18, 24),
}
"""Hours after the midnight that opens the day named."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What the parser should say; ``also`` holds other intervals that are as right."""

    start: datetime
    end: datetime
    grain: str
    match: str = "exact"
    also: tuple[tuple[datetime, datetime], ...] = ()
    recurrence: str | None = None
    recurrence_also: tuple[str, ...] = ()


Rule = Callable[[datetime], Answer]


def at_minute(at: datetime, day: date, minutes: float) -> datetime:
    """The wall clock of the speaker's zone, ``minutes`` after the midnight that opens ``day``; 1,440: the next."""
    wall = datetime.combine(day, time()) + timedelta(minutes=minutes)
    return wall.replace(tzinfo=at.tzinfo)


def answer(stretches: list[tuple[datetime, datetime]], grain: str, match: str) -> Answer:
    """The first stretch, and each of the others that says something else."""
    (start, end), *rest = dict.fromkeys(stretches)
    return Answer(start=start, end=end, grain=grain, match=match, also=tuple(rest))


def dated(*picks: Pick, grain: str = "day", match: str = "exact") -> Rule:
    def rule(at: datetime) -> Answer:
        today = at.date()
        found = [pick(today) for pick in picks]
        return answer([(at_minute(at, a, 0), at_minute(at, b, 0)) for a, b in found], grain, match)

    return rule


def rough(*picks: Pick, grain: str = "day") -> Rule:
    """Parts of a month or year, whose ends nobody knows to the day."""
    return dated(*picks, grain=grain, match="overlap")


def part(name: str, *picks: Pick, wide: tuple[float, float] | None = None) -> Rule:
    """A part of the first day of each pick; ``wide`` are hours that are as right."""

    def rule(at: datetime) -> Answer:
        windows = [PARTS[name], *([wide] if wide else [])]
        found = [
            (at_minute(at, first, 60 * a), at_minute(at, first, 60 * b))
            for a, b in windows
            for first in [pick(at.date())[0] for pick in picks]
        ]
        return answer(found, "part_of_day", "overlap")

    return rule


def seconds(clock: str) -> int:
    hours, minutes, *rest = (int(piece) for piece in clock.split(":"))
    return 3600 * hours + 60 * minutes + (rest[0] if rest else 0)


def clock_grain(clock: str) -> str:
    return "second" if clock.count(":") == 2 else "hour" if clock.endswith(":00") else "minute"


def clock(reads: str, *picks: Pick, also: tuple[str, ...] = ()) -> Rule:
    """A time of the first day of each pick; ``24:00`` and more are of the night after it."""
    grain = clock_grain(reads)
    length = {"hour": 60.0, "minute": 1.0, "second": 1 / 60}[grain]

    def rule(at: datetime) -> Answer:
        firsts = [pick(at.date())[0] for pick in picks]
        moments = [at_minute(at, first, seconds(one_clock) / 60) for one_clock in (reads, *also) for first in firsts]
        ends = [at_minute(at, m.date(), m.hour * 60 + m.minute + m.second / 60 + length) for m in moments]
        return answer(list(zip(moments, ends, strict=True)), grain, "start")

    return rule


def today_at(reads: str, *, also: tuple[str, ...] = ()) -> Rule:
    """A time without a day and without tense: today's; once it has passed, tomorrow's is as right."""

    def rule(at: datetime) -> Answer:
        passed = at.hour * 3600 + at.minute * 60 >= seconds(reads)
        return clock(reads, *([day(0), day(1)] if passed else [day(0)]), also=also)(at)

    return rule


def small_hours(make: Callable[..., Rule], *args: str) -> Rule:
    """The coming small hours; today's when it is already past midnight and before six."""
    return lambda at: make(*args, day(0 if at.hour < 6 else 1))(at)


def this_night(name: str) -> Rule:
    """Tonight is the evening of today's date; before six in the morning the night in progress is as right."""

    def rule(at: datetime) -> Answer:
        found = part(name, day(0))(at)
        night = (at_minute(at, at.date(), -360), at_minute(at, at.date(), 360))
        return replace(found, also=(night, (at_minute(at, at.date(), 0), night[1]))) if at.hour < 6 else found

    return rule


def about(reads: str, *picks: Pick) -> Rule:
    """Around a time: where that time starts, or a quarter or half an hour on either side of it."""
    exact = clock(reads, *picks)

    def rule(at: datetime) -> Answer:
        found = exact(at)
        wide = tuple((found.start - timedelta(minutes=n), found.start + timedelta(minutes=n)) for n in (15, 30))
        return replace(found, also=(*found.also, *wide))

    return rule


def between(first: str, last: str, *picks: Pick) -> Rule:
    """From the one time to the other of the first day of each pick; the end is the moment said."""

    def rule(at: datetime) -> Answer:
        firsts = [pick(at.date())[0] for pick in picks]
        ends = [tuple(at_minute(at, one_day, seconds(reads) / 60) for reads in (first, last)) for one_day in firsts]
        grain = "minute" if "minute" in (clock_grain(first), clock_grain(last)) else "hour"
        return answer([(a, b) for a, b in ends], grain, "exact")

    return rule


def elapsed(**delta: float) -> Rule:
    """So much time from now, by a stopwatch: a change of clocks does not change it."""
    in_seconds = timedelta(**delta) % timedelta(minutes=1) != timedelta()

    def rule(at: datetime) -> Answer:
        start = (at.astimezone(UTC) + timedelta(**delta)).astimezone(at.tzinfo)
        end = (start.astimezone(UTC) + timedelta(seconds=1 if in_seconds else 60)).astimezone(at.tzinfo)
        return Answer(start=start, end=end, grain="second" if in_seconds else "minute", match="start")

    return rule


def apart(*, days: int = 0, months: int = 0, unit: str = "day") -> Rule:
    """So many days, weeks, months or years from today: the day that falls on; the whole unit around it is as right."""
    pick = moved(days=days, months=months)
    return dated(pick) if unit == "day" else dated(pick, around(pick, unit))


def by(*picks: Pick, includes: bool = True) -> Rule:
    """From now to the end of a day ("before": to its start); as right: from today's midnight, or the day alone."""

    def rule(at: datetime) -> Answer:
        today = at_minute(at, at.date(), 0)
        found: list[tuple[datetime, datetime]] = []
        for first, after in (pick(at.date()) for pick in picks):
            lasts = [after, first] if includes else [first, after]
            ends = [at_minute(at, last, 0) for last in lasts]
            found += [(start, end) for end in (ends[:1] if includes else ends) for start in (at, today) if end > start]
            found.append((at_minute(at, first, 0), at_minute(at, after, 0)))
        return answer(found, "day", "exact")

    return rule


def by_clock(reads: str, *picks: Pick) -> Rule:
    """From now until a time; as right: from today's midnight, or the time alone."""
    exact = clock(reads, *picks)

    def rule(at: datetime) -> Answer:
        found = exact(at)
        spans = [(at, found.start), (at_minute(at, at.date(), 0), found.start), (found.start, found.end)]
        return answer(spans, found.grain, "exact")

    return rule


def since(*picks: Pick) -> Rule:
    """From the start of a day until now; as right: until today is over, or the day alone."""

    def rule(at: datetime) -> Answer:
        found: list[tuple[datetime, datetime]] = []
        for first, after in (pick(at.date()) for pick in picks):
            start = at_minute(at, first, 0)
            ends = (at, at_minute(at, at.date(), 0), at_minute(at, at.date(), 1440), at_minute(at, after, 0))
            found += [(start, end) for end in ends if end > start]
        return answer(found, "day", "exact")

    return rule


def every(recurrence: str, first: Rule, *also: str) -> Rule:
    """A rule of repetition with its first occurrence that is not over."""
    return lambda at: replace(first(at), recurrence=recurrence, recurrence_also=also, match="recurrence", also=())


def first_day(wanted: Callable[[date], bool], make: Callable[..., Rule] = dated, *args: str) -> Rule:
    """The first day on which it happens whose occurrence is not over: a whole day, or a part or time of it."""

    def rule(at: datetime) -> Answer:
        for offset in range(800):
            if not wanted(at.date() + timedelta(days=offset)):
                continue
            found = make(*args, day(offset))(at)
            if found.end > at:
                return found
        raise ValueError("never")

    return rule


def any_day(_: date) -> bool:
    return True


def named(*names: int) -> Callable[[date], bool]:
    return lambda one_day: one_day.weekday() in names


def numbered(number: int) -> Callable[[date], bool]:
    """That day of the month; -1 is the last."""
    return lambda one_day: one_day.day == number or (number == -1 and (one_day + timedelta(days=1)).day == 1)


def yearly_on(month: int, number: int) -> Callable[[date], bool]:
    return lambda one_day: (one_day.month, one_day.day) == (month, number)


def first_named(name: int) -> Callable[[date], bool]:
    """The first such weekday of its month."""
    return lambda one_day: one_day.weekday() == name and one_day.day <= 7


on_workdays = every(
    "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    first_day(named(MON, TUE, WED, THU, FRI)),
    "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR",
)
on_weekends = every("FREQ=WEEKLY;BYDAY=SA,SU", dated(weekend(0)), "FREQ=WEEKLY;BYDAY=SA")
