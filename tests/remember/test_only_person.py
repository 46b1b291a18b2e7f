"""Whom "he", "she" and "they" mean where it can be nobody else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.remember.cases import read
from yinji import Memory
from yinji.ports import Pointed, Span
from yinji.remember.resolve import resolve


def doubtful(messages: Sequence[str], assistant: Sequence[bool], pronoun: Span) -> Pointed | None:
    """Layers that think that no pronoun stands for anybody."""
    return Pointed(phrases=(), nothing=1.0)


def meant(text: str, *before: str, language: str) -> list[str | None]:
    return [one.antecedent for one in resolve(text, before, language=language, refer=doubtful)]


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("before", "text", "antecedent"),
    [
        (["前天碰到了林溪"], "她在儿科上班", "林溪"),
        (["我舅舅得了帕金森"], "他现在走路都费劲", "我舅舅"),
        (["我弟在大连", "我领导请假了"], "他女儿住院了", "我领导"),
        ([], "最近在跟一个叫苏禾的女生接触，她是牙医", "苏禾"),
        (["Ran into Jane on Friday."], "She's engaged", "Jane"),
        (["we visited my uncle Ted"], "he can hardly walk", "Ted"),
        (["my brother's in Hull", "my boss is off"], "his daughter's ill", "my boss"),
        ([], "My colleague Raj is off sick. He's got shingles.", "My colleague Raj"),
    ],
)
def test_the_only_person_who_was_just_named_is_meant(before: list[str], text: str, antecedent: str) -> None:
    language = "en" if text.isascii() else "zh"
    (found, *_) = meant(text, *before, language=language)
    assert found is not None
    assert found.endswith(antecedent)


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("before", "text"),
    [
        (["我姐和我表妹都来了"], "她睡沙发"),
        (["我哥跟他同事老周吵架了"], "他摔门走了"),
        (["Jane and Megan came round"], "she slept on the sofa"),
        (["my brother had a row with Dave"], "he slammed the door"),
    ],
)
def test_one_of_two_is_left_alone(before: list[str], text: str) -> None:
    assert meant(text, *before, language="en" if text.isascii() else "zh")[0] is None


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("before", "text", "antecedent"),
    [
        (["我姑父摔断了腿", "姑妈一个人照顾他"], "他们住在绵阳", "我姑父和姑妈"),
        (["we visited my uncle Ted", "his wife Barb drives for him"], "they live in Hull", "my uncle Ted and Barb"),
    ],
)
def test_they_are_the_two_whom_the_message_before_tells_of(before: list[str], text: str, antecedent: str) -> None:
    assert meant(text, *before, language="en" if text.isascii() else "zh")[0] == antecedent


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("before", "text", "antecedent"),
    [
        (["给宝宝打了疫苗", "assistant: 有反应吗？"], "他有点低烧", "宝宝"),
        (["周杰和林悦都来面试了", "assistant: 更倾向谁？"], "林悦吧，她代码写得干净", "林悦"),
        (["爸妈下周来北京", "assistant: 住哪？"], "他们住我家", "爸妈"),
        (["我老婆和她妹去泰国了", "assistant: 好玩吗？"], "谢谢关心", None),
        (["好的谢谢", "assistant: 不客气"], "她晚上回来吃吗", None),
        (["公司来了俩实习生，都是女生", "assistant: 挺好"], "她今天迟到了", None),
        (["前任和前前任都来了", "assistant: 心真大"], "他随了六百六", None),
        (["the baby had his shots", "assistant: Any reaction?"], "he's a bit feverish", "the baby"),
        (["mom and dad are at it again", "assistant: What is it?"], "she wants marble", "mom"),
        (["my parents are coming to Boston", "assistant: Nice!"], "they're staying with me", "my parents"),
        (["my wife and her sister are in Rome", "assistant: Nice!"], "they get back Tuesday", "my wife and her sister"),
        (["set a reminder for the bins", "assistant: Done."], "did he eat anything today", None),
        (["two interns started, both women", "assistant: Good."], "she was late today", None),
        (["ta", "assistant: Anytime."], "was he in today", None),
    ],
)
def test_whoever_alone_was_named_in_all_of_the_talk_is_meant(
    before: list[str], text: str, antecedent: str | None
) -> None:
    found = meant(text, *before, language="en" if text.isascii() else "zh")
    assert (found or [None])[0] == antecedent


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("before", "text", "antecedent"),
    [
        (["我爷爷的助听器没电了"], "他嫌麻烦不肯戴", "我爷爷"),
        (["我带老妈去办护照"], "她不会按指纹", "老妈"),
        (["when is my uncle's hernia surgery"], "can he have coffee before", "my uncle"),
        (["lent my car to my brother in law"], "he scratched it", "my brother in law"),
        (["uncle slipped some money into my bag"], "he always does", "uncle"),
    ],
)
def test_people_are_found_beside_what_is_theirs_and_what_they_do(
    before: list[str], text: str, antecedent: str | None
) -> None:
    assert meant(text, *before, language="en" if text.isascii() else "zh")[0] == antecedent


@pytest.mark.req("W4")
@pytest.mark.parametrize(("before", "text"), [("我舅舅得了帕金森", "他们住在绵阳"), ("Jane rang", "they live in Hull")])
def test_they_are_no_single_person(before: str, text: str) -> None:
    assert meant(text, before, language="en" if text.isascii() else "zh")[0] is None


@pytest.mark.req("W4", "W6")
@pytest.mark.parametrize(
    ("before", "text", "subjects"),
    [
        ("我闺女叫陈雨", "她家那小子今年六岁，九月份就要上一年级了", {"陈雨家那小子"}),
        ("女朋友小鹿在苏州读研", "她对芒果过敏", {"小鹿"}),
        ("Saw Jane yesterday.", "She lives in Leeds now. Her fiancé's a chef.", {"Jane", "Jane's fiancé"}),
        ("my sister Ana lives in Porto", "she's allergic to shellfish", {"Ana"}),
    ],
)
def test_what_is_told_of_them_is_theirs(before: str, text: str, subjects: set[str]) -> None:
    assert {draft.subject for draft in read(text, before)[0]} == subjects


@pytest.mark.req("W4", "W6")
@pytest.mark.parametrize("text", ["她对芒果过敏", "She's allergic to mango", "his daughter's allergic to mango"])
def test_what_is_told_of_nobody_known_is_not_the_users(text: str) -> None:
    assert "user" not in {draft.subject for draft in read(text)[0]}


@pytest.mark.req("W4", "W11")
@pytest.mark.parametrize(
    ("before", "text", "told"),
    [
        ("my brother lives in Hull", "my boss is off, his daughter's ill", "boss's daughter"),
        ("我弟在大连", "我领导请假了，他女儿住院了", "领导"),
    ],
)
def test_a_clause_that_is_of_another_scene_still_has_what_was_said_ahead_of_it(
    tmp_path: Path, before: str, text: str, told: str
) -> None:
    with Memory.open(tmp_path / "memory.db") as memory:
        for said in (before, text):
            memory.remember(said, owner="me", session="one", wait=True)
        kept = [one.content for one in memory.list(owner="me")]
    assert any(told in one for one in kept)
    assert not any("brother's daughter" in one or "弟女儿" in one or "弟的女儿" in one for one in kept)


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("before", "text", "owner"),
    [
        ("我女朋友是重庆人", "她其实是达州的", "我女朋友"),
        ("my girlfriend is Leeds born", "she hates the rain", "my girlfriend"),
        ("landlord called this morning", "he's raising the rent", "landlord"),
    ],
)
def test_where_somebody_is_from_and_when_they_called_is_no_name_of_theirs(before: str, text: str, owner: str) -> None:
    assert meant(text, before, language="en" if text.isascii() else "zh") == [owner]


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("before", "text", "antecedent"),
    [
        ("同学的妈妈来了", "她人很好", ["同学的妈妈"]),
        ("我们班长叫赵磊", "他人挺好的", ["赵磊"]),
        ("我们班长叫赵磊", "尊重他人很重要", []),
        ("邻居又投诉了", "他们说太吵", ["邻居"]),
    ],
)
def test_somebody_as_a_person_is_they_and_others_are_nobody(before: str, text: str, antecedent: list[str]) -> None:
    found = [one.antecedent for one in resolve(text, [before], language="zh")]
    assert [one for one in found if one is not None] == antecedent
