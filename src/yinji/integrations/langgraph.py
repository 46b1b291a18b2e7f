"""A long-term store for LangGraph, in the file that also holds the memories; it needs the extra ``langgraph``::

    graph = builder.compile(store=YinjiStore(memory))

Items are documents (``Memory.documents``): kept whole, searched by the memory's own embedder, never read for memories.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

from yinji.document import Document
from yinji.engine import Memory
from yinji.filing.documents import Put
from yinji.integrations import of_extra

with of_extra("langgraph", "langgraph"):
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        MatchCondition,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
    )

COLLECTION = "langgraph"


class YinjiStore(BaseStore):
    """A LangGraph ``BaseStore``. Thread-safe; several processes may share the file.

    ``fields``: the paths that an item is searched by unless ``put`` names others (``$`` is all of it). Numbers that
    pay or identify, passwords and the like are masked in values (``mask=False`` keeps them). Items do not expire: a
    ``ttl`` is refused. Writes of a batch come after its reads, in one transaction.
    """

    supports_ttl = False

    def __init__(
        self,
        memory: Memory,
        *,
        owner: str | None = None,
        collection: str = COLLECTION,
        fields: Sequence[str] = ("$",),
        mask: bool = True,
    ) -> None:
        self._documents = memory.documents(collection, owner=owner, mask=mask)
        self._fields = tuple(fields)

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        several = list(ops)
        found = [self._read(op) for op in several]
        puts = {(op.namespace, op.key): self._put(op) for op in several if isinstance(op, PutOp)}
        self._documents.write(puts.values())
        return found

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def _read(self, op: Op) -> Result:
        match op:
            case GetOp():
                known = self._documents.get(op.namespace, op.key)
                return None if known is None else Item(**_parts(known))
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                return _listed(op, self._documents.namespaces())
            case PutOp():
                return None
        raise ValueError(f"Unknown operation type: {type(op)}")

    def _search(self, op: SearchOp) -> list[SearchItem]:
        if op.query:
            near = self._documents.search(
                op.query, op.namespace_prefix, where=op.filter, limit=op.limit, offset=op.offset
            )
            return [SearchItem(**_parts(one.document), score=one.score) for one in near]
        found = self._documents.select(op.namespace_prefix, where=op.filter, limit=op.limit, offset=op.offset)
        return [SearchItem(**_parts(one)) for one in found]

    def _put(self, op: PutOp) -> Put:
        if op.ttl is not None:
            raise NotImplementedError("TTL is not supported by YinjiStore: items are kept until they are deleted.")
        fields = self._fields if op.index is None else tuple(op.index or ())
        return Put(namespace=op.namespace, key=op.key, value=op.value, fields=fields)


def _parts(one: Document) -> dict[str, Any]:
    return {
        "namespace": one.namespace,
        "key": one.key,
        "value": dict(one.value),
        "created_at": one.created_at,
        "updated_at": one.updated_at,
    }


def _listed(op: ListNamespacesOp, known: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    conditions = op.match_conditions or ()
    wanted = {one[: op.max_depth] for one in known if all(_matches(one, condition) for condition in conditions)}
    return sorted(wanted)[op.offset : op.offset + op.limit]


def _matches(namespace: tuple[str, ...], condition: MatchCondition) -> bool:
    path = condition.path
    if condition.match_type not in {"prefix", "suffix"}:
        raise ValueError(f"Unsupported match type: {condition.match_type}")
    if len(path) > len(namespace):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for wanted, label in zip(path, part, strict=True))
