"""Spoken Chinese: lengths of the past, weekly habits, "whatever", questions, clauses without a subject, slips."""

from __future__ import annotations

import pytest

from yinji import Memory
from yinji.language.dates import find_times
from yinji.model import DropReason, Kind
from yinji.remember.slots import filled
from yinji.remember.statement import state

from .cases import AT, contents, read


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    "text",
    ["我练过八年钢琴", "我妈当过二十年老师", "我坐过一年多轮椅", "我弟弟在工地干过几个月", "我在加拿大留过两年学"],
)
def test_what_somebody_once_did_for_a_while_lasted_that_long_and_is_not_to_come(text: str) -> None:
    (told,) = contents(text)
    assert "过" in told
    assert "20" not in told


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    "text", ["过三年我就退休了", "我老公过两天出差", "等过两年我就结婚", "再过两个月我就毕业了", "我打算过半年再买房"]
)
def test_what_is_to_come_after_a_while_has_its_date(text: str) -> None:
    assert any(one.interval.start and one.interval.start > AT for one in find_times(text, at=AT, language="zh"))
    assert "20" in contents(text)[0]


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("我周三下午不开会", "周三下午"),
        ("我周四从不安排会议", "周四"),
        ("周五我不吃肉", "周五"),
        ("我女儿周六上午学画画", "周六上午"),
        ("我周五固定去看我奶奶", "周五"),
        ("周一店休，其他时间早上九点开门", "周一"),
        ("陶艺是周四晚上", "周四晚上"),
        ("我周二有瑜伽课", "周二"),
        ("吉他课是周五下午", "周五下午"),
        ("周二我们公司统一远程办公", "周二"),
    ],
)
def test_a_weekly_habit_keeps_its_weekday(text: str, day: str) -> None:
    told = contents(text)
    assert day in told[0]
    assert not any("2026" in one for one in told)


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    "text",
    [
        "周六要去体检",
        "我周五去办签证",
        "我周三要交报告",
        "我这周五不开会",
        "周四晚上和老同学吃了顿饭",
        "我周四有一节公开课",
    ],
)
def test_an_errand_on_a_weekday_has_its_date(text: str) -> None:
    assert "2026年" in contents(text)[0]


@pytest.mark.req("W2")
@pytest.mark.parametrize(
    "text",
    [
        "除了榴莲我什么水果都吃",
        "我谁的话都不听",
        "我老公什么家务都不做",
        "我什么甜食都爱吃",
        "我家孩子哪儿都敢去",
        "我多少钱都不卖这套房子",
        "不管去哪我都带着相机",
        "我有几个哥哥在深圳打工",
    ],
)
def test_a_question_word_that_leaves_nothing_out_asks_nothing(text: str) -> None:
    assert len(contents(text)) == 1


@pytest.mark.req("W2")
@pytest.mark.parametrize(
    "text",
    [
        "我住在哪里？",
        "我住在哪",
        "我住哪一栋来着",
        "我的工号是多少",
        "我的生日是几月几号来着",
        "我的工资是一万几来着",
        "我住在里斯本还是波尔图来着？",
        "难道我对花生不过敏？",
        "我妈今年是不是六十岁",
        "我在腾讯上班，对吧？",
        "我住在里斯本，对不对",
        "我结婚几年了？",
        "你们什么都吃吗",
        "你们为什么都不回我",
    ],
)
def test_what_is_asked_is_never_kept(text: str) -> None:
    drafts, drops = read(text)
    assert drafts == []
    assert {drop.reason for drop in drops} == {DropReason.QUESTION}


@pytest.mark.req("W5")
@pytest.mark.parametrize(
    ("text", "language"),
    [("我住在哪里", "zh"), ("我住在什么地方", "zh"), ("我的生日是几月几号", "zh"), ("I live in which city", "en")],
)
def test_no_attribute_has_a_question_word_for_its_value(text: str, language: str) -> None:
    assert state(text, language).slot is None
    assert filled(text, language) == ()


