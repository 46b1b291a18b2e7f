"""Memories in and out, and who sees which."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conformance.store_cases import (
    DAY,
    DIM,
    FRESH,
    ME,
    MODEL,
    NOW,
    SHANGHAI,
    Opener,
    entries,
    entry,
    ids,
    new,
    turn,
    vector,
)
from yinji.errors import InvalidInput, InvalidTime
from yinji.language.text import content_key
from yinji.model import (
    Entity,
    Interval,
    Kind,
    Layer,
    MemoryEntry,
    Scope,
    Slot,
    Validity,
)
from yinji.ports import NewMemory, Store
from yinji.recall.scope import outside


@FRESH
@given(drawn=entries)
@pytest.mark.req("K2", "W7", "O9")
def test_a_memory_comes_back_as_it_went_in(opener: Opener, tmp_path_factory: Any, drawn: MemoryEntry) -> None:
    with opener(tmp_path_factory.mktemp("s")) as store:
        assert store.import_memories([new(drawn, "词")], at=NOW) == 1
        assert store.import_memories([new(drawn, "词")], at=NOW) == 0
        (back,) = store.get(drawn.owner, [drawn.id], hidden=True)
        assert back == drawn
        assert list(store.iterate(drawn.owner)) == [drawn]
        for name in ("created_at", "updated_at", "recorded_at"):
            assert getattr(back, name).utcoffset() == getattr(drawn, name).utcoffset()
        assert store.check() == []


@pytest.mark.req("P3", "W7")
def test_what_no_file_can_hold_is_refused_with_a_sentence(store: Store) -> None:
    for wrong in (
        entry(content="半个字 \ud83d"),
        entry(importance=float("nan")),
        entry(created_at=NOW.replace(tzinfo=None)),
        entry(created_at=datetime.min.replace(tzinfo=SHANGHAI)),
    ):
        with pytest.raises(InvalidInput):
            store.import_memories([replace(new(entry()), entry=wrong)], at=NOW)
    with pytest.raises(InvalidInput):
        store.import_memories([replace(new(entry()), vector=np.full(DIM, np.nan, np.float32))], at=NOW)
    with pytest.raises(InvalidInput):
        store.accept([turn(user="\ud83d")])
    with pytest.raises(InvalidTime):
        store.accept([turn(at=NOW.replace(tzinfo=None))])
    assert list(store.iterate("me")) == []


@pytest.mark.req("K2")
def test_memories_come_in_the_order_asked_and_hidden_ones_only_when_asked_for(store: Store) -> None:
    store.import_memories([new(entry(name)) for name in ("a", "b", "c")], at=NOW)
    store.hide("me", ["b"], at=NOW, actor="user", reason="")
    assert ids(store.get("me", ["c", "b", "zz", "a"])) == ["c", "a"]
    assert ids(store.get("me", ["c", "b", "a"], hidden=True)) == ["c", "b", "a"]


@pytest.mark.req("K3", "L5")
def test_only_what_was_true_then_is_seen_with_during(store: Store) -> None:
    week = Interval(start=NOW, end=NOW + 7 * DAY)
    store.import_memories(
        [
            new(entry("always")),
            new(entry("week", valid=week)),
            new(entry("since", valid=Interval(start=NOW + 3 * DAY, end=None))),
            new(entry("moment", valid=Interval(start=NOW, end=NOW))),
        ],
        at=NOW,
    )

    def during(start: timedelta, end: timedelta) -> set[str]:
        scope = replace(ME, during=Interval(start=NOW + start, end=NOW + end))
        return set(ids(store.select(scope, limit=None)))

    assert during(-DAY, timedelta()) == {"always"}
    assert during(timedelta(), DAY) == {"always", "week", "moment"}
    assert during(6 * DAY, 8 * DAY) == {"always", "week", "since"}
    assert during(7 * DAY, 8 * DAY) == {"always", "since"}


scopes = st.builds(
    Scope,
    owner=st.just("me"),
    kinds=st.none() | st.frozensets(st.sampled_from(Kind), max_size=3),
    scenes=st.none() | st.frozensets(st.sampled_from(["work", "life", "自定义"]), max_size=2),
    validity=st.none() | st.frozensets(st.sampled_from(Validity)),
    as_of=st.none() | st.integers(0, 20).map(lambda day: NOW + day * DAY),
    during=st.none()
    | st.builds(
        lambda start, days: Interval(start=NOW + start * DAY, end=NOW + (start + days) * DAY),
        st.integers(0, 20),
        st.integers(0, 5),
    ),
    hidden=st.booleans(),
)


def varied(number: int) -> MemoryEntry:
    """The ``number``-th of a population that differs in all that a scope looks at."""
    pick = np.random.default_rng(number)

    def day() -> datetime:
        return NOW + int(pick.integers(0, 20)) * DAY

    start, length = day(), int(pick.integers(0, 6)) * DAY
    bounds = [(start, start + length), (None, start), (start, None), (None, None)][int(pick.integers(4))]
    kinds, validities = list(Kind), list(Validity)
    return entry(
        f"m{number}",
        f"第{number}条",
        kind=kinds[int(pick.integers(len(kinds)))],
        validity=validities[int(pick.integers(len(validities)))],
        scenes=(["work"], ["life", "自定义"], [])[int(pick.integers(3))],
        recorded_at=day(),
        retired_at=day() if pick.random() < 0.4 else None,
        hidden_at=day() if pick.random() < 0.2 else None,
        valid=Interval(start=bounds[0], end=bounds[1]) if pick.random() < 0.7 else None,
    )


@pytest.mark.req("R4", "R10", "K3", "O3")
def test_every_path_sees_exactly_what_the_scope_lets_see(store: Store) -> None:
    population = [replace(varied(n), scenes=tuple(varied(n).scenes)) for n in range(120)]
    store.import_memories([new(each, "词") for each in population], at=NOW)

    @settings(max_examples=60, deadline=None)
    @given(scope=scopes)
    def alike(scope: Scope) -> None:
        listed = set(ids(store.select(scope, limit=None)))
        ranked = store.vectors(scope, vector("问"), model=MODEL, limit=999)
        assert {hit.id for hit in ranked.hits} == listed
        matched = store.words(scope, ["词"], limit=999)
        assert {hit.id for hit in matched.hits} == listed
        assert sum(spread.count for spread in matched.spread.values()) == len(listed)
        assert {each.id for each in population if outside(each, scope) is None} == listed  # as `why` explains it

    alike()


@pytest.mark.req("K2")
def test_memories_are_listed_newest_first_in_pages(store: Store) -> None:
    days = [3, 1, 2, 5, 4]
    store.import_memories([new(entry(f"m{day}", recorded_at=NOW + day * DAY)) for day in days], at=NOW)
    assert ids(store.select(ME, limit=2)) == ["m5", "m4"]
    assert ids(store.select(ME, limit=2, offset=2)) == ["m3", "m2"]
    assert ids(store.select(ME, limit=None, newest_first=False))[:2] == ["m1", "m2"]
    assert ids(list(store.iterate("me"))) == ["m1", "m2", "m3", "m4", "m5"]


@pytest.mark.req("W9")
def test_memories_are_found_by_what_they_say_of_whom(store: Store) -> None:
    lives = Slot(subject="user", attribute="home", value="上海", single=True)
    store.import_memories(
        [
            new(entry("a", "用户住在上海", slot=lives)),
            new(entry("b", "Lena lives in Berlin.", slot=replace(lives, subject="Lena"))),
            new(entry("c", "用户住过北京", slot=lives, validity=Validity.SUPERSEDED)),
        ],
        at=NOW,
    )
    assert ids(store.by_slot("me", "user", "home")) == ["a"]
    assert ids(store.by_slot("me", "Lena", "home")) == ["b"]
    assert ids(store.by_content("me", content_key("用户住在上海！"))) == ["a"]
    assert ids(store.by_content("me", content_key("lena lives in berlin"))) == ["b"]


@pytest.mark.req("P2")
def test_an_id_is_found_by_its_end(store: Store) -> None:
    store.import_memories([new(entry("0190-AB12")), new(entry("0190-cb12"))], at=NOW)
    assert store.find("me", "ab12", limit=9) == ["0190-AB12"]
    assert store.find("me", "b12", limit=9) == ["0190-AB12", "0190-cb12"]
    assert store.find("me", "", limit=9) == store.find("you", "b12", limit=9) == []


@pytest.mark.req("R9")
def test_hard_facts_are_the_pinned_the_core_and_what_defines_the_user(store: Store) -> None:
    single = Slot(subject="user", attribute="name", value="李雷", single=True)
    fact = {"kind": Kind.FACT}
    store.import_memories(
        [
            new(entry("pinned", pinned=True, importance=0.1, **fact)),
            new(entry("core", layer=Layer.CORE, importance=0.9, **fact)),
            new(entry("liking", importance=0.8)),
            new(entry("name", slot=single, importance=0.7, **fact)),
            new(entry("someone's liking", subject="Lena")),
            new(entry("plain fact", **fact)),
            new(entry("past liking", validity=Validity.SUPERSEDED)),
        ],
        at=NOW,
    )
    assert ids(store.hard_facts(ME)) == ["core", "liking", "name", "pinned"]
    assert ids(store.hard_facts(replace(ME, kinds=frozenset({Kind.PREFERENCE})))) == ["liking"]


@pytest.mark.req("K7", "K4")
def test_memories_are_found_by_the_names_that_they_hold(store: Store) -> None:
    def named(id: str, *names: str, **fields: object) -> NewMemory:
        entities = tuple(Entity(name=name, type="person", start=0, end=len(name)) for name in names)
        return new(entry(id, entities=entities, **fields))

    store.import_memories(
        [named("a", "Alice", "Atlas"), named("b", "ATLAS"), named("c", "张工", subject="老張")], at=NOW
    )
    assert sorted(store.mentioning(ME, ["atlas"], limit=9)) == ["a", "b"]
    assert len(store.mentioning(ME, ["atlas"], limit=1)) == 1
    assert store.mentioning(ME, ["老张"], limit=9) == store.mentioning(ME, ["张工"], limit=9) == ["c"]
    assert store.mentioning(replace(ME, owner="ben"), ["atlas"], limit=9) == []
    assert store.mentioned("ben", ["a"]) == []
    assert {name for id, name in store.mentioned("me", ["a", "b"]) if id == "a"} == {"alice", "atlas"}
    store.hide("me", ["b"], at=NOW, actor="user", reason="")
    assert store.mentioning(ME, ["atlas"], limit=9) == ["a"]
    store.erase("me", ["a"], at=NOW, actor="user")
    assert store.mentioned("me", ["a"]) == []
