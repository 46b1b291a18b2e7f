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


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """What the signs, the embedder's tuned layers and places in a list are worth beside each other."""

    own: float
    told: float
    listed: Mapping[str, float]
    """For what an ordinal picks out of a list, by how sure that is: ``sharp``, ``plain`` or ``loose``."""
    nothing: Mapping[str, float]
    """Added to nothing, by kind of pronoun, and where something is picked out of a list."""
    least: float
    """The probability from which a pronoun is replaced."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Learned:
    """One language's weights by sign, and when they are sure enough."""

    language: str
    spans: Mapping[str, float]
    ranks: Mapping[str, float]
    points: Points
    told: Told
    """Where the tuned layers are asked too."""


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
        told=Told(**told),
    )
