"""Answers are given again for their time, and hold nothing that was hidden or erased."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.conformance.store_cases import DAY, NOW, turn
from yinji.ports import Replay, Store

MADE = Replay(request=b"asked", status=202, body='{"content": "用户对花生过敏, peanuts"}')


def keep(store: Store, key: bytes, *, begun: int = 0, owner: str = "ann", most: int = 10, days: int = 0) -> None:
    store.keep_replay(owner, key, MADE, begun=begun, at=NOW + days * DAY, since=NOW + (days - 1) * DAY, most=most)


@pytest.mark.req("F40", "W13")
def test_an_answer_is_found_by_its_owner_and_key_for_its_time(store: Store) -> None:
    store.accept([turn(1, owner="ann"), turn(2, owner="bo")])
    keep(store, b"1")
    assert store.begin_replay("ann", b"1", since=NOW) == (MADE, 0)
    assert store.begin_replay("ann", b"1", since=NOW + DAY) == (None, 0)
    assert store.begin_replay("ann", b"2", since=NOW) == (None, 0)
    assert store.begin_replay("bo", b"1", since=NOW) == (None, 0)
    assert store.begin_replay("nobody", b"1", since=NOW) == (None, 0)
    keep(store, b"1", owner="nobody")
    assert store.begin_replay("nobody", b"1", since=NOW) == (None, 0)


@pytest.mark.req("F40")
def test_old_answers_and_those_over_the_number_go(store: Store) -> None:
    store.accept([turn(1, owner="ann")])
    for key in (b"1", b"2", b"3"):
        keep(store, key, most=2)
    assert [store.begin_replay("ann", key, since=NOW)[0] is None for key in (b"1", b"2", b"3")] == [True, False, False]
    keep(store, b"4", days=2)
    assert store.begin_replay("ann", b"3", since=NOW)[0] is None


@pytest.mark.req("F40", "O7")
def test_an_answer_that_was_begun_before_something_was_erased_is_not_kept(store: Store) -> None:
    store.accept([turn(1, owner="ann"), replace(turn(2, owner="bo"), user="我住在杭州")])
    keep(store, b"1")
    keep(store, b"1", owner="bo")
    assert store.erase("ann", None, at=NOW, actor="user").proved
    assert store.begin_replay("ann", b"1", since=NOW) == (None, 0)
    assert store.begin_replay("bo", b"1", since=NOW) == (MADE, 0)
    keep(store, b"2", owner="bo", begun=7)
    assert store.begin_replay("bo", b"2", since=NOW) == (None, 0)
