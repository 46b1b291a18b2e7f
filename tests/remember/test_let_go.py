"""Plans that are dropped, jokes, and orders not to speak of something: none of them asks for anything to be erased."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from yinji import Memory
from yinji.model import Remembered, Validity


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "memory.yinji") as opened:
        yield opened


def said(memory: Memory, texts: list[str]) -> Remembered:
    """What became of the last of them, all told in one session."""
    return [memory.remember(text, wait=True) for text in texts][-1]


def kept(memory: Memory) -> list[str]:
    return [one.content for one in memory.list()]


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    ("texts", "left"),
    [
        (
            ["我在罗马住过三年", "我们五月要去罗马", "忘掉罗马吧，我们去米兰"],
            ["用户等人去米兰", "用户在罗马住过三年"],
        ),
        (["我们打算去三亚", "别提三亚了，改去青岛"], ["用户改去青岛"]),
        (["我们打算去三亚", "忘了三亚吧，机票太贵"], []),
        (["我在备考雅思", "别提雅思了，太难了"], []),
        (
            ["I lived in Rome for three years", "We're going to Rome", "forget Rome, we're going to Milan"],
            ["The user and others are going to Milan", "The user lived in Rome for three years"],
        ),
        (["We're going to Rome in May", "Forget Rome. Too expensive."], []),
        (["I'm learning the guitar", "never mind the guitar, I gave it up"], ["The user gave the guitar up"]),
        (["I'm saving for a motorbike", "scrap the motorbike idea, no money"], []),
    ],
)
def test_a_plan_that_is_dropped_is_over_and_all_else_stays(memory: Memory, texts: list[str], left: list[str]) -> None:
    last = said(memory, texts)
    assert kept(memory) == left
    assert {one.validity for one in last.superseded} == {Validity.SUPERSEDED}
    assert last.warnings == ()


@pytest.mark.req("W9", "F17")
@pytest.mark.parametrize(
    "texts",
    [
        ["我打算去三亚", "忘掉三亚吧，这是秘密"],
        ["我打算学大提琴", "忘了我之前说的大提琴的事吧，太贵了"],
        ["I'm going to Lisbon in June", "forget Lisbon, it's private"],
        ["I'm going to Lisbon in June", "forget what I said about Lisbon, we're staying home"],
    ],
)
def test_what_was_said_is_still_erased_where_that_is_asked(memory: Memory, texts: list[str]) -> None:
    assert {one.validity for one in said(memory, texts).superseded} == {Validity.RETRACTED}


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    "texts",
    [
        ["我姐六月要去罗马", "忘掉罗马吧，太贵了"],
        ["我打算学游泳", "忘了带泳镜，没游成"],
        ["My sister Ann is moving to Rome in June", "forget Rome, I can't afford it"],
        ["I'm going to see the sea", "I forgot the sea, we went to Milan"],
    ],
)
def test_plans_of_others_and_what_slipped_the_mind_stand(memory: Memory, texts: list[str]) -> None:
    assert said(memory, texts).superseded == ()


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    ("texts", "left"),
    [
        (["我怀孕了", "骗你的，愚人节快乐"], []),
        (["我下个月要结婚了", "哈哈，逗你玩的"], []),
        (["我妹妹住在杭州。我中了五百万。", "开玩笑的"], ["用户的妹妹住在杭州"]),
        (["我妹妹住在杭州。我养了一只老虎。逗你玩的"], ["用户的妹妹住在杭州"]),
        (["I'm pregnant", "April fool, I'm not pregnant"], ["The user is not pregnant"]),
        (["I won the lottery last week", "haha just kidding"], []),
        (
            ["I've got engaged to my boyfriend Tom. My sister lives in Leeds.", "just kidding about the engagement"],
            ["The user's sister lives in Leeds"],
        ),
        (
            ["My sister lives in Leeds. I've got a pet tiger called Rex. Only joking!"],
            ["The user's sister lives in Leeds"],
        ),
    ],
)
def test_a_joke_takes_back_what_was_said_just_before(memory: Memory, texts: list[str], left: list[str]) -> None:
    said(memory, texts)
    assert kept(memory) == left


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    ("texts", "left"),
    [
        (["我在阿里上班", "我跳槽到谷歌了", "骗你的"], "用户在阿里上班"),
        (["I work at Acme", "I got a new job at Google", "jk"], "The user works at Acme"),
    ],
)
def test_what_a_joke_had_ended_holds_again_whether_read_at_once_or_together(
    memory: Memory, texts: list[str], left: str
) -> None:
    said(memory, texts)
    assert kept(memory) == [left]
    memory.remember_many([{"user": text, "session": "b"} for text in texts], owner="b")
    assert [one.content for one in memory.list(owner="b")] == [left]


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    "texts",
    [
        ["我有两只猫", "你开玩笑的吧"],
        ["我有两只猫", "没开玩笑，我说真的"],
        ["我有两只猫", "我老板说要裁我，他开玩笑的"],
        ["I have two cats", "no kidding"],
        ["I have two cats", "are you kidding?"],
        ["I have two cats", "I'm not joking"],
        ["I have two cats", "just joking around with them makes my day"],
    ],
)
def test_who_speaks_of_joking_takes_nothing_back(memory: Memory, texts: list[str]) -> None:
    assert said(memory, texts).superseded == ()


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    "texts",
    [
        ["我喜欢吃榴莲", "别再跟我提榴莲"],
        ["我去年离婚了", "以后别问我离婚的事"],
        ["I love durian", "don't mention durian to me again"],
        ["I got divorced last year", "stop bringing up the divorce"],
    ],
)
def test_what_is_not_to_be_mentioned_stays_known(memory: Memory, texts: list[str]) -> None:
    assert said(memory, texts).superseded == ()
