"""An export as an iterator, where the engine writes into a stream."""

from __future__ import annotations

import io
import queue
import threading
from collections.abc import Iterator

from yinji.engine import Memory

AHEAD = 64
"""Pieces that are written before somebody takes them."""
WAIT_S = 60.0
"""How long a reader may let the export wait before it is given up."""


def exported(memory: Memory, owner: str) -> Iterator[str]:
    """The lines of an export as they are written, by a thread of their own. Raises what the export raises."""
    pipe = _Pipe()
    writer = threading.Thread(target=_write, args=(memory, owner, pipe), name="yinji-export", daemon=True)
    writer.start()
    try:
        while (piece := pipe.pieces.get()) is not None:
            if isinstance(piece, BaseException):
                raise piece
            yield piece
    finally:
        pipe.given_up.set()


class _Pipe(io.StringIO):
    def __init__(self) -> None:
        super().__init__()
        self.pieces: queue.Queue[str | BaseException | None] = queue.Queue(AHEAD)
        self.given_up = threading.Event()

    def write(self, text: str) -> int:
        """Raises BrokenPipeError when nobody takes it."""
        if self.given_up.is_set():
            raise BrokenPipeError
        try:
            self.pieces.put(text, timeout=WAIT_S)
        except queue.Full as error:
            raise BrokenPipeError from error
        return len(text)

    def end(self, how: BaseException | None) -> None:
        while not self.given_up.is_set():
            try:
                self.pieces.put(how, timeout=1)
            except queue.Full:
                continue
            return


def _write(memory: Memory, owner: str, pipe: _Pipe) -> None:
    try:
        memory.export(pipe, owner=owner)
    except BrokenPipeError:
        return
    except Exception as error:  # noqa: BLE001 - the edge of a thread: whoever reads the lines gets it
        pipe.end(error)
    else:
        pipe.end(None)
