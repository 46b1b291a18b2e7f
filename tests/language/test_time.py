"""Times that are named, read on Monday 2 March 2026, ten in the morning in Shanghai."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yinji.language.dates import find_times

AT = datetime(2026, 3, 2, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))


def read(text: str, language: str, at: datetime = AT) -> list[tuple[str, str]]:
    """Start and end of each time found, as far as they are not midnight."""

    def short(moment: datetime | None) -> str:
        return moment.strftime("%Y-%m-%d %H:%M").removesuffix(" 00:00") if moment else "-"

    return [(short(f.interval.start), short(f.interval.end)) for f in find_times(text, at=at, language=language)]


@pytest.mark.req("W7", "F8", "F10", "F11")
@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("昨天去了医院", "2026-03-01", "2026-03-02"),
        ("前天买的", "2026-02-28", "2026-03-01"),
        ("大后天出发", "2026-03-05", "2026-03-06"),
        ("明天下午三点开会", "2026-03-03 15:00", "2026-03-03 16:00"),
        ("今晚八点半", "2026-03-02 20:30", "2026-03-02 20:31"),
        ("昨晚十二点睡的", "2026-03-02", "2026-03-02 01:00"),
        ("上周五见了张伟", "2026-02-27", "2026-02-28"),
        ("下下周二", "2026-03-17", "2026-03-18"),
        ("上周末去爬山", "2026-02-28", "2026-03-02"),
        ("去年", "2025", "2026"),
        ("上个月", "2026-02-01", "2026-03-01"),
        ("三天前", "2026-02-27", "2026-02-28"),
        ("两周后", "2026-03-16", "2026-03-17"),
        ("半年前", "2025-09-02", "2025-09-03"),
        ("2025年12月25日", "2025-12-25", "2025-12-26"),
        ("3月15号", "2026-03-15", "2026-03-16"),
        ("2026/4/1", "2026-04-01", "2026-04-02"),
        ("明天十五時", "2026-03-03 15:00", "2026-03-03 16:00"),
    ],
)
def test_a_chinese_time_is_an_interval_from_the_turn_on(text: str, start: str, end: str) -> None:
    (found,) = read(text, "zh")
    assert (found[0].removesuffix("-01-01"), found[1].removesuffix("-01-01")) == (start, end)


@pytest.mark.req("W7", "F8", "F10", "F11")
@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("I went yesterday", "2026-03-01", "2026-03-02"),
        ("the day before yesterday", "2026-02-28", "2026-03-01"),
        ("tomorrow at 3pm", "2026-03-03 15:00", "2026-03-03 16:00"),
        ("at 3:30 pm tomorrow", "2026-03-03 15:30", "2026-03-03 15:31"),
        ("tonight at 8", "2026-03-02 20:00", "2026-03-02 21:00"),
        ("last night", "2026-03-01 18:00", "2026-03-02"),
        ("I met him last Friday", "2026-02-27", "2026-02-28"),
        ("next Tuesday", "2026-03-10", "2026-03-11"),
        ("last weekend", "2026-02-28", "2026-03-02"),
        ("the weekend before last", "2026-02-21", "2026-02-23"),
        ("last year", "2025", "2026"),
        ("last month", "2026-02-01", "2026-03-01"),
        ("three days ago", "2026-02-27", "2026-02-28"),
        ("in two weeks", "2026-03-16", "2026-03-17"),
        ("half a year ago", "2025-09-02", "2025-09-03"),
        ("on 25 December 2025", "2025-12-25", "2025-12-26"),
        ("on March 15th", "2026-03-15", "2026-03-16"),
        ("2026-04-01", "2026-04-01", "2026-04-02"),
        ("last week I went to Paris", "2026-02-23", "2026-03-02"),
    ],
)
def test_an_english_time_is_an_interval_from_the_turn_on(text: str, start: str, end: str) -> None:
    (found,) = read(text, "en")
    assert (found[0].removesuffix("-01-01"), found[1].removesuffix("-01-01")) == (start, end)


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "language", "rule"),
    [
        ("每周一开例会", "zh", "FREQ=WEEKLY;BYDAY=MO"),
        ("每天跑步", "zh", "FREQ=DAILY"),
        ("every Monday", "en", "FREQ=WEEKLY;BYDAY=MO"),
        ("on Sundays", "en", "FREQ=WEEKLY;BYDAY=SU"),
    ],
)
def test_what_repeats_is_a_rule_and_no_date(text: str, language: str, rule: str) -> None:
    (found,) = find_times(text, at=AT, language=language)
    assert (found.interval.recurrence, found.interval.start) == (rule, None)


@pytest.mark.req("F11")
@pytest.mark.parametrize("days", range(7))
@pytest.mark.parametrize(
    ("last", "this", "language"),
    [
        ("上周末", "这周末", "zh"),
        ("前年", "去年", "zh"),
        ("last weekend", "this weekend", "en"),
        ("上周三", "下周三", "zh"),
    ],
)
def test_neighbouring_phrases_never_mean_the_same(last: str, this: str, language: str, days: int) -> None:
    at = AT + timedelta(days=days)
    assert read(last, language, at) < read(this, language, at)


@pytest.mark.parametrize(
    ("text", "language"),
    [("我有一点担心", "zh"), ("周杰伦的歌", "zh"), ("2月30日", "zh"), ("we may go", "en"), ("I sat on it", "en")],
)
def test_words_that_only_look_like_a_time_are_none(text: str, language: str) -> None:
    assert read(text, language) == []


@pytest.mark.req("W7", "F9")
def test_times_are_in_the_zone_of_the_speaker() -> None:
    (found,) = find_times("tomorrow at noon, 15:00", at=AT.astimezone(ZoneInfo("America/New_York")), language="en")[:1]
    assert found.interval.start is not None
    assert found.interval.start.tzinfo == ZoneInfo("America/New_York")


@given(st.text(max_size=120), st.sampled_from(["zh", "en"]))
def test_spans_of_any_text_lie_inside_it_and_apart(text: str, language: str) -> None:
    at = 0
    for one in find_times(text, at=AT, language=language):
        assert at <= one.start < one.end <= len(text)
        assert one.start <= one.date_start <= one.date_end <= one.end
        at = one.end
