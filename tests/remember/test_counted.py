"""Numbers of a text, and of what they are."""

from __future__ import annotations

import pytest

from yinji.remember.counted import compared, counted, same_number

GROWN = [
    ("zh", "纪念币收了23枚", "今天又换了两枚，纪念币凑成25枚了"),
    ("zh", "粉丝都快三千了", "粉丝现在五万"),
    ("zh", "房租2800", "房租涨到3100"),
    ("en", "I lead a team of 4 engineers", "I now lead a team of five engineers"),
    ("en", "just finished my third issue", "just finished my fifth issue"),
    ("en", "rent is £1,780", "rent is £1,850 from May"),
]
APART = [
    ("zh", "养了两只猫", "跑了五公里"),
    ("en", "two cats", "ran five miles"),
]


@pytest.mark.req("W9")
@pytest.mark.parametrize(("language", "old", "new"), GROWN)
def test_another_number_of_the_same_is_seen_however_it_is_written(language: str, old: str, new: str) -> None:
    apart, _, grew = compared(counted(new, language), counted(old, language))
    assert (apart > 0, grew) == (True, True)


@pytest.mark.req("W9")
@pytest.mark.parametrize(("language", "old", "new"), APART)
def test_numbers_of_different_things_are_not_compared(language: str, old: str, new: str) -> None:
    assert compared(counted(new, language), counted(old, language))[0] == 0


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    ("language", "written", "number"),
    [
        ("zh", "攒了一万二千块", 12_000),
        ("zh", "三十五个人", 35),
        ("zh", "3.5万", 35_000),
        ("zh", "十二号楼", 12),
        ("en", "twelve people", 12),
        ("en", "the 3rd draft", 3),
        ("en", "£40k a year", 40_000),
        ("en", "25:30 in the run", 25.5),
    ],
)
def test_numbers_are_worth_the_same_in_words_and_digits(language: str, written: str, number: float) -> None:
    assert counted(written, language)[0].number == number


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    ("language", "one", "other", "same"),
    [
        ("zh", "五", "5", True),
        ("zh", "三千", "3000", True),
        ("zh", "五", "六", False),
        ("zh", "滨江", "滨江", False),
        ("en", "five", "5", True),
        ("en", "40k", "40,000", True),
        ("en", "five", "6", False),
        ("en", "Leeds", "Leeds", False),
    ],
)
def test_a_value_is_the_same_number_in_words_or_digits(language: str, one: str, other: str, same: bool) -> None:
    assert same_number(one, other, language) is same
