"""Amounts in digits and in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yinji.language.amounts import find_amounts
from yinji.language.entities import find_entities


@pytest.mark.req("W5", "F3")
@pytest.mark.parametrize(
    ("text", "language", "value", "unit"),
    [
        ("月薪一万二，公积金另算", "zh", 12000, ""),
        ("押金两千三", "zh", 2300, ""),
        ("上个月电费三百五", "zh", 350, ""),
        ("存了1.2万", "zh", 12000, ""),
        ("首付凑了一百二十万", "zh", 1200000, ""),
        ("这车3千5拿下", "zh", 3500, ""),
        ("买了三斤半排骨", "zh", 1.75, "kg"),
        ("身高一米七五", "zh", 1.75, "m"),
        ("六块八毛一盒", "zh", 6.8, "CNY"),
        ("一千零五块", "zh", 1005, "CNY"),
        ("rent is eight thousand a month", "en", 8000, ""),
        ("two and a half grand for the boiler", "en", 2500, ""),
        ("it cost half a million", "en", 500000, ""),
        ("a million and a half dollars", "en", 1500000, "USD"),
        ("they want $1.2m", "en", 1200000, "USD"),
        ("a couple of hundred dollars", "en", 200, "USD"),
        ("twenty-five quid", "en", 25, "GBP"),
        ("I earn 45k before tax", "en", 45000, ""),
    ],
)
def test_an_amount_has_its_value_and_its_unit(text: str, language: str, value: float, unit: str) -> None:
    (found,) = find_amounts(text, language=language)
    assert (found.value, found.unit) == (value, unit)
    named = [(one.start, one.end) for one in find_entities(text, language=language) if one.type == "amount"]
    assert named == [(found.start, found.end)]


@pytest.mark.req("W5", "F3")
@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("公司有一万二千人", "zh"),
        ("三百五十个名额", "zh"),
        ("千万别忘了", "zh"),
        ("一百天以后", "zh"),
        ("第一百二十三回", "zh"),
        ("下班去五角场吃饭", "zh"),
        ("我们一块去吃饭", "zh"),
        ("切了三块蛋糕", "zh"),
        ("练出了八块腹肌", "zh"),
        ("eight thousand people came", "en"),
        ("ten thousand steps a day", "en"),
        ("an hour and a half", "en"),
        ("version 3 won't start", "en"),
    ],
)
def test_what_is_counted_or_only_a_word_is_no_amount(text: str, language: str) -> None:
    assert find_amounts(text, language=language) == ()


@pytest.mark.req("W5")
@pytest.mark.parametrize("language", ["zh", "en"])
@given(text=st.text(alphabet="一二两三千百万亿零半块米斤元0123456789.,$ and half thousand k", max_size=30))
def test_amounts_of_any_text_lie_inside_it_in_order(language: str, text: str) -> None:
    end = 0
    for one in find_amounts(text, language=language):
        assert end <= one.start < one.end <= len(text)
        end = one.end
