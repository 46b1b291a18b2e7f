"""How the SQLite store searches: by index, with a cache that has bounds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conformance.store_cases import MODEL, NOW, entry, ids, new, vector
from yinji.adapters.sqlite import open_store
from yinji.adapters.sqlite.cache import Cache
from yinji.adapters.sqlite.queries import load
from yinji.model import Scope

HOT = [
    ("turns", "by_key"),
    ("turns", "by_id"),
    ("turns", "next_seq"),
    ("turns", "any_waiting"),
    ("turns", "waiting"),
    ("turns", "recent"),
    ("turns", "effects"),
    ("memories", "find"),
    ("memories", "whole"),
    ("memories", "sources"),
    ("memories", "links"),
    ("memories", "page"),
    ("memories", "by_slot"),
    ("memories", "by_content"),
    ("memories", "without_vector"),
    ("journal", "lines"),
    ("journal", "lines_of_memory"),
    ("search", "changed"),
    ("search", "ids"),
]
"""Queries that run for each turn or each recall."""
MADE_UP = re.compile(r"SCAN (value|json_each|CONSTANT|.*VIRTUAL TABLE)")


@pytest.mark.req("K8", "S2")
@pytest.mark.parametrize(("subject", "name"), HOT)
def test_no_query_of_every_turn_or_recall_reads_a_whole_table(tmp_path: Path, subject: str, name: str) -> None:
    sql = load(subject)[name]
    bindings = dict.fromkeys(re.findall(r":(\w+)", sql))
    with open_store(tmp_path / "memory.yinji") as store, store._file.read() as db:
        steps = [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {sql}", bindings)]
    scans = [step for step in steps if step.startswith("SCAN") and not MADE_UP.match(step)]
    # What waits, for its reading or its vector, is all that its own index holds.
    assert [step for step in scans if not re.search("turn_waiting|memory_unembedded", step)] == []
    assert not any("TEMP B-TREE" in step for step in steps)
    # Every memory, link or turn of an owner is too much too; the journal's lines are wanted in the order of the index.
    assert not any(step.endswith("(owner=?)") for step in steps if name != "lines")


@pytest.mark.req("R11", "D4")
def test_the_search_cache_lets_go_of_owners_when_it_holds_too_much(tmp_path: Path) -> None:
    with open_store(tmp_path / "memory.yinji") as store:
        store._cache = Cache(rows=25)
        for owner in ("a", "b", "c", "d"):
            memories = [new(entry(f"m{n}", f"{owner}{n}", owner=owner), "词") for n in range(10)]
            store.import_memories(memories, at=NOW)
        for owner in ("a", "b", "c", "d", "a"):
            assert len(store.words(Scope(owner=owner), ["词"], limit=99).hits) == 10
        assert len(store._cache.owners()) == 2
        store.import_memories([new(entry(f"n{n}", owner="a"), "词") for n in range(90)], at=NOW)
        assert len(store.words(Scope(owner="a"), ["词"], limit=999).hits) == 100
        assert store.check() == []


@pytest.mark.req("K5")
@pytest.mark.parametrize(
    "term", ["止损", "c盘", "gen-itgc", "api配置", "o'neil", 'a"b', "100%", "[x]", "c++", "🍜", "e=mc^2", "né"]
)
def test_any_term_is_found_whatever_signs_it_has(tmp_path: Path, term: str) -> None:
    with open_store(tmp_path / "memory.yinji") as store:
        store.import_memories([new(entry("a"), "别", term), new(entry("b"), "别", "的")], at=NOW)
        assert ids(store.words(Scope(owner="me"), [term.upper() if term.isascii() else term], limit=9).hits) == ["a"]


@pytest.mark.req("K5", "P3")
def test_terms_that_no_index_can_hold_hurt_nobody(tmp_path: Path) -> None:
    with open_store(tmp_path / "memory.yinji") as store:
        terms = ["", " ", "\0", "a b", "\n词\t", "长" * 200_000, "x" * 40_000]
        store.import_memories([new(entry("a"), *terms)], at=NOW)
        for term in terms[3:]:
            assert ids(store.words(Scope(owner="me"), [term], limit=9).hits) == ["a"]
        assert store.words(Scope(owner="me"), ["", " ", "\0"], limit=9).hits == ()
        assert store.check() == []


@pytest.mark.req("K6", "K5")
def test_another_model_may_be_chosen_once_no_vector_is_left(tmp_path: Path) -> None:
    with open_store(tmp_path / "memory.yinji") as store:
        store.import_memories([new(entry("a"))], at=NOW)
        assert store.nearest("me", vector("x"), model=MODEL, limit=9)
        store.erase("me", ["a"], at=NOW, actor="user")
        store.set_model("other", 8)
        store.import_memories([new(entry("b", model=None))], at=NOW)
        store.put_vectors([("me", "b", vector("x", 8))], model="other")
        assert ids(store.nearest("me", vector("x", 8), model="other", limit=9)) == ["b"]
        assert store.check() == []
