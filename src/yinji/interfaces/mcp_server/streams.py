"""Standard input and output kept for the protocol alone (SPEC S3)."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO


@contextmanager
def protocol_streams() -> Iterator[tuple[TextIO, TextIO]]:
    """Standard input and output under names that nobody else has.

    Whatever prints meanwhile, even in C, reaches standard error; whatever reads finds nothing.
    """
    sys.stdout.flush()
    shared_in, shared_out = sys.stdin.fileno(), sys.stdout.fileno()
    own_in, own_out = os.dup(shared_in), os.dup(shared_out)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, shared_in)
    os.close(nothing)
    os.dup2(sys.stderr.fileno(), shared_out)
    source = open(own_in, encoding="utf-8", errors="replace", newline="\n", closefd=False)  # noqa: SIM115 - see lines
    try:
        with open(own_out, "w", encoding="utf-8", newline="\n", closefd=False) as stream:
            yield source, stream
    finally:
        sys.stdout.flush()
        os.dup2(own_out, shared_out)
        os.close(own_out)


async def lines(source: TextIO) -> AsyncIterator[str]:
    """The lines as they come but for empty ones, read in a thread that is left behind when nobody waits for more.

    Such a thread hangs in its read until the program ends: what it reads from must not be closed before.
    """
    loop, coming = asyncio.get_running_loop(), asyncio.Queue[str | None](1)

    def read() -> None:
        with suppress(RuntimeError):  # The loop has ended.
            for line in source:
                asyncio.run_coroutine_threadsafe(coming.put(line), loop).result()
            asyncio.run_coroutine_threadsafe(coming.put(None), loop).result()

    threading.Thread(target=read, name="yinji-input", daemon=True).start()
    while (line := await coming.get()) is not None:
        if line.strip():
            yield line
