"""Doubts and contradictions: what stays, what is asked, and what an answer does."""

from __future__ import annotations

import io

import pytest

from tests.conftest import StandingClock
from yinji import Memory, YinjiError
from yinji.model import Validity, Verdict

DOUBTFUL = [
    ("我们组周会是周二上午", "周会好像要挪到周四？", "以哪个为准"),
    ("Dad's operation is on Thursday", "Dad's operation might be on Friday, I'm not sure", "Which holds?"),
]
CONTRARY = [
    ("我的血型是A型", "我的血型是O型", "以哪个为准"),
    ("My blood type is A", "My blood type is O", "Which is right?"),
]


def say(memory: Memory, clock: StandingClock, *texts: str) -> None:
    for text in texts:
        memory.remember(text, at=clock.move(days=1), wait=True)


def standing(memory: Memory) -> dict[str, Validity]:
    return {one.content: one.validity for one in memory.list(validity=None, limit=None)}


@pytest.mark.req("W9", "L8")
@pytest.mark.parametrize(("old", "new", "asks"), DOUBTFUL)
def test_a_doubtful_statement_changes_nothing_and_is_asked_about(
    memory: Memory, clock: StandingClock, old: str, new: str, asks: str
) -> None:
    say(memory, clock, old)
    before = standing(memory)
    say(memory, clock, new)
    (question,) = memory.questions()
    assert (standing(memory), question.verdict) == (before, Verdict.UNSURE)
    assert asks in question.text
    assert question.old.content in question.text


@pytest.mark.req("L8")
@pytest.mark.parametrize(("old", "new", "asks"), DOUBTFUL)
def test_the_same_doubt_is_asked_once(memory: Memory, clock: StandingClock, old: str, new: str, asks: str) -> None:
    say(memory, clock, old, new, new, new)
    assert len(memory.questions()) == 1


@pytest.mark.req("W9", "L8", "K3")
@pytest.mark.parametrize(("old", "new", "asks"), CONTRARY)
def test_of_a_contradiction_both_stay_marked_and_linked(
    memory: Memory, clock: StandingClock, old: str, new: str, asks: str
) -> None:
    say(memory, clock, old, new)
    newer, older = memory.list()
    assert {newer.validity, older.validity} == {Validity.DISPUTED}
    assert [(link.kind.value, link.target) for link in newer.links] == [("contradicts", older.id)]
    assert asks in memory.questions()[0].text


@pytest.mark.req("L8", "F17")
@pytest.mark.parametrize("said", CONTRARY)
@pytest.mark.parametrize(
    ("choice", "stand"),
    [
        ("old", ("current", "retracted")),
        ("new", ("retracted", "current")),
        ("both", ("current", "current")),
        ("neither", ("retracted", "retracted")),
    ],
)
def test_the_answer_settles_a_contradiction(
    memory: Memory, clock: StandingClock, said: tuple[str, str, str], choice: str, stand: tuple[str, str]
) -> None:
    say(memory, clock, *said[:2])
    settled = memory.answer(memory.questions()[0].id, choice)
    assert (settled.old.validity, settled.new.validity) == stand
    assert settled.answer == choice
    assert memory.questions() == []
    assert [one.id for one in memory.questions(answered=True)] == [settled.id]


@pytest.mark.req("L8", "K3")
@pytest.mark.parametrize(("old", "new", "asks"), DOUBTFUL)
def test_when_the_doubtful_one_is_right_it_takes_the_place_of_the_other(
    memory: Memory, clock: StandingClock, old: str, new: str, asks: str
) -> None:
    say(memory, clock, old, new)
    settled = memory.answer(memory.questions()[0].id, "new")
    assert standing(memory) == {settled.old.content: "superseded", settled.new.content: "current"}


@pytest.mark.req("L8")
def test_a_question_is_answered_once_and_an_unknown_one_not_at_all(memory: Memory, clock: StandingClock) -> None:
    say(memory, clock, *CONTRARY[0][:2])
    number = memory.questions()[0].id
    memory.answer(number, "both")
    with pytest.raises(YinjiError, match="answered before"):
        memory.answer(number, "old")
    with pytest.raises(YinjiError, match="choice"):
        memory.answer(number, "perhaps")
    with pytest.raises(YinjiError):
        memory.answer(99, "old")


@pytest.mark.req("L8", "O7")
def test_erasing_either_memory_takes_the_question_along(memory: Memory, clock: StandingClock) -> None:
    say(memory, clock, *CONTRARY[1][:2])
    erased = memory.forget(memory.questions()[0].new.id, hard=True)
    assert erased.erasure is not None
    assert erased.erasure.proved
    assert memory.questions(answered=False) == memory.questions(answered=True) == []


@pytest.mark.req("L14")
@pytest.mark.parametrize(("old", "new"), [("我住在杭州", "我搬到上海了"), ("I live in Leeds", "I've moved to York")])
def test_one_undo_takes_back_what_a_turn_added_and_superseded(
    memory: Memory, clock: StandingClock, old: str, new: str
) -> None:
    say(memory, clock, old)
    before = standing(memory)
    say(memory, clock, new)
    assert Validity.SUPERSEDED in standing(memory).values()
    memory.undo()
    assert standing(memory) == before


@pytest.mark.req("L8", "L14")
@pytest.mark.parametrize("story", CONTRARY)
def test_one_undo_takes_an_answer_back_and_asks_again(
    memory: Memory, clock: StandingClock, story: tuple[str, ...]
) -> None:
    say(memory, clock, *story[:2])
    before = standing(memory)
    memory.answer(memory.questions()[0].id, "new")
    assert standing(memory) != before
    assert memory.questions() == []
    memory.undo()
    assert standing(memory) == before
    assert len(memory.questions()) == 1


