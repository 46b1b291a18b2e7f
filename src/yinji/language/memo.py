"""Answers about texts that several stages ask for, kept while they are read and no longer.

What was said must not stay behind in memory once it is erased: whoever reads texts does it within :func:`reading`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_clears: list[Callable[[], None]] = []


def while_reading(most: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keeps the last ``most`` answers of a function of texts until all are forgotten."""

    def keep(answer: Callable[P, R]) -> Callable[P, R]:
        kept = lru_cache(maxsize=most)(answer)
        _clears.append(kept.cache_clear)
        return kept  # type: ignore[return-value]  # The types know of hashable arguments only.

    return keep


@contextmanager
def reading() -> Iterator[None]:
    """Around the reading of texts, as a block or a decorator: at its end every answer is forgotten."""
    try:
        yield
    finally:
        forget()


def forget() -> None:
    """Drops every answer that is kept."""
    for clear in _clears:
        clear()
