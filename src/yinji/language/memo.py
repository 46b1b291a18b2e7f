"""Answers about texts that several stages ask for, kept while they are read and no longer.

What was said must not stay behind in memory once it is erased: whoever reads texts does it within :func:`reading`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

from yinji.language.time.conventions import current

P = ParamSpec("P")
R = TypeVar("R")

_clears: list[Callable[[], None]] = []


def while_reading(most: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keeps the last ``most`` answers of a function of texts until all are forgotten."""

    def keep(answer: Callable[P, R]) -> Callable[P, R]:
        @lru_cache(maxsize=most)
        def kept(convention: str, *args: Any, **named: Any) -> R:
            return answer(*args, **named)

        @wraps(answer)
        def ask(*args: P.args, **named: P.kwargs) -> R:
            # another owner may have chosen other conventions of times
            return kept(current(), *args, **named)  # type: ignore[arg-type]  # hashable, as above

        _clears.append(kept.cache_clear)
        ask.cache_info = kept.cache_info  # type: ignore[attr-defined]  # for those who count what is kept
        return ask

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
