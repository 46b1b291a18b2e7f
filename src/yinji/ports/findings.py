"""What a search of a store is given and gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from yinji.ports.models import Vector, Vectors


NO_WEIGHTS: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True, slots=True)
class Scored:
    id: str
    score: float
    language: str
    length: int = 0
    """Index terms in its content."""
    cosine: float = 0.0
    """On the vector path: that of the vectors as they are, whatever lens ``score`` was seen through."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Spread:
    """Of the scores of all memories in scope in one language, non-matching ones counted as they score."""

    count: int
    mean: float
    std: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Ranking:
    """One path's answer: the best first, and how all scores in scope spread, per language."""

    hits: tuple[Scored, ...]
    spread: Mapping[str, Spread] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Lens:
    """How a model's vectors are compared when a question is asked: each less the mean of its language, in which all
    texts are alike, and the question's turned towards where answers lie."""

    centres: Mapping[str, Vector]
    """By language, the mean of many texts of others."""
    weight: float
    """How many of the owner's memories a centre counts for: the mean is the owner's own where there are many."""
    turn: Vectors | None = None
    """(dim, dim): what is added to a question ``q`` of unit length is ``q @ turn``."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Probe:
    """A question as a store compares memories with it."""

    terms: tuple[str, ...]
    """The telling ones, in order, each once."""
    weights: Mapping[str, float]
    """Of every index term that is looked for, these and others."""
    language: str
    vector: Vector | None = None
    model: str | None = None
    lens: Lens | None = None


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Examined:
    """What can be seen of some memories beside a question, a row for each."""

    ids: tuple[str, ...]
    languages: tuple[str, ...]
    lengths: NDArray[np.float32]
    """Index terms in its content."""
    meaning: NDArray[np.float32]
    """Cosines through the lens; 0 without a vector."""
    words: NDArray[np.float32]
    """BM25."""
    vectors: Vectors
    """Through the lens, of unit length; zeros where there is none."""
    holds: NDArray[np.bool_]
    """(row, term) whether it has that term."""
    rarity: NDArray[np.float32]
    """By term: BM25's inverse document frequency, that of a term nobody has for terms that are nowhere."""
    asks: NDArray[np.bool_]
    """Whether it ends in a question mark."""
    speakers: tuple[str, ...]
    """Who said it, where a name stands before it or the assistant is its source; else empty."""
    before: tuple[NDArray[np.bool_], NDArray[np.float32], NDArray[np.float32]]
    """Of what was said right before it in its session: whether that asks, its meaning and its words; zeros where
    nothing was, or nothing in scope."""

    def of(self, ids: Sequence[str]) -> Examined:
        """The rows of these memories alone, all of which are among them."""
        at = [self.ids.index(id) for id in ids]
        return Examined(
            ids=tuple(ids),
            languages=tuple(self.languages[one] for one in at),
            lengths=self.lengths[at],
            meaning=self.meaning[at],
            words=self.words[at],
            vectors=self.vectors[at],
            holds=self.holds[at],
            rarity=self.rarity,
            asks=self.asks[at],
            speakers=tuple(self.speakers[one] for one in at),
            before=(self.before[0][at], self.before[1][at], self.before[2][at]),
        )
