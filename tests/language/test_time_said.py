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
    ("en", "the Friday after Thanksgiving", "2026-11-27 00", "2026-11-28 00"),
    ("en", "we fly the Tuesday before Christmas", "2026-12-22 00", "2026-12-23 00"),
    ("en", "I'm here til the 28th", "2026-05-13 10", "2026-05-29 00"),
    ("en", "she was offered a place in Kyoto, October to March", "2026-10-01 00", "2027-04-01 00"),
    ("zh", "书法班放假了，九月再开", "2026-09-01 00", "2026-10-01 00"),
    ("zh", "国庆第三天出发", "2026-10-03 00", "2026-10-04 00"),
    ("zh", "春节第二天去爷爷家", "2027-02-07 00", "2027-02-08 00"),
    ("zh", "五一一块去爬山", "2027-05-01 00", "2027-05-02 00"),
    ("zh", "我今年三十五", "2026-01-01 00", "2027-01-01 00"),
    ("zh", "女儿今年初一，住校", "2026-01-01 00", "2027-01-01 00"),
    ("zh", "今年年三十在哪过", "2026-02-16 00", "2026-02-17 00"),
    ("zh", "叫他明天来", "2026-05-14 00", "2026-05-15 00"),
    ("zh", "十一去西藏", "2026-10-01 00", "2026-10-08 00"),
    ("en", "he called Friday", "2026-05-08 00", "2026-05-09 00"),
    ("en", "the meeting is Friday", "2026-05-15 00", "2026-05-16 00"),
    ("en", "my rent goes up to 1,400 in January", "2027-01-01 00", "2027-02-01 00"),
    ("en", "from January my rent is 1400", "2027-01-01 00", "2027-02-01 00"),
    ("en", "my rent is 1400 from January", "2027-01-01 00", "2027-02-01 00"),
    ("en", "from March I was at Siemens", "2026-03-01 00", "2026-04-01 00"),
    ("zh", "一月工资加到一万", "2027-01-01 00", "2027-02-01 00"),
    ("zh", "一月房租涨了三百", "2026-01-01 00", "2026-02-01 00"),
]

OPEN = [
    ("en", "I took a new job, starting in January", "2027-01-01 00"),
    ("en", "it ran for years, starting in 1994", "1994-01-01 00"),
    ("zh", "他换了工作，九月开始", "2026-09-01 00"),
    ("zh", "我报了钢琴课，从九月开始", "2026-09-01 00"),
    ("zh", "从一月起房租涨到3500", "2027-01-01 00"),
]

NOTHING = [
    ("en", "we drive a 2014 Odyssey"),
    ("zh", "厨师要八千五一个月"),
    ("zh", "一年三万五一点不贵"),
    ("zh", "儿子上初三"),
    ("zh", "初三学生压力大"),
    ("zh", "一年半载回不来"),
    ("zh", "我六一个人住"),
    ("zh", "我儿子十一，他姐十二"),
    ("zh", "家在五一广场旁边"),
    ("zh", "我弟叫周末"),
    ("zh", "小名叫元宵，三岁"),
    ("en", "my dog's name is Friday"),
    ("en", "we named her Tuesday"),
    ("en", "I live on December Avenue"),
    ("en", "my house number is 2026"),
    ("en", "the show is called Friday Night Lights"),
    ("en", "March is my busiest month"),
]
"""What looks like a time and is none: the year of a car, 五一 in a sum of money, a form at school, a name."""

WEEKLY = [
    ("en", "I lift Mon/Wed/Fri", "MO,WE,FR"),
    ("en", "guitar lessons Tuesday and Thursday", "TU,TH"),
    ("en", "Ruby goes to daycare Tuesday and Friday", "TU,FR"),
    ("zh", "我周一和周四去健身房", "MO,TH"),
    ("zh", "周二和周四上钢琴课", "TU,TH"),
    ("zh", "我周二周四晚上练琴", "TU,TH"),
]

ONCE = [
    ("en", "I ran Monday and Wednesday"),
    ("en", "I missed classes Monday and Tuesday"),
    ("en", "I'm in Paris Tuesday and Wednesday"),
    ("zh", "周一和周四去健身了"),
    ("zh", "周二和周三学校放假"),
    ("zh", "下周一和周四去健身房"),
]

LASTING = [
    ("住了七八年", 7 * 365, 8 * 365.25),
    ("我有七八年没回老家", 7 * 365, 8 * 365.25),
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


@pytest.mark.req("W7")
@pytest.mark.parametrize(("language", "text", "start"), OPEN, ids=str)
def test_what_starts_in_a_clause_of_its_own_is_still_to_come(language: str, text: str, start: str) -> None:
    found = find(text, at=AT, language=language)[-1]
    assert found.interval.start is not None
    assert f"{found.interval.start:%Y-%m-%d %H}" == start


@pytest.mark.req("W7")
@pytest.mark.parametrize(("language", "text"), NOTHING, ids=str)
def test_what_only_looks_like_a_time_is_none(language: str, text: str) -> None:
    assert not [one for one in find(text, at=AT, language=language) if one.kind != "length"]


@pytest.mark.req("W7")
@pytest.mark.parametrize(("language", "text", "days"), WEEKLY, ids=str)
def test_several_weekdays_of_what_people_do_every_week_are_a_habit(language: str, text: str, days: str) -> None:
    assert f"BYDAY={days}" in (only(language, text).interval.recurrence or "")


@pytest.mark.req("W7")
@pytest.mark.parametrize(("language", "text"), ONCE, ids=str)
def test_several_weekdays_of_what_is_done_once_stay_days(language: str, text: str) -> None:
    assert len([one for one in find(text, at=AT, language=language) if one.kind == "time"]) == 2
