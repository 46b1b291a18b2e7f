"""Erasing for good, and the proof of it: rows, index, log and backups, then a scan of every byte (SPEC O7)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import islice
from pathlib import Path

import apsw

from yinji.adapters.sqlite.connection import File
from yinji.adapters.sqlite.documents import on_shelf
from yinji.adapters.sqlite.owners import find, value
from yinji.adapters.sqlite.queries import load
from yinji.adapters.sqlite.rows import as_json, micros, zone_of
from yinji.adapters.sqlite.scan import Probes, probes_of
from yinji.document import Shelf
from yinji.errors import StoreFull
from yinji.model import Erasure

_SQL = load("forget")
_BLOCK = 1 << 26
_REBUILD = 4
"""Indexing the terms of so many memories anew costs less than taking those of one out securely."""
_ROWS = 10_000
"""Rows of kept text that are looked through at a time."""


Counts = tuple[int, int, int]
"""(memories, turns, documents)"""


def erase(file: File, owner: str, ids: Sequence[str] | None, *, at: datetime, actor: str) -> Erasure:
    """Removes memories, or everything of an owner, and looks for what is left of them in every file."""
    counts, probes = (0, 0, 0), probes_of([], [])
    with file.write() as db:
        number = find(db, owner)
        if number is not None:
            counts = _list_doomed(db, number, ids)
            probes = _gather(db, number, owner if ids is None else None)
            _remove(db, number, doomed=counts[0], everything=ids is None, at=at, actor=actor)
    return _receipt(file, owner, counts, probes, at=at)


def erase_documents(file: File, shelf: Shelf, *, at: datetime) -> Erasure:
    """As :func:`erase`, of the documents of a shelf."""
    counts, probes = (0, 0, 0), probes_of([], [])
    with file.write() as db:
        number = find(db, shelf.owner)
        if number is not None:
            found = on_shelf(db, shelf, limit=None, offset=0, newest_first=False, pending=False)
            db.execute(_SQL["make_lists"])
            db.execute(_SQL["doom_documents"], {"rows": as_json([one.stamp for one in found])})
            counts = 0, 0, len(found)
            probes = _gather(db, number, None)
            for statement in (*_SQL["erase_documents"].split(";\n"), _SQL["forget_lists"]):
                db.execute(statement, {"owner": number})
    return _receipt(file, shelf.owner, counts, probes, at=at)


def _receipt(file: File, owner: str, counts: Counts, probes: Probes, *, at: datetime) -> Erasure:
    """What a look into every file found. Where nothing kept explains it, the file is rewritten (VACUUM) and looked
    through once more."""
    memories, turns, documents = counts
    found, shared, files = 0, 0, tuple[str, ...]()
    if len(probes) or any(counts):
        remove_backups(file.path)
        found, shared, files = _look(file, probes)
        if found:
            _rewrite(file)
            found, shared, files = _look(file, probes)
    return Erasure(
        owner=owner,
        memories=memories,
        turns=turns,
        documents=documents,
        at=at,
        files=files,
        probes=len(probes) - shared,
        shared=shared,
        found=found,
    )


def _list_doomed(db: apsw.Connection, owner: int, ids: Sequence[str] | None) -> Counts:
    db.execute(_SQL["make_lists"])
    if ids is None:
        db.execute(_SQL["doom_all"], {"owner": owner})
        db.execute(_SQL["doom_all_turns"], {"owner": owner})
        db.execute(_SQL["doom_all_documents"], {"owner": owner})
    else:
        db.execute(_SQL["doom_some"], {"owner": owner, "ids": as_json(list(ids))})
        db.execute(_SQL["doom_their_turns"], {"owner": owner})
    counts: Counts = db.execute(_SQL["counts"]).get
    return counts


def _gather(db: apsw.Connection, owner: int, name: str | None) -> Probes:
    texts = [text for (text,) in db.execute(_SQL["texts"], {"owner": owner})]
    marked = {term for (line,) in db.execute(_SQL["terms"]) for term in line.split(" ")}
    terms = [term.partition(":")[2] for term in marked]
    vectors = [data for (data,) in db.execute(_SQL["vectors"])]
    return probes_of([*texts, *terms, name], vectors)


def _remove(db: apsw.Connection, owner: int, *, doomed: int, everything: bool, at: datetime, actor: str) -> None:
    bindings = {"owner": owner, "at": micros(at), "zone": zone_of(at), "actor": actor}
    anew = doomed * _REBUILD > value(db, _SQL["terms_left"], {})
    if anew:
        db.execute(_SQL["pause_index"])
    for statement in _SQL["erase_all" if everything else "erase_some"].split(";\n"):
        db.execute(statement, bindings)
    if anew:
        db.execute(_SQL["rebuild_index"])
    db.execute(_SQL["forget_lists"])


def remove_backups(path: str) -> None:
    """Backups from before an upgrade hold what was erased: they are overwritten and removed."""
    for backup in _backups(path):
        with open(backup, "r+b") as file:
            file.write(bytes(os.path.getsize(backup)))
            file.flush()
            os.fsync(file.fileno())
        os.remove(backup)


def _backups(path: str) -> list[Path]:
    file = Path(path)
    names = [entry for entry in file.parent.iterdir() if entry.name.startswith(f"{file.name}.v")]
    return sorted(entry for entry in names if entry.name.endswith((".bak", ".bak.part")))


def _look(file: File, probes: Probes) -> tuple[int, int, tuple[str, ...]]:
    """(found, shared, files): what is left, what something kept contains, and where was looked."""
    emptied = file.truncate_log()
    encrypted = file.options.key is not None
    names = [name for name in (file.path, f"{file.path}-wal", f"{file.path}-shm") if os.path.exists(name)]
    with file.read() as db:
        left = probes.found_in(_plain_bytes(db, file, names, encrypted=encrypted))
        shared = left.found_in(_kept(db)) if len(left) else left
    found = len(left) - len(shared)
    # The old pages of an encrypted log cannot be looked through, so a log that is not empty proves nothing.
    if encrypted and not emptied and os.path.getsize(f"{file.path}-wal"):
        found += 1
    return found, len(shared), tuple(os.path.basename(name) for name in names)


def _plain_bytes(db: apsw.Connection, file: File, names: Sequence[str], *, encrypted: bool) -> Iterator[bytes]:
    """All bytes of the store, deciphered."""
    if encrypted:
        yield db.serialize("main")
    for name in names:
        with suppress(FileNotFoundError), open(name, "rb") as raw:
            while block := raw.read(_BLOCK):
                yield block


def _kept(db: apsw.Connection) -> Iterator[bytes]:
    """Every text and vector that is kept, and the schema itself."""
    yield "\n".join(sql for (sql,) in db.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")).encode()
    for (table,) in db.execute(_SQL["tables"]).fetchall():
        columns = [(f'"{name}"', kind) for _, name, kind, *_ in db.execute(f'PRAGMA table_info("{table}")')]
        # Joined by SQLite: a string for each row, not for each cell.
        texts = " || char(31) || ".join(f"coalesce({name}, '')" for name, kind in columns if kind == "TEXT")
        blobs = [f"coalesce({name}, x'')" for name, kind in columns if kind == "BLOB"]
        for expression in [*([texts] if texts else []), *blobs]:
            cursor = db.execute(f'SELECT {expression} FROM "{table}"')
            while cells := [cell for (cell,) in islice(cursor, _ROWS)]:
                yield "\x1f".join(cells).encode() if expression == texts else b"\xff".join(cells)


def _rewrite(file: File) -> None:
    """Copies what is kept into fresh pages; without room for that the receipt says what was found."""
    with suppress(StoreFull), file.alone() as db:
        db.execute("VACUUM")
