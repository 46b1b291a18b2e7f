"""What every store must do: the Store port, method by method."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conformance.store_cases import (
    DAY,
    DIM,
    MODEL,
    NOW,
    SHANGHAI,
    STORES,
    Opener,
    entries,
    entry,
    names,
    new,
    remember,
    source,
    turn,
    vector,
)
from yinji.errors import InvalidInput, InvalidTime, KeyReused, MissingOwner, NotFound, StoreError
from yinji.language.text import content_key
from yinji.model import (
    Drop,
    DropReason,
    Interval,
    Kind,
    Layer,
    Link,
    LinkKind,
    MemoryEntry,
    Scope,
    Slot,
    Validity,
)
from yinji.ports import Change, Outcome, Reinforce, Retire, Store

ME = Scope(owner="me")
PROPERTY = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(params=list(STORES))
def opener(request: pytest.FixtureRequest) -> Opener:
    return STORES[request.param]


@pytest.fixture
def store(opener: Opener, tmp_path: Path) -> Iterator[Store]:
    with opener(tmp_path) as opened:
        yield opened


def ids(found: list[MemoryEntry]) -> list[str]:
    return [memory.id for memory in found]


# turns in


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


@pytest.mark.req("W13", "F31")
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
    assert ids_of(store.claim(holder="a", now=NOW, limit=2, lease_s=60)) == ["turn-1", "turn-2"]
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


def ids_of(turns: list[Any]) -> list[str]:
    return [each.id for each in turns]


@pytest.mark.req("W14", "K1")
def test_all_that_a_turn_changes_is_there_at_once(store: Store) -> None:
    drop = Drop(text="嗯嗯", reason=DropReason.FILLER, start=3, end=5)
    kept = entry(sources=(source(1),))
    remember(store, 1, new(kept, "不", "吃", "香菜"), drops=(drop,), warnings=("slow",))
    assert store.get("me", ["m1"]) == [kept]
    assert ids_of(list(store.words(ME, ["香菜"], limit=5).hits)) == ["m1"]
    assert ids_of(list(store.vectors(ME, vector(kept.content), model=MODEL, limit=5).hits)) == ["m1"]
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


@pytest.mark.req("W9", "W2")
def test_a_memory_said_again_gets_one_more_source(store: Store) -> None:
    remember(store, 1, new(entry(sources=(source(1),))))
    again = Reinforce(memory_id="m1", source=source(2), reason="said again")
    remember(store, 2, reinforced=(again,))
    remember(store, 3, reinforced=(again,))
    assert store.get("me", ["m1"])[0].sources == (source(1), source(2))
    assert store.outcome_of("me", "turn-2") == ((), ("m1",), (), (), ())


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


# memories in and out


@PROPERTY
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


@pytest.mark.req("R4", "K3", "O3")
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


# recall


def bm25(terms: list[str], documents: dict[str, list[str]], k1: float, b: float) -> dict[str, float]:
    """The formula, said plainly."""
    average = sum(map(len, documents.values())) / len(documents)
    scores = {}
    for name, words in documents.items():
        score = 0.0
        for term in set(terms):
            holding = sum(term in each for each in documents.values())
            idf = np.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
            count = words.count(term)
            score += idf * count * (k1 + 1) / (count + k1 * (1 - b + b * len(words) / average))
        if score:
            scores[name] = float(score)
    return scores


@pytest.mark.req("K5", "R4")
@pytest.mark.parametrize(
    "asked", [["止损"], ["c盘", "满"], ["重跑", "gen-itgc", "后"], ["api", "配置", "api"], ["run", "marathon"], ["没有"]]
)
def test_words_are_scored_by_bm25_of_the_owners_own_memories(store: Store, asked: list[str]) -> None:
    from yinji.adapters.sqlite.search import K1, B

    documents = {
        "a": ["设置", "止损", "百分", "之", "五"],
        "b": ["C盘", "满", "满", "了"],
        "c": ["重跑", "gen-itgc", "后", "报错"],
        "d": ["API", "配置", "改", "了", "api", "三", "次"],
        "e": ["run", "marathon", "in", "berlin"],
    }
    store.import_memories([new(entry(name), *terms) for name, terms in documents.items()], at=NOW)
    lower = {name: [term.lower() for term in terms] for name, terms in documents.items()}
    ranking = store.words(ME, asked, limit=9)
    expected = bm25(asked, lower, K1, B)
    assert {hit.id: hit.score for hit in ranking.hits} == pytest.approx(expected, rel=1e-5)
    assert [hit.score for hit in ranking.hits] == sorted((hit.score for hit in ranking.hits), reverse=True)
    if spread := ranking.spread.get("zh"):
        full = [expected.get(name, 0.0) for name in documents]
        assert (spread.count, spread.mean, spread.std) == pytest.approx((5, np.mean(full), np.std(full)), rel=1e-5)


@pytest.mark.req("K4", "K5")
def test_another_owner_never_shifts_a_score(store: Store) -> None:
    store.import_memories([new(entry("a"), "香菜"), new(entry("b"), "米饭")], at=NOW)
    before = store.words(ME, ["香菜"], limit=9), store.vectors(ME, vector("问"), model=MODEL, limit=9)
    store.import_memories([new(entry(f"y{n}", owner="you"), "香菜", "米饭", "面") for n in range(30)], at=NOW)
    assert before == (store.words(ME, ["香菜"], limit=9), store.vectors(ME, vector("问"), model=MODEL, limit=9))


@pytest.mark.req("K6", "R4")
def test_cosines_survive_being_stored_small(store: Store) -> None:
    store.import_memories([new(entry(f"m{n}", f"第{n}条", language="en" if n % 3 else "zh")) for n in range(60)], at=NOW)
    asked = vector("问题")
    exact = {f"m{n}": float(vector(f"第{n}条") @ asked) for n in range(60)}
    ranking = store.vectors(ME, asked, model=MODEL, limit=60)
    assert {hit.id: hit.score for hit in ranking.hits} == pytest.approx(exact, abs=0.01)
    for n in range(60):
        (same,) = store.nearest("me", vector(f"第{n}条"), model=MODEL, limit=1)
        assert same.id == f"m{n}"
        assert same.score >= 0.999
    zh = [exact[f"m{n}"] for n in range(0, 60, 3)]
    spread = ranking.spread["zh"]
    assert (spread.count, spread.mean, spread.std) == pytest.approx((20, np.mean(zh), np.std(zh)), abs=0.01)
    assert ranking.spread["en"].count == 40


@pytest.mark.req("R4")
def test_the_best_come_first_and_asked_for_ones_come_along(store: Store) -> None:
    store.import_memories([new(entry(f"m{n}", f"第{n}条")) for n in range(20)], at=NOW)
    full = [hit.id for hit in store.vectors(ME, vector("问"), model=MODEL, limit=20).hits]
    some = store.vectors(ME, vector("问"), model=MODEL, limit=3, also=[full[-1], full[0], "no such"]).hits
    assert [hit.id for hit in some] == [*full[:3], full[-1]]
    store.hide("me", [full[-1]], at=NOW, actor="user", reason="")
    assert len(store.vectors(ME, vector("问"), model=MODEL, limit=3, also=[full[-1]]).hits) == 3


@pytest.mark.req("K6")
def test_vectors_of_two_models_never_meet(store: Store) -> None:
    store.import_memories([new(entry("a"))], at=NOW)
    assert store.model() == (MODEL, DIM)
    assert store.vectors(ME, vector("问"), model="other", limit=9).hits == ()
    assert store.nearest("me", vector("问", 8), model=MODEL, limit=9) == []
    with pytest.raises(StoreError, match="other"):
        store.set_model("other", DIM)
    with pytest.raises(StoreError, match="other"):
        store.import_memories([new(entry("b", model="other"))], at=NOW)
    store.set_model(MODEL, DIM)
    assert ids_of(list(store.words(ME, ["用户不吃香菜"], limit=9).hits)) == ["a"]


@pytest.mark.req("W14", "R12")
def test_a_memory_without_a_vector_is_found_by_words_and_embedded_later(store: Store) -> None:
    store.set_model(MODEL, DIM)
    store.import_memories([new(entry("a", model=None), "香菜")], at=NOW)
    assert store.stats("me").without_vector == 1
    assert store.without_vector(MODEL, limit=9) == [("me", "a", "用户不吃香菜")]
    assert [hit.id for hit in store.words(ME, ["香菜"], limit=9).hits] == ["a"]
    assert store.vectors(ME, vector("问"), model=MODEL, limit=9).hits == ()
    store.put_vectors([("me", "a", vector("x")), ("me", "gone", vector("y")), ("nobody", "a", vector("z"))], model=MODEL)
    assert [hit.id for hit in store.vectors(ME, vector("x"), model=MODEL, limit=9).hits] == ["a"]
    assert store.without_vector(MODEL, limit=9) == []
    assert store.get("me", ["a"])[0].model == MODEL


@pytest.mark.req("L1", "R1")
def test_real_uses_are_counted_for_ninety_days(store: Store) -> None:
    store.import_memories([new(entry("a")), new(entry("b"))], at=NOW)
    assert store.touch("me", ["a", "b", "gone"], at=NOW) == 2
    assert store.touch("me", ["a"], at=NOW + DAY) == 1
    (used,) = store.get("me", ["a"])
    assert (used.recalls, used.recalls_90d, used.accessed_at) == (2, 2, NOW + DAY)
    store.touch("me", ["a"], at=NOW + 90 * DAY)
    (used,) = store.get("me", ["a"])
    assert (used.recalls, used.recalls_90d) == (3, 2)
    assert store.touch("you", ["a"], at=NOW) == 0


# changing


@pytest.mark.req("O5", "L14")
def test_an_edited_memory_is_found_by_its_new_words_only_and_undone_by_its_old(store: Store) -> None:
    before = entry("a", "用户喝美式", sources=(source(1),))
    store.import_memories([new(before, "喝", "美式")], at=NOW)
    wanted = Change(content="用户喝茶", terms=("喝", "茶"), vector=vector("用户喝茶"), kind="fact", scenes=("life",))
    after = store.change("me", "a", wanted, at=NOW + DAY, actor="user", reason="")
    assert (after.content, after.kind, after.scenes, after.updated_at) == ("用户喝茶", Kind.FACT, ("life",), NOW + DAY)
    assert store.words(ME, ["美式"], limit=9).hits == ()
    assert store.by_content("me", content_key("用户喝茶")) == [after]
    assert store.nearest("me", vector("用户喝茶"), model=MODEL, limit=1)[0].score > 0.999
    (line, _) = store.journal("me")
    assert (line.action, line.actor, line.undoable) == ("edited", "user", True)
    store.undo("me", line.id, at=NOW + 2 * DAY, actor="user")
    assert store.get("me", ["a"]) == [replace(before, updated_at=NOW + 2 * DAY)]
    assert store.words(ME, ["茶"], limit=9).hits == ()
    assert store.nearest("me", vector("用户喝美式"), model=MODEL, limit=1)[0].score > 0.999
    assert store.check() == []


@pytest.mark.req("O5")
def test_what_cannot_be_changed_is_refused(store: Store) -> None:
    store.import_memories([new(entry("a"))], at=NOW)
    how: dict[str, Any] = {"at": NOW, "actor": "user", "reason": ""}
    for owner, memory_id in (("me", "b"), ("you", "a")):
        with pytest.raises(NotFound):
            store.change(owner, memory_id, Change(content="x"), **how)
    with pytest.raises(InvalidInput):
        store.change("me", "a", Change(kind="wish"), **how)
    store.hide("me", ["a"], **how)
    with pytest.raises(NotFound):
        store.change("me", "a", Change(importance=1.0), **how)


def pin(store: Store) -> None:
    store.change("me", "a", Change(pinned=True), at=NOW, actor="user", reason="")


def edit(store: Store) -> None:
    store.change("me", "a", Change(importance=1.0), at=NOW, actor="user", reason="")


def hide(store: Store) -> None:
    store.hide("me", ["a"], at=NOW, actor="user", reason="")


def supersede(store: Store) -> None:
    retired = Retire(memory_id="a", validity=Validity.SUPERSEDED, at=NOW, by="b", reason="")
    remember(store, 9, new(entry("b")), retired=(retired,))


@pytest.mark.req("L14", "O8")
@pytest.mark.parametrize(
    ("act", "action", "answer"),
    [
        (pin, "pinned", "undone"),
        (edit, "edited", "undone"),
        (hide, "hidden", "restored"),
        (supersede, "superseded", "undone"),
    ],
)
def test_every_change_can_be_taken_back_once(
    store: Store, act: Callable[[Store], None], action: str, answer: str
) -> None:
    before = entry("a")
    store.import_memories([new(before)], at=NOW)
    act(store)
    line = next(each for each in store.journal("me", memory_id="a") if each.action == action)
    assert line.undoable
    undone = store.undo("me", line.id, at=NOW, actor="user")
    assert (undone.action, undone.memory_id) == (answer, "a")
    assert store.get("me", ["a"]) == [before]
    assert all(memory.links == () for memory in store.iterate("me"))
    assert {hit.id for hit in store.vectors(ME, vector("x"), model=MODEL, limit=9).hits} >= {"a"}
    assert next(each for each in store.journal("me") if each.id == line.id).undone
    with pytest.raises(InvalidInput):
        store.undo("me", line.id, at=NOW, actor="user")


@pytest.mark.req("L14", "O8")
def test_taking_back_what_was_added_hides_it_and_that_can_be_taken_back_too(store: Store) -> None:
    remember(store, 1, new(entry("a")))
    (added,) = store.journal("me")
    hidden = store.undo("me", added.id, at=NOW, actor="user")
    assert store.get("me", ["a"]) == []
    store.undo("me", hidden.id, at=NOW, actor="user")
    assert ids(store.get("me", ["a"])) == ["a"]


@pytest.mark.req("L14")
def test_changes_are_taken_back_in_turn_and_by_their_owner_only(store: Store) -> None:
    store.import_memories([new(entry("a")), new(entry("y", owner="you"))], at=NOW)
    edit(store)
    store.change("me", "a", Change(importance=0.1), at=NOW, actor="user", reason="")
    later, earlier = store.journal("me", memory_id="a", limit=2)
    with pytest.raises(InvalidInput, match="later change"):
        store.undo("me", earlier.id, at=NOW, actor="user")
    for owner in ("you", "nobody"):
        with pytest.raises(NotFound):
            store.undo(owner, later.id, at=NOW, actor="user")
    store.undo("me", later.id, at=NOW, actor="user")
    store.undo("me", earlier.id, at=NOW, actor="user")
    assert store.get("me", ["a"]) == [entry("a")]


@pytest.mark.req("O8", "L14")
def test_a_hidden_memory_is_gone_from_every_read(store: Store) -> None:
    slot = Slot(subject="user", attribute="diet")
    store.import_memories([new(entry("a", slot=slot, pinned=True), "香菜")], at=NOW)
    assert store.hide("me", ["a", "a", "gone"], at=NOW, actor="user", reason="") == 1
    assert store.hide("me", ["a"], at=NOW, actor="user", reason="") == 0
    assert store.get("me", ["a"]) == store.select(ME, limit=None) == store.hard_facts(ME) == []
    assert store.by_slot("me", "user", "diet") == store.by_content("me", content_key("用户不吃香菜")) == []
    assert store.words(ME, ["香菜"], limit=9).hits == store.vectors(ME, vector("x"), model=MODEL, limit=9).hits == ()
    assert store.nearest("me", vector("x"), model=MODEL, limit=9) == []
    assert (store.stats("me").memories, store.stats("me").hidden) == (0, 1)
    assert ids(store.select(replace(ME, hidden=True), limit=None)) == ["a"]


# forgetting


@pytest.mark.req("O7", "F40")
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


@pytest.mark.req("O7", "K4")
def test_erasing_an_owner_leaves_nothing_of_it_and_all_of_the_others(store: Store) -> None:
    for owner in ("me", "you"):
        store.import_memories([new(entry(f"m{n}", f"{owner}的第{n}条记忆", owner=owner)) for n in range(20)], at=NOW)
        store.accept([turn(1, f"{owner}说的一句话", owner=owner)])
    theirs = list(store.iterate("you"))
    erasure = store.erase("me", None, at=NOW, actor="user")
    assert (erasure.memories, erasure.turns, erasure.found) == (20, 1, 0)
    assert erasure.shared > 0, "the others' memories hold some of the same runs"
    assert store.owners() == ["you"]
    assert list(store.iterate("me")) == store.journal("me") == []
    assert store.words(ME, ["me的第1条记忆"], limit=9).hits == ()
    assert store.stats("me").turns == 0
    assert list(store.iterate("you")) == theirs
    assert store.erase("me", None, at=NOW, actor="user").memories == 0
    assert not store.accept([turn(1)])[0].repeated
    assert store.check() == []


@pytest.mark.req("O7", "W13")
def test_what_was_being_read_while_its_owner_was_erased_is_not_kept(store: Store) -> None:
    (accepted,) = store.accept([turn(1)])
    store.erase("me", None, at=NOW, actor="user")
    assert not store.commit(Outcome(turn=accepted.turn, at=NOW, added=(new(entry("a")),)))
    assert store.owners() == []


# many at once


def reads(store: Store, owner: str) -> list[object]:
    """Every public read of an owner."""
    scope = Scope(owner=owner, validity=None, hidden=True)
    return [
        store.get(owner, ["m1", "m2", "m3"], hidden=True),
        store.select(scope, limit=None),
        store.hard_facts(scope),
        list(store.iterate(owner)),
        store.find(owner, "1", limit=9),
        store.by_slot(owner, "user", "diet"),
        store.by_content(owner, content_key("用户不吃香菜")),
        store.words(scope, ["香菜"], limit=9),
        store.vectors(scope, vector("x"), model=MODEL, limit=9, also=["m1", "m2"]),
        store.nearest(owner, vector("x"), model=MODEL, limit=9),
        store.recent_turns(owner, "s", before_seq=None, limit=9),
        store.turn(owner, "turn-1"),
        store.outcome_of(owner, "turn-1"),
        store.pending(owner),
        store.pending(owner, ["turn-1"]),
        store.journal(owner),
        replace(store.stats(owner), owner="", file_bytes=0, model=None),
    ]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pair=st.lists(names, min_size=2, max_size=2, unique=True))
@pytest.mark.req("K4")
def test_no_read_sees_anything_of_another_owner(opener: Opener, tmp_path_factory: Any, pair: list[str]) -> None:
    mine, theirs = pair
    with opener(tmp_path_factory.mktemp("s")) as store:
        nothing = reads(store, mine)
        slot = Slot(subject="user", attribute="diet")
        remember(store, 1, new(entry("m1", slot=slot, owner=theirs), "香菜"), owner=theirs)
        remember(store, 2, new(entry("m2", pinned=True, owner=theirs), "香菜"), owner=theirs)
        store.accept([turn(3, owner=theirs)])
        assert reads(store, mine) == nothing
        assert store.hide(mine, ["m1"], at=NOW, actor="", reason="") == 0
        assert store.touch(mine, ["m1"], at=NOW) == 0
        before = reads(store, theirs)
        remember(store, 1, new(entry("m1", owner=mine), "香菜"), owner=mine)
        store.erase(mine, None, at=NOW, actor="")
        assert reads(store, theirs) == before


@pytest.mark.req("K10", "R11", "O5")
def test_what_another_process_does_is_seen_by_the_next_read(store: Store, opener: Opener, tmp_path: Path) -> None:
    def seen() -> tuple[set[str], set[str]]:
        by_words = {hit.id for hit in store.words(ME, ["词"], limit=99).hits}
        return by_words, {hit.id for hit in store.vectors(ME, vector("x"), model=MODEL, limit=99).hits}

    with opener(tmp_path) as other:
        other.import_memories([new(entry(f"m{n}", f"第{n}条"), "词") for n in range(5)], at=NOW)
        assert seen() == ({"m0", "m1", "m2", "m3", "m4"},) * 2
        other.hide("me", ["m1"], at=NOW, actor="", reason="")
        assert seen() == ({"m0", "m2", "m3", "m4"},) * 2
        other.erase("me", ["m2"], at=NOW, actor="")
        assert seen() == ({"m0", "m3", "m4"},) * 2
        other.change("me", "m3", Change(content="x", terms=("别",)), at=NOW, actor="", reason="")
        other.import_memories([new(entry("m9"), "词")], at=NOW)
        assert seen() == ({"m0", "m4", "m9"}, {"m0", "m4", "m9"})
        other.erase("me", None, at=NOW, actor="")
        assert seen() == (set(), set())
        other.import_memories([new(entry("n"), "词")], at=NOW)
        assert seen() == ({"n"}, {"n"})
        assert store.check() == []


@pytest.mark.req("K10")
def test_threads_read_and_write_the_same_store(store: Store) -> None:
    problems: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for step in range(15):
                remember(store, number * 100 + step, new(entry(f"m{number}-{step}"), "词"))
                assert store.words(ME, ["词"], limit=999).hits
                assert store.vectors(ME, vector("x"), model=MODEL, limit=9).hits
                assert store.select(ME, limit=5)
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert len(store.words(ME, ["词"], limit=999).hits) == 90
    assert store.check() == []


@pytest.mark.req("P2")
def test_statistics_count_what_is_there(store: Store) -> None:
    drop = Drop(text="嗯", reason=DropReason.FILLER)
    remember(store, 1, new(entry("a")), new(entry("b", language="en", kind=Kind.FACT, model=None)), drops=(drop, drop))
    store.accept([turn(2)])
    stats = store.stats("me")
    assert (stats.memories, stats.turns, stats.pending, stats.failed, stats.hidden) == (2, 2, 1, 0, 0)
    assert (stats.by_kind, stats.by_language) == ({"preference": 1, "fact": 1}, {"zh": 1, "en": 1})
    assert (stats.by_validity, stats.drops, stats.without_vector) == ({"current": 2}, {"filler": 2}, 1)
    assert (stats.model, stats.schema) == (MODEL, 1)
    assert stats.file_bytes > 0
    assert store.stats("nobody").memories == 0


@pytest.mark.req("K1")
def test_everything_is_there_after_closing_and_opening_again(opener: Opener, tmp_path: Path) -> None:
    with opener(tmp_path) as store:
        remember(store, 1, new(entry("a", sources=(source(1),)), "香菜"))
        before = reads(store, "me")
    with opener(tmp_path) as store:
        assert reads(store, "me") == before
    with pytest.raises(StoreError, match="closed"):
        store.get("me", ["a"])
