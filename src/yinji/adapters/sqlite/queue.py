"""What reading a turn changed, applied in one transaction or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import apsw

from yinji.adapters.sqlite import buffers, changes, memories, owners, questions, turns
from yinji.adapters.sqlite.changes import Pen
from yinji.ports import NewMemory, Outcome

ACTOR = "yinji"
"""Who made the changes that reading a turn makes."""


def pen(
    db: apsw.Connection, path: str, owner: int, name: str, *, at: datetime, actor: str, turn: int | None = None
) -> Pen:
    """What is needed to change memories of an owner in this transaction."""
    revision = owners.bump(db, owner)
    return Pen(db=db, path=path, owner=owner, name=name, revision=revision, at=at, actor=actor, turn=turn)


def commit(db: apsw.Connection, path: str, outcome: Outcome) -> bool:
    """False when the turn had been read already, or was erased meanwhile: nothing is applied then."""
    turn = outcome.turn
    owner = owners.find(db, turn.owner)
    row = turns.unread(db, owner, turn.id) if owner is not None else None
    if owner is None or row is None:
        return False
    author = pen(db, path, owner, turn.owner, at=outcome.at, actor=ACTOR, turn=row)
    for new in outcome.added:
        memories.insert(db, path, new, owner=owner, revision=author.revision)
        author.note("added", new.entry.id, undoable=True)
    for waiting in outcome.waiting:
        memories.insert(db, path, waiting, owner=owner, revision=author.revision)
    for retired in outcome.retired:
        changes.retire(author, retired)
    told = [(one.memory_id, one.feedback, None) for one in outcome.retired if one.feedback is not None]
    buffers.add_feedback(db, turn.owner, told, at=outcome.at)
    for overtaken in outcome.overtaken:
        changes.overtake(author, overtaken)
    for reinforced in outcome.reinforced:
        changes.reinforce(author, reinforced)
    for doubt in outcome.doubts:
        questions.add(author, doubt)
    if any(told.startswith(changes.NOT_FORGOTTEN) for told in outcome.warnings):
        author.note(changes.NOT_FORGOTTEN, None)
    turns.finish(db, owner, row, drops=outcome.drops, warnings=outcome.warnings, at=outcome.at)
    return True


def import_memories(db: apsw.Connection, path: str, found: Sequence[NewMemory], *, at: datetime) -> int:
    added = memories.import_all(db, path, found)
    for owner, memory_id in added:
        author = Pen(db=db, path=path, owner=owner, name="", revision=0, at=at, actor=ACTOR)
        author.note("imported", memory_id, undoable=True)
    return len(added)
