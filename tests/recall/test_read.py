"""The best candidates are read beside the question (SPEC R2, R6)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from yinji import Memory, Settings
from yinji.recall.read import FACTOR

READING = Settings.load(environment={})
ALONE = READING.with_values("recall", {"read": 0})
TOLD = {
    "zh": ("我妹妹在成都当护士", "我妹妹养了两只仓鼠", "张伟喜欢钓鱼", "妈妈的生日是五月三号", "老家的房子在江边"),
    "en": (
        "My sister works as a nurse in Leeds",
        "My sister keeps two hamsters",
        "Martin loves fishing",
        "Mum's birthday is on 3 May",
        "Grandad's house stands by the river",
    ),
}


def told(open_memory: Callable[..., Memory], language: str, settings: Settings = READING) -> Memory:
    memory = open_memory(settings=settings)
    for line in TOLD[language]:
        memory.remember(line, wait=True)
    return memory


@pytest.mark.req("R6")
@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [("zh", "我妹妹做什么工作？", "护士"), ("en", "What does my sister do for a living?", "nurse")],
)
def test_what_was_said_is_read_even_where_its_words_stayed_as_they_were(
    open_memory: Callable[..., Memory], language: str, question: str, answer: str
) -> None:
    hits = told(open_memory, language).recall(question).hits
    assert answer in hits[0].memory.content
    assert all(FACTOR in hit.factors for hit in hits)


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("language", "question"), [("zh", "法国的首都是哪里？"), ("en", "What is the capital of France?")]
)
def test_what_reading_finds_unanswered_is_met_with_silence(
    open_memory: Callable[..., Memory], language: str, question: str
) -> None:
    assert not told(open_memory, language).recall(question).hits


@pytest.mark.req("R6", "R12")
@pytest.mark.parametrize("language", ["zh", "en"])
def test_without_reading_the_earlier_stages_answer(open_memory: Callable[..., Memory], language: str) -> None:
    memory = told(open_memory, language, ALONE)
    hits = memory.recall({"zh": "我妹妹做什么工作？", "en": "What does my sister do?"}[language]).hits
    assert hits
    assert not any(FACTOR in hit.factors for hit in hits)


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("zh", "谁要钓竿当礼物最合适？", "钓鱼"),
        ("zh", "老房子边上有水吗？", "江边"),
        ("en", "Who might be pleased with a new rod and reel?", "fishing"),
        ("en", "Is the old family house near any water?", "river"),
    ],
)
def test_what_reading_finds_answered_is_given_to_a_conversation(
    open_memory: Callable[..., Memory], language: str, question: str, answer: str
) -> None:
    context = told(open_memory, language).context(question)
    assert context.needed
    assert answer in context.text
