"""What many tests need: a memory of its own on a clock that stands still until it is moved."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import settings

from yinji import Memory, Settings

SHANGHAI = ZoneInfo("Asia/Shanghai")

settings.register_profile("untimed", deadline=None, derandomize=True)  # the same on every machine, however busy
settings.load_profile("untimed")


@dataclass
class StandingClock:
    """A clock for tests: it says the same time until it is moved."""

    now: datetime

    def __call__(self) -> datetime:
        return self.now

    def move(self, **delta: float) -> datetime:
        self.now += timedelta(**delta)
        return self.now


@pytest.fixture
def clock() -> StandingClock:
    return StandingClock(datetime(2026, 3, 2, 9, 0, tzinfo=SHANGHAI))


@pytest.fixture(scope="session")
def hashing() -> Settings:
    """The defaults with the embedder that needs no model."""
    return Settings.load(environment={}).with_values("embed", {"model": "hashing"})


@pytest.fixture
def open_memory(tmp_path: Path, clock: StandingClock, hashing: Settings) -> Iterator[Callable[..., Memory]]:
    """Opens memories on files in a folder of the test's own; all are closed at its end."""
    opened: list[Memory] = []

    def open_one(name: str = "memory.yinji", **options: object) -> Memory:
        memory = Memory.open(tmp_path / name, **({"settings": hashing, "clock": clock} | options))  # type: ignore[arg-type]
        opened.append(memory)
        return memory

    yield open_one
    for memory in opened:
        memory.close(flush=False)


@pytest.fixture
def memory(open_memory: Callable[..., Memory]) -> Memory:
    return open_memory()


@pytest.fixture(autouse=True)
def loggers_as_before() -> Iterator[None]:
    """A server lets its log out for as long as its process lives; the tests after it are in the same process."""
    loggers = [logging.getLogger(name) for name in ("yinji", "uvicorn.error")]
    before = [(one.handlers[:], one.propagate, one.level) for one in loggers]
    yield
    for one, (handlers, propagate, level) in zip(loggers, before, strict=True):
        one.handlers[:], one.propagate = handlers, propagate
        one.setLevel(level)
