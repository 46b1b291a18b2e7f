"""Documents that programs keep: what every store must do with them."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest

from tests.conformance.store_cases import MODEL, NOW, entry, new, remember, vector
from yinji.document import Document, DocumentWrite, Shelf
from yinji.ports import Store


def write(store: Store, *writes: DocumentWrite, owner: str = "me", hours: int = 0) -> bool:
    return store.write_documents(owner, "c", writes, at=NOW + timedelta(hours=hours))


def paper(key: str, text: str, *namespace: str, **more: object) -> DocumentWrite:
    vectors = np.stack([vector(text)])
    made = {"fields": ("text",), "vectors": vectors, "model": MODEL} | more
    return DocumentWrite(namespace=namespace, key=key, value={"text": text}, **made)  # type: ignore[arg-type]


def shelf(*namespace: str, owner: str = "me", **more: object) -> Shelf:
    return Shelf(owner=owner, collection="c", namespace=namespace, **more)  # type: ignore[arg-type]


def keys(found: list[Document]) -> list[str]:
    return [one.key for one in found]


@pytest.mark.req("S5", "K1")
def test_a_document_comes_back_as_it_was_written_and_keeps_its_first_time(store: Store) -> None:
    write(store, paper("住处", "我住在里斯本", "用户", "甲"))
    write(store, paper("住处", "搬到波尔图了", "用户", "甲"), hours=2)
    (found,) = store.documents(shelf("用户", "甲"))
    assert (found.namespace, found.key, found.value) == (("用户", "甲"), "住处", {"text": "搬到波尔图了"})
    assert (found.created_at, found.updated_at) == (NOW, NOW + timedelta(hours=2))
    assert store.documents_at("me", [found.stamp, found.stamp + 99]) == [found]


@pytest.mark.req("S5")
@pytest.mark.parametrize("label", ["a", 'a"', "a,", "a]", "a\\", "张", "a\x00b", "A"])
def test_below_a_namespace_is_what_begins_with_all_of_its_labels(store: Store, label: str) -> None:
    write(store, paper("1", "x", label), paper("2", "x", label, "b"), paper("3", "x", label + "b"), paper("4", "x"))
    assert keys(store.documents(shelf(label), newest_first=False)) == ["1", "2"]
    assert keys(store.documents(shelf(label, below=False))) == ["1"]
    assert keys(store.documents(shelf(), newest_first=False)) == ["1", "2", "3", "4"]
    assert store.document_namespaces("me", "c") == sorted([(), (label,), (label, "b"), (label + "b",)])


@pytest.mark.req("S5", "K10")
def test_writes_are_done_together_or_not_at_all_where_one_is_not_as_expected(store: Store) -> None:
    assert write(store, paper("a", "one", "n", expected=0))
    assert not write(store, paper("b", "other", "n"), paper("a", "two", "n", expected=0))
    assert keys(store.documents(shelf("n"))) == ["a"]
    (known,) = store.documents(shelf("n"))
    assert write(store, paper("a", "two", "n", expected=known.stamp))
    assert not write(store, DocumentWrite(namespace=("n",), key="a", value=None, expected=known.stamp))
    assert [one.value for one in store.documents(shelf("n"))] == [{"text": "two"}]


@pytest.mark.req("S5", "F30", "K4")
def test_no_owner_sees_counts_or_changes_the_documents_of_another(store: Store) -> None:
    write(store, paper("k", "mine", "n"))
    write(store, paper("k", "theirs", "n"), owner="you")
    (theirs,) = store.documents(shelf("n", owner="you"))
    write(store, DocumentWrite(namespace=("n",), key="k", value=None))
    assert store.documents(shelf("n")) == []
    assert store.documents(shelf("n", owner="you")) == [theirs]
    assert store.documents_at("me", [theirs.stamp]) == []
    assert len(store.document_vectors(shelf(), model=MODEL)[0]) == 0
    store.put_document_vectors("me", [(theirs.stamp, np.stack([vector("x")]))], model=MODEL)
    assert len(store.document_vectors(shelf(owner="you"), model=MODEL)[0]) == 1
    assert (store.stats("me").documents, store.stats("you").documents) == (0, 1)
    assert list(store.iterate_documents("you")) == [theirs]


@pytest.mark.req("S5", "K6")
def test_vectors_go_with_their_document_and_late_ones_only_to_what_is_unchanged(store: Store) -> None:
    write(store, paper("a", "one", "n", vectors=None), paper("b", "two", "n"))
    (waiting,) = store.documents(shelf(), pending=True)
    write(store, paper("a", "other", "n", vectors=None))
    store.put_document_vectors("me", [(waiting.stamp, np.stack([vector("one")]))], model=MODEL)
    assert [one.key for one in store.documents(shelf(), pending=True)] == ["a"]
    stamps, vectors = store.document_vectors(shelf("n"), model=MODEL)
    assert keys(store.documents_at("me", stamps.tolist())) == ["b"]
    assert np.allclose(vectors[0], vector("two"), atol=0.02)
    write(store, DocumentWrite(namespace=("n",), key="b", value=None))
    assert len(store.document_vectors(shelf("n"), model=MODEL)[0]) == 0
    assert store.check() == []


@pytest.mark.req("S5", "O7", "F35")
@pytest.mark.parametrize("text", ["对青霉素过敏，在瑞金医院确诊", "Allergic to penicillin since Easter 2019"])
def test_erased_documents_leave_no_byte_and_nothing_else_goes_with_them(store: Store, text: str) -> None:
    remember(store, 1, new(entry("m", "用户住在上海"), "上海"))
    write(store, paper("secret", text, "health"), paper("kept", "喜欢爬山", "hobbies"))
    erasure = store.erase_documents(shelf("health"), at=NOW)
    assert (erasure.documents, erasure.memories, erasure.proved) == (1, 0, True)
    assert erasure.probes > 5
    assert keys(store.documents(shelf())) == ["kept"]
    assert store.get("me", ["m"])
    whole = store.erase("me", None, at=NOW, actor="user")
    assert (whole.documents, whole.memories, whole.proved) == (1, 1, True)
    assert store.owners() == []
