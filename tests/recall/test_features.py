from __future__ import annotations

import json
from datetime import UTC, datetime
from importlib.resources import files

import numpy as np
import pytest

from yinji.model import Scope
from yinji.ports import Examined, Spread
from yinji.recall.analyse import analyse
from yinji.recall.features import FEATURES, Standing, measure, telling
from yinji.recall.trained import lens, ranker

STANDING = Standing(vector=Spread(count=10, mean=0.0, std=0.5), words=Spread(count=10, mean=1.0, std=2.0))
MODEL = "multilingual-e5-small-q4"


def examined(speakers: tuple[str, ...], holds: list[list[bool]] | None = None) -> Examined:
    count = len(speakers)
    numbers = np.ones(count, np.float32)
    terms = len(holds[0]) if holds else 0
    return Examined(
        ids=tuple(map(str, range(count))), languages=("zh",) * count, lengths=numbers, meaning=numbers, words=numbers,
        vectors=np.tile(np.array([[1.0, 0.0]], np.float32), (count, 1)),
        holds=np.array(holds if holds else np.zeros((count, 0)), np.bool_).reshape(count, terms),
        rarity=np.arange(1, terms + 1, dtype=np.float32), asks=np.zeros(count, np.bool_), speakers=speakers,
        before=(np.zeros(count, np.bool_), numbers, numbers),
    )  # fmt: skip


def features(text: str, seen: Examined) -> dict[str, list[float]]:
    query = analyse(text, scope=Scope(owner="me"), now=datetime(2026, 3, 1, tzinfo=UTC), past=False, language=None)
    return {name: values.tolist() for name, values in measure(query, seen, STANDING).items()}


@pytest.mark.req("R6")
@pytest.mark.parametrize("text", ["你上次推荐了哪本书？", "Which book did you recommend?"])
def test_a_question_to_the_assistant_favours_what_the_assistant_said(text: str) -> None:
    found = features(text, examined(("assistant", "AI伴侣", "Melanie", "")))
    assert found["assistant"] == found["assistant_asked"] == [1, 1, 0, 0]


@pytest.mark.req("R6")
@pytest.mark.parametrize("text", ["我推荐过哪本书？", "Which book did I recommend?"])
def test_a_question_about_oneself_does_not(text: str) -> None:
    found = features(text, examined(("assistant", "")))
    assert (found["assistant"], found["assistant_asked"]) == ([1, 0], [0, 0])


@pytest.mark.req("R6")
def test_rare_shared_words_count_more_than_common_ones() -> None:
    found = features("成都 火锅", examined(("", "", ""), [[True, False], [False, True], [True, True]]))
    assert found["covered"] == pytest.approx([1 / 3, 2 / 3, 1])
    assert found["rarest"][0] < found["rarest"][1] == found["rarest"][2]
    assert [bool(one) for one in found["pairs"]] == [False, False, True]


@pytest.mark.req("K5", "R6")
def test_the_characters_of_chinese_words_are_not_telling_terms() -> None:
    query = analyse(
        "成都的火锅", scope=Scope(owner="me"), now=datetime(2026, 3, 1, tzinfo=UTC), past=False, language=None
    )
    assert telling(query) == ("成都", "火锅")


@pytest.mark.req("R6")
def test_nothing_to_rank_is_no_error() -> None:
    assert all(values == [] for values in features("火锅?", examined(())).values())


@pytest.mark.req("R6")
@pytest.mark.parametrize("kind", ["meaning", "words"])
def test_the_ranker_that_ships_weighs_each_feature_and_no_other(kind: str) -> None:
    assert set(ranker(kind)) == set(FEATURES)


@pytest.mark.req("R6", "D2")
def test_what_ships_is_small_and_of_the_default_model() -> None:
    folder = files("yinji") / "data" / "models"
    sizes = [len(one.read_bytes()) for one in folder.iterdir() if one.name.startswith(("ranker", "lens"))]
    assert sum(sizes) < 1_000_000
    found = lens(MODEL)
    assert set(found.centres) == {"zh", "en"}
    assert found.turn is not None
    assert found.turn.shape == (384, 384)
    assert json.loads((folder / "ranker.json").read_text(encoding="utf-8"))


@pytest.mark.req("D2")
def test_a_model_without_a_lens_is_seen_about_the_owners_own_mean() -> None:
    assert lens("no-such-model").turn is None
