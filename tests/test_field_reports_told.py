"""Faults of what is kept and found again, that users of other memory systems reported, through the public door."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.conftest import SHANGHAI, StandingClock
from tests.recall.test_rank import LIFE_EN, LIFE_ZH
from yinji import Memory, Turn
from yinji.model import Polarity

SMALL_TALK = {
    "zh": """
你好呀 | 早上好 | 在吗 | 好的 | 嗯嗯 | 哈哈哈哈 | 谢谢你 | 辛苦了 |
没事 | 太棒了 | 原来如此 | 我知道了 | 行吧 | 收到 | 继续 | 再见 |
晚安 | 真的吗 | 为什么呢 | 什么意思 | 帮我查一下快递 | 翻译一下这句话 |
今天天气怎么样 | 给我讲个笑话 | 把这段话改短一点 | 这个怎么用 | 打开空调 |
现在几点了 | 算一下37乘以12 | 写一首关于春天的诗 | 你觉得呢 | 有道理 |
说得对 | 不客气 | 等一下 | 我看看 | 好无聊啊 | 哎呀 | 加油 | 嗯，明白了
""",
    "en": """
hi there | good morning | are you there? | ok | sure | haha | thanks a lot | cool | never mind |
wow, great | I see | got it | fine | go on | bye | good night | really? | why is that? | what do you
mean? | no problem | can you track my parcel? | tell me a joke | translate this sentence | what's
the weather today? | make this paragraph shorter | how does this work? | turn on the lights | what
time is it? | what's 37 times 12? | write a poem about spring | what do you think? | makes sense |
you're right | you're welcome | hold on | let me see | ugh | lol | nice one | okay, understood
""",
}


@pytest.mark.req("F28", "F2", "W2")
@pytest.mark.parametrize("language", ["zh", "en"])
def test_small_talk_and_errands_leave_nothing_and_each_drop_has_its_reason(memory: Memory, language: str) -> None:
    at = datetime(2026, 3, 2, 9, 0, tzinfo=SHANGHAI)
    lines = SMALL_TALK[language].replace("\n", " ").split("|")
    turns = [Turn(user=line.strip(), at=at + timedelta(minutes=n), session=f"s{n}") for n, line in enumerate(lines)]
    outcomes = memory.remember_many(turns)
    assert [one.added for one in outcomes if one.added] == []
    assert all(one.drops and all(drop.reason for drop in one.drops) for one in outcomes)
    assert len(memory.dropped(limit=None)) >= len(lines)


@pytest.mark.req("F2", "W2")
@pytest.mark.parametrize(
    ("said", "word"),
    [("我决定用Postgres", "Postgres"), ("我姓欧阳", "欧阳"), ("我吃素", "吃素"), ("I use Postgres", "Postgres"),
     ("I'm vegan", "vegan"), ("I'm from Cork", "Cork")],
)  # fmt: skip
def test_a_short_statement_is_kept_however_few_words_it_has(memory: Memory, said: str, word: str) -> None:
    (kept,) = memory.remember(said, wait=True).added
    assert word in kept.content


@pytest.mark.req("R9", "W5")
@pytest.mark.parametrize(
    ("said", "always", "asked"),
    [
        ("我儿子对芒果过敏，一吃嘴就肿", "芒果", "今晚做什么菜"),
        ("我乳糖不耐受，一喝牛奶就拉肚子", "乳糖", "今晚做什么菜"),
        ("Theo's allergic to eggs and cashews", "cashews", "what should I cook tonight?"),
        ("my daughter Ellie can't have gluten", "gluten", "what should I cook tonight?"),
        ("Hi, I'm Priya, 34, a nurse at St Thomas'", "Priya", "what's a good name for a boat?"),
    ],
)
def test_what_must_not_go_wrong_and_who_it_is_stand_in_every_context(
    memory: Memory, said: str, always: str, asked: str
) -> None:
    memory.remember(said, wait=True)
    context = memory.context(asked)
    assert always in context.text
    assert context.always


@pytest.mark.req("W3")
@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("嗯……那个，我我我住在杭州！！！😀😀", "用户住在杭州"),
        ("呃，就是说，我对花生过敏。。。。", "用户对花生过敏"),
        ("um, so, I uh live in Lisbon!!! 😀😀", "The user lives in Lisbon"),
        ("well... erm, I'm allergic to peanuts!!!!", "The user is allergic to peanuts"),
    ],
)
def test_what_is_kept_has_no_stutter_no_filler_and_no_noise(memory: Memory, said: str, content: str) -> None:
    (kept,) = memory.remember(said, wait=True).added
    assert kept.content == content
    assert kept.sources[0].quote in said


@pytest.mark.req("W3", "F24")
@pytest.mark.parametrize(
    ("said", "exact"),
    [
        ("嗯，我的测试机是192.168.1.10，跑的是v2.0.1", ("192.168.1.10", "v2.0.1")),
        ("那个，我可能不会用C++重写，预算最多3.5万元", ("C++", "3.5万", "不", "可能")),
        ("um, my test box is 192.168.1.10 and runs v2.0.1", ("192.168.1.10", "v2.0.1")),
        ("well, I probably won't rewrite it in C++, my budget is $3,500 at most", ("C++", "3,500", "probably", "n't")),
    ],
)
def test_names_numbers_code_negation_and_doubt_stay_as_they_were_said(
    memory: Memory, said: str, exact: tuple[str, ...]
) -> None:
    told = " ".join(one.content for one in memory.remember(said, wait=True).added)
    assert [one for one in exact if one not in told] == []


@pytest.mark.req("W3", "K5")
@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("我住在臺北", "我住在台北吗"),
        ("我養了一隻貓", "我养了什么"),
        ("我用ＶＳＣｏｄｅ写代码", "VSCode"),
        ("I use ＶＳＣｏｄｅ at work", "vscode"),
    ],
)
def test_wide_letters_and_both_scripts_are_met_and_shown_as_they_were_said(
    memory: Memory, said: str, asked: str
) -> None:
    (kept,) = memory.remember(said, wait=True).added
    assert memory.recall(asked)[0].memory.id == kept.id
    assert kept.sources[0].quote == said


@pytest.mark.req("F4", "K5")
@pytest.mark.parametrize(
    ("content", "asked"),
    [
        ("他的座右铭是即适者生存也", "适者生存"),
        ("部署脚本叫deploy生产环境v3.sh", "生产环境"),
        ("The job is called nightly-gen-itgc-report", "itgc"),
        ("The password vault is KeePassXC on the laptop", "KeePassXC"),
    ],
)
def test_a_part_of_a_longer_run_finds_it(memory: Memory, content: str, asked: str) -> None:
    memory.import_([{"content": content}, {"content": "用户每天早上跑步"}, {"content": "The user runs every morning"}])
    assert memory.recall(asked)[0].memory.content == content


@pytest.mark.req("F11", "W7")
@pytest.mark.parametrize("weekday", range(7))
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("上周末我去了西湖", "这周末我要去西湖"),
        ("前年我去了日本", "去年我去了日本"),
        ("I went to Brighton last weekend", "I'm going to Brighton this weekend"),
        ("I went to Japan the year before last", "I went to Japan last year"),
    ],
)
def test_two_phrases_for_different_times_are_kept_as_different_times(
    memory: Memory, weekday: int, first: str, second: str
) -> None:
    at = datetime(2026, 3, 2 + weekday, 20, 0, tzinfo=SHANGHAI)
    (one,) = memory.remember(first, at=at, session="a", wait=True).added
    (other,) = memory.remember(second, at=at, session="b", wait=True).added
    assert one.valid is not None
    assert other.valid is not None
    assert one.valid.end is not None
    assert other.valid.start is not None
    assert one.valid.end <= other.valid.start


@pytest.mark.req("F14", "F26", "W8", "W9")
@pytest.mark.parametrize(
    ("love", "hate", "asked"),
    [
        ("我很喜欢香菜", "我现在讨厌香菜了", "我喜欢香菜吗？"),
        ("我爱吃榴莲", "我现在不爱吃榴莲了", "我爱吃榴莲吗？"),
        ("I love cilantro", "I hate cilantro now", "Do I like cilantro?"),
        ("I like running", "I don't like running any more", "Do I like running?"),
    ],
)
def test_love_turned_to_hate_is_one_current_memory_and_the_other_is_history(
    memory: Memory, clock: StandingClock, love: str, hate: str, asked: str
) -> None:
    (first,) = memory.remember(love, session="a", wait=True).added
    assert first.polarity is Polarity.POSITIVE
    clock.move(days=40)
    (second,) = memory.remember(hate, session="b", wait=True).added
    assert second.polarity is Polarity.NEGATIVE
    assert [one.id for one in memory.list()] == [second.id]
    assert [hit.memory.id for hit in memory.recall(asked)] == [second.id]
    assert {one.id for one in memory.list(validity=None)} == {first.id, second.id}


@pytest.mark.req("F16", "W9")
@pytest.mark.parametrize(
    ("said", "gone", "now"),
    [
        (("项目用PG", "项目换成MySQL了", "项目用什么数据库？"), "PG", "MySQL"),
        (("我用Vim写代码", "我现在改用Emacs写代码了", "我用什么写代码？"), "Vim", "Emacs"),
        (
            ("Our project uses Postgres", "The project switched to MySQL", "What does the project use?"),
            "Postgres",
            "MySQL",
        ),
        (("We use Jira", "We switched from Jira to Linear", "Do we use Jira or Linear?"), "use Jira", "Linear"),
    ],
)
def test_of_a_tool_and_what_it_was_exchanged_for_only_the_new_one_is_told_as_so(
    memory: Memory, clock: StandingClock, said: tuple[str, ...], gone: str, now: str
) -> None:
    *told, asked = said
    for number, text in enumerate(told):
        memory.remember(text, session=f"s{number}", wait=True)
        clock.move(days=10)
    hits = memory.recall(asked)
    assert now in hits[0].memory.content
    assert all(hit.newer for hit in hits if gone in hit.memory.content)


@pytest.mark.req("F26", "W8")
@pytest.mark.parametrize(
    "said",
    [
        *("我不吃香菜", "我从来不喝酒", "我讨厌早起", "我没有兄弟姐妹"),
        *("I hate cilantro", "I never drink", "I don't eat pork", "I have no siblings"),
    ],
)
def test_what_is_denied_or_disliked_is_kept_so(memory: Memory, said: str) -> None:
    (kept,) = memory.remember(said, wait=True).added
    assert kept.polarity is Polarity.NEGATIVE
    assert any(word in kept.content for word in ("不", "讨厌", "没有", "hates", "never", "not", "n't", "no "))


@pytest.mark.req("F47", "F46", "R2", "R9")
@pytest.mark.parametrize(
    ("fact", "asked", "idle"),
    [
        ("用户在银行做网络安全，负责防火墙", "我上班时该留意哪些攻击手段？", "怎么推导薛定谔方程？"),
        (
            "The user works as a network security engineer at a bank",
            "What attacks should I watch for in my job?",
            "How is the Schrödinger equation derived?",
        ),
    ],
)
def test_what_is_meant_without_a_word_of_it_is_found_and_what_is_no_matter_brings_nothing(
    tmp_path: Path, fact: str, asked: str, idle: str
) -> None:
    with Memory.open(tmp_path / "memory.yinji") as memory:
        memory.import_([{"content": one} for one in (*LIFE_ZH, *LIFE_EN, fact)])
        assert memory.recall(asked)[0].memory.content == fact
        assert fact in memory.context(asked).text
        assert memory.context(idle).hits == ()
