"""Vectors of evals are computed once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from yinji.adapters.catalogue import load_embedder
from yinji.evals.cache import CachedEmbedder
from yinji.ports import Embedder, ModelCard, Purpose

pytestmark = pytest.mark.req("E1")

TEXTS = ["我对芒果过敏", "I am allergic to mangoes", "我对芒果过敏", "a lone \ud800 surrogate", ""]


class Counting:
    """Counts what the embedder inside it is asked."""

    def __init__(self) -> None:
        self._inner = load_embedder("hashing")
        self.asked: list[str] = []

    @property
    def card(self) -> ModelCard:
        return self._inner.card

    @property
    def engine(self) -> str:
        return self._inner.engine

    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> NDArray[np.float32]:
        self.asked += texts
        return self._inner.embed(texts, purpose=purpose)

    def warm_up(self) -> None:
        self._inner.warm_up()

    def release(self) -> None:
        self._inner.release()


def test_a_text_is_embedded_once_per_purpose_even_by_the_next_process(tmp_path: Path) -> None:
    first, second = Counting(), Counting()
    before = CachedEmbedder(first, tmp_path).embed(TEXTS, purpose="passage")
    later = CachedEmbedder(second, tmp_path)
    assert np.array_equal(later.embed(TEXTS, purpose="passage"), before)
    assert len(first.asked) == 4
    assert second.asked == []
    later.embed(TEXTS[:1], purpose="query")
    assert second.asked == TEXTS[:1]


def test_the_vectors_are_those_of_the_embedder_within(tmp_path: Path) -> None:
    plain: Embedder = load_embedder("hashing")
    cached = CachedEmbedder(plain, tmp_path)
    assert np.allclose(cached.embed(TEXTS, purpose="passage"), plain.embed(TEXTS, purpose="passage"))
    assert cached.card == plain.card
