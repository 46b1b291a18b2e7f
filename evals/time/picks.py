"""Which days a phrase means on a given day: plain calendar arithmetic, sharing no code with the parser it is to judge.

A ``Pick`` turns today into a stretch of days; a ``Yearly`` (or ``Monthly``) names a stretch in any year (month).
A tuple of picks: the first is the expected reading, the others are as right.
"""

from __future__ import annotations

import calendar
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from almanac import EASTER, QINGMING, WINTER_SOLSTICE, lunar_date

MON, TUE, WED, THU, FRI, SAT, SUN = range(7)
SPRING, SUMMER, AUTUMN, WINTER = 3, 6, 9, 12

Days = tuple[date, date]
"""First day and the day after the last."""
Pick = Callable[[date], Days]
Yearly = Callable[[int], Days | None]
Monthly = Callable[[int, int], Days | None]


def one(day: date) -> Days:
    return day, day + timedelta(days=1)


def day(offset: int) -> Pick:
    return lambda today: one(today + timedelta(days=offset))


def monday(today: date) -> date:
    return today - timedelta(days=today.weekday())


def weekday(week: int, name: int) -> Pick:
    """That day of this calendar week (0), the last (-1), the next (1) …"""
    return lambda today: one(monday(today) + timedelta(days=7 * week + name))


def ahead(name: int, *, weeks: int = 0, today_counts: bool = False) -> Pick:
    """The first such weekday after today (or today's), and ``weeks`` more."""

    def pick(today: date) -> Days:
        wait = (name - today.weekday()) % 7
        return one(today + timedelta(days=(wait if wait or today_counts else 7) + 7 * weeks))

    return pick


def behind(name: int, *, weeks: int = 0) -> Pick:
    """The last such weekday before today, and ``weeks`` more."""
    return lambda today: one(today - timedelta(days=((today.weekday() - name) % 7 or 7) + 7 * weeks))


def same_or(pick: Pick, name: int) -> Pick:
    """Today when it has that name, otherwise what ``pick`` says."""
    return lambda today: one(today) if today.weekday() == name else pick(today)


def lone(name: int) -> tuple[Pick, ...]:
    """A weekday by itself with no tense: the coming one, today's included; as right: this calendar week's, and on that
    very day the one a week on."""
    return ahead(name, today_counts=True), weekday(0, name), ahead(name)


def went(name: int) -> tuple[Pick, ...]:
    """A weekday in a past sentence: the last one before today; today's is as right."""
    return behind(name), same_or(behind(name), name)


def will(name: int) -> tuple[Pick, ...]:
    """A weekday in a future sentence: the next one after today; today's is as right."""
    return ahead(name), ahead(name, today_counts=True)


def last_named(name: int) -> tuple[Pick, ...]:
    """ "last Friday": last calendar week's; on days after it, this week's has passed too and is as right."""
    return weekday(-1, name), behind(name)


def this_named(name: int) -> tuple[Pick, ...]:
    """ "this Friday": this calendar week's; once that is over, the coming one is as right."""
    return weekday(0, name), lambda today: (weekday(0, name) if today.weekday() <= name else ahead(name))(today)


def until(first: Pick, last: Pick) -> Pick:
    """From the first day of one to the last day of the other."""
    return lambda today: (first(today)[0], last(today)[1])


def run(first: int, last: int) -> Pick:
    """From the coming weekday (today's included) to the next of the other name after it."""

    def pick(today: date) -> Days:
        start = ahead(first, today_counts=True)(today)[0]
        return start, start + timedelta(days=(last - first) % 7 + 1)

    return pick


def run_past(first: int, last: int) -> Pick:
    """The latest run from the one weekday to the other that is over."""

    def pick(today: date) -> Days:
        end = behind(last)(today)[1]
        return end - timedelta(days=(last - first) % 7 + 1), end

    return pick


def weeks(offset: int, count: int = 1) -> Pick:
    def pick(today: date) -> Days:
        first = monday(today) + timedelta(days=7 * offset)
        return first, first + timedelta(days=7 * count)

    return pick


def weekend(offset: int) -> Pick:
    def pick(today: date) -> Days:
        saturday = monday(today) + timedelta(days=7 * offset + SAT)
        return saturday, saturday + timedelta(days=2)

    return pick


