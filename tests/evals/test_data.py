"""A line that is not in form is named with its file, its number and what is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.evals.conftest import memories, queries, write_lines
from yinji.errors import InvalidInput
from yinji.evals.data import conversation_set, folders, retrieval_set, sample
from yinji.evals.report import Report

pytestmark = pytest.mark.req("E1")

Evaluate = Callable[..., Report]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"id": ""}, "'id' is empty"),
        ({"owner": None}, "'owner' is missing"),
        ({"text": 7}, "'text' must be a string"),
        ({"timestamp": "昨天"}, "'timestamp' is not a date and time: '昨天'"),
        ({"timestamp": "yesterday"}, "'timestamp' is not a date and time: 'yesterday'"),
        ({"id": "zh/0"}, "the id 'zh/0' was used before"),
    ],
)
def test_a_malformed_memory_is_named(sets: Path, evaluate: Evaluate, change: dict[str, object], problem: str) -> None:
    rows = memories("zh")
    rows[2] |= change
    write_lines(sets / "zh" / "memories.jsonl", rows)
    with pytest.raises(InvalidInput) as caught:
        evaluate("retrieval", sets)
    assert f"{sets / 'zh' / 'memories.jsonl'}, line 3" in caught.value.message
    assert problem in caught.value.message


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"gold": ["en/99"]}, "there is no 'en/99'"),
        ({"gold": [["en/0"]]}, "must be a string or a list of strings"),
        ({"owner": "zh"}, "'en/0' belongs to 'en', not to 'zh'"),
        ({"asked_at": "soon"}, "'asked_at' is not a date and time"),
        ({"gold_groups": "en/0"}, "'gold_groups' must be a list"),
    ],
)
def test_a_malformed_question_is_named(sets: Path, evaluate: Evaluate, change: dict[str, object], problem: str) -> None:
    rows = queries("en")
    rows[1] |= change
    write_lines(sets / "en" / "queries.jsonl", rows)
    with pytest.raises(InvalidInput, match=r"queries\.jsonl, line 2") as caught:
        evaluate("retrieval", sets)
    assert problem in caught.value.message


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b'{"id": \n', "it is not JSON"),
        (b"[1, 2]\n", "it is not a JSON object"),
        ('{"id": "中文"}\n'.encode("gb18030"), "it is not UTF-8"),
    ],
)
def test_what_is_not_json_lines_in_utf8_is_named(sets: Path, evaluate: Evaluate, line: bytes, problem: str) -> None:
    path = sets / "zh" / "queries.jsonl"
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0] + line)
    with pytest.raises(InvalidInput, match=r"queries\.jsonl, line 2 cannot be used") as caught:
        evaluate("retrieval", sets)
    assert problem in caught.value.message


@pytest.mark.parametrize("name", ["retrieval", "conversation"])
def test_a_folder_without_a_set_is_refused(tmp_path: Path, evaluate: Evaluate, name: str) -> None:
    with pytest.raises(InvalidInput, match=r"queries\.jsonl"):
        evaluate(name, tmp_path)
    with pytest.raises(InvalidInput, match="no such file or folder"):
        evaluate(name, tmp_path / "absent")


def test_an_unknown_eval_suggests_the_nearest(sets: Path, evaluate: Evaluate) -> None:
    with pytest.raises(InvalidInput, match="Did you mean 'retrieval'"):
        evaluate("retreival", sets)
    with pytest.raises(InvalidInput, match="at least one question"):
        evaluate("retrieval", sets, limit=0)


def test_the_variable_names_the_data_where_none_is_given(
    sets: Path, evaluate: Evaluate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("YINJI_EVAL_DATA", raising=False)
    with pytest.raises(InvalidInput, match="YINJI_EVAL_DATA"):
        evaluate("retrieval", None)
    everything = sets.parent / "data"
    everything.mkdir()
    sets.rename(everything / "retrieval")
    monkeypatch.setenv("YINJI_EVAL_DATA", str(everything))
    assert evaluate("retrieval", None).n == 6


def test_a_time_without_a_zone_is_read_as_utc_and_one_with_a_zone_keeps_it(sets: Path) -> None:
    read = retrieval_set(sets / "zh")
    assert read.texts[0].at == datetime(2026, 1, 1, 9, tzinfo=UTC)
    assert read.questions[0].asked_at.utcoffset() == timedelta(hours=8)


def test_gold_may_be_groups_and_answers_may_have_parts_and_other_wordings(tmp_path: Path) -> None:
    turns = [{"id": f"t{at}", "owner": "o", "at": "2026-01-01", "user": "嗯", "assistant": None} for at in range(3)]
    write_lines(tmp_path / "turns.jsonl", turns)
    question = {"id": "q", "owner": "o", "asked_at": "2026-02-01", "text": "？", "gold_groups": [["t0", "t1"], ["t2"]]}
    told = {"answer": ["芒果", 2022], "answer_alt": ["mango 2022", ["mango", "2022"]], "stale": ["t0"], "type": "x"}
    write_lines(tmp_path / "queries.jsonl", [question | told])
    read = conversation_set(tmp_path).questions[0]
    assert read.gold == (frozenset({"t0", "t1"}), frozenset({"t2"}))
    assert read.answer == ("芒果", "2022")
    assert read.alternatives == (("mango 2022",), ("mango", "2022"))
    assert (read.stale, read.type, read.category) == (frozenset({"t0"}), "x", "")


def test_one_set_or_a_folder_of_sets_is_taken(sets: Path) -> None:
    assert folders(sets, "memories.jsonl") == [sets / "en", sets / "zh"]
    assert folders(sets / "en", "memories.jsonl") == [sets / "en"]


def test_a_sample_is_spread_evenly() -> None:
    assert list(sample(range(10), 5)) == [0, 2, 4, 6, 8]
    assert list(sample(range(3), 5)) == [0, 1, 2]
    assert list(sample(range(3), None)) == [0, 1, 2]


@pytest.mark.parametrize("path", sorted((Path(__file__).parents[2] / "evals").rglob("queries.jsonl")), ids=str)
def test_the_projects_own_sets_are_in_form_and_split_in_two(path: Path) -> None:
    own = retrieval_set(path.parent) if (path.parent / "memories.jsonl").exists() else conversation_set(path.parent)
    halves = [one.split for one in own.questions]
    assert set(halves) == {"dev", "test"}
    assert 0.35 <= halves.count("test") / len(halves) <= 0.65
    assert json.loads(path.read_text(encoding="utf-8").splitlines()[0])["category"]
