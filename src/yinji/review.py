"""Values of looking things over: what was not kept, first questions, and what became of what was shown."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from yinji.model import DropReason, Role


class FeedbackVerdict(StrEnum):
    """What became of a memory that was shown (SPEC E2)."""

    USED = "used"
    IRRELEVANT = "irrelevant"
    CORRECTED = "corrected"
    DELETED = "deleted"


@dataclass(frozen=True, kw_only=True, slots=True)
class Feedback:
    """What became of one memory that was shown. Never holds content."""

    memory_id: str
    verdict: FeedbackVerdict
    at: datetime
    rank: int | None = None
    """Where it stood among the hits, from 1, if that was told."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Dropped:
    """A piece that was not kept, as it waits in the short-term buffer, or in quarantine until the user decides."""

    number: int
    text: str
    reason: DropReason
    role: Role
    """Where it came from."""
    turn_id: str
    session: str
    said_at: datetime
    app: str | None = None

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, kw_only=True, slots=True)
class Digest:
    """What was not kept on one day (in UTC): the pieces that say most, a line each."""

    day: date
    pieces: int
    """How many there were."""
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, kw_only=True, slots=True)
class OnboardingQuestion:
    """One of the first questions; any may be left without an answer."""

    id: str
    ask: str
    choices: tuple[tuple[str, str], ...] = ()
    """(name, words) of answers to choose from; other words do as well."""
    language: str = "en"

    def __str__(self) -> str:
        return self.ask
