"""Reads accepted turns in the background, in order, each exactly once (SPEC W1, W13).

A turn is durable before this sees it. Whoever holds the store's lease reads; if it dies, another takes over
and finds every turn either done or untouched, because an outcome is applied in one transaction.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from yinji.config import Settings
from yinji.embedding import Embedding, Stopped
from yinji.errors import ModelUnavailable, StoreError
from yinji.model import Turn
from yinji.ports import LLM, Clock, Outcome, Store
from yinji.remember.digest import digest
from yinji.remember.pipeline import read_turns

BATCH = 32
FILL = 256
OTHERS_POLL_S = 0.05
IDLE_POLL_S = 30.0
TEND_EVERY = timedelta(hours=1)

log = logging.getLogger("yinji")
log.addHandler(logging.NullHandler())  # A library says nothing on standard error unless its user asks to hear it.


class Reader:
    """One thread that takes turns off the queue; started by the first turn, stopped by :meth:`close`."""

    def __init__(
        self,
        store: Store,
        embedding: Embedding,
        *,
        settings: Settings,
        clock: Clock,
        new_id: Callable[[], str],
        holder: str,
        reads: bool = True,
        llm: LLM | None = None,
    ) -> None:
        self._store = store
        self._embedding = embedding
        self._settings = settings
        self._clock = clock
        self._new_id = new_id
        self._holder = holder
        self._reads = reads
        self._llm = llm
        self._changed = threading.Condition()
        self._work = False
        self._closing = False
        self._thread: threading.Thread | None = None
        self._broken: StoreError | None = None
        self._tended: datetime | None = None

    def wake(self) -> None:
        """There is something to read; without ``reads`` that is left to another process."""
        if not self._reads:
            return
        with self._changed:
            self._work = True
            if self._thread is None and not self._closing:
                self._thread = threading.Thread(target=self._run, name="yinji-reader", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def wait(self, done: Callable[[], bool], timeout: float | None) -> bool:
        """Waits until ``done()``; False when the time ran out. Raises the StoreError that stopped the reading."""
        remaining = timeout
        with self._changed:
            while not done():
                if self._broken is not None:
                    error, self._broken = self._broken, None
                    raise error
                if remaining is not None and remaining <= 0:
                    return False
                self._changed.wait(OTHERS_POLL_S)
                if remaining is not None:
                    remaining -= OTHERS_POLL_S
        return True

    def close(self) -> None:
        """Lets the batch at hand finish, then gives the lease back."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()
            self._store.release_lease(self._holder)

    def _run(self) -> None:
        while True:
            with self._changed:
                if not self._work and not self._closing:
                    self._changed.wait(IDLE_POLL_S)
                if self._closing:
                    return
                self._work = False
            self._drain()
            self.fill_vectors()
            self._tend()

    def _drain(self) -> None:
        """Reads until nothing waits; another process's reading is waited for, in case it dies."""
        while not self._closing:
            try:
                turns = self._store.claim(
                    holder=self._holder, now=self._clock(), limit=BATCH, lease_s=self._settings.remember.lease_s
                )
                if turns:
                    self._read(turns)
                elif not self._store.pending():
                    break
                else:
                    self._pause()
            except Stopped:
                break  # The turns are durable: whoever opens the store next reads them.
            except StoreError as error:
                log.warning("reading stopped: %s", error.code)
                with self._changed:
                    self._broken = error
                    self._changed.notify_all()
                break
        self._tell()

    def _pause(self) -> None:
        with self._changed:
            self._changed.wait(OTHERS_POLL_S)

    def _tell(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _read(self, turns: Sequence[Turn]) -> None:
        try:
            for outcome in self._outcomes(turns):
                self._store.commit(outcome)
                self._tell()
        except (StoreError, Stopped):
            raise
        except Exception as error:  # noqa: BLE001  The job runner: a turn that cannot be read must not stop the ones behind it.
            if len(turns) == 1:
                log.warning("turn %s could not be read: %s", turns[0].id, type(error).__name__)
                self._store.fail(turns[0], error=type(error).__name__, now=self._clock())
                return
            for turn in turns:
                self._read([turn])

    def _outcomes(self, turns: Sequence[Turn]) -> Sequence[Outcome]:
        return read_turns(
            turns,
            store=self._store,
            embedder=self._embedding if self._embedding.available else None,
            now=self._clock(),
            settings=self._settings,
            new_id=self._new_id,
            llm=self._llm,
        )

    def _tend(self) -> None:
        """Once an hour: lets the buffers go, and erases what was hidden longer than it can be brought back."""
        now = self._clock()
        if self._tended is not None and now - self._tended < TEND_EVERY:
            return
        self._tended = now
        kept = self._settings.store
        try:
            self._store.digest(now=now, summarise=digest, days=kept.buffer_days)
            self._store.sweep_buffers(now=now, days=kept.buffer_days, keep=kept.turns_kept)
            gone: dict[str, list[str]] = {}
            for owner, memory_id in self._store.hidden_before(now - timedelta(days=kept.undo_days)):
                gone.setdefault(owner, []).append(memory_id)
            for owner, ids in gone.items():
                self._store.erase(owner, ids, at=now, actor="upkeep")
        except StoreError as error:  # Upkeep can wait; the next hour tries again.
            log.warning("upkeep stopped: %s", error.code)

    def fill_vectors(self, limit: int = FILL) -> int:
        """Embeds memories that were kept while no model was there; how many got a vector."""
        card = self._embedding.card
        if card is None:
            return 0
        rows = self._store.without_vector(card.id, limit=limit)
        if not rows:
            return 0
        try:
            vectors = self._embedding.embed([content for _, _, content in rows])
        except ModelUnavailable:
            return 0
        self._store.put_vectors(
            [(owner, memory_id, vector) for (owner, memory_id, _), vector in zip(rows, vectors, strict=True)],
            model=card.id,
        )
        return len(rows)
