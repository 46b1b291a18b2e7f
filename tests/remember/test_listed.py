"""What a memory says in one breath of several things: news about one of them leaves the others."""

from __future__ import annotations

import pytest

from tests.remember.cases import read
from yinji import Memory
from yinji.language.packs import pack
from yinji.remember.listed import listed, without
from yinji.remember.remains import names_none, remains

TAKEN = [
    ("en", "Theo is allergic to eggs and cashews", "eggs", "Theo is allergic to cashews"),
    ("en", "The user speaks Japanese, French and Dutch", "Dutch", "The user speaks Japanese and French"),
    ("en", "The user has a cat called Milo and a dog called Rex", "Rex", "The user has a cat called Milo"),
    ("en", "The user plays bowls and the user is treasurer of the club", "treasurer", "The user plays bowls"),
    ("en", "The user works as a nurse and lives in Leeds", "nurse", "The user lives in Leeds"),
    ("zh", "用户对花生和海鲜都过敏", "花生", "用户对海鲜过敏"),
    ("zh", "用户会日语、法语和德语", "德语", "用户会日语和法语"),
    ("zh", "用户养了一只猫和一条狗", "狗", "用户养了一只猫"),
    ("zh", "用户的女儿对鸡蛋和腰果过敏", "鸡蛋", "用户的女儿对腰果过敏"),
]


@pytest.mark.req("W9")
@pytest.mark.parametrize(("language", "told", "taken", "left"), TAKEN, ids=str)
def test_the_other_things_of_a_list_stay(language: str, told: str, taken: str, left: str) -> None:
    assert without(told, lambda thing: taken in thing, pack(language)) == left


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    "told", ["用户和小王结婚了", "The user and Sam are getting married", "用户住在杭州", "The user lives in Leeds"]
)
def test_who_does_something_together_is_no_list(told: str) -> None:
    assert listed(told, pack("en" if told.isascii() else "zh")) is None


@pytest.mark.req("W9")
@pytest.mark.parametrize("taken", ["nothing", ""])
def test_nothing_is_left_over_where_none_or_all_of_it_is_named(taken: str) -> None:
    assert without("Theo is allergic to eggs and cashews", lambda thing: taken in thing, pack("en")) is None


@pytest.mark.req("W9", "F17")
@pytest.mark.parametrize(
    ("first", "news", "left"),
    [
        (
            "Theo's allergic to eggs and cashews",
            "Theo isn't allergic to eggs any more",
            "Theo is allergic to cashews",
        ),
        ("我女儿对鸡蛋和腰果过敏", "医生说女儿的鸡蛋过敏已经好了", "用户的女儿对腰果过敏"),
        ("I have a cat called Milo and a dog called Rex", "Rex ran away", "The user has a cat called Milo"),
        ("我对花生和海鲜都过敏", "医生说我花生已经不过敏了", "用户对海鲜过敏"),
    ],
)
def test_news_of_one_thing_leaves_the_rest_to_be_told_again(memory: Memory, first: str, news: str, left: str) -> None:
    (kept,) = memory.remember(first, wait=True).added
    (draft, *_), _ = read(news)
    assert remains(draft, kept) == left


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    ("first", "news", "none"),
    [
        ("My mum's in Leicester, she's diabetic and forgets her insulin", "My mum came home yesterday", True),
        (
            "My mum's in Leicester, she's diabetic and forgets her insulin",
            "My mum's moved from Leicester to York",
            False,
        ),
        ("我妈在莱芜，她有糖尿病，老忘打针", "我妈回家了", True),
        ("我妈在莱芜，她有糖尿病，老忘打针", "我妈不在莱芜了", False),
        ("I live in Leeds", "I've moved to York", False),
        ("我住在杭州", "我搬走了", False),
    ],
)
def test_it_cannot_be_told_what_is_over_where_none_of_several_things_is_named(
    memory: Memory, first: str, news: str, none: bool
) -> None:
    kept = memory.remember(first, wait=True).added[0]
    (draft, *_), _ = read(news)
    assert names_none(draft, kept) is none
