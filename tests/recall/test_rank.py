from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yinji import Memory, Settings
from yinji.model import Candidate, Kind, Layer, MemoryEntry, Query, Scope
from yinji.ports import ModelCard, Ranking, Scored, Spread
from yinji.recall.rank import fuse, rank, weigh
from yinji.recall.spread import pool

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SETTINGS = Settings.load(environment={})
CARD = ModelCard(id="m", dim=2, licence="", source="", duplicate_point={}, relevance_floor={"zh": 0.5, "en": 0.5})


def memory(number: int, language: str = "zh", **changes: object) -> MemoryEntry:
    values: dict[str, object] = {
        "id": str(number), "owner": "me", "content": f"memory {number}", "kind": Kind.FACT, "layer": Layer.SEMANTIC,
        "language": language, "importance": 0.5, "confidence": 1.0, "created_at": NOW, "updated_at": NOW,
        "recorded_at": NOW - timedelta(days=number),
    }  # fmt: skip
    return MemoryEntry(**(values | changes))  # type: ignore[arg-type]


def query(language: str = "zh") -> Query:
    return Query(text="?", language=language, scope=Scope(owner="me"), terms=("x",), now=NOW)


def ranking(scores: dict[int, float], language: str = "zh", count: int = 100, mean: float = 0.0) -> Ranking:
    hits = sorted(scores.items(), key=lambda one: -one[1])
    return Ranking(
        hits=tuple(Scored(id=str(number), score=score, language=language) for number, score in hits),
        spread={language: Spread(count=count, mean=mean, std=0.1)},
    )


def ranked(rankings: dict[str, Ranking], memories: list[MemoryEntry]) -> list[Candidate]:
    fused = fuse(query(), rankings, settings=SETTINGS.recall, card=CARD)
    return weigh(query(), fused, memories, SETTINGS)


def order(rankings: dict[str, Ranking], memories: list[MemoryEntry]) -> list[str]:
    return [one.memory.id for one in ranked(rankings, memories)]


@pytest.mark.req("R5", "R6")
@settings(deadline=None)
@given(st.dictionaries(st.integers(1, 9), st.floats(0.01, 3), min_size=1), st.data())
def test_the_order_of_paths_changes_no_score(words: dict[int, float], data: st.DataObject) -> None:
    near = {number: data.draw(st.floats(0.6, 0.99)) for number in words}
    memories = [memory(number) for number in words]
    one = {"words": ranking(words), "vector": ranking(near, mean=0.5)}
    other = dict(reversed(one.items()))
    assert order(one, memories) == order(other, memories)


@pytest.mark.req("R10")
def test_the_factors_add_up_to_the_score() -> None:
    found = ranked(
        {"words": ranking({1: 2.0, 2: 1.0}), "vector": ranking({1: 0.9, 2: 0.8, 3: 0.9}, mean=0.5)},
        [memory(1), memory(2), memory(3)],
    )
    assert [one.score for one in found] == [pytest.approx(sum(one.factors.values())) for one in found]
    assert {one.path for one in found[0].paths} == {"words", "vector"}


@pytest.mark.req("R8", "L1")
def test_of_two_that_answer_alike_the_stronger_comes_first() -> None:
    twice = {"words": ranking({1: 1.0, 2: 1.0})}
    assert order(twice, [memory(1), memory(2, importance=0.9, pinned=True)]) == ["2", "1"]


@pytest.mark.req("R2", "F46")
def test_what_shares_no_word_and_is_not_near_does_not_answer() -> None:
    far = {"words": ranking({}), "vector": ranking({1: 0.45, 2: 0.55}, mean=0.5)}
    assert order(far, [memory(1), memory(2)]) == []


@pytest.mark.req("R2", "F47")
def test_what_stands_out_in_meaning_answers_without_a_shared_word() -> None:
    assert order({"words": ranking({}), "vector": ranking({1: 0.7}, mean=0.5)}, [memory(1)]) == ["1"]


@pytest.mark.req("R6", "R10")
@given(st.dictionaries(st.integers(1, 9), st.floats(0.01, 3), min_size=1))
def test_the_ranker_orders_by_the_sum_of_its_factors_and_loses_nothing(words: dict[int, float]) -> None:
    fused = fuse(query(), {"words": ranking(words)}, settings=SETTINGS.recall, card=None)
    features = {"asks": [float(int(one.id) % 2) for one in fused], "length": [float(one.id) for one in fused]}
    found = rank(fused, features, {"asks": -1.0, "length": 0.5})
    assert {one.id for one in found} == {one.id for one in fused}
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert all(one.score == -1.0 * (int(one.id) % 2) + 0.5 * int(one.id) for one in found)


