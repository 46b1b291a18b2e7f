"""The file behind the store: one writing connection, a few reading ones, and the transactions on them."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import quote

import apsw

from yinji.adapters.sqlite.seats import Seats
from yinji.adapters.sqlite.trouble import has_room, translated
from yinji.errors import InvalidInput, NotAStore, ReadOnlyStore, StoreBusy, StoreError, WrongKey

READERS = 8
"""Reading connections kept open at once: more threads than this wait for one (each costs a page cache of 16 MiB)."""
_FORK_WAIT_S = 2.0
"""How long a fork waits for running reads before it goes on without them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Options:
    key: str | bytes | None = None
    busy_s: float = 60
    synchronous: str = "full"
    readonly: bool = False


class File:
    """One database file, shared by the threads of a process.

    A connection must not live through a fork: SQLite keeps its locks per process and the child would believe it
    holds the parent's. So all are closed just before a fork, and both sides open new ones when they need them.
    """

    def __init__(self, path: str, options: Options) -> None:
        self.path = path
        self.options = options
        self.closed = False
        self._pid = os.getpid()
        self._writing = threading.RLock()
        self._seats = Seats(READERS)
        self._pool = threading.Lock()
        self._writer: apsw.Connection | None = None
        self._idle: list[apsw.Connection] = []
        _open_files.add(self)

    @contextmanager
    def read(self) -> Iterator[apsw.Connection]:
        """A snapshot: all that is read inside comes from the same moment."""
        with self._borrowed() as db, translated(self.path, busy_s=self.options.busy_s, db=db):
            db.execute("BEGIN")
            try:
                yield db
            finally:
                if db.in_transaction:
                    db.execute("COMMIT")

    @contextmanager
    def write(self, *, durable: bool = True) -> Iterator[apsw.Connection]:
        """One transaction, durable when the block ends without an error and undone when it does not.

        Without ``durable`` it outlives a crash of the program, but a power cut may undo it as a whole, unless something
        durable was written after it: for what can be done again.
        """
        with self.alone() as db:
            if not durable:
                db.execute("PRAGMA synchronous = NORMAL")
            try:
                db.execute("BEGIN IMMEDIATE")
                yield db
                db.execute("COMMIT")
            finally:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                if not durable:
                    db.execute(f"PRAGMA synchronous = {_synchronous(self.options.synchronous)}")

    @contextmanager
    def pen(self) -> Iterator[None]:
        """Other threads of this process cannot write meanwhile; this one may, as often as it likes."""
        if not self._writing.acquire(timeout=self.options.busy_s):
            raise StoreBusy(path=self.path, seconds=f"{self.options.busy_s:g}")
        try:
            yield
        finally:
            self._writing.release()

    @contextmanager
    def alone(self) -> Iterator[apsw.Connection]:
        """The writing connection outside a transaction; other threads wait."""
        if self.options.readonly:
            raise ReadOnlyStore(path=self.path, problem="it was opened for reading only")
        with self.pen():
            self._check_alive()
            if self._writer is None:
                with translated(self.path, busy_s=self.options.busy_s):
                    self._writer = connect(self.path, self.options)
            with translated(self.path, busy_s=self.options.busy_s, db=self._writer):
                yield self._writer

    def truncate_log(self) -> bool:
        """Moves the whole write-ahead log into the file and empties it; False when a reader held it too long."""
        with self.alone() as db:
            try:
                db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            except apsw.BusyError:
                return False
            return True

    def close(self) -> None:
        """Waits for running transactions, then closes every connection."""
        with self._writing:
            if self.closed:
                return
            self.closed = True
            self._seats.shut(own=True)
            self._close_connections()
            self._seats.reopen()

    def before_fork(self) -> Callable[[], None]:
        """Closes what is open; the function returned lets both sides go on."""
        undo: list[Callable[[], object]] = []
        if self._writing.acquire(timeout=_FORK_WAIT_S):
            undo.append(self._writing.release)
        quiet = self._seats.shut(_FORK_WAIT_S)
        if undo and quiet and not (self._writer is not None and self._writer.in_transaction):
            self._close_connections()
        undo.append(self._seats.reopen)

        def go_on() -> None:
            for step in undo:
                step()

        return go_on

    @contextmanager
    def _borrowed(self) -> Iterator[apsw.Connection]:
        seat = self._seats.take(self.options.busy_s)
        if seat is None:
            raise StoreBusy(path=self.path, seconds=f"{self.options.busy_s:g}")
        try:
            self._check_alive()
            with self._pool:
                db = self._idle.pop() if self._idle else None
            if db is None:
                with translated(self.path, busy_s=self.options.busy_s):
                    db = connect(self.path, self.options, query_only=True)
            try:
                yield db
            finally:
                self._take_back(db)
        finally:
            self._seats.give(seat)

    def _take_back(self, db: apsw.Connection) -> None:
        with self._pool:
            if not self.closed:
                self._idle.append(db)
                return
        db.close()

    def _check_alive(self) -> None:
        if self.closed:
            raise StoreError(path=self.path, problem="it is closed")
        if self._pid != os.getpid():
            self._after_unseen_fork()

    def _after_unseen_fork(self) -> None:
        """What could not be closed before the fork is left alone for ever: closing would drop the parent's locks."""
        _abandoned.extend(self._idle)
        if self._writer is not None:
            _abandoned.append(self._writer)
        self._pid, self._writer, self._idle = os.getpid(), None, []
        self._seats = Seats(READERS)

    def _close_connections(self) -> None:
        for db in (*self._idle, *([self._writer] if self._writer is not None else [])):
            db.close()
        self._writer, self._idle = None, []


