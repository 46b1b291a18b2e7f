"""What was said in the same breath as a memory: a statement is cut out of its turn, and may lean on the others."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace

from yinji.model import LinkKind, MemoryEntry, Scope, Validity
from yinji.ports import Store
from yinji.recall.scope import outside

JOINER = "; "
"""Between statements that were made in the same breath."""
Beside = Callable[[Sequence[MemoryEntry]], Mapping[str, Sequence[MemoryEntry]]]
"""By the id of each memory what was said in the same breath."""


def said_with(store: Store, scope: Scope, memories: Sequence[MemoryEntry]) -> dict[str, list[MemoryEntry]]:
    """For the id of each memory what else was taken from its turn and is in scope."""
    turns = {one.id: one.sources[0].turn_id for one in memories if one.sources}
    outcomes = {turn: store.outcome_of(scope.owner, turn) for turn in dict.fromkeys(turns.values())}
    said = {turn: outcome[0] for turn, outcome in outcomes.items() if outcome is not None}
    near = store.get(scope.owner, list(dict.fromkeys(id for ids in said.values() for id in ids)))
    inside = {one.id: one for one in near if outside(one, scope) is None}
    return {
        id: [inside[other] for other in said.get(turn, ()) if other != id and _said_in(inside.get(other), turn)]
        for id, turn in turns.items()
    }


def _said_in(memory: MemoryEntry | None, turn: str) -> bool:
    """A turn that ends a part of an older statement also adds what remains of that, which was not said in it."""
    return memory is not None and any(source.turn_id == turn for source in memory.sources)


def outlasting(
    memories: Sequence[MemoryEntry], said: Mapping[str, Sequence[MemoryEntry]], doubted: Container[str]
) -> frozenset[str]:
    """The ids of memories that still hold while another of their breath (``said``, by id) was superseded or is
    ``doubted``: the remarks beside what is over, that tell little or wrong without it."""
    return frozenset(
        one.id
        for one in memories
        if one.validity is Validity.CURRENT and any(_over(said.get(one.id, ()), one, doubted))
    )


def _over(said: Sequence[MemoryEntry], remark: MemoryEntry, doubted: Container[str]) -> Iterator[bool]:
    """Of each that was ``said`` with a remark; a slip that the same breath sets right takes nothing from the rest."""
    links = (link for one in (remark, *said) for link in one.links)
    right = {link.target for link in links if link.kind is LinkKind.SUPERSEDES}
    for one in said:
        yield (one.validity is Validity.SUPERSEDED and one.id not in right) or one.id in doubted


def together(memory: MemoryEntry, more: Sequence[MemoryEntry]) -> MemoryEntry:
    """The memory with what was said in the same breath, in the order it was said."""
    said = sorted([memory, *more], key=lambda one: one.sources[0].start if one.sources else 0)
    return replace(memory, content=JOINER.join(one.content for one in said)) if more else memory