@given(st.lists(st.lists(st.floats(-5, 5), min_size=1, max_size=9), min_size=1, max_size=4))
def test_pooled_spreads_are_those_of_all_scores_together(groups: list[list[float]]) -> None:
    import numpy as np

    spreads = [Spread(count=len(g), mean=float(np.mean(g)), std=float(np.std(g))) for g in groups]
    every = [one for group in groups for one in group]
    pooled = pool(spreads)
    assert pooled.count == len(every)
    assert pooled.mean == pytest.approx(np.mean(every), abs=1e-9)
    assert pooled.std == pytest.approx(np.std(every), abs=1e-6)


LIFE_ZH = [
    "用户每周二晚上去上陶艺课",
    "用户的车停在地下二层B区",
    "用户最近在读《百年孤独》",
    "用户早饭只喝豆浆",
    "用户的猫叫年糕，今年三岁",
    "用户在准备注册会计师考试",
    "用户周末常去莫干山骑车",
]
LIFE_EN = [
    "The user's flight to Lisbon is in June",
    "The user plays bass in a band",
    "The user's landlord is Mr Ortega",
    "The user deploys with Nomad",
    "The user is allergic to penicillin",
    "The user's sister studies law",
    "The user is saving for a sailing boat",
]


@pytest.mark.req("R1", "F48")
@pytest.mark.parametrize(
    ("asked", "gold"), [("我的猫年糕几岁", LIFE_ZH[4]), ("Am I allergic to penicillin?", LIFE_EN[4])]
)
def test_scores_differ_from_hit_to_hit(asked: str, gold: str, open_memory: Callable[..., Memory]) -> None:
    memory = open_memory()
    memory.import_([{"content": one} for one in LIFE_ZH + LIFE_EN])
    found = memory.recall(asked, top_k=10)
    assert found[0].memory.content == gold
    assert len({hit.score for hit in found}) == len(found)


@pytest.mark.req("R10", "F49")
@pytest.mark.parametrize(
    ("asked", "language", "why"),
    [
        ("年糕几岁了", "zh", "因为你提到了“年糕”"),
        ("Where do we deploy with Nomad?", "en", "because you mentioned “deploy”, “Nomad”"),
        ("年糕几岁了", "en", "because you mentioned “年糕”"),
    ],
)
def test_every_hit_says_why_it_came_in_the_askers_language(
    asked: str, language: str, why: str, open_memory: Callable[..., Memory]
) -> None:
    memory = open_memory()
    memory.import_([{"content": one} for one in LIFE_ZH + LIFE_EN])
    assert memory.recall(asked, language=language)[0].why.startswith(why)


@pytest.mark.req("R4", "R6")
@pytest.mark.parametrize(
    ("asked", "question", "answer"),
    [
        ("我的猫叫什么名字？", "你家那只猫叫什么名字？", "年糕"),
        ("What is my cat called?", "What is that cat called?", "Marconi"),
    ],
)
def test_the_line_that_answers_a_question_like_it_answers_too(
    asked: str, question: str, answer: str, open_memory: Callable[..., Memory]
) -> None:
    memory = open_memory()
    others = [{"content": one, "session": f"other {number}"} for number, one in enumerate(LIFE_ZH[:3] + LIFE_EN[:3])]
    memory.import_(
        [*others, {"content": question, "session": "s", "seq": 4}, {"content": answer, "session": "s", "seq": 5}]
    )
    (beside,) = [hit for hit in memory.recall(asked, top_k=10) if hit.memory.content == answer]
    assert beside.factors["answers"] > 0


@pytest.mark.req("R3", "R10")
def test_the_language_of_the_reasons_is_not_taken_for_the_questions(open_memory: Callable[..., Memory]) -> None:
    memory = open_memory()
    memory.import_([{"content": one} for one in LIFE_ZH])
    asked = "What is my cat called?"
    ids = [hit.memory.id for hit in memory.recall(asked)]
    assert [hit.memory.id for hit in memory.recall(asked, language="zh")] == ids
    assert [hit.memory.id for hit in memory.recall(asked, language="en")] == ids
