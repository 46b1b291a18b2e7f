"""``yinji.evals.run("retrieval", …)`` on small sets, with a real memory."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.evals.conftest import memories, queries, write_lines
from yinji.errors import InvalidInput
from yinji.evals.report import Report

pytestmark = pytest.mark.req("E1")

Evaluate = Callable[..., Report]
METRICS = {"r_at_1", "r_at_5", "r_at_10", "mrr", "ndcg_at_10"}


def test_the_report_is_the_object_of_the_specification(sets: Path, evaluate: Evaluate) -> None:
    report = evaluate("retrieval", sets).as_json()
    assert {"eval", "data", "n", "overall", "floor", "by", "version", "model"} <= set(report)
    assert (report["eval"], report["n"], report["model"]) == ("retrieval", 6, "hashing-v1")
    overall, floor, by = report["overall"], report["floor"], report["by"]
    assert isinstance(overall, dict)
    assert isinstance(floor, dict)
    assert isinstance(by, dict)
    assert set(overall) == METRICS | {"ms_p50", "ms_p95"}
    assert set(floor) == METRICS
    assert all(0 <= overall[name] <= 1 for name in METRICS)
    assert set(by) == {"set", "lang", "category"}
    assert {key: group["n"] for key, group in by["lang"].items()} == {"en": 3, "zh": 3}
    assert {key: group["n"] for key, group in by["category"].items()} == {"fact": 4, "name": 2}
    assert set(by["lang"]["zh"]["floor"]) == METRICS
    assert json.loads(json.dumps(report)) == report


@pytest.mark.parametrize("language", ["zh", "en"])
def test_stored_texts_are_found_by_their_words(sets: Path, evaluate: Evaluate, language: str) -> None:
    report = evaluate("retrieval", sets / language)
    assert report.overall["r_at_5"] == 1.0
    assert report.floor["r_at_5"] == 1.0
    assert report.all.interval["r_at_5"].n == 3
    assert "set" not in report.by


@pytest.mark.parametrize("language", ["zh", "en"])
def test_another_owners_texts_are_never_among_the_answers(sets: Path, evaluate: Evaluate, language: str) -> None:
    folder = sets / language
    strangers = [row | {"id": f"other/{at}", "owner": "other"} for at, row in enumerate(memories(language))]
    write_lines(folder / "memories.jsonl", [*strangers, *memories(language)])
    stranger = queries(language)[0] | {"id": "other/q", "owner": "other", "gold": ["other/0"]}
    write_lines(folder / "queries.jsonl", [stranger, *queries(language)])
    report = evaluate("retrieval", folder)
    ranked = [hit["sources"] for one in report.answers if one.id != "other/q" for hit in one.detail["ranked"]]  # type: ignore[attr-defined]
    assert ranked
    assert all(source.startswith(f"{language}/") for sources in ranked for source in sources)


@pytest.mark.req("E1", "F53")
def test_an_answer_for_every_question_is_written(sets: Path, evaluate: Evaluate, tmp_path: Path) -> None:
    evaluate("retrieval", sets, out=tmp_path / "out")
    written = [
        json.loads(line) for line in (tmp_path / "out" / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert [row["id"] for row in written] == ["en/q0", "en/q1", "en/q2", "zh/q0", "zh/q1", "zh/q2"]
    first = written[3]
    assert first["text"] == "我的猫叫什么名字"
    assert first["gold"] == [["zh/2"]]
    assert first["ranked"][0]["sources"] == ["zh/2"]
    assert first["ranked"][0]["why"]
    assert first["floor_ranked"][0] == "zh/2"
    assert set(first["values"]) >= METRICS
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert (report["n"], report["date"]) == (6, "2026-03-01")
    assert report["command"].startswith("yinji eval retrieval --data ")


@pytest.mark.req("E1", "F53")
@pytest.mark.parametrize("form", ["folder", "file"])
def test_an_earlier_run_is_compared_question_by_question(
    sets: Path, evaluate: Evaluate, tmp_path: Path, form: str
) -> None:
    evaluate("retrieval", sets, out=tmp_path / "out")
    earlier = tmp_path / "out" if form == "folder" else tmp_path / "out" / "report.json"
    compared = evaluate("retrieval", sets, against=earlier).against
    assert compared is not None
    assert compared.difference["r_at_5"] == 0.0
    assert (compared.paired["r_at_5"].n, compared.paired["r_at_5"].high) == (6, 0.0)


def test_what_json_printed_is_compared_without_answers(sets: Path, evaluate: Evaluate, tmp_path: Path) -> None:
    printed = tmp_path / "before.json"
    printed.write_text(json.dumps(evaluate("retrieval", sets).as_json()), encoding="utf-8")
    report = evaluate("retrieval", sets / "zh", against=printed)
    assert report.against is not None
    assert report.against.paired == {}
    assert str(printed) in report.as_table("zh")


@pytest.mark.parametrize("text", ["", "[]", '{"eval": "retrieval"}', '{"eval": "conversation", "overall": {}}'])
def test_what_is_no_report_of_this_eval_is_refused(sets: Path, evaluate: Evaluate, tmp_path: Path, text: str) -> None:
    earlier = tmp_path / "earlier.json"
    earlier.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"earlier\.json"):
        evaluate("retrieval", sets, against=earlier)


def test_small_pools_are_told_of(sets: Path, evaluate: Evaluate) -> None:
    few = {row["id"]: row for row in memories("zh")}
    write_lines(sets / "zh" / "memories.jsonl", [few["zh/0"], few["zh/2"], few["zh/3"]])
    report = evaluate("retrieval", sets)
    assert any("3 questions have no more than 5 texts" in one and "r_at_5" in one for one in report.warnings)


def test_a_limit_takes_that_many_of_each_set_and_says_so(sets: Path, evaluate: Evaluate) -> None:
    report = evaluate("retrieval", sets, limit=1)
    assert report.n == 2
    assert "at most 1 questions of each set" in report.warnings


def test_questions_without_gold_are_left_out_and_counted(sets: Path, evaluate: Evaluate) -> None:
    rows = queries("zh")
    rows[0]["gold"] = []
    write_lines(sets / "zh" / "queries.jsonl", rows)
    report = evaluate("retrieval", sets)
    assert report.n == 5
    assert "zh: 1 questions without gold were left out" in report.warnings


def test_a_named_speaker_is_stored_with_the_text_and_the_user_is_not(sets: Path, evaluate: Evaluate) -> None:
    rows = memories("en")
    rows[0]["speaker"] = "Melanie"
    write_lines(sets / "en" / "memories.jsonl", rows)
    contents = {
        hit["content"]
        for one in evaluate("retrieval", sets / "en").answers
        for hit in one.detail["ranked"]  # type: ignore[attr-defined]
    }
    assert "Melanie: I am allergic to mangoes" in contents
    assert not any(content.startswith("user:") for content in contents)


def test_how_far_it_has_come_is_told_per_set(sets: Path, evaluate: Evaluate) -> None:
    told: list[tuple[str, int, int]] = []
    evaluate("retrieval", sets, progress=lambda what, done, total: told.append((what, done, total)))
    assert told[-1] == ("zh", 9, 9)
    assert ("en", 9, 9) in told


@pytest.mark.parametrize(
    ("lang", "words"), [("zh", ("指标", "语言 zh", "差")), ("en", ("metric", "language zh", "BM25"))]
)
def test_the_table_speaks_the_readers_language(
    sets: Path, evaluate: Evaluate, lang: str, words: tuple[str, ...]
) -> None:
    report = evaluate("retrieval", sets)
    table = report.as_table(lang)
    assert all(word in table for word in words)
    assert "| ---" in report.as_markdown(lang)
    assert str(report)
