"""Which values of what has one at a time are over: asked where the user lives now, every home before the latest is,
whether or not reading takes it for an answer. How a question asks for such an attribute and what gives it is in
``data/lang/recall``.
"""

from __future__ import annotations

from collections.abc import Sequence

from yinji.language.packs import pack
from yinji.language.text import is_telling, query_terms
from yinji.model import Candidate, MemoryEntry, Modality, Query
from yinji.recall.read import ANSWERED, odds_of
from yinji.recall.signs import asking, gives_single, single

SO = (Modality.ASSERTED, Modality.QUOTED)
"""How that is told which is so, not only meant to be."""


def former(query: Query, candidates: Sequence[Candidate]) -> dict[str, MemoryEntry]:
    """By the id of each that gives an earlier value of the attribute that is asked for, what gives the latest: that is
    told as it is, has begun, and answers by reading. Of a thing, only what names of it all that the latest does."""
    attribute = _asked(query)
    given = [one for one in candidates if attribute and _gives(attribute, query, one.memory)]
    latest = max((one.memory for one in given if _holds(one, query)), key=lambda one: one.recorded_at, default=None)
    if latest is None:
        return {}
    earlier = (one.memory for one in given if one.memory.recorded_at < latest.recorded_at)
    about = _about(attribute, query, latest)
    return {one.id: latest for one in earlier if about <= _about(attribute, query, one)}


def _asked(query: Query) -> str:
    """The attribute of one value that a question asks for; nothing where it asks for several or for none."""
    text = query.text.lower()
    if asking(query.language)["several"].search(text):
        return ""
    own = (name for name in query.attributes if name in gives_single(query.language))
    return next((name for name, pattern in single(query.language).items() if pattern.search(text)), next(own, ""))


def _gives(attribute: str, query: Query, memory: MemoryEntry) -> bool:
    """Whether it gives one: the patterns are of the user where the user's own is asked for, else of what the question
    names."""
    if gives_single(memory.language)[attribute].search(memory.content.lower()) is None:
        return False
    return attribute in query.attributes or bool(_about(attribute, query, memory))


def _holds(one: Candidate, query: Query) -> bool:
    memory = one.memory
    begun = memory.valid is None or memory.valid.start is None or memory.valid.start <= query.now
    told_so = memory.modality in SO or _was_to_begin(memory)
    return begun and told_so and odds_of(one) >= ANSWERED


def is_ahead(query: Query, memory: MemoryEntry) -> bool:
    """Whether it tells what is to be so only from a day on that has not come yet, such as a rent."""
    return _was_to_begin(memory) and memory.valid is not None and (memory.valid.start or query.now) > query.now


def _was_to_begin(memory: MemoryEntry) -> bool:
    start = memory.valid.start if memory.valid is not None else None
    later = start is not None and start > memory.recorded_at
    return later and pack(memory.language).matcher("from_then").search(memory.content) is not None


def _about(attribute: str, query: Query, memory: MemoryEntry) -> frozenset[str]:
    """The words of the question that a memory has and that name what it is about; of the user's own it needs none."""
    if attribute in query.attributes:
        return frozenset()
    asked, pattern = frozenset(filter(is_telling, query.terms)), single(query.language)[attribute]
    things = frozenset(one for one in asked if pattern.search(one) is None)
    return (things or asked) & frozenset(query_terms(memory.content))
