"""``yinji bench`` in small."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from yinji.config import Settings
from yinji.errors import InvalidInput
from yinji.evals import bench, bench_texts
from yinji.evals.bench import estimate
from yinji.evals.report import Report
from yinji.ports import Embedder

pytestmark = pytest.mark.req("E3")


@pytest.fixture(scope="module")
def report(hashing: Settings, embedder: Embedder) -> Report:
    with pytest.MonkeyPatch.context() as patch:
        for name, count in {"ACCEPTS": 4, "TURNS": 2, "QUESTIONS": 4, "STARTS": 1}.items():
            patch.setattr(bench, name, count)
        return bench.run((20, 40), settings=hashing, embedder=embedder, date=datetime(2026, 3, 1, tzinfo=UTC))


def test_it_measures_writing_recall_by_stage_start_memory_and_size(report: Report) -> None:
    assert {
        "accept_ms", "turn_ms", "import_ms", "recall_ms", "recall_without_embedding_ms", "recall_again_ms",
        "recall_without_models_ms", "recall_reading_ms",
        "recall_embed_ms", "recall_search_ms", "context_ms", "start_open_ms", "start_to_answer_ms",
        "rss_python_mb", "rss_model_mb", "rss_all_mb", "bytes_per_memory",
    } <= set(report.overall)  # fmt: skip
    assert all(value > 0 for name, value in report.overall.items() if not name.startswith(("rss_", "recall_embed")))


def test_each_number_has_its_samples_and_spread(report: Report) -> None:
    samples = report.by["size"]["20"].interval
    assert (samples["accept_ms"].n, samples["turn_ms"].n, samples["recall_ms"].n) == (4, 2, 4)
    assert all(one.low <= one.mean <= one.high for one in samples.values())


def test_an_alternative_stands_beside_in_the_same_run(report: Report) -> None:
    assert set(report.by["size"]) == {"20", "40"}
    assert all({"recall_ms", "turn_ms", "bytes_per_memory"} <= set(group.floor) for group in report.by["size"].values())


def test_it_says_what_it_ran_on(report: Report) -> None:
    assert (report.command, report.date) == ("yinji bench --sizes 20,40", "2026-03-01")
    assert re.search(r"\d+ cores, \d+ GB, Python 3", report.warnings[0])
    assert json.loads(json.dumps(report.as_json()))["by"]["size"]["40"]["n"] == 40


@pytest.mark.parametrize(("lang", "words"), [("zh", ("中位数", "比值")), ("en", ("median", "ratio"))])
def test_its_table_speaks_the_readers_language(report: Report, lang: str, words: tuple[str, ...]) -> None:
    table = report.as_table(lang)
    assert all(word in table for word in words)
    assert all(name in table for name in report.overall)


def test_a_size_below_1_is_refused(hashing: Settings) -> None:
    with pytest.raises(InvalidInput, match="less than 1"):
        bench.run((0,), settings=hashing)


@pytest.mark.parametrize("what", [bench_texts.texts, bench_texts.questions])
def test_generated_texts_are_sentences_in_both_languages_by_turns(what: Callable[..., list[str]]) -> None:
    drawn = what(200, seed=1)
    assert drawn == what(200, seed=1) != what(200, seed=2)
    assert not any(re.search(r"[{}]", text) for text in drawn)
    assert all(re.search("[\u4e00-\u9fff]", text) for text in drawn[::2])
    assert not any(re.search("[\u4e00-\u9fff]", text) for text in drawn[1::2])


def test_no_two_texts_are_equal() -> None:
    drawn = bench_texts.texts(20_000, seed=1)
    assert len(set(drawn)) == len(drawn) == 20_000


def test_a_number_is_a_median_with_its_fifth_and_ninety_fifth_percentile() -> None:
    found = estimate([float(value) for value in range(101)])
    assert (found.low, found.mean, found.high, found.n) == (5.0, 50.0, 95.0, 101)
