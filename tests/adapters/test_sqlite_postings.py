"""Lists of terms that are kept in memory say what the index says, whatever is written, changed and erased meanwhile."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.conformance.store_cases import ME, NOW, entry, new
from yinji.adapters.sqlite import open_store, postings
from yinji.adapters.sqlite.store import SqliteStore
from yinji.ports import Change

WORDS = ("吃", "辣", "香菜", "tea", "coffee", "york")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SqliteStore]:
    monkeypatch.setattr(postings, "MANY", 1)
    with open_store(tmp_path / "memory.yinji") as opened:
        yield opened


def found(store: SqliteStore) -> list[object]:
    return [store.words(ME, [word], limit=999) for word in WORDS]


def read_anew(store: SqliteStore) -> list[object]:
    with open_store(store.path) as other:
        return found(other)


def kept(store: SqliteStore) -> set[str]:
    (columns,) = store._cache._owners.values()
    return {term.partition(":")[2] for term in columns.postings._lists}


def write(store: SqliteStore, drawn: random.Random, numbers: range) -> None:
    said = (drawn.choices(WORDS, k=drawn.randint(1, 6)) for _ in numbers)
    store.import_memories(
        [new(entry(f"m{n}", " ".join(terms)), *terms) for n, terms in zip(numbers, said, strict=True)], at=NOW
    )


@pytest.mark.req("R4", "R11")
@pytest.mark.parametrize("seed", range(6))
def test_what_is_kept_is_what_a_store_opened_afresh_reads(store: SqliteStore, seed: int) -> None:
    drawn = random.Random(seed)
    write(store, drawn, range(30))
    for step in range(1, 16):
        at, one = NOW + timedelta(minutes=step), f"m{drawn.randrange(30)}"
        match drawn.randrange(4):
            case 0:
                write(store, drawn, range(100 * step, 100 * step + drawn.randint(1, 4)))
            case 1 if store.get("me", [one]):
                terms = tuple(drawn.choices(WORDS, k=3))
                change = Change(content=" ".join(terms), terms=terms)
                store.change("me", one, change, at=at, actor="user", reason="")
            case 2:
                store.hide("me", [one], at=at, actor="user", reason="")
            case _:
                store.erase("me", [one], at=at, actor="user")
        assert found(store) == read_anew(store)
        assert found(store) == read_anew(store)


@pytest.mark.req("R4")
def test_a_list_stays_when_memories_come_and_is_read_again_when_one_of_it_changes(store: SqliteStore) -> None:
    store.import_memories([new(entry("m1", "吃辣"), "吃", "辣"), new(entry("m2", "tea"), "tea")], at=NOW)
    found(store)
    assert kept(store) == {"吃", "辣", "tea"}

    store.import_memories([new(entry("m3", "tea york"), "tea", "york")], at=NOW)
    store.words(ME, ["吃"], limit=9)
    assert kept(store) == {"吃", "辣", "tea"}

    store.change("me", "m1", Change(content="吃 tea", terms=("吃", "tea")), at=NOW, actor="user", reason="")
    store.words(ME, ["吃"], limit=9)
    assert kept(store) == {"吃"}


@pytest.mark.req("R11", "O5")
@pytest.mark.parametrize("word", ["香菜", "coffee"])
def test_nothing_is_kept_once_something_is_erased(store: SqliteStore, word: str) -> None:
    store.import_memories([new(entry(f"m{n}", word), word) for n in range(3)], at=NOW)
    found(store)
    assert kept(store) == {word}

    store.erase("me", ["m1"], at=NOW, actor="user")
    store.words(ME, ["吃"], limit=9)
    assert kept(store) == set()


@pytest.mark.req("R11")
def test_lists_that_are_too_long_together_are_let_go(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postings, "ROOM", 5)
    store.import_memories([new(entry(f"m{n}", "辣 tea"), "辣", "tea") for n in range(3)], at=NOW)
    assert found(store) == read_anew(store)
    assert kept(store) == {"tea"}
