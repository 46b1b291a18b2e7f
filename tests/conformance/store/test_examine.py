"""Looking closely at a few memories beside a question."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.conformance.store_cases import ME, MODEL, NOW, entry, new, vector
from yinji.model import Role, Source
from yinji.ports import Examined, Lens, Probe, Store

ASKED = vector("问")
CENTRE = vector("众")
LENS = Lens(centres={"zh": CENTRE}, weight=2.0, turn=np.outer(vector("转"), vector("向")).astype(np.float32))


def probe(**changes: object) -> Probe:
    plain = Probe(
        terms=("香菜", "面"), weights={"香菜": 1.0, "面": 1.0, "的": 0.5}, language="zh", vector=ASKED, model=MODEL
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def said(seq: int, session: str = "s", role: Role = Role.USER) -> tuple[Source, ...]:
    return (
        Source(turn_id=f"{session}{seq}", session=session, seq=seq, role=role, start=0, end=1, quote="", at=NOW),
    )  # fmt: skip


def examine(store: Store, *ids: str, **changes: object) -> Examined:
    return store.examine(ME, ids, probe(**changes))


@pytest.mark.req("R6", "K4")
def test_memories_come_in_the_order_asked_and_only_those_in_scope(store: Store) -> None:
    store.import_memories([new(entry(name, name)) for name in "abc"], at=NOW)
    store.import_memories([new(entry("d", owner="you"))], at=NOW)
    store.hide("me", ["b"], at=NOW, actor="user", reason="")
    seen = examine(store, "c", "b", "gone", "d", "a")
    assert seen.ids == ("c", "a")
    assert examine(store).ids == ()
    assert store.examine(replace(ME, owner="nobody"), ["a"], probe()).ids == ()


@pytest.mark.req("R6")
def test_scores_and_words_are_those_of_the_paths(store: Store) -> None:
    store.import_memories(
        [new(entry("a"), "香菜", "面"), new(entry("b", "面"), "面"), new(entry("c", "的"), "的")], at=NOW
    )
    seen = examine(store, "a", "b", "c")
    near = {hit.id: hit.score for hit in store.vectors(ME, ASKED, model=MODEL, limit=9).hits}
    words = {hit.id: hit.score for hit in store.words(ME, ["香菜", "面", "的"], limit=9, weights={"的": 0.5}).hits}
    assert dict(zip(seen.ids, seen.meaning.tolist(), strict=True)) == pytest.approx(near)
    assert dict(zip(seen.ids, seen.words.tolist(), strict=True)) == pytest.approx(words)
    assert seen.holds.tolist() == [[True, True], [False, True], [False, False]]
    assert seen.rarity[0] > seen.rarity[1]


@pytest.mark.req("R6")
def test_without_vectors_meaning_is_nothing(store: Store) -> None:
    store.import_memories([new(entry("a", model=None), "香菜")], at=NOW)
    for seen in (examine(store, "a"), examine(store, "a", vector=None, model=None)):
        assert seen.meaning.tolist() == [0.0]
        assert not seen.vectors.any()
        assert seen.words[0] > 0


@pytest.mark.req("R6")
def test_a_lens_takes_away_what_all_texts_share_and_turns_the_question(store: Store) -> None:
    texts = {name: f"第{name}条" for name in "abcde"}
    store.import_memories([new(entry(name, text)) for name, text in texts.items()], at=NOW)
    store.import_memories([new(entry("out", "第六条"))], at=NOW)
    store.erase("me", ["out"], at=NOW, actor="user")
    vectors = np.stack([vector(text) for text in texts.values()])
    mean = (vectors.sum(axis=0) + 2 * CENTRE) / 7
    apart = vectors - mean
    apart /= np.linalg.norm(apart, axis=1, keepdims=True)
    asked = (ASKED - mean) / np.linalg.norm(ASKED - mean)
    assert LENS.turn is not None
    expected = apart @ (asked + asked @ LENS.turn)
    seen = examine(store, *texts, lens=LENS)
    assert seen.meaning.tolist() == pytest.approx(expected.tolist(), abs=0.02)
    assert np.abs(seen.vectors - apart).max() < 0.02
    ranking = store.vectors(ME, ASKED, model=MODEL, limit=9, lens=LENS, language="zh")
    assert {hit.id: hit.score for hit in ranking.hits} == pytest.approx(
        dict(zip(seen.ids, seen.meaning.tolist(), strict=True)), abs=1e-5
    )
    plain = {hit.id: hit.score for hit in store.vectors(ME, ASKED, model=MODEL, limit=9).hits}
    assert {hit.id: hit.cosine for hit in ranking.hits} == pytest.approx(plain, abs=1e-5)


@pytest.mark.req("R6")
def test_what_was_said_right_before_is_looked_at_in_its_own_session_alone(store: Store) -> None:
    store.import_memories(
        [
            new(entry("asks", "吃面吗？", sources=said(1)), "面"),
            new(entry("answers", "吃。", sources=said(2))),
            new(entry("later", "好。", sources=said(9))),
            new(entry("elsewhere", "吃。", sources=said(2, "other"))),
            new(entry("nowhere", "吃。", sources=said(-1))),
        ],
        at=NOW,
    )
    seen = examine(store, "asks", "answers", "later", "elsewhere", "nowhere")
    asks, meaning, words = seen.before
    assert seen.asks.tolist() == [True, False, False, False, False]
    assert asks.tolist() == [False, True, False, False, False]
    assert words[1] == pytest.approx(seen.words[0])
    assert meaning[1] == pytest.approx(seen.meaning[0])
    assert not words[[0, 2, 3, 4]].any()
    store.hide("me", ["asks"], at=NOW, actor="user", reason="")
    hidden = examine(store, "answers")
    assert [part.tolist() for part in hidden.before] == [[False], [0.0], [0.0]]


@pytest.mark.req("R6")
def test_who_said_it_is_the_name_before_it_or_the_assistant(store: Store) -> None:
    store.import_memories(
        [
            new(entry("a", "Ida: I like tea")),
            new(entry("b", "读过《百年孤独》", sources=said(1, role=Role.ASSISTANT))),
            new(entry("c", "一句没有名字的话，说得很长很长，过了一会儿后面才有一个: 冒号，所以不是谁说的")),
        ],
        at=NOW,
    )
    assert examine(store, "a", "b", "c").speakers == ("Ida", "assistant", "")


@pytest.mark.req("R6", "R11")
def test_a_change_is_seen_by_the_next_look(store: Store) -> None:
    store.import_memories([new(entry("a"), "香菜")], at=NOW)
    before = examine(store, "a")
    store.import_memories([new(entry(f"b{n}", f"第{n}条"), "香菜") for n in range(3)], at=NOW)
    after = examine(store, "a")
    assert after.words[0] < before.words[0]
    assert after.rarity[0] < before.rarity[0]


@pytest.mark.req("R13", "K4")
def test_index_terms_are_given_as_they_were_put_and_only_the_owners(store: Store) -> None:
    store.import_memories([new(entry("a"), "香菜", "面", "香菜"), new(entry("b", "noodles"))], at=NOW)
    store.import_memories([new(entry("c", "面", owner="you"))], at=NOW)
    assert store.terms("me", ["b", "a", "c", "x"]) == {"a": ("香菜", "面", "香菜"), "b": ("noodles",)}
    wanted = {"香菜", "no"}
    assert store.sharing("me", ["b", "a", "c"], wanted) == {"a": {"香菜"}, "b": frozenset()}
    assert store.sharing("nobody", ["a"], wanted) == store.terms("nobody", ["a"]) == {}
