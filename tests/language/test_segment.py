"""Words are those of the whole dictionary, however little of it was read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import rjieba
from hypothesis import given
from hypothesis import strategies as st

from yinji import shipped
from yinji.language import segment

EVALS = Path(__file__).parents[2] / "evals"
SAID = (
    "我下周三要去上海出差，住在静安区的酒店，记得提醒我带电脑和充电器。",
    "他來到了網易杭研大廈，買了一件T恤和兩張4S店的券",
    "我们中出了一个叛徒AT&T，WES-5.4.5 和 gen-itgc\n第二行",
    "My colleague 张伟 likes 乌龙茶 and 3号线, not the B超.",
    "",
    " \t\n",
    "👪😀、。\x00\x00一",
)


@pytest.fixture
def looking_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A segmenter that has read nothing and never fills."""
    monkeypatch.setattr(segment, "_MANY", 10**9)
    segment._segmenter.cache_clear()
    segment.is_word.cache_clear()
    yield
    segment._segmenter.cache_clear()


def dictionary() -> list[tuple[str, int, str]]:
    rows = (line.split() for line in shipped.text(segment._DICTIONARY).splitlines())
    return [(word, int(count), tag) for word, count, tag in rows]


@pytest.mark.req("K5", "D3")
@pytest.mark.usefixtures("looking_up")
@pytest.mark.parametrize("text", SAID)
def test_a_text_is_cut_and_tagged_as_by_the_whole_dictionary(text: str) -> None:
    assert segment.search_words(text) == tuple(rjieba.cut_for_search(text))
    assert segment.tagged(text) == rjieba.tag(text)


@pytest.mark.req("K5", "D3")
@pytest.mark.usefixtures("looking_up")
def test_so_are_the_texts_of_a_conversation_one_after_the_other() -> None:
    lines = (EVALS / "conversation" / "zh" / "turns.jsonl").read_text(encoding="utf-8").splitlines()
    for text in (json.dumps(json.loads(line), ensure_ascii=False)[:2000] for line in lines[:80]):
        assert segment.search_words(text) == tuple(rjieba.cut_for_search(text))
        assert segment.tagged(text) == rjieba.tag(text)


@pytest.mark.req("K5", "D3")
@given(st.lists(st.sampled_from("一不大中国人的了在有我他这个们来上海北京大学生日快乐T恤4S店AB型a1 ，"), max_size=30))
def test_so_is_anything_that_is_put_together_from_characters(chosen: list[str]) -> None:
    text = "".join(chosen)
    assert segment.search_words(text) == tuple(rjieba.cut_for_search(text))
    assert segment.tagged(text) == rjieba.tag(text)


@pytest.mark.req("K5")
def test_the_dictionary_is_the_one_that_the_package_carries() -> None:
    words = dictionary()
    assert sum(count for _, count, _ in words) == segment._TOTAL
    assert [word for word, _, _ in words if not rjieba.has_word(word)] == []
    spaced = [word.encode() + b" " for word, _, _ in words]
    assert spaced == sorted(spaced)


@pytest.mark.req("K5", "D3")
@pytest.mark.usefixtures("looking_up")
@pytest.mark.parametrize(
    ("word", "known"), [("上海", True), ("T恤", True), ("一", True), ("上海一", False), ("", False)]
)
def test_a_word_is_known_when_the_whole_dictionary_has_it(word: str, known: bool) -> None:
    assert segment.is_word(word) is known
    assert rjieba.has_word(word) is known


@pytest.mark.req("D3")
def test_once_much_was_read_the_dictionary_is_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    segment._segmenter.cache_clear()
    monkeypatch.setattr(segment, "_MANY", 20)
    for text in SAID:
        assert segment.search_words(text) == tuple(rjieba.cut_for_search(text))
    assert segment._segmenter()._whole is not None


@pytest.mark.req("K5", "S2")
@pytest.mark.usefixtures("looking_up")
def test_threads_that_cut_at_once_get_the_same_words() -> None:
    texts = [word + SAID[at % len(SAID)] for at, (word, _, _) in enumerate(dictionary()[::2000])]
    wanted = [tuple(rjieba.cut_for_search(text)) for text in texts]
    with ThreadPoolExecutor(4) as threads:
        for found in threads.map(lambda _: [segment.search_words(text) for text in texts], range(4)):
            assert found == wanted


@pytest.mark.req("K5", "S2")
@pytest.mark.usefixtures("looking_up")
def test_an_interrupt_while_words_come_in_changes_nothing_later(monkeypatch: pytest.MonkeyPatch) -> None:
    words = segment._Segmenter._words

    def interrupted(self: segment._Segmenter, beginning: str) -> Iterator[tuple[str, int, str]]:
        yield from words(self, beginning)
        if len(beginning) == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as struck:
        struck.setattr(segment._Segmenter, "_words", interrupted)
        for text in SAID[:3]:
            with pytest.raises(KeyboardInterrupt):
                segment.search_words(text)
    for text in SAID:
        assert segment.search_words(text) == tuple(rjieba.cut_for_search(text))
        assert segment.tagged(text) == rjieba.tag(text)
