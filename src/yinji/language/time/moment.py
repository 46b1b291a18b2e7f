"""When an expression is said: the wall clock there, which way the sentence leans, and what parts of a day mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from yinji.language.time.conventions import Conventions


@dataclass(frozen=True, kw_only=True, slots=True)
class PartHours:
    """A part of the day in hours from its midnight; above 24 it is in the small hours after it."""

    first: int
    last: int
    morning: bool = False
    """Whether its hours are never those of the afternoon."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Moment:
    at: datetime
    """Aware; its zone is the speaker's."""
    lean: str | None
    """``past`` or ``future``, where the sentence says; ``coming`` for what may be today; ``near`` for what was done
    before or by a time, which may be over or to come."""
    parts: Mapping[str, PartHours]
    conventions: Conventions
    whole_weeks: bool = False
    """Whether the weeks of a month are those that start in it."""

    @property
    def now(self) -> datetime:
        """The wall clock."""
        return self.at.replace(tzinfo=None)

    @property
    def today(self) -> date:
        return self.at.date()

    def later(self, seconds: float) -> datetime:
        """The wall clock after so many elapsed seconds, across changes of clocks too."""
        there = (self.at.astimezone(UTC) + timedelta(seconds=seconds)).astimezone(self.at.tzinfo)
        return there.replace(tzinfo=None, fold=there.fold)

    def aware(self, wall: datetime) -> datetime:
        """The instant of a wall clock; one that a change of clocks skips stands for what it was before the change."""
        there = wall.replace(tzinfo=self.at.tzinfo)
        back = there.astimezone(UTC).astimezone(self.at.tzinfo)
        return there if back.replace(tzinfo=None) == there.replace(tzinfo=None, fold=0) else back


def bounded_lean(bound: str, moment: Moment) -> str:
    """Which way a time leans that bounds another, where its sentence does not say."""
    return moment.lean or ("past" if bound == "since" else "future")
