"""The learned weights for finding phrases and choosing among them (``data/models/coref.json``; training/coref.py)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from yinji import shipped


@dataclass(frozen=True, kw_only=True, slots=True)
class Points:
    """Probabilities from which a pronoun is replaced."""

    any: float
    only: float
    """For the only one whom "he" or "she" can mean."""
    here: float
    """For somebody whom the same message has named before "he" or "she"."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Learned:
    """One language's weights by sign, and when they are sure enough."""

    language: str
    spans: Mapping[str, float]
    ranks: Mapping[str, float]
    points: Points
    least_told: float
    """The probability where the embedder's tuned layers were asked too."""
    mix: tuple[float, float, float]
    """What the signs and those layers are worth together, and what is added to nothing."""


@cache
def learned(language: str) -> Learned:
    """The weights of ``zh`` or ``en``."""
    read = shipped.json("models/coref.json")[language]
    told = shipped.json("models/tuned.json")["refer"][language]
    return Learned(
        language=language,
        spans=read["spans"],
        ranks=read["ranks"],
        points=Points(any=read["least"], only=read["least_only"], here=read["least_here"]),
        least_told=told["least"],
        mix=tuple(told["mix"]),
    )
