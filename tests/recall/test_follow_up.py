"""A message that goes on from the question before it is asked in full (SPEC R3)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from yinji import Memory
from yinji.recall.follow_up import in_full

NOW = datetime(2026, 3, 5, tzinfo=UTC)


@pytest.mark.req("R3")
@pytest.mark.parametrize(
    ("said", "message", "meant"),
    [
        ("我妹妹的生日是哪天？", "那我弟弟呢？", "我弟弟的生日是哪天？"),
        ("我妹妹的生日是哪天？", "我呢", "我的生日是哪天？"),
        ("我的血型是什么？", "那我女儿的呢？", "我女儿的血型是什么？"),
        ("小满住在哪里？", "何屿呢？", "何屿住在哪里？"),
        ("她住在哪里？", "那我妈呢", "我妈住在哪里？"),
        ("我的猫几岁了？", "狗呢？", "狗几岁了？"),
        ("我三月去了哪里？", "那四月呢？", "我四月去了哪里？"),
        ("厨房刷了什么颜色？", "那卧室呢？", "厨房刷了什么颜色, 卧室?"),
        ("When is my sister's birthday?", "And my brother?", "When is my brother's birthday?"),
        ("When is my sister's birthday?", "and mine?", "When is my birthday?"),
        ("What is my blood type?", "And my daughter's?", "What is my daughter's blood type?"),
        ("Where does Nora live?", "What about Sam?", "Where does Sam live?"),
        ("Where does she live?", "and my mum?", "Where does my mum live?"),
        ("How old is the cat?", "And the dog?", "How old is the dog?"),
        ("Where was I in March?", "And in April?", "Where was I in April?"),
        ("What colour is the kitchen?", "What about the bedroom?", "What colour is the kitchen, the bedroom?"),
    ],
)
def test_who_only_names_another_asks_the_question_before_of_that_one(said: str, message: str, meant: str) -> None:
    assert in_full(message, [said], now=NOW) == meant
    assert in_full(message, ["今天好累", said, "哦", "ok thanks"], now=NOW) == meant


@pytest.mark.req("R3")
@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (["我妹妹的生日是哪天？", "那我弟弟呢？", "那我妈呢？"], "我妈的生日是哪天？"),
        (["When is my sister's birthday?", "And my brother's?", "And Mum's?"], "When is Mum's birthday?"),
    ],
)
def test_one_may_go_on_from_what_went_on_itself(said: list[str], meant: str) -> None:
    *before, message = said
    assert in_full(message, before, now=NOW) == meant


ASKED_ZH, ASKED_EN = "我妹妹的生日是哪天？", "When is my sister's birthday?"


@pytest.mark.req("R3")
@pytest.mark.parametrize("message", ["那你呢？", "然后呢？", "那怎么办呢？", "那他呢？", "那我弟弟住在哪里？", "谢谢"])
def test_a_chinese_message_that_says_more_or_names_nobody_stands_as_it_is(message: str) -> None:
    assert in_full(message, [ASKED_ZH], now=NOW) == message


@pytest.mark.req("R3")
@pytest.mark.parametrize("message", ["And you?", "And then?", "and does she like cake?", "And his?", "what about it?"])
def test_an_english_message_that_says_more_or_names_nobody_stands_as_it_is(message: str) -> None:
    assert in_full(message, [ASKED_EN], now=NOW) == message


@pytest.mark.req("R3")
@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("今天好累", "那我弟弟呢？"),
        ("I'm tired", "And my brother?"),
        (ASKED_ZH, "And my brother?"),
        (ASKED_ZH, "你觉得呢？"),
        (ASKED_ZH, "那要是下雨呢？"),
        (ASKED_EN, "And where does my brother live?"),
        (ASKED_EN, "And my brother moved to Leeds."),
        (ASKED_EN, "How about lunch, then?"),
    ],
)
def test_what_says_more_or_follows_no_question_stands_as_it_is(said: str, message: str) -> None:
    assert in_full(message, [said], now=NOW) == message


TOLD_ZH = ["我妹妹的生日是三月二号", "我弟弟的生日是九月八号", "我弟弟在深圳修空调", "我妹妹在苏州当护士"]
TOLD_EN = [
    "My sister's birthday is on 2 March",
    "My brother's birthday is on 8 September",
    "My brother repairs lifts in Leeds",
    "My sister is a nurse in York",
]


@pytest.mark.req("R3", "R9", "W4")
@pytest.mark.parametrize(
    ("told", "said", "message", "found"),
    [
        (TOLD_ZH, "我妹妹的生日是哪天？", "那我弟弟呢？", "九月八"),
        (TOLD_ZH, "我妹妹的生日是哪天？", "她在哪里上班？", "护士"),
        (TOLD_EN, "When is my sister's birthday?", "And my brother's?", "8 September"),
        (TOLD_EN, "Who is my brother Sam?", "Where does he repair lifts?", "Leeds"),
    ],
)
def test_a_context_of_a_session_answers_what_a_message_means_there(
    told: list[str], said: str, message: str, found: str, open_memory: Callable[..., Memory]
) -> None:
    memory = open_memory()
    for one in told:
        memory.remember(one, session="before", wait=True)
    memory.remember(said, session="now", wait=True)
    hits = memory.context(message, session="now").hits
    assert found in hits[0].memory.content