_open_files: weakref.WeakSet[File] = weakref.WeakSet()
_abandoned: list[apsw.Connection] = []
_resuming: list[Callable[[], None]] = []


def _before_fork() -> None:
    _resuming.extend(file.before_fork() for file in list(_open_files) if not file.closed)


def _after_fork() -> None:
    while _resuming:
        _resuming.pop()()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)


def connect(path: str, options: Options, *, query_only: bool = False) -> apsw.Connection:
    """A connection with the key given and every setting made that is not kept in the file itself."""
    db = _opened(path, readonly=options.readonly)
    try:
        wait_ms = int(options.busy_s * 1000)
        db.set_busy_timeout(wait_ms)
        db.setlk_timeout(wait_ms, apsw.SQLITE_SETLK_BLOCK_ON_CONNECT)
        give_key(db, options.key)
        db.execute("PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA cache_size = -16384")
        db.execute(f"PRAGMA synchronous = {_synchronous(options.synchronous)}")
        if query_only:
            db.execute("PRAGMA query_only = ON")
    except apsw.NotADBError as error:
        db.close()
        raise not_ours(path, options, error) from error
    except BaseException:
        db.close()
        raise
    return db


def not_ours(path: str, options: Options, error: apsw.NotADBError) -> WrongKey | NotAStore:
    """What it means that SQLite cannot read the first page."""
    return NotAStore(path=path, problem=str(error)) if options.key is None else WrongKey(path=path)


def _opened(path: str, *, readonly: bool) -> apsw.Connection:
    # SQLite takes names in UTF-8; in a locale without it Python keeps other bytes as surrogates.
    named = os.fsencode(path).decode("utf-8", "replace") if not path.isascii() else path
    if not readonly:
        return apsw.Connection(named, flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
    if _has_log(path) or _holds_log(path) or (_writable_beside(path) and has_room(path)):
        return apsw.Connection(named, flags=apsw.SQLITE_OPEN_READONLY)
    # Without the right or the room to make the -shm file a WAL database can be read only as one that nobody changes.
    uri = f"file:{quote(os.path.abspath(named))}?immutable=1"
    return apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)


def _writable_beside(path: str) -> bool:
    return os.access(Path(path).resolve().parent, os.W_OK)


def _holds_log(path: str) -> bool:
    """Whether what was committed last may stand in the log alone, so that the file by itself would be too old."""
    return os.path.exists(f"{path}-wal") and os.path.getsize(f"{path}-wal") > 0


def _has_log(path: str) -> bool:
    """Whether there is a log with its index; a disk that was full leaves an empty one."""
    shared = f"{path}-shm"
    return os.path.exists(f"{path}-wal") and os.path.exists(shared) and _takes_room(shared)


def _takes_room(path: str) -> bool:
    """Whether a file is more than a name and a length, where the system tells."""
    return getattr(os.stat(path), "st_blocks", 1) > 0


def give_key(db: apsw.Connection, key: str | bytes | None) -> None:
    """Sets the cipher and its key: a str is a passphrase, 32 bytes are the key itself."""
    if key is None:
        return
    if not key:
        raise InvalidInput(what="The key", problem="it is empty")
    db.pragma("cipher", "aegis")
    if isinstance(key, str):
        db.pragma("hexkey", key.encode().hex())
    elif len(key) == 32:
        db.pragma("key", f"raw:{key.hex()}")
    else:
        raise InvalidInput(what="The key", problem=f"it has {len(key)} bytes, not 32")


def _synchronous(level: str) -> Literal["FULL", "NORMAL"]:
    match level.lower():
        case "full":
            return "FULL"
        case "normal":
            return "NORMAL"
        case _:
            raise InvalidInput(what="synchronous", problem=f"{level!r} is neither full nor normal")


def patiently(action: Callable[[], object], *, busy_s: float) -> None:
    """Repeats what SQLite refuses without asking its busy handler, such as the change to WAL."""
    deadline = time.monotonic() + busy_s
    while True:
        try:
            action()
        except apsw.BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return
