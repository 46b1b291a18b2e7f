"""A correction that says only part of what was said keeps the rest of it, and ends what was wrong at once (SPEC W9)."""

from __future__ import annotations

import pytest

from tests.remember.cases import contents, read
from yinji import Memory


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    ("before", "text", "content"),
    [
        ("我在阿里做测试", "不对，是在网易做测试", "用户在网易做测试"),
        ("我在阿里做测试", "说错了，网易", "用户在网易做测试"),
        ("我在阿里做测试", "更正一下，公司是网易不是阿里", "用户在网易做测试"),
        ("我在阿里做测试", "我记错了，我现在是在网易，不是阿里", "用户在网易做测试"),
        ("我妹妹在深圳当护士", "口误，她在东莞", "用户的妹妹在东莞当护士"),
        ("我儿子在二中读初三", "打错字了，是在三中读初三", "用户的儿子在三中读初三"),
        ("我老婆是小学语文老师", "更正，是数学老师", "用户的老婆是小学数学老师"),
        ("我养了一只橘猫叫团子", "不对不对，它叫丸子", "用户养了一只橘猫叫丸子"),
        ("我们家住在朝阳区望京", "写错了，是住在海淀区上地", "用户一家住在海淀区上地"),
        ("我的车是白色的朗逸", "记错了，是白色的速腾", "用户的车是白色的速腾"),
        ("我跟老王合租", "手滑，是老李", "用户跟老李合租"),
        ("我周五要去看医生", "说错了，是牙科", "用户2026年3月6日要去看牙科"),
        ("我的演唱会是晚上八点", "看错了，是晚上九点", "用户的演唱会是晚上九点"),
        ("我周五八点有演唱会", "看错了时间，是九点", "九点有演唱会"),
        ("我的航班是五月十二号", "打错了，不是十二号是二十号", "用户的航班是2026年5月20日"),
        ("我同事叫王浩", "是皓月的皓，不是浩瀚的浩", "用户的同事叫王皓"),
        ("我同事叫王浩", "他名字是王皓，不是王浩", "用户的同事叫王皓"),
        ("我同事叫王浩", "his name is 王皓, not 王浩", "用户的同事叫王皓"),
        ("My exam's on the twelfth of May", "not the twelfth, the twentieth, typo", "exam is on 20 May 2026"),
        ("My concert is at 8 in the evening", "misread it, it's 9 in the evening", "concert is at 9 in the evening"),
        ("I've a doctor's appointment soon", "I meant a dentist", "The user has a dentist's appointment soon"),
        ("My mum's a doctor", "sorry, a nurse", "The user's mum is a nurse"),
        ("My sister Catherine lives in Leeds", "it's Kathryn with a K", "The user's sister Kathryn lives in Leeds"),
        ("My brother John lives in Leeds", "his name's Jon, not John", "The user's brother Jon lives in Leeds"),
        ("I work at Alibaba as a tester", "no wait, it's NetEase", "The user works at NetEase as a tester"),
        ("I work at Alibaba as a tester", "I meant NetEase", "The user works at NetEase as a tester"),
        ("I'm a tester at Alibaba", "sorry, at NetEase, not Alibaba", "The user is a tester at NetEase"),
        ("My son's in year 9 at Hillcrest", "not Hillcrest, Kingsway", "The user's son is in year 9 at Kingsway"),
        ("My sister's a nurse in Leeds", "oops, I meant she's in York", "The user's sister is a nurse in York"),
        ("I drive a white Golf", "my mistake, it's a white Polo", "The user drives a white Polo"),
        ("I get up at six every morning to run", "I misspoke, half six", "up at half six every morning to run"),
        ("I studied civil engineering", "no, hydraulic engineering", "The user studied hydraulic engineering"),
        ("I'm allergic to peanuts", "actually it's walnuts I'm allergic to", "The user is allergic to walnuts"),
        ("We've two boys, Max and Leo", "I meant Max and Theo", "two boys, Max and Theo"),
    ],
)
def test_what_is_set_right_in_part_is_told_again_with_the_rest(before: str, text: str, content: str) -> None:
    (draft,), _ = read(text, before)
    assert draft.content.endswith(content)
    assert draft.instead is not None
    assert draft.instead.said == before


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    ("before", "text", "never"),
    [
        ("我在上海工作", "其实，在北京也不错", "北京"),
        ("我在阿里做测试", "不对，你理解错了", "理解"),
        ("我妹妹在深圳当护士", "不对，我在东莞当护士", "用户的妹妹"),
        ("我对花生过敏", "其实，虾也过敏", "用户对虾过敏"),
        ("我养了猫", "我看错了题，数学没及格", "猫"),
        ("我养了猫", "不是五号，是二十号", "二十"),
        ("My friend Sara had a baby", "My sister is Sarah with an h", "baby"),
        ("My exam's on the twelfth of May", "typo, not the fifth, the twentieth", "twentieth"),
        ("I've a cat called Tom", "I got it wrong in the exam and failed maths", "cat"),
        ("My sister lives in Leeds", "sorry, I live in York", "sister"),
        ("I'm a tester at Alibaba", "no, my wife's at NetEase", "tester"),
        ("I'm allergic to peanuts", "actually, walnuts too", "peanuts"),
        ("I share a flat with Tom", "wait, can you book a table for Tim", "flat"),
        ("My wife teaches history at a primary school", "correction, geography", "at geography"),
    ],
)
def test_what_is_told_of_another_or_besides_takes_no_part_of_what_was_said(before: str, text: str, never: str) -> None:
    drafts, _ = read(text, before)
    assert not any(one.instead or never in one.content for one in drafts)


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("我在阿里做测试，哦不对，是网易", "用户在网易做测试"),
        ("我对花生过敏，哦不，核桃", "用户对核桃过敏"),
        ("我老婆教语文——不对，教数学", "用户的老婆教数学"),
        ("I'm a tester at Alibaba, no wait, NetEase", "The user is a tester at NetEase"),
        ("I work at Alibaba, I mean NetEase, as a tester", "The user works at NetEase, as a tester"),
        ("My sister's a nurse in Leeds, no, sorry, York", "The user's sister is a nurse in York"),
        ("my dad's 71 — scratch that, 72", "The user's dad is 72"),
    ],
)
def test_what_is_set_right_within_a_sentence_was_never_said(text: str, content: str) -> None:
    assert contents(text) == [content]


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    ("first", "second", "holds"),
    [
        ("我在阿里做测试", "不对，是在网易做测试", "用户在网易做测试"),
        ("我妹妹在深圳当护士，她养了一只猫", "说错了，是东莞", "用户的妹妹在东莞当护士"),
        ("I work at Alibaba as a tester", "no wait, it's NetEase", "The user works at NetEase as a tester"),
        ("My sister's a nurse in Leeds and she has a cat", "sorry, York", "The user's sister is a nurse in York"),
    ],
)
@pytest.mark.parametrize("joint", [False, True])
def test_what_was_wrong_is_over_at_once(first: str, second: str, holds: str, joint: bool, memory: Memory) -> None:
    for text in (f"{first}. {second}" if first.isascii() else f"{first}。{second}",) if joint else (first, second):
        memory.remember(text, wait=True)
    kept = [one.content for one in memory.list()]
    over = [one.content for one in memory.list(validity="superseded")]
    assert holds in kept
    assert len(over) == 1
    assert not any("阿里" in one or "深圳" in one or "Alibaba" in one or "Leeds" in one for one in kept)
    assert any("猫" in one or "cat" in one for one in kept) == ("猫" in first or "cat" in first)


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    ("before", "text", "content"),
    [
        ("我年薪52,000", "说错了，54,500", "用户年薪54,500"),
        ("修浴室我报价4,800", "说错了，是5,200", "用户报价5,200"),
        ("我体重82.5公斤", "说错了，83.5", "用户的体重83.5公斤"),
        ("工资一万二", "说错了，是12,500", "用户工资12,500"),
        ("我房租1,250.50", "打错了，应该是1,275.75", "用户的房租1,275.75"),
        ("我房租是¥1,200", "说错了，1,250", "用户的房租是¥1,250"),
        ("我的牙医约在8:30", "说错了，是9:15", "用户的牙医约在9:15"),
        ("我们的服务器跑1.4.2版", "不对，是1.5.0", "用户的服务器跑1.5.0版"),
        ("我年薪52,000", "是54,500，不是52,000", "用户年薪54,500"),
        ("我工资加到六千", "打错，是六千五", "用户的工资加到六千五"),
        ("I earn 52,000 a year", "sorry, 54,500", "The user earns 54,500 a year"),
        ("I quoted the Nguyens 4,800 for the bathroom", "make that 5,200", "quoted the Nguyens 5,200 for the bathroom"),
        ("I weigh 82.5 kg", "sorry, 83.5", "The user weighs 83.5 kg"),
        ("I walk 10,000 steps a day", "actually 12,500", "The user walks 12,500 steps a day"),
        ("My rent is £1,250.50 a month", "correction, £1,275.75", "rent is £1,275.75 a month"),
        ("The rent is $1,200", "sorry, 1,250", "The rent is $1,250"),
        ("My dentist appointment is at 8.30", "sorry, 9.15", "dentist appointment is at 9.15"),
        ("Our server runs version 1.4.2", "wrong, it's 1.5.0", "server runs version 1.5.0"),
        ("I earn 52,000 a year", "I meant 54,500, not 52,000", "The user earns 54,500 a year"),
        ("My exam is on 3.15", "oops, 3.16", "exam is on 16 March 2026"),
    ],
)
def test_a_number_given_anew_is_taken_whole_with_its_marks_and_keeps_its_unit(
    before: str, text: str, content: str
) -> None:
    told = contents(text, before)
    assert len(told) == 1
    assert told[0].endswith(content)


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("我年薪52,000，不对，54,500", "用户年薪54,500"),
        ("我房贷12,500，说错了，是12,800", "用户的房贷12,800"),
        ("我房贷不是180,000，是185,000", "用户的房贷是185,000"),
        ("我体重82.5公斤，不对，83.5公斤", "用户的体重83.5公斤"),
        ("I earn 52,000 a year, no, 54,500", "The user earns 54,500 a year"),
        ("My rent is £1,250.50, no sorry, £1,275.75", "The user's rent is £1,275.75"),
        ("My mortgage isn't 180,000, it's 185,000", "The user's mortgage is 185,000"),
        ("I weigh 82.5 kg, no, 83.5", "The user weighs 83.5 kg"),
    ],
)
def test_a_number_set_right_in_the_same_breath_is_taken_whole(text: str, content: str) -> None:
    assert contents(text) == [content]


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("我有2个孩子，没有3只狗", "2个孩子"),
        ("I have 2 kids, no 3 dogs", "The user has 2 kids, no 3 dogs"),
    ],
)
def test_what_somebody_has_not_is_no_other_number(text: str, content: str) -> None:
    assert any(content in told for told in contents(text))


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    ("before", "text", "content"),
    [
        ("我哥七月十五号来", "不对，他签证被拒了", ["用户的哥签证被拒了"]),
        ("我哥七月十五号来", "算了算了他签证没下来", ["用户的哥签证没下来"]),
        ("我女儿五月去罗马", "不对，她护照过期了", ["用户的女儿护照过期了"]),
        ("我妹要来北京", "算了她不来了", ["用户的妹不来了"]),
        (
            "my brother Kola is coming on 15 July",
            "nvm his visa got refused so he's not coming",
            ["The user's brother Kola's visa got refused so he is not coming"],
        ),
        ("my brother Kola is coming on 15 July", "actually he's not coming", ["The user's brother Kola is not coming"]),
        (
            "my brother Kola is coming on 15 July",
            "actually his visa got refused",
            ["The user's brother Kola's visa got refused"],
        ),
        ("my sister is going to Rome", "no, her passport expired", ["The user's sister's passport expired"]),
    ],
)
def test_what_became_of_something_is_put_for_nothing_in_what_was_said(
    before: str, text: str, content: list[str]
) -> None:
    assert contents(text, before) == content
