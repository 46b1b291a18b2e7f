"""The embedder in use: a cache of questions, release after idle, and what happens when a model fails."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.conftest import StandingClock
from tests.fakes import OtherModel
from yinji import Memory, Settings, build
from yinji.embedding import Embedding, Stopped
from yinji.errors import ModelUnavailable
from yinji.ports import Pointed, Purpose, Span


class Counting(OtherModel):
    """Counts what is asked of it, and fails while it is told to."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Purpose]] = []
        self.released = 0
        self.warmed = 0
        self.broken = False

    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> NDArray[np.float32]:
        if self.broken:
            raise ModelUnavailable(model="other-v1", problem="the weights are gone")
        self.asked += [(text, purpose) for text in texts]
        return super().embed(texts, purpose=purpose)

    def warm_up(self) -> None:
        self.warmed += 1

    def release(self) -> None:
        self.released += 1


class Telling(Counting):
    """Tells of a text how long it is, for each head, and counts what is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[tuple[str, ...]] = []
        self.referred: list[Span] = []

    def discern(self, texts: Sequence[Sequence[str]], heads: Sequence[str]) -> Mapping[str, NDArray[np.float32]] | None:
        if self.broken:
            raise ModelUnavailable(model="other-v1", problem="no such layers")
        self.told += map(tuple, texts)
        lengths = np.array([[float(sum(map(len, parts)))] for parts in texts], np.float32)
        return {head: lengths + len(head) for head in heads}

    def refer(self, messages: Sequence[str], spoken: Sequence[bool], pronoun: Span) -> Pointed | None:
        self.referred.append(pronoun)
        return Pointed(phrases=(((0, 0, 2), 0.9),), nothing=0.1)


@pytest.fixture
def model() -> Counting:
    return Counting()


@pytest.fixture
def embedding(model: Counting, clock: StandingClock) -> Embedding:
    return Embedding(model, batch=2, idle_minutes=30, clock=clock)


@pytest.mark.req("R11")
def test_a_question_asked_twice_is_embedded_once(embedding: Embedding, model: Counting) -> None:
    for question in ("我住在哪", "where", "我住在哪"):
        embedding.query(question)
    assert model.asked == [("我住在哪", "query"), ("where", "query")]
    embedding.forget_queries()
    embedding.query("where")
    assert len(model.asked) == 3


@pytest.mark.req("R11", "O7")
def test_what_the_tuned_layers_told_is_asked_once_until_something_is_forgotten(clock: StandingClock) -> None:
    model = Telling()
    embedding = Embedding(model, batch=2, idle_minutes=30, clock=clock)
    first = [("我住在哪", "住在杭州"), ("where", "in Leeds")]
    embedding.discern(first, ("answers",))
    told = embedding.discern([("我住在哪", "住在成都市"), *first], ("answers",))
    assert told is not None
    assert [float(one) for (one,) in told["answers"]] == [16, 15, 20]
    assert model.told == [*first, ("我住在哪", "住在成都市")]
    embedding.discern(first, ("ends",))
    assert model.told[3:] == first
    embedding.forget_queries()
    embedding.discern(first, ("answers",))
    assert model.told[5:] == first


@pytest.mark.req("D5")
def test_what_the_tuned_layers_cannot_tell_is_not_kept(clock: StandingClock) -> None:
    model = Telling()
    embedding = Embedding(model, batch=2, idle_minutes=30, clock=clock)
    model.broken = True
    assert embedding.discern([("我的猫",)], ("answers",)) is None
    model.broken = False
    clock.move(minutes=6)
    assert embedding.discern([("我的猫",)], ("answers",)) is not None
    assert Embedding(Counting(), batch=2, idle_minutes=30, clock=clock).discern([("cat",)], ("answers",)) is None


@pytest.mark.req("W13", "P3")
@pytest.mark.parametrize("said", ["我住在杭州，养了一只猫叫芝麻", "I live in Leeds and my cat is called Pepper"])
def test_reading_that_is_interrupted_is_given_up_and_done_by_the_next_to_open_the_file(
    open_memory: Callable[..., Memory], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, go_on = threading.Event(), threading.Event()
    embed = Embedding.embed

    def slow(embedding: Embedding, texts: Sequence[str], *, purpose: Purpose = "passage") -> NDArray[np.float32]:
        started.set()
        go_on.wait()
        found: NDArray[np.float32] = embed(embedding, texts, purpose=purpose)
        return found

    def interrupted() -> None:
        with open_memory() as memory:
            stop = memory._embedding.stop
            monkeypatch.setattr(memory._embedding, "stop", lambda: (stop(), go_on.set()))
            memory.remember(said)
            started.wait()
            raise KeyboardInterrupt

    monkeypatch.setattr(Embedding, "embed", slow)
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    monkeypatch.setattr(Embedding, "embed", embed)
    with open_memory() as again:
        assert again.stats().pending == 1
        again.flush()
        assert again.list()


@pytest.mark.req("W13")
def test_who_asks_for_vectors_after_a_stop_is_told_to_give_up(clock: StandingClock) -> None:
    embedding = Embedding(Telling(), batch=2, idle_minutes=30, clock=clock)
    embedding.stop()
    with pytest.raises(Stopped):
        embedding.embed(["猫"])
    with pytest.raises(Stopped):
        embedding.discern([("cat",)], ("answers",))


@pytest.mark.req("W4", "R11")
@pytest.mark.parametrize("messages", [("我姐来了", "她带了礼物"), ("My sister is here", "she brought gifts")])
def test_what_a_pronoun_stands_for_is_read_once(clock: StandingClock, messages: Sequence[str]) -> None:
    model = Telling()
    embedding = Embedding(model, batch=2, idle_minutes=30, clock=clock)
    first = embedding.refer(messages, (False, False), (1, 0, 1))
    assert first == embedding.refer(messages, (False, False), (1, 0, 1))
    embedding.refer(messages, (False, True), (1, 0, 1))
    embedding.refer(messages, (False, False), (1, 0, 2))
    assert len(model.referred) == 3
    embedding.forget_queries()
    embedding.refer(messages, (False, False), (1, 0, 1))
    assert len(model.referred) == 4


@pytest.mark.req("D3")
def test_texts_to_keep_are_embedded_in_batches_and_in_order(embedding: Embedding, model: Counting) -> None:
    assert embedding.embed(["一", "two", "三"]).shape == (3, 8)
    assert [text for text, _ in model.asked] == ["一", "two", "三"]


@pytest.mark.req("D4")
def test_the_model_is_released_after_its_idle_time_and_loads_again_when_needed(
    embedding: Embedding, model: Counting, clock: StandingClock
) -> None:
    embedding.query("你好吗")
    clock.move(minutes=29)
    assert not embedding.release_when_idle()
    clock.move(minutes=2)
    assert embedding.release_when_idle()
    assert model.released == 1
    assert not embedding.state.ready
    embedding.query("你好吗")
    assert embedding.state.ready
    embedding.close()


@pytest.mark.req("D1", "D4")
def test_a_service_can_warm_up_without_waiting(open_memory: Callable[..., Memory]) -> None:
    memory = open_memory()
    memory.warm_up(wait=False)
    memory.warm_up()
    assert memory.embedder.ready


@pytest.mark.req("R12")
def test_a_model_that_fails_is_left_alone_for_five_minutes_and_then_tried_again(
    embedding: Embedding, model: Counting, clock: StandingClock
) -> None:
    model.broken = True
    with pytest.raises(ModelUnavailable, match="the weights are gone"):
        embedding.query("在吗")
    model.broken = False
    with pytest.raises(ModelUnavailable):
        embedding.query("在吗")
    assert "the weights are gone" in embedding.state.notes
    clock.move(minutes=6)
    assert embedding.query("在吗") is not None
    assert embedding.state.notes == ()


@pytest.mark.req("R12", "W14")
@pytest.mark.parametrize(("said", "asked"), [("我在学大提琴", "大提琴"), ("I am learning the cello", "cello")])
def test_what_was_kept_without_a_vector_is_found_by_words_and_embedded_later(
    said: str, asked: str, open_memory: Callable[..., Memory], clock: StandingClock, model: Counting
) -> None:
    path = open_memory().path
    model.broken = True
    settings = Settings.load(environment={})
    with build.memory(
        path, owner="me", key=None, settings=settings, clock=clock, progress=None, readonly=False, embedder=model
    ) as memory:
        kept = memory.remember(said, wait=True)
        assert kept.added[0].model is None
        assert kept.warnings
        found = memory.recall(asked)
        assert found[0].memory.id == kept.added[0].id
        assert found.warnings
        model.broken = False
        clock.now += timedelta(minutes=6)
        memory.remember("谢谢 thanks", wait=True)
        memory.flush()
        memory.close()
    with build.memory(
        path, owner="me", key=None, settings=settings, clock=clock, progress=None, readonly=False, embedder=model
    ) as memory:
        memory.remember("好的 ok", wait=True)
        memory.close()
    with open_memory(settings=settings.with_values("embed", {"model": "none"})) as memory:
        assert memory.stats().without_vector == 0
