"""Tokens are kept by their hash, let in until they are revoked, and go with their owner."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.conformance.store_cases import DAY, NOW, turn
from yinji.ports import Store, Token

ANN = Token(name="phone", owner="ann", app="chat", may=frozenset({"recall", "remember"}), created_at=NOW)


@pytest.mark.req("O3", "S1")
def test_a_token_is_found_by_its_hash_until_it_is_revoked(store: Store) -> None:
    assert not store.ever_had_tokens()
    assert store.add_token(ANN, b"hash of ann")
    assert store.add_token(replace(ANN, name="手机", owner="小明", app=None), b"hash of ming")
    assert store.token(b"hash of ann", now=NOW) == ANN
    assert store.token(b"hash", now=NOW) is None
    assert [one.name for one in store.tokens()] == ["phone", "手机"]
    assert store.revoke_token("phone", at=NOW + DAY)
    assert not store.revoke_token("phone", at=NOW + DAY)
    assert store.token(b"hash of ann", now=NOW) is None
    assert [one.owner for one in store.tokens()] == ["小明"]
    assert store.ever_had_tokens()


@pytest.mark.req("O3", "F32")
def test_a_token_opens_nothing_once_its_time_is_over(store: Store) -> None:
    brief = replace(ANN, until=NOW + DAY)
    assert store.add_token(brief, b"hash")
    assert store.token(b"hash", now=NOW) == brief
    assert store.token(b"hash", now=NOW + DAY) is None
    assert store.tokens() == [brief]
    assert store.ever_had_tokens()


@pytest.mark.req("O3")
def test_a_name_is_given_once_even_after_it_was_revoked(store: Store) -> None:
    assert store.add_token(ANN, b"1")
    assert not store.add_token(ANN, b"2")
    store.revoke_token(ANN.name, at=NOW)
    assert not store.add_token(ANN, b"3")


@pytest.mark.req("O7", "O3")
def test_erasing_an_owner_revokes_its_tokens_and_no_others(store: Store) -> None:
    store.accept([turn(1, owner="ann"), turn(2, owner="bo")])
    store.add_token(ANN, b"1")
    store.add_token(replace(ANN, name="bo's", owner="bo"), b"2")
    assert store.erase("ann", None, at=NOW, actor="user").proved
    assert store.token(b"1", now=NOW) is None
    assert store.token(b"2", now=NOW) is not None
    assert store.ever_had_tokens()