@pytest.mark.req("L14", "O7")
@pytest.mark.parametrize(
    ("said", "other"), [("我住在杭州", "我对花生过敏"), ("I live in Leeds", "I'm allergic to nuts")]
)
def test_an_undo_after_erasing_takes_nothing_else_back_unasked(
    memory: Memory, clock: StandingClock, said: str, other: str
) -> None:
    say(memory, clock, said, other)
    erased, kept = memory.list()
    memory.forget(erased.id, hard=True)
    with pytest.raises(YinjiError, match="for good"):
        memory.undo()
    assert [one.id for one in memory.list()] == [kept.id]
    newest = next(one for one in memory.history() if one.undoable)
    memory.undo(newest.id)
    assert memory.list() == []


@pytest.mark.req("O8", "O9")
@pytest.mark.parametrize(
    ("said", "other"), [("我姐姐怀孕了，别人还不知道", "我住在杭州"), ("My sister Ada is pregnant", "I live in Leeds")]
)
def test_what_was_forgotten_is_not_exported_unless_asked_for(
    memory: Memory, clock: StandingClock, said: str, other: str
) -> None:
    say(memory, clock, said, other)
    gone = next(one for one in memory.list() if "姐" in one.content or "Ada" in one.content)
    memory.forget(gone.id)
    plain, whole = io.StringIO(), io.StringIO()
    memory.export(plain)
    memory.export(whole, hidden=True)
    assert gone.content not in plain.getvalue()
    assert gone.content in whole.getvalue()


@pytest.mark.req("W9", "L8")
@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("我住在里斯本", ("我住在哪里？", "我是不是住在上海？", "我住在里斯本还是波尔图来着？")),
        ("I live in Lisbon", ("Where do I live?", "Do I live in Porto?", "Is it Lisbon or Porto I live in?")),
    ],
)
def test_a_question_never_takes_the_place_of_its_answer(
    memory: Memory, clock: StandingClock, said: str, asked: tuple[str, ...]
) -> None:
    say(memory, clock, said)
    before = standing(memory)
    say(memory, clock, *asked)
    assert standing(memory) == before


@pytest.mark.req("W10", "O5")
@pytest.mark.parametrize(
    ("said", "secret"), [("我住在杭州", "密码是hunter22x"), ("I live in Leeds", "The password is hunter22x")]
)
def test_an_edit_to_nothing_but_a_secret_is_refused(
    memory: Memory, clock: StandingClock, said: str, secret: str
) -> None:
    say(memory, clock, said)
    (kept,) = memory.list()
    with pytest.raises(YinjiError, match="must never be kept"):
        memory.edit(kept.id, content=secret)
    assert memory.get(kept.id).content == kept.content


@pytest.mark.req("W9", "F20")
@pytest.mark.parametrize(
    "said",
    [
        ("我住在杭州", "我对花生过敏", "我不吃香菜", "我搬到上海了", "周会可能要挪到周四"),
        ("I live in Leeds", "I'm allergic to peanuts", "I hate coriander", "I've moved to York", "I might move again"),
    ],
)
def test_the_same_conversation_twice_and_what_was_recalled_fed_back_change_nothing(
    memory: Memory, clock: StandingClock, said: tuple[str, ...]
) -> None:
    say(memory, clock, *said)
    before = {one.id: (one.content, one.confidence, one.validity) for one in memory.list(validity=None, limit=None)}
    say(memory, clock, *(one.content for one in memory.list(limit=None)), *said[1:3])
    for _ in range(100 // len(memory.list())):
        say(memory, clock, *(one.content for one in memory.list(limit=None)))
    after = {one.id: (one.content, one.confidence, one.validity) for one in memory.list(validity=None, limit=None)}
    assert after == before


@pytest.mark.req("W9", "F23")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("服务的端口是5432", "服务的端口是5433"),
        ("the database is on port 5432", "the database is on port 5433"),
    ],
)
def test_another_number_is_never_a_duplicate(memory: Memory, clock: StandingClock, old: str, new: str) -> None:
    say(memory, clock, old, new)
    assert any("5433" in one.content for one in memory.list())
    assert all(judged.verdict is not Verdict.DUPLICATE for judged in memory.weigh(old.replace("5432", "5434")))


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我爱喝咖啡，一天三杯", "咖啡戒了，改喝茶了"),
        ("I drink three coffees a day", "I've gone off coffee, tea these days"),
    ],
)
def test_weighing_tells_what_would_become_of_a_message_and_changes_nothing(
    memory: Memory, clock: StandingClock, old: str, new: str
) -> None:
    say(memory, clock, old)
    before = standing(memory)
    first = memory.weigh(new, at=clock.move(days=1))[0]
    assert (first.verdict, first.sure, first.memory.content) == (Verdict.UPDATE, True, next(iter(before)))
    assert standing(memory) == before


@pytest.mark.req("W9")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("测试库的端口是5432", "生产库的端口是5433"),
        ("我大姑住在烟台", "我小姑住在威海"),
        ("the test database is on port 5432", "the production database is on port 5433"),
        ("my eldest is called Otis", "my youngest is called Ada"),
    ],
)
def test_what_is_said_of_another_of_several_like_things_ends_nothing(
    memory: Memory, clock: StandingClock, old: str, new: str
) -> None:
    say(memory, clock, old, new)
    assert Validity.SUPERSEDED not in standing(memory).values()
