"""What news is to what was said before, read in the words of both: repeats, opposites, corrections, taking back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from yinji import Memory
from yinji.model import HOLDS, MemoryEntry, Validity

AT = datetime(2026, 6, 1, 10, 0, tzinfo=ZoneInfo("Europe/London"))
Told = Callable[..., list[MemoryEntry]]


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Told]:
    """All that is kept after texts were said a month apart, what was taken back included, oldest first."""
    with Memory.open(tmp_path / "memory.yinji") as memory:

        def run(*texts: str) -> list[MemoryEntry]:
            for month, text in enumerate(texts):
                memory.remember(text, session=str(month), at=AT + timedelta(days=30 * month), wait=True)
            shown = memory.list(validity=None, limit=None)
            hidden = memory.list(validity="retracted", limit=None, hidden=True)
            return [*shown, *(one for one in hidden if one not in shown)][::-1]

        yield run


def validities(kept: list[MemoryEntry]) -> list[Validity]:
    return [one.validity for one in kept]


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    "texts",
    [
        ["我在小学教美术", "我是小学美术老师"],
        ["我不抽烟", "我是不抽烟的"],
        ["我对花生过敏", "跟你说过的，我花生过敏"],
        ["I teach art at a primary school", "I'm a primary school art teacher"],
        ["I don't smoke", "I'm a non-smoker"],
        ["I'm allergic to peanuts", "as I told you, I'm allergic to peanuts"],
    ],
)
def test_what_says_the_same_in_other_words_is_kept_once(told: Told, texts: list[str]) -> None:
    assert [len(one.sources) for one in told(*texts)] == [2]


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    "texts",
    [
        ["我属马", "我是属羊的"],
        ["我是天蝎座", "我是双鱼座的"],
        ["I'm a Gemini", "my star sign's Aries"],
    ],
)
def test_two_values_of_what_never_changes_contradict_each_other(told: Told, texts: list[str]) -> None:
    assert validities(told(*texts)) == [Validity.DISPUTED, Validity.DISPUTED]


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    "texts",
    [
        ["我下周六加班", "我下周六加班"],
        ["我女儿五岁", "我儿子六岁"],
        ["my daughter is five", "my son is six"],
    ],
)
def test_what_is_of_another_time_or_case_is_neither_the_same_nor_against_it(told: Told, texts: list[str]) -> None:
    assert validities(told(*texts)) == [Validity.CURRENT, Validity.CURRENT]


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    "texts",
    [
        ["叫我阿福", "别再叫我阿福"],
        ["每天早上给我念一句名言", "不用再给我念名言了"],
        ["call me Skip", "don't call me Skip any more"],
        ["Always end your answers with an emoji", "no more emojis please"],
    ],
)
def test_a_request_that_is_only_taken_back_leaves_nothing(told: Told, texts: list[str]) -> None:
    assert [one for one in told(*texts) if one.validity in HOLDS] == []


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    ("texts", "stays"),
    [
        (["我住在成都", "我妹下个月搬到温江去", "搬完了，累死我了"], "成都"),
        (["I live in York", "my sister is moving to Hull in July", "all moved, I'm shattered"], "York"),
    ],
)
def test_a_move_that_is_rather_somebody_elses_leaves_the_home(told: Told, texts: list[str], stays: str) -> None:
    assert any(stays in one.content for one in told(*texts) if one.validity in HOLDS)


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    "texts",
    [
        ["我每周去两次健身房", "健身房我退了，不去了"],
        ["我在市一院做药剂师", "我辞了医院，现在自己开药店"],
        ["I take two sugars in my coffee", "I don't take sugar in my coffee any more"],
        ["I share a flat with two nurses", "I've moved out of the shared flat, got a place of my own now"],
    ],
)
def test_a_turn_that_is_told_ends_what_was(told: Told, texts: list[str]) -> None:
    kept = told(*texts)
    assert kept[0].validity is Validity.SUPERSEDED
