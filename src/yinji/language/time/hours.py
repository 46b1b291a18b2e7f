"""Which hours of a day a part of it or a clock time means."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from yinji.language.time.calendar import Span, midnight
from yinji.language.time.moment import Moment, PartHours
from yinji.language.time.said import Said
from yinji.model import Grain

HOUR = timedelta(hours=1)
DAYLIGHT = (7, 19)
"""The hours that a clock time without part of the day is taken to mean."""
EVENING = 9
"""From here on an hour of the night is before its midnight, where a day's night begins with it."""
NIGHT = 20
"""Parts of the day that reach beyond this hour run into the small hours."""


def on_day(said: Said, day: date, moment: Moment) -> Span:
    """The part or clock time on that day. Raises ValueError for an hour that its part cannot have."""
    part = moment.parts[said.part] if said.part else None
    if said.hour is None:
        return _part(said, part, day)
    start = midnight(day) + timedelta(hours=clock_hour(said, part), minutes=said.minute or 0, seconds=said.second or 0)
    if said.hour_to is not None:
        return Span(start=start, end=start + 2 * HOUR, grain=Grain.HOUR)
    if said.second is not None:
        return Span(start=start, end=start + timedelta(seconds=1), grain=Grain.SECOND)
    if said.minute:
        return Span(start=start, end=start + timedelta(minutes=1), grain=Grain.MINUTE)
    return Span(start=start, end=start + HOUR, grain=Grain.HOUR)


def _part(said: Said, part: PartHours | None, day: date) -> Span:
    if part is None:
        part = PartHours(first=0, last=12) if said.ampm == "am" else PartHours(first=12, last=18)
    first, last = part.first, part.last
    if said.part_edge == "start":
        last = (first + last + 1) // 2
    elif said.part_edge == "end":
        first = (first + last) // 2
    elif said.part_edge == "mid":
        first, last = first + (last - first) // 3, last - (last - first) // 3
    return Span(start=midnight(day) + first * HOUR, end=midnight(day) + last * HOUR, grain=Grain.PART_OF_DAY)


def clock_hour(said: Said, part: PartHours | None) -> int:
    """The hour from the day's midnight; 24 and more are after it."""
    hour = said.hour or 0
    if said.ampm is not None:
        hour = hour % 12 + 12 * (said.ampm == "pm") if hour <= 12 else hour
        return hour + 24 if part and part.last > NIGHT and hour < 6 else hour
    if part is not None:
        return _of_part(hour, part, exact=bool(said.exact))
    if said.exact or hour > 12 or hour == 0:
        return hour
    return hour if DAYLIGHT[0] <= hour <= 12 else hour + 12


def _of_part(hour: int, part: PartHours, *, exact: bool) -> int:
    """The hour nearest to the part among those that a clock shows so."""
    if exact and hour > 12:
        return hour
    if part.morning:
        small = hour % 12 if part.first < 6 else hour
        return small + 12 if part.first == 0 and small >= EVENING else small
    choices = [hour % 12, hour % 12 + 12, hour % 12 + 24][part.first >= 12 :]
    later = -1 if part.last > NIGHT else 1
    return min(choices, key=lambda one: (max(part.first - one, one - part.last, 0), later * one))


def other_half(said: Said) -> Said | None:
    """The same clock time in the other half of the day, when nothing says which."""
    if said.hour is None or said.has("part", "ampm", "exact") or not 0 < said.hour < 12:
        return None
    morning = not DAYLIGHT[0] <= said.hour <= 12
    return replace(said, ampm="am" if morning else "pm")
