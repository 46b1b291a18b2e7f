"""What a new statement is to one that is kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.remember.cases import AT, read
from yinji import Memory
from yinji.model import Draft, MemoryEntry, Trust, Verdict
from yinji.remember.reconcile import reconcile


def draft(text: str, *before: str, days: int = 0) -> Draft:
    drafts, drops = read(text, *before, at=AT + timedelta(days=days))
    assert len(drafts) == 1, (drafts, drops)
    return drafts[0]


def kept(text: str, memory_id: str = "old") -> MemoryEntry:
    """The memory that the text would have become."""
    said = draft(text)
    return MemoryEntry(
        id=memory_id,
        owner="me",
        content=said.content,
        kind=said.kind,
        layer=said.layer,
        language=said.language,
        importance=said.importance,
        confidence=said.confidence,
        created_at=AT,
        updated_at=AT,
        recorded_at=AT,
        valid=said.valid,
        subject=said.subject,
        slot=said.slot,
        polarity=said.polarity,
        modality=said.modality,
        entities=said.entities,
        trust=said.trust,
        sources=(said.source,),
    )


def verdict(old: str, new: str) -> Verdict:
    return reconcile(draft(new, old, days=1), [kept(old)])[0]


@pytest.mark.req("W9", "F14", "F15", "F16", "F19", "F23")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我喜欢喝咖啡", "我不喜欢喝咖啡了"),
        ("我爱吃辣", "我不吃辣了"),
        ("我吃素", "我现在又吃牛排了"),
        ("项目用 PG", "项目换成 MySQL 了"),
        ("网关的端口是5432", "网关的端口改成5433了"),
        ("我住在杭州", "我搬到上海了"),
        ("我女儿叫朵朵", "我女儿叫果果"),
        ("我今年32岁", "我33岁了"),
        ("例会改到周四上午十点了", "例会改到周五上午十点了"),
        ("I love jazz", "I hate jazz now"),
        ("I'm vegetarian", "I started eating meat"),
        ("We use Postgres", "We switched to MySQL"),
        ("The gateway's port is 5432", "The gateway's port is 5433 now"),
        ("I live in Oslo", "I've moved to Berlin"),
        ("My manager is Tom", "My manager is Anna now"),
        ("I'm 32", "I just turned 33"),
        ("The review is on Thursday at 10", "The review was moved to Friday at 10"),
    ],
)
def test_what_changed_is_an_update_of_what_was_so(old: str, new: str) -> None:
    assert verdict(old, new) is Verdict.UPDATE


@pytest.mark.req("W9", "F22")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我不吃香菜", "我不吃香菜！"),
        ("我喜歡喝茶", "我喜欢喝茶"),
        ("我住在杭州", "我现在住在杭州"),
        ("我对花生过敏", "我对花生严重过敏"),
        ("I hate cilantro", "I hate cilantro."),
        ("I live in Oslo", "I live in Oslo now"),
        ("I like tea", "I really like tea"),
        ("I'm allergic to peanuts", "I'm super allergic to peanuts"),
    ],
)
def test_what_is_said_again_is_a_duplicate(old: str, new: str) -> None:
    assert verdict(old, new) is Verdict.DUPLICATE


@pytest.mark.req("W9", "F23", "F24")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("服务器的内存是32GB，跑了三个容器", "服务器的内存是64GB，跑了三个容器"),
        ("我昨天跑了10公里", "我昨天跑了12公里"),
        ("我下周三要去见张伟", "我下周三要去见李强"),
        ("板子用的是ASR1603", "板子用的是ASR1605"),
        ("I ran 10 km yesterday", "I ran 12 km yesterday"),
        ("I met Sarah for lunch", "I met Laura for lunch"),
        ("The board uses an ASR1603", "The board uses an ASR1605"),
        ("I saw the dentist yesterday", "I saw the dentist today"),
    ],
)
def test_another_number_name_code_or_date_is_never_a_duplicate(old: str, new: str) -> None:
    assert verdict(old, new) is not Verdict.DUPLICATE


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我喜欢喝咖啡", "我喜欢喝茶"),
        ("我养了一只猫", "我养了一只狗"),
        ("我住在杭州", "我打算搬到上海"),
        ("我打算搬到上海", "我住在杭州"),
        ("我妈住在绵阳", "我住在杭州"),
        ("I like coffee", "I like tea"),
        ("I have a cat", "I have a dog"),
        ("I live in Oslo", "I'm planning to move to Berlin next year"),
        ("My mom lives in Duluth", "I live in Oslo"),
    ],
)
def test_what_can_both_be_so_stands_side_by_side(old: str, new: str) -> None:
    assert verdict(old, new) in (Verdict.COMPATIBLE, Verdict.UNRELATED)


@pytest.mark.req("W9", "W16")
@pytest.mark.parametrize(("old", "new"), [("我住在杭州", "我住在上海"), ("I live in Oslo", "I live in Berlin")])
def test_a_lower_source_never_retires_a_higher_one(old: str, new: str) -> None:
    said = replace(draft(new, days=1), trust=Trust.IMPORT)
    assert reconcile(said, [kept(old)])[0] is Verdict.UNSURE


@pytest.mark.req("W9")
@pytest.mark.parametrize(("old", "new"), [("我住在杭州", "我住在上海"), ("I live in Oslo", "I live in Berlin")])
def test_what_was_said_earlier_never_retires_what_was_said_later(old: str, new: str) -> None:
    assert reconcile(draft(new, days=-30), [kept(old)])[0] is Verdict.COMPATIBLE


@pytest.mark.req("W9")
def test_the_strongest_relation_to_any_candidate_decides_and_is_named() -> None:
    candidates = [kept("我喜欢喝咖啡", "coffee"), kept("我住在杭州", "home"), kept("我不吃香菜", "food")]
    found, memory, reason = reconcile(draft("我搬到上海了", days=1), candidates)
    assert (found, memory and memory.id) == (Verdict.UPDATE, "home")
    assert "residence" in reason


def test_nothing_kept_is_related_to_nothing() -> None:
    assert reconcile(draft("我喜欢喝茶"), [])[:2] == (Verdict.UNRELATED, None)


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    ("said", "later"), [("我养了两只猫", "我养了三只猫"), ("I have two cats", "I have three cats now")]
)
def test_a_number_in_words_that_differs_is_no_duplicate(said: str, later: str, memory: Memory) -> None:
    memory.remember(said, wait=True)
    told = memory.remember(later, wait=True)
    assert len(told.added) == 1
    assert told.reinforced == ()


@pytest.mark.req("W9")
def test_a_time_around_a_birthday_is_no_birthday(memory: Memory) -> None:
    kept = memory.remember("我的生日是8月15", wait=True).added[0]
    memory.remember("我得自己过生日前那段时间了", wait=True)
    assert memory.get(kept.id).validity.value == "current"
