"""The floor is exact BM25, in both languages."""

import math

import pytest

from yinji.evals.floor import WordIndex, index, search

pytestmark = pytest.mark.req("E1")


def test_scores_are_bm25_as_worked_out_by_hand() -> None:
    words = WordIndex([["red", "fox"], ["red", "red", "dog", "barks"], ["cat"]], k1=1.2, b=0.75)
    average = 7 / 3
    rarity = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))

    def score(times: int, length: int) -> float:
        return rarity * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * length / average))

    assert search_scores(words, ["red"]) == pytest.approx({1: score(2, 4), 0: score(1, 2)})


def test_a_term_asked_twice_counts_twice() -> None:
    words = WordIndex([["red"], ["cat"]])
    assert search_scores(words, ["red", "red"])[0] == pytest.approx(2 * search_scores(words, ["red"])[0])


def test_of_equal_scores_the_earlier_text_comes_first() -> None:
    words = WordIndex([["tea"], ["milk"], ["tea"], ["tea"]])
    assert [at for at, _ in words.search(["tea"], 10)] == [0, 2, 3]
    assert [at for at, _ in words.search(["tea"], 2)] == [0, 2]


def test_what_shares_no_word_is_not_found() -> None:
    assert WordIndex([["tea"]]).search(["coffee"], 5) == []
    assert WordIndex([]).search(["coffee"], 5) == []


@pytest.mark.parametrize(
    ("texts", "question", "first"),
    [
        (["今天下雨了", "我对芒果过敏", "我在学钢琴"], "我对什么过敏？", 1),
        (["我妹妹在学法语", "止损点设在三千二", "我的猫叫年糕"], "止损设在哪里", 1),
        (["It rains", "I am allergic to mangoes", "I play piano"], "What allergies do I have, mango?", 1),
        (["My sister studies French", "The server listens on port 8443"], "which port does the server use", 1),
    ],
)
def test_words_are_found_in_both_languages(texts: list[str], question: str, first: int) -> None:
    assert search(index(texts), question, 3)[0][0] == first


def search_scores(words: WordIndex, terms: list[str]) -> dict[int, float]:
    return dict(words.search(terms, 10))
