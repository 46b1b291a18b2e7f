"""Of two values that may both hold, a question about now is answered by the newer; nothing is hidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.conftest import StandingClock
from tests.recall.test_diversify import candidate
from yinji import Memory
from yinji.model import Candidate, Interval, Link, LinkKind, MemoryEntry, Modality, Query, Scope, Verdict
from yinji.ownership.portability import plain
from yinji.recall.analyse import analyse
from yinji.recall.breath import JOINER
from yinji.recall.newest import asks_for_last, newest_first
from yinji.recall.outlived import ENDS, VERDICT, Answers, comes_after, compared, doubted, outlived, regression
from yinji.recall.read import FACTOR, HEAD


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


class Reader:
    """Tells of every pair of statements that the newer does as much to the older, or ``said`` where the newer is read
    with what was said in the same breath; and that nothing answers by itself."""

    def __init__(self, ends: float, said: float | None = None) -> None:
        self.ends, self.said = ends, ends if said is None else said

    def discern(self, texts: Sequence[Sequence[str]], heads: Sequence[str]) -> Mapping[str, NDArray[np.float32]]:
        ends = [[self.said if JOINER in one[-1] else self.ends] for one in texts]
        verdicts = np.zeros((len(texts), len(Verdict)), np.float32)
        return {VERDICT: verdicts, ENDS: np.array(ends, np.float32), HEAD: np.full((len(texts), 1), -6.0, np.float32)}

    def refer(self, messages: Sequence[str], spoken: Sequence[bool], pronoun: object) -> None:
        """Points at nothing."""


SURELY, HARDLY, NOT = 6.0, -1.0, -8.0


def asked(question: str) -> Query:
    return analyse(question, scope=Scope(owner="me"), now=ASKED, past=False, language=None)


def alone(memories: Sequence[MemoryEntry]) -> Mapping[str, Sequence[MemoryEntry]]:
    """Nothing else was said in the breath of any."""
    return {}


def marked(question: str, *candidates: Candidate, ends: float = SURELY) -> dict[str, str]:
    found = outlived(Reader(ends), asked(question), candidates, len(candidates), alone)
    return {id: one.id for id, one in found.over.items()}


@pytest.mark.req("R3", "R8")
@pytest.mark.parametrize("question", ["我妈的号现在多少粉丝？", "How many followers does Mum have now?"])
def test_what_was_told_before_the_latest_answer_and_is_over_by_it_is_marked(question: str) -> None:
    older, latest, other = read(90, 1.3), read(5, 2.4), read(1, -4.0)
    assert marked(question, older, latest, other) == {older.memory.id: latest.memory.id}


@pytest.mark.req("R3", "R8")
@pytest.mark.parametrize("question", ["我妈的号多少粉丝？", "How many followers does Mum have?"])
def test_two_answers_that_both_hold_are_left_as_they_are(question: str) -> None:
    assert marked(question, read(90, 1.3), read(5, 2.4), ends=NOT) == {}


@pytest.mark.req("R3", "R8")
@pytest.mark.parametrize(
    ("one", "several"),
    [
        ("谁给我剪头发？", "都有谁给我剪过头发？"),
        ("我现在用什么会员卡？", "我现在有哪些会员卡？"),
        ("How many cups do I drink?", "Which medicines do I take?"),
        ("Who cuts my hair?", "Who has ever cut my hair, and what did they all charge?"),
    ],
)
def test_who_asks_for_several_has_less_marked_than_who_asks_for_one(one: str, several: str) -> None:
    def odds(question: str) -> float:
        old, new = read(90, 2.0).memory, read(5, 2.0).memory
        verdicts = dict.fromkeys(map(str, Verdict), 0.0)
        pair = Answers(old=old, new=new, odds=(2.0, 2.0), said=new.content)
        return regression().odds(compared(asked(question), pair, verdicts, (HARDLY, HARDLY)))

    assert odds(several) < odds(one) - 0.3


@pytest.mark.req("R3", "R8")
@pytest.mark.parametrize("question", ["我现在住在哪里？", "Where do I live now?"])
def test_a_plan_is_not_what_is_so_now_but_takes_the_place_of_a_plan(question: str) -> None:
    plan, before = read(5, 2.4, Modality.PLANNED), read(90, 1.3, Modality.PLANNED)
    assert marked(question, read(90, 1.3), plan) == {}
    assert marked(question, before, plan) == {before.memory.id: plan.memory.id}


@pytest.mark.req("R3", "R8")
@pytest.mark.parametrize("question", ["我现在住在哪里？", "Where do I live now?"])
def test_a_plan_whose_day_has_come_is_what_is_so(question: str) -> None:
    plan = read(30, 2.4, Modality.PLANNED)
    day = Interval(start=ASKED - timedelta(days=9), end=None)
    begun = replace(plan, memory=replace(plan.memory, valid=day))
    before = read(90, 1.3)
    assert marked(question, before, begun) == {before.memory.id: begun.memory.id}


@pytest.mark.req("R8")
def test_where_nothing_reads_nothing_is_compared() -> None:
    found = outlived(object(), asked("Where do I live?"), [read(90, 1.3), read(5, 2.4)], 2, alone)
    assert not found.over
    assert not found.behind


@pytest.mark.req("R3", "R8")
@pytest.mark.parametrize(
    ("question", "old", "new", "said"),
    [
        ("我血压药吃多少？", "用户血压药一天吃两片", "用户现在吃一片", "医生说可以减半"),
        ("谁打鼓？", "阿凯打鼓", "鼓由大雄顶上", "阿凯去广州了"),
        ("How many tablets do I take?", "The user takes two tablets", "The user takes one now", "The dose was halved"),
        ("Who plays drums?", "Kez plays drums", "Dev has stepped in", "Kez is off to uni"),
    ],
)
def test_an_answer_is_over_by_a_later_one_as_it_was_said_though_not_by_its_words_alone(
    question: str, old: str, new: str, said: str
) -> None:
    language = asked(question).language
    older, newer, other = (
        replace(one, memory=replace(one.memory, content=text, language=language))
        for one, text in ((read(90, 2.0), old), (read(5, 2.0), new), (read(5, -4.0), said))
    )
    reader = Reader(NOT, said=SURELY)

    def over(beside: Mapping[str, Sequence[MemoryEntry]]) -> set[str]:
        return {*outlived(reader, asked(question), [older, newer], 2, lambda _: beside).over}

    assert over({}) == set()
    assert over({newer.memory.id: [other.memory]}) == {older.memory.id}


@pytest.mark.req("W9", "R8")
@pytest.mark.parametrize("question", ["我住在哪里？", "Where do I live?"])
def test_what_was_in_doubt_when_something_later_was_told_is_not_for_a_question_that_the_later_does_not_answer(
    question: str,
) -> None:
    older, guest, elsewhere = read(90, 2.0), read(5, -1.0), read(4, -5.0)
    linked = {older.memory.id: guest.memory}
    assert doubted(Reader(NOT), asked(question), [older, guest], linked, alone) == {}
    assert doubted(Reader(SURELY), asked(question), [older, guest], linked, alone) == linked
    for read_too in ([older, elsewhere], [older]):
        linked = {older.memory.id: elsewhere.memory}
        assert doubted(Reader(NOT), asked(question), read_too, linked, alone) == {}


@pytest.mark.req("W9", "R8")
@pytest.mark.parametrize("question", ["我住在哪里？", "Where do I live?"])
def test_what_was_in_doubt_stays_so_where_nothing_reads_it(question: str) -> None:
    older, later = read(90, 2.0), read(5, 1.0)
    linked = {older.memory.id: later.memory}
    assert doubted(object(), asked(question), [older, later], linked, alone) == linked
    unread = replace(older, factors={})
    assert doubted(Reader(NOT), asked(question), [unread, later], linked, alone) == linked


@pytest.mark.req("R8")
def test_what_only_comes_behind_is_not_marked() -> None:
    older, newer = candidate(1, 6.0), candidate(2, 3.0)
    ordered = newest_first([older, newer], {}, Scope(owner="me"), behind={older.memory.id: newer.memory})
    assert [one.memory.id for one in ordered] == [newer.memory.id, older.memory.id]
    assert {one.newer for one in ordered} == {None}


LAST = {
    "zh": ("我上个手术是什么时候做的？", "牙是哪天拔的？"),
    "en": ("What was my best time over 10k?", "How much did the vet take?", "What was the wifi called again?"),
}
BEFORE = {
    "zh": ("我以前住在哪里？", "我是什么时候开始跑步的？", "去年我几月去的日本？", "我住在哪里？"),
    "en": (
        "Where did I use to live?",
        "What was my first car?",
        "Where did I live when I was six?",
        "Who came to dinner last week?",
        "Where do I live?",
    ),
}


@pytest.mark.req("R3", "R8")
@pytest.mark.parametrize(
    ("question", "last"),
    [(one, last) for told, last in ((LAST, True), (BEFORE, False)) for listed in told.values() for one in listed],
)
def test_the_past_tense_alone_may_ask_for_what_is_known_last(question: str, last: bool) -> None:
    assert asks_for_last(asked(question)) is last


@pytest.mark.req("R3", "R8")
@pytest.mark.parametrize(
    ("question", "old", "new", "comes"),
    [
        ("我去过几次攀岩馆？", "用户去过两次攀岩馆", "用户在攀岩馆爬了七次", True),
        ("我在哪家攀岩馆？", "用户去过两次攀岩馆", "用户在攀岩馆爬了七次", False),
        ("How many times have I climbed?", "The user has climbed twice", "Seven climbs for the user", True),
        ("Where have I climbed?", "The user has climbed twice", "Seven climbs for the user", False),
    ],
)
def test_of_two_counts_the_newer_comes_first_though_nothing_says_that_the_older_is_over(
    question: str, old: str, new: str, comes: bool
) -> None:
    def telling(number: int, text: str) -> MemoryEntry:
        memory = read(number, 2.0).memory
        return replace(memory, content=text, language=asked(question).language)

    pair = Answers(old=telling(90, old), new=telling(5, new), odds=(2.0, 2.0), said=new)
    features = compared(asked(question), pair, dict.fromkeys(map(str, Verdict), 0.0), (HARDLY, HARDLY))
    assert comes_after(features) is comes


@pytest.mark.req("R3", "R8")
@pytest.mark.parametrize("question", ["我妈的号现在多少粉丝？", "How many followers does Mum have now?"])
def test_who_asks_for_now_has_what_was_told_before_the_latest_answer_marked(question: str) -> None:
    older, latest, other = read(90, 1.3), read(5, 2.4), read(1, -4.0)
    assert marked(question, older, latest, other, ends=NOT) == {older.memory.id: latest.memory.id}
