"""Embedders around another: one that does what the inner one does, of which what measures or keeps changes some, and
one that only embeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from yinji.ports import Discerning, Embedder, ModelCard, Pointed, Purpose, Span

if TYPE_CHECKING:
    from yinji.ports import Vectors


class Plain:
    """An embedder without its tuned layers: what is learned from must not hang on what was learned."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner

    @property
    def card(self) -> ModelCard:
        return self._inner.card

    @property
    def engine(self) -> str:
        return self._inner.engine

    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        return self._inner.embed(texts, purpose=purpose)

    def warm_up(self) -> None:
        self._inner.warm_up()

    def release(self) -> None:
        self._inner.release()


class Around(Plain):
    """Another embedder, with the tuned layers that it has."""

    def discern(self, texts: Sequence[Sequence[str]], heads: Sequence[str]) -> Mapping[str, Vectors] | None:
        return self._inner.discern(texts, heads) if isinstance(self._inner, Discerning) else None

    def refer(self, messages: Sequence[str], spoken: Sequence[bool], pronoun: Span) -> Pointed | None:
        return self._inner.refer(messages, spoken, pronoun) if isinstance(self._inner, Discerning) else None
