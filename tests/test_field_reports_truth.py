"""Faults of what holds and for whom, that users of other memory systems reported, through the public door."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.conftest import StandingClock
from tests.recall.test_newest import CASES, Case, told
from yinji import Memory
from yinji.model import MemoryEntry


class Corrected(NamedTuple):
    first: str
    correction: str
    question: str
    wrong: str


SURE = [
    Corrected("我住在杭州", "不对，我住在成都", "我住在哪个城市？", "杭州"),
    Corrected("我们的周会在周二", "周会改到周四了", "周会是哪天？", "周二"),
    Corrected("我用Vim写代码", "我现在改用Emacs写代码了", "我用什么写代码？", "Vim"),
    Corrected("I live in Lisbon", "Actually I live in Porto", "Which city do I live in?", "Lisbon"),
    Corrected(
        "Our weekly meeting is on Tuesday", "The weekly meeting moved to Thursday", "When do we meet?", "Tuesday"
    ),
    Corrected("My sister is called Ruth", "No, my sister is called Anna", "What is my sister called?", "Ruth"),
]
PROBABLE = Corrected(
    "I write code in Vim", "I switched to Emacs for code", "What do I write code in?", "Vim"
)  # not surely the end of the first: it stays, and is doubted


def corrected(memory: Memory, clock: StandingClock, case: Corrected) -> tuple[MemoryEntry, MemoryEntry]:
    """A statement of work and life, and what sets it right, of work alone."""
    (first,) = memory.remember(case.first, session="a", wait=True).added
    memory.edit(first.id, scenes=["work", "life"])
    clock.move(days=1)
    (second,) = memory.remember(case.correction, session="b", wait=True).added
    memory.edit(second.id, scenes=["work"])
    return first, second


@pytest.mark.req("F21", "W9", "W11")
@pytest.mark.parametrize("case", SURE, ids=lambda case: case.correction)
@pytest.mark.parametrize("scenes", [None, ["work"], ["life"], ["leisure"], ["work", "life"]], ids=str)
def test_what_was_set_right_is_served_in_no_scene(
    memory: Memory, clock: StandingClock, case: Corrected, scenes: list[str] | None
) -> None:
    first, second = corrected(memory, clock, case)
    found = {hit.memory.id for hit in memory.recall(case.question, scenes=scenes)}
    assert first.id not in found
    assert (second.id in found) == (scenes is None or "work" in scenes)
    assert first.content not in memory.context(case.question, gate=False).text


@pytest.mark.req("F21", "K3", "R10")
@pytest.mark.parametrize("case", SURE, ids=lambda case: case.correction)
def test_who_may_not_see_the_correction_is_told_that_there_is_one(
    memory: Memory, clock: StandingClock, case: Corrected
) -> None:
    first, second = corrected(memory, clock, case)
    told = memory.why(case.question, first.id, scenes=["life"])
    assert (told.fate, told.by) == ("superseded", second.id)
    assert second.content not in told.why


@pytest.mark.req("F21", "R8")
@pytest.mark.parametrize(("case", "said"), list(zip(CASES, ("可能已过时", "perhaps outdated"), strict=True)))
def test_what_is_probably_outdated_is_doubted_in_every_scene(
    memory: Memory, clock: StandingClock, case: Case, said: str
) -> None:
    older, newer = told(memory, clock, case.old, case.new)
    memory.edit(older.id, scenes=["life"])
    memory.edit(newer.id, scenes=["work"])
    (hit,) = memory.recall(case.now, scenes=["life"])
    assert (hit.memory.id, hit.newer) == (older.id, newer.id)
    assert said in hit.why
    assert case.new not in hit.why


@pytest.mark.req("F21", "F17")
@pytest.mark.parametrize(
    ("case", "kinds"),
    [(SURE[1], ["fact"]), (SURE[2], ["fact", "preference"]), (SURE[4], ["fact"]), (PROBABLE, ["fact", "preference"])],
)
def test_a_correction_of_another_kind_leaves_no_kind_with_the_old_claim_as_it_was(
    memory: Memory, clock: StandingClock, case: Corrected, kinds: list[str]
) -> None:
    corrected(memory, clock, case)
    assert all(hit.newer for hit in memory.recall(case.question, kinds=kinds) if case.wrong in hit.memory.content)


KINDS = ("fact", "preference", "state", "event")


@pytest.mark.req("F25", "W9")
@pytest.mark.parametrize(
    "said",
    [
        ("我每天早上跑步", "我喜欢每天早上跑步", "我习惯每天早上跑步"),
        ("我在学西班牙语", "我最近在学西班牙语", "我目前在学西班牙语"),
        ("我对花生过敏", "我有花生过敏"),
        ("I run every morning", "I like to run every morning", "I usually run every morning"),
        ("I'm learning Spanish", "I'm currently learning Spanish", "At the moment I'm learning Spanish"),
        ("I use dark mode", "I currently use dark mode"),
    ],
)
def test_nearly_the_same_statement_is_one_memory_whatever_kind_it_looks_like(
    memory: Memory, clock: StandingClock, said: tuple[str, ...]
) -> None:
    for number, text in enumerate(said):
        memory.remember(text, session=f"s{number}", wait=True)
        clock.move(days=1)
    (kept,) = memory.list(validity=None)
    assert [source.quote for source in kept.sources] == list(said)


@pytest.mark.req("F25", "F22", "O9")
@pytest.mark.parametrize("text", ["用户每天早上跑步", "The user runs every morning"])
def test_what_another_program_files_under_several_kinds_is_one_memory_with_all_sources(
    memory: Memory, text: str
) -> None:
    records = [{"id": f"r{number}", "content": text, "kind": kind} for number, kind in enumerate(KINDS)]
    assert memory.import_(records[:2]).new == 1
    assert memory.import_(records).unchanged == 4
    assert memory.import_(records).unchanged == 4
    (kept,) = memory.list(validity=None)
    assert {source.turn_id for source in kept.sources} == {"r0", "r1", "r2", "r3"}


@pytest.mark.req("F25", "W9")
@pytest.mark.parametrize("text", ["我每天早上跑步", "I run every morning"])
def test_what_the_user_filed_under_another_kind_stays_one_memory_when_it_is_said_again(
    memory: Memory, text: str
) -> None:
    (kept,) = memory.remember(text, wait=True).added
    memory.edit(kept.id, kind="event")
    again = memory.remember(text, session="later", wait=True)
    assert [one.id for one in again.reinforced] == [kept.id]
    assert [one.kind for one in memory.list(validity=None)] == ["event"]


@pytest.mark.req("F25", "F23", "W9")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("我在学西班牙语", "我最近在学葡萄牙语"),
        ("我平时不吃辣", "我平时吃辣"),
        ("I'm learning Spanish", "I'm currently learning Portuguese"),
        ("I usually don't eat meat", "I usually eat meat"),
    ],
)
def test_what_differs_in_more_than_how_it_is_framed_is_not_the_same(memory: Memory, one: str, other: str) -> None:
    memory.remember(one, session="a", wait=True)
    assert not memory.remember(other, session="b", wait=True).reinforced


@pytest.mark.req("F25", "O9")
@pytest.mark.parametrize("text", ["好的，明天见", "See you tomorrow then"])
def test_lines_of_a_conversation_stay_apart_though_they_have_the_same_words(memory: Memory, text: str) -> None:
    lines = [{"id": f"l{seq}", "content": text, "session": "chat", "seq": seq} for seq in (1, 2)]
    assert memory.import_(lines).new == 2
    assert {one.sources[0].turn_id for one in memory.list()} == {"l1", "l2"}
