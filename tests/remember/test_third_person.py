"""First person turned to third, with the grammar of the user's language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yinji import Memory
from yinji.remember.third_person import retell


@pytest.mark.req("W6", "F1")
@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("我不吃香菜", "用户不吃香菜"),
        ("我妈住在绵阳", "用户的妈住在绵阳"),
        ("我的生日是三月五号", "用户的生日是三月五号"),
        ("我们公司用飞书", "用户的公司用飞书"),
        ("我们明天去爬山", "用户等人明天去爬山"),
        ("昨天把房子卖了", "用户昨天把房子卖了"),
        ("陪我妈去医院", "用户陪用户的妈去医院"),
        ("张伟下周去北京", "张伟下周去北京"),
        ("这是我表达自我的方式", "这是用户表达自我的方式"),
        ("我国的人口", "用户我国的人口"),
        ("我們公司在臺北", "用户的公司在臺北"),
        ("我们店洗碗工小李不干了", "用户店里的洗碗工小李不干了"),
        ("我们班同学都考上了", "用户班上的同学都考上了"),
        ("我们班主任李老师怀孕了", "用户的班主任李老师怀孕了"),
        ("我们组织员工去体检", "用户等人组织员工去体检"),
        ("俺们村会计退休了", "用户村里的会计退休了"),
        ("我家小核桃会走路了", "用户家的小核桃会走路了"),
        ("我家豆包是只柴犬", "用户家豆包是只柴犬"),
        ("我家在杭州", "用户的家在杭州"),
        ("我司用的是钉钉", "用户的公司用的是钉钉"),
        ("我司机请假了", "用户的司机请假了"),
        ("年糕是我同学", "年糕是用户的同学"),
        ("以前是我同学", "用户以前是用户的同学"),
        ("我细佬在深圳", "用户的细佬在深圳"),
        ("我阿嫲八十岁了", "用户的阿嫲八十岁了"),
    ],
)
def test_chinese_is_told_of_the_user(said: str, told: str) -> None:
    assert retell(said, "zh") == told


@pytest.mark.req("W6", "F1")
@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I've moved to Oslo", "The user has moved to Oslo"),
        ("They had to put the surgery off", "They had to put the surgery off"),
        ("raised my rate to $95 an hour", "The user raised the user's rate to $95 an hour"),
        ("Adopted a dog in May", "The user adopted a dog in May"),
        ("Raised in Leeds", "The user was raised in Leeds"),
        ("Offered a job at Pret", "The user was offered a job at Pret"),
        ("live w/ my partner", "The user lives w/ the user's partner"),
        ("work w/ kids", "The user works w/ kids"),
        ("I run me own show", "The user runs their own show"),
        ("They let me own a rabbit", "They let the user own a rabbit"),
        ("I did me back in", "The user did the user's back in"),
        ("she gave me back the keys", "She gave the user back the keys"),
        ("I'm left-handed", "The user is left-handed"),
        ("I am a nurse", "The user is a nurse"),
        ("I don't like tea", "The user doesn't like tea"),
        ("I have a dog", "The user has a dog"),
        ("I haven't slept", "The user hasn't slept"),
        ("I go to the gym", "The user goes to the gym"),
        ("I study and teach", "The user studies and teach"),
        ("I watch films at home and carry on", "The user watches films at home and carry on"),
        ("I live in Oslo and work at Equinor", "The user lives in Oslo and works at Equinor"),
        ("I really like my job", "The user really likes the user's job"),
        ("I no longer smoke", "The user no longer smokes"),
        ("I went home", "The user went home"),
        ("I quit my job last week", "The user quit the user's job last week"),
        ("I can't swim", "The user can't swim"),
        ("I'd like to learn", "The user would like to learn"),
        ("I'd never seen it", "The user had never seen it"),
        ("I'll visit Rome", "The user will visit Rome"),
        ("I was ill and I'm better", "The user was ill and the user is better"),
        ("my wife and I live here", "The user's wife and the user live here"),
        ("She gave me a book", "She gave the user a book"),
        ("We've sold the house", "The user and others have sold the house"),
        ("i think i'm late", "The user thinks the user is late"),
        ("Went to the gym", "The user went to the gym"),
        ("Allergic to nuts", "The user is allergic to nuts"),
        ("The US is big", "The US is big"),
        ("Caroline went to Paris", "Caroline went to Paris"),
        ("i wanna be a vet", "The user wants to be a vet"),
        ("I gotta see the dentist", "The user has to see the dentist"),
        ("I've gotta see the dentist", "The user has to see the dentist"),
        ("I'm gonna retire", "The user is going to retire"),
        ("my brother wanna be a pilot", "The user's brother wants to be a pilot"),
        ("we wanna move", "The user and others want to move"),
        ("I don't wanna work nights", "The user doesn't want to work nights"),
        ("wanna move out", "The user wants to move out"),
        ("They took my licence off me", "They took the user's licence off the user"),
        ("twins start nursery", "The user's twins start nursery"),
    ],
)
def test_english_is_told_of_the_user_and_its_verbs_agree(said: str, told: str) -> None:
    assert retell(said, "en") == told


@pytest.mark.req("W6")
@pytest.mark.parametrize(
    ("said", "language", "told"),
    [
        ("以后你回复简洁一点", "zh", "用户要求：以后助手回复简洁一点"),
        ("叫我老王", "zh", "用户要求：叫用户老王"),
        ("from now on keep your answers short", "en", "The user asks: from now on keep the assistant's answers short"),
        ("Call me Sam", "en", "The user asks: call the user Sam"),
    ],
)
def test_a_demand_is_told_as_one(said: str, language: str, told: str) -> None:
    assert retell(said, language, demand=True) == told


@pytest.mark.req("F20")
@pytest.mark.parametrize(("told", "language"), [("用户喜欢茶", "zh"), ("The user likes tea", "en")])
def test_what_is_in_the_third_person_stays_as_it_is(told: str, language: str) -> None:
    assert retell(told, language) == told


@given(st.text(max_size=80), st.sampled_from(["zh", "en"]))
def test_any_text_can_be_retold(text: str, language: str) -> None:
    assert isinstance(retell(text, language), str)


@pytest.mark.req("W6", "W8")
@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("把仓库的端口改成8443了，5001老被扫", "8443"),
        ("青禾的固件今天发了v2.4.0，主要是把频段改了，省得认证过不了", "v2.4.0"),
        ("小宋发消息说青禾v2.5.0今天上线了", "v2.5.0 2026年3月2日"),
        ("青禾就是我在做的那个土壤网关项目", "青禾就是用户在做的"),
        ("My usual order is cider, the dry stuff, Wilding if I can get it", "Wilding"),
        ("I promised Maya tickets for Fontaines D.C. if she passed", "Fontaines"),
        ("MRI of my left knee is done, it's a tear in the meniscus", "MRI"),
    ],
)
def test_what_looks_like_a_command_a_supposition_or_a_verb_is_kept_as_said(
    said: str, kept: str, memory: Memory
) -> None:
    added = " ".join(one.content for one in memory.remember(said, wait=True).added)
    assert kept in added
    assert not added.startswith("用户青禾")
    assert "mris" not in added


@pytest.mark.req("W6", "F1")
@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I'd never move back to Hull", "The user would never move back to Hull"),
        ("I'd rather walk", "The user would rather walk"),
        ("I'd always take the window seat", "The user would always take the window seat"),
        ("I'd not seen him for years", "The user had not seen him for years"),
        ("I'd already cut the grass", "The user had already cut the grass"),
        ("I'd cut the meeting short", "The user would cut the meeting short"),
    ],
)
def test_id_is_would_before_a_bare_verb_and_had_before_a_participle(said: str, told: str) -> None:
    assert retell(said, "en") == told


@pytest.mark.req("W6", "F1")
@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("only Petroc speaks Cornish at home", "Only Petroc speaks Cornish at home"),
        ("Only Drew has my keys", "Only Drew has the user's keys"),
        ("Rose never skips a class", "Rose never skips a class"),
        ("Grant always drives me home", "Grant always drives the user home"),
        ("only eat fish on Fridays", "The user only eats fish on Fridays"),
        ("never liked olives", "The user never liked olives"),
    ],
)
def test_whoever_is_named_keeps_the_verb_and_is_not_taken_for_one(said: str, told: str) -> None:
    assert retell(said, "en") == told


@pytest.mark.req("W6", "F1")
@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I work at Sainsbury's on Mondays", "The user works at Sainsbury's on Mondays"),
        ("we married at St Anne's in spring", "The user and others married at St Anne's in spring"),
        ("Lena's passed her test", "Lena has passed her test"),
        ("Dad's sold the boat", "The user's dad has sold the boat"),
        ("Kit's in hospital", "Kit is in hospital"),
        ("Tom's painted door sticks", "Tom's painted door sticks"),
    ],
)
def test_what_a_short_s_stands_for_is_written_out_only_where_it_is_clear(said: str, told: str) -> None:
    assert retell(said, "en") == told


@pytest.mark.req("W3", "F1")
@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("nah Karen's staying in Perth", ["Karen is staying in Perth"]),
        ("ew I hate cilantro", ["The user hates cilantro"]),
        ("my brother tbh is a plumber", ["The user's brother is a plumber"]),
        ("My hens hatched a dozen chicks, God help me.", ["The user's hens hatched a dozen chicks"]),
        ("Nguyens went with another bloke. Stingy buggers", ["Nguyens went with another bloke"]),
        ("讲真，我不吃香菜", ["用户不吃香菜"]),
        ("害，我最讨厌香菜", ["用户最讨厌香菜"]),
        ("我妹在成都当老师，呜呜呜", ["用户的妹在成都当老师"]),
        ("我买了辆二手车，我寻思行", ["用户买了辆二手车"]),
        ("客户压价到三千。太抠门了", ["用户的客户压价到三千"]),
    ],
)
def test_what_is_called_out_is_no_part_of_what_is_kept(said: str, kept: list[str], memory: Memory) -> None:
    assert [one.content for one in memory.remember(said, wait=True).added] == kept
