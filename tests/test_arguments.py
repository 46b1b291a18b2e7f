"""What Python callers may pass: what is not usable is refused with a sentence, and nothing is changed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import SHANGHAI, StandingClock
from yinji import Interval, Memory, Turn
from yinji.errors import InvalidInput, InvalidTime
from yinji.interfaces.messages import Messages

AT = datetime(2026, 3, 1, 12, tzinfo=SHANGHAI)
REFUSED: dict[str, Callable[[Any], object]] = {
    "a question of None": lambda memory: memory.recall(None),
    "a number as words": lambda memory: memory.recall("where", top_k="a"),
    "a truth as number": lambda memory: memory.recall("where", top_k=True),
    "one kind": lambda memory: memory.recall("where", kinds="preference"),
    "one kind to list": lambda memory: memory.list(kinds="preference"),
    "kinds of numbers": lambda memory: memory.list(kinds=[3]),
    "one scene": lambda memory: memory.recall("where", scenes="work"),
    "the end before the beginning": lambda memory: memory.recall(
        "where", during=Interval(start=AT, end=AT - timedelta(days=1))
    ),
    "no interval": lambda memory: memory.recall("where", during=("2026", "2027")),
    "an interval without zones": lambda memory: memory.recall(
        "where", during=Interval(start=AT.replace(tzinfo=None), end=None)
    ),
    "a budget as words": lambda memory: memory.context("where", budget="a"),
    "an importance as words": lambda memory: memory.edit("0123456789", importance="a"),
    "an importance that is no number": lambda memory: memory.edit("0123456789", importance=float("nan")),
    "a limit as words": lambda memory: memory.list(limit="a"),
    "a negative offset": lambda memory: memory.list(offset=-1),
    "a history as words": lambda memory: memory.history(limit="a"),
    "a record alone": lambda memory: memory.import_({"content": "I live in Lisbon"}),
    "a number to import": lambda memory: memory.import_(3),
    "a text as turns": lambda memory: memory.remember_many(["I live in Lisbon"]),
    "a dict without words": lambda memory: memory.remember_many([{"text": "I live in Lisbon"}]),
    "a dict without the user": lambda memory: memory.remember_many([{"assistant": "hi"}]),
    "a dict of other things": lambda memory: memory.remember_many([{"user": 3}]),
    "a time as words": lambda memory: memory.remember_many([{"user": "I live in Lisbon", "at": "2026-03-01"}]),
    "a role that is none": lambda memory: memory.remember_many([{"user": "I live in Lisbon", "role": "boss"}]),
    "a turn with a seq of words": lambda memory: memory.remember_many([Turn(user="x", at=AT, seq="a")]),  # type: ignore[arg-type]
    "an app that is no text": lambda memory: memory.remember("I live in Lisbon", app=3),
}


@pytest.mark.req("P3")
@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_used_is_refused_in_both_languages(memory: Memory, case: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        REFUSED[case](memory)
    told = Messages("zh").error(caught.value)
    assert "无法使用：" in told
    assert not any(words in told for words in ("Give ", "it is ", "is not ", "There "))
    assert memory.stats().turns == 0


@pytest.mark.req("P3")
def test_settings_that_are_none_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="settings"):
        Memory.open(tmp_path / "m.yinji", settings={})  # type: ignore[arg-type]
    assert not (tmp_path / "m.yinji").exists()


@pytest.mark.req("W1", "P1")
@pytest.mark.parametrize("text", ["I live in Lisbon", "我住在杭州"])
def test_turns_may_be_dicts(memory: Memory, clock: StandingClock, text: str) -> None:
    said, now = memory.remember_many([{"user": text, "at": AT, "role": "user", "session": "a"}, {"user": text}])
    assert said.added[0].recorded_at == AT
    assert now.reinforced
    assert now.session == "default"


@pytest.mark.req("O9", "P1")
@pytest.mark.parametrize("text", ["I live in Lisbon", "我住在杭州"])
def test_a_path_may_be_a_str(open_memory: Callable[..., Memory], tmp_path: Path, text: str) -> None:
    memory, other = open_memory(), open_memory("other.yinji")
    memory.remember(text, wait=True)
    file = str(tmp_path / "out.jsonl")
    assert memory.export(file) == 1
    assert other.import_(file).new == 1


@pytest.mark.req("P3")
def test_an_interval_may_be_open_or_a_moment(memory: Memory) -> None:
    memory.remember("I live in Lisbon", wait=True)
    for stretch in (Interval(start=None, end=AT), Interval(start=AT, end=None), Interval(start=AT, end=AT)):
        memory.recall("Where do I live?", during=stretch)
    with pytest.raises(InvalidTime):
        memory.recall("where", during=Interval(start=AT, end=AT - timedelta(seconds=1)))
