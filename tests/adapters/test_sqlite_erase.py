"""The proof of erasing: what the byte scan finds, what it does not look for, and that it can fail."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conformance.store_cases import NOW, entry, ids, new, remember, source, turn, vector
from yinji.adapters.sqlite import SqliteStore, forget, open_store
from yinji.adapters.sqlite.rows import quantised
from yinji.adapters.sqlite.scan import RUN, SHORTEST, probes_of
from yinji.model import Drop, DropReason, Fields, Mention, Scope
from yinji.ports import Change, Outcome

KEYS = [None, "密码"]
SECRETS = ["用户对青霉素过敏，去年在瑞金医院确诊", "The user is allergic to penicillin since Easter 2019"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.yinji"


def keep_much(store: SqliteStore) -> None:
    others = [new(entry(f"k{n}", f"第{n}件事：今天天气很好，适合散步{n}", owner="you")) for n in range(300)]
    store.import_memories(others, at=NOW)


def keep_secret(store: SqliteStore, words: str) -> None:
    """The words everywhere they may get to: turn, content, quote, fields, terms, drops, and what undoing needs."""
    terms = tuple(words.split() if " " in words else [words[n : n + 2] for n in range(0, len(words), 2)])
    fields = Fields(object=(Mention(text=words[3:8], start=3, end=8),))
    memory = entry("secret", words, sources=(source(1, words),), fields=fields, subject=words[:6])
    (accepted,) = store.accept([turn(1, words, assistant=f"记住了：{words}")])
    drop = Drop(text=words[5:], reason=DropReason.UNCERTAIN)
    store.commit(Outcome(turn=accepted.turn, at=NOW, added=(new(memory, *terms),), drops=(drop,), warnings=(words,)))
    edited = Change(content="改过：" + words, terms=terms, vector=vector("改过：" + words))
    store.change("me", "secret", edited, at=NOW, actor="user", reason=words)


def everything(path: Path, key: str | None) -> bytes:
    """All bytes of the store's files, deciphered when there is a key."""
    files = b"".join(each.read_bytes() for each in path.parent.iterdir() if each.name.startswith(path.name))
    if key is None:
        return files
    db = apsw.Connection(str(path))
    db.pragma("cipher", "aegis")
    db.pragma("hexkey", key.encode().hex())
    try:
        return files + db.serialize("main")
    finally:
        db.close()


def runs(text: str) -> Iterator[bytes]:
    for at in range(len(text) - 8):
        yield text[at : at + 9 if text.isascii() else at + 3].encode()


@pytest.mark.req("O7")
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("words", SECRETS)
@pytest.mark.parametrize("everyone", [False, True])
def test_no_run_of_an_erased_text_and_no_piece_of_its_vector_is_left_in_any_file(
    path: Path, key: str | None, words: str, everyone: bool
) -> None:
    with open_store(path, key=key) as store:
        keep_much(store)
        keep_secret(store, words)
        if key is None:
            assert all(run in everything(path, key) for run in runs(words)), "the check itself can see them"
        erasure = store.erase("me", None if everyone else ["secret"], at=NOW, actor="user")
        assert (erasure.found, erasure.proved, erasure.memories, erasure.turns) == (0, True, 1, 1)
        assert set(erasure.files) == {f"memory.yinji{suffix}" for suffix in ("", "-wal", "-shm")}
        left = everything(path, key)
        assert [run.decode() for run in runs(words) if run in left] == []
        for text in (words, "改过：" + words):
            _, data = quantised(vector(text))
            assert not any(data[at : at + 8] in left for at in range(len(data) - 8))
        assert store.check() == []


def delete_carelessly(store: SqliteStore) -> None:
    with store._file.alone() as db:
        db.pragma("secure_delete", 0)


@pytest.mark.req("O7")
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("words", SECRETS)
def test_the_scan_finds_what_a_careless_delete_leaves_behind(
    path: Path, monkeypatch: pytest.MonkeyPatch, key: str | None, words: str
) -> None:
    monkeypatch.setattr(forget, "_rewrite", lambda file: None)
    with open_store(path, key=key) as store:
        keep_much(store)
        keep_secret(store, words)
        delete_carelessly(store)
        erasure = store.erase("me", ["secret"], at=NOW, actor="user")
    assert erasure.found > 10
    assert not erasure.proved


