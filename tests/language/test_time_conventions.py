"""What a phrase means where people differ: one parser, named sets of conventions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from tests.conftest import StandingClock
from yinji import Memory
from yinji.config import Settings
from yinji.errors import NotFound
from yinji.language.dates import find_times
from yinji.language.time.conventions import current, names, using

CHICAGO, SHANGHAI = ZoneInfo("America/Chicago"), ZoneInfo("Asia/Shanghai")
SUNDAY = datetime(2026, 5, 17, 10, 0, tzinfo=CHICAGO)
THURSDAY = datetime(2026, 5, 14, 10, 0, tzinfo=SHANGHAI)


Ends = tuple[str | None, str | None]
Case = tuple[str, str, datetime, Ends, str, Ends]


def meant(text: str, at: datetime, language: str, convention: str) -> Ends:
    (found,) = find_times(text, at=at, language=language, convention=convention)
    ends = (found.interval.start, found.interval.end)
    start, end = (None if one is None else one.strftime("%m-%d %H") for one in ends)
    return start, end


CASES: list[Case] = [
    ("it is due this Friday", "en", SUNDAY, ("05-15 00", "05-16 00"), "us", ("05-22 00", "05-23 00")),
    ("next week is full", "en", SUNDAY, ("05-18 00", "05-25 00"), "us", ("05-24 00", "05-31 00")),
    ("下周很忙", "zh", SUNDAY, ("05-18 00", "05-25 00"), "us", ("05-24 00", "05-31 00")),
    ("next weekend", "en", THURSDAY, ("05-23 00", "05-25 00"), "us", ("05-22 18", "05-25 00")),
    ("下周末", "zh", THURSDAY, ("05-23 00", "05-25 00"), "us", ("05-22 18", "05-25 00")),
    ("3月8号", "zh", THURSDAY, ("03-08 00", "03-09 00"), "us", ("03-08 00", "03-09 00")),
    ("两周前", "zh", THURSDAY, ("04-30 00", "05-01 00"), "jionlp", ("04-27 00", "05-04 00")),
    ("two weeks ago", "en", THURSDAY, ("04-30 00", "05-01 00"), "jionlp", ("04-27 00", "05-04 00")),
    ("三天以前", "zh", THURSDAY, ("05-11 00", "05-12 00"), "jionlp", (None, "05-12 00")),
    ("六月之前", "zh", THURSDAY, ("05-14 10", "06-01 00"), "jionlp", ("05-14 10", "07-01 00")),
    ("before June", "en", THURSDAY, ("05-14 10", "06-01 00"), "jionlp", ("05-14 10", "07-01 00")),
    ("2025年除夕", "zh", THURSDAY, ("01-28 00", "01-29 00"), "almanac", ("02-16 00", "02-17 00")),
    ("今年夏天", "zh", THURSDAY, ("06-01 00", "09-01 00"), "almanac", ("05-05 00", "08-07 00")),
    ("this summer", "en", THURSDAY, ("06-01 00", "09-01 00"), "almanac", ("05-05 00", "08-07 00")),
    ("国庆", "zh", THURSDAY, ("10-01 00", "10-08 00"), "jionlp", ("10-01 00", "10-02 00")),
    ("午后", "zh", THURSDAY, ("05-14 12", "05-14 18"), "jionlp", ("05-14 13", "05-14 15")),
    ("昨天半夜1点", "zh", THURSDAY, ("05-14 01", "05-14 02"), "jionlp", ("05-13 01", "05-13 02")),
    ("昨天半夜11点", "zh", THURSDAY, ("05-13 23", "05-14 00"), "jionlp", ("05-13 23", "05-14 00")),
    ("前两天", "zh", THURSDAY, ("05-12 00", "05-14 00"), "jionlp", ("05-07 10", "05-14 10")),
    ("前两周", "zh", THURSDAY, ("04-30 00", "05-14 00"), "jionlp", ("04-30 10", "05-14 10")),
    ("月初", "zh", THURSDAY, ("05-01 00", "05-11 00"), "jionlp", ("05-01 00", "05-06 00")),
]
"""What is said, its language, when, what it means by our conventions, and by which set something else."""


@pytest.mark.req("W7")
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[4]}: {case[0]}")
def test_a_phrase_means_what_the_chosen_set_says(case: Case) -> None:
    text, language, at, ours, convention, theirs = case
    assert meant(text, at, language, "yinji") == ours
    assert meant(text, at, language, convention) == theirs


@pytest.mark.req("W7")
def test_a_set_holds_inside_its_block_alone_and_an_unknown_one_is_refused() -> None:
    with using("us"):
        assert current() == "us"
    assert current() == "yinji"
    with pytest.raises(NotFound, match="almanac"):
        find_times("today", at=SUNDAY, language="en", convention="european")


@pytest.mark.req("W7", "R3")
@pytest.mark.parametrize("said", ["I'm moving house this Friday.", "我这周五搬家。"])
def test_the_setting_decides_what_is_kept(
    said: str, open_memory: Callable[..., Memory], hashing: Settings, clock: StandingClock
) -> None:
    american = replace(hashing, remember=replace(hashing.remember, time_conventions="us"))
    days = []
    for name, settings in (("ours.yinji", hashing), ("theirs.yinji", american)):
        (kept,) = open_memory(name, settings=settings).remember(said, at=SUNDAY, wait=True).added
        assert kept.valid is not None
        assert kept.valid.start is not None
        days.append(kept.valid.start.astimezone(CHICAGO).day)
    assert days == [15, 22]


@pytest.mark.req("W7")
def test_every_set_is_one_that_the_setting_allows() -> None:
    from yinji import shipped

    assert list(names()) == shipped.toml("defaults.toml")["remember"]["time_conventions"]["range"]
