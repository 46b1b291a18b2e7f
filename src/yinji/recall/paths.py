"""The ways of finding memories. One function each, listed in PATHS; ranking goes by their names (SPEC R4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from yinji.config import RecallSettings
from yinji.language.names import USER
from yinji.model import Query
from yinji.ports import Lens, Ranking, Store
from yinji.recall.graph import walk
from yinji.recall.rank import FILLED, NAME, TIME

if TYPE_CHECKING:
    from yinji.ports import Vector


STEPS = 2
"""From name to name that the graph is walked for a question."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Search:
    """What the paths share: where to look, the question's vector when there is one, what was found so far."""

    store: Store
    query: Query
    vector: Vector | None
    model: str | None
    settings: RecallSettings
    lens: Lens | None = None
    found: tuple[str, ...] = ()


def weights(search: Search) -> Mapping[str, float]:
    """What each term of the question counts: a word said twice counts twice, a particle little."""
    query, weak = search.query, search.settings.weak_words
    return dict(Counter(query.terms)) | {term: weak * n for term, n in Counter(query.weak).items()}


def by_words(search: Search) -> Ranking:
    """Memories that share words with the question, by BM25."""
    counted = weights(search)
    return search.store.words(search.query.scope, tuple(counted), limit=search.settings.word_limit, weights=counted)


def by_fields(search: Search) -> Ranking:
    """Memories of the times and names that the question has: 1 for a time, half for a name; 2 for what fills in the
    attribute of the user that it asks for."""
    query, limit = search.query, search.settings.field_limit
    found: dict[str, float] = {}
    for one in query.times:
        if one.start is not None and one.end is not None:
            of_then = search.store.within(query.scope, one.start, one.end, limit=search.settings.ranked)
            found |= dict.fromkeys(of_then, TIME)
    for id in search.store.mentioning(query.scope, query.names, limit=limit):
        found[id] = found.get(id, 0.0) + NAME
    for attribute in query.attributes:
        found |= {one.id: FILLED for one in search.store.by_slot(query.scope.owner, USER, attribute)}
    return search.store.given(query.scope, found)


def by_graph(search: Search) -> Ranking:
    """Memories that hang together with those of the question's names, and are not among them (SPEC R13)."""
    query = search.query
    reached = walk(search.store, query.scope, query.names, steps=STEPS, limit=search.settings.field_limit)
    return search.store.given(query.scope, {id: one.strength for id, one in reached.items() if one.steps > 1})


def by_meaning(search: Search) -> Ranking:
    """Memories near the question in meaning, by cosine; also scores what was found by other paths."""
    if search.vector is None or search.model is None:
        return Ranking(hits=())
    return search.store.vectors(
        search.query.scope,
        search.vector,
        model=search.model,
        limit=search.settings.vector_limit,
        also=search.found,
        lens=search.lens,
        language=search.query.language,
    )


PATHS: Mapping[str, Callable[[Search], Ranking]] = {
    "words": by_words,
    "fields": by_fields,
    "graph": by_graph,
    "vector": by_meaning,
}
