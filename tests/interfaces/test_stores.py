"""Stores that are absent, damaged, encrypted, full or only readable: a sentence with a way out, and nothing lost."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.interfaces.conftest import LANGUAGES, Yinji
from tests.interfaces.test_bad_input import may_mount, refused
from yinji import Memory, Settings
from yinji.errors import ReadOnlyStore
from yinji.interfaces.messages import Messages

READS = (("list",), ("recall", "x y"), ("context", "x y"), ("stats",), ("history",), ("export",))
NEEDS_ONE = (("show", "0123456789"), ("forget", "0123456789"), ("undo",), ("pin", "0123456789"))
SAID = {"en": "I live in Lisbon", "zh": "我住在杭州"}
ASKED = {"en": "Where do I live?", "zh": "我住在哪里？"}
WORD = {"en": "Lisbon", "zh": "杭州"}


@pytest.mark.req("P3", "K9")
@LANGUAGES
@pytest.mark.parametrize("command", [*READS, *NEEDS_ONE, ("erase", "--yes")], ids=" ".join)
def test_a_mistyped_store_is_refused_and_nothing_is_made(
    yinji: Yinji, tmp_path: Path, command: tuple[str, ...], lang: str
) -> None:
    store = tmp_path / "mistyped" / "memory.yinji"
    result = refused(yinji(*command, "--store", store, "--lang", lang), 3, lang)
    assert str(store) in result.err
    assert "yinji init" in result.err
    assert not store.parent.exists()


@pytest.mark.req("P3", "K9")
@LANGUAGES
@pytest.mark.parametrize("command", READS, ids=" ".join)
def test_before_the_first_memory_reading_answers_emptily_and_makes_nothing(
    yinji: Yinji, tmp_path: Path, command: tuple[str, ...], lang: str
) -> None:
    result = yinji(*command, "--lang", lang)
    assert result.code == 0
    assert "yinji init" in result.err
    assert not (tmp_path / "home").exists()
    assert not yinji(*command, "--json").err
    assert not (tmp_path / "home").exists()


@pytest.mark.req("P3")
@LANGUAGES
@pytest.mark.parametrize("command", NEEDS_ONE, ids=" ".join)
def test_before_the_first_memory_there_is_none_to_change(yinji: Yinji, command: tuple[str, ...], lang: str) -> None:
    refused(yinji(*command, "--lang", lang), 3, lang)


@pytest.mark.req("P3", "R9")
@LANGUAGES
@pytest.mark.skipif(not may_mount(), reason="needs to mount a file system for reading only")
def test_a_read_only_file_system_is_read(yinji: Yinji, environment: dict[str, str], tmp_path: Path, lang: str) -> None:
    store = tmp_path / "disk" / "memory.yinji"
    store.parent.mkdir()
    assert yinji("remember", SAID[lang], "--store", store).code == 0
    command = f"{sys.executable} -m yinji --lang {lang} --store {store}"
    script = f"mount --bind {store.parent} {store.parent} && mount -o remount,ro,bind {store.parent} && " + " && ".join(
        f"{command} {one}"
        for one in ("list", f"recall '{ASKED[lang]}'", f"context '{ASKED[lang]}'", "export", "stats", "doctor")
    )
    script += f"; echo code=$?; {command} remember '{SAID[lang]}'; echo code=$?"
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script], capture_output=True, env=environment, check=False, encoding="utf-8"
    )
    assert done.stdout.count(WORD[lang]) >= 4, done
    assert "code=0" in done.stdout
    assert done.stdout.endswith("code=4\n")
    assert {"en": "can only be read", "zh": "只能读取"}[lang] in done.stderr
    assert str(store) in done.stderr


@pytest.mark.req("P3", "R9")
@LANGUAGES
def test_a_memory_opened_for_reading_reads_and_starts_nothing(
    yinji: Yinji, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    import threading

    store = tmp_path / "memory.yinji"
    yinji("remember", SAID[lang], "--store", store)
    with monkeypatch.context() as patch:
        patch.setattr("yinji.remember.reader.Reader.wake", lambda _: None)
        yinji("remember", SAID[lang], "--store", store, "--no-wait", "--session", "other")
    settings = Settings.load().with_values("embed", {"model": "hashing"})
    with Memory.open(store, readonly=True, settings=settings) as memory:
        made = memory.context(ASKED[lang])
        assert WORD[lang] in made.text
        assert made.warnings == ("not_counted:",)
        assert not memory.context(ASKED[lang], used=False).warnings
        assert memory.list()
        assert memory.recall(ASKED[lang])
        assert not memory.check()
        assert memory.flush() == 1
        assert "yinji-reader" not in {one.name for one in threading.enumerate()}
        with pytest.raises(ReadOnlyStore):
            memory.remember(SAID[lang])


def damaged(yinji: Yinji, store: Path) -> None:
    """A store of 800 memories, one page of which is overwritten."""
    import apsw

    lines = "".join(json.dumps({"content": f"The user keeps stamp {at} in album {at % 9}"}) + "\n" for at in range(800))
    assert yinji("import", "-", "--store", store, stdin=lines).code == 0
    db = apsw.Connection(str(store))
    query = "SELECT pageno FROM dbstat WHERE name = 'memory' AND pagetype = 'leaf' LIMIT 1 OFFSET 5"
    page = int(str(db.execute(query).get))
    size = int(str(db.pragma("page_size")))
    db.close()
    raw = bytearray(store.read_bytes())
    raw[(page - 1) * size : page * size] = b"\xa5" * size
    store.write_bytes(raw)


@pytest.mark.req("P3", "F41")
@LANGUAGES
def test_of_a_damaged_store_what_can_be_read_is_exported_and_the_rest_told(
    yinji: Yinji, tmp_path: Path, lang: str
) -> None:
    store = tmp_path / "memory.yinji"
    damaged(yinji, store)
    exported = yinji("export", "--store", store, "--lang", lang)
    assert exported.code == 4
    assert "yinji export" in exported.err
    rescued = [json.loads(line) for line in exported.out.splitlines()[1:]]
    assert 600 < len(rescued) < 800
    new = tmp_path / "new.yinji"
    assert yinji("import", "-", "--store", new, "--json", stdin=exported.out).json["new"] == len(rescued)
    looked = yinji("doctor", "--store", store, "--lang", lang)
    assert looked.code == 4
    assert f"\t{len(rescued)}\n" in looked.out
    assert ("\u635f\u574f" if lang == "zh" else "damaged") in looked.out
    assert not looked.err


@pytest.mark.req("P3", "K7")
@LANGUAGES
def test_the_key_of_an_encrypted_store_is_asked_for_as_the_command_line_takes_it(
    yinji: Yinji, tmp_path: Path, lang: str
) -> None:
    store, key = tmp_path / "memory.yinji", tmp_path / "key"
    key.write_text("a secret\n", encoding="utf-8")
    assert yinji("remember", SAID[lang], "--store", store, "--key-file", key).code == 0
    assert "--key-file" in refused(yinji("list", "--store", store, "--lang", lang), 4, lang).err
    missing = tmp_path / "nokey"
    told = refused(yinji("list", "--store", store, "--key-file", missing, "--lang", lang), 2, lang).err
    assert str(missing) in told
    assert "Errno" not in told
    assert WORD[lang] in yinji("list", "--store", store, "--key-file", key).out


@pytest.mark.req("P3", "W13")
@LANGUAGES
def test_what_stops_the_reading_is_a_sentence_and_the_library_prints_nothing(
    yinji: Yinji, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    from yinji.adapters.sqlite.store import SqliteStore
    from yinji.errors import StoreFull

    with monkeypatch.context() as patch:
        patch.setattr("yinji.remember.reader.Reader.wake", lambda _: None)
        yinji("remember", SAID[lang], "--no-wait")

    def full(self: SqliteStore, **_: object) -> None:
        raise StoreFull(path=self.path)

    monkeypatch.setattr(SqliteStore, "claim", full)
    listed = yinji("list", "--lang", lang)
    assert listed.code == 0
    taken = yinji("remember", SAID[lang], "--session", "other", "--lang", lang)
    assert taken.code == 4
    for told in (listed.err, taken.err):
        assert {"en": "no space left", "zh": "空间不足"}[lang] in told
        assert "store_full" not in told
    assert any(isinstance(one, logging.NullHandler) for one in logging.getLogger("yinji").handlers)
    assert os.environ["YINJI_HOME"]


@pytest.mark.req("P3")
@LANGUAGES
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[recall\ntop_k = 3\n", ("1",)),
        ("[recall]\ntop_k = 3\ntop_k = 4\n", ("3",)),
        ("[recall]\ntop_k = many\n", ("2",)),
        ("[recall]\ntop_k = 0\n", ("recall.top_k", "100")),
        ("[recal]\ntop_k = 3\n", ("recal",)),
        ("top_k = 3\n", ("top_k",)),
    ],
)
def test_broken_settings_stop_what_needs_them_but_not_what_mends_them(
    yinji: Yinji, tmp_path: Path, text: str, told: tuple[str, ...], lang: str
) -> None:
    path = tmp_path / "home" / "settings.toml"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    stopped = refused(yinji("list", "--lang", lang), 2, lang).err
    assert str(path) in stopped
    assert all(one in stopped for one in told)
    assert "''" not in stopped
    assert "(at line" not in stopped
    for command in (["config"], ["config", "get", "recall.top_k"]):
        shown = yinji(*command, "--lang", lang)
        assert shown.code == 2
        assert "5" in shown.out
        assert str(path) in shown.err
    looked = yinji("doctor", "--lang", lang)
    assert looked.code == 2
    assert str(path) in looked.out
    assert yinji("doctor", "--json").json["problems"]


@pytest.mark.req("P3")
@LANGUAGES
def test_a_value_out_of_range_is_mended_by_setting_it(yinji: Yinji, tmp_path: Path, lang: str) -> None:
    path = tmp_path / "home" / "settings.toml"
    path.parent.mkdir()
    path.write_text("[recall]\ntop_k = 0\n", encoding="utf-8")
    assert yinji("config", "set", "recall.top_k", "7", "--lang", lang).code == 0
    assert yinji("config", "get", "recall.top_k").out == "7\n"
    path.write_text("[recall\ntop_k = 0\n", encoding="utf-8")
    refused(yinji("config", "set", "recall.top_k", "7", "--lang", lang), 2, lang)
    assert path.read_text(encoding="utf-8") == "[recall\ntop_k = 0\n"


@pytest.mark.req("P3", "W13")
@LANGUAGES
def test_a_turn_that_cannot_be_read_is_not_silently_lost(
    yinji: Yinji, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lang: str
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("yinji.remember.reader.read_turns", broken)
    taken = yinji("remember", SAID[lang], "--lang", lang)
    assert taken.code == 1
    assert "ZeroDivisionError" in taken.err
    assert len(taken.err.splitlines()) == 1
    file = tmp_path / "turns.jsonl"
    file.write_text("".join(json.dumps({"user": f"{SAID[lang]} {at}"}) + "\n" for at in range(3)), encoding="utf-8")
    assert "3 ×" in yinji("remember", "--file", file, "--lang", lang).err
    looked = yinji("doctor", "--lang", lang).out.splitlines()
    assert Messages(lang)("doctor.failed", n=4) in looked[-1]
