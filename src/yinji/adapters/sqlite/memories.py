"""Memories into their tables and out again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import apsw

from yinji.adapters.sqlite import owners
from yinji.adapters.sqlite.owners import ensure, find, rows, value
from yinji.adapters.sqlite.queries import load
from yinji.adapters.sqlite.rows import (
    as_json,
    digest,
    link_from,
    memory_from,
    memory_row,
    micros,
    quantised,
    rezoned,
    source_from,
    source_row,
    tokens,
)
from yinji.adapters.sqlite.turns import ACCESS_DAYS, day_of
from yinji.errors import InvalidInput
from yinji.language.names import names_of
from yinji.model import Link, LinkKind, MemoryEntry, Scope, Source
from yinji.ports import NewMemory

if TYPE_CHECKING:
    from yinji.ports import Vector

_SQL = load("memories")
_PAGE = 500
FIRST = (-(2**63), 0)
"""The place before all memories: (recorded_at, row)."""
"""Memories that ``iterate`` holds at a time."""
_NO_LIMIT = -1
HARD_FACTS = 200
"""Memories that ``hard_facts`` gives at most (see the Store port)."""


# in


def insert(db: apsw.Connection, path: str, new: NewMemory, *, owner: int, revision: int) -> int:
    """Writes a memory with all that makes it findable; returns its row."""
    entry = new.entry
    db.execute(_SQL["add"], memory_row(entry, owner, revision, embedded=new.vector is not None))
    row = db.last_insert_rowid()
    for source in entry.sources:
        add_source(db, owner, row, source)
    for link in entry.links:
        add_link(db, owner, row, link)
    put_mentions(db, owner, row, names_of(entry))
    if entry.recalls_90d:
        # Which days they fell on is not known: the last use stands for all.
        day = day_of(entry.accessed_at or entry.updated_at)
        db.execute(_SQL["add_uses"], {"memory": row, "day": day, "owner": owner, "count": entry.recalls_90d})
    put_terms(db, owner, row, new.terms)
    if new.vector is not None:
        put_vector(db, owner, row, new.vector, model=_model_row(db, path, entry.model, new.vector))
    return row


def put_mentions(db: apsw.Connection, owner: int, row: int, names: Iterable[str]) -> None:
    """The names that a memory holds."""
    for name in names:
        db.execute(_SQL["add_mention"], {"memory": row, "name": name, "owner": owner})


def replace_mentions(db: apsw.Connection, owner: int, row: int, names: Iterable[str]) -> None:
    db.execute(_SQL["remove_mentions"], {"memory": row, "owner": owner})
    put_mentions(db, owner, row, names)


def mentions(db: apsw.Connection, owner: int, row: int) -> list[str]:
    return [name for (name,) in db.execute(_SQL["mentions"], {"memory": row, "owner": owner})]


def add_source(db: apsw.Connection, owner: int, row: int, source: Source) -> bool:
    """Adds a source that is not there yet; False when it is."""
    columns = source_row(source) | {"memory": row, "owner": owner}
    if value(db, _SQL["has_source"], columns):
        return False
    db.execute(_SQL["add_source"], columns)
    return True


def add_link(db: apsw.Connection, owner: int, row: int, link: Link) -> None:
    db.execute(_SQL["add_link"], {"memory": row, "owner": owner, "kind": link.kind.value, "target": link.target})


def remove_link(db: apsw.Connection, owner: int, row: int, kind: LinkKind, target: str) -> None:
    db.execute(_SQL["remove_link"], {"memory": row, "owner": owner, "kind": kind.value, "target": target})


def put_terms(db: apsw.Connection, owner: int, row: int, terms: Sequence[str]) -> None:
    marked = tokens(owner, terms)
    bindings = {"memory": row, "owner": owner, "terms": " ".join(marked), "length": len(marked)}
    db.execute(_SQL["put_terms"], bindings)


def put_vector(db: apsw.Connection, owner: int, row: int, vector: Vector, *, model: int) -> None:
    scale, data = quantised(vector)
    bindings = {"memory": row, "owner": owner, "model": model, "scale": scale, "data": data}
    db.execute(_SQL["put_vector"], bindings)


def remove_vector(db: apsw.Connection, owner: int, row: int) -> None:
    db.execute(_SQL["remove_vector"], {"memory": row, "owner": owner})


def note_vector(db: apsw.Connection, owner: int, row: int, *, embedded: bool) -> None:
    """Notes that a memory that was there before has, or no longer has, a vector."""
    db.execute(_SQL["embedded"], {"memory": row, "owner": owner, "embedded": int(embedded)})


def _model_row(db: apsw.Connection, path: str, name: str | None, vector: Vector) -> int:
    known = owners.model(db)
    if name is None and known is None:
        raise InvalidInput(what="The vector", problem="it does not say which model it is of")
    return owners.set_model(db, path, name or known[1], len(vector))  # type: ignore[index]


def import_all(db: apsw.Connection, path: str, memories: Sequence[NewMemory]) -> list[tuple[int, str]]:
    """Writes the memories whose ids are not there yet; (owner, id) of each that was new."""
    revisions: dict[str, tuple[int, int]] = {}
    added = []
    for new in memories:
        name = new.entry.owner
        if name not in revisions:
            number = ensure(db, name)
            revisions[name] = number, owners.bump(db, number)
        owner, revision = revisions[name]
        if row_of(db, owner, new.entry.id) is None:
            insert(db, path, new, owner=owner, revision=revision)
            added.append((owner, new.entry.id))
    return added


def put_vectors(db: apsw.Connection, path: str, found: Sequence[tuple[str, str, Vector]], *, model: str) -> None:
    """Gives memories their vectors; ones that are gone by now are passed over."""
    revisions: dict[int, int] = {}
    for name, memory_id, vector in found:
        owner = find(db, name)
        row = row_of(db, owner, memory_id) if owner is not None else None
        if owner is None or row is None:
            continue
        if owner not in revisions:
            revisions[owner] = owners.bump(db, owner)
        put_vector(db, owner, row, vector, model=owners.set_model(db, path, model, len(vector)))
        note_vector(db, owner, row, embedded=True)
        db.execute(_SQL["mark"], {"memory": row, "owner": owner, "revision": revisions[owner]})


def touch(db: apsw.Connection, owner: int, ids: Sequence[str], at: datetime) -> int:
    found = list(rows(db, _SQL["find"], {"owner": owner, "ids": as_json(list(ids)), "hidden": 0}))
    for row in found:
        use = {"memory": row["row"], "owner": owner, "day": day_of(at), "count": 1}
        db.execute(_SQL["add_uses"], use)
        db.execute(_SQL["forget_uses"], {"memory": row["row"], "owner": owner, "day": day_of(at) - ACCESS_DAYS})
        zones = rezoned(row["zones"], "accessed_at", at)
        db.execute(_SQL["used"], {"memory": row["row"], "owner": owner, "at": micros(at), "zones": zones})
    return len(found)


# out


def row_of(db: apsw.Connection, owner: int, memory_id: str) -> int | None:
    found: int | None = value(db, _SQL["row_of"], {"owner": owner, "id": memory_id})
    return found


def found_by_id(db: apsw.Connection, owner: int, ids: Sequence[str], *, hidden: bool) -> dict[str, int]:
    """Row numbers by id, of those that exist."""
    bindings = {"owner": owner, "ids": as_json(list(ids)), "hidden": int(hidden)}
    return {memory_id: row for row, memory_id, _ in db.execute(_SQL["find"], bindings)}


def whole(db: apsw.Connection, name: str, owner: int, wanted: Sequence[int]) -> list[MemoryEntry]:
    """The memories of these rows, in this order, with their sources, links and counts."""
    bindings = {"owner": owner, "rows": as_json(list(wanted))}
    sources: dict[int, list[Source]] = defaultdict(list)
    for row in rows(db, _SQL["sources"], bindings):
        sources[row["memory"]].append(source_from(row))
    links: dict[int, list[Link]] = defaultdict(list)
    for row in rows(db, _SQL["links"], bindings):
        links[row["memory"]].append(link_from(row))
    uses: dict[int, int] = dict(db.execute(_SQL["uses"], bindings))
    entries = {
        row["row"]: memory_from(
            row,
            owner=name,
            sources=sources[row["row"]],
            links=links[row["row"]],
            recalls_90d=uses.get(row["row"], 0),
        )
        for row in rows(db, _SQL["whole"], bindings)
    }
    return [entries[row] for row in wanted if row in entries]


def get(db: apsw.Connection, name: str, ids: Sequence[str], *, hidden: bool) -> list[MemoryEntry]:
    owner = find(db, name)
    if owner is None:
        return []
    found = found_by_id(db, owner, ids, hidden=hidden)
    return whole(db, name, owner, [found[memory_id] for memory_id in ids if memory_id in found])


def successor(db: apsw.Connection, name: str, memory_id: str) -> str | None:
    """The latest memory that has a link saying that it supersedes this one."""
    found: str | None = value(db, _SQL["successor"], {"owner": find(db, name), "id": memory_id})
    return found


def select(
    db: apsw.Connection, scope: Scope, *, limit: int | None, offset: int, newest_first: bool
) -> list[MemoryEntry]:
    direction = "DESC" if newest_first else "ASC"
    order = f"m.recorded_at {direction}, m.row {direction}"
    return _in_scope(db, scope, only="TRUE", order=order, limit=_NO_LIMIT if limit is None else limit, offset=offset)


def hard_facts(db: apsw.Connection, scope: Scope) -> list[MemoryEntry]:
    order = "m.importance DESC, m.recorded_at DESC"
    return _in_scope(db, scope, only=f"({_SQL['hard_facts'].strip()})", order=order, limit=HARD_FACTS)


def _in_scope(
    db: apsw.Connection, scope: Scope, *, only: str, order: str, limit: int, offset: int = 0
) -> list[MemoryEntry]:
    owner = find(db, scope.owner)
    if owner is None:
        return []
    sql = _SQL["in_scope"].replace("{only}", only).replace("{order}", order)
    bindings = _scope_bindings(scope, owner) | {"limit": limit, "offset": offset}
    return whole(db, scope.owner, owner, [row for (row,) in db.execute(sql, bindings)])


def mentioned(db: apsw.Connection, name: str, ids: Sequence[str]) -> list[tuple[str, str]]:
    """(memory id, name that it holds)"""
    bindings = {"owner": find(db, name), "ids": as_json(list(ids))}
    return list(db.execute(_SQL["mentioned"], bindings))


def ending(db: apsw.Connection, name: str, tail: str, limit: int) -> list[str]:
    bindings = {"owner": find(db, name), "tail": tail, "length": len(tail), "limit": limit}
    return [memory_id for (memory_id,) in db.execute(_SQL["ending"], bindings)] if tail else []


def _scope_bindings(scope: Scope, owner: int) -> dict[str, Any]:
    since, until = during_bounds(scope)
    return {
        "owner": owner,
        "hidden": int(scope.hidden),
        "kinds": _names(scope.kinds),
        "scenes": _names(scope.scenes),
        "validity": _names(scope.validity),
        "as_of": micros(scope.as_of) if scope.as_of else None,
        "since": since,
        "until": until,
    }


def during_bounds(scope: Scope) -> tuple[int | None, int | None]:
    """The ends of ``during`` in microseconds; an interval without length is a moment that something may cover."""
    if scope.during is None:
        return None, None
    since = micros(scope.during.start) if scope.during.start else None
    until = micros(scope.during.end) if scope.during.end else None
    if since is not None and until is not None:
        until = max(until, since + 1)
    return since, until


def _names(wanted: frozenset[Any] | None) -> str | None:
    return None if wanted is None else as_json(sorted(str(name) for name in wanted))


def page(db: apsw.Connection, name: str, after: tuple[int, int] | None) -> tuple[list[MemoryEntry], tuple[int, int]]:
    """Some memories after a place, oldest first, and the place that the next page starts after."""
    places = places_after(db, name, after)
    return at_places(db, name, places), places[-1] if places else after or FIRST


def places_after(db: apsw.Connection, name: str, after: tuple[int, int] | None) -> list[tuple[int, int]]:
    """The places of the next page: the index alone is read for them."""
    recorded_at, row = after or FIRST
    bindings = {"owner": find(db, name), "recorded_at": recorded_at, "row": row, "limit": _PAGE}
    return [(at, row) for row, at in db.execute(_SQL["page"], bindings)]


def at_places(db: apsw.Connection, name: str, places: Sequence[tuple[int, int]]) -> list[MemoryEntry]:
    owner = find(db, name)
    return whole(db, name, owner, [row for _, row in places]) if owner is not None and places else []


def by_slot(db: apsw.Connection, name: str, subject: str, attribute: str) -> list[MemoryEntry]:
    owner = find(db, name)
    if owner is None:
        return []
    bindings = {"owner": owner, "subject": subject, "attribute": attribute}
    return whole(db, name, owner, [row for (row,) in db.execute(_SQL["by_slot"], bindings)])


def by_content(db: apsw.Connection, name: str, content_key: str) -> list[MemoryEntry]:
    owner = find(db, name)
    if owner is None:
        return []
    bindings = {"owner": owner, "key": digest(content_key)}
    return whole(db, name, owner, [row for (row,) in db.execute(_SQL["by_content"], bindings)])


def vectors_of(db: apsw.Connection, name: str, ids: Sequence[str], model: str) -> dict[str, Vector]:
    import numpy as np

    bindings = {"owner": owners.find(db, name), "ids": as_json(ids), "model": model}
    return {
        memory_id: np.frombuffer(data, np.int8).astype(np.float32) * np.float32(scale)
        for memory_id, scale, data in db.execute(_SQL["vectors_of"], bindings)
    }


def without_vector(db: apsw.Connection, model: str, limit: int) -> list[tuple[str, str, str]]:
    known = owners.model(db)
    other = known is not None and known[1] != model
    return list(db.execute(_SQL["all_contents" if other else "without_vector"], {"limit": limit}))
