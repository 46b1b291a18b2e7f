"""Finding memories by their words and by their vectors, within a scope."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

import apsw

from yinji.adapters.sqlite import nearness
from yinji.adapters.sqlite.cache import ALWAYS, Cache, OwnerCache
from yinji.adapters.sqlite.memories import during_bounds, found_by_id
from yinji.adapters.sqlite.owners import find
from yinji.adapters.sqlite.queries import load
from yinji.adapters.sqlite.rows import as_json, micros, tokens
from yinji.adapters.sqlite.signs import least
from yinji.adapters.sqlite.spread import counted, spread, spread_of_few
from yinji.model import HOLDS, Scope, Validity
from yinji.ports import NO_WEIGHTS, Probe, Ranking, Scored

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from yinji.adapters.sqlite.cache import Mask, Places
    from yinji.adapters.sqlite.postings import Listed
    from yinji.ports import Vector

    Scores = NDArray[np.float32]
    Holders = Mapping[str, tuple[float, NDArray[np.int32]]]

_SQL = load("search")
K1, B = 0.9, 0.4
"""BM25, Robertson and Zaragoza 2009: how soon repeats saturate, and how much length counts (see the Store port)."""
LITTLE = 0.5
"""Terms of less weight are left out where there are many memories."""
PREFILTERED, SAMPLE = 2000, 1024
"""Of each language: memories that are scored exactly after their signs were looked at (of the 50 nearest of 40,000 real
ones 99.8 % are among them, of the 10 nearest all), and such that tell how scores lie (the deviation within 3 %)."""
_EMPTY = Ranking(hits=())


def words(
    db: apsw.Connection, cache: Cache, scope: Scope, terms: Sequence[str], *, limit: int, weights: Mapping[str, float]
) -> Ranking:
    """BM25 with the statistics of the owner's current memories; terms that come twice count once."""
    import numpy as np

    owner = find(db, scope.owner)
    if owner is None:
        return _EMPTY
    with cache.of(db, owner) as columns:
        mask = in_scope(columns, scope)
        scores, _ = word_scores(db, columns, owner, {term: weights.get(term, 1.0) for term in terms})
        sharing = np.flatnonzero(mask & (scores > 0))
        hits = _hits(db, columns, owner, _best(scores, sharing, limit), scores=scores)
        counts = columns.remembered("counts", scope, lambda: counted(columns, mask))
        return Ranking(hits=hits, spread=spread_of_few(columns, scores, sharing, counts))


def word_scores(
    db: apsw.Connection, columns: OwnerCache, owner: int, weights: Mapping[str, float]
) -> tuple[Scores, Holders]:
    """BM25 of every memory, and for each term how rare it is and which have it."""
    weighted = {token: (term, weight) for term, weight in weights.items() for token in tokens(owner, [term])}
    return columns.remembered("words", tuple(weighted.items()), lambda: _bm25(db, columns, weighted))


def _bm25(db: apsw.Connection, columns: OwnerCache, terms: Mapping[str, tuple[str, float]]) -> tuple[Scores, Holders]:
    import numpy as np

    scores, now = np.zeros(columns.count, np.float32), current(columns)
    total, damping = columns.remembered("damping", None, lambda: _damping(columns))
    holders: dict[str, tuple[float, NDArray[np.int32]]] = {}
    for token, (term, weight) in terms.items():
        if weight < LITTLE and columns.count > nearness.MANY:
            continue  # A particle: nearly all of them have it, and its list is the longest to read.
        places, counts = columns.postings.of(token, partial(_matches, db, columns, token), keep=not columns.newer)
        idf = rarity(total, int(np.count_nonzero(now[places])))
        scores[places] += (weight * idf * counts * (K1 + 1) / (counts + damping[places])).astype(np.float32)
        holders[term] = (idf, places)
    return scores, holders


def _damping(columns: OwnerCache) -> tuple[int, NDArray[np.float64]]:
    """How many memories hold now, and by how much the length of each damps how often it has a term."""
    now, length = current(columns), columns["length"]
    total = int(now.sum())
    average = float(length[now].mean()) if total else 1.0
    return total, K1 * (1 - B + B * length / max(average, 1e-9))