def shift_month(day: date, count: int) -> date:
    """The same day so many months on, or the last day of a month that is too short."""
    year, month = divmod(day.year * 12 + day.month - 1 + count, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def months(offset: int, count: int = 1) -> Pick:
    def pick(today: date) -> Days:
        first = shift_month(today.replace(day=1), offset)
        return first, shift_month(first, count)

    return pick


def quarter(offset: int) -> Pick:
    def pick(today: date) -> Days:
        first = shift_month(today.replace(month=(today.month - 1) // 3 * 3 + 1, day=1), 3 * offset)
        return first, shift_month(first, 3)

    return pick


def year(offset: int, count: int = 1) -> Pick:
    return lambda today: (date(today.year + offset, 1, 1), date(today.year + offset + count, 1, 1))


def years(first: int, after: int) -> Pick:
    return lambda today: (date(first, 1, 1), date(after, 1, 1))


def past_days(count: int) -> tuple[Pick, ...]:
    """ "the last three days": the days before today; as right: the same many, today being the last."""
    return (
        lambda today: (today - timedelta(days=count), today),
        lambda today: (today - timedelta(days=count - 1), today + timedelta(days=1)),
        lambda today: (today - timedelta(days=count), today + timedelta(days=1)),
    )


def coming_days(count: int) -> tuple[Pick, ...]:
    """ "the next three days": the days after today; as right: the same many from today on."""
    return (
        lambda today: (today + timedelta(days=1), today + timedelta(days=count + 1)),
        lambda today: (today, today + timedelta(days=count)),
        lambda today: (today, today + timedelta(days=count + 1)),
    )


def moved(*, days: int = 0, months: int = 0) -> Pick:
    return lambda today: one(shift_month(today + timedelta(days=days), months))


def around(pick: Pick, unit: str) -> Pick:
    """The whole week, month or year that the day lies in."""
    of = {"week": weeks, "month": months, "year": year}[unit]
    return lambda today: of(0)(pick(today)[0])


def on(month: int, number: int) -> Yearly:
    def in_year(year: int) -> Days | None:
        short = number > calendar.monthrange(year, month)[1]
        return None if short else one(date(year, month, number))

    return in_year


def stretch(first: Yearly, last: Yearly) -> Yearly:
    """From the one to the other inclusive; the other may fall in the next year."""

    def in_year(year: int) -> Days | None:
        start, end = first(year), last(year)
        if start and end and end < start:
            end = last(year + 1)
        return (start[0], end[1]) if start and end else None

    return in_year


def month_of(first: int, count: int = 1) -> Yearly:
    return lambda year: (date(year, first, 1), shift_month(date(year, first, 1), count))


def quarter_of(number: int) -> Yearly:
    return month_of(3 * number - 2, 3)


def half_of(number: int) -> Yearly:
    return month_of(6 * number - 5, 6)


def tenth(month: int, third: int) -> Yearly:
    """The 1st to 10th, the 11th to 20th, or the 21st to the end of a month (thirds 1, 2, 3)."""

    def in_year(year: int) -> Days:
        return tenth_of(third)(year, month)

    return in_year


def tenth_of(third: int) -> Callable[[int, int], Days]:
    def in_month(year: int, month: int) -> Days:
        first = date(year, month, 10 * third - 9)
        after = shift_month(date(year, month, 1), 1) if third == 3 else date(year, month, 10 * third + 1)
        return first, after

    return in_month


def third_of_month(offset: int, third: int) -> Pick:
    def pick(today: date) -> Days:
        first = months(offset)(today)[0]
        return tenth_of(third)(first.year, first.month)

    return pick


def season(opens: int) -> Yearly:
    """Three whole months, meteorological and northern; a winter carries the year in which it opens."""
    return month_of(opens, 3)


def nth(month: int, name: int, number: int, plus: int = 0) -> Yearly:
    """The n-th such weekday of a month (-1: the last), and so many days after it."""

    def in_year(year: int) -> Days:
        length = calendar.monthrange(year, month)[1]
        named = [date(year, month, n) for n in range(1, length + 1) if date(year, month, n).weekday() == name]
        return one(named[number - (number > 0)] + timedelta(days=plus))

    return in_year


def easter(plus: int = 0) -> Yearly:
    return lambda year: one(date(year, *EASTER[year]) + timedelta(days=plus))


def lunar(month: int, number: int, *, leap: bool = False) -> Yearly:
    """A day of the lunar calendar; a twelfth month is the one that ends in that Gregorian year's new year."""
    return lambda year: one(lunar_date(year - (month == 12), month, number, leap=leap))


def of_lunar_year(month: int, number: int, year: int) -> tuple[Pick, ...]:
    """A day of the twelfth month "of 2026": the one in that Gregorian year, or the one that ends that lunar year."""
    return of_year(lunar(month, number), year), of_year(lunar(month, number), year + 1)


def lunar_eve(year: int) -> Days:
    return one(lunar_date(year, 1, 1) - timedelta(days=1))


def lunar_holiday(year: int) -> Days:
    """From the eve to the seventh of the first month."""
    return lunar_eve(year)[0], lunar_date(year, 1, 8)


def qingming(year: int) -> Days:
    return one(date(year, 4, QINGMING[year]))


def winter_solstice(year: int) -> Days:
    return one(date(year, 12, WINTER_SOLSTICE[year]))


def golden_week(year: int) -> Days:
    return date(year, 10, 1), date(year, 10, 8)


def _found(yearly: Yearly, numbers: Iterator[int], wanted: Callable[[Days], bool]) -> Days:
    for number in numbers:
        days = yearly(number)
        if days and wanted(days):
            return days
    raise ValueError("never")


def latest(yearly: Yearly) -> Pick:
    """The last one that has begun."""
    return lambda today: _found(yearly, iter(range(today.year, today.year - 9, -1)), lambda days: days[0] <= today)


def upcoming(yearly: Yearly) -> Pick:
    """The next one that is not over."""
    return lambda today: _found(yearly, iter(range(today.year - 1, today.year + 9)), lambda days: days[1] > today)


def over(yearly: Yearly) -> Pick:
    """The last one that is over."""
    return lambda today: _found(yearly, iter(range(today.year, today.year - 9, -1)), lambda days: days[1] <= today)


def unbegun(yearly: Yearly) -> Pick:
    """The next one that has not begun."""
    return lambda today: _found(yearly, iter(range(today.year, today.year + 9)), lambda days: days[0] > today)


def in_year(yearly: Yearly, offset: int = 0) -> Pick:
    return lambda today: yearly(today.year + offset) or upcoming(yearly)(today)


def of_year(yearly: Yearly, number: int) -> Pick:
    return lambda today: yearly(number) or one(date.max)


def bare(yearly: Yearly) -> tuple[Pick, ...]:
    """Without a year and without tense: this calendar year's; the latest and the coming one are as right."""
    return in_year(yearly), latest(yearly), upcoming(yearly)


def _month_days(number: int) -> Monthly:
    def in_month(year: int, month: int) -> Days | None:
        short = number > calendar.monthrange(year, month)[1]
        return None if short else one(date(year, month, number))

    return in_month


def _seek(number: int, offsets: range, wanted: Callable[[Days, date], bool]) -> Pick:
    def pick(today: date) -> Days:
        for offset in offsets:
            first = shift_month(today.replace(day=1), offset)
            days = _month_days(number)(first.year, first.month)
            if days and wanted(days, today):
                return days
        raise ValueError("never")

    return pick


def latest_the(number: int) -> Pick:
    """The last 5th (say) that has begun."""
    return _seek(number, range(0, -12, -1), lambda days, today: days[0] <= today)


def coming_the(number: int) -> Pick:
    """The next 5th (say) that is not over."""
    return _seek(number, range(12), lambda days, today: days[1] > today)


def the(number: int, offset: int = 0) -> Pick:
    """That day of this month (0), the last (-1) …, or of the next month that has it."""
    return _seek(number, range(offset, offset + 12), lambda days, today: True)


def lone_the(number: int) -> tuple[Pick, ...]:
    """A day of the month by itself with no tense: this month's; the latest and the coming one are as right."""
    return the(number), latest_the(number), coming_the(number)


def lone_run(first: int, last: int) -> tuple[Pick, ...]:
    """From one day of the month to another, with no tense: this month's; the latest and the coming one are as right."""

    def of(start: Pick) -> Pick:
        return lambda today: (start(today)[0], start(today)[0].replace(day=last) + timedelta(days=1))

    def coming(today: date) -> Days:
        this = of(the(first))(today)
        return this if this[1] > today else of(the(first, 1))(today)

    return of(the(first)), of(latest_the(first)), coming
