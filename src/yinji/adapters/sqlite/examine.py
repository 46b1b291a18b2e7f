"""What can be seen of a few memories beside a question, for the ranking: one pass over what searching has in RAM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import apsw

from yinji.adapters.sqlite import nearness, search
from yinji.adapters.sqlite.cache import Cache, OwnerCache
from yinji.adapters.sqlite.owners import find
from yinji.model import Scope
from yinji.ports import Examined, Probe

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from yinji.adapters.sqlite.cache import Mask, Places
    from yinji.adapters.sqlite.search import Holders
    from yinji.ports import Vectors

FAR = 2
"""Places in a session by which what was said before may lie apart: a turn in between may have left nothing."""
_TINY = 1e-9


def examine(db: apsw.Connection, cache: Cache, scope: Scope, ids: Sequence[str], probe: Probe) -> Examined:
    import numpy as np

    owner = find(db, scope.owner)
    if owner is None:
        return _nothing(probe)
    with cache.of(db, owner) as columns:
        mask = search.in_scope(columns, scope)
        known, places = search.places_of(db, columns, owner, ids)
        there = mask[places]
        places = places[there]
        before = _before(columns, places, mask)
        found = before >= 0
        meaning = np.zeros(columns.count, np.float32)
        if seen := nearness.same_model(columns, probe):
            looked = np.concatenate([places, before[found]])
            looked = looked[columns["embedded"][looked]]
            meaning = nearness.seen(columns, probe, looked)
        words, holders = search.word_scores(db, columns, owner, probe.weights)
        holds, rarity = _holds(columns, places, holders, probe.terms)
        languages, speakers = columns.names["language"].texts, columns.names["speaker"].texts
        return Examined(
            ids=tuple(id for id, kept in zip(known, there, strict=True) if kept),
            languages=tuple(languages[code] for code in columns["language"][places]),
            lengths=columns["length"][places].astype(np.float32),
            meaning=meaning[places],
            words=words[places],
            vectors=_through(columns, places, probe, seen=seen),
            holds=holds,
            rarity=rarity,
            asks=columns["asks"][places],
            speakers=tuple(speakers[code] for code in columns["speaker"][places]),
            before=(found & columns["asks"][before], found * meaning[before], found * words[before]),
        )


def _nothing(probe: Probe) -> Examined:
    import numpy as np

    none, numbers = np.empty(0, np.bool_), np.empty(0, np.float32)
    return Examined(
        ids=(),
        languages=(),
        lengths=numbers,
        meaning=numbers,
        words=numbers,
        vectors=np.empty((0, 0), np.float32),
        holds=np.empty((0, len(probe.terms)), np.bool_),
        rarity=np.zeros(len(probe.terms), np.float32),
        asks=none,
        speakers=(),
        before=(none, numbers, numbers),
    )


def _holds(
    columns: OwnerCache, places: Places, holders: Holders, terms: Sequence[str]
) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
    """Which of the memories have each term, and how rare it is; a term that no index can hold is nowhere."""
    import numpy as np

    holds = np.zeros((len(places), len(terms)), np.bool_)
    nowhere = search.rarity(int(search.current(columns).sum()), 0)
    rarity = np.full(len(terms), nowhere, np.float32)
    for at, term in enumerate(terms):
        if term in holders:
            rarity[at], having = holders[term]
            found = np.searchsorted(having, places)  # they stand in order
            holds[:, at] = np.append(having, -1)[found] == places
    return holds, rarity


def _through(columns: OwnerCache, places: Places, probe: Probe, *, seen: bool) -> Vectors:
    """Their vectors less the mean of their language, of unit length."""
    import numpy as np

    found = columns.vectors[places].astype(np.float32) * columns["scale"][places, None]
    if not seen:
        return np.zeros_like(found)
    if probe.lens is not None:
        means = nearness.centres(columns, probe.lens)
        for language, mean in means.items():
            found[columns["language"][places] == columns.names["language"].code(language)] -= mean
    found[~columns["embedded"][places]] = 0
    unit: Vectors = found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), _TINY)
    return unit


def _before(columns: OwnerCache, places: Places, mask: Mask) -> Places:
    """The place of what was said right before each, in its session and in scope; -1 where nothing was."""
    import numpy as np

    order = columns.remembered("order", None, lambda: np.lexsort((columns["rows"], columns["seq"], columns["session"])))
    stands = columns.remembered("stands", None, lambda: np.argsort(order))
    if not len(places):
        return np.empty(0, np.intp)
    previous = order[np.maximum(stands[places] - 1, 0)]
    session, seq = columns["session"], columns["seq"]
    apart = seq[places] - seq[previous]
    near = (session[previous] == session[places]) & (apart <= FAR) & (seq[previous] >= 0) & (stands[places] > 0)
    result: Places = np.where(near & mask[previous], previous, -1)
    return result
