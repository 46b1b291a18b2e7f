"""Which candidates come first: what the trained ranker makes of their features, and the memories' own strength
(SPEC R5, R6, R8).

Before that, the paths are fused: ``weight_vector · z(cosine) + weight_words · z(BM25)``, where z says how far a score
stands out among all of the owner's memories in scope, those that share no word counted as 0. That alone is the order
where the setting ``ranker`` is ``fixed``: the floor that the trained one is measured against (training/ranker.md).
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING

from yinji.config import RecallSettings, Settings
from yinji.model import Candidate, MemoryEntry, PathRank, Query
from yinji.ports import ModelCard, Ranking, Scored, Spread
from yinji.recall.spread import pool
from yinji.strength import strength

if TYPE_CHECKING:
    from yinji.recall.features import Column

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
        return PathRank(path=path, rank=place, score=(hit.cosine or score) if hit else score, z=self.z(score))

    def zs(self) -> tuple[Mapping[str, float], float]:
        """(z of each hit, z of any other memory)"""
        ordinary = self.spread.mean if self.absent is None else self.absent
        middle, apart = self.spread.mean, self.spread.std
        if apart <= 0:
            return dict.fromkeys(self.hits, 0.0), 0.0
        return {id: (hit.score - middle) / apart for id, (_, hit) in self.hits.items()}, self.z(ordinary)

    def z(self, score: float) -> float:
        return (score - self.spread.mean) / self.spread.std if self.spread.std > 0 else 0.0

    def tells_of(self, id: str) -> bool:
        return self.spread.count > 0 or id in self.hits


@dataclass(frozen=True, kw_only=True, slots=True)
class Fused:
    """What the paths together say of a memory that has not been read yet."""

    id: str
    measures: Mapping[str, Measure]
    factors: Mapping[str, float]
    lifted: Mapping[str, float]
    """What the time and the names in the question add, whatever else orders the candidates."""
    spare: bool = False
    """Whether nothing of it answers by itself: it is shown only where reading finds that it does."""

    @property
    def paths(self) -> tuple[PathRank, ...]:
        return tuple(one.of(path, self.id) for path, one in self.measures.items() if one.tells_of(self.id))

    @property
    def score(self) -> float:
        return sum(self.factors.values()) + sum(self.lifted.values())


def fuse(
    query: Query,
    rankings: Mapping[str, Ranking],
    *,
    settings: RecallSettings,
    card: ModelCard | None,
    spare: int = 0,
) -> list[Fused]:
    """The memories that answer by what the paths say, and so many of the nearest others, best first; the same whatever
    the order of the paths."""
    measures = {path: _measure(path, ranking) for path, ranking in rankings.items()}
    few = any(_few(ranking, settings) for ranking in rankings.values())
    languages = {hit.id: hit.language for ranking in rankings.values() for hit in ranking.hits}
    floors = {one: _floor(one, query, settings, card, few=few) for one in {*languages.values()}}
    lifts = _lifts(measures, settings)
    weights = {"vector": settings.weight_vector, "words": settings.weight_words}
    zs = {path: one.zs() for path in weights if (one := measures.get(path)) and (one.spread.count or one.hits)}
    answering = _answering(measures, floors, settings)
    made = []
    for id in answering | {*_nearest(measures, answering, spare)}:
        factors = {path: weights[path] * known.get(id, other) for path, (known, other) in zs.items()}
        if languages[id] != query.language and "vector" in zs:
            known, other = zs["vector"]
            alone = settings.other_language * known.get(id, other)
            factors = {"vector": alone, "words": 0.0} if alone > sum(factors.values()) else factors
        lifted = lifts.get(id, {})
        made.append((-sum(factors.values()) - sum(lifted.values()), id, factors, lifted))
    made.sort(key=itemgetter(0, 1))
    return [
        Fused(id=id, measures=measures, factors=factors, lifted=lifted, spare=id not in answering)
        for _, id, factors, lifted in made
    ]


def rank(
    fused: Sequence[Fused],
    features: Mapping[str, Sequence[float] | Column],
    weights: Mapping[str, float],
    *,
    top: int | None = None,
) -> list[Fused]:
    """The ``top`` of the same, by the trained ranker: ``features`` has a value for each of them, in their order. Best
    first."""
    import numpy as np

    worth = np.array([np.asarray(values, np.float64) * weights[name] for name, values in features.items()])
    totals = (-worth.sum(axis=0) - [sum(one.lifted.values()) for one in fused]).tolist()
    best = sorted(range(len(fused)), key=lambda at: (totals[at], fused[at].id))[:top]
    columns = worth[:, best].T.tolist()
    return [
        replace(fused[at], factors={name: one for name, one in zip(features, column, strict=True) if one})
        for at, column in zip(best, columns, strict=True)
    ]


def _lifts(measures: Mapping[str, Measure], settings: RecallSettings) -> Mapping[str, Mapping[str, float]]:
    """By memory and path what the time and the names in the question add: weights that follow it (SPEC R5)."""
    found: dict[str, dict[str, float]] = {}
    then = settings.weight_time * _telling(measures)
    for id, (_, hit) in _hits(measures, "fields"):
        of_then = TIME <= hit.score < FILLED
        named = hit.score - TIME if of_then else hit.score
        found[id] = {"fields": then * of_then + settings.weight_fields * named}
    for id, (_, hit) in _hits(measures, "graph"):
        found.setdefault(id, {})["graph"] = settings.weight_graph * hit.score
    return found


def _telling(measures: Mapping[str, Measure]) -> float:
    """How much the time asked about tells, 0 to 1: nothing where all memories are of it ("this year")."""
    every = max((one.spread.count for one in measures.values()), default=0)
    of_then = sum(TIME <= hit.score < FILLED for _, (_, hit) in _hits(measures, "fields"))
    return 1 - of_then / every if every else 1.0


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


@dataclass(frozen=True, kw_only=True, slots=True)
class Floor:
    """How near a memory must be to be shown for that alone (SPEC R2, plain form)."""

    z: float
    cosine: float


def _floor(language: str, query: Query, settings: RecallSettings, card: ModelCard | None, *, few: bool) -> Floor:
    """Without a model no nearness is enough; where memories are ``few``, z-scores tell nothing."""
    own = language if language == query.language else "other"
    cosine = card.relevance_floor.get(own, 0.0) if card else math.inf
    return Floor(z=-math.inf if few else settings.floor_z, cosine=cosine)


def _answering(measures: Mapping[str, Measure], floors: Mapping[str, Floor], settings: RecallSettings) -> set[str]:
    """What may be shown at all: it shares a word, is of the time asked about, hangs together with a name in the
    question, or its meaning is near enough.
    """

    def scored(path: str, above: float) -> Iterator[str]:
        return (id for id, (_, hit) in _hits(measures, path) if hit.score > above)

    found = {*scored("words", settings.floor_words), *scored("graph", -math.inf)}
    found.update(id for id, (_, hit) in _hits(measures, "fields") if hit.score >= TIME)
    for id, (_, hit) in _hits(measures, "vector"):
        floor = floors[hit.language]
        if (hit.cosine or hit.score) >= floor.cosine and measures["vector"].z(hit.score) >= floor.z:
            found.add(id)
    return found


def _nearest(measures: Mapping[str, Measure], but: Container[str], most: int) -> Iterator[str]:
    """The nearest in meaning of those that do not answer by themselves."""
    return islice((id for id, _ in _hits(measures, "vector") if id not in but), most)


def _hits(measures: Mapping[str, Measure], path: str) -> Iterable[tuple[str, tuple[int, Scored]]]:
    return measures[path].hits.items() if path in measures else ()


def _candidate(fused: Fused, memory: MemoryEntry, query: Query, settings: Settings) -> Candidate:
    alive = settings.recall.weight_strength * strength(memory, query.now, settings.strength)
    factors = {**fused.factors, **fused.lifted, "strength": alive}
    return Candidate(memory=memory, score=sum(factors.values()), paths=fused.paths, factors=factors)
