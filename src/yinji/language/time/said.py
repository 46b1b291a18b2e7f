"""What the words of a time expression say, before anybody asks when that is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

CLAUSE = re.compile(r",(?!\d{3}\b)|[，。;；!！?？\n]")
"""What stands between clauses."""


def begun(text: str, end: int, ends: re.Pattern[str] = CLAUSE) -> int:
    """Where the clause, or what else such an end closes, begins that goes on at ``end``."""
    return max((match.end() for match in ends.finditer(text, 0, end)), default=0)


Amount = tuple[tuple[float, str], ...]
"""A length of time as counts of units: ``((2, "year"), (1, "month"))``."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """The parts that an expression names; ``None`` where it names none. A ``_shift`` counts from now, 0 is this one."""

    era: int | None = None
    """The year before an era's first."""
    year: int | None = None
    year_shift: int | None = None
    decade: int | None = None
    """Its first year; below 100 when the century is not said."""
    decade_shift: int | None = None
    century: int | None = None
    half: int | None = None
    half_of: str | None = None
    """What the half is of: ``year``, ``month`` or ``week``."""
    quarter: int | None = None
    quarter_shift: int | None = None
    season: int | None = None
    """1 spring to 4 winter."""
    season_shift: int | None = None
    """-1 the latest that is over, 1 next calendar year's, 0 the one in progress or coming."""
    month: int | None = None
    """Counted from the end when below 0."""
    month_shift: int | None = None
    lunar: int | None = None
    """``LUNAR`` when it is said, ``MAYBE_LUNAR`` when the day is written so that it may be."""
    leap: int | None = None
    holiday: str | None = None
    turn: int | None = None
    """Of what comes round every year: -1 the latest that is over, 0 this year's, 1 the next that has not begun."""
    edge: str | None = None
    """``start``, ``mid`` or ``end`` of what is named beside it."""
    edge_of: str | None = None
    """The unit that the word itself says, when it says one."""
    week: int | None = None
    """The nth week of what is named beside it; below 0 from its end."""
    week_shift: int | None = None
    weekday: int | None = None
    """1 Monday to 7 Sunday."""
    weekday_nth: int | None = None
    weekday_shift: int | None = None
    """Counted in such weekdays from now: -1 the latest before today, 1 the next after."""
    weekend: int | None = None
    weekend_of: int | None = None
    """The weekend around a holiday, up to it when it stands beside one."""
    week_of: int | None = None
    """The whole week around what is named."""
    day: int | None = None
    """Of the month; below 0 from its end."""
    day_shift: int | None = None
    day_end: int | None = None
    """The last moment of the day."""
    span_days: int | None = None
    """So many days from the day named."""
    head: int | None = None
    """The first so many units of what is named beside it; below 0 the last."""
    head_unit: str | None = None
    nth: int | None = None
    nth_unit: str | None = None
    beyond: int | None = None
    """Said so that it may be all the time before or after (以前, 之后), not only then."""
    recent: int | None = None
    """-1 the stretch up to now, 1 the one from now on."""
    within: int | None = None
    """Whether the stretch from now on opens at this very moment."""
    part: str | None = None
    part_edge: str | None = None
    hour: int | None = None
    minute: int | None = None
    second: int | None = None
    ampm: str | None = None
    exact: int | None = None
    """The hour is one of 24."""
    hour_to: int | None = None
    now: int | None = None
    amount: Amount | None = None
    most: Amount | None = None
    """What a length is at most, when it is not exact."""
    open: str | None = None
    """``at_least`` or ``at_most``: the other end of a length is open."""
    sign: int | None = None
    """-1 the amount before, 1 after what is named beside it, or now."""
    every: str | None = None
    """The unit that it repeats by."""
    interval: int | None = None
    byday: str | None = None
    bymonthday: str | None = None
    """Several days of the month, apart by commas."""
    bound: str | None = None
    """``before``, ``by``, ``after``, ``since`` or ``until`` what is named."""
    approximate: int | None = None
    until: Said | None = None
    """The other end of a range; of what repeats, also the last day that it does (``is_end``)."""
    since: Said | None = None
    """The first day from which it repeats."""
    base: Said | None = None
    """What an amount is counted from, when not from now."""

    def given(self) -> dict[str, Any]:
        """The fields that are said."""
        return {name: value for name in NAMES if (value := getattr(self, name)) is not None}

    def without(self, *names: str) -> Said:
        return replace(self, **dict.fromkeys(names))

    def has(self, *names: str) -> bool:
        return any(getattr(self, name) is not None for name in names)


@dataclass(frozen=True, kw_only=True, slots=True)
class Expression:
    """What is said between two offsets, and what of it names the day."""

    start: int
    end: int
    said: Said
    dates: tuple[tuple[int, int, Said], ...] = ()


NAMES = tuple(one.name for one in fields(Said))
LUNAR, MAYBE_LUNAR = 1, 2
WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
"""As recurrence rules call them (RFC 5545)."""
YEAR = ("era", "year", "year_shift")
DECADE = ("decade", "decade_shift", "century")
CLOCK = ("hour", "minute", "second")
DAY = ("day", "day_shift", "weekday", "weekday_shift", "weekend", "holiday", "weekday_nth")
MONTH = ("month", "month_shift")
WITHIN_YEAR = (*MONTH, "quarter", "quarter_shift", "season", "season_shift", "half")
WEEK = ("week", "week_shift")


