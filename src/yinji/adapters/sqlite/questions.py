"""What the user is to be asked, and what an answer does (SPEC L8)."""

from __future__ import annotations

from typing import Any

import apsw

from yinji.adapters.sqlite import changes, memories
from yinji.adapters.sqlite.changes import Pen
from yinji.adapters.sqlite.owners import find, rows
from yinji.adapters.sqlite.queries import load
from yinji.adapters.sqlite.rows import micros, moment_of, zone_of
from yinji.errors import InvalidInput, NotFound
from yinji.model import Choice, JournalEntry, MemoryEntry, Question, Validity, Verdict
from yinji.ports import Doubt, Retire

_SQL = load("questions")


def add(pen: Pen, doubt: Doubt) -> None:
    bindings = {
        "owner": pen.owner,
        "at": micros(pen.at),
        "zone": zone_of(pen.at),
        "verdict": doubt.verdict.value,
        "old": doubt.old,
        "new": doubt.new,
        "turn": pen.turn,
    }
    pen.db.execute(_SQL["add"], bindings)


def listed(db: apsw.Connection, name: str, *, answered: bool | None) -> list[Question]:
    wanted = None if answered is None else int(answered)
    found = list(rows(db, _SQL["listed"], {"owner": find(db, name), "answered": wanted}))
    ids = [row[side] for row in found for side in ("old", "new")]
    entries = {one.id: one for one in memories.get(db, name, ids, hidden=True)}
    return [_question(row, entries) for row in found]


def _question(row: dict[str, Any], entries: dict[str, MemoryEntry]) -> Question:
    return Question(
        id=row["id"],
        at=moment_of(row["at"], row["zone"]),
        verdict=Verdict(row["verdict"]),
        old=entries[row["old"]],
        new=entries[row["new"]],
        answer=None if row["answer"] is None else Choice(row["answer"]),
    )


def settle(pen: Pen, question_id: int, choice: Choice) -> Question:
    row = next(rows(pen.db, _SQL["one"], {"owner": pen.owner, "id": question_id}), None)
    if row is None:
        raise NotFound(what="question", name=question_id)
    if row["answer"] is not None:
        raise InvalidInput(what=f"Question {question_id}", problem="it was answered before")
    verdict, old, new = Verdict(row["verdict"]), row["old"], row["new"]
    if choice in (Choice.OLD, Choice.NEITHER):
        _refuse(pen, new, waiting=verdict is Verdict.UNSURE)
    else:
        _accept(pen, new, waiting=verdict is Verdict.UNSURE)
    if choice in (Choice.OLD, Choice.BOTH):
        _accept(pen, old, waiting=False)
    else:
        outdated = choice is Choice.NEW and verdict is not Verdict.CONFLICT
        _end(pen, old, Validity.SUPERSEDED if outdated else Validity.RETRACTED, by=new if outdated else None)
    bindings = {"owner": pen.owner, "id": question_id, "answer": choice.value, "at": micros(pen.at)}
    pen.db.execute(_SQL["answer"], bindings)
    entries = {one.id: one for one in memories.get(pen.db, pen.name, [old, new], hidden=True)}
    return _question({**row, "answer": choice.value}, entries)


def _accept(pen: Pen, memory_id: str, *, waiting: bool) -> None:
    """It holds: out of hiding, and no longer disputed."""
    was = pen.state(memory_id)
    if was is None:
        return
    if waiting and was["hidden_at"] is not None:
        pen.run("show", was["row"])
        pen.note("added", memory_id, reason=REASON, undoable=True)
    if was["validity"] == Validity.DISPUTED.value:
        changes.retire(pen, Retire(memory_id=memory_id, validity=Validity.CURRENT, at=pen.at, by=None, reason=REASON))


def _refuse(pen: Pen, memory_id: str, *, waiting: bool) -> None:
    if not waiting:
        _end(pen, memory_id, Validity.RETRACTED, by=None)


def _end(pen: Pen, memory_id: str, validity: Validity, *, by: str | None) -> None:
    changes.retire(pen, Retire(memory_id=memory_id, validity=validity, at=pen.at, by=by, reason=REASON))


def undo_with(pen: Pen, entry_id: int) -> list[JournalEntry]:
    """Takes back a change and what was changed together with it; what an answer had settled is asked again."""
    told = changes.line(pen, entry_id)
    done = changes.undo_all(pen, entry_id)
    if told["reason"] == REASON:
        pen.db.execute(_SQL["reopen"], {"owner": pen.owner, "at": told["at"]})
    return done


REASON = "the user answered"
