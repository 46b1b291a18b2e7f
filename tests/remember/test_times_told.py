"""Times as they are kept: what goes on from what was said before, what is due, what is liked, what is not on a day."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from yinji.model import Draft, Kind, Modality

from .cases import read

ZONES = {"zh": ZoneInfo("Asia/Shanghai"), "en": ZoneInfo("Europe/London")}
WEDNESDAY, AUTUMN = "2026-06-03T10:00", "2026-11-28T10:00"


def drafts(text: str, at: str = WEDNESDAY, *before: str) -> list[Draft]:
    zone = ZONES["en" if text.isascii() else "zh"]
    return read(text, *before, at=datetime.fromisoformat(at).replace(tzinfo=zone))[0]


def only(text: str, at: str = WEDNESDAY, *before: str) -> Draft:
    (draft,) = drafts(text, at, *before)
    return draft


def until(draft: Draft) -> str:
    assert draft.valid is not None
    assert draft.valid.end is not None
    return draft.valid.end.date().isoformat()


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("下周四之前得把登录模块测完", "2026-06-11"),
        ("周五之前要交开题报告", "2026-06-05"),
        ("月底前得把驾照换了", "2026-07-01"),
        ("18号之前必须把押金退了", "2026-06-18"),
        ("我得在周五之前交论文", "2026-06-05"),
        ("最晚周五得把论文交了", "2026-06-06"),
        ("I have to finish the drawings by next Thursday", "2026-06-12"),
        ("I need to send the forms before Friday", "2026-06-05"),
    ],
)
def test_what_is_due_by_a_day_is_a_plan_that_ends_with_it(text: str, last: str) -> None:
    draft = only(text)
    assert (draft.kind, draft.modality, until(draft)) == (Kind.EVENT, Modality.PLANNED, last)


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    "text", ["每周四之前要交周报", "合并代码之前要先跑单元测试", "Before you answer, always give me the conclusion"]
)
def test_what_is_asked_for_each_time_stays_a_way_of_doing(text: str) -> None:
    assert {one.kind for one in drafts(text)} <= {Kind.PROCEDURE}


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    "text",
    [
        "我恨周二",
        "我最讨厌周日晚上",
        "我喜欢十月",
        "我爱秋天",
        "I hate Tuesdays",
        "I love Friday evenings",
        "I can't stand Sundays",
    ],
)
def test_a_day_that_is_liked_or_hated_is_no_event(text: str) -> None:
    draft = only(text)
    assert (draft.kind, draft.modality, draft.valid) == (Kind.PREFERENCE, Modality.ASSERTED, None)
    assert "2026" not in draft.content


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("我下下周二出差去西安，周五回", ["2026年6月16日", "2026年6月19日"]),
        ("我下下周二出差去西安，周四回来，周五还要去见房东", ["2026年6月16日", "2026年6月18日", "2026年6月19日"]),
        ("我想明年去新疆玩一趟，最好是二月看雪", ["2027年去", "2027年2月"]),
        ("I'm flying to Oslo next Tuesday, and I'm back on Friday", ["9 June 2026", "12 June 2026"]),
        ("We hope to see Iceland next year, and we'd like to go in February", ["2027", "February 2027"]),
    ],
)
def test_a_clause_that_is_kept_apart_has_the_dates_of_its_sentence(text: str, dates: list[str]) -> None:
    told = " ".join(draft.content for draft in drafts(text))
    assert all(date in told for date in dates)


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("just signed with a new firm, start in February", "February 2027"),
        ("got in, course begins 9 January", "9 January 2027"),
        ("我拿到录取了，二月入学", "2027年2月"),
    ],
)
def test_what_begins_is_to_come_whatever_was_done_before(text: str, date: str) -> None:
    assert date in " ".join(draft.content for draft in drafts(text, AUTUMN))


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("The kids are with their dad on Wednesdays", "it's Thursdays now, not Wednesdays"),
        ("I have a bank meeting on 11 June", "it's been pushed, it's on the 18th now, 9am"),
    ],
)
def test_a_clause_that_says_only_when_is_no_memory(before: str, text: str) -> None:
    told = [draft.content.strip().lower() for draft in drafts(text, WEDNESDAY, before)]
    assert not {"not wednesdays", "9am"} & set(told)


@pytest.mark.req("W7")
def test_a_day_on_which_it_is_no_longer_has_no_date() -> None:
    assert "不是周三" in only("瑜伽课改到周四了，不是周三").content


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "told", "value"),
    [
        ("Leo's birthday is on Saturday", "6 June", "6june"),
        ("我女儿的生日是下周六", "6月13日", "6月13日"),
        ("Ella's birthday is on 3 March", "3 March", "3march"),
        ("我生日是三月三号", "三月三号", "三月三号"),
    ],
)
def test_a_birthday_has_its_day_of_the_year(text: str, told: str, value: str) -> None:
    draft = only(text)
    assert told in draft.content
    assert draft.slot is not None
    assert draft.slot.value == value


@pytest.mark.req("W7")
@pytest.mark.parametrize("text", ["Dan's been on nights since May", "我从五月开始上夜班"])
def test_what_has_been_so_since_then_does_not_end_by_being_told(text: str) -> None:
    valid = only(text).valid
    assert valid is not None
    assert valid.start is not None
    assert valid.end is None


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("May's birthday is on 3 March", "May"),
        ("made June a chocolate cake, she loved it", "June"),
        ("me and August split up last week", "August"),
    ],
)
def test_who_is_called_like_a_month_keeps_the_name(text: str, name: str) -> None:
    told = only(text).content
    assert name in told
    assert f"in {name}" not in told


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("我周一和周四晚上上瑜伽课", "MO,TH"),
        ("我女儿每周二和周五下午学琴", "TU,FR"),
        ("I coach at the club, Tuesday and Saturday mornings", "TU,SA"),
        ("My daughter has ballet Mondays and Thursday afternoons", "MO,TH"),
    ],
)
def test_a_weekly_habit_holds_on_every_day_that_it_names(text: str, days: str) -> None:
    valid = only(text).valid
    assert valid is not None
    assert valid.recurrence == f"FREQ=WEEKLY;BYDAY={days}"


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I've been off sugar since Monday", "since 1 June 2026"),
        ("off sugar since Monday, headaches all day", "since 1 June 2026"),
        ("my boys' school is shut till Monday", "till 8 June 2026"),
        ("the twins start nursery in January", "in January 2027"),
        ("我从周一起一直没抽烟", "从2026年6月1日起"),
        ("自从上周以来我一直失眠", "自从2026年5月25日那一周以来"),
    ],
)
def test_since_looks_back_and_what_several_do_is_to_come(text: str, told: str) -> None:
    assert told in drafts(text)[0].content


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    "text",
    [
        "our release window is Tuesdays and Thursdays after eight in the evening",
        "swimming is Tuesdays and Fridays",
        "我们系统的发布窗口是周二和周四晚上八点以后",
        "我一三五练瑜伽，二四跑步，周末在家瘫着",
    ],
)
def test_the_days_of_every_week_are_no_dates_and_no_plans(text: str) -> None:
    for draft in drafts(text):
        assert "2026" not in draft.content
        assert draft.modality is Modality.ASSERTED


@pytest.mark.req("W7")
def test_what_one_has_until_a_day_to_do_is_not_over() -> None:
    assert "5 June 2026" in only("I've got till Friday to pay the rent").content


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("at", "text", "told"),
    [
        ("2026-02-03", "Cataract surgery on my left eye is set for February 18.", "18 February 2026"),
        ("2026-01-08", "The meeting has been set for February 9", "9 February 2026"),
        ("2026-01-08", "The wedding's been confirmed for May 2", "2 May 2026"),
        ("2026-09-02", "I quit the hospital, going back to nursing in October", "October 2026"),
        ("2026-01-08", "我们的聚会改二月了", "2026年2月"),
        ("2026-07-20", "签证没下来，改8月8号走", "2026年8月8日"),
        ("2026-01-08", "我的手术已经定在2月9号", "2026年2月9日"),
        ("2026-01-08", "会议定了2月9号", "2026年2月9日"),
        ("2026-02-12", "The meeting was set for February 9", "9 February 2026"),
        ("2026-01-08", "去年我们的聚会改二月了", "2025年2月"),
    ],
)
def test_what_was_set_or_moved_to_a_day_is_to_come_though_that_was_decided(at: str, text: str, told: str) -> None:
    assert told in " ".join(draft.content for draft in drafts(text, f"{at}T10:00"))


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "told", "last"),
    [
        ("I landed a client, $85 an hour thru March", "thru March 2026", "2026-04-01"),
        ("They extended my contract through June", "through June 2026", "2026-07-01"),
        ("They gave me until March 15", "until 15 March 2026", "2026-03-16"),
        ("I lived in Leeds through March", "through March 2025", "2025-04-01"),
        ("公司把我的合同续到六月了", "到2026年6月", "2026-07-01"),
        ("我请假请到三月了", "到2026年3月", "2026-04-01"),
        ("房东给我宽限到3月15号了", "到2026年3月15日", "2026-03-16"),
        ("我那房子租到三月就搬走了", "到2025年3月", "2025-04-01"),
    ],
)
def test_until_when_something_was_granted_is_to_come(text: str, told: str, last: str) -> None:
    draft = drafts(text, "2026-01-08T10:00")[0]
    assert (told in draft.content, until(draft)) == (True, last)


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I'm sober since Christmas", "since Christmas 2025"),
        ("I've been sober since Christmas", "since Christmas 2025"),
        ("我从圣诞节开始戒酒的", "从2025年圣诞节"),
        ("圣诞节以来我没喝酒了", "2025年圣诞节以来"),
    ],
)
def test_since_a_feast_is_since_the_last_one(text: str, told: str) -> None:
    assert told in drafts(text, "2026-02-15T10:00")[0].content


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("周二周四我都去过了", "2026年6月2日、2026年5月28日"),
        ("I went on Monday and Tuesday", "1 June 2026 and on 2 June 2026"),
    ],
)
def test_days_in_a_list_are_told_apart(text: str, told: str) -> None:
    assert told in drafts(text)[0].content
