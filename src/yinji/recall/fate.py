"""Why a memory came or did not: what each stage saw of it, and the first that lost it (SPEC R10).

The stages are run once, as they are for any question; this only looks at what they passed on. So explaining
changes nothing, and tells what really happened.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from yinji.model import Candidate, Drop, Fate, Hit, MemoryEntry, PathRank, Query, Why
from yinji.recall.explain import lost
from yinji.recall.pipeline import Finding
from yinji.recall.scope import outside

SEARCHED, RANKED, JUDGED = "search", "order", "judge"
"""The stages before which nothing is a candidate yet, and the one that may say nothing at all."""


def why_not_written(query: Query, drops: Sequence[Drop], *, waiting: bool) -> Why:
    """Of a turn from which nothing was taken."""
    fate = Fate.WAITING if waiting else Fate.NOT_KEPT
    told = Why(query=query.text, fate=fate, why="", stage="gate", drops=tuple(drops))
    return replace(told, why=lost(query, told))


def why(memory: MemoryEntry, query: Query, followed: Mapping[str, Finding], *, by: str | None) -> Why:
    """What became of a memory. ``followed``: what each stage passed on, in their order; ``by``: what replaced it."""
    *_, last = followed.values()
    hit = next((one for one in last.hits if one.memory.id == memory.id), None)
    if hit is not None:
        return _shown(query, hit)
    if (fate := outside(memory, query.scope)) is not None:
        told = Why(query=query.text, fate=fate, why="", stage="scope", memory=memory, by=by)
    else:
        told = _lost(memory, query, followed)
    return replace(told, why=lost(query, told))


def _shown(query: Query, hit: Hit) -> Why:
    return Why(
        query=query.text,
        fate=Fate.SHOWN,
        why=hit.why,
        stage="shown",
        memory=hit.memory,
        rank=hit.rank,
        score=hit.score,
        paths=hit.paths,
        factors=dict(hit.factors),
    )


def _lost(memory: MemoryEntry, query: Query, followed: Mapping[str, Finding]) -> Why:
    """Of a memory in scope that is not among the hits."""
    *_, last = followed.values()
    stage, found = _lost_at(memory.id, followed)
    rank = next((place for place, one in enumerate(last.candidates, 1) if one is found), None)
    return Why(
        query=query.text,
        fate=_fate(stage, rank),
        why="",
        stage=stage,
        memory=memory,
        rank=rank,
        score=found.score if found else None,
        needed=last.hits[-1].score if last.hits else None,
        paths=found.paths if found else tuple(_seen(memory.id, last)),
        factors=dict(found.factors) if found else {},
    )


def _lost_at(id: str, followed: Mapping[str, Finding]) -> tuple[str, Candidate | None]:
    """The stage that lost it, and what it was when it was last a candidate."""
    names = list(followed)
    *_, final = followed.values()
    if final.silent and (best := next((one for one in final.candidates if one.memory.id == id), None)):
        return JUDGED, best
    had = {name: one for name in names for one in followed[name].candidates if one.memory.id == id}
    if had:
        last = list(had)[-1]
        return names[min(names.index(last) + 1, len(names) - 1)], had[last]
    brought = any(one.rank for one in _seen(id, followed[names[-1]]))
    return (RANKED if brought else SEARCHED), None


def _fate(stage: str, rank: int | None) -> Fate:
    """What has no place in the end was found not to answer, by the ranking or by reading it."""
    if stage == SEARCHED:
        return Fate.NOT_FOUND
    if stage == JUDGED:
        return Fate.DOUBTED
    return Fate.TOO_WEAK if rank is None else Fate.BELOW_CUT


def _seen(id: str, finding: Finding) -> Iterator[PathRank]:
    """What each path saw of a memory that never became a candidate."""
    for path, ranking in finding.rankings.items():
        places = ((place, one.score) for place, one in enumerate(ranking.hits, 1) if one.id == id)
        place, score = next(places, (0, 0.0))
        yield PathRank(path=path, rank=place, score=score, z=0.0)
