"""Answers that are given again to a request that comes again, as rows of the store."""

from __future__ import annotations

from datetime import datetime

import apsw

from yinji.adapters.sqlite.owners import find, value
from yinji.adapters.sqlite.queries import load
from yinji.adapters.sqlite.rows import micros
from yinji.ports import Replay

_SQL = load("replays")


def begin(db: apsw.Connection, owner: str, key: bytes, *, since: datetime) -> tuple[Replay | None, int]:
    number = find(db, owner)
    erasures = value(db, _SQL["erasures"], {"owner": number}) or 0
    found = db.execute(_SQL["find"], {"owner": number, "key": key, "since": micros(since)}).get
    return (None if found is None else Replay(request=found[0], status=found[1], body=found[2])), erasures


def keep(
    db: apsw.Connection,
    owner: str,
    key: bytes,
    replay: Replay,
    *,
    begun: int,
    at: datetime,
    since: datetime,
    most: int,
) -> None:
    number = find(db, owner)
    if number is None:
        return
    parts = {"request": replay.request, "status": replay.status, "body": replay.body, "at": micros(at)}
    db.execute(_SQL["keep"], {"owner": number, "key": key, "erasures": begun, **parts})
    db.execute(_SQL["drop_old"], {"since": micros(since), "most": most})


def drop_owners(db: apsw.Connection, owner: int) -> None:
    db.execute(_SQL["drop_owners"], {"owner": owner})