@pytest.mark.req("W8", "F27")
@pytest.mark.parametrize(
    "text",
    [
        "最近在跟一个人接触，叫陈牧，是海洋三所的研究员，研究珊瑚的",
        "表妹周小满今年考研，报的是中山大学的新闻传播",
        "我老婆以前不吃辣，现在怀孕了天天吃",
        "房贷每个月6800，还有22年",
        "我爸原来抽烟，去年戒了",
        "我外婆摔了一跤，以后只能坐轮椅了",
    ],
)
def test_a_clause_without_a_subject_stays_with_the_one_it_goes_on_from(text: str) -> None:
    assert len(contents(text)) == 1


@pytest.mark.req("W8", "F27")
@pytest.mark.parametrize(
    ("before", "text", "told"),
    [
        ("我女儿叫小满，今年四岁。", "小满怕打雷", "小满怕打雷"),
        ("我们家猫叫豆腐", "豆腐最怕吸尘器", "豆腐最怕吸尘器"),
        ("我儿子小名叫果果", "果果9月上小学", "果果2026年9月上小学"),
    ],
)
def test_a_name_that_was_given_before_is_the_subject(before: str, text: str, told: str) -> None:
    (kept,), _ = read(text, before)
    assert kept.content == told
    assert kept.subject == told[:2]


@pytest.mark.req("W6")
@pytest.mark.parametrize(
    "text", ["我的膝盖伤了，以后不能跑步了", "我外婆摔了一跤，以后只能坐轮椅了", "先别跟人说哈", "这事别往外说"]
)
def test_what_can_no_longer_be_is_no_instruction(text: str) -> None:
    assert not any(draft.kind is Kind.PROCEDURE for draft in read(text)[0])


@pytest.mark.req("W6")
@pytest.mark.parametrize(
    "text",
    [
        "以后回答我只用中文",
        "以后只推荐国产车给我",
        "跟你说话的时候别用敬语",
        "以后推荐餐厅的话不要推荐火锅",
        "你以后别叫我亲了",
    ],
)
def test_what_the_assistant_is_to_do_from_now_on_is_one(text: str) -> None:
    (draft,), _ = read(text)
    assert draft.kind is Kind.PROCEDURE


@pytest.mark.req("W3", "W8")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("我们家猫叫豆腐", "用户的猫叫豆腐"),
        ("我们家孩子叫果果", "用户的孩子叫果果"),
        ("对了我主编叫韩立群", "用户的主编叫韩立群"),
        ("话说我最近在学做饭", "用户最近在学做饭"),
    ],
)
def test_what_only_opens_a_sentence_is_not_told_and_what_is_ours_is_the_users(text: str, told: str) -> None:
    assert contents(text) == [told]


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("我们家狗叫石榴——哦不，是我哥家的狗", "用户的哥家的狗叫石榴"),
        ("我姐怀孕了，哦不是，是我嫂子怀孕了", "用户的嫂子怀孕了"),
        ("我养了两只猫，啊不，三只", "用户养了三只猫"),
        ("我在教育局上班，哦不，财政局", "用户在财政局上班"),
        ("我对虾过敏，哦不对，是对蟹过敏", "用户对蟹过敏"),
        ("我奶奶八十——哦不，八十二了", "用户的奶奶八十二了"),
        ("我妹在深圳——哦不对，在广州上班", "用户的妹在广州上班"),
    ],
)
def test_what_is_set_right_in_the_same_breath_is_what_counts(text: str, told: str) -> None:
    assert contents(text) == [told]


@pytest.mark.req("W8", "W11", "F27")
@pytest.mark.parametrize(
    "text",
    [
        "最近在跟一个人接触，叫陈牧，是海洋三所的研究员，研究珊瑚的",
        "最近认识了一个人，叫周航，在银行上班，养了两只猫",
        "我儿子小时候怕水，现在每天游泳",
        "过年我妈来厦门跟我过，初六回去",
        "我的膝盖伤了，以后不能跑步了",
        "我升馆长助理了，下个月开始",
    ],
)
def test_a_clause_is_not_cut_off_from_whom_it_is_about_for_its_scene(text: str, memory: Memory) -> None:
    assert len(memory.remember(text, wait=True).added) == 1
