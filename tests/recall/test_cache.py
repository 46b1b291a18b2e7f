"""A question that is asked again is answered from memory, and never with what has changed since."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.conftest import StandingClock
from yinji import Memory


@dataclass(frozen=True, kw_only=True)
class Said:
    first: str
    second: str
    question: str
    same_question: str


ZH = Said(
    first="我喜欢喝美式咖啡",
    second="我也喜欢喝拿铁咖啡",
    question="我喜欢喝什么咖啡？",
    same_question="我喜歡喝什麼咖啡？",
)
EN = Said(
    first="I like black coffee",
    second="I like coffee with oat milk too",
    question="What coffee do I like?",
    same_question="what  COFFEE do i like?",
)
SAID = pytest.mark.parametrize("said", [ZH, EN], ids=["zh", "en"])


def from_cache(memory: Memory, question: str, **options: object) -> bool:
    return not memory.recall(question, **options).stages_ms  # type: ignore[arg-type]


@pytest.mark.req("R11")
@SAID
def test_the_same_question_is_answered_from_the_cache_for_five_minutes(
    said: Said, memory: Memory, clock: StandingClock
) -> None:
    memory.remember(said.first, wait=True)
    asked = memory.recall(said.question)
    again = memory.recall(said.same_question)
    assert (asked.hits, again.query) == (again.hits, said.same_question.strip())
    assert again.stages_ms == {}
    assert not from_cache(memory, said.question, kinds=["event"])
    assert not from_cache(memory, said.question, past=True)
    assert not from_cache(memory, said.question, top_k=1)
    clock.move(minutes=4, seconds=59)
    assert from_cache(memory, said.question)
    clock.move(seconds=1)
    assert not from_cache(memory, said.question)


@pytest.mark.req("R11", "K10")
@SAID
def test_any_write_of_the_owner_drops_the_answer_whichever_process_wrote(
    said: Said, open_memory: Callable[..., Memory]
) -> None:
    memory, other = open_memory(), open_memory()
    id = memory.remember(said.first, wait=True).added[0].id
    memory.recall(said.question)
    other.remember(said.second, wait=True)
    assert said.second[-4:] in str(memory.recall(said.question, 9))
    for change in (
        lambda: other.pin(id),
        lambda: other.edit(id, importance=0.9),
        lambda: memory.used([id]),
        lambda: other.forget([id]),
        other.undo,
    ):
        memory.recall(said.question)
        assert from_cache(memory, said.question)
        change()
        assert not from_cache(memory, said.question)


@pytest.mark.req("R11", "O5", "O7")
@SAID
@pytest.mark.parametrize("hard", [False, True], ids=["hidden", "erased"])
def test_no_answer_outlives_what_it_was_made_of(said: Said, hard: bool, open_memory: Callable[..., Memory]) -> None:
    memory, other = open_memory(), open_memory()
    id = memory.remember(said.first, wait=True).added[0].id
    assert memory.recall(said.question)
    other.forget([id], hard=hard)
    assert id not in {hit.memory.id for hit in memory.recall(said.question)}


@pytest.mark.req("R11", "K4")
@SAID
def test_an_answer_never_crosses_owners(said: Said, memory: Memory) -> None:
    memory.remember(said.first, owner="ann", wait=True)
    assert memory.recall(said.question, owner="ann")
    assert not memory.recall(said.question, owner="ben")
    assert not from_cache(memory, said.question, owner="me")
