"""yinji eval time: our own form, and the public sets told by their fields."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from yinji.errors import InvalidInput
from yinji.evals import run

OWN = {
    "id": "a", "lang": "zh", "at": "2026-05-12T12:00:00+08:00", "tz": "Asia/Shanghai", "text": "明天下午三点开会",
    "phrase": "明天下午三点", "start": "2026-05-13T15:00:00+08:00", "end": "2026-05-13T16:00:00+08:00",
    "match": "start",
    "group": "clock", "split": "dev",
}  # fmt: skip


def measured(tmp_path: Path, *rows: Mapping[str, object]) -> dict[str, float]:
    path = tmp_path / "cases.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return dict(run("time", path).overall)


@pytest.mark.req("E1")
@pytest.mark.parametrize(
    "change",
    [
        {},
        {"end": "2026-05-13T15:30:00+08:00"},
        {"start": "2026-05-13T07:00:00+00:00", "end": "2026-05-13T08:00:00+00:00", "match": "exact"},
        {"match": "overlap", "start": "2026-05-13T15:20:00+08:00"},
        {"start": "2026-01-01T00:00:00+08:00", "alternatives": [{"start": OWN["start"], "end": OWN["end"]}]},
        {"text": "每周一开会", "phrase": "每周一", "match": "recurrence", "recurrence": "BYDAY=MO;FREQ=WEEKLY"},
        {"text": "每周一", "phrase": "每周一", "match": "recurrence", "recurrence": "FREQ=DAILY",
         "recurrence_also": ["FREQ=WEEKLY;BYDAY=MO"]},
    ],
)  # fmt: skip
def test_a_line_is_right_by_its_own_way_of_comparing(tmp_path: Path, change: dict[str, object]) -> None:
    assert measured(tmp_path, {**OWN, **change})["accuracy"] == 1.0


@pytest.mark.req("E1")
@pytest.mark.parametrize(
    "change",
    [
        {"match": "exact", "end": "2026-05-13T15:30:00+08:00"},
        {"start": "2026-05-13T15:01:00+08:00"},
        {"end": "2026-05-13T18:00:00+08:00"},
        {"match": "overlap", "start": "2026-05-13T15:40:00+08:00"},
        {"text": "每周一", "phrase": "每周一", "match": "recurrence", "recurrence": "FREQ=DAILY"},
    ],
)
def test_a_line_that_is_not_is_wrong(tmp_path: Path, change: dict[str, object]) -> None:
    assert measured(tmp_path, {**OWN, **change})["accuracy"] == 0.0


@pytest.mark.req("E1")
@pytest.mark.parametrize(
    "row",
    [
        {"text": "I'll go back on Friday", "lang": "en", "ref": "2016-11-07T00:00:00", "spans": [
            {"text": "friday", "start": 16, "end": 21, "type": "date", "values": [
                {"timex": "XXXX-WXX-5", "type": "date", "value": "2016-11-04"},
                {"timex": "XXXX-WXX-5", "type": "date", "value": "2016-11-11"}]}]},
        {"text": "从2016年一月十日到十二日", "lang": "zh", "ref": "2017-03-22T00:00:00", "spans": [
            {"text": "", "start": 0, "end": 14, "type": "daterange", "values": [
                {"timex": "", "type": "daterange", "start": "2016-01-10", "end": "2016-01-12"}]}]},
        {"text": "事件每周一都发生", "lang": "zh", "ref": "2017-03-22T00:00:00", "spans": [
            {"text": "每周一", "start": 2, "end": 4, "type": "set", "values": [
                {"timex": "XXXX-WXX-1", "type": "set", "value": "not resolved"}]}]},
        {"text": "这是我的队伍", "lang": "zh", "ref": None, "spans": []},
        {"text": "上个月15号", "lang": "zh", "ref_unix": 1623604000, "suite": "s", "gold": {
            "type": "time_point", "definition": "accurate", "time": ["2021-05-15 00:00:00", "2021-05-15 23:59:59"]}},
        {"text": "四个星期", "lang": "zh", "ref_unix": None, "suite": "s", "gold": {
            "type": "time_delta", "definition": "accurate", "time": {"day": 28.0}}},
        {"text": "29日你上班吗", "lang": "zh", "ref": "2016-03-10T00:00:00", "span": "29日", "start": 0, "type": "date",
         "timex": "XXXX-XX-29", "future": {"date": "2016-03-29"}, "past": {"date": "2016-02-29"}},
    ],
)  # fmt: skip
def test_public_lines_are_judged_in_their_own_form(tmp_path: Path, row: dict[str, object]) -> None:
    assert measured(tmp_path, {"id": "a", **row})["accuracy"] == 1.0


@pytest.mark.req("E1")
def test_what_is_found_beside_what_is_there_counts_against(tmp_path: Path) -> None:
    row = {"id": "a", "text": "I left yesterday", "lang": "en", "ref": "2016-11-07T00:00:00", "spans": []}
    assert measured(tmp_path, row)["accuracy"] == 0.0


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"phrase": "后天"}, "not in the text"),
        ({"match": "roughly"}, "must be one of"),
        ({"tz": "Mars/Olympus"}, "no zone"),
        ({"start": "soon"}, "not a date and time"),
    ],
)
def test_a_line_that_is_not_in_form_is_named(tmp_path: Path, change: dict[str, object], problem: str) -> None:
    with pytest.raises(InvalidInput, match=problem):
        measured(tmp_path, {**OWN, **change})
