"""What is said of two in one sentence is two statements, each of whom it is about."""

from __future__ import annotations

import pytest

from tests.remember.cases import read
from yinji.model import Polarity
from yinji.remember.own_subject import own_being


@pytest.mark.req("W5", "W8")
@pytest.mark.parametrize(
    ("text", "subjects"),
    [
        ("I live in Leeds, my wife is a nurse", ["user", "the user's wife"]),
        ("I'm from Cork, my husband's from Lagos", ["user", "the user's husband"]),
        ("I'm vegan, the kids eat everything", ["user", "the kids"]),
        ("my sister drives a lorry, I can't drive at all", ["the user's sister", "user"]),
        ("mum does the garden and I do the cooking", ["the user's mum", "user"]),
        ("my tenant never pays, bailiffs came on Thursday", ["the user's tenant", "bailiffs"]),
        ("our vicar has retired and the new curate plays the drums", ["the user's vicar", "the curate"]),
        ("my aunt was left the house, nobody else got a penny", ["the user's aunt", "nobody"]),
        ("both twins swim, the youngest hates water", ["twins", "the youngest"]),
        ("the hens lay every day, the cockerel's gone to my cousin's", ["the hens", "the cockerel"]),
        ("我住在苏州，媳妇在电子厂上班", ["user", "用户的老婆"]),
        ("我跑外卖，闺女念初二", ["user", "用户的女儿"]),
        ("老大在深圳打工，老二还在读书", ["用户的老大", "用户的老二"]),
        ("同桌讨厌体育课，我倒觉得还行", ["用户的同桌", "user"]),
        ("我爷爷八十大寿，全家都回", ["用户的爷爷", "全家"]),
        ("我妈信佛，我爸是党员", ["用户的妈", "用户的爸"]),
        ("合伙人上个月撤资了，店里现在就我一个人扛", ["用户的合伙人", "user"]),
        ("房东人很好，室友特别吵", ["用户的房东", "用户的室友"]),
        ("我对花生过敏，我女儿对牛奶过敏", ["user", "用户的女儿"]),
        ("老婆吃素，孩子顿顿要肉", ["用户的老婆", "用户的孩子"]),
        ("领导让我带新人，新人啥也不会", ["user", "新人"]),
        ("我表哥开网约车，表嫂做美甲", ["用户的表哥", "用户的表嫂"]),
        (
            "everybody at my work gets Fridays off, my boss works weekends",
            ["everybody", "the user's boss"],
        ),
        ("my old man worked the docks, never had a day off", ["the user's old man", "the user's old man"]),
    ],
)
def test_two_subjects_of_a_sentence_are_told_apart(text: str, subjects: list[str]) -> None:
    assert [one.subject for one in read(text)[0]] == subjects


@pytest.mark.req("W5")
@pytest.mark.parametrize(
    "text",
    [
        "I went to Kerry with my sister, my brother and the kids",
        "my wife and I run a bakery in Ghent",
        "my brother Sean, an electrician trained in Derry, lives next door",
        "When my dad was ill, my mum slept at the hospital",
        "my flatmate told me the landlord was selling the house",
        "I use a cane because my knee gives way",
        "my sister Ines and her fella have bought a pub",
        "my flatmates are vegan, I'm not",
        "我和我老婆在温州开早餐店",
        "家里老人都信佛，我不信",
        "我爸妈和我妹都住在襄阳",
        "我妈生病的时候，我爸天天去医院陪她",
        "医生说我妈的血压已经稳定了",
        "我跟我弟合伙买了辆货车",
    ],
)
def test_one_statement_about_several_stays_one(text: str) -> None:
    assert len(read(text)[0]) == 1


@pytest.mark.req("W8")
@pytest.mark.parametrize(
    ("text", "polarities"),
    [
        ("my son won't touch fish, I love fish", [Polarity.NEGATIVE, Polarity.POSITIVE]),
        ("I never drink, my husband brews his own beer", [Polarity.NEGATIVE, Polarity.POSITIVE]),
        ("我不吃辣，我老公无辣不欢", [Polarity.NEGATIVE, Polarity.POSITIVE]),
        ("我妹喜欢猫，我不喜欢小动物", [Polarity.POSITIVE, Polarity.NEGATIVE]),
    ],
)
def test_what_one_of_two_denies_is_not_denied_of_the_other(text: str, polarities: list[Polarity]) -> None:
    assert [one.polarity for one in read(text)[0]] == polarities


@pytest.mark.req("W5")
@pytest.mark.parametrize(
    ("clause", "language", "who"),
    [
        ("husband's Tamil", "en", "husband"),
        ("none of my three will touch fish", "en", "my three"),
        ("every Christmas Eve my uncles do the whole feast", "en", "my uncles"),
        ("my sister's husband works nights", "en", "my sister's husband"),
        ("my brother and his wife live in Hull", "en", "my brother and his wife"),
        ("my sister Ines and her fella have bought a pub", "en", "my sister Ines and her fella"),
        ("every one of my aunties sings", "en", "my aunties"),
        ("隔壁王阿姨的儿子考上清华了", "zh", "隔壁王阿姨的儿子"),
        ("the two lads next door play drums", "en", "the lads"),
        ("my wife and I met in Leeds", "en", "user"),
        ("my sister's flat floods every winter", "en", None),
        ("the dishwasher broke", "en", None),
        ("the coriander died", "en", None),
        ("the dog walks are long", "en", None),
        ("she works nights", "en", None),
        ("got a dog", "en", None),
        ("腊月廿三我爷爷八十大寿", "zh", "我爷爷"),
        ("两个孩子里老大闷", "zh", "老大"),
        ("老板娘对我不错", "zh", "老板娘"),
        ("我家猫不吃罐头", "zh", "我家猫"),
        ("我头疼", "zh", "user"),
        ("血压有点高", "zh", None),
        ("他在读博", "zh", None),
    ],
)
def test_the_form_of_a_clause_tells_which_being_it_is_about(clause: str, language: str, who: str | None) -> None:
    assert own_being(clause, language) == who


@pytest.mark.req("W4", "W8")
@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("大夫说我妈这个结节三类，半年复查一次就行", "用户的妈"),
        ("医生说我爸血糖偏高，下个月还得复查一次", "用户的爸"),
    ],
)
def test_what_goes_on_from_somebodys_words_is_of_whom_they_were_about(text: str, subject: str) -> None:
    assert {one.subject for one in read(text)[0]} == {subject}


@pytest.mark.req("W5")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("my sister's pregnant, she hasn't told mum and dad yet", "told mum"),
        ("I'm gay, my parents don't know", "don't know"),
        ("I got fired in March, haven't told my wife", "told the user's wife"),
        ("I'm leaving the band, nobody knows yet", "nobody knows"),
        ("我妹妹怀孕了，还没告诉爸妈", "还没告诉爸妈"),
        ("我得了抑郁症，家里人都不知道", "家里人都不知道"),
        ("我要辞职了，领导还不知道", "领导还不知道"),
        ("我离婚了，没敢跟我妈说", "没敢跟用户的妈说"),
        ("I drink coffee in the morning, never after four", "never after four"),
        ("I run most days, only in the park though", "only in the park"),
    ],
)
def test_what_says_nothing_by_itself_stays_with_what_it_is_said_of(text: str, told: str) -> None:
    (one,) = read(text)[0]
    assert told in one.content


@pytest.mark.req("W2")
@pytest.mark.parametrize(
    "text",
    [
        "I really want to see the tile museum",
        "I really want to see the northern lights",
        "I guess I'll be here another two or three years",
    ],
)
def test_a_wish_to_see_a_place_and_a_guess_of_ones_own_life_are_kept(text: str) -> None:
    assert len(read(text)[0]) == 1


@pytest.mark.req("W2")
@pytest.mark.parametrize(
    "text", ["I want to see the report", "I guess you're right", "I really want to hear that song"]
)
def test_what_is_wanted_of_the_assistant_is_not_kept(text: str) -> None:
    assert not read(text)[0]
