"""What is typed wrongly, in the words of whoever typed it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.interfaces.conftest import LANGUAGES, Yinji
from tests.interfaces.test_bad_input import CHINESE, refused
from yinji.interfaces.cli.table import COMMANDS, OTHER_NAMES
from yinji.interfaces.cli.widths import columns
from yinji.interfaces.messages import Messages, suggestion

WORD = {"en": "Lisbon", "zh": "杭州"}
SAID = {"en": "I live in Lisbon", "zh": "我住在杭州"}
PYTHONS = ("isoformat", "invalid literal", "valid Kind", "valid Role", "Expecting", "__init__", "{{", "..", "。。")


@pytest.mark.req("P3", "P2")
@LANGUAGES
@pytest.mark.parametrize(
    "name", ["foo", "version", "search", "delete", "rm", "add", "eras", "erasee", "purge", "wipe", "clear"]
)
def test_nothing_that_destroys_is_suggested(yinji: Yinji, name: str, lang: str) -> None:
    assert "erase" not in refused(yinji(name, "--lang", lang), 2, lang).err.replace(name, "")


@pytest.mark.req("P3")
@LANGUAGES
def test_names_of_other_programs_lead_to_ours(yinji: Yinji, lang: str) -> None:
    assert "recall" in yinji("search", "x", "--lang", lang).err
    assert "forget" in yinji("delete", "--lang", lang).err
    assert "--version" in yinji("version", "--lang", lang).err
    assert set(OTHER_NAMES.values()) <= {*COMMANDS, "--version"}
    assert not set(OTHER_NAMES) & set(COMMANDS)


@pytest.mark.req("P3")
@LANGUAGES
@pytest.mark.parametrize("name", ["foo", "--colour", "bar.zzz"])
def test_what_is_like_nothing_gets_no_suggestion(name: str, lang: str) -> None:
    known = ["floor_z", "--store", "--owner", "context.most", *COMMANDS]
    assert not suggestion(Messages(lang), name, known)


@pytest.mark.req("P3")
@LANGUAGES
def test_a_text_without_quotes_is_given_back_with_them(yinji: Yinji, lang: str) -> None:
    for command in ("remember", "recall", "context"):
        told = refused(yinji(command, "I", "live", "in", WORD[lang], "--lang", lang), 2, lang).err
        assert f'yinji {command} "I live in {WORD[lang]}"' in told
    assert "--at" not in refused(yinji("remember", "x", "--colour", "red", "--lang", lang), 2, lang).err


@pytest.mark.req("P3")
@pytest.mark.parametrize(
    ("lang", "told"),
    [("en", "--top-k/-k: 'abc' is not a whole number"), ("zh", "--top-k/-k：'abc' 不是整数")],
)
def test_a_wrong_number_is_told_without_a_type_of_python(yinji: Yinji, lang: str, told: str) -> None:
    assert told in refused(yinji("recall", "x", "--top-k", "abc", "--lang", lang), 2, lang).err


@pytest.mark.req("P3")
@pytest.mark.parametrize(("lang", "told"), [("en", "from 1 to 100."), ("zh", "1 到 100 的整数。")])
def test_a_range_is_told_as_one(yinji: Yinji, lang: str, told: str) -> None:
    assert told in refused(yinji("config", "set", "recall.top_k", "0", "--lang", lang), 2, lang).err
    told_words = refused(yinji("config", "set", "context.format", "html", "--lang", lang), 2, lang).err
    assert "xml, markdown, json" in told_words
    assert "[" not in told_words


@pytest.mark.req("P2")
@LANGUAGES
def test_settings_in_a_pipe_are_lines_without_lists_of_python(yinji: Yinji, lang: str) -> None:
    lines = yinji("config", "--lang", lang).out.splitlines()
    assert all(len(line.split("\t")) == 4 for line in lines)
    assert not any("[" in line or "SPEC" in line for line in lines)
    assert any("1 – 100" in line for line in lines)
    assert not any("SPEC" in row["evidence"] for row in yinji("config", "--json").json)


@pytest.mark.req("P2")
@pytest.mark.parametrize("name", COMMANDS)
def test_help_in_chinese_is_chinese_to_the_last_word(yinji: Yinji, name: str) -> None:
    shown = yinji(name, "--help", "--lang", "zh").out
    for word in ("TEXT", "QUERY", " FILE", " NAME", " TIME", " KEY", " ID"):
        assert word not in shown
    assert not [line for line in shown.splitlines() if line.endswith(":")]
    meanings = [line for line in shown.splitlines() if line.startswith("  --") and "  " in line.strip()]
    places = {columns(line[: line.rindex("  ") + 2]) for line in meanings}
    assert len(places) == 1, shown


@pytest.mark.req("P3", "W1")
@LANGUAGES
@pytest.mark.parametrize("beside", [("text",), ("--at", "2026-01-01"), ("--seq", "3"), ("--session", "s")])
def test_a_file_of_turns_stands_alone(yinji: Yinji, tmp_path: Path, beside: tuple[str, ...], lang: str) -> None:
    file = tmp_path / "turns.jsonl"
    file.write_text(json.dumps({"user": SAID[lang]}), encoding="utf-8")
    told = refused(yinji("remember", *beside, "--file", file, "--lang", lang), 2, lang).err
    assert "--file" in told
    assert yinji("stats", "--json").json["turns"] == 0


BAD_LINES = (
    ("not json", ""),
    ("[]", "user"),
    ('{"user": "x", "at": "soon"}', "at"),
    ('{"user": "x", "who": 1}', "who"),
    ('{"user": "x", "role": "boss"}', "role"),
    ('{"user": "x", "seq": "many"}', "seq"),
    ('{"user": "x", "assistant": 3}', "assistant"),
    ('{"user": "x", "app": []}', "app"),
    ('{"user": "x", "session": {}}', "session"),
)


@pytest.mark.req("P3")
@LANGUAGES
@pytest.mark.parametrize(("line", "name"), BAD_LINES)
def test_a_bad_line_of_a_file_of_turns_names_its_part(
    yinji: Yinji, tmp_path: Path, line: str, name: str, lang: str
) -> None:
    file = tmp_path / "t.jsonl"
    file.write_text(json.dumps({"user": SAID[lang]}) + "\n" + line, encoding="utf-8")
    told = refused(yinji("remember", "--file", file, "--lang", lang), 6, lang).err
    assert name in told
    assert {"en": "line 2: ", "zh": "第 2 行："}[lang] in told
    assert not [one for one in PYTHONS if one in told.replace("t.jsonl", "")]


@pytest.mark.req("P3")
@LANGUAGES
def test_of_many_bad_lines_some_are_told_and_the_rest_counted(yinji: Yinji, tmp_path: Path, lang: str) -> None:
    file = tmp_path / "t.jsonl"
    file.write_text("\n".join(line for line, _ in BAD_LINES), encoding="utf-8")
    told = refused(yinji("remember", "--file", file, "--lang", lang), 6, lang).err
    assert {"en": "and 4 more lines", "zh": "另有 4 行"}[lang] in told
    assert '{"user": ' in told


@pytest.mark.req("P3", "O9")
@LANGUAGES
@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("not json", "JSON"),
        ("[]", "content"),
        ('{"content": ""}', "content"),
        ('{"content": "I live", "at": "soon"}', "at"),
        ('{"content": "I live", "kind": "zzz"}', "kind"),
        ('{"content": "I live", "seq": "many"}', "seq"),
        ('{"content": "I live", "importance": "high"}', "importance"),
        ('{"content": "I live", "who": 1}', "who"),
        ('{"content": "I live", "recorded_at": "2026-01-01T00:00+00:00"}', "owner"),
        ('{"content": "I live", "recorded_at": "soon"}', "recorded_at"),
    ],
)
def test_a_bad_line_of_an_import_names_its_part(yinji: Yinji, line: str, name: str, lang: str) -> None:
    told = yinji("import", "-", "--lang", lang, stdin=line)
    assert told.code == 6
    assert name in told.err
    assert bool(CHINESE.search(told.err.partition("：")[2])) == (lang == "zh"), told.err
    assert not [one for one in PYTHONS if one in told.err]


@pytest.mark.req("P3", "R1")
@LANGUAGES
def test_a_stretch_of_time_that_ends_before_it_begins_is_refused(yinji: Yinji, lang: str) -> None:
    refused(yinji("recall", "x", "--during", "2026-05-01/2026-04-01", "--lang", lang), 2, lang)


@pytest.mark.req("F6", "P2")
@LANGUAGES
@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are Unicode there, whatever the locale")
def test_a_locale_without_utf8_takes_chinese_words_and_file_names(
    environment: dict[str, str], tmp_path: Path, lang: str
) -> None:
    home = tmp_path / "主目录"
    plain = environment | {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "YINJI_HOME": str(home), "YINJI_LANG": lang}
    store, out = str(home / "记忆.yinji"), str(tmp_path / "导出.jsonl")

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "yinji", *arguments], capture_output=True, env=plain, check=False, encoding="utf-8"
        )
        assert done.returncode == 0, done
        return done.stdout + done.stderr

    assert "龙井" in run("remember", "我喜欢喝龙井")
    assert "龙井" in run("recall", "我喜欢喝什么？")
    assert store in run("init", "--store", store)
    assert "龙井" in run("remember", "我喜欢喝龙井", "--store", store)
    assert out in run("export", out, "--store", store)
    assert "龙井" in Path(out).read_text(encoding="utf-8")
    run("import", out)
    assert str(home) in run("config", "--path")


@pytest.mark.req("P3", "W13")
def test_an_error_that_comes_in_a_warning_is_told_in_the_users_language() -> None:
    from yinji.errors import StoreFull

    warning = f"not_read:{StoreFull(path='/x/m.yinji')}"
    assert "磁盘空间不足，/x/m.yinji" in Messages("zh").warning(warning)
    assert "no space left for /x/m.yinji" in Messages("en").warning(warning)
