"""What a request tells besides itself, and what it does not (SPEC W2)."""

from __future__ import annotations

import pytest

from tests.remember.cases import SETTINGS, turn
from yinji.model import DropReason
from yinji.remember.extract import extract
from yinji.remember.weigh import Weighed


def read(text: str, score: float) -> tuple[list[str], list[DropReason]]:
    """What is kept and why the rest is not, where the classifier gives the message that score."""
    opinion = Weighed(spans=((0, len(text)),), scores=(score,), embedded=True, answers=False)
    drafts, drops = extract(turn(text), [], SETTINGS.remember, weighed=opinion)
    return [one.content for one in drafts], [one.reason for one in drops]


@pytest.mark.req("W2")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("does my 2014 Yaris need a new clutch", "The user has a 2014 Yaris"),
        ("do I need a new charger for our Dell XPS 13", "The user has a Dell XPS 13"),
        ("what feed is best for my 40kg lurcher", "The user has a 40kg lurcher"),
        ("我那辆14年的卡罗拉能加92吗", "用户有辆14年的卡罗拉"),
        ("我家那台2018款轩逸要不要换变速箱油", "用户有台2018款轩逸"),
        ("我的小米14怎么连打印机", "用户有小米14"),
    ],
)
def test_a_question_about_what_the_user_has_tells_that_they_have_it(text: str, content: str) -> None:
    assert read(text, 0.1)[0] == [content]


@pytest.mark.req("W2")
@pytest.mark.parametrize(
    "text",
    [
        "can you move my 3 o'clock",
        "what's wrong with my 3rd answer",
        "where is my parcel",
        "how was my 20 minutes on that",
        "我的第3题怎么做",
        "我的快递到哪了",
        "我那2个月的账单怎么查",
        "能不能把我的5点闹钟关了",
    ],
)
def test_a_question_about_an_appointment_a_part_or_what_everybody_has_tells_nothing(text: str) -> None:
    assert not read(text, 0.1)[0]


@pytest.mark.req("W2")
@pytest.mark.parametrize("text", ["does my 2014 Yaris need a new clutch", "我那辆14年的卡罗拉能加92吗"])
def test_nothing_is_taken_from_a_question_that_the_classifier_lets_go(text: str) -> None:
    assert not read(text, -0.9)[0]


@pytest.mark.req("W2")
@pytest.mark.parametrize(
    "text",
    [
        "from the newsletter: I moved to Kent and my sister runs a bakery there",
        "the review says: I bought this for my son and he loves it",
        "[09:14] Tamsin: I'm allergic to nuts so no cake for me",
        "is this sentence correct: my brother live in Porto",
        "群里通知：我家孩子周五不来上课了",
        "[09:14] 小唐：我对花生过敏，蛋糕不吃了",
        "帮我改病句：我有一个妹妹她住在徐州",
        "商品评价：给我儿子买的，他很喜欢",
    ],
)
def test_a_text_that_is_shown_says_nothing_of_the_user(text: str) -> None:
    assert not read(text, 0.6)[0]


@pytest.mark.req("W2")
@pytest.mark.parametrize(
    "text",
    [
        "my landlord left a note: I have to move out by June",
        "I have news: my sister moved to Kent",
        "我跟你说：我妹妹搬去徐州了",
        "我女儿的老师说：她数学进步了",
    ],
)
def test_what_the_user_tells_behind_a_colon_is_the_user_s(text: str) -> None:
    assert read(text, 0.6)[0]


@pytest.mark.req("W2")
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("把会议纪要整理成表，截止日期加粗，没人认领的排最后", 0),
        ("给这首诗配个标题，押韵，不要俗气的也行", 0),
        ("推荐个儿童座椅，我儿子三岁，三十二斤", 1),
    ],
)
def test_how_a_request_is_to_be_met_is_no_news(text: str, kept: int) -> None:
    assert len(read(text, 0.25)[0]) >= kept
    assert kept or not read(text, 0.25)[0]
