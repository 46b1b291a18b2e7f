"""What repeats: which days, from when, until when; and lengths that are not exact. Read on Wednesday 4 March 2026."""

from __future__ import annotations

import math
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from yinji.language.time.find import Found, find

AT = datetime(2026, 3, 4, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
YEAR, MONTH, WEEK = 365 * 86400, 30 * 86400, 7 * 86400


def only(text: str) -> Found:
    (found,) = find(text, at=AT, language="en" if text.isascii() else "zh")
    return found


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("每周一到周五八点半", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("from Monday to Friday every week", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("周二四六练琴", "FREQ=WEEKLY;BYDAY=TU,TH,SA"),
        ("每月5号和20号发工资", "FREQ=MONTHLY;BYMONTHDAY=5,20"),
        ("每月三号、十三号", "FREQ=MONTHLY;BYMONTHDAY=3,13"),
        ("on the 10th and 25th of every month", "FREQ=MONTHLY;BYMONTHDAY=10,25"),
        ("每年三月", "FREQ=YEARLY;BYMONTH=3"),
        ("每年五月三日", "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=3"),
        ("every 14th of February", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=14"),
        ("每年冬天", "FREQ=YEARLY;BYMONTH=12,1,2"),
        ("every summer", "FREQ=YEARLY;BYMONTH=6,7,8"),
        ("every third Thursday", "FREQ=MONTHLY;BYDAY=3TH"),
        ("biweekly on Tuesdays", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
        ("每天除了周六", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SU"),
        ("every day except Monday", "FREQ=WEEKLY;BYDAY=TU,WE,TH,FR,SA,SU"),
        ("every weekday but Friday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH"),
        ("房租每月五号交", "FREQ=MONTHLY;BYMONTHDAY=5"),
        ("每到五号交房租", "FREQ=MONTHLY;BYMONTHDAY=5"),
        ("every month on the 5th", "FREQ=MONTHLY;BYMONTHDAY=5"),
        ("every month on the fifth we pay the rent", "FREQ=MONTHLY;BYMONTHDAY=5"),
        ("on the 5th of each month", "FREQ=MONTHLY;BYMONTHDAY=5"),
        ("monthly on the 5th", "FREQ=MONTHLY;BYMONTHDAY=5"),
        ("on the 5th of the month, every month", "FREQ=MONTHLY;BYMONTHDAY=5"),
        ("every month on the first Monday", "FREQ=MONTHLY;BYDAY=1MO"),
        ("每周三晚上", "FREQ=WEEKLY;BYDAY=WE"),
        ("weekly on Wednesday evenings", "FREQ=WEEKLY;BYDAY=WE"),
        ("每月底对账", "FREQ=MONTHLY"),
        ("at the end of every month", "FREQ=MONTHLY"),
    ],
)
def test_the_days_on_which_something_repeats(text: str, rule: str) -> None:
    assert only(text).interval.recurrence == rule


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "rule", "last"),
    [
        ("每周三到六月底", "FREQ=WEEKLY;BYDAY=WE;UNTIL=20260630", "2026-07-01"),
        ("每天早上七点到周五", "FREQ=DAILY;UNTIL=20260306", "2026-03-07"),
        ("每周二和周四直到五月十五号", "FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20260515", "2026-05-16"),
        ("every Monday until June", "FREQ=WEEKLY;BYDAY=MO;UNTIL=20260630", "2026-07-01"),
        ("every morning at 7 until Friday", "FREQ=DAILY;UNTIL=20260306", "2026-03-07"),
        ("every Tuesday and Thursday through May 15", "FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20260515", "2026-05-16"),
    ],
)
def test_what_repeats_until_a_day_ends_with_it(text: str, rule: str, last: str) -> None:
    found = only(text)
    assert found.interval.recurrence == rule
    assert found.interval.end is not None
    assert found.interval.end.date().isoformat() == last


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "rule", "start"),
    [
        ("从三月六号起每隔一周的周五", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", "2026-03-06"),
        ("从四月一号起每两周", "FREQ=WEEKLY;INTERVAL=2", "2026-04-01"),
        ("every other Friday starting March 6", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", "2026-03-06"),
        ("every two weeks from April 1", "FREQ=WEEKLY;INTERVAL=2", "2026-04-01"),
    ],
)
def test_what_repeats_from_a_day_on_has_its_first_time_then(text: str, rule: str, start: str) -> None:
    found = only(text)
    assert (found.interval.recurrence, found.kind) == (rule, "rule")
    assert found.interval.start is not None
    assert found.interval.start.date().isoformat() == start
    assert found.first is not None
    assert found.first.start is not None
    assert found.first.start.date().isoformat() == start


@pytest.mark.req("W7")
@pytest.mark.parametrize("text", ["今天剩下的时间", "the rest of the day"])
def test_the_rest_of_the_day_is_from_now_to_midnight(text: str) -> None:
    interval = only(text).interval
    assert (interval.start, interval.end) == (AT, AT.replace(day=5, hour=0))


@pytest.mark.req("W7")
@pytest.mark.parametrize("text", ["这周剩下的时间", "the rest of the week"])
def test_the_rest_of_the_week_begins_today(text: str) -> None:
    interval = only(text).interval
    assert (interval.start, interval.end) == (AT.replace(hour=0), AT.replace(day=9, hour=0))


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("三到六个月", 3 * MONTH, 6 * MONTH),
        ("2~3周", 2 * WEEK, 3 * WEEK),
        ("3天到2周", 3 * 86400, 2 * WEEK),
        ("5年以上10年以下", 5 * YEAR, 10 * YEAR),
        ("至少三年", 3 * YEAR, math.inf),
        ("不超过两周", 0, 2 * WEEK),
        ("三年", 3 * YEAR, None),
        ("3 to 6 months", 3 * MONTH, 6 * MONTH),
        ("two or three weeks", 2 * WEEK, 3 * WEEK),
        ("at least 2 years", 2 * YEAR, math.inf),
        ("no more than two weeks", 0, 2 * WEEK),
        ("ten years", 10 * YEAR, None),
    ],
)
def test_a_length_that_is_not_exact_has_its_least_and_its_most(text: str, least: float, most: float | None) -> None:
    found = only(text)
    assert (found.kind, found.length, found.longest) == ("length", least, most)


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("I coach at the club, Tuesday and Friday evenings", "TU,FR"),
        ("choir on Wednesdays and Sunday mornings", "WE,SU"),
        ("Monday, Thursday and Saturday nights", "MO,TH,SA"),
        ("she's in the office Tuesdays to Thursdays", "TU,WE,TH"),
        ("Tuesday to Thursday mornings", "TU,WE,TH"),
        ("I do the accounts, four days a week, Mon to Thu", "MO,TU,WE,TH"),
        ("twice a week, Tue and Sat", "TU,SA"),
        ("Mon and Thu, twice a week", "MO,TH"),
        ("once a week on Sunday", "SU"),
        ("the shop is open Wednesday to Saturday", "WE,TH,FR,SA"),
        ("Mondays at 9 and Fridays at 10", "MO,FR"),
        ("weekday mornings and Saturdays", "MO,TU,WE,TH,FR,SA"),
        ("每周二和周五晚上练字", "TU,FR"),
        ("每周二晚上和周五晚上练字", "TU,FR"),
        ("每周二到周四坐班", "TU,WE,TH"),
        ("每个星期二、星期日的上午", "TU,SU"),
        ("一周四天，周一到周四", "MO,TU,WE,TH"),
        ("一周两次，周二和周六", "TU,SA"),
        ("一周去三次健身房，周二周四周六", "TU,TH,SA"),
        ("three times a week at the lido, Mon, Wed and Fri", "MO,WE,FR"),
        ("我一个星期上三天班，周一到周三", "MO,TU,WE"),
        ("这家店周三到周六营业", "WE,TH,FR,SA"),
        ("每周四晚上", "TH"),
        ("每周五回老家", "FR"),
    ],
)
def test_every_weekday_of_a_list_or_range_is_in_the_rule(text: str, days: str) -> None:
    assert only(text).interval.recurrence == f"FREQ=WEEKLY;BYDAY={days}"


@pytest.mark.req("W7")
@pytest.mark.parametrize("text", ["three times a week", "每周三天", "一周三次", "每周去两趟"])
def test_how_often_in_a_week_names_no_weekday(text: str) -> None:
    assert only(text).interval.recurrence == "FREQ=WEEKLY"


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    "text",
    [
        "I'm in Leeds Monday to Wednesday",
        "I'm working Monday to Wednesday",
        "next week I work Monday to Wednesday",
        "周一到周三我在北京",
        "下周一到周三上班",
    ],
)
def test_weekdays_of_one_week_are_no_rule(text: str) -> None:
    assert all(one.interval.recurrence is None for one in find(text, at=AT, language="en" if text.isascii() else "zh"))


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    "text", ["I work Mondays and Friday is my day off", "I swim on Mondays and Friday I'm in Bath"]
)
def test_a_weekday_that_opens_a_clause_is_no_day_of_the_rule_before_it(text: str) -> None:
    assert [one.interval.recurrence for one in find(text, at=AT, language="en")] == ["FREQ=WEEKLY;BYDAY=MO", None]
