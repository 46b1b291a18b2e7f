"""Who owns what, and which embedding model the vectors are of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import apsw

from yinji.adapters.sqlite.queries import load
from yinji.errors import InvalidInput, MissingOwner, StoreError

_SQL = load("owners")
NAME_LIMIT = 200
"""Characters in an owner's name."""


def rows(db: apsw.Connection, sql: str, bindings: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The rows of a query by column name."""
    cursor = db.execute(sql, bindings)
    names: list[str] | None = None
    for row in cursor:
        names = names or [column[0] for column in cursor.get_description()]
        yield dict(zip(names, row, strict=True))


def value(db: apsw.Connection, sql: str, bindings: dict[str, Any]) -> Any:
    """The only column of the only row; None when there is no row."""
    return db.execute(sql, bindings).get


def find(db: apsw.Connection, name: str) -> int | None:
    """The owner's number; None while nothing is kept for it."""
    if not name:
        raise MissingOwner
    found: int | None = value(db, _SQL["find"], {"name": name})
    return found


def ensure(db: apsw.Connection, name: str) -> int:
    """The owner's number, given now if it has none."""
    if len(name) > NAME_LIMIT:
        raise InvalidInput(what="The owner's name", problem=f"it has more than {NAME_LIMIT} characters")
    found = find(db, name)
    if found is None:
        db.execute(_SQL["add"], {"name": name})
        found = db.last_insert_rowid()
    return found


def bump(db: apsw.Connection, owner: int) -> int:
    """The revision that the rows changed in this transaction carry."""
    revision: int = value(db, _SQL["bump"], {"owner": owner})
    return revision


def revision(db: apsw.Connection, name: str) -> tuple[int, int]:
    """The owner's revision and how often something was erased; zeros while nothing is kept for it."""
    found: tuple[int, int] | None = db.execute(_SQL["revision"], {"owner": find(db, name)}).get
    return found or (0, 0)


def everyone(db: apsw.Connection) -> list[str]:
    return [name for (name,) in db.execute(_SQL["all"])]


def model(db: apsw.Connection) -> tuple[int, str, int] | None:
    """(row, id, dimension) of the model that the vectors are of."""
    found: tuple[int, str, int] | None = db.execute(_SQL["model"]).get
    return found


def set_model(db: apsw.Connection, path: str, name: str, dim: int) -> int:
    """The model's row; another model than before is taken only while there are no vectors."""
    known = model(db)
    if known is not None and known[1:] == (name, dim):
        return known[0]
    if known is not None:
        if value(db, _SQL["any_vector"], {}):
            problem = f"its vectors are of {known[1]} ({known[2]}), those of {name} ({dim}) cannot stand beside them"
            raise StoreError(path=path, problem=problem)
        db.execute(_SQL["drop_models"])
    db.execute(_SQL["add_model"], {"name": name, "dim": dim})
    return db.last_insert_rowid()
