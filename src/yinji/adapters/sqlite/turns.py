"""Turns on their way in: accepted, claimed, done, and let go."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import apsw

from yinji.adapters.sqlite.lease import is_dead
from yinji.adapters.sqlite.owners import ensure, find, rows, value
from yinji.adapters.sqlite.queries import load
from yinji.adapters.sqlite.rows import (
    as_json,
    body_of,
    drop_from,
    micros,
    turn_from,
    turn_row,
)
from yinji.errors import KeyReused
from yinji.model import Drop, Turn
from yinji.ports import Accepted

_SQL = load("turns")
ATTEMPTS = 5
"""Failed readings that make a turn a dead letter."""
ACCESS_DAYS = 90
"""Days for which uses are counted (SPEC K2)."""

Told = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[Drop, ...], tuple[str, ...]]
"""(added ids, reinforced ids, superseded ids, drops, warnings)"""


def accept(db: apsw.Connection, turns: Sequence[Turn]) -> list[Accepted]:
    return [_accept_one(db, turn) for turn in turns]


def _accept_one(db: apsw.Connection, turn: Turn) -> Accepted:
    owner = ensure(db, turn.owner)
    known = next(rows(db, _SQL["by_id"], {"owner": owner, "id": turn.id}), None)
    if known is None:
        turn = _numbered(db, turn, owner)
        known = next(rows(db, _SQL["by_key"], {"owner": owner, "key": turn.key}), None)
    if known is None:
        db.execute(_SQL["add"], turn_row(turn, owner))
        return Accepted(turn=turn, repeated=False, pending=True)
    # An erased turn has no body any more: whatever comes with its key teaches nothing again.
    if known["state"] != "erased" and known["body"] != body_of(turn):
        raise KeyReused(key=known["key"])
    return Accepted(turn=turn_from(known), repeated=True, pending=known["state"] == "waiting")


def _numbered(db: apsw.Connection, turn: Turn, owner: int) -> Turn:
    seq = turn.seq
    if seq < 0:
        seq = value(db, _SQL["next_seq"], {"owner": owner, "session": turn.session})
    return replace(turn, seq=seq, key=turn.key or f"{turn.session}#{seq}")


def claimable(db: apsw.Connection, holder: str, now: datetime) -> bool:
    """Whether there is something to read that nobody else is reading."""
    return bool(value(db, _SQL["any_waiting"], {})) and _lease_is_free(db, holder, now)


def claim(db: apsw.Connection, *, holder: str, now: datetime, limit: int, lease_s: float) -> list[Turn]:
    if not _lease_is_free(db, holder, now):
        return []
    db.execute(_SQL["take_lease"], {"holder": holder, "until": micros(now) + int(lease_s * 1_000_000)})
    return [turn_from(row) for row in rows(db, _SQL["waiting"], {"limit": limit})]


def _lease_is_free(db: apsw.Connection, holder: str, now: datetime) -> bool:
    lease: tuple[str, int] | None = db.execute(_SQL["lease"]).get
    return lease is None or lease[0] == holder or lease[1] <= micros(now) or is_dead(lease[0])


def release_lease(db: apsw.Connection, holder: str) -> None:
    db.execute(_SQL["release_lease"], {"holder": holder})


def unread(db: apsw.Connection, owner: int, turn_id: str) -> int | None:
    """The row of a turn whose reading may still be applied."""
    found: int | None = value(db, _SQL["unread"], {"owner": owner, "id": turn_id})
    return found


def finish(
    db: apsw.Connection, owner: int, row: int, *, drops: Sequence[Drop], warnings: Sequence[str], at: datetime
) -> None:
    """Takes a turn off the queue with what was not kept of it."""
    for drop in drops:
        bindings = {
            "owner": owner,
            "turn": row,
            "text": drop.text,
            "reason": drop.reason.value,
            "start": drop.start,
            "end": drop.end,
            "role": drop.role.value,
            "at": micros(at),
        }
        db.execute(_SQL["add_drop"], bindings)
    db.execute(_SQL["done"], {"owner": owner, "row": row, "warnings": as_json(list(warnings))})


def fail(db: apsw.Connection, turn: Turn, error: str) -> None:
    owner = find(db, turn.owner)
    db.execute(_SQL["fail"], {"owner": owner, "id": turn.id, "error": error, "limit": ATTEMPTS})


def pending(db: apsw.Connection, owner: str | None, ids: Sequence[str] | None) -> int:
    bindings = {"owner": owner, "ids": None if ids is None else as_json(list(ids))}
    count: int = value(db, _SQL["pending"], bindings)
    return count


def outcome_of(db: apsw.Connection, owner: str, turn_id: str) -> Told | None:
    number = find(db, owner)
    turn = next(rows(db, _SQL["by_id"], {"owner": number, "id": turn_id}), None)
    if turn is None or turn["state"] == "waiting":
        return None
    bindings = {"owner": number, "turn": turn["row"]}
    done: dict[str, list[str]] = {"added": [], "reinforced": [], "retired": []}
    for action, memory_id in db.execute(_SQL["effects"], bindings):
        done[action if action in done else "retired"].append(memory_id)
    drops = tuple(drop_from(row) for row in rows(db, _SQL["drops"], bindings))
    warnings = tuple(json.loads(turn["warnings"]))
    if turn["state"] == "dead":
        warnings += (f"failed:{turn['error']}",)
    return tuple(done["added"]), tuple(done["reinforced"]), tuple(done["retired"]), drops, warnings


def one(db: apsw.Connection, owner: str, turn_id: str) -> Turn | None:
    bindings = {"owner": find(db, owner), "id": turn_id}
    return next((turn_from(row) for row in rows(db, _SQL["by_id"], bindings)), None)


def recent(db: apsw.Connection, owner: str, session: str, before_seq: int | None, limit: int) -> list[Turn]:
    bindings = {"owner": find(db, owner), "session": session, "before": before_seq, "limit": limit}
    return [turn_from(row) for row in rows(db, _SQL["recent"], bindings)][::-1]


def sweep(db: apsw.Connection, now: datetime, *, days: int, keep: int) -> int:
    before = micros(now - timedelta(days=days))
    db.execute(_SQL["sweep_turns"], {"before": before, "keep": keep})
    swept = db.changes()
    db.execute(_SQL["sweep_drops"], {"before": before})
    swept += db.changes()
    db.execute(_SQL["sweep_access"], {"day": day_of(now) - ACCESS_DAYS + 1})
    return swept


def day_of(moment: datetime) -> int:
    """Days since 1970 in UTC."""
    return micros(moment) // 86_400_000_000
