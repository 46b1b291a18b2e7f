"""One story (say, ask, correct, ask, forget, ask) that every door must tell alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

import pytest

from tests.conftest import SHANGHAI
from yinji import Context, Forgotten, JournalEntry, Recall, Remembered

BEGIN = datetime(2026, 3, 2, 9, 0, tzinfo=SHANGHAI)


@dataclass(frozen=True, kw_only=True)
class Story:
    said: tuple[str, ...]
    idle: str
    question: str
    before: str
    correction: str
    after: str
    secret: str
    asked_secret: str
    secret_word: str


ZH = Story(
    said=("我住在杭州西湖区", "我对花生过敏", "我女儿叫朵朵，今年五岁"),
    idle="好的，谢谢你",
    question="我现在住在哪个城市？",
    before="杭州",
    correction="我上周搬家了，现在住在成都",
    after="成都",
    secret="我在看心理医生，每周四下午去",
    asked_secret="我看心理医生是哪天？",
    secret_word="心理医生",
)
EN = Story(
    said=("I live in Lisbon", "I'm allergic to peanuts", "My daughter Nora is five"),
    idle="ok, thanks!",
    question="Which city do I live in?",
    before="Lisbon",
    correction="I moved last week, I live in Porto now",
    after="Porto",
    secret="I see a therapist every Thursday afternoon",
    asked_secret="When do I see my therapist?",
    secret_word="therapist",
)
STORIES = pytest.mark.parametrize("story", [ZH, EN], ids=["zh", "en"])


class Door(Protocol):
    """What the story needs of a memory, however it is reached."""

    def remember(self, user_msg: str, *, at: datetime, wait: bool) -> Remembered: ...

    def recall(self, query: str, *, now: datetime, as_of: datetime | None = None) -> Recall: ...

    def context(self, query: str, budget: int, *, now: datetime) -> Context: ...

    def forget(self, ids: str | Iterable[str], *, hard: bool = False) -> Forgotten: ...

    def undo(self) -> JournalEntry: ...


def play(story: Story, door: Door) -> Sequence[Sequence[str]]:
    """Tells the story, checks every turn of it, and gives what was recalled on the way, to compare doors by."""
    for text in story.said:
        assert door.remember(text, at=BEGIN, wait=True).added, text
    idle = door.remember(story.idle, at=BEGIN, wait=True)
    assert not idle.added
    assert idle.drops

    before = door.recall(story.question, now=BEGIN)
    assert story.before in before[0].memory.content
    assert before[0].why

    later = BEGIN + timedelta(days=40)
    corrected = door.remember(story.correction, at=later, wait=True)
    assert [story.before in one.content for one in corrected.superseded] == [True]
    now = door.recall(story.question, now=later)
    assert story.after in now[0].memory.content
    assert not any(story.before in hit.memory.content for hit in now)
    then = door.recall(story.question, now=later, as_of=BEGIN + timedelta(days=1))
    assert story.before in then[0].memory.content
    context = door.context(story.question, 200, now=later)
    assert story.after in context.text
    assert context.tokens <= 200

    (secret,) = door.remember(story.secret, at=later, wait=True).added
    told = door.recall(story.asked_secret, now=later)
    assert told[0].memory.id == secret.id
    door.forget(secret.id)
    silent = door.recall(story.asked_secret, now=later)
    assert all(story.secret_word not in hit.memory.content for hit in silent)
    door.undo()
    assert door.recall(story.asked_secret, now=later)[0].memory.id == secret.id
    erasure = door.forget(secret.id, hard=True).erasure
    assert erasure is not None
    assert erasure.found == 0
    in_order = [[hit.memory.content for hit in found] for found in (before, now, then, context.hits, told)]
    return [*in_order, sorted(hit.memory.content for hit in silent)]  # What answers nothing is as near as the next.
