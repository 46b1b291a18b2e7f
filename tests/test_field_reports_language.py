"""Faults of time, names and secrets that users of other memory systems reported, through the public door."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests.conftest import SHANGHAI, StandingClock
from yinji import Interval, Memory
from yinji.language.dates import find_times
from yinji.language.entities import entity_key

MEETING = [
    ("明天下午3点和客户开会", "和客户什么时候开会？"),
    ("I have a meeting with the client tomorrow at 3pm", "When is the meeting with the client?"),
]


def day(*date: int) -> Interval:
    start = datetime(*date, tzinfo=SHANGHAI)  # type: ignore[misc,arg-type]
    return Interval(start=start, end=start + timedelta(days=1))


@pytest.mark.req("F8", "W7")
@pytest.mark.parametrize("said", ["上周我去了巴黎", "Last week I went to Paris"])
def test_words_for_time_count_from_when_the_turn_was_said_not_from_now(memory: Memory, said: str) -> None:
    (kept,) = memory.remember(said, at=datetime(2023, 5, 24, 12, 0, tzinfo=SHANGHAI), wait=True).added
    assert kept.valid is not None
    assert kept.valid.start == datetime(2023, 5, 15, tzinfo=SHANGHAI)
    assert kept.valid.end == datetime(2023, 5, 22, tzinfo=SHANGHAI)


@pytest.mark.req("F9", "W7")
@pytest.mark.parametrize("said", ["我明天12:45去看牙医", "I see the dentist tomorrow at 12:45"])
def test_a_clock_time_is_that_of_the_zone_it_was_said_in(memory: Memory, said: str) -> None:
    (kept,) = memory.remember(said, at=datetime(2026, 3, 4, 20, 0, tzinfo=SHANGHAI), wait=True).added
    assert kept.valid is not None
    assert kept.valid.start is not None
    assert kept.valid.start.isoformat() == "2026-03-05T12:45:00+08:00"
    assert "12:45" in kept.content


@pytest.mark.req("F10", "W7")
@pytest.mark.parametrize(
    ("late", "early", "asked"),
    [
        ("我刚搬到苏州", "我养了一只叫年糕的猫", "昨天"),
        ("I just moved to Leeds", "I adopted a cat called Biscuit", "yesterday"),
    ],
)
def test_yesterday_ends_at_midnight_and_has_its_last_minute(
    memory: Memory, clock: StandingClock, late: str, early: str, asked: str
) -> None:
    language = "en" if asked.isascii() else "zh"
    for said, at in ((late, (2026, 3, 3, 23, 59)), (early, (2026, 3, 4, 0, 1))):
        clock.now = datetime(*at, tzinfo=SHANGHAI)  # type: ignore[misc,arg-type]
        assert memory.remember(said, wait=True).added
    clock.now = datetime(2026, 3, 4, 9, 0, tzinfo=SHANGHAI)
    (yesterday,) = find_times(asked, at=clock.now, language=language)
    assert (yesterday.interval.start, yesterday.interval.end) == (day(2026, 3, 3).start, day(2026, 3, 3).end)
    known = [one.memory.sources[0].quote for one in memory.recall(f"{late} {early}", as_of=yesterday.interval.end)]
    assert known == [late]


@pytest.mark.req("F11", "W7")
@pytest.mark.parametrize("weekday", range(7))
@pytest.mark.parametrize(
    ("first", "second", "apart"),
    [("上周末", "这周末", 7), ("last weekend", "this weekend", 7), ("上上周末", "上周末", 7)],
)
def test_two_weekends_are_a_week_apart_on_any_day(weekday: int, first: str, second: str, apart: int) -> None:
    at = datetime(2026, 3, 2 + weekday, 20, 0, tzinfo=SHANGHAI)
    language = "en" if first.isascii() else "zh"
    (one,), (other,) = (find_times(text, at=at, language=language) for text in (first, second))
    assert one.interval.start is not None
    assert other.interval.start is not None
    assert other.interval.start - one.interval.start == timedelta(days=apart)
    assert one.interval.start.weekday() == 5


@pytest.mark.req("F12", "W7")
@pytest.mark.parametrize(("said", "asked"), MEETING)
def test_a_meeting_lasts_until_its_own_hour_in_its_own_zone_and_is_found_afterwards(
    memory: Memory, clock: StandingClock, said: str, asked: str
) -> None:
    clock.now = datetime(2026, 3, 4, 20, 0, tzinfo=SHANGHAI)
    (kept,) = memory.remember(said, wait=True).added
    assert kept.valid is not None
    assert kept.valid.start == datetime(2026, 3, 5, 15, 0, tzinfo=SHANGHAI)
    midnight_utc, shortly_before, after = (5, 8, 1), (5, 14, 59), (20, 9, 0)
    for when in (midnight_utc, shortly_before, after):
        clock.now = datetime(2026, 3, *when, tzinfo=SHANGHAI)
        assert [one.memory.id for one in memory.recall(asked)] == [kept.id]
    assert [one.memory.id for one in memory.recall(asked, during=day(2026, 3, 5))] == [kept.id]
    assert not memory.recall(asked, during=day(2026, 3, 6))


@pytest.mark.req("F24")
@pytest.mark.parametrize(
    ("first", "second", "asked"),
    [
        ("张伟是我的房东", "张伟是我公司的同事", "张伟是谁？"),
        ("Sarah Miller is my landlady", "Sarah Miller from work is my running partner", "Who is Sarah Miller?"),
    ],
)
def test_what_is_said_of_two_people_of_one_name_stays_two_memories(
    memory: Memory, clock: StandingClock, first: str, second: str, asked: str
) -> None:
    memory.remember(first, wait=True)
    clock.move(days=1)
    memory.remember(second, wait=True)
    assert {one.memory.sources[0].quote for one in memory.recall(asked)} == {first, second}


@pytest.mark.req("F24")
@pytest.mark.parametrize(
    "said",
    [
        "JIRA-8821我在跟，JIRA-8821的排期我定，jira-8821的文档也归我",
        "I own DGI-1, I wrote the docs of DGI-1 and I present dgi-1 on Monday",
    ],
)
def test_a_code_that_is_said_again_and_again_is_one_entity(memory: Memory, said: str) -> None:
    memory.remember(said, wait=True)
    codes = [entity.name for one in memory.list() for entity in one.entities if entity.type == "code"]
    assert len(codes) > 1
    assert len({entity_key(code) for code in codes}) == 1


@pytest.mark.req("F34", "W10")
@pytest.mark.parametrize(
    "said",
    [
        "我把提交a1b2c3d4e5f60718293a4b5c6d7e8f9012345678回滚了，改用risk-based的方案",
        "I reverted commit a1b2c3d4e5f60718293a4b5c6d7e8f9012345678 and went for a risk-based plan",
    ],
)
def test_hashes_and_hyphenated_words_are_kept_as_they_were_said(memory: Memory, said: str) -> None:
    memory.import_([{"content": said}])
    assert [one.content for one in memory.list()] == [said]
