"""What reading takes of a recall, where tuned layers hold the best memories beside the question and each other."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from yinji.evals.around import Around
from yinji.ports import Embedder

if TYPE_CHECKING:
    from yinji.ports import Vectors


class Timed(Around):
    """Another embedder, and the milliseconds that its tuned layers took so far."""

    def __init__(self, inner: Embedder) -> None:
        super().__init__(inner)
        self.ms = 0.0

    def discern(self, texts: Sequence[Sequence[str]], heads: Sequence[str]) -> Mapping[str, Vectors] | None:
        before = time.perf_counter()
        try:
            return super().discern(texts, heads)
        finally:
            self.ms += (time.perf_counter() - before) * 1000
