"""A turn becomes memories in a store."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from itertools import count
from pathlib import Path
from uuid import UUID

import pytest

from tests.remember.cases import AT, SETTINGS, turn
from yinji.adapters.catalogue import load_embedder
from yinji.adapters.sqlite import open_store
from yinji.errors import ModelUnavailable
from yinji.model import DropReason, MemoryEntry, Validity
from yinji.ports import ModelCard, Outcome, Purpose, Store
from yinji.remember.pipeline import PassageEmbedder, read_turn, read_turns

HASHING = load_embedder("hashing")
Say = Callable[..., list[Outcome]]


class Unavailable:
    """An embedder whose model cannot be loaded."""

    @property
    def card(self) -> ModelCard:
        return HASHING.card

    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> object:
        raise ModelUnavailable(model="none", problem="not there")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "memory.yinji") as opened:
        yield opened


@pytest.fixture
def say(store: Store) -> Say:
    """Says texts a day apart, one by one or as one batch, and commits what comes of them."""
    ids, seqs = count(1), count(1)

    def new_id() -> str:
        return str(UUID(int=next(ids)))

    def run(*texts: str, batch: bool = False, embedder: object = None) -> list[Outcome]:
        used: PassageEmbedder = embedder or HASHING  # type: ignore[assignment]
        card = used.card
        assert card is not None
        if store.model() is None:
            store.set_model(card.id, card.dim)
        numbers = [next(seqs) for _ in texts]
        turns = [turn(text, seq=seq, at=AT + timedelta(days=seq)) for text, seq in zip(texts, numbers, strict=True)]
        accepted = [one.turn for one in store.accept(turns)]
        now = AT + timedelta(days=400)
        if batch:
            outcomes = read_turns(accepted, store=store, embedder=used, now=now, settings=SETTINGS, new_id=new_id)
            assert all(store.commit(outcome) for outcome in outcomes)
            return outcomes
        outcomes = []
        for one in accepted:
            recent = store.recent_turns("me", "s", before_seq=one.seq, limit=5)
            outcomes.append(
                read_turn(one, store=store, embedder=used, recent=recent, now=now, settings=SETTINGS, new_id=new_id)
            )
            assert store.commit(outcomes[-1])
        return outcomes

    return run


def current(store: Store) -> list[str]:
    return [memory.content for memory in memories(store) if memory.validity is Validity.CURRENT]


def memories(store: Store) -> list[MemoryEntry]:
    return list(store.iterate("me"))


@pytest.mark.req("W9", "F14", "F16", "F18")
@pytest.mark.parametrize("batch", [False, True])
@pytest.mark.parametrize(
    ("said", "left"),
    [
        (["我喜欢喝咖啡", "我不喜欢喝咖啡了"], ["用户不喜欢喝咖啡了"]),
        (["项目用 PG", "项目换成 MySQL 了"], ["项目换成 MySQL 了"]),
        (["数据库端口是5432", "不对，是5433"], ["数据库端口是5433"]),
        (["I love jazz", "I hate jazz now"], ["The user hates jazz now"]),
        (["I live in Oslo", "I've moved to Rome", "I've moved to Berlin"], ["The user has moved to Berlin"]),
        (["The port is 5432", "no, it's 5433"], ["The port is 5433"]),
    ],
)
def test_the_newest_is_the_only_current_one_and_points_to_the_old(
    said: list[str], left: list[str], batch: bool, store: Store, say: Say
) -> None:
    say(*said, batch=batch)
    assert current(store) == left
    old, new = memories(store)[-2:]
    assert old.validity is Validity.SUPERSEDED
    assert [link.target for link in new.links] == [old.id]


@pytest.mark.req("F22", "W13")
@pytest.mark.parametrize("batch", [False, True])
@pytest.mark.parametrize("text", ["我不吃香菜", "I hate cilantro"])
def test_what_is_said_again_adds_a_source_and_no_memory(text: str, batch: bool, store: Store, say: Say) -> None:
    outcomes = say(text, text, batch=batch)
    assert len(memories(store)) == 1
    assert [len(outcome.reinforced) for outcome in outcomes] == [0, 1]
    assert [drop.reason for drop in outcomes[1].drops] == [DropReason.DUPLICATE]


@pytest.mark.req("F20")
@pytest.mark.parametrize(
    "said",
    [
        "我喜欢喝茶。我住在杭州，在网易做后端。以后回复简短一点。",
        "I like tea. I live in Oslo. From now on keep your answers short.",
    ],
)
def test_a_hundred_rounds_of_recalled_text_add_nothing_and_prove_nothing(said: str, store: Store, say: Say) -> None:
    say(said)
    before = memories(store)
    for _ in range(100):
        for outcome in say(*(memory.content for memory in before), batch=True) + say(
            "\n".join(m.content for m in before)
        ):
            assert not outcome.added
            assert not outcome.reinforced
            assert not outcome.retired
    assert [(one.content, one.confidence, one.sources) for one in memories(store)] == [
        (one.content, one.confidence, one.sources) for one in before
    ]


@pytest.mark.req("W14", "R12")
@pytest.mark.parametrize("text", ["我不吃香菜", "I hate cilantro"])
def test_without_a_model_the_memory_is_kept_and_says_so(text: str, store: Store, say: Say) -> None:
    (outcome,) = say(text, embedder=Unavailable())
    (new,) = outcome.added
    assert new.vector is None
    assert new.entry.model is None
    assert new.terms
    assert [warning.split(":")[0] for warning in outcome.warnings] == ["words_only"]


@pytest.mark.req("W5", "K2")
def test_a_memory_knows_where_it_was_taken_from(store: Store, say: Say) -> None:
    say("好的。对了，我养了一只猫，谢谢！")
    (memory,) = memories(store)
    (source,) = memory.sources
    assert (source.quote, source.session, source.seq) == ("我养了一只猫", "s", 1)
    assert source.at == AT + timedelta(days=1)


@pytest.mark.req("K4", "F30")
@pytest.mark.parametrize("text", ["我住在杭州", "I live in Oslo"])
def test_another_owner_is_never_compared_with(text: str, store: Store) -> None:
    from dataclasses import replace

    ids = count(1)
    mine = turn(text)
    yours = replace(turn(text), id="other", owner="you")
    accepted = [one.turn for one in store.accept([mine, yours])]
    outcomes = read_turns(
        accepted, store=store, embedder=None, now=AT, settings=SETTINGS, new_id=lambda: str(UUID(int=next(ids)))
    )
    assert [len(outcome.added) for outcome in outcomes] == [1, 1]


def test_control_characters_never_reach_a_memory(store: Store, say: Say) -> None:
    say("我住在\x07杭州", "I live in\x1b Oslo")
    assert [memory.content for memory in memories(store)] == ["用户住在 杭州", "The user lives in Oslo"]
