"""What cleaning must never change, whatever noise stands around it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yinji.remember.clean import clean, protected

NOISE = {
    "zh": ["嗯，", "那个，", "哈哈，", "！！！", "😂", "[捂脸]", "～～～", "我我我", "，，", " "],
    "en": ["um, ", "haha, ", "!!!", "😂", ":smile:", "~~~", "I, I, I ", ", ", "so, ", " "],
}
KEPT = [
    "-5℃",
    "~30分钟",
    "3.14.2",
    "233",
    "1,000",
    "C++",
    "C#",
    "`a  b!!`",
    "https://example.com/a??b=1",
    "li.lei@example.com",
    "[看这里](https://example.com)",
    "不",
    "可能",
    "not",
    "never",
    "maybe",
    "张伟",
    "[张伟]",
    "Nora",
    "v2.1-rc.1",
    "🇯🇵",
]


@pytest.mark.req("W3")
@pytest.mark.parametrize("language", ["zh", "en"])
@given(data=st.data())
def test_code_numbers_names_negations_and_hedges_survive_any_noise(language: str, data: st.DataObject) -> None:
    words = data.draw(st.lists(st.sampled_from(KEPT), min_size=1, max_size=5))
    noise = data.draw(st.lists(st.sampled_from(NOISE[language]), min_size=len(words), max_size=len(words)))
    text = "".join(f"{around} {word} " for around, word in zip(noise, words, strict=True))
    left = clean(text, language).text
    at = 0
    for word in words:
        at = left.find(word, at)
        assert at >= 0, (text, left)
        at += len(word)


@pytest.mark.req("W3")
@given(text=st.text(alphabet="我你不可能嗯那个哈，！…~ :;-+.0123456789abCI`[]()😂not maybe", max_size=60))
@pytest.mark.parametrize("language", ["zh", "en"])
def test_cleaning_twice_is_cleaning_once_and_nothing_is_put_in_another_order(language: str, text: str) -> None:
    once = clean(text, language)
    assert clean(once.text, language).text == once.text
    assert "".join(text[at] for at in once.origin) == once.text
    assert list(once.origin) == sorted(set(once.origin))


@pytest.mark.req("W3")
@given(text=st.text(alphabet="我不可能嗯那个哈，！…~ -.0123456789abCI`😂", max_size=40))
def test_no_number_loses_a_digit(text: str) -> None:
    digits = [char for char in text.replace("2333", "") if char.isdigit()]
    assert [char for char in clean(text, "zh").text.replace("2333", "") if char.isdigit()] == digits


@pytest.mark.req("W3")
@pytest.mark.parametrize(
    ("text", "language", "cleaned"),
    [
        ("我住在233", "zh", "我住在233"),
        ("-5度的时候别出门", "zh", "-5度的时候别出门"),
        ("[张伟]是我同事[捂脸]", "zh", "[张伟]是我同事"),
        ("我想去🇯🇵玩😂😂", "zh", "我想去🇯🇵玩"),
        ("我和你，你和他都去", "zh", "我和你，你和他都去"),
        ("资料放在C:", "zh", "资料放在C:"),
        ("笑死我了，233333", "zh", ""),
        ("命令是`rm  -rf ,,`！！", "zh", "命令是`rm  -rf ,,`！"),
        ("the log says host:debug:on!!!", "en", "the log says host:debug:on!"),
        ("-3.5 is the offset...", "en", "-3.5 is the offset..."),
        ("um, maybe not, :smile: I guess", "en", "maybe not, I guess"),
        ("see https://example.com/a?b=1!!", "en", "see https://example.com/a?b=1!!"),
    ],
)
def test_what_means_something_stays(text: str, language: str, cleaned: str) -> None:
    assert clean(text, language).text == cleaned


@pytest.mark.req("W3")
def test_what_is_kept_can_be_asked_for() -> None:
    text = "可能是`v1.2`，不是3号"
    assert [text[start:end] for start, end in sorted(set(protected(text, "zh")))] == ["可能", "`v1.2`", "不", "3号"]
