"""Turns that come at the same time share a transaction, and nothing else."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.conformance.store_cases import turn
from yinji.adapters.sqlite import SqliteStore, open_store
from yinji.errors import KeyReused, StoreFull
from yinji.model import Turn
from yinji.ports import Accepted


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return open_store(tmp_path / "memory.yinji")


def together(store: SqliteStore, *calls: Callable[[], object]) -> list[object]:
    """What calls give that all wait while somebody else writes; an error stands for itself."""
    with ThreadPoolExecutor(len(calls)) as threads:
        with store._file.pen():
            coming = [threads.submit(one) for one in calls]
            while len(store._intake._waiting) < len(calls):
                threading.Event().wait(0.001)
        return [one.exception() or one.result() for one in coming]


def accepting(store: SqliteStore, *turns: Turn) -> Callable[[], list[Accepted]]:
    return lambda: store.accept(turns)


@pytest.mark.req("W1", "S2", "W13")
def test_turns_that_wait_for_each_other_are_all_taken_and_one_that_is_refused_harms_none(store: SqliteStore) -> None:
    store.accept([turn(0, key="k", user="我住在杭州")])
    made = together(
        store,
        accepting(store, turn(1, user="我对花生过敏", owner="ann")),
        accepting(store, turn(2, user="good turn, bad company"), turn(3, key="k", user="别的话")),
        accepting(store, turn(4, user="I live in Lisbon", owner="bo")),
        accepting(store, turn(0, key="k", user="我住在杭州")),
    )
    assert isinstance(made[1], KeyReused)
    assert [one[0].repeated for one in made if isinstance(one, list)] == [False, False, True]
    assert store.pending() == 3, "a call is taken as a whole or not at all"
    assert {one: store.pending(one) for one in ("ann", "bo", "me")} == {"ann": 1, "bo": 1, "me": 1}


@pytest.mark.req("W1", "P3")
def test_when_nothing_can_be_written_everybody_who_waits_is_told(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StoreFull(path=store.path)

    with monkeypatch.context() as broken:
        broken.setattr("yinji.adapters.sqlite.turns.accept", full)
        made = together(store, *(accepting(store, turn(number)) for number in range(3)))
    assert [type(one) for one in made] == [StoreFull] * 3
    assert store.pending() == 0
    assert store.accept([turn(1)])[0].pending


@pytest.mark.req("W14", "K10")
def test_an_outcome_is_committed_without_waiting_for_the_disk_and_all_else_waits(store: SqliteStore) -> None:
    with store._file.write(durable=False) as db:
        assert db.pragma("synchronous") == 1
    with store._file.write() as db:
        assert db.pragma("synchronous") == 2
