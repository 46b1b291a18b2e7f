"""Erasing for good."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.conformance.store_cases import (
    ME,
    MODEL,
    NOW,
    entry,
    new,
    remember,
    source,
    turn,
    vector,
)
from yinji.errors import MissingOwner
from yinji.model import (
    Drop,
    DropReason,
    Validity,
)
from yinji.ports import Outcome, Retire, Store


@pytest.mark.req("O7", "F35")
@pytest.mark.parametrize(("words", "term"), [("用户对青霉素过敏", "青霉素"), ("Allergic to penicillin", "penicillin")])
def test_an_erased_memory_is_gone_with_its_turn_and_never_learned_again(store: Store, words: str, term: str) -> None:
    drop = Drop(text="嗯嗯嗯嗯", reason=DropReason.FILLER)
    said = remember(store, 1, new(entry("a", words, sources=(source(1, words),)), term), drops=(drop,))
    remember(store, 2, new(entry("b", "用户住在上海"), "上海"))
    erasure = store.erase("me", ["a", "gone"], at=NOW, actor="user")
    assert (erasure.memories, erasure.turns, erasure.found, erasure.proved) == (1, 1, 0, True)
    assert erasure.probes > 5
    assert store.get("me", ["a"], hidden=True) == []
    assert store.words(ME, [term], limit=9).hits == ()
    assert [hit.id for hit in store.vectors(ME, vector(words), model=MODEL, limit=9).hits] == ["b"]
    assert store.turn("me", said.id) == replace(said, user="", assistant=None)
    assert [each.id for each in store.recent_turns("me", "s", before_seq=None, limit=9)] == ["turn-2"]
    assert store.accept([said, turn(1, "同一把钥匙，别的话")])[0].repeated
    assert store.pending() == 0
    assert [line.action for line in store.journal("me", memory_id="a")] == ["erased", "added"]
    assert not any(line.undoable or line.reason for line in store.journal("me", memory_id="a"))
    assert store.check() == []


@pytest.mark.req("O7")
def test_erasing_the_newer_leaves_the_older_retired_and_the_other_way_round_drops_the_link(store: Store) -> None:
    for number, (old, fresh) in enumerate((("a", "b"), ("c", "d"))):
        remember(store, 2 * number, new(entry(old, f"用户住在{old}城")))
        retired = Retire(memory_id=old, validity=Validity.SUPERSEDED, at=NOW, by=fresh, reason="")
        remember(store, 2 * number + 1, new(entry(fresh, f"用户住在{fresh}城")), retired=(retired,))
    store.erase("me", ["b", "c"], at=NOW, actor="user")
    (a,), (d,) = store.get("me", ["a"]), store.get("me", ["d"])
    assert a.validity is Validity.SUPERSEDED
    assert d.links == ()


@pytest.mark.req("O7", "K4", "F31")
def test_erasing_an_owner_leaves_nothing_of_it_and_all_of_the_others(store: Store) -> None:
    for owner in ("me", "you"):
        store.import_memories([new(entry(f"m{n}", f"{owner}的第{n}条记忆", owner=owner)) for n in range(20)], at=NOW)
        store.accept([turn(1, f"{owner}说的一句话", owner=owner)])
    theirs = list(store.iterate("you"))
    erasure = store.erase("me", None, at=NOW, actor="user")
    assert (erasure.memories, erasure.turns, erasure.found) == (20, 1, 0)
    assert erasure.shared > 0, "the others' memories hold some of the same runs"
    assert store.owners() == ["you"]
    assert list(store.iterate("me")) == []
    assert store.journal("me") == []
    assert store.words(ME, ["me的第1条记忆"], limit=9).hits == ()
    assert store.stats("me").turns == 0
    assert list(store.iterate("you")) == theirs
    assert store.erase("me", None, at=NOW, actor="user").memories == 0
    assert not store.accept([turn(1)])[0].repeated
    assert store.check() == []


@pytest.mark.req("O7", "F31")
def test_erasing_nobody_or_nothing_erases_nothing(store: Store) -> None:
    for owner in ("me", "you"):
        store.import_memories([new(entry("a", owner=owner))], at=NOW)
    with pytest.raises(MissingOwner):
        store.erase("", None, at=NOW, actor="user")
    for owner, wanted in (("me", []), ("nobody", None), ("nobody", ["a"]), ("me", ["b"])):
        erasure = store.erase(owner, wanted, at=NOW, actor="user")
        assert (erasure.memories, erasure.turns, erasure.proved) == (0, 0, True)
    assert len(store.owners()) == len(list(store.iterate("me"))) + len(list(store.iterate("you"))) == 2


@pytest.mark.req("O7", "W13")
def test_what_was_being_read_while_its_owner_was_erased_is_not_kept(store: Store) -> None:
    (accepted,) = store.accept([turn(1)])
    store.erase("me", None, at=NOW, actor="user")
    assert not store.commit(Outcome(turn=accepted.turn, at=NOW, added=(new(entry("a")),)))
    assert store.owners() == []
