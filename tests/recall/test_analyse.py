"""What a question is read to ask for: the time it names, the past, and the memories that these bring."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests.conftest import SHANGHAI, StandingClock
from yinji import Memory
from yinji.model import Scope, Validity
from yinji.recall.analyse import WAS, analyse

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=SHANGHAI)


@pytest.mark.req("R3")
@pytest.mark.parametrize(
    ("question", "past"),
    [
        ("我以前住在哪里？", True),
        ("最开始我们打算哪天搬家？", True),
        ("我是什么时候开始戒咖啡的？", True),
        ("去年夏天我去了哪儿？", True),
        ("我住在哪里？", False),
        ("明天几点开会？", False),
        ("Where did I use to live?", True),
        ("What was the first plan?", True),
        ("Who came to dinner last week?", True),
        ("Where do I live?", False),
        ("What time is the meeting tomorrow?", False),
        ("What did I say my address is?", False),
    ],
)
def test_a_question_about_the_past_lets_in_what_no_longer_holds(question: str, past: bool) -> None:
    asked = analyse(question, scope=Scope(owner="me"), now=NOW, past=False, language=None)
    assert asked.past is past
    assert asked.scope.validity is not None
    assert (asked.scope.validity >= WAS) is past
    assert Validity.RETRACTED not in asked.scope.validity


MANY = {
    "zh": (
        "我养过哪些宠物？",
        "我们看过哪两套房？",
        "今年都去了哪儿？",
        "八月中旬我做了什么？",
        "我爸妈分别在哪上班？",
        "列一下我的过敏源",
        "把我學過的樂器總結一下",
    ),
    "en": (
        "Which cars have I owned?",
        "What have I bought for the flat?",
        "List my allergies",
        "What happened in July?",
        "Who has visited me?",
        "How many houses have we seen?",
        "Tell me everything about my sister",
    ),
}
ONE = {
    "zh": ("我住在哪里？", "成都那家店叫什么？", "她是做什么工作的？", "首都机场怎么去？", "我的生日是哪天？"),
    "en": ("What is my address?", "Which bus do I take?", "Where do I live?", "Whose business is it?"),
}


@pytest.mark.req("R3")
@pytest.mark.parametrize(
    ("question", "many"),
    [(one, many) for asked, many in ((MANY, True), (ONE, False)) for listed in asked.values() for one in listed],
)
def test_a_question_shows_whether_it_asks_for_more_than_one_thing(question: str, many: bool) -> None:
    assert analyse(question, scope=Scope(owner="me"), now=NOW, past=False, language=None).many is many


PAST = {
    "zh": (
        "我刚开始用你的时候住哪儿？",
        "我原本打算去哪里读书？",
        "搬家前我住几楼？",
        "刚入职那阵子我坐哪个工位？",
        "我们头一回见面在哪儿？",
        "我上小学的时候家在哪？",
        "我的前任老板姓什么？",
        "老房子在哪个小区？",
        "还没搬走时我怎么上班？",
        "我上一台电脑是什么型号？",
        "第一版合同写的多少钱？",
        "我小時候住在哪？",
    ),
    "en": (
        "Who cut my hair prior to Sana?",
        "What's my ex-boyfriend's name?",
        "What's the name of my old boss?",
        "Which team am I no longer on?",
        "Which pills am I not on any more?",
        "What had we planned to begin with?",
        "Where did we live before Tom came?",
        "What was the rent at the old place?",
    ),
}
PRESENT = {
    "zh": (
        "睡前我要吃什么药？",
        "出门前要记得带什么？",
        "我前面那个邻居叫什么？",
        "我目前的目标是什么？",
        "我对什么过敏？",
        "谁来我家过年？",
        "以后我打算住哪？",
    ),
    "en": (
        "What should I pack before the trip?",
        "Do I have anything on before lunch tomorrow?",
        "What's the first thing on my list?",
        "Which bank are we with?",
    ),
}


@pytest.mark.req("R3")
@pytest.mark.parametrize(
    ("question", "past"),
    [(one, past) for told, past in ((PAST, True), (PRESENT, False)) for listed in told.values() for one in listed],
)
def test_there_are_many_ways_to_ask_for_what_was(question: str, past: bool) -> None:
    asked = analyse(question, scope=Scope(owner="me"), now=NOW, past=False, language=None)
    assert asked.past is past
    assert asked.scope.validity is not None
    assert (asked.scope.validity >= WAS) is past


@pytest.mark.req("R3")
@pytest.mark.parametrize(
    ("question", "was"),
    [
        ("今年我住过哪几个地方？", True),
        ("我前后开过几辆车？", True),
        ("今年有哪些安排？", False),
        ("我住在哪里？", False),
        ("Which cars have I owned?", True),
        ("Where have I lived so far?", True),
        ("How many cats have I got?", False),
        ("What do I have to bring?", False),
    ],
)
def test_a_question_for_all_that_there_was_lets_in_the_past_and_still_asks_for_now(question: str, was: bool) -> None:
    at = NOW.replace(month=1, day=20)
    asked = analyse(question, scope=Scope(owner="me"), now=at, past=False, language=None)
    assert not asked.past
    assert asked.scope.validity is not None
    assert (asked.scope.validity >= WAS) is was
    later = analyse("今年有哪些安排？", scope=Scope(owner="me"), now=NOW, past=False, language=None)
    assert later.scope.validity is not None
    assert later.scope.validity >= WAS


@pytest.mark.req("R3", "R4", "R5")
@pytest.mark.parametrize(
    ("said", "question"),
    [
        (["我去深圳看了电芯厂", "我去爬山了", "我买了一台新电脑"], "二月中旬我做了什么？"),
        (["I visited the battery plant", "I went climbing", "I bought a new laptop"], "What did I do on 14 February?"),
    ],
    ids=["zh", "en"],
)
def test_the_time_asked_about_brings_what_was_said_of_it(
    said: list[str], question: str, memory: Memory, clock: StandingClock
) -> None:
    for text, days in zip(said, (30, 16, 1), strict=True):
        memory.remember(text, at=clock.now - timedelta(days=days), wait=True)
    first = memory.recall(question)[0]
    assert first.memory.sources[0].quote == said[1]
    assert first.factors["fields"] > 0


@pytest.mark.req("R4", "R13")
@pytest.mark.parametrize(
    ("said", "question", "last"),
    [
        (["张伟在灯塔科技上班", "灯塔科技是我们的客户"], "张伟的公司和我们什么关系？", "客户"),
        (["Alice Moore works at Kestrel Labs", "Kestrel Labs moved to Leeds"], "Where is Alice Moore's firm?", "Leeds"),
    ],
    ids=["zh", "en"],
)
def test_what_hangs_together_with_a_name_is_among_what_is_weighed(
    said: list[str], question: str, last: str, memory: Memory
) -> None:
    for text in said:
        memory.remember(text, wait=True)
    found = memory.recall(question, trace=True)
    assert any(last in one.memory.content for one in found.trace)


@pytest.mark.req("R3", "R4")
@pytest.mark.parametrize(
    ("said", "question", "answer"),
    [
        (
            ("我住在杭州", "下周三要去北京出差，住在国贸那边的酒店", "妈妈下个月来杭州住两个星期"),
            "我住在哪里？",
            "我住在杭州",
        ),
        (("我对花生过敏", "我家的花生酱快过期了"), "我对什么过敏？", "我对花生过敏"),
        (
            ("I live in Leeds", "I'm staying at a hotel in York on Friday", "My mum lives in Bath"),
            "Where do I live?",
            "Leeds",
        ),
        (("My blood type is O negative", "My dog had a blood test on Monday"), "What blood type am I?", "O negative"),
    ],
)
def test_what_fills_in_what_is_asked_for_comes_first_and_says_so(
    said: tuple[str, ...], question: str, answer: str, memory: Memory
) -> None:
    for one in said:
        memory.remember(one, wait=True)
    first = memory.recall(question).hits[0]
    assert answer.lstrip("我") in first.memory.content
    assert first.why in ("因为它说的正是你问的。", "because it says just what you ask for.")
