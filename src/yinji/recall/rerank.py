"""A slower judge of the best candidates, where one is configured: within its deadline or not at all (SPEC R6, R12)."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

from yinji.errors import ModelUnavailable
from yinji.model import Candidate
from yinji.ports import Reranker

FACTOR = "reranker"
LATE, FAILED = "reranker_late:", "reranker_failed:"


class Timed:
    """A reranker that is waited for no longer than ``seconds``. Thread-safe; while a call that came too late still
    runs, the next is not begun.
    """

    def __init__(self, reranker: Reranker, seconds: float) -> None:
        self._reranker = reranker
        self._seconds = seconds
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="yinji-rerank")
        self._lock = threading.Lock()
        self._running: Future[Sequence[float]] | None = None

    def scores(self, query: str, texts: Sequence[str]) -> tuple[Sequence[float] | None, str]:
        """(a score for each text, or None; why there is none)"""
        with self._lock:
            if self._running is not None and not self._running.done():
                return None, LATE
            running = self._running = self._worker.submit(self._reranker.score, query, texts)
        try:
            return running.result(timeout=self._seconds), ""
        except TimeoutError:
            return None, LATE
        except ModelUnavailable as error:
            return None, f"{FAILED}{error}"

    def close(self) -> None:
        self._worker.shutdown(wait=False, cancel_futures=True)


def reranked(candidates: Sequence[Candidate], scores: Sequence[float]) -> list[Candidate]:
    """All candidates, the first ``len(scores)`` of them in the order of their scores with the reranker's added."""
    lowest = min(scores, default=0.0)
    added = [score - lowest for score in scores]
    return lifted(candidates, added, FACTOR, added)


def lifted(
    candidates: Sequence[Candidate], added: Sequence[float], factor: str, shown: Sequence[float]
) -> list[Candidate]:
    """All candidates, the first ``len(added)`` of them ordered by their scores with this added, and ``shown`` under
    the factor's name."""
    best = [
        replace(one, score=one.score + more, factors={**one.factors, factor: told})
        for one, more, told in zip(candidates, added, shown, strict=False)
    ]
    return [*sorted(best, key=lambda one: (-one.score, one.memory.id)), *candidates[len(best) :]]
