"""Times that are named, read on Monday 2 March 2026, ten in the morning in Shanghai."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yinji.language.dates import find_times
from yinji.language.time.find import find

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


# ------------------------------------------------------- what Found says


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "language", "start", "end"),
    [
        ("下周二到周四出差", "zh", "2026-03-10", "2026-03-13"),
        ("3月5日至8日", "zh", "2026-03-05", "2026-03-09"),
        ("明天上午9点-11点半", "zh", "2026-03-03 09:00", "2026-03-03 11:30"),
        ("今晚十点到凌晨两点", "zh", "2026-03-02 22:00", "2026-03-03 02:00"),
        ("周五之前交", "zh", "2026-03-02 10:00", "2026-03-06"),
        ("月底前", "zh", "2026-03-02 10:00", "2026-04-01"),
        ("从上周一起", "zh", "2026-02-23", "2026-03-02 10:00"),
        ("中秋前一天", "zh", "2026-09-24", "2026-09-25"),
        ("from Tuesday to Thursday", "en", "2026-03-03", "2026-03-06"),
        ("9-12 March 2026", "en", "2026-03-09", "2026-03-13"),
        ("from 9 to 11:30 tomorrow morning", "en", "2026-03-03 09:00", "2026-03-03 11:30"),
        ("tonight from 10pm to 2am", "en", "2026-03-02 22:00", "2026-03-03 02:00"),
        ("by Friday", "en", "2026-03-02 10:00", "2026-03-07"),
        ("before March 20th", "en", "2026-03-02 10:00", "2026-03-20"),
        ("since last Monday", "en", "2026-02-23", "2026-03-02 10:00"),
        ("two weeks before Easter", "en", "2026-03-22", "2026-03-23"),
    ],
)
def test_ranges_and_ends_are_one_interval(text: str, language: str, start: str, end: str) -> None:
    assert read(text, language) == [(start, end)]


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "language", "start"),
    [
        ("周五我去了医院", "zh", "2026-02-27"),
        ("周五要去医院", "zh", "2026-03-06"),
        ("3月5号我就交了", "zh", "2025-03-05"),
        ("1月5号要交", "zh", "2027-01-05"),
        ("I went to the dentist on Friday", "en", "2026-02-27"),
        ("I will go to the dentist on Friday", "en", "2026-03-06"),
        ("I had surgery on December 20", "en", "2025-12-20"),
        ("My exam will be on January 20", "en", "2027-01-20"),
    ],
)
def test_the_sentence_decides_which_way_a_date_lies(text: str, language: str, start: str) -> None:
    (found,) = find_times(text, at=AT, language=language)
    assert found.interval.start is not None
    assert found.interval.start.strftime("%Y-%m-%d") == start
    assert found.reading == ("past" if start < "2026-03" else "future")


@pytest.mark.req("W7")
@pytest.mark.parametrize(("text", "language"), [("周五", "zh"), ("Friday", "en"), ("三点", "zh"), ("half seven", "en")])
def test_what_may_mean_something_else_says_so(text: str, language: str) -> None:
    (found,) = find_times(text, at=AT, language=language)
    assert found.others
    assert found.certainty < 1
    assert found.interval not in found.others


@pytest.mark.req("W7", "F11")
@pytest.mark.parametrize(
    ("text", "language", "start"),
    [
        ("牙医改到周四了", "zh", "2026-03-05"),
        ("评审会当时就推迟到周五了", "zh", "2026-03-06"),
        ("体检提前到了周三", "zh", "2026-03-04"),
        ("签约改期到周二", "zh", "2026-03-03"),
        ("My dentist was moved to Thursday", "en", "2026-03-05"),
        ("They had postponed the review until Friday", "en", "2026-03-06"),
        ("The check-up was brought forward to Wednesday", "en", "2026-03-04"),
        ("The wedding was moved to 1 March", "en", "2027-03-01"),
        ("We moved to York on Thursday", "en", "2026-02-26"),
        ("周四搬到了苏州", "zh", "2026-02-26"),
    ],
)
def test_what_was_moved_to_a_day_is_still_to_come(text: str, language: str, start: str) -> None:
    assert [found for found, _ in read(text, language)] == [start]


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("我的座位是三排十七号", "zh"),
        ("我家在3栋17号", "zh"),
        ("坐十七号线去公司", "zh"),
        ("诊所在幸福路17号", "zh"),
        ("订的是17号桌", "zh"),
        ("I am in the 17th row", "en"),
        ("my seat is row 3, seat 17", "en"),
        ("the first week of my new job was hard", "en"),
    ],
)
def test_what_is_numbered_like_a_day_but_is_a_seat_a_house_or_a_line_is_none(text: str, language: str) -> None:
    assert read(text, language) == []


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("九月十二去看牙", "2026-09-12"),
        ("九月十二号去看牙", "2026-09-12"),
        ("农历九月十二去看牙", "2026-10-21"),
        ("阴历生日，九月十二", "2026-10-21"),
        ("十月十二（农历）办酒", "2026-11-20"),
        ("腊月十二回家", "2027-01-19"),
        ("九月初三祭祖", "2026-10-12"),
        ("八月十五一起赏月", "2026-09-25"),
        ("三月三赶歌圩", "2026-04-19"),
    ],
)
def test_a_day_is_lunar_only_where_something_says_so(text: str, start: str) -> None:
    assert [found for found, _ in read(text, "zh")] == [start]


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("last week in my yoga class I fell", "2026-02-23", "2026-03-02"),
        ("last week in the garden I planted beans", "2026-02-23", "2026-03-02"),
        ("the last week in June", "2026-06-22", "2026-06-29"),
    ],
)
def test_where_something_happened_takes_nothing_from_when(text: str, start: str, end: str) -> None:
    assert read(text, "en") == [(start, end)]


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "language", "rule", "start"),
    [
        ("每周一三五早上七点", "zh", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "2026-03-04 07:00"),
        ("每隔一天", "zh", "FREQ=DAILY;INTERVAL=2", "2026-03-02 00:00"),
        ("每月最后一天", "zh", "FREQ=MONTHLY;BYMONTHDAY=-1", "2026-03-31 00:00"),
        ("每年春节", "zh", "FREQ=YEARLY", "2027-02-06 00:00"),
        ("every other Tuesday", "en", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", "2026-03-03 00:00"),
        ("the last Friday of every month", "en", "FREQ=MONTHLY;BYDAY=-1FR", "2026-03-27 00:00"),
        ("every weekday at 9am", "en", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "2026-03-03 09:00"),
        ("every year on March 5", "en", "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=5", "2026-03-05 00:00"),
    ],
)
def test_what_repeats_has_a_rule_and_its_first_time(text: str, language: str, rule: str, start: str) -> None:
    (found,) = find_times(text, at=AT, language=language)
    assert found.interval.recurrence == rule
    assert found.first is not None
    assert found.first.start is not None
    assert found.first.start.strftime("%Y-%m-%d %H:%M") == start


@pytest.mark.parametrize(
    ("text", "language", "kind"),
    [
        ("我学了三年钢琴", "zh", "length"),
        ("it took two hours", "en", "length"),
        ("我现在住在上海", "zh", "now"),
        ("I am currently in Oslo", "en", "now"),
    ],
)
def test_a_mere_length_of_time_or_now_is_no_time(text: str, language: str, kind: str) -> None:
    assert find_times(text, at=AT, language=language) == []
    assert [one.kind for one in find(text, at=AT, language=language)] == [kind]


@pytest.mark.parametrize(
    ("text", "language"),
    [("I went to an open mic night", "en"), ("her summer clothes", "en"), ("at one with the world", "en"),
     ("1/2 cup of oats", "en"), ("挤出一点属于自己的时间", "zh"), ("声音小，一点也不吵", "zh"), ("青少年中心", "zh")],
)  # fmt: skip
def test_what_nothing_leads_as_a_time_is_none(text: str, language: str) -> None:
    assert find_times(text, at=AT, language=language) == []


@pytest.mark.parametrize(
    ("text", "start"), [("I haven't run in two weeks", "02-16"), ("I will run in two weeks", "03-16")]
)
def test_what_has_not_been_for_so_long_looks_back(text: str, start: str) -> None:
    (found,) = find_times(text, at=AT, language="en")
    assert found.interval.start is not None
    assert found.interval.start.strftime("%m-%d") == start


@pytest.mark.parametrize("text", ["今天后日", "前天之前后天", "上周五前周日"])
def test_neighbours_never_share_a_word(text: str) -> None:
    found = find_times(text, at=AT, language="zh")
    assert all(one.end <= other.start for one, other in pairwise(found))


@pytest.mark.req("W7", "L5")
def test_hours_are_elapsed_over_a_change_of_clocks() -> None:
    eve = datetime(2026, 10, 24, 22, 0, tzinfo=ZoneInfo("Europe/Berlin"))
    (found,) = find_times("in 12 hours", at=eve, language="en")
    assert found.interval.start is not None
    assert found.interval.start.isoformat() == "2026-10-25T09:00:00+01:00"


@pytest.mark.parametrize(
    ("text", "language"),
    [("《明日之后》很好玩", "zh"), ("一点儿也不难", "zh"), ("八成是他", "zh"), ("deliver 2000 pieces of toys", "en"),
     ("May I ask", "en"), ("call 138-2010-2015", "en"), ("good morning", "en"), ("a second round", "en")],
)  # fmt: skip
def test_titles_numbers_and_greetings_are_no_times(text: str, language: str) -> None:
    assert find_times(text, at=AT, language=language) == []


@settings(deadline=None)
@given(st.text(max_size=120), st.sampled_from(["zh", "en"]))
def test_spans_of_any_text_lie_inside_it_and_apart(text: str, language: str) -> None:
    at = 0
    for one in find_times(text, at=AT, language=language):
        assert at <= one.start < one.end <= len(text)
        assert one.start <= one.date_start <= one.date_end <= one.end
        at = one.end


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "language", "end"),
    [
        ("清明前就搞定了", "zh", "2026-04-05"),
        ("国庆前回过一趟老家", "zh", "2025-10-01"),
        ("We finished it before Easter", "en", "2026-04-05"),
        ("We finished it before Christmas", "en", "2025-12-25"),
    ],
)
def test_what_is_done_before_a_day_was_done_before_the_coming_one_if_that_is_soon(
    text: str, language: str, end: str
) -> None:
    assert read(text, language) == [("-", end)]


@pytest.mark.req("W7", "F8")
@pytest.mark.parametrize(
    ("text", "language", "starts"),
    [
        ("清明我去鼓浪屿做故事会，4号下午两点", "zh", ["2026-04-05", "2026-04-04 14:00"]),
        ("故事会改到1号上午十点了", "zh", ["2026-04-01 10:00"]),
        ("表妹周小满今年考研，小满报的是中山大学", "zh", []),
        ("小满那天去吃苦菜", "zh", ["2026-05-21"]),
        ("Biscuit died on Thursday", "en", ["2026-02-26"]),
        ("found a flat, we get the keys on Jan 9", "en", ["2027-01-09"]),
        ("the theory test is on the 1st, got the date wrong", "en", ["2026-04-01"]),
        ("I'm Declan, Dec is fine", "en", []),
        ("I start in Dec", "en", ["2026-12-01"]),
    ],
)
def test_the_words_around_a_day_tell_its_month_and_whether_it_is_one(
    text: str, language: str, starts: list[str]
) -> None:
    assert [start for start, _ in read(text, language)] == starts
