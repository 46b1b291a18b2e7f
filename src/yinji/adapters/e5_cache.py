"""The file in the user's cache folder that holds what was built once: written whole or not at all.

In order: magic; sha256 of all that follows; the length of the index; the index (JSON: name and size of each
part); the parts.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import struct
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

MAGIC = b"YINJI-E5"
_LENGTH = struct.Struct("<I")
_DIGEST = hashlib.sha256().digest_size
SPACE_NEEDED = 64 * 2**20
"""Bytes that must be free before building: twice what the file takes."""
STALE_S = 3600.0
"""Age of a temporary file that a killed process must have left."""
UNUSED_S = 30 * 86400.0
"""How long what was built is kept after its last use: another installed version may have other weights."""


class Damaged(ValueError):
    """The file is not what was written."""


def cache_folder(chosen: Path | None) -> Path:
    """Where built models are kept: the folder given, else ``YINJI_CACHE``, else the user's cache folder."""
    if chosen is not None:
        return chosen
    if named := os.environ.get("YINJI_CACHE"):
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_cache_dir("yinji", appauthor=False))


def read_parts(path: Path) -> dict[str, bytes]:
    """The parts by name, checked; the file's time says that it was used. Raises Damaged, FileNotFoundError or another
    OSError."""
    data = path.read_bytes()
    at = len(MAGIC) + _DIGEST
    content = memoryview(data)[at:]
    if data[: len(MAGIC)] != MAGIC or hashlib.sha256(content).digest() != data[len(MAGIC) : at]:
        raise Damaged(f"{path} is damaged")
    (length,) = _LENGTH.unpack(content[: _LENGTH.size])
    start = _LENGTH.size + length
    parts: dict[str, bytes] = {}
    for name, size in json.loads(bytes(content[_LENGTH.size : start])):
        parts[name] = bytes(content[start : start + size])
        start += size
    with suppress(OSError):  # of another user, or on a disk that cannot be written
        os.utime(path)
    return parts


def write_parts(path: Path, parts: Mapping[str, bytes]) -> None:
    """Replaces the file in one step; whoever else builds at the same time does no harm. Raises OSError."""
    index = json.dumps([[name, len(part)] for name, part in parts.items()]).encode("ascii")
    content = b"".join([_LENGTH.pack(len(index)), index, *parts.values()])
    handle, name = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(MAGIC)
            file.write(hashlib.sha256(content).digest())
            file.write(content)
        os.replace(name, path)
    finally:
        Path(name).unlink(missing_ok=True)


def make_room(path: Path) -> None:
    """Makes the folder, and removes what killed builds left and what no version uses any more. Raises OSError when
    nothing can be kept there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _drop_unused(path.parent)
    for left in path.parent.glob(f"{path.name}.*.tmp"):
        if time.time() - left.stat().st_mtime > STALE_S:
            left.unlink(missing_ok=True)
    free = shutil.disk_usage(path.parent).free
    if free < SPACE_NEEDED:
        raise OSError(f"{path.parent} has {free // 2**20} MB left, {SPACE_NEEDED // 2**20} MB are needed")
    if not os.access(path.parent, os.W_OK):
        raise PermissionError(f"{path.parent} cannot be written")


def _drop_unused(folder: Path) -> None:
    """Whoever is about to read one of them builds it again; a file that somebody has open may stay."""
    for built in folder.glob("*.bin"):
        with suppress(OSError):
            if time.time() - built.stat().st_mtime > UNUSED_S and _is_ours(built):
                built.unlink()


def _is_ours(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC
