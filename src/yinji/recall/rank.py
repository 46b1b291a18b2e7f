"""Which candidates come first: each path's scores made comparable, weighted and added (SPEC R5, R6, R8).

In a store of one language: ``weight_vector · z(cosine) + weight_words · z(BM25) + weight_strength · strength``,
where z says how far a score stands out among all of the owner's memories in scope, those that share no word
counted as 0. In a mixed store both paths favour the question's language, whatever the right answer's is: cosines
of e5 are higher within a language, and there are no shared words across. So a memory in the other language is
measured against its own language's mean (by the geometric mean of both spreads, since Chinese cosines lie much
closer together), and may stand on its meaning alone. The rules that were tried are in docs/results.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from yinji.config import RecallSettings, Settings
from yinji.model import Candidate, MemoryEntry, PathRank, Query
from yinji.ports import ModelCard, Ranking, Scored, Spread
from yinji.strength import strength

NOTHING = Spread(count=0, mean=0.0, std=0.0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Measure:
    """A path's scores of one question, ready to be compared."""

    places: Mapping[str, tuple[int, float]]
    spreads: Mapping[str, Spread]
    """By the memory's language."""
    absent: float | None
    """The score of a memory that is not among the hits; ``None``: unknown, taken as ordinary."""

    def of(self, path: str, id: str, language: str) -> PathRank:
        spread = self.spreads.get(language, NOTHING)
        place, score = self.places.get(id, (0, spread.mean if self.absent is None else self.absent))
        z = (score - spread.mean) / spread.std if spread.std > 0 else 0.0
        return PathRank(path=path, rank=place, score=score, z=z)


@dataclass(frozen=True, kw_only=True, slots=True)
class Fused:
    """What the paths together say of a memory that has not been read yet."""

    id: str
    paths: tuple[PathRank, ...]
    factors: Mapping[str, float]
    length: int = 0
    """Index terms in its content."""

    @property
    def score(self) -> float:
        return sum(self.factors.values())


def fuse(
    query: Query,
    rankings: Mapping[str, Ranking],
    *,
    settings: RecallSettings,
    card: ModelCard | None,
    only: Sequence[Scored] | None = None,
) -> list[Fused]:
    """The memories that answer by what the paths say, best first; or ``only`` these, whether they do or not."""
    measures = {path: _measure(path, ranking, query, settings) for path, ranking in rankings.items()}
    few = any(_few(ranking, settings) for ranking in rankings.values())
    hits = only if only is not None else [hit for ranking in rankings.values() for hit in ranking.hits]
    answering = {hit.id: hit for hit in hits}
    found = []
    for id, hit in answering.items():
        language = hit.language
        paths = tuple(measure.of(path, id, language) for path, measure in measures.items() if measure.spreads)
        if only is not None or _answers(
            paths, same=language == query.language, language=language, few=few, settings=settings, card=card
        ):
            factors = _factors({one.path: one.z for one in paths}, language == query.language, settings)
            found.append(Fused(id=id, paths=paths, factors=factors, length=hit.length))
    return sorted(found, key=lambda one: (-one.score, one.id))


def weigh(query: Query, fused: Sequence[Fused], memories: Sequence[MemoryEntry], settings: Settings) -> list[Candidate]:
    """The candidates with what the memories themselves add, best first; ties go to the newer one."""
    by_id = {memory.id: memory for memory in memories}
    found = [_candidate(one, by_id[one.id], query, settings) for one in fused if one.id in by_id]
    return sorted(found, key=lambda one: (-one.score, -one.memory.recorded_at.timestamp(), one.memory.id))


def _measure(path: str, ranking: Ranking, query: Query, settings: RecallSettings) -> Measure:
    spreads = dict(ranking.spread)
    if path == "vector" and is_mixed(spreads, settings.mixed_share):
        own = spreads.get(query.language, pool(list(spreads.values())))
        spreads = {
            language: spread if language == query.language else _across(spread, own)
            for language, spread in spreads.items()
        }
    else:
        spreads = dict.fromkeys(spreads, pool(list(spreads.values())))
    places = {hit.id: (place, hit.score) for place, hit in enumerate(ranking.hits, 1)}
    return Measure(places=places, spreads=spreads, absent=0.0 if path == "words" else None)


def is_mixed(spreads: Mapping[str, Spread], share: float) -> bool:
    """Whether a second language has at least ``share`` of the memories, and more than one."""
    counts = sorted((spread.count for spread in spreads.values()), reverse=True)
    return len(counts) > 1 and counts[1] >= max(2.0, share * sum(counts))


def _across(other: Spread, own: Spread) -> Spread:
    return Spread(count=other.count, mean=other.mean, std=math.sqrt(other.std * own.std))


def pool(spreads: Sequence[Spread]) -> Spread:
    """The spread of all scores together (parallel variance, Chan et al. 1979)."""
    count = sum(one.count for one in spreads)
    if not count:
        return NOTHING
    mean = sum(one.mean * one.count for one in spreads) / count
    variance = sum((one.std**2 + (one.mean - mean) ** 2) * one.count for one in spreads) / count
    return Spread(count=count, mean=mean, std=math.sqrt(variance))


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
    """Whether it may be shown at all: it shares a word, or its meaning is near enough (SPEC R2, plain form).

    ``same``: it is in the question's language. ``few``: too few memories for z-scores to tell.
    """
    by = {one.path: one for one in paths if one.rank}
    if "words" in by and by["words"].score > settings.floor_words:
        return True
    if "vector" not in by or card is None:
        return False
    near = by["vector"]
    floor = card.relevance_floor.get(language if same else "other", 0.0)
    return (few or near.z >= settings.floor_z) and near.score >= floor


def _factors(z: Mapping[str, float], same: bool, settings: RecallSettings) -> dict[str, float]:
    weights = {"vector": settings.weight_vector, "words": settings.weight_words}
    factors = {path: weights[path] * value for path, value in z.items()}
    if same or "vector" not in z:
        return factors
    alone = settings.other_language * z["vector"]
    return {"vector": alone, "words": 0.0} if alone > sum(factors.values()) else factors


def _candidate(fused: Fused, memory: MemoryEntry, query: Query, settings: Settings) -> Candidate:
    alive = settings.recall.weight_strength * strength(memory, query.now, settings.strength)
    factors = {**fused.factors, "strength": alive}
    return Candidate(memory=memory, score=sum(factors.values()), paths=fused.paths, factors=factors)
