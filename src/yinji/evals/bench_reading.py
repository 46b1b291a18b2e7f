"""What reading takes of a recall, where tuned layers hold the best memories beside the question and each other."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from yinji.ports import Discerning, Embedder, ModelCard, Pointed, Purpose, Span

if TYPE_CHECKING:
    from yinji.ports import Vectors


class Timed:
    """Another embedder, and the milliseconds that its tuned layers took so far."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.ms = 0.0

    @property
    def card(self) -> ModelCard:
        return self._inner.card

    @property
    def engine(self) -> str:
        return self._inner.engine

    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        return self._inner.embed(texts, purpose=purpose)

    def discern(self, texts: Sequence[Sequence[str]], heads: Sequence[str]) -> Mapping[str, Vectors] | None:
        before = time.perf_counter()
        try:
            return self._inner.discern(texts, heads) if isinstance(self._inner, Discerning) else None
        finally:
            self.ms += (time.perf_counter() - before) * 1000

    def refer(self, messages: Sequence[str], spoken: Sequence[bool], pronoun: Span) -> Pointed | None:
        return self._inner.refer(messages, spoken, pronoun) if isinstance(self._inner, Discerning) else None

    def warm_up(self) -> None:
        self._inner.warm_up()

    def release(self) -> None:
        self._inner.release()
