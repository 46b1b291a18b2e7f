"""Which candidates come first: what the trained ranker makes of their features, and the memories' own strength
(SPEC R5, R6, R8).

Before that, the paths are fused: ``weight_vector · z(cosine) + weight_words · z(BM25)``, where z says how far a score
stands out among all of the owner's memories in scope, those that share no word counted as 0. That alone is the order
where the setting ``ranker`` is ``fixed``: the floor that the trained one is measured against (training/ranker.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from yinji.config import RecallSettings, Settings
from yinji.model import Candidate, MemoryEntry, PathRank, Query
from yinji.ports import ModelCard, Ranking, Scored, Spread
from yinji.recall.spread import pool
from yinji.strength import strength

FILLED, TIME, NAME = 2.0, 1.0, 0.5
"""What the path of the fields scores: what fills in the attribute asked for answers; the time asked about tells more
than a name, which is a word as well."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Measure:
    """A path's scores of one question, ready to be compared."""

    hits: Mapping[str, tuple[int, Scored]]
    spread: Spread
    absent: float | None
    """The score of a memory that is not among the hits; ``None``: unknown, taken as ordinary."""

    def of(self, path: str, id: str) -> PathRank:
        place, hit = self.hits.get(id, (0, None))
        ordinary = self.spread.mean if self.absent is None else self.absent
        score = hit.score if hit else ordinary
        z = (score - self.spread.mean) / self.spread.std if self.spread.std > 0 else 0.0
        return PathRank(path=path, rank=place, score=(hit.cosine or score) if hit else score, z=z)


@dataclass(frozen=True, kw_only=True, slots=True)
class Fused:
    """What the paths together say of a memory that has not been read yet."""

    id: str
    paths: tuple[PathRank, ...]
    factors: Mapping[str, float]

    @property
    def score(self) -> float:
        return sum(self.factors.values())


def fuse(
    query: Query, rankings: Mapping[str, Ranking], *, settings: RecallSettings, card: ModelCard | None
) -> list[Fused]:
    """The memories that answer by what the paths say, best first; the same whatever the order of the paths."""
    measures = {path: _measure(path, ranking) for path, ranking in rankings.items()}
    few = any(_few(ranking, settings) for ranking in rankings.values())
    languages = {hit.id: hit.language for ranking in rankings.values() for hit in ranking.hits}
    found = []
    for id, language in languages.items():
        paths = tuple(
            measure.of(path, id) for path, measure in measures.items() if measure.spread.count or id in measure.hits
        )
        same = language == query.language
        if _answers(paths, same=same, language=language, few=few, settings=settings, card=card):
            factors = _factors({one.path: one.z for one in paths}, same, settings)
            found.append(Fused(id=id, paths=paths, factors=factors))
    return sorted(found, key=lambda one: (-one.score, one.id))


def rank(fused: Sequence[Fused], features: Mapping[str, Sequence[float]], weights: Mapping[str, float]) -> list[Fused]:
    """The same, by the trained ranker: ``features`` has a value for each of them, in their order. Best first."""
    found = [
        replace(one, factors={name: w for name, values in features.items() if (w := weights[name] * values[at])})
        for at, one in enumerate(fused)
    ]
    return sorted(found, key=lambda one: (-one.score, one.id))


def weigh(query: Query, fused: Sequence[Fused], memories: Sequence[MemoryEntry], settings: Settings) -> list[Candidate]:
    """The candidates with what the memories themselves add, best first; ties go to the newer one."""
    by_id = {memory.id: memory for memory in memories}
    found = [_candidate(one, by_id[one.id], query, settings) for one in fused if one.id in by_id]
    return sorted(found, key=by_score)


def by_score(one: Candidate) -> tuple[float, float, str]:
    """The order of candidates: ties go to the newer one."""
    return (-one.score, -one.memory.recorded_at.timestamp(), one.memory.id)


def _measure(path: str, ranking: Ranking) -> Measure:
    return Measure(
        hits={hit.id: (place, hit) for place, hit in enumerate(ranking.hits, 1)},
        spread=pool(list(ranking.spread.values())),
        absent=0.0 if path == "words" else None,
    )


def _few(ranking: Ranking, settings: RecallSettings) -> bool:
    """Whether there are too few memories for a z-score to say that one stands out."""
    return bool(ranking.spread) and sum(spread.count for spread in ranking.spread.values()) < settings.few


def _answers(
    paths: Sequence[PathRank],
    *,
    same: bool,
    language: str,
    few: bool,
    settings: RecallSettings,
    card: ModelCard | None,
) -> bool:
    """Whether it may be shown at all: it shares a word, is of the time asked about, hangs together with a name in
    the question, or its meaning is near enough (SPEC R2, plain form).

    ``same``: it is in the question's language. ``few``: too few memories for z-scores to tell.
    """
    by = {one.path: one for one in paths if one.rank}
    if "words" in by and by["words"].score > settings.floor_words:
        return True
    if "graph" in by or ("fields" in by and by["fields"].score >= TIME):
        return True
    if "vector" not in by or card is None:
        return False
    near = by["vector"]
    floor = card.relevance_floor.get(language if same else "other", 0.0)
    return (few or near.z >= settings.floor_z) and near.score >= floor


def _factors(z: Mapping[str, float], same: bool, settings: RecallSettings) -> dict[str, float]:
    weights = {"vector": settings.weight_vector, "words": settings.weight_words}
    factors = {path: weight * z[path] for path, weight in weights.items() if path in z}
    if same or "vector" not in z:
        return factors
    alone = settings.other_language * z["vector"]
    return {"vector": alone, "words": 0.0} if alone > sum(factors.values()) else factors


def _candidate(fused: Fused, memory: MemoryEntry, query: Query, settings: Settings) -> Candidate:
    alive = settings.recall.weight_strength * strength(memory, query.now, settings.strength)
    given = {"fields": settings.recall.weight_fields, "graph": settings.recall.weight_graph}
    held = {one.path: given[one.path] * one.score for one in fused.paths if one.path in given and one.rank}
    factors = {**fused.factors, **held, "strength": alive}
    return Candidate(memory=memory, score=sum(factors.values()), paths=fused.paths, factors=factors)