def rarity(total: int, known: int) -> float:
    """BM25's inverse document frequency of a term that ``known`` of ``total`` memories have."""
    return math.log1p((total - known + 0.5) / (known + 0.5))


def _matches(db: apsw.Connection, columns: OwnerCache, term: str) -> Listed:
    """Where the memories that hold a term stand, and how often each holds it."""
    import numpy as np

    text: str | None = db.execute(_SQL["matches"], {"term": term}).get
    if not text:
        return np.empty(0, np.int32), np.empty(0, np.int32)
    found = np.fromstring(text, np.int64, sep=",")  # in order of rows: the index keeps them so
    firsts = np.concatenate([[0], np.flatnonzero(found[1:] != found[:-1]) + 1])
    rows, counts = found[firsts], np.diff(np.append(firsts, len(found)))
    places, there = columns.places(rows)
    return places[there].astype(np.int32), counts[there].astype(np.int32)


def vectors(
    db: apsw.Connection, cache: Cache, scope: Scope, probe: Probe, *, limit: int, also: Sequence[str]
) -> Ranking:
    import numpy as np

    owner = find(db, scope.owner)
    if owner is None:
        return _EMPTY
    with cache.of(db, owner) as columns:
        if not nearness.same_model(columns, probe):
            return _EMPTY
        mask, counts = columns.remembered("comparable", scope, lambda: _comparable(columns, scope))
        wanted = places_of(db, columns, owner, also)[1]
        wanted = wanted[mask[wanted]]
        if not limit:  # only those asked for: no need to score the rest
            mask = np.zeros(columns.count, np.bool_)
            mask[wanted] = True
            counts = counted(columns, mask)
        likely, sample = _likely(columns, scope, probe, mask, limit)
        looked = likely | sample
        looked[wanted] = True
        scores = nearness.seen(columns, probe, np.flatnonzero(looked))
        best = _best_of_each_language(columns, scores, likely, limit)
        best = np.concatenate([best, wanted[~np.isin(wanted, best)]])
        best = best[np.lexsort((-columns["rows"][best], -scores[best]))]
        cosines = np.zeros(columns.count, np.float32)
        cosines[best] = nearness.products(columns, np.asarray(probe.vector, np.float32), best)[best]
        hits = _hits(db, columns, owner, best, scores=scores, cosines=cosines)
        return Ranking(hits=hits, spread=spread(columns, scores, sample, counts))


def _comparable(columns: OwnerCache, scope: Scope) -> tuple[Mask, list[int]]:
    """What has a vector and is in scope, and how many of each language."""
    mask = in_scope(columns, scope) & columns["embedded"]
    return mask, counted(columns, mask)


