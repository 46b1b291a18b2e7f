"""What the embedder's tuned layers tell of statements, where it has them (``training/tuned.md``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from yinji.model import Verdict
from yinji.ports import Discerning

if TYPE_CHECKING:
    from yinji.ports import Vector, Vectors
    from yinji.remember.resolve_rank import Refer

VERDICTS = tuple(Verdict)
"""In the order of the scores."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """What a new statement is to an old one: scores before the softmax, and before the logistic function."""

    verdicts: Vector
    ends: float


def tell(embedder: object, pairs: Sequence[tuple[str, str]]) -> list[Told | None]:
    """``pairs``: an old statement and a new one, as they were said."""
    scores = discerned(embedder, pairs, ("relation", "ends"))
    if scores is None:
        return [None] * len(pairs)
    return [
        Told(verdicts=verdicts, ends=float(ends[0]))
        for verdicts, ends in zip(scores["relation"], scores["ends"], strict=True)
    ]


def discerned(embedder: object, texts: Sequence[Sequence[str]], heads: Sequence[str]) -> Mapping[str, Vectors] | None:
    """Scores by head; None where the embedder has no such layers."""
    return embedder.discern(texts, heads) if texts and isinstance(embedder, Discerning) else None


def referring(embedder: object) -> Refer | None:
    """The embedder's tuned layers as what is asked for pronouns; None where it has none.

    They are loaded when the first pronoun is met.
    """
    if not isinstance(embedder, Discerning):
        return None

    return embedder.refer
