"""Whether a file is ours, and what brings it to the newest schema."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import apsw

from yinji.adapters.sqlite.connection import Options, connect, not_ours, patiently
from yinji.adapters.sqlite.trouble import NO_SPACE
from yinji.errors import NewerStore, NotAStore, NotFound, ReadOnlyStore, StoreError, StoreFull, WrongKey

APPLICATION_ID = 0x59694A69
"""Marks a file as ours in its header ("YiJi"), see PRAGMA application_id."""

_RACES = 5
"""How often a process that opens a file just being made looks again."""
_HEADER = b"SQLite format 3\0"
_STEP = re.compile(r"^(\d{4})_\w+\.sql$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One numbered migration: the schema is at ``version`` after it."""

    version: int
    name: str
    sql: str


def steps(folder: Traversable | None = None) -> tuple[Step, ...]:
    """The migrations of a folder in order; the package's own by default."""
    folder = folder or files("yinji.adapters").joinpath("schema", "sqlite")
    found = sorted(
        (
            Step(version=int(match[1]), name=entry.name, sql=entry.read_text(encoding="utf-8"))
            for entry in folder.iterdir()
            if (match := _STEP.match(entry.name))
        ),
        key=lambda step: step.version,
    )
    if [step.version for step in found] != list(range(1, len(found) + 1)):
        raise ValueError(f"the migrations in {folder} are not numbered 1, 2, 3 …")
    return tuple(found)


def prepare(path: str, options: Options, migrations: Sequence[Step]) -> None:
    """Makes the file a store of the newest schema, or raises and leaves it as it was."""
    recognise(path, options)
    if options.readonly:
        _check_readable(path, options, known=migrations[-1].version)
        return
    _create_private(path)
    for _ in range(_RACES):
        empty = os.path.getsize(path) == 0
        try:
            _upgrade(path, options, migrations)
        except WrongKey:
            # Of two processes that start an encrypted file at once the slower has made a salt that is not the file's.
            if not empty:
                raise
        else:
            return
    raise WrongKey(path=path)


def _upgrade(path: str, options: Options, migrations: Sequence[Step]) -> None:
    db = connect(path, options)
    try:
        found = _version(db, path)
        if found > migrations[-1].version:
            raise NewerStore(path=path, found=found, known=migrations[-1].version)
        if found < migrations[-1].version:
            migrate(db, path, options, migrations)
        if db.pragma("journal_mode") != "wal":
            patiently(lambda: db.pragma("journal_mode", "wal"), busy_s=options.busy_s)
    except apsw.NotADBError as error:
        raise not_ours(path, options, error) from error
    finally:
        db.close()


def migrate(db: apsw.Connection, path: str, options: Options, migrations: Sequence[Step]) -> None:
    """Applies what is missing in one transaction; a file that held something is backed up first."""
    patiently(lambda: db.execute("BEGIN IMMEDIATE"), busy_s=options.busy_s)
    try:
        found = db.pragma("user_version")
        if found >= migrations[-1].version:
            return  # another process was quicker
        if found > 0:
            back_up(path, f"{path}.v{found}.bak", options)
        for step in migrations[found:]:
            db.execute(step.sql)
            db.pragma("user_version", step.version)
        db.pragma("application_id", APPLICATION_ID)
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def back_up(path: str, target: str, options: Options) -> None:
    """Copies the store as it is committed now, encrypted as it is."""
    unfinished = f"{target}.part"
    with suppress(FileNotFoundError):
        os.remove(unfinished)
    _create_private(unfinished)
    source, copy = connect(path, options), connect(unfinished, options)
    try:
        with copy.backup("main", source, "main") as job:
            job.step()
    finally:
        copy.close()
        source.close()
    os.replace(unfinished, target)


def recognise(path: str, options: Options) -> None:
    """Refuses what is plainly something else, by its first bytes alone, so that it is not touched."""
    if os.path.isdir(path):
        raise NotAStore(path=path, problem="it is a directory")
    try:
        with open(path, "rb") as file:
            head = file.read(100)
    except FileNotFoundError as error:
        if options.readonly:
            raise NotFound(what="store", name=path) from error
        return
    except PermissionError as error:
        raise ReadOnlyStore(path=path, problem="it may not be read") from error
    if not head.strip(b"\0"):
        return  # new, or its making was interrupted: SQLite looks for itself
    if head.startswith(_HEADER):
        _recognise_plain(path, head, options)
    elif not _looks_encrypted(head):
        raise NotAStore(path=path, problem="it is some other kind of file")
    elif options.key is None:
        raise WrongKey(path=path)


def _recognise_plain(path: str, head: bytes, options: Options) -> None:
    if int.from_bytes(head[68:72], "big") != APPLICATION_ID:
        raise NotAStore(path=path, problem="it is the database of another program")
    if options.key is not None:
        raise StoreError(path=path, problem="a key was given, and it is not encrypted")


def _looks_encrypted(head: bytes) -> bool:
    """The cipher leaves bytes 16 to 23 as they are, among them three that are the same in every database."""
    return len(head) == 100 and head[21:24] == b"\x40\x20\x20"


def _version(db: apsw.Connection, path: str) -> int:
    """The schema version of the file; 0 when it is empty."""
    if db.pragma("page_count") and db.pragma("application_id") != APPLICATION_ID:
        raise NotAStore(path=path, problem="it is the database of another program")
    version: int = db.pragma("user_version")
    return version


def _check_readable(path: str, options: Options, *, known: int) -> None:
    db = connect(path, options)
    try:
        found = _version(db, path)
        if found == 0:
            raise NotAStore(path=path, problem="it is empty")
        if found > known:
            raise NewerStore(path=path, found=found, known=known)
        if found < known:
            raise StoreError(path=path, problem=f"its schema {found} is old: open it once for writing to upgrade it")
    finally:
        db.close()


def _create_private(path: str) -> None:
    """Makes the file and its folder for the user alone; SQLite gives its side files the same permissions."""
    try:
        Path(path).resolve().parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        if error.errno in NO_SPACE:
            raise StoreFull(path=path) from error
        raise ReadOnlyStore(path=path, problem=error.strerror or str(error)) from error
