"""The demonstration shows what the engine does, in both languages, on a terminal of 80 columns and in a pipe."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest

from tests.interfaces.conftest import LANGUAGES, Yinji
from yinji.interfaces.cli.widths import columns

DATA = files("yinji") / "data" / "demo"


@pytest.mark.req("P2")
@LANGUAGES
def test_the_demo_tells_the_whole_story(yinji: Yinji, lang: str) -> None:
    shown = yinji("demo", "--lang", lang)
    assert shown.code == 0
    assert not shown.err
    lines = shown.out.splitlines()
    assert max(map(columns, lines)) <= 80
    assert "\x1b" not in shown.out
    assert sum("✓" in line for line in lines) >= 20
    assert sum("  · " in line for line in lines) >= 20
    assert any("↻" in line for line in lines)
    assert {"en": "none found", "zh": "一个也没有"}[lang] in shown.out.replace("\n", "")
    assert "<memory_context>" in shown.out
    assert all(f"yinji {command}" in "\n".join(lines[-3:]) for command in ("remember", "recall", "--help"))


@pytest.mark.req("P2", "W2", "W9", "K3", "O7")
@LANGUAGES
def test_what_the_demo_tells_is_what_happened(yinji: Yinji, lang: str) -> None:
    told = yinji("demo", "--lang", lang, "--json").json
    turns = [json.loads(line) for line in (DATA / f"{lang}.jsonl").read_text(encoding="utf-8").splitlines()]
    script = json.loads((DATA / f"{lang}.json").read_text(encoding="utf-8"))
    assert told["turns"] == len(turns) == 60
    assert told["kept"] == sum(len(one["added"]) for one in told["outcomes"])
    assert not any(one["pending"] for one in told["outcomes"])
    assert set(told["answers"]) == set(script["questions"])

    correction = told["correction"]
    (now,), (then,) = correction["now"], correction["as_of"]
    assert now["memory"]["id"] in [one["id"] for one in correction["outcome"]["added"]]
    assert then["memory"]["id"] in [one["id"] for one in correction["outcome"]["superseded"]]

    receipt = told["erasure"]["receipt"]
    assert (receipt["memories"], receipt["found"]) == (1, 0)
    assert receipt["probes"] > 0
    assert told["erasure"]["gone"]
    assert told["context"]["tokens"] <= told["context"]["budget"]


@pytest.mark.req("P2")
def test_the_demo_touches_no_store_of_the_users_and_can_leave_its_own(
    yinji: Yinji, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    told = yinji("demo", "--keep", "--json").json
    kept = yinji("stats", "--store", told["store"], "--json").json
    assert kept["turns"] >= 59
    assert Path(told["store"]).is_relative_to(tmp_path)
    assert yinji("stats", "--json").json["turns"] == 0


@pytest.mark.req("P2")
def test_the_two_lives_are_not_translations_of_each_other() -> None:
    chinese, english = (
        [json.loads(line) for line in (DATA / f"{lang}.jsonl").read_text(encoding="utf-8").splitlines()]
        for lang in ("zh", "en")
    )
    assert len(chinese) == len(english)
    assert [one["at"][:10] for one in chinese] != [one["at"][:10] for one in english]
