"""What was not kept and what it comes to by day; what became of memories; how often a language model was asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import apsw

from yinji.adapters.sqlite.owners import ensure, find, rows, value
from yinji.adapters.sqlite.queries import load
from yinji.adapters.sqlite.rows import micros, moment_of, zone_of
from yinji.adapters.sqlite.turns import day_of
from yinji.model import DropReason, Role
from yinji.review import Digest, Dropped, Feedback, FeedbackVerdict

_SQL = load("buffers")
_DAY = 86_400_000_000
_EPOCH = date(1970, 1, 1)


def dropped(
    db: apsw.Connection, owner: str, *, reason: DropReason | None, number: int | None, limit: int | None
) -> list[Dropped]:
    bindings = {
        "owner": find(db, owner),
        "reason": reason.value if reason else None,
        "number": number,
        "limit": -1 if limit is None else limit,
    }
    return [_dropped(row) for row in rows(db, _SQL["dropped"], bindings)]


def _dropped(row: dict[str, Any]) -> Dropped:
    return Dropped(
        number=row["number"],
        text=row["text"],
        reason=DropReason(row["reason"]),
        role=Role(row["role"]),
        turn_id=row["turn_id"],
        session=row["session"],
        app=row["app"],
        said_at=moment_of(row["at"], row["zone"]),
    )


def let_go(db: apsw.Connection, owner: str, number: int) -> bool:
    """Whether there was such a piece. Its turn's words go too where no memory came from them."""
    whose = find(db, owner)
    found = dropped(db, owner, reason=None, number=number, limit=1)
    for one in found:
        db.execute(_SQL["let_go"], {"owner": whose, "number": number})
        db.execute(_SQL["let_go_of_turn"], {"owner": whose, "turn_id": one.turn_id})
    return bool(found)


def digest(
    db: apsw.Connection, now: datetime, summarise: Callable[[Sequence[tuple[str, DropReason]]], str], *, days: int
) -> int:
    """Sums up every day that is over, and removes what is older; how many were summed up."""
    today = day_of(now)
    due = list(db.execute(_SQL["days"], {"before": today * _DAY}))
    for owner, _, day in due:
        bounds = {"owner": owner, "since": day * _DAY, "until": (day + 1) * _DAY}
        pieces = [(text, DropReason(reason)) for text, reason in db.execute(_SQL["of_day"], bounds)]
        bindings = {"owner": owner, "day": day, "pieces": len(pieces), "text": summarise(pieces)}
        db.execute(_SQL["add_digest"], bindings)
    db.execute(_SQL["sweep_digests"], {"day": today - days})
    return len(due)


def digests(db: apsw.Connection, owner: str) -> list[Digest]:
    return [
        Digest(day=_EPOCH + timedelta(days=day), pieces=pieces, text=text)
        for day, pieces, text in db.execute(_SQL["digests"], {"owner": find(db, owner)})
    ]


def add_feedback(
    db: apsw.Connection, owner: str, given: Sequence[tuple[str, FeedbackVerdict, int | None]], *, at: datetime
) -> None:
    whose = ensure(db, owner)
    for memory_id, verdict, rank in given:
        bindings = {"owner": whose, "memory_id": memory_id, "verdict": verdict.value, "rank": rank}
        db.execute(_SQL["add_feedback"], bindings | {"at": micros(at), "zone": zone_of(at)})


def feedback(db: apsw.Connection, owner: str) -> list[Feedback]:
    return [
        Feedback(memory_id=memory_id, verdict=FeedbackVerdict(verdict), rank=rank, at=moment_of(at, zone))
        for memory_id, verdict, rank, at, zone in db.execute(_SQL["feedback"], {"owner": find(db, owner)})
    ]


def count_call(db: apsw.Connection, owner: str, *, at: datetime, most: int) -> bool:
    """Counts a call to a language model on that day in UTC; False, and not counted, when ``most`` are reached."""
    day = day_of(at.astimezone(UTC))
    if value(db, _SQL["calls"], {"day": day}) >= most:
        return False
    db.execute(_SQL["count_call"], {"owner": ensure(db, owner), "day": day})
    return True
