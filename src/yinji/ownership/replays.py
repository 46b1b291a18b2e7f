"""Answers that a server gives again to a request that comes again with the same key (F40, SPEC W13)."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from yinji.ports import Clock, Replay, Store


class Replays:
    """Those of one store: they outlast a restart, and go with whatever of their owner is hidden or erased."""

    def __init__(self, store: Store, *, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def begin(self, owner: str, caller: str, key: str, *, lasts: timedelta) -> tuple[Replay | None, int]:
        """What was answered to that key within this time, and a mark that ``keep`` wants back."""
        return self._store.begin_replay(owner, _digest(caller, key), since=self._clock() - lasts)

    def keep(
        self, owner: str, caller: str, key: str, replay: Replay, *, begun: int, lasts: timedelta, most: int
    ) -> None:
        """Keeps an answer, unless something of the owner was erased since it was begun. Of all, ``most`` stay."""
        now = self._clock()
        self._store.keep_replay(owner, _digest(caller, key), replay, begun=begun, at=now, since=now - lasts, most=most)


def _digest(caller: str, key: str) -> bytes:
    return hashlib.sha256(f"{caller}\0{key}".encode()).digest()
