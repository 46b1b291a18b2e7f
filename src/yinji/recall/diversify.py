"""Answers that do not say the same thing: what repeats a better one comes later, and nothing is left out (SPEC R7).

Maximal marginal relevance (Carbonell and Goldstein 1998), with likeness counted only where two memories nearly
coincide: several memories on one subject are often the answer together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from yinji.model import Candidate

if TYPE_CHECKING:
    from yinji.ports import Vectors

REPEATS = "repeats"
CHAINED = "graph"
"""The path whose memories are links of a chain: each is needed, however like another."""


def diversify(
    candidates: Sequence[Candidate], vectors: Vectors, *, top: int, weight: float, since: float
) -> list[Candidate]:
    """All candidates, the first ``top`` in the order of what each adds; ``vectors`` are theirs, of unit length.

    A cosine of ``since`` to a better one costs nothing, one of 1 costs ``weight``.
    """
    import numpy as np

    count = min(top, len(candidates), len(vectors))
    likeness = np.maximum(0.0, vectors[:count] @ vectors[:count].T - since) / max(1e-9, 1 - since)
    if not np.triu(likeness, 1).any():
        return sorted(candidates, key=lambda one: -one.score)
    cost = np.zeros(count)
    weights = np.array([0.0 if _chained(one) else weight for one in candidates[:count]])
    left = np.array([one.score for one in candidates[:count]])
    chosen: list[Candidate] = []
    while len(chosen) < count:
        best = int(np.argmax(left - weights * cost))  # of equal ones the first
        chosen.append(_demoted(candidates[best], float(weights[best] * cost[best])))
        left[best] = -np.inf
        cost = np.maximum(cost, likeness[best])
    return sorted([*chosen, *candidates[len(chosen) :]], key=lambda one: -one.score)


def _chained(candidate: Candidate) -> bool:
    return any(one.path == CHAINED and one.rank for one in candidate.paths)


def _demoted(candidate: Candidate, paid: float) -> Candidate:
    if not paid:
        return candidate
    return replace(candidate, score=candidate.score - paid, factors={**candidate.factors, REPEATS: -paid})
