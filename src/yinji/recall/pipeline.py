"""A question becomes hits: STAGES is the table of contents (SPEC R6)."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from yinji.config import Settings
from yinji.model import Candidate, Hit, Query
from yinji.ports import ModelCard, Ranking, Store
from yinji.recall.explain import sentence
from yinji.recall.neighbours import beside, lent, unseen
from yinji.recall.paths import PATHS, Search
from yinji.recall.rank import Fused, fuse, weigh

if TYPE_CHECKING:
    from yinji.ports import Vector


WEIGHED_PER_HIT = 4
"""Candidates read for each memory that is asked for: what a memory's own strength can still lift into the answer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """What the stages pass on: the question, and what they have made of it so far."""

    query: Query
    top_k: int
    store: Store
    settings: Settings
    card: ModelCard | None
    vector: Vector | None
    rankings: Mapping[str, Ranking]
    candidates: tuple[Candidate, ...] = ()
    hits: tuple[Hit, ...] = ()

    def search(self, found: tuple[str, ...] = ()) -> Search:
        """What a path may use; ``found``: what other paths have found so far."""
        return Search(
            store=self.store,
            query=self.query,
            vector=self.vector,
            model=self.card.id if self.card else None,
            settings=self.settings.recall,
            found=found,
        )


def search(finding: Finding) -> Finding:
    """Asks every path, each inside the scope."""
    rankings: dict[str, Ranking] = {}
    found: dict[str, None] = {}
    for name, path in PATHS.items():
        ranking = path(finding.search(tuple(found)))
        rankings[name] = ranking
        found.update(dict.fromkeys(hit.id for hit in ranking.hits))
    return replace(finding, rankings=rankings)


def order(finding: Finding) -> Finding:
    """Fuses the paths, lets neighbours lend to each other, leaves out what does not answer, weighs the best."""
    settings = finding.settings
    fused = _fused(finding)
    best = fused[: max(settings.recall.weighed, WEIGHED_PER_HIT * finding.top_k)]
    scope = finding.query.scope
    memories = finding.store.get(scope.owner, [one.id for one in best], hidden=scope.hidden)
    return replace(finding, candidates=tuple(weigh(finding.query, best, memories, settings)))


def _fused(finding: Finding) -> list[Fused]:
    settings = finding.settings.recall
    fused = fuse(finding.query, finding.rankings, settings=settings, card=finding.card)
    if not settings.weight_neighbours:
        return fused
    search = finding.search()
    near = beside(search, fused[: settings.lending])
    ranking = finding.rankings["vector"]
    more = unseen(search, ranking, near, fused)
    rankings = {**finding.rankings, "vector": replace(ranking, hits=(*ranking.hits, *more))}
    fused += fuse(finding.query, rankings, settings=settings, card=finding.card, only=more)
    return lent(fused, near, settings)


def cut(finding: Finding) -> Finding:
    """Keeps the best and says why each came."""
    best = finding.candidates[: finding.top_k]
    return replace(
        finding,
        hits=tuple(
            Hit(
                memory=one.memory,
                rank=place,
                score=one.score,
                paths=one.paths,
                factors=one.factors,
                why=sentence(finding.query, one),
            )
            for place, one in enumerate(best, 1)
        ),
    )


STAGES: tuple[Callable[[Finding], Finding], ...] = (search, order, cut)


def follow(finding: Finding) -> tuple[Mapping[str, Finding], Mapping[str, float]]:
    """What each stage passes on, by its name and in order, and how many milliseconds it took."""
    followed: dict[str, Finding] = {}
    took: dict[str, float] = {}
    for stage in STAGES:
        before = time.perf_counter()
        finding = followed[stage.__name__] = stage(finding)
        took[stage.__name__] = (time.perf_counter() - before) * 1000
    return followed, took
