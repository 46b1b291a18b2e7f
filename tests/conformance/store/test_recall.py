"""Finding memories by words and by vectors, and counting their use."""

from __future__ import annotations

import numpy as np
import pytest

from tests.conformance.store_cases import (
    DAY,
    DIM,
    ME,
    MODEL,
    NOW,
    entry,
    ids,
    new,
    vector,
)
from yinji.errors import StoreError
from yinji.ports import Store


def bm25(terms: list[str], documents: dict[str, list[str]], k1: float, b: float) -> dict[str, float]:
    """The formula, said plainly."""
    average = sum(map(len, documents.values())) / len(documents)
    scores = {}
    for name, words in documents.items():
        score = 0.0
        for term in set(terms):
            holding = sum(term in each for each in documents.values())
            idf = np.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
            count = words.count(term)
            score += idf * count * (k1 + 1) / (count + k1 * (1 - b + b * len(words) / average))
        if score:
            scores[name] = float(score)
    return scores


@pytest.mark.req("K5", "R4")
@pytest.mark.parametrize(
    "asked",
    [["止损"], ["c盘", "满"], ["重跑", "gen-itgc", "后"], ["api", "配置", "api"], ["run", "marathon"], ["没有"]],
)
def test_words_are_scored_by_bm25_of_the_owners_own_memories(store: Store, asked: list[str]) -> None:
    from yinji.adapters.sqlite.search import K1, B

    documents = {
        "a": ["设置", "止损", "百分", "之", "五"],
        "b": ["C盘", "满", "满", "了"],
        "c": ["重跑", "gen-itgc", "后", "报错"],
        "d": ["API", "配置", "改", "了", "api", "三", "次"],
        "e": ["run", "marathon", "in", "berlin"],
    }
    store.import_memories([new(entry(name), *terms) for name, terms in documents.items()], at=NOW)
    lower = {name: [term.lower() for term in terms] for name, terms in documents.items()}
    ranking = store.words(ME, asked, limit=9)
    expected = bm25(asked, lower, K1, B)
    assert {hit.id: hit.score for hit in ranking.hits} == pytest.approx(expected, rel=1e-5)
    assert [hit.score for hit in ranking.hits] == sorted((hit.score for hit in ranking.hits), reverse=True)
    if spread := ranking.spread.get("zh"):
        full = [expected.get(name, 0.0) for name in documents]
        assert (spread.count, spread.mean, spread.std) == pytest.approx((5, np.mean(full), np.std(full)), rel=1e-5)


@pytest.mark.req("K4", "K5")
def test_another_owner_never_shifts_a_score(store: Store) -> None:
    store.import_memories([new(entry("a"), "香菜"), new(entry("b"), "米饭")], at=NOW)
    before = store.words(ME, ["香菜"], limit=9), store.vectors(ME, vector("问"), model=MODEL, limit=9)
    store.import_memories([new(entry(f"y{n}", owner="you"), "香菜", "米饭", "面") for n in range(30)], at=NOW)
    assert before == (store.words(ME, ["香菜"], limit=9), store.vectors(ME, vector("问"), model=MODEL, limit=9))


@pytest.mark.req("K6", "R4")
def test_cosines_survive_being_stored_small(store: Store) -> None:
    store.import_memories(
        [new(entry(f"m{n}", f"第{n}条", language="en" if n % 3 else "zh")) for n in range(60)], at=NOW
    )
    asked = vector("问题")
    exact = {f"m{n}": float(vector(f"第{n}条") @ asked) for n in range(60)}
    ranking = store.vectors(ME, asked, model=MODEL, limit=60)
    assert {hit.id: hit.score for hit in ranking.hits} == pytest.approx(exact, abs=0.01)
    for n in range(60):
        (same,) = store.nearest("me", vector(f"第{n}条"), model=MODEL, limit=1)
        assert same.id == f"m{n}"
        assert same.score >= 0.999
    zh = [exact[f"m{n}"] for n in range(0, 60, 3)]
    spread = ranking.spread["zh"]
    assert (spread.count, spread.mean, spread.std) == pytest.approx((20, np.mean(zh), np.std(zh)), abs=0.01)
    assert ranking.spread["en"].count == 40


@pytest.mark.req("R4")
def test_the_best_come_first_and_asked_for_ones_come_along(store: Store) -> None:
    store.import_memories([new(entry(f"m{n}", f"第{n}条")) for n in range(20)], at=NOW)
    full = [hit.id for hit in store.vectors(ME, vector("问"), model=MODEL, limit=20).hits]
    some = store.vectors(ME, vector("问"), model=MODEL, limit=3, also=[full[-1], full[0], "no such"]).hits
    assert [hit.id for hit in some] == [*full[:3], full[-1]]
    store.hide("me", [full[-1]], at=NOW, actor="user", reason="")
    assert len(store.vectors(ME, vector("问"), model=MODEL, limit=3, also=[full[-1]]).hits) == 3


@pytest.mark.req("K6", "F39")
def test_vectors_of_two_models_never_meet(store: Store) -> None:
    store.import_memories([new(entry("a"))], at=NOW)
    assert store.model() == (MODEL, DIM)
    assert store.vectors(ME, vector("问"), model="other", limit=9).hits == ()
    assert store.nearest("me", vector("问", 8), model=MODEL, limit=9) == []
    with pytest.raises(StoreError, match="other"):
        store.set_model("other", DIM)
    with pytest.raises(StoreError, match="other"):
        store.import_memories([new(entry("b", model="other"))], at=NOW)
    store.set_model(MODEL, DIM)
    assert ids(store.words(ME, ["用户不吃香菜"], limit=9).hits) == ["a"]


@pytest.mark.req("W14", "R12")
def test_a_memory_without_a_vector_is_found_by_words_and_embedded_later(store: Store) -> None:
    store.set_model(MODEL, DIM)
    store.import_memories([new(entry("a", model=None), "香菜")], at=NOW)
    assert store.stats("me").without_vector == 1
    assert store.without_vector(MODEL, limit=9) == [("me", "a", "用户不吃香菜")]
    assert [hit.id for hit in store.words(ME, ["香菜"], limit=9).hits] == ["a"]
    assert store.vectors(ME, vector("问"), model=MODEL, limit=9).hits == ()
    store.put_vectors(
        [("me", "a", vector("x")), ("me", "gone", vector("y")), ("nobody", "a", vector("z"))], model=MODEL
    )
    assert [hit.id for hit in store.vectors(ME, vector("x"), model=MODEL, limit=9).hits] == ["a"]
    assert store.without_vector(MODEL, limit=9) == []
    assert store.get("me", ["a"])[0].model == MODEL


@pytest.mark.req("L1", "R1")
def test_real_uses_are_counted_for_ninety_days(store: Store) -> None:
    store.import_memories([new(entry("a")), new(entry("b"))], at=NOW)
    assert store.touch("me", ["a", "b", "gone"], at=NOW) == 2
    assert store.touch("me", ["a"], at=NOW + DAY) == 1
    (used,) = store.get("me", ["a"])
    assert (used.recalls, used.recalls_90d, used.accessed_at) == (2, 2, NOW + DAY)
    store.touch("me", ["a"], at=NOW + 90 * DAY)
    (used,) = store.get("me", ["a"])
    assert (used.recalls, used.recalls_90d) == (3, 2)
    assert store.touch("you", ["a"], at=NOW) == 0
