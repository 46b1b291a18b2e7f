"""A clause that does not say whom it is about: told of them where that is sure, and else in its sentence."""

from __future__ import annotations

import pytest

from tests.remember.cases import read
from yinji.model import Kind


def told(text: str) -> list[str]:
    return [draft.content for draft in read(text)[0]]


@pytest.mark.req("W4", "W6")
@pytest.mark.parametrize(
    "text",
    [
        "洗碗工小李走了，回老家结婚",
        "我家楼上搬来一对夫妻，养了两只哈士奇",
        "给儿子请了个家教，姓秦，北师大的研究生",
        "实习生转正了，现在手下四个人",
        "邻居家的狗叫来福，六岁",
        "外卖不做了，抽成太狠",
        "师傅来修了热水器，现在不漏水了",
        "医生给我换了药，脚踝肿的问题就没了",
        "阿May介绍了一个人，叫许衡，做律师的，见了一面，话不多",
        "淑珍说“旺财这名字太土”，改叫元宝了",
        "Our cleaner Rosa quit, went back to Porto to look after her dad",
        "My friend set me up with a guy called Owen, works for the railway",
        "We've got a ginger cat called Biscuit, four years old",
        "My daughter got a new teacher, Ms. Lund, teaches maths",
        "My sister's corgi is called Pudding, nearly three",
        "My brother brought his girlfriend, she's from Baku, loves spicy food",
    ],
)
def test_what_may_be_of_two_is_told_in_its_sentence(text: str) -> None:
    assert len(told(text)) == 1


@pytest.mark.req("W4", "W6")
@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("我爸说不想住院，想回家养着", "用户的爸想回家养着"),
        ("小舅子不干销售了，改开网约车", "用户的小舅子改开网约车"),
        ("我班上有个孩子叫沐阳，听力不好，坐第一排", "沐阳坐第一排"),
        ("我女儿叫朵朵，六岁", "用户的女儿六岁"),
        ("徒弟出师了，我总算能歇歇了", "用户总算能歇歇了"),
        ("Dad says he doesn't want to go into hospital, wants to stay home", "The user's dad wants to stay home"),
        ("My boss is from Glasgow, never eats breakfast", "The user's boss never eats breakfast"),
        ("My trainee qualified, I've now got four people under me", "The user has now got four people under the user"),
    ],
)
def test_what_is_surely_somebodys_is_told_of_them(text: str, last: str) -> None:
    assert told(text)[-1] == last


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("周洋要调去广州，以后一个月来一次", False),
        ("买了个投影仪，以后在家看电影", False),
        ("老公升职了，以后得经常出差", False),
        ("教练说，以后周二不上课", False),
        ("以后请用英文回答我", True),
        ("以后单位都用公制的", True),
        ("以后别再提我前男友了", True),
        ("从现在起叫我老秦", True),
        ("Coach says no training on Tuesdays from now on", False),
        ("My son started middle school, takes the bus by himself from now on", False),
        ("From now on answer me in French", True),
        ("From now on keep your answers short", True),
    ],
)
def test_from_now_on_is_an_order_where_it_tells_the_assistant_what_to_do(text: str, orders: bool) -> None:
    assert any(draft.kind is Kind.PROCEDURE for draft in read(text)[0]) is orders


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("My girlfriend Jess and I live in Leeds. We broke up.", "The user's girlfriend Jess and the user broke up"),
        ("My wife and I are moving to Lyon. We have two cats.", "The user's wife and the user have two cats"),
        ("I'm seeing a girl called Anya. We met at a gym.", "Anya and the user met at a gym"),
        (
            "My girlfriend Susan lives in Leeds. We've split up.",
            "The user's girlfriend Susan and the user have split up",
        ),
        ("My husband is a nurse. We have two cats.", "The user and others have two cats"),
        ("What do I say in an appraisal? Mine is with Gareth on 2 July.", "The user's appraisal is with Gareth on"),
        ("我女朋友在南京读书。我们分手了。", "用户和女朋友分手了"),
        ("我和老婆住杭州。我们养了两只猫。", "用户和老婆养了两只猫"),
        ("我和室友合租。我们打算换个大点的房子。", "用户和室友打算换个大点的房子"),
        ("我老公是医生。我们明天去爬山。", "用户等人"),
    ],
)
def test_we_and_mine_are_who_and_what_was_spoken_of(text: str, last: str) -> None:
    assert told(text)[-1].startswith(last)


@pytest.mark.req("W4", "W6")
@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("我妈周五做甲状腺手术。手术很顺利，良性的。", "用户的妈手术很顺利，良性的"),
        ("我婆婆周五做白内障手术。手术推迟了一周。", "用户的婆婆手术推迟了一周"),
        ("我周五做手术。手术很顺利。", "用户手术很顺利"),
        ("Broke my wrist. Cast for six weeks, left one", "Cast for six weeks, left one"),
        ("Broke my wrist. My cast is off", "The user's cast is off"),
        ("Cookout at my brother Sean's in Dayton", "Cookout at the user's brother Sean's in Dayton"),
        ("Staying at my friend Carla's in Bristol", "The user is staying at the user's friend Carla's in Bristol"),
    ],
)
def test_a_thing_is_of_whom_it_was_told(text: str, last: str) -> None:
    assert told(text)[-1] == last
