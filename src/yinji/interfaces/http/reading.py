"""A process of its own that reads accepted turns, so that reading never slows a request (SPEC S2).

The server starts ``python -m yinji.interfaces.http.reading`` and writes to its standard input: first a line of JSON
that says which store, and with which key and settings (a key must not be an argument, which anybody can see); then an
empty line whenever a turn was accepted. When the input ends, even because the server was killed, the process ends.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import IO, Any

from yinji.config import Settings, as_table
from yinji.errors import StoreError

log = logging.getLogger("yinji.reading")

LOOK_S = 5.0
"""How often it looks without being told: another program may have left turns, or a full disk may have room again."""
AT_ONCE_S = 1.0
"""How long it reads before it looks whether it should end: a queue that is never empty must not keep it."""
BEHIND = 3
"""How much reading steps back (``nice``) where the processor is short: a recall is waited for, reading is not."""
AGAIN_S = 1.0
"""How long a reader that died is left before another is started."""


class ReadingProcess:
    """The server's side: starts the process, wakes it, and starts another when it dies."""

    def __init__(self, path: str, *, key: str | None, settings: Settings) -> None:
        self._order = json.dumps({"path": path, "key": key, "settings": as_table(settings)})
        self._process: subprocess.Popen[bytes] | None = None
        self._died_at = 0.0

    def start(self) -> None:
        command = [sys.executable, "-m", "yinji.interfaces.http.reading"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE)
        self._pipe.write(self._order.encode() + b"\n")
        self._pipe.flush()
        if sys.platform != "win32":
            os.set_blocking(self._pipe.fileno(), False)

    def wake(self) -> None:
        """Never waits: a pipe that is full, or broken, is a reader that knows or one that is started anew."""
        try:
            os.write(self._pipe.fileno(), b"\n")
        except (BlockingIOError, BrokenPipeError):
            return

    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def keep_alive(self) -> None:
        """Starts another one when it has died; called now and then."""
        if self._process is None or self.alive():
            return
        if not self._died_at:
            self._died_at = time.monotonic()
            log.error("reader ended", extra={"told": {"code": self._process.returncode}})
        elif time.monotonic() - self._died_at > AGAIN_S:
            self._died_at = 0.0
            self.start()

    def stop(self) -> None:
        """Lets it finish the batch at hand."""
        if self._process is None:
            return
        self._pipe.close()
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    @property
    def _pipe(self) -> IO[bytes]:
        assert self._process is not None
        assert self._process.stdin is not None
        return self._process.stdin


def read_until_end(orders: Iterable[bytes], flush: Callable[[float], int]) -> None:
    """Flushes whenever a line comes, and every LOOK_S seconds, until there are no more lines.

    ``flush`` works for so many seconds at most, and gives how many turns still wait.
    """
    told, ended = threading.Event(), threading.Event()

    def listen() -> None:
        for _ in orders:
            told.set()
        ended.set()
        told.set()

    threading.Thread(target=listen, name="yinji-orders", daemon=True).start()
    while not ended.is_set():
        told.clear()
        try:
            busy = bool(flush(AT_ONCE_S))
        except StoreError as error:  # What is accepted stays; the next look tries again.
            log.error("reading stopped", extra={"told": {"error": error.code}})
            busy = False
        if not busy and not ended.is_set():
            told.wait(LOOK_S)


def _settings(table: Mapping[str, Mapping[str, Any]]) -> Settings:
    settings = Settings.load(environment={})
    for section, values in table.items():
        settings = settings.with_values(section, values)
    return settings


def main() -> None:
    import signal

    from yinji.build import Memory
    from yinji.interfaces.http.logs import log_to

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Control-C reaches the whole group; the server says when to end.
    log_to(requests=False)
    if hasattr(os, "nice"):
        os.nice(BEHIND)
    order = json.loads(sys.stdin.buffer.readline())
    memory = Memory.open(order["path"], key=order["key"], settings=_settings(order["settings"]))
    try:
        memory.warm_up(wait=False)
        read_until_end(sys.stdin.buffer, lambda seconds: memory.flush(timeout=seconds))
    finally:
        memory.close(flush=False)


if __name__ == "__main__":
    main()
