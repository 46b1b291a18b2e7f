"""Owners, processes and threads that share one store."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conformance.store_cases import (
    FRESH,
    ME,
    MODEL,
    NOW,
    Opener,
    entry,
    names,
    new,
    remember,
    source,
    turn,
    vector,
)
from yinji.adapters.sqlite.schema import steps
from yinji.errors import StoreError
from yinji.language.text import content_key
from yinji.model import (
    Drop,
    DropReason,
    Kind,
    Scope,
    Slot,
)
from yinji.ports import Change, Store


def reads(store: Store, owner: str) -> list[object]:
    """Every public read of an owner."""
    scope = Scope(owner=owner, validity=None, hidden=True)
    return [
        store.get(owner, ["m1", "m2", "m3"], hidden=True),
        store.select(scope, limit=None),
        store.hard_facts(scope),
        list(store.iterate(owner)),
        store.find(owner, "1", limit=9),
        store.by_slot(owner, "user", "diet"),
        store.by_content(owner, content_key("用户不吃香菜")),
        store.words(scope, ["香菜"], limit=9),
        store.vectors(scope, vector("x"), model=MODEL, limit=9, also=["m1", "m2"]),
        store.nearest(owner, vector("x"), model=MODEL, limit=9),
        store.recent_turns(owner, "s", before_seq=None, limit=9),
        store.turn(owner, "turn-1"),
        store.outcome_of(owner, "turn-1"),
        store.pending(owner),
        store.pending(owner, ["turn-1"]),
        store.journal(owner),
        replace(store.stats(owner), owner="", file_bytes=0, model=None),
    ]


@FRESH
@given(pair=st.lists(names, min_size=2, max_size=2, unique=True))
@pytest.mark.req("K4", "F30")
def test_no_read_sees_anything_of_another_owner(opener: Opener, tmp_path_factory: Any, pair: list[str]) -> None:
    mine, theirs = pair
    with opener(tmp_path_factory.mktemp("s")) as store:
        nothing = reads(store, mine)
        slot = Slot(subject="user", attribute="diet")
        remember(store, 1, new(entry("m1", slot=slot, owner=theirs), "香菜"), owner=theirs)
        remember(store, 2, new(entry("m2", pinned=True, owner=theirs), "香菜"), owner=theirs)
        store.accept([turn(3, owner=theirs)])
        assert reads(store, mine) == nothing
        assert store.hide(mine, ["m1"], at=NOW, actor="", reason="") == 0
        assert store.touch(mine, ["m1"], at=NOW) == 0
        before = reads(store, theirs)
        remember(store, 1, new(entry("m1", owner=mine), "香菜"), owner=mine)
        store.erase(mine, None, at=NOW, actor="")
        assert reads(store, theirs) == before


@pytest.mark.req("K10", "R11", "O5")
def test_what_another_process_does_is_seen_by_the_next_read(store: Store, opener: Opener, tmp_path: Path) -> None:
    def seen() -> tuple[set[str], set[str]]:
        by_words = {hit.id for hit in store.words(ME, ["词"], limit=99).hits}
        return by_words, {hit.id for hit in store.vectors(ME, vector("x"), model=MODEL, limit=99).hits}

    with opener(tmp_path) as other:
        other.import_memories([new(entry(f"m{n}", f"第{n}条"), "词") for n in range(5)], at=NOW)
        assert seen() == ({"m0", "m1", "m2", "m3", "m4"},) * 2
        other.hide("me", ["m1"], at=NOW, actor="", reason="")
        assert seen() == ({"m0", "m2", "m3", "m4"},) * 2
        other.erase("me", ["m2"], at=NOW, actor="")
        assert seen() == ({"m0", "m3", "m4"},) * 2
        other.change("me", "m3", Change(content="x", terms=("别",)), at=NOW, actor="", reason="")
        other.import_memories([new(entry("m9"), "词")], at=NOW)
        assert seen() == ({"m0", "m4", "m9"}, {"m0", "m4", "m9"})
        other.erase("me", None, at=NOW, actor="")
        assert seen() == (set(), set())
        other.import_memories([new(entry("n"), "词")], at=NOW)
        assert seen() == ({"n"}, {"n"})
        assert store.check() == []


@pytest.mark.req("K10")
def test_threads_read_and_write_the_same_store(store: Store) -> None:
    problems: list[Exception] = []

    def work(number: int) -> None:
        try:
            for step in range(15):
                remember(store, number * 100 + step, new(entry(f"m{number}-{step}"), "词"))
                assert store.words(ME, ["词"], limit=999).hits
                assert store.vectors(ME, vector("x"), model=MODEL, limit=9).hits
                assert store.select(ME, limit=5)
        except Exception as problem:  # noqa: BLE001 - a thread's error must reach the test
            problems.append(problem)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert len(store.words(ME, ["词"], limit=999).hits) == 90
    assert store.check() == []


@pytest.mark.req("P2")
def test_statistics_count_what_is_there(store: Store) -> None:
    drop = Drop(text="嗯", reason=DropReason.FILLER)
    remember(store, 1, new(entry("a")), new(entry("b", language="en", kind=Kind.FACT, model=None)), drops=(drop, drop))
    store.accept([turn(2)])
    stats = store.stats("me")
    assert (stats.memories, stats.turns, stats.pending, stats.failed, stats.hidden) == (2, 2, 1, 0, 0)
    assert (stats.by_kind, stats.by_language) == ({"preference": 1, "fact": 1}, {"zh": 1, "en": 1})
    assert (stats.by_validity, stats.drops, stats.without_vector) == ({"current": 2}, {"filler": 2}, 1)
    assert (stats.model, stats.schema) == (MODEL, len(steps()))
    assert stats.file_bytes > 0
    assert store.stats("nobody").memories == 0


@pytest.mark.req("K1")
def test_everything_is_there_after_closing_and_opening_again(opener: Opener, tmp_path: Path) -> None:
    with opener(tmp_path) as store:
        remember(store, 1, new(entry("a", sources=(source(1),)), "香菜"))
        before = reads(store, "me")
    with opener(tmp_path) as store:
        assert reads(store, "me") == before
    with pytest.raises(StoreError, match="closed"):
        store.get("me", ["a"])
