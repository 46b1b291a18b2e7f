"""When a holiday falls in a calendar year, by the rules of ``data/lang/time/holidays.toml``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from functools import cache

from yinji import shipped
from yinji.language.time.calendar import Span, days, easter, month_on, nth_weekday
from yinji.language.time.lunar import lunar_day, solar_term


def holiday(name: str, year: int) -> Span:
    """The days of the holiday that falls in that calendar year. Raises ValueError when none does."""
    rule = f"term {name.removeprefix('term_')}" if name.startswith("term_") else _rules()[name]
    words = [word for word in rule.split() if "=" not in word]
    options = {key: int(value) for key, value in (word.split("=") for word in rule.split() if "=" in word)}
    offset = options.get("offset", 0)
    first = RULES.get(words[0], _fixed)(words, year, offset) + timedelta(days=offset)
    return days(first, first + timedelta(days=options.get("days", 1)))


def ends_lunar_year(name: str) -> bool:
    """Whether what has its name from a lunar year comes when the calendar year is over: its eve, the last terms."""
    if name.startswith("term_"):
        return int(name.removeprefix("term_")) < 2
    rule = _rules()[name]
    return rule.startswith(("lunar 12-", "lunar 1-1 offset=-1")) and "days=" not in rule


def term_season(year: int, season: int) -> Span:
    """The season from the solar term that begins it (立春, 立夏, 立秋, 立冬) to the next."""
    first = solar_term(year, 2 + 6 * (season - 1))
    last = solar_term(year + season // 4, 2 + 6 * (season % 4))
    return days(first, last)


def lunar_in(year: int, month: int, day: int, *, leap: bool = False, offset: int = 0) -> date:
    """The lunar day that, moved by ``offset`` days, falls in the calendar year. Raises ValueError."""
    for lunar in (year, year - 1, year + 1):
        try:
            there = lunar_day(lunar, month, day, leap=leap)
        except ValueError:
            continue
        if (there + timedelta(days=offset)).year == year:
            return there
    if offset:
        raise ValueError(year)
    # None falls in this calendar year; the lunar year of that number has one.
    return lunar_day(year, month, day, leap=leap)


def yearly_rule(name: str) -> dict[str, str]:
    """The parts of an RRULE that say when it falls; none for one of another calendar."""
    words = _rules().get(name, "term").split()
    if words[0] == "nth":
        month, weekday, nth = words[1:4]
        return {"BYMONTH": month, "BYDAY": f"{nth}{('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU')[int(weekday) - 1]}"}
    if words[0] in RULES or len(words) > 1:
        return {}
    month, day = words[0].split("-")
    return {"BYMONTH": str(int(month)), "BYMONTHDAY": str(int(day))}


def _fixed(words: list[str], year: int, offset: int) -> date:
    month, day = words[0].split("-")
    return date(year, int(month), int(day))


def _lunar(words: list[str], year: int, offset: int) -> date:
    month, day = words[1].split("-")
    return lunar_in(year, int(month), int(day), offset=offset)


def _term(words: list[str], year: int, offset: int) -> date:
    return solar_term(year, int(words[1]))


def _nth(words: list[str], year: int, offset: int) -> date:
    month, weekday, nth = map(int, words[1:])
    first = date(year, month, 1)
    there = nth_weekday(first, month_on(first, 1), weekday, nth)
    if there is None:
        raise ValueError(year)
    return there


def _easter(words: list[str], year: int, offset: int) -> date:
    return easter(year)


RULES: Mapping[str, Callable[[list[str], int, int], date]] = {
    "lunar": _lunar,
    "term": _term,
    "nth": _nth,
    "easter": _easter,
}


@cache
def _rules() -> Mapping[str, str]:
    return {name: str(rule) for name, rule in shipped.toml("lang/time/holidays.toml").items()}
