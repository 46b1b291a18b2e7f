"""Whom a statement is about, whether it denies, and whether it is still meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.remember.cases import SETTINGS, contents, read, turn
from yinji import Memory
from yinji.model import DropReason, Modality, Polarity
from yinji.remember.extract import extract, may_open
from yinji.remember.weigh import Weighed


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("our cleaner Bozena has gone back to Poland for good", "Bozena"),
        ("the woman downstairs plays the trombone at midnight", "the woman downstairs"),
        ("both my sisters are teachers in Hull", "the user's sisters"),
        ("it was my brother who taught me to drive", "the user's brother"),
        ("my wife and I can't drive", "user"),
        ("我一个学生考上了清华", "用户的学生"),
        ("合唱团的一个大姐送了我一台旧缝纫机", "大姐"),
        ("我们对门那家养了条哈士奇", "对门那家"),
        ("我姑说她下周三来看我", "用户的姑"),
        ("我们家老太太摔断了腿，住院了", "用户的老太太"),
        ("她老公是我前同事", "她老公"),
        ("They've made my husband redundant", "the user's husband"),
        ("They moved my dad to another ward last week", "the user's dad"),
        ("Twins' birthday is the 4th of May", "the user's twins"),
        ("None of my three will touch fish", "the user's three"),
        ("we only go to 1.29 next quarter", "user"),
        ("They've put me on nights", "user"),
        ("我们店洗碗工小李昨天不干了", "小李"),
        ("我们工地安全员老郑中暑了", "老郑"),
        ("我们班学习委员转学了", "学习委员"),
        ("我家小核桃今年三岁了", "小核桃"),
        ("我家乐乐上小学了", "乐乐"),
        ("我家小院种了三棵石榴", "user"),
        ("我家大姐离婚了", "用户的大姐"),
        ("孩子奶奶做了白内障手术", "用户的孩子奶奶"),
        ("楼上李叔退休了", "李叔"),
        ("豆包是我闺蜜", "豆包"),
        ("我们组织员工去体检", "user"),
        ("Partner's lost his job", "the user's partner"),
        ("my 4 year old started school last week", "the user's 4 year old"),
        ("我俩儿子天天打架", "用户的儿子"),
    ],
)
def test_a_statement_is_about_whoever_its_first_phrase_names(text: str, subject: str) -> None:
    drafts, _ = read(text)
    assert drafts[0].subject == subject


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("nobody in my family has high blood pressure", Polarity.NEGATIVE),
        ("my stepson refuses to speak to me", Polarity.NEGATIVE),
        ("I can't get enough of liquorice", Polarity.POSITIVE),
        ("我妈不同意我们的婚事", Polarity.NEGATIVE),
        ("我不过生日，嫌麻烦", Polarity.NEGATIVE),
        ("早饭我雷打不动豆浆油条", Polarity.POSITIVE),
        ("我没有一天不想我爸", Polarity.POSITIVE),
    ],
)
def test_words_of_denial_that_deny_nothing_are_told_from_those_that_do(text: str, polarity: Polarity) -> None:
    drafts, _ = read(text)
    assert drafts[0].polarity is polarity


@pytest.mark.req("W7")
@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("I was going to study medicine but changed to law", Modality.ASSERTED),
        ("I'd quite like to move into product design", Modality.WISHED),
        ("I start at the brewery on Monday", Modality.PLANNED),
        ("我本来想学医，后来改学法律了", Modality.ASSERTED),
        ("我爸妈都不会说普通话", Modality.ASSERTED),
        ("我签证一下来就回国", Modality.PLANNED),
    ],
)
def test_what_was_meant_once_is_no_plan_and_what_is_meant_now_is_no_fact(text: str, modality: Modality) -> None:
    drafts, _ = read(text)
    assert drafts[0].modality is modality


@pytest.mark.req("W8")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("never flown, I'm scared of heights", ["The user has never flown", "The user is scared of heights"]),
        ("me and my sister share a birthday", ["The user and the user's sister share a birthday"]),
        ("扯远了，我想说的是我其实是学法医的", ["用户其实是学法医的"]),
        ("我们主管刚生了二胎，休产假呢", ["用户的主管刚生了二胎，休产假呢"]),
        ("不是我害羞，我就是喜欢人少", ["不是用户害羞，用户就是喜欢人少"]),
    ],
)
def test_what_stands_before_a_statement_is_no_statement_of_its_own(text: str, content: list[str]) -> None:
    assert contents(text) == content


@pytest.mark.req("W2")
@pytest.mark.parametrize("text", ["The 滨江实验小学", "滨江实验小学", "The Shard!"])
def test_a_bare_name_is_no_memory(text: str) -> None:
    drafts, drops = read(text)
    assert not drafts
    assert [drop.reason for drop in drops] != []


@pytest.mark.req("W7")
def test_a_name_that_memories_name_is_known_to_whoever_opens_a_clause() -> None:
    said = turn("阿豆考上了，分在三班")
    assert "阿豆" in may_open(said.user)
    drafts, _ = extract(said, [], SETTINGS.remember, known={"阿豆"})
    assert {draft.subject for draft in drafts} == {"阿豆"}


@pytest.mark.req("W7")
def test_somebody_named_in_one_session_is_known_in_the_next(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "memory.db") as memory:
        for session, said in (("one", "我女儿叫小满，今年六岁"), ("two", "小满考上了滨江实验小学")):
            memory.remember(said, owner="me", session=session)
            memory.flush()
        subjects = {kept.content: kept.subject for kept in memory.list(owner="me")}
    assert subjects["小满考上了滨江实验小学"] == "小满"


@pytest.mark.req("W2")
@pytest.mark.parametrize("text", ["从今天开始每天早上跑五公里", "every morning since today I run five km"])
def test_a_habit_taken_up_from_a_day_on_is_kept_whatever_the_classifier_thinks(text: str) -> None:
    against = Weighed(spans=((0, len(text)),), scores=(-1.0,), embedded=True, answers=False)
    drafts, drops = extract(turn(text), [], SETTINGS.remember, weighed=against)
    assert drafts
    assert DropReason.NOT_WORTH not in {drop.reason for drop in drops}


@pytest.mark.req("W8")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("MY BROTHER MOVED TO LONDON", "The user's brother moved to London"),
        ("I'VE BEEN MADE REDUNDANT", "The user has been made redundant"),
    ],
)
def test_what_is_shouted_is_read_as_if_it_were_said(text: str, content: str) -> None:
    assert contents(text) == [content]


@pytest.mark.req("W8")
@pytest.mark.parametrize(
    ("question", "answer", "content"),
    [
        ("您先生也喜欢旅游吗？", "他不爱动，就喜欢钓鱼", "用户的先生不爱动，就喜欢钓鱼"),
        ("您开车吗？", "开，但是不敢上高速", "用户开车，但是不敢上高速"),
        ("您平时喝咖啡吗？", "一天两杯", "用户喝咖啡，一天两杯"),
        ("您对什么过敏吗？", "头孢", "用户对头孢过敏"),
        ("您更喜欢哪种风格，简约还是复古？", "复古", "用户更喜欢复古"),
        ("孩子上哪个小学？", "滨江实验小学", "用户的孩子上滨江实验小学"),
        ("Is your mum still working?", "no, she's retired", "The user's mum is retired"),
        ("Do you drive?", "yes, but not on motorways", "The user drives, but not on motorways"),
        ("Do you drink coffee?", "two cups a day", "The user drinks coffee, two cups a day"),
        ("Are you allergic to anything?", "penicillin", "The user is allergic to penicillin"),
        ("Which database are you on?", "MariaDB", "The user's database is MariaDB"),
    ],
)
def test_a_short_answer_is_told_with_what_was_asked(question: str, answer: str, content: str) -> None:
    before = [turn("", seq=0, assistant=question)]
    drafts, _ = extract(turn(answer), before, SETTINGS.remember)
    assert [draft.content for draft in drafts] == [content]


@pytest.mark.req("W5", "W6")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("大儿子浩浩读初二，小女儿依依五岁。", ["用户的大儿子浩浩读初二", "用户的小女儿依依五岁"]),
        ("我妹妹小敏离婚了，女儿六岁。", ["用户的妹妹小敏离婚了", "小敏的女儿六岁"]),
        ("我女儿依依对猫过敏，橘子送给我妹养了。", ["用户的女儿依依对猫过敏", "橘子送给用户的妹养了"]),
        ("何总那边砍价，降到7块5了。", ["何总那边砍价，降到7块5了"]),
        (
            "My eldest son Kai is at uni, daughter's five.",
            ["The user's eldest son Kai is at uni", "The user's daughter is five"],
        ),
        (
            "My sister Ann is divorced, daughter's five.",
            ["The user's sister Ann is divorced", "Ann's daughter is five"],
        ),
    ],
)
def test_children_named_one_after_another_are_of_one_family_and_things_are_nobodys(text: str, told: list[str]) -> None:
    asked = f"记住{text}" if text > "\u2e80" else text
    assert [one.content for one in read(asked)[0]] == told


@pytest.mark.req("W4", "W6")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "my daughter Karen lives in Rochester with her husband Jim and my granddaughter Lacey, she's ten",
            "The user's granddaughter Lacey is ten",
        ),
        ("my son Tom lives in York, and with him is my grandson Leo, he's 3 now", "The user's grandson Leo is 3 now"),
        ("我女儿小敏住杭州，家里还有我外孙女乐乐，她十岁了", "用户的外孙女乐乐十岁了"),
        ("我儿子大伟住苏州，家里还有我孙子乐乐，他三岁", "用户的孙子乐乐三岁"),
    ],
)
def test_an_age_is_of_whoever_was_named_right_before_it(text: str, told: str) -> None:
    asked = f"记住{text}" if text > "\u2e80" else f"remember that {text}"
    assert told in contents(asked)
