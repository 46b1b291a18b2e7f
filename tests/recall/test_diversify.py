from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.recall.test_rank import memory
from yinji import Memory, Settings
from yinji.model import Candidate, PathRank
from yinji.recall.diversify import diversify

LIKE = 0.8


def candidate(number: int, score: float, path: str = "words") -> Candidate:
    paths = (PathRank(path=path, rank=1, score=1.0, z=1.0),)
    return Candidate(memory=memory(number), score=score, paths=paths, factors={"words": score})


def order(candidates: list[Candidate], vectors: list[list[float]], top: int = 9) -> list[str]:
    found = np.array(vectors, np.float32)
    return [one.memory.id for one in diversify(candidates, found, top=top, weight=1.0, since=LIKE)]


@pytest.mark.req("R7")
@settings(deadline=None)
@given(st.lists(st.floats(-3, 3), max_size=8), st.integers(0, 9), st.data())
def test_nothing_is_dropped_and_scores_still_fall(scores: list[float], top: int, data: st.DataObject) -> None:
    candidates = [candidate(number, score) for number, score in enumerate(sorted(scores, reverse=True))]
    angles = [data.draw(st.floats(0, 3.1)) for _ in scores]
    vectors = np.array([[np.cos(one), np.sin(one)] for one in angles], np.float32).reshape(-1, 2)
    found = diversify(candidates, vectors, top=top, weight=1.0, since=LIKE)
    assert sorted(one.memory.id for one in found) == sorted(one.memory.id for one in candidates)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert all(one.score == pytest.approx(sum(one.factors.values())) for one in found)


@pytest.mark.req("R7")
def test_what_says_the_same_as_a_better_one_comes_after_what_says_more() -> None:
    three = [candidate(1, 2.0), candidate(2, 1.9), candidate(3, 1.5)]
    assert order(three, [[1, 0], [1, 0], [0, 1]]) == ["1", "3", "2"]


@pytest.mark.req("R7")
def test_several_memories_on_one_subject_stay_where_they_are() -> None:
    three = [candidate(1, 2.0), candidate(2, 1.9), candidate(3, 1.5)]
    assert order(three, [[1, 0], [0.7, 0.714], [0, 1]]) == ["1", "2", "3"]


@pytest.mark.req("R7", "R13")
def test_the_links_of_a_chain_are_never_demoted() -> None:
    three = [candidate(1, 2.0), candidate(2, 1.9, path="graph"), candidate(3, 1.5)]
    assert order(three, [[1, 0], [1, 0], [0, 1]]) == ["1", "2", "3"]


@pytest.mark.req("R7")
@pytest.mark.parametrize(
    ("said", "other", "asked"),
    [
        ("用户的猫叫年糕，今年三岁", "用户的猫对鱼过敏", "我的猫怎么样？"),
        ("The user's cat Marconi is three years old", "The user's cat is allergic to fish", "What about my cat?"),
    ],
)
def test_the_same_said_three_times_leaves_room_for_the_rest(
    said: str, other: str, asked: str, open_memory: Callable[..., Memory], hashing: Settings
) -> None:
    memory = open_memory(settings=hashing.with_values("recall", {"weight_repeats": 3.0}))
    memory.import_([{"content": f"{said}{mark}"} for mark in ("", " 1", " 2")] + [{"content": other}])
    found = memory.recall(asked, top_k=4)
    assert len(found) == 4
    assert other in [hit.memory.content for hit in found[:2]]
    assert found[-1].factors["repeats"] < 0
