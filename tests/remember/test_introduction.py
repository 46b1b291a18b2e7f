"""What people say of themselves behind their name is told statement by statement."""

from __future__ import annotations

import pytest

from yinji import Memory
from yinji.model import Modality


@pytest.mark.req("W5", "W8")
@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "I'm Priya, 34, ICU nurse at St Thomas'",
            ["The user is Priya", "The user is 34", "The user is an ICU nurse at St Thomas'"],
        ),
        (
            "Marco here, 41, freelance developer in Milan",
            ["The user is Marco", "The user is 41", "The user is a freelance developer in Milan"],
        ),
        (
            "G'day, name's Bill Harding, 72, retired railway engineer from Newcastle",
            ["The user is Bill Harding", "The user is 72", "The user is a retired railway engineer from Newcastle"],
        ),
        ("I'm Lee, from Busan", ["The user is Lee", "The user is from Busan"]),
        (
            "I'm Megan, stay-at-home mom in Columbus, Ohio",
            ["The user is Megan", "The user is a stay-at-home mom in Columbus, Ohio"],
        ),
        (
            "I'm Kelly, a student at Leeds, and I hate coriander",
            ["The user is Kelly", "The user is a student at Leeds", "The user hates coriander"],
        ),
        (
            "你好，我姓方，今年六十七了，退休前在县中教化学。",
            ["用户姓方", "用户2026年六十七岁", "用户退休前在县中教化学"],
        ),
        (
            "大家都叫我阿宽，今年41，在东莞厚街开了一家五金厂",
            ["大家都叫用户阿宽", "用户2026年41岁", "用户在东莞厚街开了一家五金厂"],
        ),
        ("我叫李想，28岁，在杭州做程序员", ["用户叫李想", "用户28岁", "用户在杭州做程序员"]),
        ("大家好，我叫王浩，28", ["用户叫王浩", "用户28岁"]),
        ("我叫陈静，今年三十二，在深圳做产品经理", ["用户叫陈静", "用户2026年三十二岁", "用户在深圳做产品经理"]),
    ],
)
def test_name_age_and_calling_are_statements_of_their_own(memory: Memory, said: str, told: list[str]) -> None:
    added = memory.remember(said, wait=True).added
    assert [one.content for one in added] == told
    assert all(one.sources[0].quote in said for one in added)


@pytest.mark.req("W5")
@pytest.mark.parametrize(
    ("first", "then", "stays"),
    [
        ("I'm Priya, 34, nurse at St Thomas'", "I turned 35 today", "The user is a nurse at St Thomas'"),
        ("我叫李想，28岁，在杭州做程序员", "我今天满29岁了", "用户在杭州做程序员"),
    ],
)
def test_a_birthday_ends_the_age_alone(memory: Memory, first: str, then: str, stays: str) -> None:
    memory.remember(first, wait=True)
    memory.remember(then, wait=True)
    current = {one.content for one in memory.list()}
    assert stays in current
    assert not {"The user is 34", "用户28岁"} & current


@pytest.mark.req("W5")
@pytest.mark.parametrize(
    "said", ["我叫李想", "我女儿叫要要", "My aunt Hope has three dogs", "My brother Will lives in Oslo"]
)
def test_a_name_wishes_and_plans_nothing(memory: Memory, said: str) -> None:
    (one,) = memory.remember(said, wait=True).added
    assert one.modality is Modality.ASSERTED


@pytest.mark.req("W5")
@pytest.mark.parametrize(
    "said", ["I'm Bill, however late it gets", "I'm sure, number 34, the nurse", "我叫外卖，20分钟到"]
)
def test_what_is_no_introduction_is_read_as_ever(memory: Memory, said: str) -> None:
    added = memory.remember(said, wait=True).added
    assert not {"The user is 34", "The user is sure", "用户20岁"} & {one.content for one in added}
