"""What the words on the command line stand for: times, intervals, paths, sizes."""

from __future__ import annotations

import os

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
    read = Interval(start=time(start) if start.strip() else None, end=time(end) if end.strip() else None)
    if read.start is not None and read.end is not None and read.end < read.start:
        raise InvalidTime(value=text, problem="it ends before it begins")
    return read


def path(text: str) -> Path:
    from pathlib import Path

    if not text.strip():
        raise InvalidInput(what="the path", problem="it is empty", hint="Name a file.")
    return Path(_named(text)).expanduser()


def _named(text: str) -> str:
    """The text as this machine names files: in a locale without UTF-8 Python keeps other bytes as surrogates."""
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return os.fsdecode(text.encode("utf-8", "surrogatepass"))
    return text


def recovered(text: str) -> str:
    """An argument as it was typed: UTF-8 that Python could not read in a locale without it."""
    try:
        return os.fsencode(text).decode("utf-8")
    except UnicodeError:
        return text


def sizes(text: str) -> tuple[int, ...]:
    """``1000,10000``"""
    read = tuple(int(part) for part in text.replace(" ", "").split(","))
    if not read or min(read) < 1:
        raise ValueError(text)
    return read