def merged(first: Said, second: Said) -> Said | None:
    """Both as one expression; ``None`` when they say different things or do not belong together."""
    one, other = first.given(), second.given()
    if _dates_a_weekday(one, other) or _dates_a_weekday(other, one):
        # This Friday, 12 May: the date says which.
        one, other = ({name: value for name, value in row.items() if name != "week_shift"} for row in (one, other))
    if any(name in other for name in one if name not in LOOSE):
        return None
    both = Said(**{**other, **one})
    if first.lunar and second.lunar:
        both = replace(both, lunar=min(first.lunar, second.lunar))
    return both if coherent(both) and (one.keys() != other.keys()) else None


def is_end(first: Said, last: Said) -> bool:
    """Whether the end of a range is the last day on which something repeats: every Monday until June.

    Not when both ends are of one kind: every Monday to Friday, every year from March to May.
    """
    if not first.has("every") or not last.has(*DAY, *WITHIN_YEAR, *YEAR, *WEEK, "edge", "amount"):
        return False
    kinds = {name for name in (*DAY, *MONTH, "season", "quarter") if first.has(name)}
    if first.byday is not None and "," not in first.byday:
        kinds.add("weekday")
    return not any(last.has(name) for name in kinds)


def _dates_a_weekday(date: Mapping[str, Any], weekday: Mapping[str, Any]) -> bool:
    return "day" in date and "month" in date and "week_shift" in weekday and "weekday" in weekday


LOOSE = frozenset({"approximate", "exact", "lunar"})


def coherent(said: Said) -> bool:
    """Whether the parts name one time: nothing between them is missing, nothing is named twice."""
    return all(rule(said) for rule in COHERENCE)


def _one_year(said: Said) -> bool:
    return sum(said.has(name) for name in ("year", "year_shift")) <= 1 and not (said.has(*DECADE) and said.has(*YEAR))


def _one_month(said: Said) -> bool:
    named = said.has("month", "month_shift") + said.has("quarter", "quarter_shift") + said.has("season", "holiday")
    if said.has("month") and said.has("month_shift"):
        return False
    return named <= 1 and not (said.has("half") and said.half_of == "year" and named)


def _now_is_alone(said: Said) -> bool:
    return not (said.has("now") and said.has("day", "weekday", *MONTH, "year", *WEEK))


def _one_day(said: Said) -> bool:
    named = [name for name in ("day", "day_shift", "weekday_shift", "weekend", "holiday") if said.has(name)]
    if said.has("weekday") and said.has("weekend", "holiday", "weekday_shift"):
        return False
    return len(named) <= 1 and not (said.has("edge") and named)


def _day_is_anchored(said: Said) -> bool:
    """A day needs its month, a weekday no more than a week, and nothing broader stands beside a narrower alone."""
    if said.has("day") and said.has(*YEAR) and not said.has(*MONTH):
        return False
    if said.has("day", "day_shift", "weekday_shift") and said.has(*WEEK, "half", "quarter", "season", "head", "nth"):
        return False
    this_day = said.day_shift == 0 and said.year_shift and not said.has(*WITHIN_YEAR)
    if said.has("day_shift", "weekday_shift") and said.has(*YEAR, *WITHIN_YEAR) and not this_day:
        return False
    broad = said.has(*YEAR, *WITHIN_YEAR)
    loose = said.has("weekday") and not said.has("day", "day_shift", "week", "weekday_nth", "amount")
    if loose and broad:
        return False
    return not (said.has("weekend") and broad and not said.has("week"))


def _hours_have_a_day(said: Said) -> bool:
    if not said.has("hour", "part", "ampm", "hour_to"):
        return True
    if said.has("every"):
        return True
    if said.has("amount") and any(unit in ("hour", "minute", "second") for _, unit in said.amount or ()):
        return said.has("until") or not said.has("hour", "part")
    broad = said.has(*YEAR, *WITHIN_YEAR, *WEEK, *DECADE, "edge", "head")
    return said.has(*DAY, "amount", "nth") or not broad


def _weeks_stand_alone(said: Said) -> bool:
    if said.has("week_shift") and said.has(*YEAR, *WITHIN_YEAR):
        return False
    return not (said.has("week_shift") and said.has("weekend"))


def _amounts_stand_alone(said: Said) -> bool:
    if not said.has("amount", "recent"):
        return True
    if not said.has("sign", "recent"):
        return len(said.given()) == 1
    return not said.has(*YEAR, *WITHIN_YEAR, *WEEK, *DECADE, "day", "day_shift", "every", "holiday", "edge", "now")


def _edges_fit(said: Said) -> bool:
    if said.edge_of == "month":
        return said.has("month", "month_shift") or not said.has(*YEAR, *WITHIN_YEAR)
    if said.edge_of == "year":
        return not said.has(*WITHIN_YEAR)
    return True


def _rules_repeat(said: Said) -> bool:
    if not said.has("every"):
        return True
    if said.every == "day" and said.has("weekday", "day", *MONTH):
        return False
    if said.every == "week" and said.has("day", *MONTH):
        return False
    return not said.has("day_shift", "year", "year_shift", "month_shift", "week_shift", "now", "decade", "century")


COHERENCE = (
    _one_year,
    _one_month,
    _now_is_alone,
    _one_day,
    _day_is_anchored,
    _hours_have_a_day,
    _weeks_stand_alone,
    _amounts_stand_alone,
    _edges_fit,
    _rules_repeat,
)
