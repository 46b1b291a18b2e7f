"""Documents that programs keep: written all together or not at all, read by name, compared by their vectors."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import apsw

from yinji.adapters.sqlite.owners import ensure, find, model, rows, set_model
from yinji.adapters.sqlite.queries import load
from yinji.adapters.sqlite.rows import micros, moment_of, quantised
from yinji.document import Document, DocumentWrite, Shelf
from yinji.errors import StoreError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from yinji.ports import Vectors

_SQL = load("documents")
_PAGE = 256
_UTC = "+0000"
"""The zone of all times here: they are those of programs."""


def write(
    db: apsw.Connection, path: str, owner: str, collection: str, writes: Sequence[DocumentWrite], *, at: datetime
) -> bool:
    """False, and nothing is written, where a document is not as it was expected to be."""
    whose = ensure(db, owner)
    known = [_known(db, whose, collection, one) for one in writes]
    if any(one.expected not in (None, row) for one, (row, _) in zip(writes, known, strict=True)):
        return False
    for one in writes:
        # Looked up again: an earlier one of these may have been of the same name.
        row, created_at = _known(db, whose, collection, one)
        db.execute(_SQL["remove"], {"owner": whose, "row": row})
        if one.value is not None:
            first = one.created_at or (moment_of(created_at, _UTC) if row else at)
            _add(db, path, whose, collection, one, created_at=first, at=at)
    return True


def _known(db: apsw.Connection, owner: int, collection: str, one: DocumentWrite) -> tuple[int, int]:
    """(row, when it was first written); zeros while there is none of that name."""
    bindings = {"owner": owner, "collection": collection, "namespace": _labels(one.namespace), "key": one.key}
    found: tuple[int, int] | None = db.execute(_SQL["stamp"], bindings).get
    return found or (0, 0)


def _add(
    db: apsw.Connection,
    path: str,
    owner: int,
    collection: str,
    one: DocumentWrite,
    *,
    created_at: datetime,
    at: datetime,
) -> None:
    bindings = {
        "owner": owner,
        "collection": collection,
        "namespace": _labels(one.namespace),
        "key": one.key,
        "value": written(one.value),
        "fields": written(list(one.fields)),
        "embedded": int(one.vectors is not None or not one.fields),
        "created_at": micros(created_at),
        "updated_at": micros(one.updated_at or at),
    }
    db.execute(_SQL["add"], bindings)
    if one.vectors is not None and one.model:
        _put_vectors(db, path, owner, db.last_insert_rowid(), one.vectors, name=one.model)


def _put_vectors(db: apsw.Connection, path: str, owner: int, row: int, vectors: Vectors, *, name: str) -> None:
    if not len(vectors):
        return
    number = set_model(db, path, name, vectors.shape[1])
    for ordinal, vector in enumerate(vectors):
        scale, data = quantised(vector)
        bindings = {"document": row, "ordinal": ordinal, "owner": owner, "model": number, "scale": scale, "data": data}
        db.execute(_SQL["add_vector"], bindings)


def put_vectors(db: apsw.Connection, path: str, owner: str, found: Iterable[tuple[int, Vectors]], *, name: str) -> None:
    """Those of documents that were changed meanwhile are let go."""
    whose = find(db, owner)
    known = model(db)
    if known is not None and known[1] != name:
        raise StoreError(path=path, problem=f"its vectors are of {known[1]}, not of {name}")
    for row, vectors in found:
        if whose is not None and db.execute(_SQL["embedded"], {"owner": whose, "row": row}).get is not None:
            _put_vectors(db, path, whose, row, vectors, name=name)


def on_shelf(
    db: apsw.Connection, shelf: Shelf, *, limit: int | None, offset: int, newest_first: bool, pending: bool
) -> list[Document]:
    where = _where(shelf) + (" AND " + _SQL["pending"] if pending else "")
    sql = _SQL["on_shelf"].replace("{where}", where).replace("{order}", "DESC" if newest_first else "ASC")
    bindings = _of_shelf(db, shelf) | {"limit": -1 if limit is None else limit, "offset": offset}
    return [_document(row) for row in rows(db, sql, bindings)]


def at_stamps(db: apsw.Connection, owner: str, stamps: Sequence[int]) -> list[Document]:
    bindings = {"owner": find(db, owner), "rows": json.dumps(list(stamps))}
    found = {row["row"]: _document(row) for row in rows(db, _SQL["at_rows"], bindings)}
    return [found[one] for one in stamps if one in found]


def page(db: apsw.Connection, owner: str, after: int) -> list[Document]:
    bindings = {"owner": find(db, owner), "after": after, "limit": _PAGE}
    return [_document(row) for row in rows(db, _SQL["page"], bindings)]


def namespaces(db: apsw.Connection, owner: str, collection: str) -> list[tuple[str, ...]]:
    bindings = {"owner": find(db, owner), "collection": collection}
    return sorted(tuple(json.loads(text)) for (text,) in db.execute(_SQL["namespaces"], bindings))


def vectors(db: apsw.Connection, shelf: Shelf, name: str) -> tuple[NDArray[np.int64], Vectors]:
    """The stamps of documents and, row by row, what they are found by."""
    import numpy as np

    known = model(db)
    number = known[0] if known is not None and known[1] == name else None
    sql = _SQL["vectors"].replace("{where}", _where(shelf))
    found = list(db.execute(sql, _of_shelf(db, shelf) | {"model": number})) if number is not None else []
    if not found:
        return np.zeros(0, np.int64), np.zeros((0, 0), np.float32)
    stamps, scales, data = zip(*found, strict=True)
    whole = np.frombuffer(b"".join(data), np.int8).reshape(len(data), -1).astype(np.float32)
    return np.array(stamps, np.int64), whole * np.array(scales, np.float32)[:, None]


def written(value: object) -> str:
    """JSON in the characters themselves; half a surrogate pair, which UTF-8 has no bytes for, as an escape."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"), allow_nan=False)
    return text


def _labels(namespace: Sequence[str]) -> str:
    return written(list(namespace))


def _where(shelf: Shelf) -> str:
    """Which rows are meant, so that the index of their names finds them."""
    conditions = [_SQL["below" if shelf.below else "exactly"].strip()]
    return " AND ".join([*conditions, *([_SQL["named"].strip()] if shelf.key is not None else [])])


def _of_shelf(db: apsw.Connection, shelf: Shelf) -> dict[str, Any]:
    """All that is below ``["a"]`` begins with ``["a",``, and so comes before ``["a"-``."""
    whole = _labels(shelf.namespace)
    since = whole[:-1] + ("," if shelf.namespace else "")
    return {
        "owner": find(db, shelf.owner),
        "collection": shelf.collection,
        "namespace": whole,
        "since": since,
        "until": since[:-1] + chr(ord(since[-1]) + 1),
        "key": shelf.key,
    }


def _document(row: dict[str, Any]) -> Document:
    return Document(
        collection=row["collection"],
        namespace=tuple(json.loads(row["namespace"])),
        key=row["key"],
        value=json.loads(row["value"]),
        created_at=moment_of(row["created_at"], _UTC),
        updated_at=moment_of(row["updated_at"], _UTC),
        fields=tuple(json.loads(row["fields"])),
        stamp=row["row"],
    )
