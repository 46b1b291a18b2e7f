"""What the words on the command line stand for: times, intervals, paths, sizes."""

from __future__ import annotations

from yinji.errors import InvalidInput, InvalidTime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from yinji.model import Interval


def time(text: str) -> datetime:
    """An ISO 8601 date or time; one without a zone is in this machine's zone."""
    from datetime import datetime

    try:
        return datetime.fromisoformat(text.strip()).astimezone()
    except (ValueError, OverflowError, OSError) as error:
        raise InvalidTime(value=text, problem="it is not a date or time in ISO 8601") from error


def interval(text: str) -> Interval:
    """``FROM/TO`` with either end open: ``2026-03-01/2026-04-01``, ``2026-03-01/``."""
    from yinji.model import Interval

    start, slash, end = text.partition("/")
    if not slash or not (start.strip() or end.strip()):
        raise InvalidTime(value=text, problem="an interval is written FROM/TO")
    return Interval(start=time(start) if start.strip() else None, end=time(end) if end.strip() else None)


def path(text: str) -> Path:
    from pathlib import Path

    if not text.strip():
        raise InvalidInput(what="the path", problem="it is empty", hint="Name a file.")
    return Path(text).expanduser()


def sizes(text: str) -> tuple[int, ...]:
    """``1000,10000``"""
    read = tuple(int(part) for part in text.replace(" ", "").split(","))
    if not read or min(read) < 1:
        raise ValueError(text)
    return read
