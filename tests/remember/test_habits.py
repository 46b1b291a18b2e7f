"""What repeats keeps its rule in the memory."""

from __future__ import annotations

import pytest

from yinji import Memory


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("Every Tuesday I swim.", "FREQ=WEEKLY;BYDAY=TU"),
        ("我每周二游泳。", "FREQ=WEEKLY;BYDAY=TU"),
        ("I like to swim every Tuesday.", "FREQ=WEEKLY;BYDAY=TU"),
        ("我喜欢每周二去游泳。", "FREQ=WEEKLY;BYDAY=TU"),
        ("I'm learning Spanish every evening.", "FREQ=DAILY"),
        ("我每天早上跑步五公里。", "FREQ=DAILY"),
        ("My standup is every weekday at 10.", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("每周一三五我去健身房。", "FREQ=WEEKLY;BYDAY=MO,WE,FR"),
        ("I lift Mon/Wed/Fri", "FREQ=WEEKLY;BYDAY=MO,WE,FR"),
        ("My daughter swims Monday and Friday", "FREQ=WEEKLY;BYDAY=MO,FR"),
        ("我周一和周四去健身房", "FREQ=WEEKLY;BYDAY=MO,TH"),
        ("我女儿周二和周五上钢琴课", "FREQ=WEEKLY;BYDAY=TU,FR"),
        ("我报了书法班，周二周四上午", "FREQ=WEEKLY;BYDAY=TU,TH"),
        ("我的书法班改周一周三了", "FREQ=WEEKLY;BYDAY=MO,WE"),
        ("我在奶茶店兼职，周六日", "FREQ=WEEKLY;BYDAY=SA,SU"),
        ("店里招了个新人，做周末", "FREQ=WEEKLY;BYDAY=SA,SU"),
        ("I signed up for pottery, Tuesday and Thursday mornings", "FREQ=WEEKLY;BYDAY=TU,TH"),
        ("I work part-time in a tea shop, weekends", "FREQ=WEEKLY;BYDAY=SA,SU"),
        ("I teach Tuesdays and Thursdays", "FREQ=WEEKLY;BYDAY=TU,TH"),
        ("The shop hired a new girl for weekends", "FREQ=WEEKLY;BYDAY=SA,SU"),
    ],
)
def test_a_habit_is_kept_with_the_rule_by_which_it_repeats(said: str, rule: str, memory: Memory) -> None:
    (kept,) = memory.remember(said, wait=True).added
    assert kept.valid is not None
    assert kept.valid.recurrence == rule


@pytest.mark.req("W7", "W9")
@pytest.mark.parametrize(
    ("said", "place"),
    [("I live in Bergen, and every Tuesday I swim.", "Bergen"), ("我住在上海，每周五回杭州。", "\u4e0a\u6d77")],
)
def test_where_somebody_lives_does_not_repeat_with_what_is_said_beside_it(
    said: str, place: str, memory: Memory
) -> None:
    added = memory.remember(said, wait=True).added
    homes = [one for one in added if one.slot is not None and place.lower() in one.slot.value]
    assert homes
    assert all(one.valid is None or one.valid.recurrence is None for one in homes)


@pytest.mark.req("W6")
def test_whom_a_time_stands_before_is_named_once(memory: Memory) -> None:
    (kept,) = memory.remember("每周二早上七点我去游泳", wait=True).added
    assert kept.content == "每周二早上七点用户去游泳"
