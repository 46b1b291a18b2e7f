"""Of what has one value at a time an earlier one is over once a later one is told, and what was said beside something
that is over is not shown in its place."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tests.recall.test_budget import hit
from tests.recall.test_budget import memory as entry
from yinji import Memory
from yinji.model import Candidate, Interval, Link, LinkKind, Modality, Scope, Validity
from yinji.recall.analyse import analyse
from yinji.recall.breath import outlasting
from yinji.recall.budget import pack
from yinji.recall.read import FACTOR, without
from yinji.recall.single import former

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def told(content: str, days_ago: int, odds: float, **changes: object) -> Candidate:
    language = "en" if content.isascii() else "zh"
    recorded = NOW - timedelta(days=days_ago)
    one = entry(content, days_ago + 1, language=language, recorded_at=recorded, **changes)
    return Candidate(memory=one, score=1.0, paths=(), factors={FACTOR: odds})


def over(question: str, *candidates: Candidate) -> set[str]:
    query = analyse(question, scope=Scope(owner="me"), now=NOW, past=False, language=None)
    return {one.memory.content for one in candidates if one.memory.id in former(query, candidates)}


@pytest.mark.req("W9", "R8")
@pytest.mark.parametrize(
    ("question", "old", "new"),
    [
        ("我现在住在哪里？", "用户住在望京，一室一厅", "用户搬到通州了"),
        ("青禾线上是哪个版本？", "青禾跑的固件是v2.3.1", "青禾v2.5.0上线了"),
        ("我房租多少？", "用户房租两千四", "用户房租涨到三千一了"),
        ("仓库的端口是多少？", "仓库的端口是5001", "仓库的端口改成8443了"),
        ("Where do I live?", "The user lives on a boat in Bristol", "The user moved to a house in Totterdown"),
        ("Which version is gullbox on?", "gullbox runs 1.4", "The user put gullbox 2.0 on the server"),
        ("How much is my rent?", "The user's rent is 612 pounds", "The rent went up to 650 pounds"),
        ("Which port does the printer use?", "The printer listens on port 631", "The printer is on 9100 now"),
    ],
)
def test_an_earlier_value_is_over_whatever_reading_says_of_it(question: str, old: str, new: str) -> None:
    assert over(question, told(old, 90, -3.5), told(new, 5, 1.0)) == {old}


@pytest.mark.req("W9", "R8")
@pytest.mark.parametrize(
    ("question", "old", "new"),
    [
        ("我现在住在哪里？", "用户妈妈住在大连", "用户搬到通州了"),
        ("我现在住在哪里？", "用户住在望京", "用户的爸爸住院了"),
        ("青禾线上是哪个版本？", "稻香跑的是v1.2.0", "青禾v2.5.0上线了"),
        ("青禾有哪些版本？", "青禾跑的固件是v2.3.1", "青禾v2.5.0上线了"),
        ("我养了什么？", "用户养了一只猫", "用户养了一只狗"),
        ("Where do I live?", "Helen lives in Leeds", "The user moved to a house in Totterdown"),
        ("Which version of Django does work use?", "Work uses Python 3.10", "Work went up to Django 5.0"),
        ("Which versions do I have?", "The user has gullbox 1.4", "The user has gullbox 2.0"),
        ("What do I play?", "The user plays chess", "The user plays the bass"),
    ],
)
def test_what_is_of_another_or_asked_for_with_others_stays(question: str, old: str, new: str) -> None:
    assert over(question, told(old, 90, 1.0), told(new, 5, 1.0)) == set()


@pytest.mark.req("K3", "R8")
@pytest.mark.parametrize(
    ("question", "old", "new"),
    [
        ("我房租多少？", "用户房租两千四", "用户房租涨到三千一"),
        ("How much is my rent?", "The user's rent is 612 pounds", "The rent is 650 pounds"),
    ],
)
def test_what_is_only_meant_has_not_begun_or_does_not_answer_ends_nothing(question: str, old: str, new: str) -> None:
    before = told(old, 90, 1.0)
    later = Interval(start=NOW + timedelta(days=30), end=None)
    assert over(question, before, told(new, 5, 1.0, valid=later)) == set()
    assert over(question, before, told(new, 5, 1.0, modality=Modality.PLANNED)) == set()
    assert over(question, before, told(new, 5, -1.0)) == set()


@pytest.mark.req("K3", "R8")
@pytest.mark.parametrize(
    ("question", "old", "new"),
    [
        ("我房租多少？", "用户的房租每月3000", "从2026年2月起房租涨到3500"),
        ("How much is my rent?", "The user's rent is 1200 a month", "From February 2026 the user's rent is 1400"),
    ],
)
def test_what_was_to_begin_is_so_once_its_day_has_come(question: str, old: str, new: str) -> None:
    before, begun = told(old, 90, 1.0), Interval(start=NOW - timedelta(days=28), end=None)
    assert over(question, before, told(new, 60, 1.0, valid=begun, modality=Modality.PLANNED)) == {old}


@pytest.mark.req("R8")
def test_what_holds_beside_what_is_superseded_or_doubted_outlasts_it() -> None:
    remark, main, other = (entry(str(number), number) for number in (1, 2, 3))
    ended = replace(main, validity=Validity.SUPERSEDED)
    assert outlasting([remark, other], {remark.id: [ended], other.id: []}, ()) == {remark.id}
    assert outlasting([remark], {remark.id: [main]}, {main.id}) == {remark.id}
    assert outlasting([remark], {remark.id: [main]}, ()) == frozenset()
    assert outlasting([ended], {main.id: [ended]}, ()) == frozenset()


@pytest.mark.req("R8")
def test_what_holds_beside_a_slip_that_was_set_right_in_the_same_breath_is_no_remark_on_what_is_over() -> None:
    rest, right, slip = (entry(str(number), number) for number in (1, 2, 3))
    slip = replace(slip, validity=Validity.SUPERSEDED)
    right = replace(right, links=(Link(kind=LinkKind.SUPERSEDES, target=slip.id),))
    assert outlasting([rest, right], {rest.id: [right, slip], right.id: [rest, slip]}, ()) == frozenset()


@pytest.mark.req("R8")
def test_a_remark_is_left_out_unless_it_is_the_likeliest_to_answer() -> None:
    remark, answer, least = told("a", 3, -0.5), told("b", 2, 1.0), told("c", 1, -4.0)
    assert without([remark, answer], {remark.memory.id}) == [answer]
    assert list(without([remark, least], {remark.memory.id})) == [remark, least]


@pytest.mark.req("R9")
@pytest.mark.parametrize("content", ["用户住在望京", "The user lives on a boat"])
def test_what_is_over_by_what_is_told_is_not_told_in_brief(content: str) -> None:
    first = hit("x", 1)
    replaced = replace(hit(content, 2), newer=first.memory.id)
    assert content in pack([first, hit(content, 2)], [], most=1, budget=1200, form="xml").text
    packed = pack([first, replaced], [], most=1, budget=1200, form="xml")
    assert content not in packed.text
    assert packed.left_out == (replaced,)


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("said", "questions", "answer"),
    [
        ("我今年28岁，在杭州做设计", ("我多大了", "我多大了？", "我多大"), "28"),
        ("I'm 28 and I work as a designer in Leeds", ("how old am i", "How old am I?"), "28"),
    ],
)
def test_an_attribute_of_the_user_that_a_memory_fills_in_is_told_though_little_is_known(
    memory: Memory, said: str, questions: tuple[str, ...], answer: str
) -> None:
    memory.remember(said)
    memory.flush()
    for question in questions:
        assert any(answer in one.memory.content for one in memory.recall(question))
