"""What a time takes from one said before it: the year, the month, the week, or the day that it comes after."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from yinji.language.time.lexicon import Lexicon
from yinji.language.time.said import CLOCK, DECADE, MONTH, WEEK, WITHIN_YEAR, YEAR, Expression, Said

LATER = "future"
"""Which way one leans that comes after a moment."""
_SENTENCE = re.compile(r"[.!?](?=\s|$)|[\u3002\uff01\uff1f\n]")
_HOURS = frozenset({*CLOCK, "part", "part_edge", "ampm", "exact", "approximate", "bound", "lunar"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Anchor:
    """A time said before, and when it is."""

    said: Said
    start: datetime
    end: int
    """Where in the text it ends; below 0 what was said before the text."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Followed:
    """What is to be read in place of an expression, and the moment that it comes after."""

    one: Expression
    at: datetime | None = None
    """``None`` when it is read as of now."""


def follow(one: Expression, anchors: Sequence[Anchor], clause: str, text: str, *, words: Lexicon) -> Followed | None:
    """How the expression goes on from the last time before it; ``None`` when it stands for itself.

    ``clause``: the one around it, with a null character in its place.
    """
    near = [anchor for anchor in anchors if not _SENTENCE.search(text[max(anchor.end, 0) : one.start])]
    if not near or one.said.has("every", "until", "amount", "recent", "now"):
        return None
    last = near[-1]
    if {*one.said.given()} - _HOURS == {"weekday"} and (week := _in_week(one.said, last.said)) is not None:
        return Followed(one=_with(one, week_shift=week))
    if _is_open(one.said) and words.tense["returns"].search(clause):
        return Followed(one=one, at=last.start)
    year = _year(near)
    if year is not None and one.said.has(*WITHIN_YEAR, "holiday") and _has_no_year(one.said):
        return Followed(one=_with(one, **year))
    return None


def _is_open(said: Said) -> bool:
    """Whether it leaves open which week, month or year it is of: a weekday, a day of the month, a date."""
    names = {*said.given()} - _HOURS
    return names in ({"weekday"}, {"day"}, {"month", "day"}, {"weekday", "day"})


def _in_week(said: Said, before: Said) -> int | None:
    """The week of the day before it, where that one names a week other than this and is the earlier day of it."""
    if not before.week_shift or before.weekday is None or before.has("until"):
        return None
    return before.week_shift if (said.weekday or 0) > before.weekday else None


def _year(anchors: Sequence[Anchor]) -> dict[str, int] | None:
    """The year that alone was named last."""
    for anchor in reversed(anchors):
        names = {*anchor.said.given()} - {"approximate"}
        if names in ({"year"}, {"year_shift"}):
            return {name: getattr(anchor.said, name) for name in names}
    return None


def _has_no_year(said: Said) -> bool:
    return not said.has(*YEAR, *DECADE, *WEEK, "turn", "season_shift", "month_shift", "quarter_shift", "week_shift")


def _with(one: Expression, **fields: Any) -> Expression:
    dates = tuple((start, end, replace(said, **fields)) for start, end, said in one.dates)
    return replace(one, said=replace(one.said, **fields), dates=dates)


# ------------------------------------------------------------- bare days


def is_bare_day(one: Expression) -> bool:
    """Whether it is a day of some month ("the 4th"): the other dates of the text tell which."""
    return one.said.has("day") and not one.said.has(*MONTH, *YEAR, *WEEK, "weekday", "every", "lunar")


def month_beside(one: Expression, others: Sequence[Anchor]) -> datetime | None:
    """The day of the month that it names nearest to the last other time before it, else to the first after it."""
    if not others or one.said.day is None:
        return None
    before = [other.start for other in others if other.end <= one.start]
    beside = before[-1] if before else others[0].start
    return nearest_day(one.said.day, beside)


def nearest_day(number: int, beside: datetime) -> datetime | None:
    """The day of that number in the month of a time, or in one next to it, that is nearest to the time."""
    months = [(beside.replace(day=1) + timedelta(days=shift)).replace(day=1) for shift in (-1, 0, 31)]
    near = [month + timedelta(days=number - 1) for month in months]
    return min((day for day in near if day.day == number), key=lambda day: abs(day - beside), default=None)


def in_month(one: Expression, month: int) -> Expression:
    dates = tuple((start, end, replace(said, month=month) if said.day else said) for start, end, said in one.dates)
    return replace(one, said=replace(one.said, month=month), dates=dates)
