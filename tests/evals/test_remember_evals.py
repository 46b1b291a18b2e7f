"""The evals of the write path: what a line is worth."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from yinji.adapters.catalogue import load_embedder
from yinji.evals import run
from yinji.evals.report import Report


def measured(name: str, folder: Path, *rows: dict[str, object]) -> Report:
    lines = [
        json.dumps({"id": f"{name}-{at}", "split": "dev"} | row, ensure_ascii=False) for at, row in enumerate(rows)
    ]
    (folder / "cases.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return run(name, folder, embedder=load_embedder("hashing"))


@pytest.mark.req("E1", "W2")
def test_gate_counts_what_is_rightly_kept_and_small_talk(tmp_path: Path) -> None:
    report = measured(
        "gate",
        tmp_path,
        {"lang": "zh", "text": "我对花生过敏", "keep": True, "kind": "fact"},
        {"lang": "en", "text": "I live in Oslo", "keep": True, "kind": "event"},
        {"lang": "en", "text": "thanks!", "keep": False, "kind": None},
    )
    assert report.overall["f1"] == 1.0
    assert report.overall["small_talk_kept"] == 0.0
    assert report.overall["kind"] == 0.5
    assert report.floor["precision"] == pytest.approx(2 / 3)


@pytest.mark.req("E1", "W2")
def test_gate_takes_sets_that_tell_neither_language_nor_kind(tmp_path: Path) -> None:
    report = measured("gate", tmp_path, {"text": "我对花生过敏", "label": 1}, {"text": "thanks!", "label": 0})
    assert report.overall["f1"] == 1.0
    assert "kind" not in report.overall
    assert set(report.by["lang"]) == {"zh", "en"}


@pytest.mark.req("E1", "W5")
def test_extract_counts_each_field_of_what_was_found(tmp_path: Path) -> None:
    expected = {"must_contain": ["香菜"], "kind": "preference", "subject": "user", "polarity": "negative"}
    report = measured(
        "extract",
        tmp_path,
        {
            "lang": "zh",
            "at": "2026-03-02T10:00:00+08:00",
            "text": "我不吃香菜",
            "expect": [expected | {"modality": "asserted"}],
        },
        {"lang": "en", "at": "2026-03-02T10:00:00+00:00", "text": "what time is it?", "expect": [], "none": True},
    )
    assert (report.overall["right"], report.overall["nothing"]) == (1.0, 1.0)
    assert report.floor["right"] == 0.0


@pytest.mark.req("E1", "W9")
def test_conflict_counts_what_became_of_the_old_statement(tmp_path: Path) -> None:
    def said(text: str, day: int) -> dict[str, str]:
        return {"text": text, "at": f"2026-03-{day:02}T10:00:00+08:00"}

    report = measured(
        "conflict",
        tmp_path,
        {
            "lang": "zh",
            "old": said("我住在杭州", 1),
            "new": said("我搬到上海了", 9),
            "label": "update",
            "active_after": "new",
        },
        {
            "lang": "en",
            "old": said("I like tea", 1),
            "new": said("I like coffee", 9),
            "label": "compatible",
            "active_after": "both",
        },
    )
    assert (report.overall["label"], report.overall["active"]) == (1.0, 1.0)
    assert (report.overall["wrongly_retired"], report.overall["kept_stale"]) == (0.0, 0.0)


@pytest.mark.req("E1", "W9", "K3")
def test_update_counts_whether_the_newest_value_comes_first_and_the_old_one_then(tmp_path: Path) -> None:
    report = measured(
        "update",
        tmp_path,
        {
            "question": "Do I live in Leeds or in York?",
            "asked_at": "2026-03-01T10:00:00",
            "old_text": ["I live in Leeds"],
            "current_text": ["I moved to York"],
        },
        {
            "question": "我住在杭州还是上海？",
            "asked_at": "2026-03-01T10:00:00",
            "old_text": ["我住在杭州"],
            "current_text": ["我搬到上海了"],
        },
        {"question": "Nothing?", "asked_at": "2026-03-01T10:00:00", "old_text": [], "current_text": ["I moved"]},
    )
    assert report.n == 2
    assert (report.overall["current_first"], report.overall["as_of_old"]) == (1.0, 1.0)
    assert (report.overall["stale_shown"], report.overall["kept"]) == (0.0, 1.0)
