"""Noise goes, meaning stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yinji.remember.clean import clean


@pytest.mark.req("W3")
@pytest.mark.parametrize(
    ("text", "language", "cleaned"),
    [
        ("嗯，那个，我我我不吃辣！！！😂", "zh", "我不吃辣！"),
        ("对了，我换工作了～～", "zh", "我换工作了"),
        ("哈哈哈，我又迟到了哈哈", "zh", "我又迟到了"),
        ("我不不知道", "zh", "我不不知道"),
        ("可能是3.14.2版", "zh", "可能是3.14.2版"),
        ("那个房子是我的", "zh", "那个房子是我的"),
        ("um, I, I don't eat meat!!! 😂", "en", "I don't eat meat!"),
        ("Oh, by the way, I moved to Oslo", "en", "I moved to Oslo"),
        ("haha, I was late again lol", "en", "I was late again"),
        ("maybe it's version 3.14.2", "en", "maybe it's version 3.14.2"),
        ("I like C++ and C#", "en", "I like C++ and C#"),
        ("No problem is too small", "en", "No problem is too small"),
    ],
)
def test_fillers_stutters_and_noise_go(text: str, language: str, cleaned: str) -> None:
    assert clean(text, language).text == cleaned


@pytest.mark.req("W3")
@given(st.text(max_size=120), st.sampled_from(["zh", "en"]))
def test_cleaning_is_idempotent_and_every_character_comes_from_the_source(text: str, language: str) -> None:
    once = clean(text, language)
    assert clean(once.text, language).text == once.text
    assert "".join(text[at] for at in once.origin) == once.text
    assert list(once.origin) == sorted(set(once.origin))


@pytest.mark.req("W3")
@pytest.mark.parametrize("noise", ["嗯，", "哈哈", "um, ", "!!!", "😂"])
@given(
    words=st.lists(
        st.sampled_from(["5433", "不", "not", "张伟", "C++", "可能", "maybe", "v2.1"]), min_size=1, max_size=6
    )
)
def test_numbers_names_negations_and_hedges_survive_any_noise(noise: str, words: list[str]) -> None:
    for language in ("zh", "en"):
        left = clean(noise + " ".join(words), language).text
        assert [word for word in words if word in left] == words
