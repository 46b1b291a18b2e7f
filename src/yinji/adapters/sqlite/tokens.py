"""Tokens of the servers' doors, as rows of the store."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import apsw

from yinji.adapters.sqlite.owners import rows, value
from yinji.adapters.sqlite.queries import load
from yinji.adapters.sqlite.rows import as_json, micros, moment_of, zone_of
from yinji.ports import Token

_SQL = load("tokens")


def add(db: apsw.Connection, token: Token, digest: bytes) -> bool:
    """False when the name was given before, to a token that was revoked since or still holds."""
    if value(db, _SQL["by_name"], {"name": token.name}):
        return False
    bindings = {
        "name": token.name,
        "owner": token.owner,
        "app": token.app,
        "may": as_json(sorted(token.may)),
        "digest": digest,
        "created_at": micros(token.created_at),
        "zone": zone_of(token.created_at),
        "until": None if token.until is None else micros(token.until),
        "until_zone": None if token.until is None else zone_of(token.until),
    }
    db.execute(_SQL["add"], bindings)
    return True


def with_digest(db: apsw.Connection, digest: bytes, *, now: datetime) -> Token | None:
    found = rows(db, _SQL["by_digest"], {"digest": digest, "now": micros(now)})
    return next((_token(row) for row in found), None)


def everyone(db: apsw.Connection) -> list[Token]:
    return [_token(row) for row in rows(db, _SQL["all"], {})]


def ever_had_one(db: apsw.Connection) -> bool:
    return bool(value(db, _SQL["any"], {}))


def revoke(db: apsw.Connection, name: str, *, at: datetime) -> bool:
    db.execute(_SQL["revoke"], {"name": name, "at": micros(at)})
    return db.changes() > 0


def _token(row: dict[str, Any]) -> Token:
    return Token(
        name=row["name"],
        owner=row["owner"],
        app=row["app"],
        may=frozenset(json.loads(row["may"])),
        created_at=moment_of(row["created_at"], row["zone"]),
        until=None if row["until"] is None else moment_of(row["until"], row["until_zone"]),
    )
