"""Which candidates come first: each path's scores made comparable, weighted and added (SPEC R5, R6, R8)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from yinji.config import Settings
from yinji.model import Candidate, MemoryEntry, PathRank, Query
from yinji.ports import ModelCard, Ranking, Spread
from yinji.strength import strength


def rank(
    query: Query,
    rankings: Mapping[str, Ranking],
    memories: Sequence[MemoryEntry],
    *,
    settings: Settings,
    card: ModelCard | None,
) -> list[Candidate]:
    """Best first: ``Σ weight(path) · z(path) + weight · strength``; ties go to the newer memory.

    A z-score says how far a score stands out among all of the owner's memories in scope. Where a store holds
    both languages it is taken within the memory's own language, because cosines and shared words both favour
    the question's language over the right answer in the other one.
    """
    spreads = {path: _spreads(ranking, settings.recall.mixed_share) for path, ranking in rankings.items()}
    placed = {path: {hit.id: (place, hit.score) for place, hit in enumerate(r.hits, 1)} for path, r in rankings.items()}
    weights = _weights(rankings, settings)
    found = []
    for memory in memories:
        paths = tuple(
            _path_rank(path, placed[path].get(memory.id), spreads[path][memory.language])
            for path in rankings
            if memory.language in spreads[path]
        )
        if _answers(memory, paths, settings, card):
            found.append(_candidate(memory, paths, weights, query, settings))
    return sorted(found, key=lambda one: (-one.score, -one.memory.recorded_at.timestamp(), one.memory.id))


def _weights(rankings: Mapping[str, Ranking], settings: Settings) -> dict[str, float]:
    weights = {"vector": settings.recall.weight_vector, "words": settings.recall.weight_words}
    return {path: weights[path] for path, ranking in rankings.items() if ranking.spread}


def _spreads(ranking: Ranking, mixed_share: float) -> dict[str, Spread]:
    """Per language, or the same pooled one for all where one language is all but alone."""
    total = sum(spread.count for spread in ranking.spread.values())
    counts = sorted((spread.count for spread in ranking.spread.values()), reverse=True)
    if len(counts) > 1 and counts[1] >= max(2.0, mixed_share * total):
        return dict(ranking.spread)
    pooled = _pool(list(ranking.spread.values()))
    return dict.fromkeys(ranking.spread, pooled)


def _pool(spreads: Sequence[Spread]) -> Spread:
    count = sum(one.count for one in spreads)
    if not count:
        return Spread(count=0, mean=0.0, std=0.0)
    mean = sum(one.mean * one.count for one in spreads) / count
    variance = sum((one.std**2 + (one.mean - mean) ** 2) * one.count for one in spreads) / count
    return Spread(count=count, mean=mean, std=math.sqrt(variance))


def _path_rank(path: str, hit: tuple[int, float] | None, spread: Spread) -> PathRank:
    place, score = hit or (0, 0.0 if path == "words" else spread.mean)
    return PathRank(path=path, rank=place, score=score, z=(score - spread.mean) / spread.std if spread.std > 0 else 0.0)


def _answers(memory: MemoryEntry, paths: Sequence[PathRank], settings: Settings, card: ModelCard | None) -> bool:
    """Whether it may be shown at all: it shares a word, or its meaning is near enough (SPEC R2)."""
    for one in paths:
        if one.path == "words" and one.rank:
            return True
        if one.path == "vector" and card is not None and one.rank:
            near = one.score >= card.relevance_floor.get(memory.language, 0.0)
            if near and (one.z >= settings.recall.floor_z or one.z == 0.0):
                return True
    return False


def _candidate(
    memory: MemoryEntry, paths: tuple[PathRank, ...], weights: Mapping[str, float], query: Query, settings: Settings
) -> Candidate:
    factors = {one.path: weights.get(one.path, 0.0) * one.z for one in paths}
    factors["strength"] = settings.recall.weight_strength * strength(memory, query.now, settings.strength)
    return Candidate(memory=memory, score=sum(factors.values()), paths=paths, factors=factors)
