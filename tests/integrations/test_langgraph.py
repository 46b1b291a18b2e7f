"""Our LangGraph store does what LangGraph's own in-memory store does, operation by operation."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("langgraph.store.memory", reason="needs the extra langgraph")

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.embeddings import Embeddings
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
    get_text_at_path,
)
from langgraph.store.memory import InMemoryStore

from yinji import Memory
from yinji.errors import InvalidInput, YinjiError
from yinji.filing.parts import texts_at
from yinji.integrations.langgraph import YinjiStore

LABELS = st.sampled_from(["a", "b", "ab", "用户", "李雷", "a b", "*"])
NAMESPACES = st.lists(LABELS, min_size=1, max_size=3).map(tuple)
KEYS = st.sampled_from(["k", "K", "键", "k/1", "", "x" * 300, "k\x00k", "../k"])
TEXTS = st.sampled_from(
    [
        "养了一只猫叫年糕",
        "周末常去爬山",
        "对花生过敏",
        "has a cat called Mochi",
        "hikes at weekends",
        "drinks tea, no coffee",
    ]
)
NUMBERS = st.integers(-3, 3) | st.sampled_from([0.5, True, False])
PART = NUMBERS | st.none() | TEXTS | st.sampled_from(["red", "红"])
VALUES = st.fixed_dictionaries(
    {},
    optional={
        "text": TEXTS,
        "n": NUMBERS,
        "tag": PART,
        "list": st.lists(PART, max_size=2),
        "nest": st.fixed_dictionaries({}, optional={"a": PART, "b": TEXTS}),
    },
)
INDEXES = st.sampled_from([None, False, ["text"], ["nest.b", "list[*]"], []])
ORDERED = st.dictionaries(st.sampled_from(["$gt", "$gte", "$lt", "$lte"]), NUMBERS, min_size=1, max_size=2)
CONDITION = (
    PART
    | st.dictionaries(st.sampled_from(["$eq", "$ne"]), PART, min_size=1, max_size=2)
    | st.lists(PART, max_size=2)
    | st.dictionaries(st.sampled_from(["a", "b"]), PART, max_size=2)
)
FILTERS = st.none() | st.fixed_dictionaries(
    {}, optional={"n": ORDERED | NUMBERS, "tag": CONDITION, "list": CONDITION, "nest": CONDITION, "text": CONDITION}
)
MATCHES = st.builds(MatchCondition, match_type=st.sampled_from(["prefix", "suffix"]), path=NAMESPACES)
PUTS = st.builds(PutOp, namespace=NAMESPACES, key=KEYS, value=VALUES | st.none(), index=INDEXES, ttl=st.none())
GETS = st.builds(GetOp, namespace=NAMESPACES, key=KEYS, refresh_ttl=st.booleans())
SEARCHES = st.builds(
    SearchOp,
    namespace_prefix=st.lists(LABELS, max_size=2).map(tuple),
    filter=FILTERS,
    query=st.none() | TEXTS,
    limit=st.just(1000),
    offset=st.just(0),
    refresh_ttl=st.booleans(),
)
LISTS = st.builds(
    ListNamespacesOp,
    match_conditions=st.none() | st.lists(MATCHES, max_size=2).map(tuple),
    max_depth=st.none() | st.integers(1, 3),
    limit=st.integers(0, 5) | st.just(100),
    offset=st.integers(0, 3),
)
OPS = st.lists(st.one_of(PUTS, PUTS, PUTS, GETS, SEARCHES, LISTS), max_size=20)
NUMBER = count()


class Ours(Embeddings):
    """The embedder of a memory, as LangChain wants one."""

    def __init__(self, memory: Memory) -> None:
        self._embedding = memory._embedding

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return self._embedding.embed(texts).tolist()  # type: ignore[no-any-return]

    def embed_query(self, text: str) -> list[float]:
        vector = self._embedding.query(text)
        assert vector is not None
        return vector.tolist()  # type: ignore[no-any-return]


class Reference(InMemoryStore):
    """LangGraph's own, without three quirks: a look at a namespace makes it, emptied ones stay, and so do vectors of
    what a value held before."""

    def do(self, op: Any) -> Any:
        if isinstance(op, PutOp):
            self.batch([op._replace(value=None)])
        found = self.batch([op])[0]
        for namespace in [one for one, items in self._data.items() if not items]:
            del self._data[namespace]
        return found


def told(found: Any) -> Any:
    """What the operation gave, in a form in which two stores can be compared."""
    if found is None or (isinstance(found, list) and found and isinstance(found[0], tuple)):
        return found
    if isinstance(found, list):
        return sorted((one.namespace, one.key, repr(one.value)) for one in found)
    return found.namespace, found.key, found.value


def scores(found: Any) -> dict[tuple[tuple[str, ...], str], float | None]:
    return {(one.namespace, one.key): one.score for one in found}


@pytest.mark.req("S5")
@settings(max_examples=100)
@given(ops=OPS, several=st.booleans())
def test_random_operations_give_what_the_in_memory_store_gives(shared: Memory, ops: list[Any], several: bool) -> None:
    ours = YinjiStore(shared, collection=f"random-{next(NUMBER)}", fields=["text"])
    theirs = Reference(index={"dims": 1, "embed": Ours(shared), "fields": ["text"]})
    for op in ops:
        found = asyncio.run(ours.abatch([op]))[0] if several else ours.batch([op])[0]
        try:
            expected = theirs.do(op)
        except (TypeError, ValueError):  # it cannot order what is no number; ours finds that it does not match
            continue
        assert told(found) == told(expected)
        if isinstance(op, SearchOp) and op.query:
            near, wanted = scores(found), scores(expected)
            assert {one for one in near if near[one] is None} == {one for one in wanted if wanted[one] is None}
            assert all(abs(near[one] - wanted[one]) < 0.03 for one in near if near[one] is not None)  # type: ignore[operator]
            order = [one.score for one in found]
            assert order == sorted(order, key=lambda score: -2.0 if score is None else score, reverse=True)


@pytest.mark.req("S5")
@given(ops=st.lists(PUTS, max_size=15), search=SEARCHES, limit=st.integers(0, 4), offset=st.integers(0, 5))
def test_pages_of_a_search_are_stretches_of_the_whole(
    shared: Memory, ops: list[PutOp], search: SearchOp, limit: int, offset: int
) -> None:
    store = YinjiStore(shared, collection=f"pages-{next(NUMBER)}", fields=["text"])
    store.batch(ops)
    whole, page = store.batch([search, search._replace(limit=limit, offset=offset)])
    assert page == whole[offset : offset + limit]  # type: ignore[index]


@pytest.mark.req("S5")
def test_a_batch_reads_before_it_writes_and_the_last_write_of_a_name_counts(shared: Memory) -> None:
    for store in (YinjiStore(shared, collection="batch"), InMemoryStore()):
        got = store.batch([PutOp(("n",), "k", {"a": 1}), GetOp(("n",), "k"), PutOp(("n",), "k", {"a": 2})])
        assert got == [None, None, None]
        found = store.get(("n",), "k")
        assert found is not None
        assert found.value == {"a": 2}


@pytest.mark.req("S5")
def test_times_are_aware_and_an_update_keeps_the_first(open_memory: Callable[..., Memory], clock: Any) -> None:
    store = YinjiStore(open_memory())
    store.put(("n",), "k", {"a": 1})
    first = store.get(("n",), "k")
    clock.move(hours=1)
    store.put(("n",), "k", {"a": 2})
    then = store.get(("n",), "k")
    assert first is not None
    assert then is not None
    assert (then.created_at, (then.updated_at - first.updated_at).total_seconds()) == (first.created_at, 3600)


@pytest.mark.req("S5", "P3")
def test_a_ttl_and_a_bad_namespace_are_refused_as_the_base_class_does(shared: Memory) -> None:
    store = YinjiStore(shared, collection="refused")
    with pytest.raises(NotImplementedError):
        store.put(("n",), "k", {}, ttl=5)
    with pytest.raises(NotImplementedError):
        store.batch([PutOp(("n",), "k", {}, None, 5.0)])
    for namespace in ((), ("langgraph", "x"), ("a.b",), ("",)):
        with pytest.raises(InvalidNamespaceError):
            store.put(namespace, "k", {})
    store.put(("n",), "k", {"a": 1})
    with pytest.raises(InvalidInput, match=r"\$near"):
        store.search(("n",), filter={"a": {"$near": 1}})
    with pytest.raises(YinjiError):
        store.put(("n",), "k", {"at": object()})


@pytest.mark.req("S5", "F30")
@pytest.mark.parametrize("text", ["养了一只猫叫年糕", "has a cat called Mochi"])
def test_owners_and_collections_see_nothing_of_each_other(memory: Memory, tmp_path: Path, text: str) -> None:
    mine, theirs = YinjiStore(memory), YinjiStore(memory, owner="you")
    mine.put(("cats",), "k", {"text": text})
    assert theirs.search((), query=text) == []
    assert theirs.list_namespaces() == []
    assert YinjiStore(memory, collection="other").get(("cats",), "k") is None
    assert memory.erase("me").proved
    held = b"".join(one.read_bytes() for one in tmp_path.iterdir() if one.is_file())
    assert text.encode() not in held


NAMED = st.sampled_from(["a", "b", "猫"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["x", "年糕", ""]),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(NAMED, parts, max_size=3),
    max_leaves=10,
)
STEPS = st.one_of(NAMED, st.sampled_from(["*", "[*]", "[0]", "[-1]", "[7]", "[x]"]))
PATHS = st.builds(
    lambda steps, end: "".join(step if step.startswith("[") else "." + step for step in [*steps, *end]).lstrip("."),
    st.lists(STEPS, min_size=1, max_size=4),
    st.sampled_from([[], ["{a,b}"], ["{a.b,猫}"]]),
)


@pytest.mark.req("S5")
@settings(max_examples=300)
@given(value=st.dictionaries(NAMED, JSON, max_size=3), path=PATHS)
def test_a_path_leads_to_the_same_texts(value: dict[str, Any], path: str) -> None:
    assert texts_at(value, path) == get_text_at_path(value, path)
