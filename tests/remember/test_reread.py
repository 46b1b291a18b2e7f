"""What a memory names is renewed with its words, and found in words that were taken in as they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.remember.cases import AT
from yinji import Memory
from yinji.language.text import detect
from yinji.model import Modality, Polarity
from yinji.remember.reread import reread


@pytest.mark.req("O5", "W5")
@pytest.mark.parametrize(
    ("said", "better", "gone", "named"),
    [
        ("用户住在杭州", "用户住在苏州", "杭州", "苏州"),
        ("The user lives in Leeds", "The user lives in Bristol", "Leeds", "Bristol"),
    ],
)
def test_an_edited_memory_names_what_its_new_words_name(
    tmp_path: Path, said: str, better: str, gone: str, named: str
) -> None:
    with Memory.open(tmp_path / "memory.yinji") as memory:
        memory.import_([{"content": said}])
        (kept,) = memory.list()
        assert [one.name for one in kept.entities] == [gone]
        edited = memory.edit(kept.id, content=better)
        assert [one.name for one in edited.entities] == [named]
        assert [one.text for one in edited.fields.place] == [named]
        assert edited.slot is not None
        assert edited.slot.value == named.lower()
        memory.undo()
        assert memory.get(kept.id).entities == kept.entities


@pytest.mark.req("O5", "W8")
@pytest.mark.parametrize(
    ("said", "better", "polarity", "modality"),
    [
        ("用户吃香菜", "用户不吃香菜", Polarity.NEGATIVE, Modality.ASSERTED),
        ("The user moved to York", "The user plans to move to York", Polarity.POSITIVE, Modality.PLANNED),
    ],
)
def test_an_edited_memory_says_what_its_new_words_say(
    tmp_path: Path, said: str, better: str, polarity: Polarity, modality: Modality
) -> None:
    with Memory.open(tmp_path / "memory.yinji") as memory:
        memory.import_([{"content": said}])
        edited = memory.edit(memory.list()[0].id, content=better)
        assert (edited.polarity, edited.modality) == (polarity, modality)


@pytest.mark.req("O9", "W5")
@pytest.mark.parametrize(
    ("content", "names"),
    [("上周跟林夏去了青岛", ["林夏", "青岛"]), ("Went to Oslo with Priya last week", ["Oslo", "Priya"])],
)
def test_a_record_that_says_little_is_found_by_the_names_in_it(tmp_path: Path, content: str, names: list[str]) -> None:
    with Memory.open(tmp_path / "memory.yinji") as memory:
        memory.import_([{"content": content, "at": AT.isoformat(), "speaker": "Ann"}])
        (kept,) = memory.list()
        assert [one.name for one in kept.entities] == names
        quote = kept.sources[0].quote
        assert all(quote[one.start : one.end] == one.name for one in kept.entities)
        assert kept.fields.time


@pytest.mark.req("W5")
@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("嗨，林夏，我刚从青岛回来", ["青岛"]),
        ("林夏从青岛回来了", ["林夏", "青岛"]),
        ("Hey Priya, I'm just back from Oslo", ["Oslo"]),
        ("Priya is just back from Oslo", ["Priya", "Oslo"]),
    ],
)
def test_who_is_only_addressed_is_not_named(content: str, names: list[str]) -> None:
    assert [one.name for one in reread(content, detect(content), at=AT).entities] == names
