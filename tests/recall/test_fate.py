"""Why a memory came, and why not: every place where one can be lost, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from tests.conftest import StandingClock
from yinji import Interval, Memory, Settings
from yinji.errors import NotFound
from yinji.model import Fate

HOMES = pytest.mark.parametrize(
    ("home", "moved", "question"),
    [
        ("我住在杭州西湖区", "我上周搬家了，现在住在成都", "我住在哪里？"),
        ("I live in Lisbon", "I moved last week, I live in Porto now", "Where do I live?"),
    ],
    ids=["zh", "en"],
)


def kept(memory: Memory, text: str) -> str:
    return memory.remember(text, wait=True).added[-1].id


@pytest.mark.req("R10")
@HOMES
def test_a_memory_that_came_says_by_which_paths_and_factors(
    home: str, moved: str, question: str, memory: Memory
) -> None:
    id = kept(memory, home)
    told, (hit, *_) = memory.why(question, id), memory.recall(question)
    assert (told.fate, told.rank, told.score) == (Fate.SHOWN, 1, hit.score)
    assert told.why == hit.why
    assert sum(told.factors.values()) == pytest.approx(told.score)


@pytest.mark.req("R10", "W9", "F15")
@HOMES
def test_what_was_superseded_names_what_took_its_place(home: str, moved: str, question: str, memory: Memory) -> None:
    old = kept(memory, home)
    new = kept(memory, moved)
    told = memory.why(question, old)
    assert (told.fate, told.stage, told.by) == (Fate.SUPERSEDED, "scope", new)
    assert new[-8:] in told.why
    assert memory.why(question, old, past=True).fate is Fate.SHOWN


@pytest.mark.req("R10", "W2")
@pytest.mark.parametrize(
    ("said", "question", "reason"),
    [("好的，谢谢你", "我说了什么？", "应答"), ("ok, thanks!", "What did I say?", "an acknowledgement")],
    ids=["zh", "en"],
)
def test_what_was_never_written_says_why_the_gate_dropped_it(
    said: str, question: str, reason: str, memory: Memory
) -> None:
    turn = memory.remember(said, wait=True)
    told = memory.why(question, turn.turn_id)
    assert (told.fate, told.memory) == (Fate.NOT_KEPT, None)
    assert told.drops == turn.drops
    assert reason in told.why


@pytest.mark.req("R10")
@HOMES
def test_a_turn_is_asked_about_by_its_own_id(home: str, moved: str, question: str, memory: Memory) -> None:
    turn = memory.remember(home, wait=True)
    told = memory.why(question, turn.turn_id)
    assert (told.fate, told.memory) == (Fate.SHOWN, turn.added[0])


@pytest.mark.req("R10")
@HOMES
def test_what_is_kept_out_by_the_question_says_by_which_part_of_it(
    home: str, moved: str, question: str, memory: Memory, clock: StandingClock
) -> None:
    id = kept(memory, home)
    before = Interval(start=clock.now - timedelta(days=9), end=clock.now - timedelta(days=8))
    memory.edit(id, scenes=["life"])
    fates = [
        memory.why(question, id, kinds=["event"]).fate,
        memory.why(question, id, scenes=["work"]).fate,
        memory.why(question, id, as_of=clock.now - timedelta(days=1)).fate,
    ]
    assert fates == [Fate.OTHER_KIND, Fate.OTHER_SCENE, Fate.NOT_THEN]
    assert memory.why(question, id, during=before).fate in {Fate.SHOWN, Fate.NOT_THEN}
    memory.forget([id])
    assert memory.why(question, id).fate is Fate.HIDDEN


@pytest.mark.req("R10")
@pytest.mark.parametrize(
    ("texts", "question"),
    [
        ([f"用户第{n}次去图书馆借了书" for n in range(1, 9)], "我去图书馆借书几次了？"),
        ([f"The user borrowed book {n} from the library" for n in range(1, 9)], "Which books from the library?"),
    ],
    ids=["zh", "en"],
)
def test_what_is_below_the_cut_says_how_far(texts: list[str], question: str, memory: Memory) -> None:
    memory.import_([{"content": text} for text in texts])
    found = memory.recall(question, 3, trace=True)
    assert [one.memory for one in found.trace[:3]] == [hit.memory for hit in found]
    below = found.trace[4]
    told = memory.why(question, below.memory.id, 3)
    assert (told.fate, told.stage, told.rank) == (Fate.BELOW_CUT, "cut", 5)
    assert told.score is not None
    assert told.needed is not None
    assert told.score <= told.needed == found[-1].score


@pytest.mark.req("R10", "R2")
@pytest.mark.parametrize(
    ("said", "question", "told"),
    [
        ("I live in Lisbon with my sister", "我开什么车", "什么都没有列出"),
        ("I live in Lisbon with my sister", "what car do I drive", "Nothing was shown"),
    ],
    ids=["zh", "en"],
)
def test_where_nothing_was_shown_the_reason_is_said_and_no_place(
    said: str, question: str, told: str, open_memory: Callable[..., Memory]
) -> None:
    memory = open_memory(settings=Settings.load(environment={}))
    id = kept(memory, said)
    assert not memory.recall(question)
    why = memory.why(question, id)
    assert (why.fate, why.rank, why.needed) == (Fate.TOO_WEAK, None, None)
    assert why.why.startswith(told)
    assert not any(char.isdigit() for char in why.why)


@pytest.mark.req("R10")
def test_what_no_path_found_says_so(open_memory: Callable[..., Memory], memory: Memory) -> None:
    id = kept(memory, "I live in Lisbon")
    words_only = Settings.load(environment={}).with_values("embed", {"model": "none"})
    memory.close()
    again = open_memory(settings=words_only)
    told = again.why("花生酱多少钱一罐", id)
    assert (told.fate, told.stage) == (Fate.NOT_FOUND, "search")
    assert all(path.rank == 0 for path in told.paths)


@pytest.mark.req("R10", "R1", "L1")
@HOMES
def test_explaining_changes_nothing(home: str, moved: str, question: str, memory: Memory) -> None:
    id = kept(memory, home)
    before = (memory.get(id), memory.history(), memory.stats())
    for _ in range(3):
        memory.why(question, id)
        memory.recall(question, trace=True)
    assert (memory.get(id), memory.history(), memory.stats()) == before


@pytest.mark.req("R10", "K4")
@HOMES
def test_another_owners_memory_is_as_unknown_as_one_that_never_was(
    home: str, moved: str, question: str, memory: Memory
) -> None:
    turn = memory.remember(home, owner="ann", wait=True)
    for id in (turn.added[0].id, turn.turn_id, "0" * 36):
        with pytest.raises(NotFound):
            memory.why(question, id, owner="ben")
