"""The learned weights for finding phrases and choosing among them (``data/models/coref.json``; training/coref.py)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from yinji import shipped


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Learned:
    """One language's weights by sign, and the probability from which a pronoun is replaced."""

    language: str
    spans: Mapping[str, float]
    ranks: Mapping[str, float]
    least: float
    least_only: float
    """The same for the only one whom "he" or "she" can mean."""
    least_here: float
    """The same for somebody whom the same message has named before "he" or "she"."""


@cache
def learned(language: str) -> Learned:
    """The weights of ``zh`` or ``en``."""
    read = shipped.json("models/coref.json")[language]
    return Learned(
        language=language,
        spans=read["spans"],
        ranks=read["ranks"],
        least=read["least"],
        least_only=read["least_only"],
        least_here=read["least_here"],
    )
