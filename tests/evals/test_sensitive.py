"""What `yinji eval sensitive` counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from yinji import evals
from yinji.errors import InvalidInput


def cases(folder: Path, *rows: dict[str, object]) -> Path:
    lines = [json.dumps({"id": f"c{at}", "split": "dev"} | row, ensure_ascii=False) for at, row in enumerate(rows)]
    (folder / "zh.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder


def span(text: str, value: str, type: str, **more: object) -> dict[str, object]:
    return {"start": text.index(value), "end": text.index(value) + len(value), "type": type, **more}


@pytest.mark.req("E1", "W10")
def test_each_span_counts_once_and_a_look_alike_that_is_touched_is_a_false_find(tmp_path: Path) -> None:
    phone, card, plain = "我的手机13812345678", "card 4111111111111112 fails", "订单20245320942634发货了"
    data = cases(
        tmp_path,
        {"lang": "zh", "text": phone, "spans": [span(phone, "13812345678", "phone")]},
        {"lang": "en", "text": card, "spans": [span(card, "4111111111111112", "none")]},
        {"lang": "zh", "text": plain, "spans": [span(plain, "20245320942634", "none")]},
    )
    report = evals.run("sensitive", data)
    assert (report.overall["precision"], report.overall["recall"], report.overall["false_alarms"]) == (1, 1, 0)
    assert report.floor["precision"] == pytest.approx(1 / 3)
    assert report.floor["false_alarms"] == 1
    assert set(report.by["type"]) == {"zh dev phone"}


@pytest.mark.req("E1", "W10")
def test_an_address_may_begin_a_little_later_and_an_optional_one_may_be_missed(tmp_path: Path) -> None:
    home, office = "我住在杭州市西湖区文三路478号3栋502室", "公司在文一西路的园区"
    data = cases(
        tmp_path,
        {"lang": "zh", "text": home, "spans": [span(home, "在杭州市西湖区文三路478号3栋502室", "address")]},
        {"lang": "zh", "text": office, "spans": [span(office, "文一西路的园区", "address", optional=True)]},
    )
    report = evals.run("sensitive", data)
    assert (report.overall["precision"], report.overall["recall"]) == (1, 1)


@pytest.mark.req("E1", "P3")
def test_a_case_without_spans_is_named_by_its_line(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="line 1"):
        evals.run("sensitive", cases(tmp_path, {"lang": "zh", "text": "好"}))


@pytest.mark.req("W10", "F34")
def test_our_own_cases_stay_as_good_as_they_are() -> None:
    report = evals.run("sensitive", Path(__file__).parents[2] / "evals" / "sensitive")
    assert report.overall["precision"] >= 0.98
    assert report.overall["recall"] >= 0.98
    alarms = {name: group.overall["false_alarms"] for name, group in report.by["split"].items()}
    assert {name: share for name, share in alarms.items() if share and not name.endswith("held")} == {}
