"""What was said in the same breath as a memory: a statement is cut out of its turn, and may lean on the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from yinji.model import MemoryEntry, Scope
from yinji.ports import Store
from yinji.recall.scope import outside

JOINER = "; "
"""Between statements that were made in the same breath."""


def said_with(store: Store, scope: Scope, memories: Sequence[MemoryEntry]) -> dict[str, list[MemoryEntry]]:
    """For the id of each memory what else was taken from its turn and is in scope."""
    turns = {one.id: one.sources[0].turn_id for one in memories if one.sources}
    outcomes = {turn: store.outcome_of(scope.owner, turn) for turn in dict.fromkeys(turns.values())}
    said = {turn: outcome[0] for turn, outcome in outcomes.items() if outcome is not None}
    near = store.get(scope.owner, list(dict.fromkeys(id for ids in said.values() for id in ids)))
    inside = {one.id: one for one in near if outside(one, scope) is None}
    return {
        id: [inside[other] for other in said.get(turn, ()) if other != id and other in inside]
        for id, turn in turns.items()
    }


def together(memory: MemoryEntry, more: Sequence[MemoryEntry]) -> MemoryEntry:
    """The memory with what was said in the same breath, in the order it was said."""
    said = sorted([memory, *more], key=lambda one: one.sources[0].start if one.sources else 0)
    return replace(memory, content=JOINER.join(one.content for one in said)) if more else memory