def _likely(columns: OwnerCache, scope: Scope, probe: Probe, mask: Mask, limit: int) -> tuple[Mask, Mask]:
    """Of many memories those that may be among the nearest, by their signs, and a sample to tell how scores lie;
    of few all, and all."""
    import numpy as np

    if columns.count <= nearness.MANY or not limit or probe.lens is None or not hasattr(np, "bitwise_count"):
        return mask, mask
    apart = columns.signs().apart(nearness.turned(columns, probe, probe.lens))
    likely, sample = np.zeros_like(mask), np.zeros_like(mask)
    for own in columns.remembered("languages", scope, lambda: _by_language(columns, np.flatnonzero(mask))):
        sample[own[:: max(1, len(own) // SAMPLE)]] = True
        likely[least(own, apart, max(PREFILTERED, 4 * limit))] = True
    return likely, sample


def _best_of_each_language(columns: OwnerCache, scores: Scores, mask: Mask, limit: int) -> Places:
    """A question's own language would fill all the places: its cosines are higher, whatever the answer's is."""
    import numpy as np

    parts = [_best(scores, places, limit) for places in _by_language(columns, np.flatnonzero(mask))]
    return np.concatenate([*parts, np.empty(0, np.intp)])


def _by_language(columns: OwnerCache, places: Places) -> list[Places]:
    codes = columns["language"][places]
    return [places[codes == code] for code in range(len(columns.names["language"].texts))]


def nearest(db: apsw.Connection, cache: Cache, name: str, vector: Vector, *, model: str, limit: int) -> list[Scored]:
    import numpy as np

    owner = find(db, name)
    if owner is None:
        return []
    with cache.of(db, owner) as columns:
        probe = Probe(terms=(), weights=NO_WEIGHTS, language="", vector=vector, model=model)
        if not nearness.same_model(columns, probe):
            return []
        places = np.flatnonzero(current(columns) & columns["embedded"])
        scores = nearness.seen(columns, probe, places)
        return list(_hits(db, columns, owner, _best(scores, places, limit), scores=scores))


def mentioning(db: apsw.Connection, cache: Cache, scope: Scope, names: Sequence[str], *, limit: int) -> list[str]:
    """Ids of the memories in scope that hold one of the names, the latest first."""
    import numpy as np

    owner = find(db, scope.owner)
    if owner is None:
        return []
    with cache.of(db, owner) as columns:

        def made() -> list[str]:
            held = db.execute(_SQL["holders"], {"owner": owner, "names": as_json(list(names))})
            places, there = columns.places(np.array([row for (row,) in held], np.int64))
            places = places[there]
            return _latest(db, columns, owner, places[in_scope(columns, scope)[places]], limit=limit)

        return list(columns.remembered("mentioning", (scope, tuple(names), limit), made))


def within(db: apsw.Connection, cache: Cache, scope: Scope, start: datetime, end: datetime, *, limit: int) -> list[str]:
    """Ids of the memories in scope of what began in a stretch of time, or was said in it, the latest first."""
    import numpy as np

    owner = find(db, scope.owner)
    if owner is None:
        return []
    since, until = micros(start), micros(end)
    with cache.of(db, owner) as columns:
        inside = [(columns[name] >= since) & (columns[name] < until) for name in ("start", "recorded")]
        return _latest(
            db, columns, owner, np.flatnonzero((inside[0] | inside[1]) & in_scope(columns, scope)), limit=limit
        )


def _latest(db: apsw.Connection, columns: OwnerCache, owner: int, places: Places, *, limit: int) -> list[str]:
    import numpy as np

    latest = places[np.lexsort((-columns["rows"][places], -columns["recorded"][places]))][:limit]
    return _ids(db, columns, owner, columns["rows"][latest].tolist())


def given(db: apsw.Connection, cache: Cache, scope: Scope, scores: Mapping[str, float]) -> Ranking:
    """The memories in scope as hits with these scores, the best first."""
    import numpy as np

    owner = find(db, scope.owner)
    if owner is None or not scores:
        return _EMPTY
    with cache.of(db, owner) as columns:
        known, places = places_of(db, columns, owner, list(scores))
        all_scores = np.zeros(columns.count, np.float32)
        all_scores[places] = [scores[id] for id in known]
        places = places[in_scope(columns, scope)[places]]
        best = places[np.lexsort((-columns["rows"][places], -all_scores[places]))]
        return Ranking(hits=_hits(db, columns, owner, best, scores=all_scores))


def terms(db: apsw.Connection, cache: Cache, name: str, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Memory id → its index terms."""
    mark = len(tokens(owner, ["x"])[0]) - 1 if (owner := find(db, name)) is not None else 0
    return {id: tuple(term[mark:] for term in text.split()) for id, text in _indexed(db, cache, name, ids)}


def sharing(
    db: apsw.Connection, cache: Cache, name: str, ids: Sequence[str], terms: Collection[str]
) -> dict[str, frozenset[str]]:
    """Memory id → which of the terms it has."""
    if (owner := find(db, name)) is None:
        return {}
    wanted = {token: term for term in terms for token in tokens(owner, [term])}
    indexed = _indexed(db, cache, name, ids)
    return {id: frozenset(wanted[token] for token in wanted.keys() & text.split()) for id, text in indexed}


def _indexed(db: apsw.Connection, cache: Cache, name: str, ids: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(memory id, its index terms as they stand there)"""
    if (owner := find(db, name)) is None:
        return
    with cache.of(db, owner) as columns:
        known, places = places_of(db, columns, owner, ids)
        by_row = dict(zip(columns["rows"][places].tolist(), known, strict=True))
    for row, text in db.execute(_SQL["terms"], {"owner": owner, "rows": as_json(list(by_row))}):
        yield by_row[row], text


def _best(scores: Scores, chosen: Places, limit: int) -> Places:
    """Those of the places with the highest scores, the newer memory first where they are equal."""
    import numpy as np

    if len(chosen) > limit > 0:
        cut = np.partition(scores[chosen], -limit)[-limit]
        chosen = chosen[scores[chosen] >= cut]
    return chosen[np.lexsort((-chosen, -scores[chosen]))][: max(limit, 0)]


def current(columns: OwnerCache) -> Mask:
    """What holds now, of any scope."""

    def made() -> Mask:
        mask: Mask = _among(columns, "validity", [one.value for one in HOLDS]) & ~columns["hidden"]
        return mask

    return columns.remembered("current", None, made)


def in_scope(columns: OwnerCache, scope: Scope) -> Mask:
    """The same filter as ``in_scope`` in memories.sql, over the columns. Not to be changed by who gets it."""
    return columns.remembered("scope", scope, lambda: _in_scope(columns, scope))


def _among(columns: OwnerCache, name: str, wanted: Sequence[str]) -> Mask:
    import numpy as np

    fits = np.zeros(len(columns.names[name].texts) + 1, np.bool_)
    fits[columns.names[name].codes(wanted)] = True
    mask: Mask = fits[columns[name]]
    return mask


def _in_scope(columns: OwnerCache, scope: Scope) -> Mask:
    import numpy as np

    mask = np.ones(columns.count, np.bool_) if scope.hidden else ~columns["hidden"]
    if scope.kinds is not None:
        mask &= _among(columns, "kind", [kind.value for kind in scope.kinds])
    if scope.scenes is not None:
        known = columns.names["scenes"].texts
        fitting = [code for code, text in enumerate(known) if scope.scenes & set(json.loads(text))]
        mask &= np.isin(columns["scenes"], fitting)
    if scope.as_of is not None:
        moment = micros(scope.as_of)
        mask &= (columns["recorded"] <= moment) & (columns["retired"] > moment)
    elif scope.validity is not None:
        mask &= _among(columns, "validity", [one.value for one in scope.validity])
    if scope.during is not None:
        since, until = during_bounds(scope)
        mask &= columns["start"] < (ALWAYS if until is None else until)
        mask &= columns["end"] > (-ALWAYS if since is None else since)
        if since is not None:
            replaced = _among(columns, "validity", [Validity.SUPERSEDED.value])
            mask &= ~replaced | (columns["retired"] > since)
    return mask


def _hits(
    db: apsw.Connection,
    columns: OwnerCache,
    owner: int,
    places: Places,
    *,
    scores: Scores,
    cosines: Scores | None = None,
) -> tuple[Scored, ...]:
    """The memories at these places, with their ids."""
    ids = _ids(db, columns, owner, columns["rows"][places].tolist())
    languages = columns.names["language"].texts
    raw = (scores if cosines is None else cosines)[places].tolist()
    codes, lengths = columns["language"][places].tolist(), columns["length"][places].tolist()
    parts = (ids, scores[places].tolist(), codes, lengths, raw)
    return tuple(
        Scored(
            id=id,
            score=score,
            language=languages[code],
            length=length,
            cosine=0.0 if cosines is None else cosine,
        )
        for id, score, code, length, cosine in zip(*parts, strict=True)
    )


def _ids(db: apsw.Connection, columns: OwnerCache, owner: int, rows: Sequence[int]) -> list[str]:
    if unknown := [row for row in rows if row not in columns.ids]:
        columns.learn(db.execute(_SQL["ids"], {"owner": owner, "rows": as_json(unknown)}))
    return [columns.ids[row] for row in rows]


def places_of(db: apsw.Connection, columns: OwnerCache, owner: int, ids: Sequence[str]) -> tuple[list[str], Places]:
    """Which of these memories are there, in the order asked, and at which places; hidden ones too."""
    import numpy as np

    if unknown := [id for id in ids if id not in columns.known]:
        found = found_by_id(db, owner, unknown, hidden=True)
        columns.learn((row, id) for id, row in found.items())
    known = [id for id in ids if id in columns.known]
    places, there = columns.places(np.array([columns.known[id] for id in known], np.int64))
    return [id for id, here in zip(known, there, strict=True) if here], places[there]
