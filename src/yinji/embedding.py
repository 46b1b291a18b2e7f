"""One embedder in use: loaded when first needed, released when idle, given up on loudly.

The engine asks here and gets vectors or a reason; it never sees a half-loaded model.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from yinji.errors import ModelUnavailable
from yinji.ports import Clock, Discerning, Embedder, ModelCard, Pointed, Purpose, Span

if TYPE_CHECKING:
    from yinji.ports import Vector, Vectors

_Found = TypeVar("_Found")

QUERIES_CACHED = 256
TOLD_CACHED = 4096
"""Texts and pairs of texts of which it is kept what the tuned layers told: a vector's worth of time each, and the
same memories are held beside each other for many questions."""
RETRY_AFTER = timedelta(minutes=5)


@dataclass(frozen=True, kw_only=True, slots=True)
class EmbedderState:
    """What embeds here, for ``doctor``: ``model`` is None where words alone are used."""

    model: str | None
    engine: str | None
    ready: bool
    notes: tuple[str, ...] = ()


class Stopped(Exception):
    """Nothing more is embedded or read: whoever asked gives up what it was doing, and keeps none of it."""


class Embedding:
    """An embedder as the engine uses it: batches, a cache of queries, idle release, and a memory of failure.

    After a failure the next try is five minutes later; until then words alone answer.
    """

    def __init__(
        self, embedder: Embedder | None, *, batch: int, idle_minutes: float, clock: Clock, notes: Sequence[str] = ()
    ) -> None:
        self._embedder = embedder
        self._batch = batch
        self._idle = timedelta(minutes=idle_minutes)
        self._clock = clock
        self._notes = list(notes)
        self._lock = threading.Lock()
        self._queries: OrderedDict[str, Vector] = OrderedDict()
        self._told: OrderedDict[bytes, Vector] = OrderedDict()
        self._pointed: OrderedDict[bytes, Pointed] = OrderedDict()
        """By a digest of what was asked, as what was told."""
        self._failed_at: datetime | None = None
        self._besides_failed_at: datetime | None = None
        self._failure = ""
        self._used_at: datetime | None = None
        self._stopped = False
        self._timer: threading.Timer | None = None

    @property
    def card(self) -> ModelCard | None:
        return self._embedder.card if self._embedder else None

    @property
    def state(self) -> EmbedderState:
        if self._embedder is None:
            return EmbedderState(model=None, engine=None, ready=False, notes=tuple(self._notes))
        notes = (*self._notes, *getattr(self._embedder, "notes", ()), *([self._failure] if self._failure else []))
        return EmbedderState(
            model=self._embedder.card.id, engine=self._embedder.engine, ready=self._used_at is not None, notes=notes
        )

    def give_up(self, reason: str) -> None:
        """Words alone from now on: the store's vectors are of another model."""
        self._embedder = None
        self._notes.append(reason)

    def warm_up(self) -> None:
        """Loads the model now. Raises ModelUnavailable."""
        if self._embedder is None:
            return
        now = self._clock()
        try:
            self._embedder.warm_up()
        except ModelUnavailable as error:
            self._fail(error, now)
            raise
        self._mark_used(now)

    @property
    def available(self) -> bool:
        return self._embedder is not None

    def embed(self, texts: Sequence[str], *, purpose: Purpose = "passage") -> Vectors:
        """Shape (len(texts), dim), in batches. Raises ModelUnavailable."""
        import numpy as np

        parts = [self._run(texts[i : i + self._batch], purpose) for i in range(0, len(texts), self._batch)]
        return np.concatenate(parts)

    def discern(self, texts: Sequence[Sequence[str]], heads: Sequence[str]) -> Mapping[str, Vectors] | None:
        """What tuned layers tell of texts; None where there are none, or they cannot be had: that is noted."""
        embedder = self._embedder
        if not isinstance(embedder, Discerning):
            return None
        keys = {head: [_digest(head, parts) for parts in texts] for head in heads}
        with self._lock:
            told = {key: self._told[key] for of_head in keys.values() for key in of_head if key in self._told}
        unknown = [at for at in range(len(texts)) if any(of_head[at] not in told for of_head in keys.values())]
        if unknown:
            fresh = self._besides(lambda: embedder.discern([texts[at] for at in unknown], heads))
            if fresh is None:
                return None
            told |= {keys[head][at]: row for head in heads for at, row in zip(unknown, fresh[head], strict=True)}
        self._keep(self._told, told)
        return _rows(told, keys)

    def _keep(self, kept: OrderedDict[bytes, _Found], told: Mapping[bytes, _Found]) -> None:
        with self._lock:
            for key, one in told.items():
                kept[key] = one
                kept.move_to_end(key)
            while len(kept) > TOLD_CACHED:
                kept.popitem(last=False)

    def refer(self, messages: Sequence[str], spoken: Sequence[bool], pronoun: Span) -> Pointed | None:
        """What a pronoun stands for, by the same layers; for one that was asked about lately, what they told then."""
        embedder = self._embedder
        if not isinstance(embedder, Discerning):
            return None
        key = _digest(f"{[*pronoun, *spoken]}", messages)
        with self._lock:
            known = self._pointed.get(key)
        found = known or self._besides(lambda: embedder.refer(messages, spoken, pronoun))
        if found is not None:
            self._keep(self._pointed, {key: found})
        return found

    def _besides(self, call: Callable[[], _Found | None]) -> _Found | None:
        """What can be done without: where it fails, vectors still serve, and the older models decide alone."""
        self._refuse_when_stopped()
        now = self._clock()
        if self._besides_failed_at is not None and now - self._besides_failed_at < RETRY_AFTER:
            return None
        try:
            found = call()
        except ModelUnavailable as error:
            self._besides_failed_at = now
            if (note := f"tuned layers: {error.params.get('problem', error)}") not in self._notes:
                self._notes.append(note)
            return None
        self._mark_used(now)
        return found

    def query(self, text: str) -> Vector | None:
        """The vector of a question, or None where there is no embedder. Raises ModelUnavailable."""
        if self._embedder is None:
            return None
        with self._lock:
            if (known := self._queries.get(text)) is not None:
                self._queries.move_to_end(text)
                return known
        vector: Vector = self._run([text], "query")[0]
        with self._lock:
            self._queries[text] = vector
            while len(self._queries) > QUERIES_CACHED:
                self._queries.popitem(last=False)
        return vector

    def forget_queries(self) -> None:
        """Drops cached questions, and what was told of texts: nothing of what was erased may live on in memory."""
        with self._lock:
            self._queries.clear()
            self._told.clear()
            self._pointed.clear()

    def release_when_idle(self) -> bool:
        """Gives the model's memory back when nobody used it for the idle time; True when it did."""
        if self._embedder is None or self._used_at is None or not self._idle:
            return False
        if self._clock() - self._used_at < self._idle:
            return False
        self._embedder.release()
        self._used_at = None
        self.forget_queries()
        return True

    def _fail(self, error: ModelUnavailable, now: datetime) -> None:
        self._failed_at, self._failure = now, str(error.params.get("problem", error))

    def _mark_used(self, now: datetime) -> None:
        with self._lock:
            self._used_at = now
            if self._timer is None and self._idle:
                self._timer = threading.Timer(self._idle.total_seconds(), self._look)
                self._timer.daemon = True
                self._timer.start()

    def _look(self) -> None:
        """Releases, or looks again after as long: used since then."""
        with self._lock:
            self._timer = None
            used = self._used_at
        if not self.release_when_idle() and used is not None:
            self._mark_used(used)

    def stop(self) -> None:
        """From now on whoever asks is told to give up: a long message is read in many steps, and each asks here."""
        self._stopped = True

    def _refuse_when_stopped(self) -> None:
        if self._stopped:
            raise Stopped

    def close(self) -> None:
        with self._lock:
            timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()
        if self._embedder is not None:
            self._embedder.release()
        self.forget_queries()

    def _run(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        if self._embedder is None:
            raise ModelUnavailable(model="none", problem="; ".join(self._notes) or "words alone were asked for")
        self._refuse_when_stopped()
        now = self._clock()
        if self._failed_at is not None and now - self._failed_at < RETRY_AFTER:
            raise ModelUnavailable(model=self._embedder.card.id, problem=self._failure)
        try:
            vectors = self._embedder.embed(texts, purpose=purpose)
        except ModelUnavailable as error:
            self._fail(error, now)
            raise
        self._failed_at, self._failure = None, ""
        self._mark_used(now)
        return vectors


def _digest(head: str, parts: Sequence[str]) -> bytes:
    return hashlib.sha256("\0".join((head, *parts)).encode("utf-8", "surrogatepass")).digest()


def _rows(told: Mapping[bytes, Vector], keys: Mapping[str, Sequence[bytes]]) -> dict[str, Vectors]:
    import numpy as np

    return {head: np.array([told[key] for key in of_head]) for head, of_head in keys.items()}
