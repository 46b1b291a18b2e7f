"""What is said plainly is kept, whatever it looks like; what only looks like it is not."""

from __future__ import annotations

import pytest

from .cases import contents, read

NARROW = str.maketrans("，。！？；：", ",.!?;:")


def kept(text: str, *before: str) -> str:
    return " / ".join(contents(text, *before))


@pytest.mark.req("W2", "W5")
@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("My name's Ruth, by the way", "name", "ruth"),
        ("I've been meaning to say, I changed my name to Robin", "name", "robin"),
        ("there's something I should mention, I go by Kit", "name", "kit"),
        ("my pronouns are she/they", "pronouns", "shethey"),
        ("我改名叫陈小满了", "name", "陈小满"),
        ("我把名字改成了林一", "name", "林一"),
    ],
)
def test_a_name_or_pronouns_of_the_user_said_in_passing_fill_their_slot(text: str, attribute: str, value: str) -> None:
    (draft,), _ = read(text)
    assert draft.slot is not None
    assert (draft.slot.subject, draft.slot.attribute, draft.slot.value) == ("user", attribute, value)


@pytest.mark.req("W2")
@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("everyone calls me Mouse", "Mouse"),
        ("So it's me, Karim, and the girls, Lina and Noor", "Noor"),
        ("my bike's a red Trek", "Trek"),
        ("Nadia has judo on Tuesdays", "judo on Tuesdays"),
        ("bins are Tuesdays", "Tuesdays"),
        ("Book club's the last Monday of the month at Ravi's", "last Monday of the month"),
        ("I used to vape but packed it in", "used to vape"),
        ("Elif and I broke up", "Elif"),
        ("Pepper died on Sunday", "Pepper died"),
        ("Google let me go", "let the user go"),
        ("the vet upped it to two tablets", "two tablets"),
        ("Mum's infection is back", "infection"),
        ("paid Aisha back", "Aisha"),
        ("packed in the guitar", "guitar"),
        ("back to 64 kilos", "64"),
        ("my last week at Tesco was horrible", "Tesco"),
        ("大家都叫我阿布", "阿布"),
        ("家里就我、老公和一个上初中的儿子", "初中"),
        ("我的车是白色的小鹏", "小鹏"),
        ("工作日六点半起床", "六点半"),
        ("我晕船", "晕船"),
        ("闻到花粉就打喷嚏", "花粉"),
        ("五条人的老粉了", "五条人"),
        ("恋爱纪念日是十月三号", "纪念日"),
        ("送给表弟一辆自行车", "表弟"),
        ("换工作了，现在在一家牙科诊所", "牙科诊所"),
        ("想来想去还是决定不考研了", "不考研"),
        ("三亚去不成了，改去大理", "大理"),
        ("去复查了，血糖正常了", "血糖正常"),
        ("今早称了66.5", "66.5"),
        ("跳不动了，改成散步了", "散步"),
        ("烤箱买了，白色的", "烤箱"),
    ],
)
def test_what_is_told_plainly_is_kept_though_it_is_short_or_has_no_subject(text: str, part: str) -> None:
    assert part in kept(text)


@pytest.mark.req("W2")
@pytest.mark.parametrize(
    "text",
    [
        "my name is on the list",
        "who calls me at this hour",
        "it's just me being silly",
        "do I have choir on Mondays?",
        "yoga on Mondays please",
        "Elvis died in 1977",
        "up to you",
        "give it back",
        "my first day at school as an essay, please",
        "everyone knows that",
        "我的车是什么颜色的？",
        "大家都叫我干嘛",
        "大家都说这个好看",
        "晕车怎么办",
        "换个手机号要多少钱",
        "改成蓝色",
        "买完了吗？",
        "决定了",
        "还是算了",
        "北京今天下雨",
    ],
)
def test_a_question_a_command_and_small_talk_of_the_same_words_are_still_dropped(text: str) -> None:
    assert kept(text) == ""


@pytest.mark.req("W3", "W5")
@pytest.mark.parametrize(
    "text",
    [
        "她对芒果过敏，上次吃了肿成包子",
        "先别跟人说，我还没提离职！",
        "老伴姓赵，叫赵秀兰；比我小两岁，以前在小学教语文。",
        "我老公是河南人，我是山东的。我们在苏州定居，孩子今年六岁。",
        "你记一下：我周六要加班，你觉得烦吗？",
    ],
)
@pytest.mark.parametrize("blank", ["", " "])
def test_narrow_marks_change_nothing_of_what_is_kept(text: str, blank: str) -> None:
    narrow = "".join(f"{char}{blank}" if char in ",.!?;:" else char for char in text.translate(NARROW)).strip()
    wide, told = read(text), read(narrow)
    assert [one.content for one in told[0]] == [one.content for one in wide[0]]
    assert [one.reason for one in told[1]] == [one.reason for one in wide[1]]
    assert all(one.source.quote in narrow for one in told[0])


@pytest.mark.req("W3")
@pytest.mark.parametrize("text", ["房租3,500一个月", "我九点30:15秒跑完", "我的网站是https://a.cn/b", "版本是2.1.3"])
def test_marks_within_numbers_and_addresses_stay_narrow(text: str) -> None:
    assert not any(mark in "".join(contents(text)) for mark in "，。：")
