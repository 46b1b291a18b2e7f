"""Sentences of several clauses: what is told apart, what stays together, and whom each part is about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.remember.cases import SETTINGS, contents, read, turn
from yinji.evals.extract import measure
from yinji.evals.report import Answer
from yinji.model import DropReason, Modality, Polarity
from yinji.remember.extract import extract

CASES = Path(__file__).parent.parent / "cases" / "extract"
"""A hundred and more messages of each language with what is to be kept of them, written before the rules were."""


def told(text: str) -> dict[str, tuple[Polarity, Modality]]:
    return {draft.content: (draft.polarity, draft.modality) for draft in read(text)[0]}


@pytest.mark.req("W5", "W11")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我对花生过敏，下周三去北京出差", ["用户对花生过敏", "用户2026年3月11日去北京出差"]),
        (
            "I'm allergic to nuts and I'm flying to Rome next Friday",
            ["The user is allergic to nuts", "The user is flying to Rome on 13 March 2026"],
        ),
        ("我不抽烟，平时喝点黄酒", ["用户不抽烟", "用户平时喝点黄酒"]),
        ("I don't smoke, I drink a bit of cider", ["The user doesn't smoke", "The user drinks a bit of cider"]),
    ],
)
def test_what_can_change_apart_is_told_apart(text: str, expected: list[str]) -> None:
    assert contents(text) == expected


@pytest.mark.req("W5")
@pytest.mark.parametrize(
    "text",
    [
        "我对芒果过敏，一吃就吐",
        "我是左撇子，因为家里都是左撇子",
        "I can't eat prawns because they make me ill",
        "I'm on statins, which give me cramps",
    ],
)
def test_a_reason_or_a_comment_stays_with_what_it_belongs_to(text: str) -> None:
    assert len(contents(text)) == 1


@pytest.mark.req("W5", "W8")
@pytest.mark.parametrize(
    ("text", "subjects"),
    [
        ("我有个同事叫老周，特别喜欢钓鱼", ["user", "老周"]),
        ("我养了只猫叫豆包，特别怕生人", ["user", "豆包"]),
        ("我老公是外科医生，在仁济医院上班", ["用户的老公", "用户的老公"]),
        ("我爸爱喝茶，我妈爱喝咖啡", ["用户的爸", "用户的妈"]),
        ("Dad's a joiner, Mum's a nurse and my sister's in the army", ["dad", "mum", "sister"]),
        ("my daughter is called Ada, she's four and loves diggers", ["daughter", "Ada", "Ada"]),
    ],
)
def test_a_clause_without_a_subject_is_about_whom_the_one_before_it_brought_in(text: str, subjects: list[str]) -> None:
    assert [draft.subject.removeprefix("the user's ") for draft in read(text)[0]] == subjects


@pytest.mark.req("W8", "F27")
def test_a_liking_of_a_colleague_is_not_the_users() -> None:
    drafts, _ = read("我有个同事叫老周，住在通州，特别喜欢钓鱼")
    assert all(draft.slot is None or draft.slot.subject == "老周" for draft in drafts)


@pytest.mark.req("W5", "F28")
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("帮我订个素食餐厅，我不吃肉", "用户不吃肉"),
        ("我不吃肉，帮我订个素食餐厅", "用户不吃肉"),
        ("我不吃肉帮我订个素食餐厅", "用户不吃肉"),
        ("帮我订个素食餐厅我不吃肉", "用户不吃肉"),
        ("book me a veggie place, I don't eat meat", "The user doesn't eat meat"),
        ("I don't eat meat, book me a veggie place", "The user doesn't eat meat"),
        ("can you make me a meal plan I'm lactose intolerant", "The user is lactose intolerant"),
        ("I'm taking my son for his jabs, write a note for school", "The user is taking the user's son for his jabs"),
    ],
)
def test_a_fact_inside_a_request_is_taken_and_the_request_is_not(text: str, kept: str) -> None:
    assert contents(text) == [kept]


@pytest.mark.req("W8", "F26")
@pytest.mark.parametrize(
    ("text", "polarities"),
    [
        ("我不贫血，是低血压", ["negative", "positive"]),
        ("我去过西藏，没去过新疆", ["positive", "negative"]),
        ("been to Iceland three times, never to Norway", ["positive", "negative"]),
        ("I put £250 a month into index funds and never touch single stocks", ["positive", "negative"]),
    ],
)
def test_a_denial_reaches_as_far_as_its_clause(text: str, polarities: list[str]) -> None:
    assert [str(draft.polarity) for draft in read(text)[0]] == polarities


@pytest.mark.req("W6", "W7")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("我中秋准备带爸妈去云南", "用户2026年中秋准备带爸妈去云南"),
        ("我的圣诞计划是去哈尔滨", "用户的2026年圣诞计划是去哈尔滨"),
        ("we're planning to go to Porto at Easter", "The user and others are planning to go to Porto at Easter 2026"),
        ("我的座位号是B区3排17号", "用户的座位号是B区3排17号"),
    ],
)
def test_a_named_day_keeps_its_name_and_a_number_of_a_seat_is_no_day(text: str, content: str) -> None:
    assert contents(text) == [content]


@pytest.mark.req("W5")
def test_a_town_is_no_employer() -> None:
    (draft,), _ = read("我在上海做产品经理")
    assert draft.slot is not None
    assert (draft.slot.attribute, draft.slot.value) == ("job", "产品经理")


@pytest.mark.req("W5", "W6", "W8")
@pytest.mark.parametrize(("language", "least"), [("zh", 0.8), ("en", 0.74)])
def test_the_messages_set_aside_are_read_right(language: str, least: float) -> None:
    assert _share(measure(CASES / f"{language}.jsonl", limit=None, progress=lambda *_: None)) >= least


def _share(answers: list[Answer]) -> float:
    right = list(_right(answers))
    return sum(right) / len(right)


def _right(answers: list[Answer]) -> Iterator[float]:
    return (one.values["right"] for one in answers if "right" in one.values)


@pytest.mark.req("W8", "F27")
@pytest.mark.parametrize(
    ("asked", "answer", "content"),
    [
        ("How old is your child?", "just turned two", "The user's child just turned two"),
        ("孩子多大了？", "刚满两岁", "用户的孩子刚满两岁"),
        ("Are you allergic to shellfish?", "no, to mango", "The user is allergic to mango"),
        ("您是不是对海鲜过敏？", "不是，是对芒果", "用户对芒果过敏"),
        ("Which port is the database on?", "5433", "The database port is 5433"),
    ],
)
def test_an_answer_is_told_of_whom_the_question_asked(asked: str, answer: str, content: str) -> None:
    before = turn("...", assistant=asked)
    drafts, _ = extract(turn(answer, seq=2), [before], SETTINGS.remember)
    assert [draft.content for draft in drafts] == [content]


@pytest.mark.req("W5", "W6")
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("1. 我喜欢爬山 2. 我讨厌下雨天", ["用户喜欢爬山", "用户讨厌下雨天"]),
        ("1. I love hiking 2. I hate rain", ["The user loves hiking", "The user hates rain"]),
        ("我住在1.5公里外，体重60.5公斤", ["用户住在1.5公里外，体重60.5公斤"]),
    ],
)
def test_the_numbers_of_a_list_are_no_part_of_what_it_says(text: str, kept: list[str]) -> None:
    assert contents(text) == kept


@pytest.mark.req("W2", "W6")
@pytest.mark.parametrize("text", ["我喜欢在杭州西湖边散步" * 40, "I like walking by the lake in Hangzhou " * 40])
def test_a_paste_without_a_mark_is_not_kept_whole(text: str) -> None:
    drafts, drops = read(text)
    assert drafts == []
    assert [drop.reason for drop in drops] == [DropReason.TOO_LONG]


@pytest.mark.req("W6")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("my sister's mad about opera", "The user's sister is mad about opera"),
        ("my dad's eyes are bad", "The user's dad's eyes are bad"),
        ("我导师是个日本人", "用户的导师是个日本人"),
    ],
)
def test_whose_and_who_is_are_told_apart(text: str, content: str) -> None:
    assert contents(text) == [content]


@pytest.mark.req("W8", "F26")
@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("我特别怕打雷", "positive"),
        ("I haven't got a pension", "negative"),
        ("I have no brothers or sisters", "negative"),
    ],
)
def test_a_denial_is_heard_and_none_where_there_is_none(text: str, polarity: str) -> None:
    assert [str(draft.polarity) for draft in read(text)[0]] == [polarity]
