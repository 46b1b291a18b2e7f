"""What happens to memories that are there: retired, reinforced, edited, hidden, and all of it undone."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import apsw

from yinji.adapters.sqlite import memories, owners, replays
from yinji.adapters.sqlite.owners import find, rows, value
from yinji.adapters.sqlite.queries import load
from yinji.adapters.sqlite.rows import (
    as_json,
    journal_from,
    key_of,
    micros,
    moment_of,
    rezoned,
    says_columns,
    zone_kept,
    zone_of,
)
from yinji.errors import InvalidInput, NotFound
from yinji.language.names import names_of
from yinji.model import HOLDS, JournalEntry, Kind, Layer, Link, LinkKind, Validity
from yinji.ports import Change, Overtake, Reinforce, Retire

_SQL = load("journal")
EDITED = ("content", "kind", "layer", "importance", "scenes", "language", "sensitivity")
"""What a user may change."""
SAYS = (
    "subject",
    *("slot_subject", "slot_attribute", "slot_value", "slot_single"),
    *("polarity", "modality", "fields", "entities"),
)
"""Columns of what is read from a memory's words."""
SETTLED = "settled"
"""Journal action that ends a dispute in favour of a memory."""
RETIRED = tuple(sorted({SETTLED, *(v.value for v in Validity if v is not Validity.CURRENT)}))
"""Journal actions that end a memory's being current: they are called as what it became."""
OVERTAKEN = "overtaken"
"""Journal action that points a memory to a newer one that probably holds in its place."""
NOT_FORGOTTEN = "not_forgotten"
"""Journal action of a request to forget that found nothing: it changes nothing, and is nothing to take back."""
_MAY_RETIRE = {Validity.CURRENT, Validity.DISPUTED}
_LINKS = {Validity.SUPERSEDED: LinkKind.SUPERSEDES, Validity.DISPUTED: LinkKind.CONTRADICTS}
"""How a memory points to the one that it ended or contradicts."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pen:
    """Who changes what, when: all that the changes of one transaction share."""

    db: apsw.Connection
    path: str
    owner: int
    name: str
    revision: int
    at: datetime
    actor: str
    turn: int | None = None

    def note(self, action: str, memory_id: str | None, *, reason: str = "", undoable: bool = False) -> int:
        """Writes a line of the journal; returns its number."""
        line = {
            "owner": self.owner,
            "at": micros(self.at),
            "zone": zone_of(self.at),
            "action": action,
            "memory_id": memory_id,
            "actor": self.actor,
            "reason": reason,
            "turn": self.turn,
            "undoable": int(undoable),
        }
        self.db.execute(_SQL["add"], line)
        return self.db.last_insert_rowid()

    def keep(self, line: int, row: int, previous: dict[str, Any]) -> None:
        """Keeps what undoing that line needs."""
        self.db.execute(_SQL["add_undo"], {"journal": line, "memory": row, "previous": as_json(previous)})

    def run(self, query: str, row: int, **bindings: Any) -> None:
        """One statement of this module on one memory of this owner."""
        shared = {"memory": row, "owner": self.owner, "revision": self.revision, "at": micros(self.at)}
        self.db.execute(_SQL[query], shared | bindings)

    def state(self, memory_id: str) -> dict[str, Any] | None:
        return next(rows(self.db, _SQL["state"], {"owner": self.owner, "id": memory_id}), None)


# by the pipeline


def retire(pen: Pen, change: Retire) -> bool:
    """Ends a memory's being current, or notes that it is disputed; False when it had ended already or is gone. What
    the user asked to forget is hidden as well, whether it still held or not."""
    was = pen.state(change.memory_id)
    forgets = change.validity is Validity.RETRACTED
    ends = change.validity in {Validity.SUPERSEDED, Validity.DISPUTED, Validity.EXPIRED}
    may = _MAY_RETIRE if ends else _MAY_RETIRE | {Validity.SUPERSEDED}
    if was is None or Validity(was["validity"]) not in may or was["validity"] == change.validity:
        return False
    zones = rezoned(was["zones"], "updated_at", change.at)
    if change.validity not in HOLDS:
        zones = rezoned(zones, "retired_at", change.at)
    retired_at = micros(change.at) if change.validity not in HOLDS else None
    pen.run("unretire", was["row"], validity=change.validity.value, retired_at=retired_at, zones=zones)
    by = memories.row_of(pen.db, pen.owner, change.by) if change.by else None
    if by is not None and (link := _LINKS.get(change.validity)) is not None:
        memories.add_link(pen.db, pen.owner, by, Link(kind=link, target=change.memory_id))
    action = SETTLED if change.validity is Validity.CURRENT else change.validity.value
    line = pen.note(action, change.memory_id, reason=change.reason, undoable=True)
    previous = {"validity": was["validity"], "retired_at": was["retired_at"], "zones": was["zones"], "by": change.by}
    hides = forgets and was["hidden_at"] is None
    if hides:
        pen.run("hide", was["row"], zones=rezoned(zones, "hidden_at", pen.at))
        replays.drop_owners(pen.db, pen.owner)
    pen.keep(line, was["row"], previous | ({"shown": True} if hides else {}))
    return True


def overtake(pen: Pen, change: Overtake) -> bool:
    """Points a memory to the newer one; False when it is gone or no longer holds anyway."""
    was = pen.state(change.memory_id)
    if was is None or Validity(was["validity"]) not in HOLDS:
        return False
    memories.add_link(pen.db, pen.owner, was["row"], Link(kind=LinkKind.OVERTAKEN_BY, target=change.by))
    line = pen.note(OVERTAKEN, change.memory_id, reason=change.reason, undoable=True)
    pen.keep(line, was["row"], {"by": change.by})
    return True


def reinforce(pen: Pen, change: Reinforce) -> bool:
    """Adds one more source to a memory; False when it is gone."""
    row = memories.row_of(pen.db, pen.owner, change.memory_id)
    if row is None:
        return False
    memories.add_source(pen.db, pen.owner, row, change.source)
    pen.note("reinforced", change.memory_id, reason=change.reason)
    return True


# by the user


def change(pen: Pen, memory_id: str, wanted: Change, *, reason: str) -> None:
    was = pen.state(memory_id)
    if was is None or was["hidden_at"] is not None:
        raise NotFound(what="memory", name=memory_id)
    if wanted.pinned is not None and wanted.pinned != bool(was["pinned"]):
        _pin(pen, memory_id, was, pinned=wanted.pinned, reason=reason)
        was = pen.state(memory_id) or was
    if _edits(wanted):
        _edit(pen, memory_id, was, wanted, reason=reason)


def _edits(wanted: Change) -> bool:
    return any(getattr(wanted, name) is not None for name in EDITED)


def _pin(pen: Pen, memory_id: str, was: dict[str, Any], *, pinned: bool, reason: str) -> None:
    line = pen.note("pinned" if pinned else "unpinned", memory_id, reason=reason, undoable=True)
    pen.keep(line, was["row"], {"pinned": was["pinned"]})
    pen.run("pin", was["row"], pinned=int(pinned), zones=rezoned(was["zones"], "updated_at", pen.at))


def _edit(pen: Pen, memory_id: str, was: dict[str, Any], wanted: Change, *, reason: str) -> None:
    line = pen.note("edited", memory_id, reason=reason, undoable=True)
    pen.keep(line, was["row"], _before_edit(was) | {"names": memories.mentions(pen.db, pen.owner, was["row"])})
    content = was["content"] if wanted.content is None else wanted.content
    pen.run(
        "edit",
        was["row"],
        content=content,
        content_key=key_of(content),
        kind=_known(Kind, wanted.kind, was["kind"]),
        layer=_known(Layer, wanted.layer, was["layer"]),
        importance=was["importance"] if wanted.importance is None else wanted.importance,
        scenes=was["scenes"] if wanted.scenes is None else as_json(wanted.scenes),
        language=was["language"] if wanted.language is None else wanted.language,
        sensitivity=was["sensitivity"] if wanted.sensitivity is None else wanted.sensitivity,
        **({name: was[name] for name in SAYS} if wanted.says is None else says_columns(wanted.says)),
        zones=rezoned(was["zones"], "updated_at", pen.at),
    )
    if wanted.says is not None:
        memories.replace_mentions(pen.db, pen.owner, was["row"], names_of(wanted.says))
    if wanted.content is not None:
        memories.put_terms(pen.db, pen.owner, was["row"], wanted.terms or ())
        memories.remove_vector(pen.db, pen.owner, was["row"])
        memories.note_vector(pen.db, pen.owner, was["row"], embedded=wanted.vector is not None)
        if wanted.vector is not None:
            _replace_vector(pen, was["row"], wanted)


def _replace_vector(pen: Pen, row: int, wanted: Change) -> None:
    model = owners.model(pen.db)
    if model is None or wanted.vector is None or len(wanted.vector) != model[2]:
        raise InvalidInput(what="The vector", problem="it is not of this store's model")
    memories.put_vector(pen.db, pen.owner, row, wanted.vector, model=model[0])


def _known(names: type[Kind | Layer], wanted: str | None, was: str) -> str:
    if wanted is None:
        return was
    try:
        return names(wanted).value
    except ValueError as error:
        known = ", ".join(name.value for name in names)
        raise InvalidInput(what=wanted, problem=f"it is none of {known}") from error


def _before_edit(was: dict[str, Any]) -> dict[str, Any]:
    names = (*EDITED, *SAYS, "terms", "scale", "model")
    data = was["data"]
    return {name: was[name] for name in names} | {"data": b64encode(data).decode() if data is not None else None}


def hide(pen: Pen, ids: Sequence[str], *, reason: str) -> int:
    hidden = 0
    for memory_id in dict.fromkeys(ids):
        was = pen.state(memory_id)
        if was is None or was["hidden_at"] is not None:
            continue
        pen.run("hide", was["row"], zones=rezoned(was["zones"], "hidden_at", pen.at))
        pen.note("hidden", memory_id, reason=reason, undoable=True)
        hidden += 1
    if hidden:
        replays.drop_owners(pen.db, pen.owner)
    return hidden


# the journal


def journal(db: apsw.Connection, name: str, memory_id: str | None, limit: int | None) -> list[JournalEntry]:
    sql = _SQL["lines" if memory_id is None else "lines_of_memory"]
    bindings = {"owner": find(db, name), "memory_id": memory_id, "limit": -1 if limit is None else limit}
    return [journal_from(row, name) for row in rows(db, sql, bindings)]


def line(pen: Pen, entry_id: int) -> dict[str, Any]:
    """One change with what was before it. Raises NotFound."""
    found = next(rows(pen.db, _SQL["line"], {"owner": pen.owner, "id": entry_id}), None)
    if found is None:
        raise NotFound(what="journal entry", name=entry_id)
    return found


def undo(pen: Pen, entry_id: int) -> JournalEntry:
    told = line(pen, entry_id)
    was = pen.state(told["memory_id"]) if told["memory_id"] else None
    if told["undone"] or not told["undoable"] or was is None:
        problem = "it was taken back before" if told["undone"] else "there is nothing to take back"
        raise InvalidInput(what=f"Journal entry {entry_id}", problem=problem)
    action = _take_back(pen, told, was)
    pen.db.execute(_SQL["undone"], {"id": entry_id, "owner": pen.owner})
    new = pen.note(action, told["memory_id"], reason=f"#{entry_id}", undoable=action == "hidden")
    entry = next(rows(pen.db, _SQL["line"], {"owner": pen.owner, "id": new}))
    return journal_from(entry, pen.name)


def undo_all(pen: Pen, entry_id: int) -> list[JournalEntry]:
    """Takes back a change, and with it what else the same reading of a turn, or the same command, changed, the last
    first."""
    bindings = {"owner": pen.owner, "id": entry_id}
    together = [number for (number,) in pen.db.execute(_SQL["together"], bindings)]
    return [undo(pen, number) for number in together or [entry_id]]


def _take_back(pen: Pen, line: dict[str, Any], was: dict[str, Any]) -> str:
    """Does the opposite of a line; returns what that is called."""
    previous = json.loads(line["previous"] or "{}")
    match line["action"]:
        case "added" | "imported":
            if was["hidden_at"] is None:
                pen.run("hide", was["row"], zones=rezoned(was["zones"], "hidden_at", pen.at))
                replays.drop_owners(pen.db, pen.owner)
            return "hidden"
        case "hidden":
            _need_latest(pen, line, ("hidden",))
            pen.run("show", was["row"])
            return "restored"
        case "edited":
            _need_latest(pen, line, ("edited",))
            _unedit(pen, was, previous)
        case "pinned" | "unpinned":
            _need_latest(pen, line, ("pinned", "unpinned"))
            zones = rezoned(was["zones"], "updated_at", pen.at)
            pen.run("pin", was["row"], pinned=previous["pinned"], zones=zones)
        case action if action == OVERTAKEN:
            memories.remove_link(pen.db, pen.owner, was["row"], LinkKind.OVERTAKEN_BY, previous["by"])
        case action if action in RETIRED:
            _need_latest(pen, line, RETIRED)
            _unretire(pen, line["memory_id"], was, previous)
    return "undone"


def _need_latest(pen: Pen, line: dict[str, Any], actions: Sequence[str]) -> None:
    bindings = {"owner": pen.owner, "memory_id": line["memory_id"], "id": line["id"], "actions": as_json(actions)}
    if value(pen.db, _SQL["later"], bindings):
        problem = "the memory was changed again since"
        hint = "Take the later change back first."
        raise InvalidInput(what=f"Journal entry {line['id']}", problem=problem, hint=hint)


def _unretire(pen: Pen, memory_id: str, was: dict[str, Any], previous: dict[str, Any]) -> None:
    zones = rezoned(was["zones"], "updated_at", pen.at)
    if previous["retired_at"] is not None:
        zone = zone_kept(previous["zones"], "retired_at")
        zones = rezoned(zones, "retired_at", moment_of(previous["retired_at"], zone))
    retired_at, validity = previous["retired_at"], previous["validity"]
    pen.run("unretire", was["row"], validity=validity, retired_at=retired_at, zones=zones)
    if previous.get("shown"):
        pen.run("show", was["row"])
    by = memories.row_of(pen.db, pen.owner, previous["by"]) if previous["by"] else None
    if by is not None:
        memories.remove_link(pen.db, pen.owner, by, _LINKS[Validity(was["validity"])], memory_id)


def _unedit(pen: Pen, was: dict[str, Any], previous: dict[str, Any]) -> None:
    row, terms, data = was["row"], previous.pop("terms"), previous.pop("data")
    scale, model, names = previous.pop("scale"), previous.pop("model"), previous.pop("names", None)
    zones = rezoned(was["zones"], "updated_at", pen.at)
    unsaid = {name: was[name] for name in ("sensitivity", *SAYS)}  # lines of earlier versions do not tell
    previous = unsaid | previous
    pen.run("edit", row, **previous, content_key=key_of(previous["content"]), zones=zones)
    if names is not None:
        memories.replace_mentions(pen.db, pen.owner, row, names)
    pen.run("put_terms_as_they_were", row, terms=terms, length=len(terms.split()))
    memories.remove_vector(pen.db, pen.owner, row)
    current = owners.model(pen.db)
    back = data is not None and current is not None and current[0] == model
    memories.note_vector(pen.db, pen.owner, row, embedded=back)
    if back:
        pen.run("put_vector_as_it_was", row, model=model, scale=scale, data=b64decode(data))


def hidden_before(db: apsw.Connection, before: datetime) -> list[tuple[str, str]]:
    return list(db.execute(_SQL["hidden_before"], {"before": micros(before)}))
