"""What hangs together with a name: from name to memory, from memory to the names that it holds (SPEC K7, R13).

"Where is Alice's project stuck?" names Alice; what is kept of Alice names Atlas, what is kept of Atlas names the
gateway. No relation need have been understood for that; where one was (a slot), it is told with the step.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from yinji.language.names import USER
from yinji.model import Edge, Graph, MemoryEntry, Scope
from yinji.ports import Store

DECAY = 0.5
"""What a further step is worth of the one before it."""
Ways = Mapping[str, tuple[tuple[str, ...], float]]
HUB = 40
"""Memories that hold a name from which it says nothing any more: nobody walks on from it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reached:
    """A memory that was reached: by which names, one for each step, and how strongly (up to 1)."""

    id: str
    names: tuple[str, ...]
    strength: float

    @property
    def steps(self) -> int:
        return len(self.names)


def walk(store: Store, scope: Scope, starts: Iterable[str], *, steps: int, limit: int) -> dict[str, Reached]:
    """The memories within ``steps`` of the names, the nearest way to each; at most ``limit`` for a step.

    A name that few memories hold says more: its weight is 1 / (1 + ln n).
    """
    reached: dict[str, Reached] = {}
    ways: Ways = {name: ((name,), 1.0) for name in starts}
    seen = set(ways)
    for _ in range(steps):
        holders = _holders(store, scope, list(ways), limit)
        found = _step(ways, holders, reached)
        reached |= found
        ways = _onward(store, scope, found, seen)
        seen |= set(ways)
        if not ways:
            break
    return reached


def _holders(store: Store, scope: Scope, names: Sequence[str], limit: int) -> Mapping[str, list[str]]:
    """Which memories in scope hold each of the names."""
    ids = store.mentioning(scope, names, limit=limit)
    wanted, holders = set(names), defaultdict(list)
    for id, name in store.mentioned(scope.owner, ids):
        if name in wanted:
            holders[name].append(id)
    return holders


def _step(
    ways: Ways,
    holders: Mapping[str, list[str]],
    known: Mapping[str, Reached],
) -> dict[str, Reached]:
    found: dict[str, Reached] = {}
    for name, ids in holders.items():
        names, strength = ways[name]
        strength /= 1 + math.log(len(ids))
        if len(ids) > HUB and len(names) > 1:
            continue
        for id in ids:
            if id not in known and (id not in found or found[id].strength < strength):
                found[id] = Reached(id=id, names=names, strength=strength)
    return found


def _onward(store: Store, scope: Scope, found: Mapping[str, Reached], seen: set[str]) -> Ways:
    """The names that the memories found hold besides, and the strongest way to each."""
    ways: dict[str, tuple[tuple[str, ...], float]] = {}
    for id, name in store.mentioned(scope.owner, list(found)):
        way = found[id]
        strength = way.strength * DECAY
        if name not in seen and (name not in ways or ways[name][1] < strength):
            ways[name] = ((*way.names, name), strength)
    return ways


def graph(store: Store, scope: Scope, start: str, *, steps: int, limit: int) -> Graph:
    """The part of the graph around a name, as edges with the memories that they come from."""
    reached = walk(store, scope, [start], steps=steps, limit=limit)
    order = sorted(reached.values(), key=lambda one: (one.steps, -one.strength, one.id))
    memories = {one.id: one for one in store.get(scope.owner, [way.id for way in order])}
    held = defaultdict(list)
    for id, name in store.mentioned(scope.owner, list(memories)):
        held[id].append(name)
    edges = [_edge(memories[way.id], way, held[way.id]) for way in order if way.id in memories]
    return Graph(name=start, edges=tuple(edges))


def _edge(memory: MemoryEntry, way: Reached, held: Sequence[str]) -> Edge:
    slot = memory.slot
    return Edge(
        path=way.names,
        subject=slot.subject if slot else way.names[-1],
        relation=slot.attribute if slot else "",
        objects=(slot.value,) if slot else tuple(name for name in held if name != way.names[-1] and name != USER),
        memory=memory,
        strength=way.strength,
    )
