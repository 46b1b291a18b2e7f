"""The rules of time as data, and what must hold of any text, read on Tuesday 12 May 2026, noon in Shanghai."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yinji.language.dates import find_times
from yinji.language.time.find import find
from yinji.language.time.holidays import holiday
from yinji.language.time.lexicon import lexicon, plain
from yinji.language.time.lunar import lunar_date, lunar_day, lunar_month, solar_term
from yinji.language.time.read import READERS

SHANGHAI = ZoneInfo("Asia/Shanghai")
AT = datetime(2026, 5, 12, 12, 0, tzinfo=SHANGHAI)
CASES = Path(__file__).parents[2] / "evals" / "time"
ZH = (
    "今天 昨 明天 上 下 周 个 月 年 日 号 三 十 二 初 底 点 半 前 后 "
    "之前 以后 每 隔 到 至 - 晚上 凌晨 农历 闰 中秋 9 2026 : / 分 小时 的 ，"
)
EN = (
    "last next this monday may march 5 31st of the in ago before every other to "
    "from at half past 3 pm noon week month year and - / , 2026 two"
)
PIECES = {"zh": ZH.split(), "en": EN.split()}


def texts(language: str) -> st.SearchStrategy[str]:
    """Any text, and texts of words for times in any order."""
    joint = "" if language == "zh" else " "
    return st.one_of(st.text(max_size=80), st.lists(st.sampled_from(PIECES[language]), max_size=14).map(joint.join))


@pytest.mark.req("W7")
@pytest.mark.parametrize("language", ["zh", "en"])
@settings(deadline=None)
@given(data=st.data())
def test_any_text_is_read_without_error_into_ordered_intervals_at_their_words(
    data: st.DataObject, language: str
) -> None:
    text = data.draw(texts(language))
    end = 0
    for one in find(text, at=AT, language=language):
        assert end <= one.start < one.end <= len(text)
        assert one.start <= one.date_start <= one.date_end <= one.end
        assert one.interval.text == text[one.start : one.end]
        assert 0 < one.certainty <= 1
        for interval in (one.interval, *one.others, *([one.first] if one.first else [])):
            if interval.start is not None and interval.end is not None:
                assert interval.start.astimezone(UTC) < interval.end.astimezone(UTC)
            assert all(edge is None or edge.tzinfo is not None for edge in (interval.start, interval.end))
        end = one.end


@pytest.mark.req("W7")
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_rule_is_tried_on_every_text_that_it_matches(language: str) -> None:
    cases = [json.loads(line) for line in (CASES / f"{language}.jsonl").read_text(encoding="utf-8").splitlines()]
    for text in {plain(case["text"]) for case in cases}:
        digits = any(char.isdecimal() for char in text)
        for rule in lexicon(language).rules:
            needed = not rule.needs or any(digits if need == "#" else need in text for need in rule.needs)
            assert needed or re.search(rule.pattern, text) is None


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_rule_is_read_in_a_way_that_there_is(language: str) -> None:
    words = lexicon(language)
    assert {rule.read for rule in words.rules} <= READERS.keys()
    named = {fields["holiday"] for table in words.words.values() for fields in table.values() if "holiday" in fields}
    assert all(holiday(str(name), 2026).start.year in (2025, 2026) for name in named)


DAILY = {
    "zh": ["明天下午三点", "上周五", "下周二到周四", "三天前", "两周后", "大前天上午", "上上周末",
           "今晚十二点", "周五之前", "最近三天"],
    "en": ["tomorrow at 3pm", "last Friday", "next Tuesday", "three days ago", "in two weeks",
           "the weekend before last", "by Friday", "last night", "the day before yesterday",
           "from 9 to 11:30 tomorrow morning"],
}  # fmt: skip


@pytest.mark.req("W7", "F11")
@pytest.mark.parametrize("language", ["zh", "en"])
@settings(deadline=None)
@given(days=st.integers(0, 27), weeks=st.integers(-60, 60))
def test_what_is_said_on_the_same_weekday_shifts_with_it(language: str, days: int, weeks: int) -> None:
    zone = UTC  # no change of clocks
    first = datetime(2026, 5, 4, 9, 30, tzinfo=zone) + timedelta(days=days)
    apart = timedelta(weeks=weeks)
    for phrase in DAILY[language]:
        (one,), (other,) = (find_times(phrase, at=at, language=language) for at in (first, first + apart))
        assert one.interval.start is not None
        assert one.interval.end is not None
        assert (other.interval.start, other.interval.end) == (one.interval.start + apart, one.interval.end + apart)


@pytest.mark.req("W7")
@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_was_found_is_found_again_in_its_own_words(language: str) -> None:
    for phrase in DAILY[language]:
        (one,) = find_times(f"{phrase}", at=AT, language=language)
        (again,) = find_times(one.interval.text, at=AT, language=language)
        assert again.interval == one.interval


# ------------------------------------------------------------ the calendars


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("lunar", "day"),
    [
        ((1900, 1, 1), date(1900, 1, 31)),
        ((1978, 8, 1), date(1978, 9, 3)),
        ((2025, 6, 1), date(2025, 6, 25)),
        ((2025, -6, 1), date(2025, 7, 25)),
        ((2026, 1, 1), date(2026, 2, 17)),
        ((2033, -11, 1), date(2033, 12, 22)),
        ((2100, 12, 1), date(2100, 12, 31)),
    ],
)
def test_a_lunar_date_is_a_day_and_back(lunar: tuple[int, int, int], day: date) -> None:
    year, month, number = lunar
    assert lunar_day(year, abs(month), number, leap=month < 0) == day
    assert lunar_date(day) == lunar


@settings(deadline=None)
@given(st.dates(date(1900, 1, 31), date(2100, 12, 31)))
def test_every_day_has_one_lunar_date(day: date) -> None:
    year, month, number = lunar_date(day)
    assert lunar_day(year, abs(month), number, leap=month < 0) == day
    first, end = lunar_month(year, abs(month), leap=month < 0)
    assert first <= day < end
    assert (end - first).days in (29, 30)


@pytest.mark.parametrize(("year", "month"), [(1899, 1), (2101, 1), (2026, 13)])
def test_there_is_no_lunar_month_outside_the_table(year: int, month: int) -> None:
    with pytest.raises(ValueError, match=r"\d"):
        lunar_month(year, month)


@pytest.mark.parametrize(
    ("name", "year", "month", "day", "days"),
    [
        ("spring_festival", 2027, 2, 6, 1),
        ("new_year_eve", 2028, 1, 25, 1),
        ("laba", 2025, 1, 7, 1),
        ("qingming", 2026, 4, 5, 1),
        ("national_week", 2026, 10, 1, 7),
        ("easter", 2024, 3, 31, 1),
        ("good_friday", 2025, 4, 18, 1),
        ("thanksgiving", 2026, 11, 26, 1),
        ("memorial", 2027, 5, 31, 1),
        ("mother", 2025, 5, 11, 1),
    ],
)
def test_a_holiday_falls_where_it_falls(name: str, year: int, month: int, day: int, days: int) -> None:
    span = holiday(name, year)
    assert (span.start, span.end - span.start) == (datetime(year, month, day), timedelta(days=days))  # noqa: DTZ001


def test_the_solar_terms_follow_each_other_a_fortnight_apart() -> None:
    for year in (1900, 2026, 2100):
        terms = [solar_term(year, index) for index in range(24)]
        assert all(14 <= (later - earlier).days <= 17 for earlier, later in pairwise(terms))
