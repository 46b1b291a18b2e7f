"""What several stages ask of a text is answered once, and not kept beyond the reading."""

from __future__ import annotations

import pytest

from yinji import Memory
from yinji.language import memo
from yinji.language.entities import find_entities
from yinji.language.text import query_terms
from yinji.remember.clean import clean
from yinji.remember.features import said
from yinji.remember.gate import evidence, refuse
from yinji.remember.resolve_mentions import mentions
from yinji.remember.resolve_tokens import tokens
from yinji.remember.statement import state

KEPT = (clean, evidence, find_entities, mentions, query_terms, refuse, said, state, tokens)


def held() -> int:
    return sum(one.cache_info().currsize for one in KEPT)  # type: ignore[attr-defined]


@pytest.mark.req("O7", "W1")
@pytest.mark.parametrize("text", ["我妈妈住在杭州，她对花生过敏", "My mother lives in York and is allergic to nuts"])
def test_nothing_that_was_said_stays_in_memory_once_it_is_read(text: str, memory: Memory) -> None:
    assert memory.remember(text, wait=True).added
    assert held() == 0
    memory.weigh(text)
    memory.explain(text)
    assert held() == 0


@pytest.mark.req("O7", "R11")
@pytest.mark.parametrize("text", ["我妈妈住在杭州", "My mother lives in York"])
def test_a_question_is_let_go_when_anything_is_forgotten(text: str, memory: Memory) -> None:
    id = memory.remember(text, wait=True).added[0].id
    memory.context(text)
    memory.forget([id])
    assert held() == 0


@pytest.mark.req("W1")
def test_an_answer_is_kept_until_all_are_forgotten() -> None:
    asked = []

    @memo.while_reading(2)
    def length(text: str) -> int:
        asked.append(text)
        return len(text)

    assert [length("a"), length("a"), length("bb")] == [1, 1, 2]
    memo.forget()
    assert length("a") == 1
    assert asked == ["a", "bb", "a"]
