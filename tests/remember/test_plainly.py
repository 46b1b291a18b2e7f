"""What is said plainly is kept, whatever it looks like; what only looks like it is not."""

from __future__ import annotations

import pytest

from yinji.model import DropReason, Modality

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
        ("the doc upped the iron tablets to three", "to three"),
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
        ("领导又给我加薪了", "加薪"),
        ("大夫把激素减到半片了", "半片"),
        ("欠表姐的钱都还上了", "表姐"),
        ("钢琴课停了", "钢琴课"),
        ("钢板取出来了", "钢板"),
        ("团团上周走丢了", "走丢"),
        ("I've been thinking of doing a course in joinery", "joinery"),
        ("German midterm: 84. Physics: 77, phew", "Physics: 77"),
        ("I might go part time", "might go part time"),
        ("I may have to sell the house", "may have to sell"),
        ("I guess I'll be here another two years", "two years"),
        ("我并没有答应他借钱", "没有答应"),
        ("我最后没考上研究生", "没考上"),
        ("退休六年喽", "退休六年"),
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
        "I'm thinking about it",
        "it was you who said so",
        "昨天累死了",
        "课停了吗",
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
        "I might be wrong",
        "I guess I'll have toast",
        "以落叶为题写首现代诗",
        "我没带伞",
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


@pytest.mark.req("W2", "W6", "W7")
@pytest.mark.parametrize(
    ("text", "part", "day"),
    [
        ("can you remind me to ring the plumber tomorrow at 5", "has to ring the plumber", "3 March"),
        ("remind me: parents' evening is on Thursday at six", "parents' evening", "5 March"),
        ("please remind me to post the form on Friday", "has to post the form", "6 March"),
        ("提醒我明天下午五点给兽医打电话", "给兽医打电话", "3月3日"),
        ("记得提醒我周四晚上倒垃圾", "倒垃圾", "3月5日"),
        ("周六上午九点提醒我去取蛋糕", "取蛋糕", "3月7日"),
        ("能不能提醒我周六我妈过生日？", "过生日", "3月7日"),
    ],
)
def test_what_the_user_wants_to_be_reminded_of_on_another_day_is_a_plan(text: str, part: str, day: str) -> None:
    (draft,), _ = read(text)
    assert part.lower() in draft.content.lower()
    assert day in draft.content
    assert draft.modality in {Modality.PLANNED, Modality.ASSERTED}


@pytest.mark.req("W2")
@pytest.mark.parametrize(
    "text",
    [
        "remind me to drink more water",
        "remind me in 10 minutes to check the oven",
        "remind me what we said about Friday",
        "remind me to take the bread out at 4 pm",
        "今天下午三点提醒我开会",
        "提醒我多喝水",
        "十分钟后提醒我关火",
        "叫我起床",
    ],
)
def test_a_timer_of_today_and_a_request_without_a_time_are_commands(text: str) -> None:
    assert kept(text) == ""


@pytest.mark.req("W2", "W5")
@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("我妈报了个什么养生班，一天到晚不在家", "养生班"),
        ("他们学校搞了一个啥冬令营，我儿子报名了", "冬令营"),
        ("my cousin Ivo lives in Split with his wife Mara, who's a nurse", "who is a nurse"),
        ("we moved to Hove, where my mum lives", "where the user's mum lives"),
        ("Play practice is on Wednesdays in the church hall", "Wednesdays"),
        ("出门还是骑车方便", "骑车方便"),
        ("打字还是机械键盘舒服，用薄膜的两天就换了", "机械键盘舒服"),
        ("you can call me Al", "call the user Al"),
        ("你可以叫我阿泽", "叫用户阿泽"),
        ("I'd rather you kept answers short", "answers short"),
    ],
)
def test_a_statement_that_looks_like_a_question_or_a_command_is_kept(text: str, part: str) -> None:
    assert part in kept(text)


@pytest.mark.req("W2")
@pytest.mark.parametrize(
    "text",
    [
        "你报了个什么培训班",
        "买个什么手机好",
        "写代码用vim还是emacs顺手",
        "I need a plumber, who should I call",
        "book a table for two",
        "check the weather is ok",
        "call me later, ok?",
    ],
)
def test_real_questions_and_commands_are_none(text: str) -> None:
    assert kept(text) == ""


@pytest.mark.req("W2", "W5")
@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("I always wanted to learn the drums, never will", "drums, never will"),
        ("I've never been to Spain. Never will.", "Spain. Never will"),
        ("I have a new flatmate. A guy named Theo.", "flatmate. A guy named Theo"),
        ("小杨要休陪产假，他的活儿由老莫接手，从下周一开始", "接手，从2026年3月9日开始"),
        ("我老伴摔了一跤，这话别跟我闺女说啊", "摔了一跤，这话别跟用户的闺女说"),
        ("听楼上老周说，我们这栋楼明年要拆，谁知道真的假的", "听楼上老周说，"),
    ],
)
def test_what_says_nothing_alone_stays_with_what_it_belongs_to(text: str, whole: str) -> None:
    assert any(whole in one for one in contents(text))


@pytest.mark.req("W2", "W10")
@pytest.mark.parametrize(
    "text",
    [
        "never will",
        "9am",
        "A guy named Theo",
        "I hate you haha",
        "I love you so much",
        "我爱死你了",
        "我看着烦",
        "别外传",
        "这话别跟我闺女说啊，怕她着急",
        "别跟我爸提这事",
        "谁知道真的假的",
    ],
)
def test_a_fragment_small_talk_and_a_secret_without_its_matter_are_dropped(text: str) -> None:
    assert kept(text) == ""


@pytest.mark.req("W8")
@pytest.mark.parametrize("text", ["听楼上老周说，我们小区明年要装电梯", "听小王说，我们部门要并到总部去"])
def test_what_somebody_is_said_to_have_said_is_not_asserted(text: str) -> None:
    (draft,), _ = read(text)
    assert draft.modality is Modality.QUOTED


@pytest.mark.req("W10")
def test_a_secret_is_taken_out_with_what_was_asked_of_it() -> None:
    drafts, drops = read("openai key 是 [secret]，别外传")
    assert not drafts
    assert DropReason.SENSITIVE in {one.reason for one in drops}


@pytest.mark.req("W2", "W4")
def test_a_sentence_goes_on_about_whom_the_one_before_it_told() -> None:
    assert "Cardiff" in kept("he turned the Cardiff job down", "Dan's been offered a job in Cardiff")
    assert kept("he dies at the end", "the film was great") == ""


@pytest.mark.req("W5", "W8")
def test_who_it_was_is_set_right_without_saying_twice_what_they_did() -> None:
    told = kept("No, it was Noor who fell, not Lina", "It was Lina who fell on the ice")
    assert told == "It was Noor who fell on the ice"


@pytest.mark.req("W8")
def test_what_is_to_be_kept_from_somebody_is_not_told_by_them() -> None:
    (draft,), _ = read("我们分手了，别告诉我妈")
    assert draft.modality is Modality.ASSERTED
