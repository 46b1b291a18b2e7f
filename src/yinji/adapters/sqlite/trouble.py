"""Which of our errors an SQLite error is."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from yinji.errors import (
    InvalidInput,
    ReadOnlyStore,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
)

NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_ROOM = 64 * 1024
_NOT_ALLOWED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


def has_room(path: str) -> bool:
    """Whether the index of the log (32 KiB, the -shm file) could still be made beside the file."""
    try:
        return shutil.disk_usage(os.path.dirname(os.path.abspath(path))).free >= _ROOM
    except OSError:
        return True


@contextmanager
def translated(path: str, *, busy_s: float, db: apsw.Connection | None = None) -> Iterator[None]:
    """Lets nothing of SQLite's own out: every error leaves as one of ours, with the original as its cause."""
    try:
        yield
    except apsw.Error as error:
        raise of(error, path, busy_s=busy_s, system_errno=db.system_errno if db is not None else 0) from error
    except UnicodeEncodeError as error:
        raise InvalidInput(what="The text", problem="it holds half a character (a lone surrogate)") from error
    except OverflowError as error:
        raise InvalidInput(what="A number", problem=str(error)) from error


def of(error: apsw.Error, path: str, *, busy_s: float, system_errno: int) -> StoreError | InvalidInput:
    """The error of ours that tells what to do about this one of SQLite."""
    problem = str(error)
    match error:
        case apsw.BusyError() | apsw.LockedError():
            return StoreBusy(path=path, seconds=f"{busy_s:g}")
        case apsw.FullError():
            return StoreFull(path=path)
        case apsw.ReadOnlyError() | apsw.PermissionsError():
            return ReadOnlyStore(path=path, problem=problem)
        case apsw.CorruptError() | apsw.NotADBError() | apsw.FormatError():
            return StoreDamaged(path=path, problem=problem)
        case apsw.IOError() | apsw.CantOpenError() if system_errno in NO_SPACE or not has_room(path):
            return StoreFull(path=path)
        case apsw.IOError() | apsw.CantOpenError() if system_errno in _NOT_ALLOWED:
            return ReadOnlyStore(path=path, problem=problem)
        case apsw.ConstraintError() | apsw.MismatchError() | apsw.TooBigError():
            return InvalidInput(what="A value", problem=problem)
        case _:
            return StoreError(path=path, problem=problem)
