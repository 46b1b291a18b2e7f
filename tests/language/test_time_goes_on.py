"""What tells which month, week or year is meant: what the verb puts ahead, and the time that was said before."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from yinji.language.dates import find_times
from yinji.language.time.find import Found

ZONES = {"zh": ZoneInfo("Asia/Shanghai"), "en": ZoneInfo("Europe/London")}
AUTUMN = datetime(2026, 11, 28, 10, tzinfo=ZONES["zh"])
SUMMER = datetime(2026, 6, 5, 10, tzinfo=ZONES["zh"])


def times(text: str, at: datetime = AUTUMN, before: str = "") -> list[Found]:
    language = "en" if text.isascii() else "zh"
    return find_times(text, at=at.replace(tzinfo=ZONES[language]), language=language, before=before)


def starts(text: str, at: datetime = AUTUMN, before: str = "") -> list[str]:
    return [one.interval.start.strftime("%Y-%m-%d") if one.interval.start else "" for one in times(text, at, before)]


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("Got the place! Flying out August 3", "2027-08-03"),
        ("just signed with a new firm, begin in February", "2027-02-01"),
        ("our tenancy runs out in March", "2027-03-01"),
        ("her finals are in May", "2027-05-01"),
        ("got in! course begins 9 January", "2027-01-09"),
        ("booked the cottage for 12 February", "2027-02-12"),
        ("the baby's coming in March", "2027-03-01"),
        ("I turn 50 in April", "2027-04-01"),
        ("we exchange on the flat on 6 February", "2027-02-06"),
        ("signed up for the Paris marathon in April", "2027-04-01"),
        ("interview on 14 January", "2027-01-14"),
        ("七月我们去西藏", "2027-07-01"),
        ("我二月入职", "2027-02-01"),
        ("护照三月到期", "2027-03-01"),
        ("婚礼在五月", "2027-05-01"),
        ("最好是三月", "2027-03-01"),
        ("订了二月八号的高铁票", "2027-02-08"),
        ("报了四月的半马", "2027-04-01"),
        ("我四月满五十", "2027-04-01"),
        ("孩子九月上小学", "2027-09-01"),
        ("二月八号的音乐会", "2027-02-08"),
    ],
)
def test_a_date_that_its_verb_puts_ahead_is_to_come(text: str, start: str) -> None:
    assert starts(text) == [start]


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("we flew out on August 3", "2026-08-03"),
        ("I began there in February", "2026-02-01"),
        ("the tenancy ran out in March", "2026-03-01"),
        ("in May I broke my wrist", "2026-05-01"),
        ("July was far too hot", "2026-07-01"),
        ("I turned 50 in April", "2026-04-01"),
        ("signed up for the gym in September", "2026-09-01"),
        ("七月我们去了西藏", "2026-07-01"),
        ("七月去西藏玩得很开心", "2026-07-01"),
        ("我二月入职的", "2026-02-01"),
        ("孩子九月上的小学", "2026-09-01"),
        ("护照三月就过期了", "2026-03-01"),
        ("五月我在老家", "2026-05-01"),
    ],
)
def test_a_date_that_its_verb_puts_behind_is_over(text: str, start: str) -> None:
    assert starts(text) == [start]


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("下下周一飞成都，周四回", ["2026-06-15", "2026-06-18"]),
        ("周二去苏州，周五回来", ["2026-06-09", "2026-06-12"]),
        ("上周一去的苏州，周四回来的", ["2026-05-25", "2026-05-28"]),
        ("下周二面试，周四出结果", ["2026-06-09", "2026-06-11"]),
        ("我26号飞昆明，2号回来", ["2026-06-26", "2026-07-02"]),
        ("Next Tuesday I fly to Oslo, back Friday", ["2026-06-09", "2026-06-12"]),
        ("I'm driving up on the 27th, coming back on the 4th", ["2026-06-27", "2026-07-04"]),
        ("leaving 29 December, home 2 January", ["2026-12-29", "2027-01-02"]),
        ("We're off to Malta on the 3rd of May, back on the 10th", ["2027-05-03", "2027-05-10"]),
        ("Last Monday I went to Oslo, back Thursday", ["2026-05-25", "2026-05-28"]),
    ],
)
def test_the_day_somebody_is_back_comes_after_the_day_they_left(text: str, days: list[str]) -> None:
    assert starts(text, SUMMER) == days


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("周一交作业，周六爬山", ["2026-06-08", "2026-06-06"]),
        ("下周四体检。周六爬山", ["2026-06-11", "2026-06-06"]),
        ("Monday is the exam, Saturday I rest", ["2026-06-08", "2026-06-06"]),
        ("Next Thursday I see the vet. Saturday I rest", ["2026-06-11", "2026-06-06"]),
    ],
)
def test_days_that_nothing_joins_stand_for_themselves(text: str, days: list[str]) -> None:
    assert starts(text, SUMMER) == days


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("想明年去新疆，最好是五月", ["2027-01-01", "2027-05-01"]),
        ("去年换了工作，十月搬的家", ["2025-01-01", "2025-10-01"]),
        ("去年毕业，八月要去深圳工作", ["2025-01-01", "2026-08-01"]),
        ("We hope to see Iceland next year, ideally in February", ["2027-01-01", "2027-02-01"]),
        ("I moved up here in 2019, got engaged in October", ["2019-01-01", "2019-10-01"]),
        ("Last year I moved, and in August I'm moving again", ["2025-01-01", "2026-08-01"]),
    ],
)
def test_a_month_is_of_the_year_that_the_sentence_names_unless_its_verb_says_no(text: str, days: list[str]) -> None:
    assert starts(text, SUMMER) == days


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "before", "start"),
    [
        ("周四回", "下下周一飞成都，", "2026-06-18"),
        ("最好是五月看花", "想明年去新疆，", "2027-05-01"),
        ("周四回", "下下周一飞成都。", "2026-06-11"),
        ("back on Friday", "Next Tuesday I fly to Oslo, ", "2026-06-12"),
        ("ideally in February", "We hope to see Iceland next year, ", "2027-02-01"),
    ],
)
def test_what_was_said_before_tells_too_within_its_sentence(text: str, before: str, start: str) -> None:
    assert starts(text, SUMMER, before) == [start]


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("it's been pushed, it's on the 24th now, 9am", "2026-12-24 09:00"),
        ("the fair on 11 January was put back, it's on the 18th now, 9am", "2027-01-18 09:00"),
        ("推迟了，改到24号上午九点", "2026-12-24 09:00"),
        ("1月11号的运动会延期了，改到18号上午九点", "2027-01-18 09:00"),
    ],
)
def test_the_day_that_something_is_put_off_to_is_of_its_month_else_the_next(text: str, start: str) -> None:
    last = times(text)[-1].interval.start
    assert last is not None
    assert last.strftime("%Y-%m-%d %H:%M") == start


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("Open evening on 9 December, ten to seven", "2026-12-09 18:50"),
        ("call with the bank on 2 December, twenty to nine in the morning", "2026-12-02 08:40"),
        ("the 3rd of December, five past four", "2026-12-03 16:05"),
        ("Booked the boys' evening for 4 December, half past six", "2026-12-04 18:30"),
        ("a week on Tuesday at quarter past three", "2026-12-08 15:15"),
    ],
)
def test_a_clock_time_behind_a_date_is_no_other_day(text: str, start: str) -> None:
    (found,) = times(text)
    assert found.interval.start is not None
    assert found.interval.start.strftime("%Y-%m-%d %H:%M") == start


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    "text",
    [
        "her name's June and she's from Bath",
        "baked April a lemon cake",
        "me and August split up",
        "May and I share a flat",
        "June's pregnant",
        "Mum and auntie May came round",
        "I lent it to June",
        "May's birthday party",
        "Me and Summer broke up",
        "May I leave early?",
        "we march to the square",
    ],
)
def test_who_is_called_like_a_month_is_no_time(text: str) -> None:
    assert times(text) == []


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "months"),
    [
        ("in June we go to Wales", ["June"]),
        ("June and July are my busy months", ["June", "July"]),
        ("I'm off in May and August", ["May", "August"]),
        ("June is the best month", ["June"]),
        ("her name's June and she's moving in August", ["August"]),
        ("the bill for June", ["June"]),
        ("from April to June", ["from April to June"]),
    ],
)
def test_a_month_is_a_time_where_it_is_one(text: str, months: list[str]) -> None:
    assert [text[one.start : one.end] for one in times(text)] == months


@pytest.mark.req("W7")
@pytest.mark.parametrize("text", ["小满的生日", "白露姐来了", "谷雨和我分手了"])
def test_who_is_called_like_a_term_of_the_year_is_no_time(text: str) -> None:
    assert times(text) == []
