"""Our memory tool for Claude does what the file-system tool of Anthropic's SDK does, command by command."""

from __future__ import annotations

import asyncio
import re
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("anthropic.tools.memory", reason="needs the extra claude")

from anthropic.lib.tools import ToolError
from anthropic.tools.memory import BetaAsyncLocalFilesystemMemoryTool, BetaLocalFilesystemMemoryTool
from hypothesis import given, settings
from hypothesis import strategies as st

from yinji import Memory
from yinji.integrations.claude import YinjiAsyncMemoryTool, YinjiMemoryTool

NAMES = st.sampled_from(["a", "b.md", "笔记", "用户.md", ".hidden", "a b", "é.txt", "50%off"])
PATHS = st.lists(NAMES, max_size=3).map(lambda names: "/".join(["/memories", *names]))
LINES = st.lists(
    st.sampled_from(["喜欢喝茶", "allergic to peanuts", "", "x", "周三开会", "tab\there", "cr\r"]), max_size=5
)
TEXTS = st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n"]))
PARTS = st.sampled_from(["喜欢喝茶", "x", "peanuts", "会", "\n", "nowhere", "茶\nx"])
RANGES = st.none() | st.lists(st.integers(-1, 6), min_size=2, max_size=2)
COMMANDS = st.one_of(
    st.fixed_dictionaries({"command": st.just("view"), "path": PATHS, "view_range": RANGES}),
    st.fixed_dictionaries({"command": st.just("create"), "path": PATHS, "file_text": TEXTS}),
    st.fixed_dictionaries({"command": st.just("create"), "path": PATHS, "file_text": TEXTS}),
    st.fixed_dictionaries({"command": st.just("str_replace"), "path": PATHS, "old_str": PARTS, "new_str": PARTS}),
    st.fixed_dictionaries(
        {"command": st.just("insert"), "path": PATHS, "insert_line": st.integers(-1, 6), "insert_text": TEXTS}
    ),
    st.fixed_dictionaries({"command": st.just("delete"), "path": PATHS}),
    st.fixed_dictionaries({"command": st.just("rename"), "old_path": PATHS, "new_path": PATHS}),
)
OWN_WORDS = re.compile("into itself|is a file$|already exists|is not a file")
"""Complaints about what makes the file system raise an error of its own."""
NUMBER = count()


