"""What a phrase means where people differ: named sets of conventions, from ``data/lang/time/conventions.toml``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from yinji import shipped
from yinji.errors import NotFound
from yinji.language.time.moment import PartHours

OURS = "yinji"


@dataclass(frozen=True, kw_only=True, slots=True)
class Conventions:
    """One set; the file says what each value means."""

    week_starts: int
    weekend_from: int
    away: str
    beyond: str
    before: str
    undirected: str
    lunar_years: str
    seasons: str
    feasts: str
    recent: str
    month_start: int
    short_years: int
    gaps: str
    couple: str
    lists: str
    parts: Mapping[str, PartHours] = field(default_factory=dict)


_current: ContextVar[str] = ContextVar("conventions", default=OURS)


def names() -> tuple[str, ...]:
    """The sets that there are, ours first."""
    return tuple(_sets())


def current() -> str:
    """The set that holds where none is named."""
    return _current.get()


@contextmanager
def using(name: str) -> Iterator[None]:
    """Times read inside, by this thread or task, follow the set. Raises NotFound."""
    conventions(name)
    token = _current.set(name)
    try:
        yield
    finally:
        _current.reset(token)


@cache
def conventions(name: str) -> Conventions:
    """A set by its name. Raises NotFound."""
    if name not in _sets():
        raise NotFound(what="set of conventions", name=name, nearest=f" There are: {', '.join(names())}.")
    values = {**_sets()[OURS], **_sets()[name]}
    parts = {part: PartHours(**hours) for part, hours in values.pop("parts", {}).items()}
    return Conventions(**values, parts=parts)


@cache
def _sets() -> Mapping[str, Mapping[str, Any]]:
    return shipped.toml("lang/time/conventions.toml")
