from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from yinji import Memory
from yinji.model import Query, Scope
from yinji.recall.analyse import analyse, questions_in


def asked(text: str) -> Query:
    return analyse(text, scope=Scope(owner="me"), now=datetime(2026, 3, 1, tzinfo=UTC), past=False, language=None)


@pytest.mark.req("R3")
@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("我老板的邮箱是多少？另外，音乐节几号开始？", ["我老板的邮箱是多少？", "另外，音乐节几号开始？"]),
        ("Who is Ida? Also, when is the festival?", ["Who is Ida?", "Also, when is the festival?"]),
        ("今天真热。我的猫几岁了？还有它叫什么？", ["今天真热。我的猫几岁了？", "还有它叫什么？"]),
        ("我的猫几岁了？", []),
        ("How old is my cat?", []),
        ("你知道吗？我今天吃了披萨。另外天气很好。", []),
        ("You know what? I had pizza. Also the weather was fine.", []),
        ("Andrea called, did she? Android or iPhone?", []),
        ("今天真热，昨天看了电影。我真正想问的是：我的猫几岁了？", ["我的猫几岁了？"]),
        ("So hot today, and what a film. What I wanted to ask is: how old is my cat?", ["how old is my cat?"]),
        ("天真好。其实我想知道的是猫几岁了？另外狗真闹。不过真正的问题是，狗几岁了？", ["猫几岁了？", "狗几岁了？"]),
        ("我想问的是这个", []),
        ("My question is", []),
    ],
)  # fmt: skip
def test_questions_asked_together_are_told_apart(text: str, parts: list[str]) -> None:
    assert [part.text for part in questions_in(asked(text))] == parts


@pytest.mark.req("R3", "R6")
@pytest.mark.parametrize(
    ("about_one", "about_other", "question"),
    [
        (
            [f"我的上司王敏{one}" for one in ("住在杭州", "爱喝茶", "四十岁", "的邮箱是 wm@x.cn", "养了一只狗")],
            "音乐节从六月九号开始",
            "我的上司王敏的邮箱是多少？另外，音乐节几号开始？",
        ),
        (
            [f"My boss Ida {one}" for one in ("lives in Leeds", "likes tea", "is forty", "has a dog", "hates email")],
            "The festival begins on 9 June",
            "What does my boss Ida like? Also, when does the festival begin?",
        ),
    ],
)
def test_each_of_two_questions_gets_its_answer(
    about_one: list[str], about_other: str, question: str, open_memory: Callable[..., Memory]
) -> None:
    memory = open_memory()
    memory.import_([{"content": one} for one in [*about_one, about_other]])
    assert about_other in [hit.memory.content for hit in memory.recall(question, top_k=2)]
