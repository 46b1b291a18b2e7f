"""Whatever happens, each line that the server writes to standard output is JSON-RPC."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}
NOISY = """
import os, sys
LOUD = {"apsw", "numpy", "mcp.server.stdio", "yinji.interfaces.mcp_server.server"}
def hear(event, arguments):
    if event == "import" and arguments[0] in LOUD:
        print("noise of", arguments[0])
        os.write(1, b"noise from C\\n")
sys.addaudithook(hear)
"""
"""A module that Python loads before all else: from then on what it imports prints, through Python and past it."""

Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def start(environment: dict[str, str], tmp_path: Path) -> Iterator[Start]:
    """Starts the server beside libraries that print."""
    (tmp_path / "noisy").mkdir()
    (tmp_path / "noisy" / "sitecustomize.py").write_text(NOISY, encoding="utf-8")
    path = os.pathsep.join(filter(None, (str(tmp_path / "noisy"), environment.get("PYTHONPATH"))))
    started: list[subprocess.Popen[bytes]] = []

    def one(*arguments: str) -> subprocess.Popen[bytes]:
        command, pipe = [sys.executable, "-m", "yinji", *arguments, "mcp"], subprocess.PIPE
        process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, env={**environment, "PYTHONPATH": path}
        )
        started.append(process)
        return process

    yield one
    for process in started:
        process.kill()
        with contextlib.suppress(BrokenPipeError), process:
            pass


def sent(number: int | None, method: str, **params: object) -> bytes:
    named = {} if number is None else {"id": number}
    return json.dumps({"jsonrpc": "2.0", **named, "method": method, "params": params}).encode() + b"\n"


def read(output: bytes) -> list[dict[str, Any]]:
    """Every line of it, each of which must be JSON-RPC."""
    lines = [json.loads(line) for line in output.splitlines()]
    assert all(line["jsonrpc"] == "2.0" for line in lines)
    return lines


@pytest.mark.req("S3")
def test_libraries_that_print_and_input_that_is_none_leave_the_output_pure(start: Start) -> None:
    asked = [
        sent(1, "initialize", **HELLO),
        sent(None, "notifications/initialized"),
        b"this is no JSON\n",
        b'{"jsonrpc": "2.0", "id": 2, "method": \n',
        b"\xff\xfe\n",
        b"[]\n",
        b"\n",
        sent(3, "tools/call", name="remember", arguments={"user": "我对花生过敏", "wait": True}),
        sent(4, "tools/call", name="remember", arguments={"usr": "I'm allergic to peanuts"}),
        sent(5, "tools/call", name="no_such_tool", arguments={}),
        sent(6, "no/such_method"),
        sent(7, "tools/call", name="recall", arguments={"query": "我对什么过敏？"}),
    ]
    process = start()
    assert process.stdin is not None
    assert process.stdout is not None
    output = b""
    for line in asked:
        process.stdin.write(line)
        process.stdin.flush()
        while b'"id"' in line and b'"method": \n' not in line:
            output += (answer := process.stdout.readline())
            if json.loads(answer).get("id") == json.loads(line)["id"]:
                break
    rest, told = process.communicate()
    answers = {line["id"]: line for line in read(output + rest) if line.get("id") is not None}
    assert answers.keys() == {1, 3, 4, 5, 6, 7}
    assert "花生" in json.dumps(answers[7], ensure_ascii=False)
    assert process.returncode == 0
    assert b"noise of apsw" in told
    assert b"noise from C" in told


@pytest.mark.req("S3", "P3")
@pytest.mark.skipif(sys.platform == "win32", reason="Control-C is no signal that one process sends another there")
def test_control_c_ends_it_at_once_and_says_nothing_on_its_output(start: Start) -> None:
    process = start()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(sent(1, "initialize", **HELLO))
    process.stdin.flush()
    first = process.stdout.readline()
    process.send_signal(signal.SIGINT)  # Its input stays open: it must not wait for that.
    assert process.wait(60) == 130
    assert process.stderr is not None
    rest, told = process.stdout.read(), process.stderr.read()
    assert [line["id"] for line in read(first + rest)] == [1]
    assert b"Traceback" not in told


@pytest.mark.req("S3", "P3")
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_store_that_cannot_be_opened_is_told_beside_the_output(start: Start, tmp_path: Path, lang: str) -> None:
    (tmp_path / "letter.txt").write_text("dear diary " * 500, encoding="utf-8")
    output, told = start("--lang", lang, "--store", str(tmp_path / "letter.txt")).communicate(b"")
    assert output == b""
    assert b"letter.txt" in told
    assert b"Traceback" not in told


@pytest.mark.req("S3", "P3")
def test_a_client_that_is_gone_ends_it_without_a_traceback(start: Start) -> None:
    process = start()
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    process.stdin.write(sent(1, "initialize", **HELLO))
    process.stdin.close()
    told = process.stderr.read()
    process.wait(60)
    assert b"Traceback" not in told
