"""Who and what is named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yinji.language.entities import find_entities


@pytest.mark.req("W5", "F3")
@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("张伟下周去北京见李总", "zh", {("张伟", "person"), ("北京", "place"), ("李总", "person")}),
        ("阿宁住在苏州", "zh", {("阿宁", "person"), ("苏州", "place")}),
        ("小李在浙江大学读书", "zh", {("小李", "person"), ("浙江大学", "organisation")}),
        ("换成了ASR1603，花了300元", "zh", {("ASR1603", "product"), ("300元", "amount")}),
        ("在读《三体》", "zh", {("《三体》", "product")}),
        ("Sarah moved to Berlin", "en", {("Sarah", "person"), ("Berlin", "place")}),
        ("We met Dr. Smith at Oslo University", "en", {("Dr. Smith", "person"), ("Oslo University", "organisation")}),
        ("the board has an ASR1605, $300", "en", {("ASR1605", "product"), ("$300", "amount")}),
    ],
)
def test_names_are_found_with_their_type(text: str, language: str, expected: set[tuple[str, str]]) -> None:
    assert expected <= {(one.name, one.type) for one in find_entities(text, language=language)}


@pytest.mark.req("W5")
@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("今天天气不错", "zh"),
        ("谢谢老师", "zh"),
        ("Drawing is fun", "en"),
        ("Monday was fine", "en"),
        ("I think so", "en"),
    ],
)
def test_ordinary_words_are_no_names(text: str, language: str) -> None:
    assert find_entities(text, language=language) == ()


@given(st.text(max_size=120), st.sampled_from(["zh", "en"]))
def test_the_span_of_an_entity_is_its_name(text: str, language: str) -> None:
    for one in find_entities(text, language=language):
        assert text[one.start : one.end] == one.name
