"""Each statement of a turn is sorted by itself, once it has a vector."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import pytest

from yinji.adapters.catalogue import load_embedder
from yinji.config import Settings
from yinji.model import Draft, Kind, Layer, Turn
from yinji.remember.extract import extract
from yinji.remember.kinds import in_kinds

AT = datetime(2026, 4, 15, 10, 0, tzinfo=UTC)
DATA = Path(__file__).parents[2] / "training" / "data" / "extract"
E5 = load_embedder("e5-small")
SETTINGS = Settings.load(environment={}).remember


def drafts(text: str) -> list[Draft]:
    turn = Turn(id="t", owner="me", session="s", seq=0, key="s#0", user=text, at=AT)
    found, _ = extract(turn, [], SETTINGS)
    return list(in_kinds(found, list(E5.embed([one.content for one in found], purpose="passage"))))


@pytest.mark.req("W6")
@pytest.mark.parametrize(
    "text",
    [
        "我对花生过敏，下周三要去北京出差，平时最爱喝乌龙茶",
        "I'm allergic to peanuts, I'm flying to Oslo next Wednesday, and I love oolong tea",
    ],
)
def test_a_fact_a_plan_and_a_taste_of_one_turn_are_told_apart(text: str) -> None:
    assert [one.kind for one in drafts(text)] == [Kind.FACT, Kind.EVENT, Kind.PREFERENCE]


@pytest.mark.req("W6")
@pytest.mark.parametrize("text", ["以后回答我别用表格", "Don't use tables when you answer me"])
def test_what_the_assistant_is_told_to_do_stays_a_procedure(text: str) -> None:
    (draft,) = drafts(text)
    assert (draft.kind, draft.layer) == (Kind.PROCEDURE, Layer.PROCEDURAL)


@pytest.mark.req("W6")
@pytest.mark.parametrize("text", ["我在苏州做会计", "I work as an accountant in Leeds"])
def test_without_a_vector_the_kind_is_that_of_the_rules(text: str) -> None:
    turn = Turn(id="t", owner="me", session="s", seq=0, key="s#0", user=text, at=AT)
    found, _ = extract(turn, [], SETTINGS)
    assert list(in_kinds(found, [None] * len(found))) == found


@pytest.mark.req("W6")
def test_the_weights_are_small() -> None:
    assert len(files("yinji").joinpath("data", "models", "kinds.npz").read_bytes()) < 1_000_000


@pytest.mark.req("W6")
@pytest.mark.parametrize("language", ["zh", "en"])
def test_half_of_the_labelled_statements_are_only_scored(language: str) -> None:
    rows = [json.loads(line) for line in (DATA / f"{language}.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(rows) >= 250
    assert abs(sum(1 if row["split"] == "held" else -1 for row in rows)) <= 1
    assert len({row["id"] for row in rows}) == len({row["text"] for row in rows}) == len(rows)
