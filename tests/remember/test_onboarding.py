"""The first questions: asked in the user's language, skippable, repeatable (SPEC W17)."""

from collections.abc import Mapping

import pytest

from yinji import Memory
from yinji.errors import InvalidInput
from yinji.model import Kind, Layer, Validity

ZH = {"name": "老周", "work": "桥梁设计", "place": "杭州", "answers": "1", "busy_with": "毕业论文"}
EN = {"name": "Sam", "work": "bridge design", "place": "Leeds", "answers": "1", "busy_with": "my thesis"}
TOLD = {"zh": "用户希望回答简短直接", "en": "The user wants answers to be short and to the point"}


@pytest.mark.req("W17")
@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_questions_come_in_the_users_language(language: str, memory: Memory) -> None:
    asked = memory.onboarding(language=language)
    assert {one.id for one in asked} >= set(ZH)
    assert all(any("一" <= char <= "鿿" for char in one.ask) is (language == "zh") for one in asked)


@pytest.mark.req("W17")
@pytest.mark.parametrize(("answers", "language"), [(ZH, "zh"), (EN, "en")])
def test_answers_become_core_and_semantic_memories(answers: Mapping[str, str], language: str, memory: Memory) -> None:
    kept = [entry for one in memory.onboard(answers, language=language) for entry in one.added]
    assert len(kept) == len(answers)
    assert {one.layer for one in kept} == {Layer.CORE, Layer.SEMANTIC}
    assert {one.language for one in kept} == {language}
    assert TOLD[language] in [one.content for one in kept if one.kind is Kind.PROCEDURE]
    assert answers["work"] in memory.context("hello").text


@pytest.mark.req("W17")
@pytest.mark.parametrize(("answers", "language"), [(ZH, "zh"), (EN, "en")])
def test_answering_again_changes_only_what_is_answered_otherwise(
    answers: Mapping[str, str], language: str, memory: Memory
) -> None:
    memory.onboard(answers, language=language)
    assert not [one for told in memory.onboard(answers, language=language) for one in told.added]
    moved = memory.onboard({"place": "成都" if language == "zh" else "Porto"}, language=language)
    assert [one.validity for told in moved for one in told.superseded] == [Validity.SUPERSEDED]
    assert len(memory.list()) == len(answers)


@pytest.mark.req("W17", "W9")
@pytest.mark.parametrize(
    ("answers", "language", "said", "home"),
    [(ZH, "zh", "我搬到成都了", "成都"), (EN, "en", "I moved to Porto last week.", "Porto")],
)
def test_what_is_said_later_replaces_an_answer(
    answers: Mapping[str, str], language: str, said: str, home: str, memory: Memory
) -> None:
    memory.onboard(answers, language=language)
    told = memory.remember(said, wait=True)
    assert [one.slot.attribute for one in told.superseded if one.slot] == ["residence"]
    assert home in told.added[0].content


@pytest.mark.req("W17")
def test_an_empty_answer_skips_its_question_and_an_unknown_one_is_named(memory: Memory) -> None:
    assert memory.onboard({"name": "", "work": "  "}) == []
    with pytest.raises(InvalidInput, match="Did you mean 'name'"):
        memory.onboard({"nam": "Sam"})


@pytest.mark.req("W17")
@pytest.mark.parametrize(
    ("language", "number", "told"), [("en", "2", "detailed"), ("zh", "2", "详细"), ("en", "7", ""), ("zh", "7", "")]
)
def test_a_choice_is_named_by_its_number_and_a_number_of_none_is_refused(
    language: str, number: str, told: str, memory: Memory
) -> None:
    if not told:
        with pytest.raises(InvalidInput, match="from 1 to 3"):
            memory.onboard({"answers": number}, language=language)
        return
    (kept,) = memory.onboard({"answers": number}, language=language)
    assert told in kept.added[0].content
