"""Turns that arrive at the same time are taken in one transaction: one wait for the disk instead of one each."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from yinji.adapters.sqlite import turns as taken
from yinji.adapters.sqlite.connection import File
from yinji.errors import YinjiError
from yinji.model import Turn
from yinji.ports import Accepted


@dataclass(kw_only=True, slots=True)
class _Call:
    turns: Sequence[Turn]
    done: bool = False
    accepted: list[Accepted] | None = None
    error: BaseException | None = None


class Intake:
    """Each call is taken as a whole or not at all, whatever becomes of those beside it. Thread-safe."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._waiting: list[_Call] = []

    def accept(self, turns: Sequence[Turn]) -> list[Accepted]:
        """Durable on return. While one thread writes, others gather; the next takes the turns of all of them."""
        call = _Call(turns=turns)
        with self._lock:
            self._waiting.append(call)
        try:
            with self._file.pen():
                if not call.done:
                    self._take_all()
        finally:
            with self._lock:
                if call in self._waiting:
                    self._waiting.remove(call)
        if call.error is not None:
            raise call.error
        assert call.accepted is not None
        return call.accepted

    def _take_all(self) -> None:
        with self._lock:
            calls, self._waiting = self._waiting, []
        try:
            with self._file.write() as db:
                for call in calls:
                    _take(db, call)
        except BaseException as error:
            for call in calls:
                call.error = error
            raise
        finally:
            for call in calls:
                call.done = True


def _take(db: apsw.Connection, call: _Call) -> None:
    db.execute("SAVEPOINT one")
    try:
        call.accepted = taken.accept(db, call.turns)
    except YinjiError as error:
        call.error = error
        db.execute("ROLLBACK TO one")
    # An error of SQLite's own may have ended the whole transaction: then it fails for everybody.
    db.execute("RELEASE one")
