"""Which memory probably holds in place of another: a question about now is answered by the newer of two values.

Where it is not sure that a newer statement ends an older one, both stay, and the older points to the newer
(``LinkKind.OVERTAKEN_BY``). The older is never left out: it comes after the newer, and is told to be perhaps outdated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from yinji.model import Candidate, LinkKind, MemoryEntry, Query, Scope, Validity
from yinji.ports import Store
from yinji.recall.read import FACTOR, odds_of
from yinji.recall.scope import outside
from yinji.recall.signs import asking

LONGEST_CHAIN = 8
"""Newer values of newer values that are followed."""
FRONT = 0.4
"""Share of the score of what it overtook from which a newer value comes before it."""
NOTHING: Mapping[str, MemoryEntry] = MappingProxyType({})
RAISED = "newer"
"""The factor by which a newer value is raised to the place of what it overtook."""


def asks_for_now(query: Query) -> bool:
    """Whether the newest value is wanted, of all or of what was known at a moment."""
    return not query.past and query.scope.during is None


def asks_for_last(query: Query) -> bool:
    """Whether it asks in the past tense for what is known last ("what was my best time?"), not for what was before, nor
    of a time that it names."""
    if query.times or query.scope.during is not None or not query.past:
        return False
    said, asked = query.text.lower(), asking(query.language)
    return asked["tense"].search(said) is not None and not any(asked[one].search(said) for one in ("past", "begun"))


def overtaken(memories: Sequence[MemoryEntry], scope: Scope, store: Store) -> dict[str, MemoryEntry]:
    """For the id of each memory that something newer probably took the place of: the newest of that.

    It may be of a kind or scene that is not asked for, and is not to be shown then; that it is there still makes the
    older one doubtful.
    """
    scope = replace(scope, kinds=None, scenes=None)
    known = {one.id: one for one in memories}
    found = {one.id: one for one in memories}
    for _ in range(LONGEST_CHAIN):
        ahead = {id: target for id, one in found.items() for target in _next(one, scope, store)}
        missing = [target for target in dict.fromkeys(ahead.values()) if target not in known]
        known |= {one.id: one for one in store.get(scope.owner, missing)} if missing else {}
        steps = {id: known[target] for id, target in ahead.items() if _leads_on(known.get(target), scope)}
        if not steps:
            break
        found |= steps
    return {id: one for id, one in found.items() if one.id != id and outside(one, scope) is None}


def _leads_on(memory: MemoryEntry | None, scope: Scope) -> bool:
    """Whether it holds, or something surely took its place; what was taken back or is hidden leads nowhere."""
    if memory is None or memory.hidden_at is not None:
        return False
    replaced = memory.validity is Validity.SUPERSEDED and scope.as_of is None
    return replaced or outside(memory, scope) is None


def _next(memory: MemoryEntry, scope: Scope, store: Store) -> list[str]:
    """What took its place, surely or probably."""
    if memory.validity is Validity.SUPERSEDED and scope.as_of is None:
        successor = store.successor(scope.owner, memory.id)
        return [successor] if successor else []
    return [link.target for link in memory.links if link.kind is LinkKind.OVERTAKEN_BY]


def newest_first(
    candidates: Sequence[Candidate],
    newer: Mapping[str, MemoryEntry],
    scope: Scope,
    *,
    behind: Mapping[str, MemoryEntry] = NOTHING,
) -> list[Candidate]:
    """The candidates, each newer value in scope beside what it overtook, brought in where no path had found it: in
    front of it where it answers the question about as well, else behind it. What is only ``behind`` is not marked."""
    standing = {one.memory.id: one for one in candidates}
    ordered: dict[str, Candidate] = {}
    for one in candidates:
        overtook = newer.get(one.memory.id)
        marked = replace(one, newer=overtook.id) if overtook else one
        ahead = overtook or behind.get(one.memory.id)
        if ahead is None or outside(ahead, scope) is not None:
            ordered.setdefault(one.memory.id, marked)
            continue
        found = standing.get(ahead.id)
        pair = [_raised(found, ahead, one), marked]
        if found is None or not _answers_as_well(found, one):
            pair.reverse()
        for each in pair:
            ordered.setdefault(each.memory.id, each)
    return list(ordered.values())


def _answers_as_well(newer: Candidate, older: Candidate) -> bool:
    """By all that speaks for each, or where both were read by that."""
    read = FACTOR in newer.factors and FACTOR in older.factors
    return newer.score >= FRONT * older.score or (read and odds_of(newer) >= odds_of(older))


def _raised(found: Candidate | None, memory: MemoryEntry, over: Candidate) -> Candidate:
    """With the score of what it overtook, where its own is less."""
    one = found or Candidate(memory=memory, score=0.0, paths=())
    gain = over.score - one.score
    if gain <= 0:
        return one
    return replace(one, score=over.score, factors={**one.factors, RAISED: gain})
