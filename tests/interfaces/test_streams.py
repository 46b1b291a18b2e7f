"""Pipes, terminals, code pages and Ctrl-C, in real processes."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.interfaces.conftest import LANGUAGES, Yinji
from yinji import Memory, YinjiError

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals and terminals of POSIX")
COMMAND = [sys.executable, "-m", "yinji"]


def run(*arguments: str, environment: dict[str, str], stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*COMMAND, *arguments], input=stdin, capture_output=True, env=environment, check=False)


@pytest.mark.req("F6", "P2")
@pytest.mark.parametrize(
    "console",
    [{}, {"PYTHONIOENCODING": "cp936"}, {"PYTHONIOENCODING": "ascii:strict"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}],
)
def test_chinese_goes_through_a_pipe_byte_for_byte(environment: dict[str, str], console: dict[str, str]) -> None:
    environment = environment | console
    taken = run("remember", "-", "--json", environment=environment, stdin="你好，我住在杭州".encode())
    assert taken.returncode == 0, taken.stderr
    assert "杭州".encode() in taken.stdout
    assert "杭州".encode() in run("recall", "-", environment=environment, stdin="我住在哪里".encode()).stdout
    assert "记忆库".encode() in run("init", "--lang", "zh", environment=environment).stdout


@pytest.mark.req("P2", "P3")
@POSIX
def test_a_reader_that_goes_away_is_no_error(yinji: Yinji, environment: dict[str, str]) -> None:
    lines = "".join(json.dumps({"content": f"The user has a stamp number {at}"}) + "\n" for at in range(400))
    assert yinji("import", "-", stdin=lines).code == 0
    done = subprocess.run(
        ["bash", "-c", '"$0" -m yinji export | head -n 1; echo "${PIPESTATUS[0]}"', sys.executable],
        capture_output=True,
        env=environment,
        check=True,
    )
    assert not done.stderr, done.stderr
    assert done.stdout.split()[-1] in (b"0", b"141")


def wait_until_some_are_read(process: subprocess.Popen[bytes], store: Path) -> None:
    while process.poll() is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=0.02)
        if half_read(store):
            return


def half_read(store: Path) -> bool:
    try:
        memory = Memory.open(store, readonly=True)
    except YinjiError:
        return False
    counted = memory.stats()
    memory.close(flush=False)
    return bool(counted.memories and counted.pending)


@pytest.mark.req("W13", "P2", "P3")
@POSIX
def test_control_c_in_a_batch_leaves_a_sound_store_and_the_same_command_goes_on(
    environment: dict[str, str], tmp_path: Path
) -> None:
    turns = 250
    file = tmp_path / "turns.jsonl"
    file.write_text(
        "".join(json.dumps({"user": f"I keep stamp number {at} in album {at % 7}"}) + "\n" for at in range(turns)),
        encoding="utf-8",
    )
    command = [*COMMAND, "remember", "--file", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        wait_until_some_are_read(process, tmp_path / "home" / "memory.yinji")
        process.send_signal(signal.SIGINT)
        _, rest = process.communicate()
    assert process.returncode == 130, rest
    assert b"Stopped." in rest
    assert b"Traceback" not in rest
    sound = run("doctor", "--json", environment=environment)
    assert json.loads(sound.stdout)["problems"] == []
    again = json.loads(run("remember", "--file", str(file), "--json", environment=environment).stdout)
    assert again["turns"] == turns
    assert again["repeated"] > 0
    stats = json.loads(run("stats", "--json", environment=environment).stdout)
    assert (stats["turns"], stats["pending"], stats["failed"]) == (turns, 0, 0)


def on_a_terminal(arguments: list[str], answer: str, environment: dict[str, str]) -> tuple[int, str]:
    """The exit code, and what a terminal of 80 columns shows when the answer is typed."""
    import pty

    process, terminal = pty.fork()
    if process == 0:
        os.execve(sys.executable, [*COMMAND, *arguments], environment)
    os.write(terminal, answer.encode())
    shown = b""
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    _, status = os.waitpid(process, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), shown.decode()


@pytest.mark.req("P2", "O7")
@POSIX
@LANGUAGES
def test_what_destroys_asks_on_a_terminal(yinji: Yinji, environment: dict[str, str], lang: str) -> None:
    yinji("remember", "I live in Lisbon")
    environment = environment | {"YINJI_LANG": lang, "TERM": "xterm"}
    code, shown = on_a_terminal(["erase"], "n\n", environment)
    assert code == 130
    assert "[y/N]" in shown
    assert yinji("stats", "--json").json["memories"] == 1
    code, shown = on_a_terminal(["erase"], "y\n", environment)
    assert code == 0
    assert {"en": "none found", "zh": "一个也没有"}[lang] in shown
    assert yinji("stats", "--json").json["memories"] == 0


@pytest.mark.req("P2")
@POSIX
def test_colours_are_for_terminals_and_can_be_refused(yinji: Yinji, environment: dict[str, str]) -> None:
    yinji("remember", "I live in Lisbon")
    environment = environment | {"TERM": "xterm"}
    _, coloured = on_a_terminal(["recall", "Lisbon"], "", environment)
    _, plain = on_a_terminal(["recall", "Lisbon"], "", environment | {"NO_COLOR": "1"})
    assert "\x1b[" in coloured
    assert "\x1b[" not in plain
    assert "\x1b[" not in yinji("recall", "Lisbon").out


@pytest.mark.req("P3")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(
    ("redirect", "lang", "told"), [(">/dev/full", "en", "space"), (">/dev/full", "zh", "空间"), (">&-", "en", "closed")]
)
def test_output_that_cannot_be_written_is_said(
    environment: dict[str, str], redirect: str, lang: str, told: str
) -> None:
    script = f'"$0" -m yinji config --lang {lang} {redirect}'
    done = subprocess.run(["bash", "-c", script, sys.executable], capture_output=True, env=environment, check=False)
    assert done.returncode == 1
    assert told in done.stderr.decode()
    assert len(done.stderr.splitlines()) == 1
