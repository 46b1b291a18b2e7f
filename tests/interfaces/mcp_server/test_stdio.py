"""The MCP server as a client meets it that starts it: pure output, tools, resources, and errors to act on."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

VERSION = "2025-06-18"
STORIES = pytest.mark.parametrize(
    ("lang", "said", "question", "word"),
    [
        ("zh", "我对花生过敏，好的谢谢", "我对什么过敏？", "花生"),
        ("en", "I'm allergic to peanuts", "What am I allergic to?", "peanuts"),
    ],
    ids=["zh", "en"],
)


LANGUAGES = pytest.mark.parametrize("lang", ["zh", "en"])


def hello() -> list[dict[str, object]]:
    """What a client says first."""
    client = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}
    return [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]


def said_at_once(lines: list[str], lang: str, environment: dict[str, str]) -> list[dict[str, Any]]:
    """What is answered to a client that says all this and closes its end of the pipe at once."""
    told = "\n".join([*map(json.dumps, hello()), *lines])
    command = [sys.executable, "-m", "yinji", "--lang", lang, "mcp"]
    done = subprocess.run(
        command, input=told + "\n", capture_output=True, env=environment, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


class Talk:
    """A client of a few lines: what it cannot read as JSON-RPC fails the test."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._number = 0
        self.ask(
            "initialize",
            {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}},
        )
        self._send({"method": "notifications/initialized"})

    def ask(self, method: str, params: Mapping[str, object] | None = None) -> dict[str, Any]:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": dict(params or {})})
        assert self._process.stdout is not None
        while True:
            answer: dict[str, Any] = json.loads(self._process.stdout.readline())
            assert answer["jsonrpc"] == "2.0"
            if answer.get("id") == self._number:
                return answer

    def tool(self, name: str, **arguments: object) -> dict[str, Any]:
        result: dict[str, Any] = self.ask("tools/call", {"name": name, "arguments": arguments})["result"]
        return result

    def _send(self, message: Mapping[str, object]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._process.stdin.flush()


@pytest.fixture
def talk(environment: dict[str, str], lang: str, tmp_path: Path) -> Iterator[Talk]:
    command = [sys.executable, "-m", "yinji", "--lang", lang, "mcp"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, encoding="utf-8") as process:
        yield Talk(process)
        assert process.stdin is not None
        process.stdin.close()
        assert process.stdout is not None
        for line in process.stdout:
            json.loads(line)
        assert process.wait() == 0


@pytest.mark.req("S3", "F40")
@STORIES
def test_a_model_remembers_recalls_and_forgets(talk: Talk, lang: str, said: str, question: str, word: str) -> None:
    kept = talk.tool("remember", user=said, wait=True)
    assert word in kept["content"][0]["text"]
    (memory,) = kept["structuredContent"]["added"]
    found = talk.tool("recall", query=question)
    assert word in found["content"][0]["text"]
    assert memory["id"] in found["content"][0]["text"]
    assert word in talk.tool("context", query=question)["content"][0]["text"]
    assert word in talk.ask("resources/read", {"uri": "yinji://profile"})["result"]["contents"][0]["text"]
    assert word in json.dumps(
        talk.ask("prompts/get", {"name": "with_memory", "arguments": {"message": question}}), ensure_ascii=False
    )
    talk.tool("forget", ids=[memory["id"]])
    assert word not in talk.tool("recall", query=question)["content"][0]["text"]


@pytest.mark.req("S3")
@STORIES
def test_every_tool_says_what_it_does_and_needs(talk: Talk, lang: str, said: str, question: str, word: str) -> None:
    tools = {one["name"]: one for one in talk.ask("tools/list")["result"]["tools"]}
    assert {"remember", "recall", "context", "why", "list", "edit", "forget"} <= tools.keys()
    for name, tool in tools.items():
        hints = tool["annotations"]
        assert {"title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} <= hints.keys(), name
        assert tool["description"]
        assert all(one.get("description") for one in tool["inputSchema"]["properties"].values()), name
    assert tools["recall"]["annotations"]["readOnlyHint"]
    assert tools["forget"]["annotations"]["destructiveHint"]
    assert "erase" not in tools


@pytest.mark.req("S3", "P3")
@STORIES
def test_a_mistake_comes_back_as_something_to_act_on(
    talk: Talk, lang: str, said: str, question: str, word: str
) -> None:
    near = talk.ask("tools/call", {"name": "recal", "arguments": {"query": question}})["error"]
    assert near["code"] == -32602
    assert "'recall'" in near["message"]
    assert talk.tool("recall", querry=question)["structuredContent"]["error"]["code"] == "invalid_input"
    assert talk.tool("get", id="00000000-ffff")["structuredContent"]["error"]["code"] == "not_found"
    for uri in ("yinji://nothing", "yinji://memory/00000000-ffff"):
        gone = talk.ask("resources/read", {"uri": uri})["error"]
        assert (gone["code"], gone["data"]) == (-32002, {"uri": uri})
    nobody = talk.ask("prompts/get", {"name": "with_memori", "arguments": {"message": question}})["error"]
    assert (nobody["code"], "'with_memory'" in nobody["message"]) == (-32602, True)
    assert talk.ask("prompts/get", {"name": "with_memory"})["error"]["code"] == -32602
    assert talk.ask("nothing/at_all")["error"]["code"] == -32601
    for uri, near in (("yinji://nothing", False), ("yinji://profil", True)):
        assert ("'yinji://profile'" in talk.ask("resources/read", {"uri": uri})["error"]["message"]) == near


@pytest.mark.req("S3", "P3")
@LANGUAGES
def test_a_line_that_is_no_message_is_answered_and_the_next_is_read(environment: dict[str, str], lang: str) -> None:
    wrong = ["{oops", "", "不是 JSON", '{"jsonrpc": "2.0", "id": 5}', "[]", '"recall"']
    ping = json.dumps({"jsonrpc": "2.0", "id": 9, "method": "ping"})
    answers = said_at_once([*wrong, ping], lang, environment)
    refused = [one["error"] for one in answers if one["id"] is None]
    assert [one["code"] for one in refused] == [-32700, -32700, -32600, -32600, -32600]
    assert all(({"zh": "这一行不是", "en": "The line is no"}[lang]) in one["message"] for one in refused)
    assert [one["result"] for one in answers if one["id"] == 9] == [{}]


@pytest.mark.req("S3", "W13")
@STORIES
def test_what_was_asked_before_the_input_ended_is_done_and_answered(
    environment: dict[str, str], lang: str, said: str, question: str, word: str
) -> None:
    def call(id: int, name: str, **arguments: object) -> str:
        return json.dumps(
            {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        )

    (kept,) = (one for one in said_at_once([call(2, "remember", user=said, wait=True)], lang, environment)[1:])
    assert word in kept["result"]["content"][0]["text"]
    asked = [call(id, "recall", query=question) for id in (2, 3)]
    gone = json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}})
    answers = said_at_once([*asked, gone], lang, environment)
    assert [word in one["result"]["content"][0]["text"] for one in answers if one["id"] == 2] == [True]
