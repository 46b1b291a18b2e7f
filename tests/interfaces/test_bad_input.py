"""Whatever is typed or piped in: one sentence, the right exit code, no traceback, nothing lost."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.interfaces.conftest import LANGUAGES, Result, Yinji

CHINESE = re.compile("[一-鿿]")


def refused(result: Result, code: int, lang: str = "en") -> Result:
    assert result.code == code, result
    assert result.err.strip()
    assert not result.out
    assert bool(CHINESE.search(result.err.splitlines()[0])) == (lang == "zh"), result.err
    return result


BAD: dict[str, tuple[int, tuple[str, ...]]] = {
    "empty": (2, ("remember", "")),
    "spaces": (2, ("remember", " \t　 ")),
    "an empty question": (2, ("recall", "")),
    "no such command": (2, ("rember", "x")),
    "no such option": (2, ("recall", "x", "--topk", "3")),
    "an argument missing": (2, ("recall",)),
    "not a number": (2, ("recall", "x", "--top-k", "many")),
    "no memory wanted": (2, ("recall", "x", "--top-k", "0")),
    "no such kind": (2, ("recall", "x", "--kind", "rumour")),
    "not a time": (2, ("remember", "I live in Lisbon", "--at", "yesterday")),
    "a time out of the calendar": (2, ("remember", "I live in Lisbon", "--at", "2026-02-30T10:00")),
    "not an interval": (2, ("recall", "x", "--during", "2026-01-01")),
    "no owner": (2, ("remember", "I live in Lisbon", "--owner", "")),
    "no owner to ask": (2, ("recall", "where", "--owner", " ")),
    "an odd session": (2, ("remember", "I live in Lisbon", "--session", "a\0b")),
    "no budget": (2, ("context", "x", "--budget", "0")),
    "an id too short": (2, ("show", "1")),
    "no such memory": (3, ("show", "0123456789")),
    "no such memory to forget": (3, ("forget", "0123456789")),
    "nothing to undo": (3, ("undo",)),
    "nothing to edit": (2, ("edit", "0123456789")),
    "no such setting": (3, ("config", "get", "recall.topk")),
    "a setting out of range": (2, ("config", "set", "recall.top_k", "0")),
    "a setting of the wrong type": (2, ("config", "set", "recall.top_k", "many")),
    "half a config": (2, ("config", "set", "recall.top_k")),
    "no such settings file": (2, ("list", "--settings", "/nowhere/settings.toml")),
    "no such key file": (2, ("list", "--key-file", "/nowhere/key")),
    "no such file to import": (6, ("import", "/nowhere/memories.jsonl")),
    "no such file of turns": (6, ("remember", "--file", "/nowhere/turns.jsonl")),
    "erasing without a yes": (2, ("erase",)),
    "an unknown eval": (2, ("eval", "retreival", "--data", ".")),
}


@pytest.mark.req("P3", "P2")
@LANGUAGES
@pytest.mark.parametrize("case", BAD)
def test_a_mistake_gets_a_sentence_in_the_users_language(yinji: Yinji, case: str, lang: str) -> None:
    code, arguments = BAD[case]
    refused(yinji("--lang", lang, *arguments), code, lang)


@pytest.mark.req("P3", "P2")
@pytest.mark.parametrize("case", BAD)
def test_with_json_an_error_is_one_object_on_standard_error(yinji: Yinji, case: str) -> None:
    code, arguments = BAD[case]
    result = yinji(*arguments, "--json")
    assert result.code == code
    assert not result.out
    assert result.error["code"]
    assert result.error["message"]


@pytest.mark.req("P3")
@pytest.mark.parametrize(
    ("arguments", "nearest"),
    [
        (("recal", "x"), "recall"),
        (("recall", "x", "--topk", "3"), "--top-k"),
        (("config", "get", "recall.topk"), "recall.top_k"),
        (("recall", "x", "--owner", "alise"), "alice"),
        (("eval", "retreival", "--data", "."), "retrieval"),
    ],
)
@LANGUAGES
def test_the_nearest_name_is_suggested(yinji: Yinji, arguments: tuple[str, ...], nearest: str, lang: str) -> None:
    yinji("remember", "I live in Lisbon", "--owner", "alice")
    assert nearest in refused(yinji(*arguments, "--lang", lang), yinji(*arguments).code, lang).err


@pytest.mark.req("P3", "W1")
@LANGUAGES
@pytest.mark.parametrize(
    "raw",
    [
        "👍👍👍",
        "I live in\0 Lisbon",
        "。。。",
        "我住在杭州。" + "很长的一段话" * 33_333,
        "I live in Lisbon. " + "word " * 40_000,
    ],
    ids=["emoji", "NUL", "dots", "200,000 characters zh", "200,000 characters en"],
)
def test_odd_text_is_taken_from_standard_input_and_told_about(yinji: Yinji, raw: str, lang: str) -> None:
    result = yinji("remember", "-", "--json", "--lang", lang, stdin=raw)
    assert result.code == 0, result.err
    taken = result.json
    assert taken["added"] or taken["drops"]
    assert yinji("stats", "--json").json["turns"] == 1


@pytest.mark.req("P3")
@LANGUAGES
def test_bytes_that_are_not_text_are_refused_with_a_way_out(yinji: Yinji, lang: str) -> None:
    result = refused(yinji("remember", "-", "--lang", lang, stdin="我住在杭州".encode("gbk")), 2, lang)
    assert "iconv" in result.err
    assert yinji("remember", "-", stdin="\ufeff我住在杭州".encode("utf-16")).code == 0


@pytest.mark.req("P3")
@LANGUAGES
def test_an_argument_that_is_half_a_character_is_taken_and_told_about(yinji: Yinji, lang: str) -> None:
    result = yinji("remember", "I live in\ud800 Lisbon", "--lang", lang)
    assert result.code == 0
    assert result.err
    assert yinji("recall", "where \udcff does the user live", "--json").code == 0


@pytest.mark.req("P3", "K9")
@LANGUAGES
def test_what_is_not_a_store_is_left_as_it_is(yinji: Yinji, tmp_path: Path, lang: str) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("my notes\n" * 200, encoding="utf-8")
    refused(yinji("remember", "I live in Lisbon", "--store", text, "--lang", lang), 4, lang)
    assert text.read_text(encoding="utf-8") == "my notes\n" * 200
    refused(yinji("remember", "I live in Lisbon", "--store", tmp_path, "--lang", lang), 4, lang)
    refused(yinji("remember", "I live in Lisbon", "--store", text / "memory.yinji", "--lang", lang), 4, lang)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["notes.txt"]


@pytest.mark.req("P3", "K9", "F41")
@LANGUAGES
def test_a_store_of_a_newer_version_is_refused_and_unchanged(yinji: Yinji, tmp_path: Path, lang: str) -> None:
    import apsw

    store = tmp_path / "memory.yinji"
    yinji("remember", "I live in Lisbon", "--store", store)
    db = apsw.Connection(str(store))
    db.execute("pragma user_version = 999")
    db.execute("pragma wal_checkpoint(truncate)")
    db.close()
    before = store.read_bytes()
    result = refused(yinji("list", "--store", store, "--lang", lang), 4, lang)
    assert "999" in result.err
    assert "pip install" in result.err
    assert store.read_bytes() == before


@pytest.mark.req("P3")
@LANGUAGES
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that nobody can write")
def test_a_read_only_folder_is_named(yinji: Yinji, lang: str) -> None:
    result = refused(
        yinji("remember", "I live in Lisbon", "--store", "/proc/self/memory.yinji", "--lang", lang), 4, lang
    )
    assert "/proc/self" in result.err


SMALL_DISK = "mount -t tmpfs -o size=800k none {folder} && {commands}"


def on_a_small_disk(folder: Path, *commands: str) -> str:
    """A shell script that runs the commands with a full little disk mounted on the folder."""
    return SMALL_DISK.format(folder=folder, commands=" ; ".join(commands))


def may_mount() -> bool:
    """Whether this machine lets a user mount a disk of memory in a namespace of its own."""
    unshare = shutil.which("unshare")
    return (
        unshare is not None
        and subprocess.run([unshare, "-rm", "true"], check=False, capture_output=True).returncode == 0
    )


@pytest.mark.req("P3", "W13")
@LANGUAGES
@pytest.mark.skipif(not may_mount(), reason="needs to mount a small disk")
def test_a_full_disk_loses_nothing_that_was_accepted(environment: dict[str, str], tmp_path: Path, lang: str) -> None:
    yinji = f"{sys.executable} -m yinji --lang {lang} --store {tmp_path}/memory.yinji"
    script = on_a_small_disk(
        tmp_path,
        f"{yinji} remember 'I live in Lisbon' >&2",
        f"yes 'I collect stamps from Peru.' | head -c 600000 | {yinji} remember -",
        "echo code=$?",
        f"{yinji} recall 'Where does the user live?'",
        f"{yinji} doctor --json",
    )
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script], capture_output=True, env=environment, check=False, encoding="utf-8"
    )
    assert "code=4" in done.stdout
    assert "Traceback" not in done.stderr
    assert ("\u7a7a\u95f4" if lang == "zh" else "space") in done.stderr
    assert "Lisbon" in done.stdout
    assert '"problems": []' in done.stdout


@pytest.mark.req("P3")
@LANGUAGES
def test_a_batch_with_a_bad_line_takes_nothing_and_names_the_line(yinji: Yinji, tmp_path: Path, lang: str) -> None:
    file = tmp_path / "turns.jsonl"
    good = '{"user": "I live in Lisbon", "at": "2026-03-01T09:00+08:00"}\n'
    for bad in ("not json", "[]", '{"assistant": "hi"}', '{"user": "x", "at": "soon"}', '{"user": "x", "who": 1}'):
        file.write_text(good + bad + "\n", encoding="utf-8")
        result = refused(yinji("remember", "--file", file, "--lang", lang), 6, lang)
        assert "2" in result.err
        assert str(file) in result.err
    assert not os.path.exists(tmp_path / "home" / "memory.yinji") or yinji("stats", "--json").json["turns"] == 0


@pytest.mark.req("P3")
def test_a_bug_becomes_a_sentence_and_its_details_a_file(
    yinji: Yinji, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("yinji.Memory.open", broken)
    result = refused(yinji("list"), 1)
    assert "YINJI_DEBUG" in result.err
    monkeypatch.setenv("YINJI_DEBUG", "1")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    refused(yinji("list"), 1)
    (log,) = tmp_path.glob("yinji-*.log")
    assert "ZeroDivisionError" in log.read_text(encoding="utf-8")


@pytest.mark.req("P3", "W13")
@LANGUAGES
@pytest.mark.skipif(not may_mount(), reason="needs to mount a small disk")
def test_a_disk_without_a_byte_left_is_named_and_what_is_there_is_read(
    environment: dict[str, str], tmp_path: Path, lang: str
) -> None:
    yinji = f"{sys.executable} -m yinji --lang {lang} --store {tmp_path}/memory.yinji"
    said, word = {"en": ("I live in Lisbon", "Lisbon"), "zh": ("我住在杭州", "杭州")}[lang]
    script = on_a_small_disk(
        tmp_path,
        f"{yinji} remember '{said}' >/dev/null",
        f"dd if=/dev/zero of={tmp_path}/fill bs=1k 2>/dev/null",
        f"{yinji} remember 'I collect stamps from Peru'",
        "echo code=$?",
        f"{yinji} list",
        f"{yinji} doctor --json",
    )
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script], capture_output=True, env=environment, check=False, encoding="utf-8"
    )
    assert "code=4" in done.stdout
    assert {"en": "no space left", "zh": "空间不足"}[lang] in done.stderr
    assert word in done.stdout
    assert '"problems": []' in done.stdout


@pytest.mark.req("P3")
@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("token", "add", "t", "--until", "2020-01-01"), "令牌的失效时间"),
        (("token", "add"), "名称"),
        (("mcp", "install"), "没有写客户端"),
        (("serve", "--port", "99999"), "0 到 65535"),
        (("config", "set", "recall.top_k", "0"), "这条命令中的设置"),
    ],
)
def test_what_is_wrong_is_told_wholly_in_chinese(yinji: Yinji, arguments: tuple[str, ...], word: str) -> None:
    told = refused(yinji(*arguments, "--lang", "zh"), 2, "zh").err
    assert word in told
    assert not re.search(r"\b(the|is|give|NAME|end)\b", told), told


@pytest.mark.req("P3")
@pytest.mark.parametrize(("locale", "word"), [("zh_CN.UTF-8", "不在"), ("en_GB.UTF-8", "is not among")])
def test_a_language_that_is_not_known_is_refused_in_that_of_the_locale(
    yinji: Yinji, monkeypatch: pytest.MonkeyPatch, locale: str, word: str
) -> None:
    monkeypatch.setenv("YINJI_LANG", locale)
    assert word in yinji("list", "--lang", "fr").err


@pytest.mark.req("P3")
@LANGUAGES
def test_what_asks_first_says_what_it_would_have_asked(yinji: Yinji, lang: str) -> None:
    yinji("remember", "I live in Lisbon")
    told = refused(yinji("erase", "--lang", lang), 2, lang).err
    assert "--yes" in told
    assert not re.search(r"[.。?？]\s*[.。]", told), told


@pytest.mark.req("P3")
def test_whoever_mistypes_erase_is_led_nowhere(yinji: Yinji) -> None:
    assert "parse" not in refused(yinji("erse"), 2).err
