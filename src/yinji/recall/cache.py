"""Answers that were given lately, for questions that are asked again (SPEC R11).

An answer is given again only while nothing of its owner changed, in whichever process: it remembers the owner's
revision. It holds memories, so whatever forgets empties it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta

from yinji.language.text import fold
from yinji.model import Query, Recall

MOST = 256
"""Answers kept, over all owners: the least recently asked goes first."""
LASTS = timedelta(minutes=5)
"""How long an answer stands: the strength of memories fades meanwhile."""

Revision = tuple[int, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    recall: Recall
    revision: Revision
    at: datetime


class Answers:
    """Thread-safe. ``revision`` is what the store says of the question's owner."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[object, ...], Kept] = OrderedDict()

    def get(self, asked: Query, top_k: int, revision: Revision) -> Recall | None:
        """The answer given to the same question of the same owner, if it still stands."""
        key = _key(asked, top_k)
        with self._lock:
            kept = self._kept.get(key)
            if kept is None:
                return None
            if kept.revision != revision or not kept.at <= asked.now < kept.at + LASTS:
                del self._kept[key]
                return None
            self._kept.move_to_end(key)
            return kept.recall

    def put(self, asked: Query, top_k: int, revision: Revision, recall: Recall) -> None:
        with self._lock:
            self._kept[_key(asked, top_k)] = Kept(recall=recall, revision=revision, at=asked.now)
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)

    def forget(self, owner: str | None = None) -> None:
        """Drops the answers of an owner, or all."""
        with self._lock:
            for key in [key for key in self._kept if owner in (None, key[0])]:
                del self._kept[key]


def _key(asked: Query, top_k: int) -> tuple[object, ...]:
    """Two spellings of a question that differ in case, width, script or spaces alone are one."""
    scope = asked.scope
    return (scope.owner, " ".join(fold(asked.text).split()), scope, asked.reply, asked.past, top_k)
