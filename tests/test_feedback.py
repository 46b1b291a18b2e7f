"""What became of what was shown is recorded on the device, without content (SPEC E2)."""

from collections.abc import Callable
from pathlib import Path

import pytest

from yinji import Memory
from yinji.errors import InvalidInput, NotFound


@pytest.mark.req("E2")
@pytest.mark.parametrize("said", ["我对花生过敏", "I'm allergic to peanuts."])
def test_uses_corrections_deletions_and_misses_are_recorded(said: str, memory: Memory) -> None:
    kept = memory.remember(said, wait=True).added[0]
    memory.feedback(kept.id, "irrelevant")
    memory.feedback([kept.id])
    memory.used([kept.id])
    memory.edit(kept.id, content=said + "!")
    memory.forget(kept.id)
    recorded = memory.feedback()
    assert [one.verdict.value for one in recorded] == ["irrelevant", "used", "used", "corrected", "deleted"]
    assert {one.memory_id for one in recorded} == {kept.id}
    assert memory.get(kept.id).recalls == 2


@pytest.mark.req("E2")
def test_an_edit_of_anything_but_the_words_is_no_correction(memory: Memory) -> None:
    kept = memory.remember("我对花生过敏", wait=True).added[0]
    memory.edit(kept.id, importance=0.9)
    assert memory.feedback() == []


@pytest.mark.req("E2", "K4")
def test_feedback_belongs_to_its_owner(memory: Memory) -> None:
    kept = memory.remember("我对花生过敏", wait=True).added[0]
    memory.feedback(kept.id)
    assert memory.feedback(owner="somebody else") == []
    with pytest.raises(NotFound):
        memory.feedback(kept.id, owner="somebody else")
    with pytest.raises(InvalidInput):
        memory.feedback(kept.id, "deleted")


@pytest.mark.req("E2", "O7")
def test_erasing_takes_the_record_along(tmp_path: Path, open_memory: Callable[..., Memory]) -> None:
    memory = open_memory()
    kept = memory.remember("我对花生过敏", wait=True).added[0]
    memory.feedback(kept.id)
    memory.forget(kept.id, hard=True)
    assert memory.feedback() == []


@pytest.mark.req("E2", "W9")
@pytest.mark.parametrize(
    ("said", "corrected", "taken_back"),
    [
        ("我住在杭州", "不对，我住在苏州", "忘掉我住在哪里"),
        ("I live in Bristol", "Actually, I live in Leeds", "Forget where I live"),
    ],
)
def test_what_is_corrected_or_taken_back_in_talk_is_recorded_too(
    said: str, corrected: str, taken_back: str, memory: Memory
) -> None:
    first = memory.remember(said, wait=True).added[0]
    second = memory.remember(corrected, wait=True).added[0]
    assert memory.remember(taken_back, wait=True).added == ()
    told = {(one.memory_id, one.verdict.value) for one in memory.feedback()}
    assert told == {(first.id, "corrected"), (second.id, "deleted")}
