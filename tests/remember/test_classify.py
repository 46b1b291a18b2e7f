"""The classifier of what is worth keeping, and how it stands to the rules."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import pytest

from yinji.config import Settings
from yinji.model import DropReason, Turn
from yinji.remember.classify import Judged, features, hashed, to_judge, worth
from yinji.remember.extract import extract
from yinji.remember.weigh import Weighed, worths

AT = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)
DATA = Path(__file__).parents[2] / "training" / "data" / "gate"
SETTINGS = Settings.load(environment={}).remember


def turn(text: str, seq: int = 1, assistant: str | None = None) -> Turn:
    return Turn(id=f"t{seq}", owner="me", session="s", seq=seq, key=f"s#{seq}", user=text, at=AT, assistant=assistant)


def opinion(text: str, score: float, *, embedded: bool = True) -> Weighed:
    return Weighed(spans=((0, len(text)),), scores=(score,), embedded=embedded, answers=False)


@pytest.mark.req("W2")
@pytest.mark.parametrize("text", ["我每天早上跑五公里", "I run five kilometres every morning"])
def test_what_the_classifier_lets_go_is_dropped_with_a_reason_of_its_own(text: str) -> None:
    drafts, drops = extract(turn(text), [], SETTINGS, weighed=opinion(text, -1.0))
    assert not drafts
    assert [one.reason for one in drops] == [DropReason.NOT_WORTH]


@pytest.mark.req("W2")
@pytest.mark.parametrize("text", ["早上好", "Good morning!", "帮我查一下快递", "What time is it?"])
def test_what_the_rules_refuse_for_its_form_is_not_kept_whatever_the_classifier_says(text: str) -> None:
    drafts, _ = extract(turn(text), [], SETTINGS, weighed=opinion(text, 2.0))
    assert not drafts


@pytest.mark.req("W2", "W8")
@pytest.mark.parametrize(
    ("text", "told", "asked"),
    [
        ("弹琵琶弹出腱鞘炎了，右手大拇指，要打封闭吗", "腱鞘炎", "封闭"),
        ("im coeliac, is there gluten in soy sauce??", "coeliac", "gluten"),
    ],
)
def test_what_is_said_beside_a_question_is_kept_without_it_where_it_is_surely_worth_it(
    text: str, told: str, asked: str
) -> None:
    assert not extract(turn(text), [], SETTINGS, weighed=opinion(text, 0.1))[0]
    drafts, drops = extract(turn(text), [], SETTINGS, weighed=opinion(text, 1.0))
    assert any(told in one.content for one in drafts)
    assert not any(asked in one.content for one in drafts)
    assert DropReason.QUESTION in {one.reason for one in drops}


@pytest.mark.req("W2")
@pytest.mark.parametrize("text", ["恐高", "claustrophobic"])
def test_what_is_short_and_worth_it_is_kept(text: str) -> None:
    assert not extract(turn(text), [], SETTINGS)[0]
    assert extract(turn(text), [], SETTINGS, weighed=opinion(text, 1.0))[0]


@pytest.mark.req("W2")
@pytest.mark.parametrize("text", ["我每天早上跑五公里", "I run five kilometres every morning"])
def test_sensitivity_shifts_what_is_let_go(text: str) -> None:
    weighed = opinion(text, -0.6)
    assert not extract(turn(text), [], SETTINGS, weighed=weighed)[0]
    assert extract(turn(text), [], replace(SETTINGS, sensitivity=1.0), weighed=weighed)[0]


@pytest.mark.req("W2")
@pytest.mark.parametrize("text", ["我在苏州做会计", "I work as an accountant in Leeds"])
def test_what_has_a_slot_is_kept_against_the_classifier_unless_that_is_sure(text: str) -> None:
    assert extract(turn(text), [], SETTINGS, weighed=opinion(text, -0.35))[0]
    assert not extract(turn(text), [], SETTINGS, weighed=opinion(text, -0.8))[0]
    assert extract(turn(text), [], SETTINGS, weighed=opinion(text, -0.8, embedded=False))[0]


@pytest.mark.req("W2")
@pytest.mark.parametrize("text", ["我每天早上跑五公里", "I run five kilometres every morning"])
def test_a_doubtful_opinion_or_a_blind_one_leaves_it_to_the_rules(text: str) -> None:
    assert extract(turn(text), [], SETTINGS, weighed=opinion(text, -0.1))[0]
    assert extract(turn(text), [], SETTINGS, weighed=opinion(text, -2.0, embedded=False))[0]


@pytest.mark.req("W2")
def test_an_answer_is_judged_with_its_question_and_a_sentence_with_its_message() -> None:
    before = [turn("嗯", 0, "您老家是哪里？")]
    (whole, first, second) = to_judge(turn("河南周口。后来去了郑州。"), before)
    assert whole.embedded.startswith("您老家是哪里？")
    assert first.question == whole.question
    assert second.question is None


@pytest.mark.req("W2")
@pytest.mark.parametrize(
    ("told", "idle"),
    [("我对芒果过敏，一吃就起疹子", "今天食堂居然有鸡腿"), ("I'm allergic to mango, always have been", "what a day")],
)
def test_without_an_embedding_the_words_tell_much(told: str, idle: str) -> None:
    assert worth(Judged(text=told, question=None), None) > worth(Judged(text=idle, question=None), None)


@pytest.mark.req("W2")
def test_the_weights_are_small_and_the_same_text_is_weighed_the_same() -> None:
    assert len(files("yinji").joinpath("data", "models", "gate.npz").read_bytes()) < 1_000_000
    said = turn("我在苏州做会计。今天好累。")
    judged = to_judge(said, [])
    assert worths(judged, [None] * 3) == worths(judged, [None] * 3)


@pytest.mark.req("W2")
@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_line_of_the_training_data_can_be_read(language: str) -> None:
    rows = [json.loads(line) for line in (DATA / f"{language}.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(rows) > 2000
    assert all(row["keep"] == (row["kind"] is not None) for row in rows)
    assert len({row["id"] for row in rows}) == len(rows)
    one = Judged(text=rows[0]["text"], question=None)
    assert features(one, language)
    assert hashed(one, language).any()
