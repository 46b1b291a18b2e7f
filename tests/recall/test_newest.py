"""Of two values that may both hold, a question about now is answered by the newer; nothing is hidden."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest

from tests.conftest import StandingClock
from tests.recall.test_diversify import candidate
from yinji import Memory
from yinji.model import Candidate, Link, LinkKind, MemoryEntry, Modality, Scope
from yinji.ownership.portability import plain
from yinji.recall.analyse import analyse
from yinji.recall.newest import newest_first
from yinji.recall.read import FACTOR, before_now


class Case(NamedTuple):
    old: str
    new: str
    last: str
    now: str
    past: str


CASES = [
    Case(
        old="用户的健身房在城东，每周去两次",
        new="用户在河西那家健身房办了年卡",
        last="用户换到健身房的新分店了，在北站",
        now="健身房在哪",
        past="以前健身房在哪？",
    ),
    Case(
        old="The user's gym is the one on Mill Road",
        new="The user has joined the gym by the station",
        last="The user's gym moved to Hope Street",
        now="Which gym does the user go to?",
        past="Which gym did the user use to go to?",
    ),
]


def told(memory: Memory, clock: StandingClock, *texts: str) -> list[MemoryEntry]:
    """Memories of these words, each pointing to the next as the one that probably holds in its place."""
    memory.import_([{"content": text, "at": clock.move(days=30).isoformat()} for text in texts])
    found = sorted(memory.list(limit=None), key=lambda one: one.recorded_at)
    memory.forget([one.id for one in found], hard=True)
    later = [*found[1:], None]
    linked = [
        replace(one, links=(Link(kind=LinkKind.OVERTAKEN_BY, target=next_.id),) if next_ else ())
        for one, next_ in zip(found, later, strict=True)
    ]
    memory.import_([plain(one) for one in linked])
    return linked


@pytest.mark.req("W9", "R8")
@pytest.mark.parametrize("case", CASES)
def test_the_newer_value_comes_first_and_the_older_stays_findable(
    memory: Memory, clock: StandingClock, case: Case
) -> None:
    older, newer = told(memory, clock, case.old, case.new)
    hits = memory.recall(case.now)
    assert [hit.memory.id for hit in hits][:2] == [newer.id, older.id]
    assert [hit.newer for hit in hits][:2] == [None, newer.id]


@pytest.mark.req("W9", "R9", "R10")
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("form", ["xml", "markdown", "json"])
def test_a_context_says_that_the_older_value_may_be_outdated(
    memory: Memory, clock: StandingClock, case: Case, form: str
) -> None:
    told(memory, clock, case.old, case.new)
    lines = memory.context(case.now, gate=False, format=form).text.replace("}, {", "}\n{").splitlines()
    marked = [line for line in lines if "perhaps outdated" in line]
    assert len(marked) == 1
    assert all(word in marked[0] for word in case.old.split()[:3])


@pytest.mark.req("R10")
@pytest.mark.parametrize(("case", "said"), list(zip(CASES, ("可能已过时", "perhaps outdated"), strict=True)))
def test_why_says_that_something_newer_is_known(memory: Memory, clock: StandingClock, case: Case, said: str) -> None:
    older, newer = told(memory, clock, case.old, case.new)
    assert said in memory.why(case.now, older.id).why
    assert said not in memory.why(case.now, newer.id).why


@pytest.mark.req("K3", "R8")
@pytest.mark.parametrize("case", CASES)
def test_a_question_about_then_is_answered_by_what_was_known_then(
    memory: Memory, clock: StandingClock, case: Case
) -> None:
    older, _ = told(memory, clock, case.old, case.new)
    hits = memory.recall(case.now, as_of=older.recorded_at + timedelta(days=1))
    assert [(hit.memory.id, hit.newer) for hit in hits] == [(older.id, None)]


@pytest.mark.req("K3", "R8")
@pytest.mark.parametrize("case", CASES)
def test_a_question_about_the_past_marks_nothing(memory: Memory, clock: StandingClock, case: Case) -> None:
    told(memory, clock, case.old, case.new)
    assert {hit.newer for hit in memory.recall(case.past)} == {None}


@pytest.mark.req("W9", "R8")
@pytest.mark.parametrize("case", CASES)
def test_the_newest_of_several_values_comes_first(memory: Memory, clock: StandingClock, case: Case) -> None:
    _, _, last = told(memory, clock, case.old, case.new, case.last)
    hits = memory.recall(case.now)
    assert hits[0].memory.id == last.id
    assert [hit.newer for hit in hits][1:3] == [last.id, last.id]


@pytest.mark.req("W9", "L14")
@pytest.mark.parametrize("case", CASES)
def test_once_the_newer_is_forgotten_the_older_holds_as_before(
    memory: Memory, clock: StandingClock, case: Case
) -> None:
    older, newer = told(memory, clock, case.old, case.new)
    memory.forget(newer.id)
    assert [(hit.memory.id, hit.newer) for hit in memory.recall(case.now)] == [(older.id, None)]


@pytest.mark.req("W9", "R8")
@pytest.mark.parametrize(("own", "first"), [(3.0, "newer"), (1.5, "older")])
def test_a_newer_value_comes_first_only_where_it_answers_about_as_well(own: float, first: str) -> None:
    older, newer = candidate(1, 6.0), candidate(2, own)
    ordered = newest_first([older, newer], {older.memory.id: newer.memory}, Scope(owner="me"))
    ids = {"older": older.memory.id, "newer": newer.memory.id}
    assert ordered[0].memory.id == ids[first]
    assert [one.newer for one in ordered if one.memory.id == ids["older"]] == [ids["newer"]]


ASKED = datetime(2026, 6, 1, tzinfo=UTC)


def read(number: int, odds: float, modality: Modality = Modality.ASSERTED) -> Candidate:
    """A candidate told so many days before it is asked, and how likely it answers."""
    one = candidate(number, 1.0)
    memory = replace(one.memory, recorded_at=ASKED - timedelta(days=number), modality=modality)
    return replace(one, memory=memory, factors={FACTOR: odds})


def marked(question: str, *candidates: Candidate) -> dict[str, str]:
    query = analyse(question, scope=Scope(owner="me"), now=ASKED, past=False, language=None)
    return {id: one.id for id, one in before_now(query, candidates).items()}


@pytest.mark.req("R3", "R8")
@pytest.mark.parametrize("question", ["我妈的号现在多少粉丝？", "How many followers does Mum have now?"])
def test_who_asks_for_now_has_what_was_told_before_the_latest_answer_marked(question: str) -> None:
    older, latest, other = read(90, 1.3), read(5, 2.4), read(1, -4.0)
    assert marked(question, older, latest, other) == {older.memory.id: latest.memory.id}


@pytest.mark.req("R3", "R8")
@pytest.mark.parametrize(
    "question",
    [
        "我妈的号多少粉丝？",
        "我现在都有哪些会员卡？",
        "How many followers does Mum have?",
        "Which medicines am I on now?",
    ],
)
def test_who_does_not_or_asks_for_several_has_nothing_marked(question: str) -> None:
    assert marked(question, read(90, 1.3), read(5, 2.4)) == {}


@pytest.mark.req("R3", "R8")
@pytest.mark.parametrize("question", ["我现在住在哪里？", "Where do I live now?"])
def test_a_plan_is_not_what_is_so_now(question: str) -> None:
    assert marked(question, read(90, 1.3), read(5, 2.4, Modality.PLANNED)) == {}
