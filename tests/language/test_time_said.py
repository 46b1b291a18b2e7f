"""Times as they are said every day: a day beside another, this time last year, two counts in one breath."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from yinji.language.time.find import Found, find

AT = datetime(2026, 5, 13, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
"""A Wednesday."""

DATED = [
    ("en", "back on the day after Halloween", "2026-11-01 00", "2026-11-02 00"),
    ("en", "the night before Christmas we sing", "2026-12-24 18", "2026-12-25 00"),
    ("en", "the morning after March 3rd was grim", "2026-03-04 06", "2026-03-04 12"),
    ("en", "the week of the 12th", "2026-05-11 00", "2026-05-18 00"),
    ("en", "the week ending May 29", "2026-05-25 00", "2026-06-01 00"),
    ("en", "a week from Thursday", "2026-05-21 00", "2026-05-22 00"),
    ("en", "two Thursdays from now", "2026-05-21 00", "2026-05-22 00"),
    ("en", "Thursday fortnight", "2026-05-28 00", "2026-05-29 00"),
    ("en", "a week tomorrow", "2026-05-21 00", "2026-05-22 00"),
    ("en", "tomorrow week", "2026-05-21 00", "2026-05-22 00"),
    ("en", "this time last year", "2025-05-13 00", "2025-05-14 00"),
    ("en", "the same time next month", "2026-06-13 00", "2026-06-14 00"),
    ("en", "in the second half of July", "2026-07-16 00", "2026-08-01 00"),
    ("zh", "去年这个时候我还在北京", "2025-05-13 00", "2025-05-14 00"),
    ("zh", "下周这会儿就到家了", "2026-05-20 00", "2026-05-21 00"),
    ("zh", "上个月的今天签的合同", "2026-04-13 00", "2026-04-14 00"),
    ("zh", "七八月份去旅游", "2026-07-01 00", "2026-09-01 00"),
    ("zh", "下下个月底交房", "2026-07-21 00", "2026-08-01 00"),
    ("zh", "大后天晚上八点半到十点有课", "2026-05-16 20", "2026-05-16 22"),
    ("zh", "三五天后见", "2026-05-16 00", "2026-05-17 00"),
    ("zh", "二十三天后", "2026-06-05 00", "2026-06-06 00"),
    ("zh", "二十几年前的事了", "1996-05-13 10", "2006-05-13 10"),
    ("zh", "五六年前认识的", "2021-05-13 00", "2021-05-14 00"),
    ("zh", "几十年后", "2046-05-13 10", "2126-05-13 10"),
    ("zh", "五月天气真好", "2026-05-01 00", "2026-06-01 00"),
]

LASTING = [
    ("it takes three to four months", 90, 120),
    ("两三天就好", 2, 3),
    ("三四个小时", 3 / 24, 4 / 24),
    ("二十三天", 23, None),
    ("大半天都在睡", 0.5, 0.9),
]
"""What is said, and the least and the most of it in days."""


def only(language: str, text: str) -> Found:
    (found,) = find(text, at=AT, language=language)
    return found


@pytest.mark.req("W7")
@pytest.mark.parametrize(("language", "text", "start", "end"), DATED, ids=str)
def test_an_everyday_time_is_where_its_speaker_means_it(language: str, text: str, start: str, end: str) -> None:
    interval = only(language, text).interval
    assert [one and one.strftime("%Y-%m-%d %H") for one in (interval.start, interval.end)] == [start, end]


@pytest.mark.req("W7")
@pytest.mark.parametrize(("text", "least", "most"), LASTING)
def test_two_counts_in_one_breath_are_a_least_and_a_most(text: str, least: float, most: float | None) -> None:
    found = only("en" if text.isascii() else "zh", text)
    assert found.length == pytest.approx(least * 86400, rel=0.03)
    assert found.longest == (None if most is None else pytest.approx(most * 86400, rel=0.03))


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    "text", ["我喜欢五月天的歌", "周末在家听五月天", "六月雪这部戏我看过", "《五月的阳光》是首老歌"]
)
def test_a_band_or_a_title_is_no_month(text: str) -> None:
    assert all("月" not in text[one.start : one.end] for one in find(text, at=AT, language="zh"))