class Reference:
    """The SDK's own tool in a folder of its own, in which no empty directory stays."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp()
        self.tool = BetaLocalFilesystemMemoryTool(self.folder)

    def __enter__(self) -> Reference:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder)

    def call(self, command: dict[str, Any]) -> Any:
        try:
            return self.tool.call(command)
        finally:
            folders = sorted((one for one in self.tool.memory_root.rglob("*") if one.is_dir()), reverse=True)
            for one in folders:
                with suppress(OSError):  # it is not empty
                    one.rmdir()

    def files(self) -> dict[str, str]:
        root = self.tool.memory_root
        return {
            "/".join(("/memories", *one.relative_to(root).parts)): one.read_bytes().decode()
            for one in root.rglob("*")
            if one.is_file()
        }


def files(tool: YinjiMemoryTool) -> dict[str, Any]:
    return {
        "/".join(("/memories", *one.namespace, one.key)): one.value["text"] for one in tool.files._documents.select()
    }


def answer(tool: Any, command: dict[str, Any]) -> tuple[str, str]:
    """(how it ended, what was said)"""
    try:
        return "done", tool.call(command)
    except ToolError as error:
        return "refused", str(error)
    except OSError as error:
        return "failed", str(error)


@pytest.mark.req("S5")
@settings(max_examples=100)
@given(commands=st.lists(COMMANDS, max_size=20))
def test_random_commands_do_and_say_what_the_file_system_tool_does(
    shared: Memory, commands: list[dict[str, Any]]
) -> None:
    ours = YinjiMemoryTool(shared, collection=f"claude-{next(NUMBER)}")
    with Reference() as theirs:
        for command in commands:
            (ended, said), (expected, wanted) = answer(ours, command), answer(theirs, command)
            assert (ended == "done") == (expected == "done"), (command, said, wanted)
            if "directories up to" in said:
                assert folders_and_files(said) == folders_and_files(wanted)
            elif expected != "failed" and not (ended == "refused" and OWN_WORDS.search(said)):
                assert said == wanted
            assert files(ours) == theirs.files()


def folders_and_files(said: str) -> list[str]:
    """The lines of a listing; a directory's own size is that of a file system's entry, and not compared."""
    header, top, *lines = said.split("\n")
    return [header, top.split("\t")[1]] + [one.split("\t")[1] if one.endswith("/") else one for one in lines]


TRICKS = [
    "/memories/../etc/passwd",
    "/memories/a/../../etc",
    "/memories/..",
    "/memories/%2e%2e/x",
    "/memories/%2E%2e%2fetc",
    "/memories/%252e%252e/x",
    "/memories/a%00.md",
    "/memories/a\x00b",
    "/memories/..\\..\\x",
    "/memories/．．/x",
    "/memories/‥/x",
    "/memories/a／..／b",
    "/memories/. ./x",
    "/memories/ .. /x",
    "/memories/./.../x",
    "/etc/passwd",
    "memories/a",
    "/memoriesx",
    "/MEMORIES/a",
    "~/memories/a",
    "file:///memories/a",
    "C:\\memories\\a",
    "",
    "/memories/line\nbreak",
    "/memories/\u202egpj.md",
    "/memories/zero\u200bwidth",
    "/memories/\ud800",
    "/memories/" + "x" * 256,
    "/memories/" + "字" * 86,
    "/memories/" + "/".join("d" * 40),
    "/memories/password: hunter2#x!.md",
    "/memories/身份证11010519491231002X.md",
]


@pytest.mark.req("S5", "F33")
@pytest.mark.parametrize("path", TRICKS, ids=lambda path: ascii(path)[:40])
def test_a_path_that_plays_tricks_is_refused_by_every_command_and_writes_nothing(memory: Memory, path: str) -> None:
    tool = YinjiMemoryTool(memory)
    tool.call({"command": "create", "path": "/memories/a.md", "file_text": "一行\none line"})
    for command in (
        {"command": "view", "path": path},
        {"command": "create", "path": path, "file_text": "x"},
        {"command": "str_replace", "path": path, "old_str": "one", "new_str": "x"},
        {"command": "insert", "path": path, "insert_line": 0, "insert_text": "x"},
        {"command": "delete", "path": path},
        {"command": "rename", "old_path": path, "new_path": "/memories/b.md"},
        {"command": "rename", "old_path": "/memories/a.md", "new_path": path},
    ):
        with pytest.raises(ToolError):
            tool.call(command)
    assert files(tool) == {"/memories/a.md": "一行\none line"}


@pytest.mark.req("S5")
def test_a_name_that_looks_like_a_link_is_a_name_and_two_spellings_are_one_file(memory: Memory) -> None:
    tool = YinjiMemoryTool(memory)
    tool.call({"command": "create", "path": "/memories/link -> ~/x", "file_text": "plain"})
    assert "plain" in tool.call({"command": "view", "path": "/memories//link -> ~/x"})
    tool.call({"command": "create", "path": "/memories/caf\u00e9.md", "file_text": "one"})
    with pytest.raises(ToolError, match="already exists"):
        tool.call({"command": "create", "path": "/memories/cafe\u0301.md", "file_text": "two"})


@pytest.mark.req("S5", "K10")
def test_what_others_write_at_the_same_time_is_not_lost(memory: Memory) -> None:
    tool = YinjiMemoryTool(memory)
    tool.call({"command": "create", "path": "/memories/log.md", "file_text": "start\n"})

    def write(name: str) -> None:
        for number in range(8):
            line = {"command": "insert", "path": "/memories/log.md", "insert_line": 1, "insert_text": f"{name}{number}"}
            tool.call(line)

    threads = [threading.Thread(target=write, args=(name,)) for name in "甲b"]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    kept = files(tool)["/memories/log.md"].split("\n")
    assert sorted(kept) == sorted(["start", "", *(f"{name}{number}" for name in "甲b" for number in range(8))])


@pytest.mark.req("S5", "W10", "F34")
@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("身份证号：11010519491231002X\n喜欢喝茶", "11010519491231002X"),
        ("password: hunter2#x!\nlikes tea", "hunter2#x!"),
    ],
)
def test_a_secret_is_never_written_and_claude_is_told_so(
    memory: Memory, tmp_path: Path, text: str, secret: str
) -> None:
    tool = YinjiMemoryTool(memory)
    assert "placeholders" in tool.call({"command": "create", "path": "/memories/u.md", "file_text": text})
    seen = tool.call({"command": "view", "path": "/memories/u.md"})
    assert secret not in seen
    assert text.split("\n")[1] in seen
    assert secret.encode() not in b"".join(one.read_bytes() for one in tmp_path.iterdir() if one.is_file())


@pytest.mark.req("S5", "F30", "O7")
def test_files_are_found_by_meaning_belong_to_an_owner_and_are_erased_with_a_proof(memory: Memory) -> None:
    ann, lilei = YinjiMemoryTool(memory, owner="ann"), YinjiMemoryTool(memory, owner="李雷")
    ann.call({"command": "create", "path": "/memories/cat.md", "file_text": "The cat is called Mochi"})
    ann.call({"command": "create", "path": "/memories/work/car.md", "file_text": "The garage opens at nine"})
    lilei.call({"command": "create", "path": "/memories/猫.md", "file_text": "家里的猫叫年糕"})
    assert [path for path, _ in ann.files.search("what is the cat called", limit=1)] == ["/memories/cat.md"]
    assert [path for path, _ in lilei.files.search("猫叫什么")] == ["/memories/猫.md"]
    assert memory.erase("ann").proved
    assert ann.call({"command": "view", "path": "/memories"}).count("\n") == 1
    assert lilei.clear_all_memory() == "All memory cleared"
    assert files(lilei) == {}


@pytest.mark.req("S5")
def test_the_async_tool_answers_as_the_sync_one(memory: Memory, tmp_path: Path) -> None:
    ours, theirs = YinjiAsyncMemoryTool(memory), BetaAsyncLocalFilesystemMemoryTool(str(tmp_path / "files"))
    assert ours.to_dict() == theirs.to_dict()

    async def both(command: dict[str, Any]) -> Iterator[Any]:
        return iter([await ours.call(command), await theirs.call(command)])

    for command in (
        {"command": "create", "path": "/memories/a.md", "file_text": "一\ntwo"},
        {"command": "insert", "path": "/memories/a.md", "insert_line": 1, "insert_text": "中"},
        {"command": "str_replace", "path": "/memories/a.md", "old_str": "two", "new_str": "2"},
        {"command": "view", "path": "/memories/a.md", "view_range": [2, -1]},
        {"command": "rename", "old_path": "/memories/a.md", "new_path": "/memories/b.md"},
        {"command": "delete", "path": "/memories/b.md"},
    ):
        said, wanted = asyncio.run(both(command))
        assert said == wanted
    assert asyncio.run(ours.clear_all_memory()) == "All memory cleared"
