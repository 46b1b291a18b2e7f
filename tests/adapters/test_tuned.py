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
    ("messages", "pronoun", "meant"),
    [
        (("我姐下个月要去成都出差", "不用，她自己都安排好了"), (1, 3, 4), "我姐"),
        (("my sister is off to Leeds", "no need, she has it all booked"), (1, 9, 12), "my sister"),
        (("我爸上周住院了", "医生说他下周二出院"), (1, 3, 4), "我爸"),
        (("Tom's been promoted", "he starts Monday"), (1, 0, 2), "Tom"),
    ],
)
def test_a_pronoun_points_to_the_words_that_it_stands_for(
    messages: tuple[str, ...], pronoun: tuple[int, int, int], meant: str
) -> None:
    found = discerning().refer(messages, [False, False], pronoun)
    assert found is not None
    (number, start, end), chance = found.phrases[0]
    assert meant.endswith(messages[number][start:end])  # Whose sister it is, is put back in (test_read_pronouns).
    assert chance > found.nothing
    assert sum(each for _, each in found.phrases) + found.nothing <= 1.0 + 1e-6


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("messages", "pronoun"),
    [(("买了把伞", "又下了，它可真能下"), (1, 4, 5)), (("I bought an umbrella", "it is raining again"), (1, 0, 2))],
)
def test_what_stands_for_nothing_is_told_so(messages: tuple[str, ...], pronoun: tuple[int, int, int]) -> None:
    found = discerning().refer(messages, [False, False], pronoun)
    assert found is not None
    assert 0.0 <= found.nothing <= 1.0


@pytest.mark.req("W4")
def test_what_is_too_far_back_is_not_pointed_to() -> None:
    messages = ("我姐要去成都", *["今天开会讲了很多别的事情，说来话长，一直说到晚上八点半。" * 3] * 4, "她到了")
    found = discerning().refer(messages, [False] * 6, (5, 0, 1))
    assert found is not None
    assert all(number > 0 for (number, _, _), _ in found.phrases)


@pytest.mark.req("W4")
@pytest.mark.parametrize("text", ["", "\u2581\u2581", "🦊🦊 它", "Le café naïve", "字" * 3000, "a  b\t c\n"])
def test_any_message_may_stand_before_a_pronoun(text: str) -> None:
    found = discerning().refer((text, "it broke"), [True, False], (1, 0, 2))
    assert found is not None
    assert all(0 <= start < end <= len((text, "it broke")[number]) for (number, start, end), _ in found.phrases)


@pytest.mark.req("R2", "R6")
def test_what_answers_a_question_scores_above_what_is_only_about_the_same() -> None:
    pairs = [
        ("我女儿在哪上学？", "用户的女儿在双流中学读高二"),
        ("我女儿在哪上学？", "用户的女儿对花生过敏"),
        ("where does my daughter go to school?", "The user's daughter is in her second year at Hartcliffe High"),
        ("where does my daughter go to school?", "The user's daughter is allergic to peanuts"),
    ]
    found = discerning().discern(pairs, ("answers",))
    assert found is not None
    yes_zh, no_zh, yes_en, no_en = found["answers"][:, 0]
    assert yes_zh > 0 > no_zh
    assert yes_en > 0 > no_en


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
    told = {head: file for file in {*e5_tuned.HEADS.values()} for head in _heads_of(file)}
    assert told == e5_tuned.HEADS
    assert e5_tuned.arrays(e5_tuned.TUNED)["relation.bias"].shape == (len(Verdict),)


def _heads_of(file: str) -> list[str]:
    return [name.removesuffix(".look") for name in e5_tuned.arrays(file) if name.endswith(".look")]


@pytest.mark.req("W4")
@pytest.mark.parametrize(
    ("said", "start"), [("他说" + "今天又下雨了，" * 60, 0), ("she said it " + "rained again today and " * 60, 0)]
)
def test_a_pronoun_with_too_much_behind_it_is_left_to_the_older_models(said: str, start: int) -> None:
    assert discerning().refer(["我姐来了", said], [False, False], (1, start, start + 1)) is None
