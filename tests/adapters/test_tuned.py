"""What the embedder's tuned layers tell, and what happens where they cannot be had."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from yinji.adapters import e5_tuned
from yinji.adapters.catalogue import load_embedder
from yinji.adapters.e5_cache import read_parts
from yinji.errors import ModelUnavailable
from yinji.model import Verdict
from yinji.ports import Discerning
from yinji.remember.discern import discerned, referring, tell

E5 = load_embedder("e5-small")
TEXTS = [("我住在杭州，上个月搬来的",), ("I moved to Hangzhou last month",), ("好的", "谢谢")]


def discerning() -> Discerning:
    assert isinstance(E5, Discerning)
    return E5


@pytest.mark.req("W6", "W9")
def test_each_text_gets_scores_of_each_head_in_order() -> None:
    found = discerning().discern(TEXTS, ("relation", "ends"))
    assert found is not None
    assert {name: scores.shape for name, scores in found.items()} == {"relation": (3, 7), "ends": (3, 1)}


@pytest.mark.req("W6", "W9")
def test_what_a_text_is_batched_with_changes_nothing() -> None:
    alone = [discerning().discern([text], ("relation",)) for text in TEXTS]
    together = discerning().discern([*TEXTS, ("很长的一句话" * 40,)], ("relation",))
    assert together is not None
    for number, one in enumerate(alone):
        assert one is not None
        np.testing.assert_allclose(one["relation"][0], together["relation"][number], atol=0.05)


@pytest.mark.req("W6")
@pytest.mark.parametrize("text", ["", "\0", "\ud83d", "🦊" * 300, "字" * 9000, "a" * 9000])
def test_any_text_is_taken(text: str) -> None:
    found = discerning().discern([(text, text)], ("relation",))
    assert found is not None
    assert np.isfinite(found["relation"]).all()


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("messages", "pronoun", "phrases"),
    [
        (("我姐下个月要去成都出差", "不用，她自己都安排好了"), (1, 3, 4), [(0, 0, 2), (0, 6, 8)]),
        (("my sister is off to Leeds", "no need, she has it all booked"), (1, 9, 12), [(0, 0, 9), (0, 20, 25)]),
    ],
)
def test_a_pronoun_is_scored_with_each_phrase_and_with_nothing(
    messages: tuple[str, ...], pronoun: tuple[int, int, int], phrases: list[tuple[int, int, int]]
) -> None:
    found = discerning().refer(messages, pronoun, phrases)
    assert found is not None
    assert found.shape == (3,)
    assert int(np.argmax(found)) == 0


@pytest.mark.req("W4")
def test_a_phrase_too_far_back_is_never_meant() -> None:
    messages = ("我姐要去成都", *["今天开会讲了很多别的事情，说来话长，一直说到晚上八点半。" * 3] * 3, "她到了")
    found = discerning().refer(messages, (4, 0, 1), [(0, 0, 2)])
    assert found is not None
    assert found[0] == -np.inf
    assert np.isfinite(found[1])


@pytest.mark.req("W6")
def test_a_head_that_there_is_not_is_named_in_the_error() -> None:
    with pytest.raises(ModelUnavailable, match="astrology"):
        discerning().discern([("x",)], ("astrology",))


@pytest.mark.req("W6", "O11")
def test_another_embedder_or_engine_leaves_it_to_the_older_models() -> None:
    hashing = load_embedder("hashing")
    assert tell(hashing, [("a", "b")]) == [None]
    assert referring(hashing) is None
    assert discerned(None, [("a",)], ("relation",)) is None
    assert load_embedder("e5-small-c").discern([("a",)], ("relation",)) is None  # type: ignore[attr-defined]


@pytest.mark.req("W6")
def test_a_damaged_file_in_the_cache_is_built_again(tmp_path: Path) -> None:
    embedder = load_embedder("e5-small", cache=tmp_path)
    assert isinstance(embedder, Discerning)
    first = embedder.discern([TEXTS[0]], ("relation",))
    (built,) = tmp_path.glob("*-tuned-*.bin")
    built.write_bytes(b"YINJI-E5 and then nothing")
    again = load_embedder("e5-small", cache=tmp_path)
    assert isinstance(again, Discerning)
    second = again.discern([TEXTS[0]], ("relation",))
    assert first is not None
    assert second is not None
    np.testing.assert_array_equal(first["relation"], second["relation"])
    assert "graph" in read_parts(built)


@pytest.mark.req("W6")
def test_the_heads_are_those_that_are_asked_for() -> None:
    assert {"relation", "ends"} == set(e5_tuned.heads())
    assert e5_tuned.arrays()["relation.bias"].shape == (len(Verdict),)
