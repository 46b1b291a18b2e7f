"""Turns on their way in: accepted once, claimed by one, done or failed."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.conformance.store_cases import (
    DAY,
    DIM,
    ME,
    MODEL,
    NOW,
    SHANGHAI,
    entry,
    ids,
    new,
    remember,
    source,
    turn,
    vector,
)
from yinji.errors import InvalidInput, KeyReused, MissingOwner, StoreError
from yinji.model import (
    Drop,
    DropReason,
    Link,
    LinkKind,
    Scope,
    Validity,
)
from yinji.ports import Outcome, Overtake, Reinforce, Retire, Store


@pytest.mark.req("W1", "W13")
@pytest.mark.parametrize("words", ["我下周三去北京出差", "I fly to Berlin next Wednesday"])
def test_an_accepted_turn_waits_and_is_claimed_as_it_was_said(store: Store, words: str) -> None:
    said = turn(7, words, assistant="好的 / fine", app="chat", language="zh")
    (accepted,) = store.accept([said])
    assert (accepted.repeated, accepted.pending, store.pending("me")) == (False, True, 1)
    (claimed,) = store.claim(holder="h", now=NOW, limit=10, lease_s=60)
    assert claimed == accepted.turn == store.turn("me", said.id) == replace(said, key="s#7")
    assert claimed.at.tzinfo == SHANGHAI


@pytest.mark.req("W13")
def test_a_turn_without_a_number_gets_the_next_of_its_session(store: Store) -> None:
    store.accept([turn(4), turn(9, session="other")])
    given_ = store.accept([turn(1, "a", seq=-1, id="a"), turn(1, "b", seq=-1, id="b")])
    assert [(a.turn.seq, a.turn.key) for a in given_] == [(5, "s#5"), (6, "s#6")]


@pytest.mark.req("W13", "F40")
def test_the_same_turn_twice_changes_nothing(store: Store) -> None:
    store.accept([turn(1, key="k")])
    (again,) = store.accept([turn(2, key="k", at=NOW + DAY)])
    assert again.repeated
    assert (again.turn.id, again.turn.seq) == ("turn-1", 1)
    assert store.pending() == 1


@pytest.mark.req("W13")
def test_a_key_with_other_words_is_refused_and_nothing_of_the_batch_is_taken(store: Store) -> None:
    store.accept([turn(1, key="k")])
    with pytest.raises(KeyReused, match="'k'"):
        store.accept([turn(2), turn(3, "别的话", key="k")])
    with pytest.raises(KeyReused):
        store.accept([turn(4, "甲", key="n"), turn(5, "乙", key="n")])
    assert store.pending() == 1


@pytest.mark.req("K4", "W13")
def test_two_owners_may_use_the_same_key(store: Store) -> None:
    accepted = store.accept([turn(1), turn(1, "different words", owner="you")])
    assert [a.repeated for a in accepted] == [False, False]


@pytest.mark.req("K4")
def test_nobody_is_no_owner(store: Store) -> None:
    with pytest.raises(MissingOwner):
        store.accept([turn(owner="")])
    with pytest.raises(MissingOwner):
        store.select(Scope(owner=""), limit=None)
    with pytest.raises(InvalidInput):
        store.accept([turn(owner="x" * 201)])


@pytest.mark.req("K10", "W13")
def test_one_process_reads_at_a_time(store: Store) -> None:
    store.accept([turn(1), turn(2), turn(3)])
    assert ids(store.claim(holder="a", now=NOW, limit=2, lease_s=60)) == ["turn-1", "turn-2"]
    assert store.claim(holder="b", now=NOW + timedelta(seconds=59), limit=2, lease_s=60) == []
    assert len(store.claim(holder="b", now=NOW + timedelta(seconds=61), limit=9, lease_s=60)) == 3
    store.release_lease("a")
    assert store.claim(holder="a", now=NOW + timedelta(seconds=61), limit=9, lease_s=60) == []
    store.release_lease("b")
    assert len(store.claim(holder="a", now=NOW, limit=9, lease_s=60)) == 3


@pytest.mark.req("K10", "W13")
def test_the_lease_of_a_dead_process_is_free_at_once(store: Store) -> None:
    store.accept([turn(1)])
    program = "from yinji.adapters.sqlite import holder_name; print(holder_name('reader'))"
    dead = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()
    assert store.claim(holder=dead, now=NOW, limit=1, lease_s=3600)
    assert store.claim(holder="other", now=NOW, limit=1, lease_s=3600)


@pytest.mark.req("W14", "K1")
def test_all_that_a_turn_changes_is_there_at_once(store: Store) -> None:
    drop = Drop(text="嗯嗯", reason=DropReason.FILLER, start=3, end=5)
    kept = entry(sources=(source(1),))
    remember(store, 1, new(kept, "不", "吃", "香菜"), drops=(drop,), warnings=("slow",))
    assert store.get("me", ["m1"]) == [kept]
    assert ids(store.words(ME, ["香菜"], limit=5).hits) == ["m1"]
    assert ids(store.vectors(ME, vector(kept.content), model=MODEL, limit=5).hits) == ["m1"]
    assert store.outcome_of("me", "turn-1") == (("m1",), (), (), (drop,), ("slow",))
    assert [(line.action, line.memory_id) for line in store.journal("me")] == [("added", "m1")]
    assert store.pending() == 0


@pytest.mark.req("W13")
def test_an_outcome_is_applied_once(store: Store) -> None:
    said = remember(store, 1, new(entry()))
    assert not store.commit(Outcome(turn=said, at=NOW, added=(new(entry("m2")),)))
    assert ids(list(store.iterate("me"))) == ["m1"]


@pytest.mark.req("W14")
def test_an_outcome_that_cannot_be_applied_leaves_nothing_behind(store: Store) -> None:
    (accepted,) = store.accept([turn(1)])
    other = replace(new(entry("m2")), vector=vector("x", DIM + 1))
    with pytest.raises(StoreError):
        store.commit(Outcome(turn=accepted.turn, at=NOW, added=(new(entry("m1")), other)))
    assert list(store.iterate("me")) == []
    assert store.journal("me") == []
    assert store.pending() == 1
    assert store.check() == []


@pytest.mark.req("W13", "S2")
def test_after_five_failures_a_turn_is_a_dead_letter_that_can_still_be_read(store: Store) -> None:
    (accepted,) = store.accept([turn(1)])
    for failures in range(5):
        assert store.pending() == 1, failures
        store.fail(accepted.turn, error="the model said no", now=NOW)
    assert (store.pending(), store.stats("me").failed) == (0, 1)
    assert store.claim(holder="h", now=NOW, limit=1, lease_s=1) == []
    assert store.commit(Outcome(turn=accepted.turn, at=NOW))
    assert store.stats("me").failed == 0


@pytest.mark.req("W9", "L14", "K3")
def test_a_superseded_memory_points_back_and_stays_findable_as_past(store: Store) -> None:
    remember(store, 1, new(entry("old", "用户住在上海")))
    retired = Retire(memory_id="old", validity=Validity.SUPERSEDED, at=NOW + DAY, by="new", reason="moved")
    remember(store, 2, new(entry("new", "用户住在杭州", recorded_at=NOW + DAY)), retired=(retired,))
    (old,) = store.get("me", ["old"])
    (fresh,) = store.get("me", ["new"])
    assert (old.validity, old.retired_at) == (Validity.SUPERSEDED, NOW + DAY)
    assert fresh.links == (Link(kind=LinkKind.SUPERSEDES, target="old"),)
    assert ids(store.select(ME, limit=None)) == ["new"]
    assert ids(store.select(replace(ME, as_of=NOW + DAY / 2), limit=None)) == ["old"]
    assert store.outcome_of("me", "turn-2") == (("new",), (), ("old",), (), ())


@pytest.mark.req("W9", "L14")
def test_an_overtaken_memory_holds_on_and_points_to_the_newer_until_that_is_undone(store: Store) -> None:
    remember(store, 1, new(entry("old", "用户在城东健身")))
    overtaken = Overtake(memory_id="old", by="new", reason="learned")
    remember(store, 2, new(entry("new", "用户在河西办了年卡", recorded_at=NOW + DAY)), overtaken=(overtaken,))
    (old,) = store.get("me", ["old"])
    assert (old.validity, old.links) == (Validity.CURRENT, (Link(kind=LinkKind.OVERTAKEN_BY, target="new"),))
    assert store.outcome_of("me", "turn-2") == (("new",), (), (), (), ())
    line = next(one for one in store.journal("me") if one.action == "overtaken")
    store.undo("me", line.id, at=NOW + 2 * DAY, actor="me")
    assert store.get("me", ["old"])[0].links == ()


@pytest.mark.req("W9", "W2")
def test_a_memory_said_again_gets_one_more_source(store: Store) -> None:
    remember(store, 1, new(entry(sources=(source(1),))))
    again = Reinforce(memory_id="m1", source=source(2), reason="said again")
    remember(store, 2, reinforced=(again,))
    remember(store, 3, reinforced=(again,))
    assert store.get("me", ["m1"])[0].sources == (source(1), source(2))
    assert store.outcome_of("me", "turn-2") == ((), ("m1",), (), (), ())


@pytest.mark.req("W9", "F25", "F30")
def test_a_source_is_added_to_what_is_there_already_and_only_to_the_owners_own(store: Store) -> None:
    remember(store, 1, new(entry(sources=(source(1),))))
    again = Reinforce(memory_id="m1", source=source(2), reason="same words")
    assert store.reinforce("me", [again, again], at=NOW) == 2
    assert store.reinforce("other", [again], at=NOW) == 0
    assert store.reinforce("me", [replace(again, memory_id="gone")], at=NOW) == 0
    assert store.get("me", ["m1"])[0].sources == (source(1), source(2))


@pytest.mark.req("W4", "W12")
def test_the_last_turns_of_a_session_come_oldest_first(store: Store) -> None:
    store.accept([turn(n, f"第{n}句") for n in range(1, 8)] + [turn(50, session="other")])
    recent = store.recent_turns("me", "s", before_seq=7, limit=3)
    assert [each.seq for each in recent] == [4, 5, 6]


@pytest.mark.req("W12", "W13")
def test_old_words_leave_the_buffer_and_their_keys_stay(store: Store) -> None:
    drop = Drop(text="嗯嗯", reason=DropReason.FILLER)
    remember(store, 0, drops=(drop,))
    for number in range(1, 12):
        remember(store, number)
    assert store.sweep_buffers(now=NOW + 6 * DAY) == 0
    assert store.sweep_buffers(now=NOW + 8 * DAY) == 3
    assert [each.seq for each in store.recent_turns("me", "s", before_seq=None, limit=99)] == list(range(2, 12))
    assert store.outcome_of("me", "turn-0") == ((), (), (), (), ())
    assert store.accept([turn(0, "第0句话")])[0].repeated
    with pytest.raises(KeyReused):
        store.accept([turn(0, "别的话")])
