"""What was said next to something that answers, answers too: short turns lack the words that their context has.

"What's your cat called?" – "Marconi." Neither line answers alone. So a memory gets a share of what the memories
from its own turn, and from the turns before and after it, score; and those next to the best are looked at even
when no path found them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from yinji.config import RecallSettings
from yinji.ports import Ranking, Scored
from yinji.recall.paths import Search
from yinji.recall.rank import Fused

NEIGHBOURS = "neighbours"


def beside(search: Search, best: Sequence[Fused]) -> Mapping[str, tuple[str, ...]]:
    """Each memory near one of the best, with the ones of the best that it is near to."""
    found = defaultdict(list)
    for id, other in search.store.beside(search.query.scope.owner, [one.id for one in best]):
        found[other].append(id)
    return {id: tuple(ids) for id, ids in found.items()}


def unseen(search: Search, ranking: Ranking, near: Iterable[str], fused: Sequence[Fused]) -> tuple[Scored, ...]:
    """The neighbours that are in scope and are no candidates yet, by their cosines."""
    known = {one.id for one in fused}
    missing = [id for id in near if id not in known]
    if search.vector is None or search.model is None or not missing:
        return ()
    return search.store.vectors(search.query.scope, search.vector, model=search.model, limit=0, also=missing).hits


def lent(fused: Sequence[Fused], near: Mapping[str, tuple[str, ...]], settings: RecallSettings) -> list[Fused]:
    """The candidates with their neighbours' share, best first; what scores below the ordinary lends nothing, and
    what is long needs less, for it has its context in itself."""
    scores = {one.id: one.score for one in fused}
    found = []
    for one in fused:
        share = sum(max(0.0, scores.get(other, 0.0)) for other in near.get(one.id, ()))
        lacking = min(1.0, settings.short / max(1, one.length))
        factors = {**one.factors, NEIGHBOURS: settings.weight_neighbours * lacking * share} if share else one.factors
        found.append(replace(one, factors=factors))
    return sorted(found, key=lambda one: (-one.score, one.id))
