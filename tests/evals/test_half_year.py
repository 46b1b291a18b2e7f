"""The two lives under `evals/half_year` are what their README says: form, splits, golds, answers."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from yinji.evals.data import conversation_set
from yinji.evals.metrics import says_all

FOLDER = Path(__file__).parents[2] / "evals" / "half_year"
SIZES = {"zh": (115, 73), "en": (92, 74)}
SPLIT_SALT = "yinji-half-year-1971"


def rows(lang: str, name: str) -> list[dict[str, Any]]:
    lines = (FOLDER / lang / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def wordings(query: dict[str, Any]) -> list[list[str]]:
    every = [query["answer"], *query.get("answer_alt", [])]
    return [[one] if isinstance(one, str) else one for one in every]


@pytest.mark.req("E1")
@pytest.mark.parametrize("lang", SIZES)
def test_the_evaluation_reads_both_lives(lang: str) -> None:
    found = conversation_set(FOLDER / lang)
    assert (len(found.turns), len(found.questions)) == SIZES[lang]


@pytest.mark.req("E1")
@pytest.mark.parametrize("lang", SIZES)
def test_turns_follow_each_other_and_half_of_the_questions_are_set_aside_by_their_ids(lang: str) -> None:
    moments = [datetime.fromisoformat(turn["at"]) for turn in rows(lang, "turns")]
    assert all(earlier < later for earlier, later in pairwise(moments))
    for query in rows(lang, "queries"):
        digest = hashlib.sha256(f"{SPLIT_SALT}:{query['id']}".encode()).digest()
        assert query["split"] == ("dev", "test")[digest[0] % 2], query["id"]


@pytest.mark.req("E1")
@pytest.mark.parametrize("lang", SIZES)
def test_every_answer_stands_in_its_gold_and_what_was_never_said_has_none(lang: str) -> None:
    turns = {turn["id"]: f"{turn['user']} {turn['assistant'] or ''}" for turn in rows(lang, "turns")}
    for query in rows(lang, "queries"):
        gold = [one for group in query.get("gold_groups") or [query["gold"]] for one in group]
        assert set(query.get("stale", [])).isdisjoint(gold), query["id"]
        assert bool(gold) == ("answer" in query) == (query["category"] != "unanswerable"), query["id"]
        if gold and not query.get("derived"):
            text = " ".join(turns[one] for one in gold)
            first, *others = wordings(query)
            assert says_all(text, first, others), query["id"]
