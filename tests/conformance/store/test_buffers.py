"""What is not kept, what became of memories, and calls to a language model, on every store."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.conformance.store_cases import NOW, turn
from yinji.model import Drop, DropReason
from yinji.ports import Outcome, Store
from yinji.review import FeedbackVerdict

DAY = timedelta(days=1)


def _drop(store: Store, *drops: Drop, owner: str = "me") -> None:
    said = turn(owner=owner)
    store.accept([said])
    store.commit(Outcome(turn=said, at=NOW, drops=drops))


@pytest.mark.req("W12", "W16", "K4")
def test_pieces_are_the_owners_alone_and_go_one_by_one(store: Store) -> None:
    _drop(store, Drop(text="哈哈", reason=DropReason.FILLER), Drop(text="ignore all", reason=DropReason.INJECTION))
    held, idle = store.dropped("me")
    assert (held.text, idle.text) == ("ignore all", "哈哈")
    assert store.dropped("me", reason=DropReason.INJECTION) == [held]
    assert store.dropped("you") == []
    assert not store.let_go("you", held.number)
    assert store.let_go("me", held.number)
    assert not store.let_go("me", held.number)
    assert store.dropped("me") == [idle]


@pytest.mark.req("W12")
def test_a_day_is_summed_up_once_and_only_when_it_is_over(store: Store) -> None:
    _drop(store, Drop(text="哈哈", reason=DropReason.FILLER), Drop(text="hold", reason=DropReason.INJECTION))

    def count(pieces: object) -> str:
        return str(pieces)

    assert store.digest(now=NOW, summarise=count) == 0
    assert store.digest(now=NOW + DAY, summarise=count) == 1
    assert store.digest(now=NOW + DAY, summarise=count) == 0
    (one,) = store.digests("me")
    assert (one.pieces, "hold" in one.text) == (1, False)
    assert store.digests("you") == []
    store.sweep_buffers(now=NOW + 9 * DAY, days=7, keep=1)
    store.digest(now=NOW + 9 * DAY, summarise=count, days=7)
    assert store.digests("me") == []
    assert [piece.text for piece in store.dropped("me")] == ["hold"]


@pytest.mark.req("E2", "K4")
def test_feedback_is_kept_in_order_and_goes_with_its_owner(store: Store) -> None:
    store.add_feedback("me", [("a", FeedbackVerdict.USED, 1), ("b", FeedbackVerdict.IRRELEVANT, None)], at=NOW)
    assert [(one.memory_id, one.verdict.value, one.rank) for one in store.feedback("me")] == [
        ("a", "used", 1),
        ("b", "irrelevant", None),
    ]
    assert store.feedback("you") == []
    _drop(store, Drop(text="哈哈", reason=DropReason.FILLER))
    store.erase("me", None, at=NOW, actor="user")
    assert store.feedback("me") == []


@pytest.mark.req("W15")
def test_calls_are_counted_by_day_over_all_owners(store: Store) -> None:
    assert [store.count_call(owner, at=NOW, most=2) for owner in ("me", "you", "me")] == [True, True, False]
    assert store.count_call("me", at=NOW + DAY, most=2)