@pytest.mark.req("O7")
@pytest.mark.parametrize("key", KEYS)
def test_what_is_left_behind_is_rewritten_away(path: Path, key: str | None) -> None:
    with open_store(path, key=key) as store:
        keep_much(store)
        keep_secret(store, SECRETS[0])
        delete_carelessly(store)
        assert store.erase("me", ["secret"], at=NOW, actor="user").proved
        left = everything(path, key)
        assert [run.decode() for run in runs(SECRETS[0]) if run in left] == []
        assert store.check() == []


@pytest.mark.req("O7")
@pytest.mark.parametrize("key", KEYS)
def test_a_log_that_a_reader_holds_on_to_means_no_proof(path: Path, key: str | None) -> None:
    with open_store(path, key=key, busy_s=0) as store:
        keep_secret(store, SECRETS[0])
        with store._file.read() as db:
            assert db.execute("SELECT count(*) FROM memory").get == 1
            erasure = store.erase("me", ["secret"], at=NOW, actor="user")
        assert not erasure.proved
        assert store.get("me", ["secret"], hidden=True) == []


@pytest.mark.req("O7", "K9")
def test_backups_from_before_an_upgrade_go_with_what_is_erased(path: Path) -> None:
    with open_store(path) as store:
        keep_secret(store, SECRETS[0])
        backup = path.with_name("memory.yinji.v0.bak")
        backup.write_bytes(path.read_bytes())
        other = path.with_name("memory.yinji-notes.txt")
        other.write_text("mine", encoding="utf-8")
        store.erase("me", ["gone"], at=NOW, actor="user")
        assert backup.exists(), "nothing was erased"
        assert store.erase("me", ["secret"], at=NOW, actor="user").proved
        assert not backup.exists()
        assert other.exists()


@pytest.mark.req("O7")
def test_what_a_kept_memory_also_says_is_counted_and_not_looked_for(path: Path) -> None:
    with open_store(path) as store:
        words = "用户住在上海市浦东新区"
        remember(store, 1, new(entry("a", words, sources=(source(1, words),)), words))
        remember(store, 2, new(entry("b", words, sources=(source(2, words),)), words))
        erasure = store.erase("me", ["a"], at=NOW, actor="user")
        assert erasure.proved
        assert erasure.shared >= len(words) - 2
        assert ids(store.words(Scope(owner="me"), [words], limit=9).hits) == ["b"]


@pytest.mark.req("O7", "F37")
def test_many_memories_are_taken_out_of_the_index_with_those_of_others_left(path: Path) -> None:
    with open_store(path) as store:
        store.import_memories([new(entry(f"m{n}", f"第{n}条"), "词", f"词{n}") for n in range(400)], at=NOW)
        store.import_memories([new(entry(f"y{n}", owner="you"), "词", f"词{n}") for n in range(40)], at=NOW)
        assert store.erase("me", [f"m{n}" for n in range(390)], at=NOW, actor="user").proved
        assert store.check() == []
        assert store.erase("me", None, at=NOW, actor="user").proved
        assert store.check() == []
        assert len(store.words(Scope(owner="you"), ["词"], limit=999).hits) == 40


# the scan by itself

letters = st.text(st.sampled_from("用户不吃香菜ab c🍜é"), max_size=25)


@pytest.mark.req("O7")
@settings(max_examples=300, deadline=None)
@given(texts=st.lists(letters, max_size=4), haystack=letters, cut=st.integers(0, 4096))
def test_the_scan_finds_exactly_the_runs_that_are_there(texts: list[str], haystack: str, cut: int) -> None:
    probes = probes_of(texts, [])
    expected = set()
    for text in {text.encode() for text in texts}:
        starts = [at for at in range(len(text)) if text[at] & 0xC0 != 0x80]
        expected |= {text[at : at + RUN] for at in starts if at + RUN <= len(text)}
        if SHORTEST <= len(text) < RUN:
            expected.add(text)
    assert len(probes) == len(expected)
    data = bytes(cut) + haystack.encode() + bytes(5000)
    assert len(probes.found_in([data])) == sum(run in data for run in expected)


@pytest.mark.req("O7")
def test_the_scan_sees_across_its_own_pieces_and_skips_what_is_empty() -> None:
    probes = probes_of(["青霉素"], [])
    for at in (0, 1, 4090, 4096, (1 << 18) - 5, (1 << 18), (1 << 20) - 1):
        data = b"x" * at + "青霉素".encode() + b"x" * 7
        assert len(probes.found_in([data])) == 1, at
    assert len(probes.found_in([bytes(1 << 20), b"", b"x"])) == 0
