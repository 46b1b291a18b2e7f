"""`yinji parse` shows what is seen in a text, and keeps nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interfaces.conftest import Yinji
from yinji.interfaces.cli import screen
from yinji.interfaces.cli.parse import MARKS, STYLES

ZH = "他下周二下午三点去杭州，护照号E12345678"
EN = "She moved to Lisbon last Friday, card 4111 1111 1111 1111"


@pytest.mark.req("P2", "W4", "W5", "W7", "W10")
@pytest.mark.parametrize(
    ("text", "before", "seen"),
    [
        (
            ZH,
            "李强在上海上班",
            {
                ("pronoun", "他", "李强"),
                ("time", "下周二下午三点", "2026-03-10T15:00:00"),
                ("entity", "杭州", "杭州"),
                ("sensitive", "E12345678", "mask"),
            },
        ),
        (
            EN,
            "Nora called me",
            {
                ("pronoun", "She", "Nora"),
                ("time", "last Friday", "2026-02-27T00:00:00"),
                ("entity", "Lisbon", "Lisbon"),
                ("sensitive", "4111 1111 1111 1111", "mask"),
            },
        ),
    ],
)
def test_times_names_pronouns_and_secrets_are_told_with_their_meaning(
    yinji: Yinji, text: str, before: str, seen: set[tuple[str, str, str]]
) -> None:
    told = yinji("parse", text, "--context", before, "--at", "2026-03-02T09:00", "--json").json
    keys = {"pronoun": "antecedent", "time": "start", "entity": "name", "sensitive": "action"}
    got = {(one["part"], one["text"], str(one["meaning"][keys[one["part"]]])) for one in told["seen"]}
    assert {(part, words, meaning[:19]) for part, words, meaning in got} == seen
    assert all(told["text"][one["start"] : one["end"]] == one["text"] for one in told["seen"])
    assert "[" in told["masked"]


@pytest.mark.req("P2")
@pytest.mark.parametrize(("lang", "word"), [("en", "passport"), ("zh", "护照号")])
def test_off_a_terminal_marks_stand_for_colours_and_a_line_for_each_thing(yinji: Yinji, lang: str, word: str) -> None:
    shown = yinji("parse", "--lang", lang, "--at", "2026-03-02T09:00", stdin=f"{ZH}\n")
    first, *rest = shown.out.splitlines()
    assert first == "[=他][@下周二下午三点]去[#杭州]，护照号[!E12345678]"
    assert "\x1b" not in shown.out
    assert any(line.split("\t")[1:3] == ["E12345678", word] for line in rest if line.count("\t") == 3)


@pytest.mark.req("P2")
def test_on_a_terminal_the_text_is_coloured(yinji: Yinji, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen.Screen, "is_terminal", property(lambda self: True))
    monkeypatch.setenv("TERM", "xterm")
    shown = yinji("parse", ZH, "--at", "2026-03-02T09:00")
    assert "\x1b[31mE12345678\x1b[0m" in shown.out.splitlines()[0]
    assert MARKS.keys() == STYLES.keys()


@pytest.mark.req("P2", "P3")
def test_nothing_to_see_is_said_and_an_empty_text_is_refused(yinji: Yinji) -> None:
    shown = yinji("parse", "ok then")
    assert (shown.code, shown.out.splitlines()[0]) == (0, "ok then")
    assert "No time" in shown.err
    assert yinji("parse", "", "--json").error["code"] == "invalid_input"
    assert yinji("parse", stdin="  \n").code == 2


@pytest.mark.req("W10", "P2")
def test_a_policy_of_ones_own_is_followed(yinji: Yinji, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "policy.toml"
    own.write_text('[policy]\nphone = "mask"\n', encoding="utf-8")
    monkeypatch.setenv("YINJI_REMEMBER__SENSITIVE_POLICY", str(own))
    assert yinji("parse", "打13812345678", "--json").json["masked"] == "打[phone]"
    own.write_text('[policy]\nphone = "hide"\n', encoding="utf-8")
    other = tmp_path / "other.toml"
    other.write_text('[policy]\nphone = "hide"\n', encoding="utf-8")
    monkeypatch.setenv("YINJI_REMEMBER__SENSITIVE_POLICY", str(other))
    refused = yinji("parse", "打13812345678")
    assert refused.code == 2
    assert "hide" in refused.err


@pytest.mark.req("E3")
def test_the_language_layer_is_timed_by_part_in_both_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    from yinji.evals import bench_language

    monkeypatch.setattr(bench_language, "STARTS", 1)
    report = bench_language.run(turns=5)
    assert set(report.by["size"]) == {"zh", "en"}
    assert {"whole_ms", "sensitive_ms", "times_ms", "start_first_ms"} <= set(report.overall)
    assert "FTS5" not in report.as_table("zh")
