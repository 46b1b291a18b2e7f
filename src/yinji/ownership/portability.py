"""Take it along: memories as JSON Lines, without loss, and back (SPEC O9, plain form).

The first line of an export names the format; each other line is one memory, the names those of
``model.MemoryEntry``. Times are RFC 9557: ISO 8601 with the zone's name behind it where it has one.
A minimal record needs ``content`` alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from itertools import chain
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from yinji.document import Document
from yinji.errors import ImportFailed
from yinji.filing.records import record_of
from yinji.language import text as language
from yinji.model import Kind, Layer, MemoryEntry, Role, Source, Trust

Made = TypeVar("Made")

FORMAT = "yinji-memories"
VERSION = 1
NOWHERE = -1
"""The number of what stands in no session."""
_SURROGATE = re.compile("[\ud800-\udfff]")
HEADER = {"format": FORMAT, "version": VERSION}


@dataclass(frozen=True, kw_only=True, slots=True)
class Imported:
    """What an import did, or would do with ``dry_run``."""

    new: int
    unchanged: int
    errors: tuple[tuple[int, str], ...]
    """(line number or position from 1, what is wrong with it); such records were passed over."""
    dry_run: bool
    warnings: tuple[str, ...] = ()
    quarantined: int = 0
    """Records that give orders to an agent: held, for the user to look at."""


def plain(value: object) -> Any:
    """A value as JSON types: dataclasses as objects without their empty parts, times as RFC 9557 text."""
    if is_dataclass(value) and not isinstance(value, type):
        pairs = ((one.name, plain(getattr(value, one.name))) for one in fields(value))
        return {name: part for name, part in pairs if part not in (None, [], {})}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return write_time(value)
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, tuple | list | frozenset):
        return [plain(part) for part in value]
    return value


def write_time(value: datetime) -> str:
    """``2026-03-01T09:00:00+08:00[Asia/Shanghai]``: the instant, and the zone it was said in."""
    key = getattr(value.tzinfo, "key", None)
    return value.isoformat() + (f"[{key}]" if key else "")


def read_time(text: str) -> datetime:
    """The reverse of :func:`write_time`; plain ISO 8601 too. A time without a zone is taken as UTC.

    Raises ValueError for what is not a time.
    """
    stamp, _, zone = text.partition("[")
    value = datetime.fromisoformat(stamp.strip().replace("Z", "+00:00"))
    if value.tzinfo is None:
        value = value.replace(tzinfo=UTC)
    if not zone:
        return value
    try:
        return value.astimezone(ZoneInfo(zone.rstrip("]")))
    except (ZoneInfoNotFoundError, ValueError):
        return value


def to_memory(record: Mapping[str, object]) -> MemoryEntry:
    """A memory from an exported record. Raises ValueError that says which part is wrong."""
    found: MemoryEntry = _read(MemoryEntry, record, "memory")
    return found


def _read(kind: Any, value: Any, where: str) -> Any:
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return (
            None if value is None else _read(next(one for one in get_args(kind) if one is not NoneType), value, where)
        )
    if origin is tuple:
        if not isinstance(value, list):
            raise ValueError(f"{where} is not a list")
        return tuple(_read(get_args(kind)[0], part, where) for part in value)
    if is_dataclass(kind):
        return _read_values(kind, value, where)
    try:
        if kind is datetime:
            return read_time(value)
        if isinstance(kind, type) and issubclass(kind, Enum):
            return kind(value)
    except (ValueError, TypeError, AttributeError) as error:
        raise ValueError(f"{where} cannot be {value!r}") from error
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(kind, type) and type(value) is not kind:
        raise ValueError(f"{where} cannot be {value!r}")
    return value


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _read_values(kind: Any, value: Any, where: str) -> Any:
    if not isinstance(value, Mapping):
        raise ValueError(f"{where} is not an object")
    hints = _hints(kind)
    if unknown := set(value) - set(hints):
        raise ValueError(f"{where} has unknown parts: {', '.join(sorted(map(str, unknown)))}")
    absent = {one.name: None for one in fields(kind) if one.default is MISSING and one.default_factory is MISSING}
    absent = {name: None for name in absent if NoneType in get_args(hints[name])}
    read = {name: _read(hints[name], part, f"{where}.{name}") for name, part in value.items()}
    needed = {one.name for one in fields(kind) if one.default is MISSING and one.default_factory is MISSING}
    if lacking := needed - set(absent) - set(value):
        raise ValueError(f"{where} lacks {', '.join(sorted(lacking))}")
    return kind(**absent | read)


def is_minimal(record: Mapping[str, object]) -> bool:
    """Whether a record is the short form, which names a content and little else."""
    return "content" in record and "recorded_at" not in record


MINIMAL = frozenset({"content", "at", "id", "session", "speaker", "kind", "source", "importance", "pinned", "seq"})


def from_minimal(
    record: Mapping[str, object], *, owner: str, now: datetime, new_id: Callable[[], str], line: int
) -> MemoryEntry:
    """A memory that says ``content`` as it stands, a speaker before it. Raises ValueError."""
    content = _text(record, "content")
    if unknown := set(record) - MINIMAL:
        raise ValueError(f"unknown parts: {', '.join(sorted(unknown))}; known are {', '.join(sorted(MINIMAL))}")
    tidy, _ = language.tidy(content)
    if not tidy.strip():
        raise ValueError("content is empty")
    at = now if record.get("at") is None else _as(record, "at", read_time)
    if speaker := record.get("speaker"):
        tidy = f"{speaker}: {tidy}"
    kind = _as(record, "kind", Kind) if record.get("kind") else Kind.FACT
    importance = record.get("importance", 0.5)
    if isinstance(importance, bool) or not isinstance(importance, int | float) or not 0 <= importance <= 1:
        raise ValueError("importance is not a number from 0 to 1")
    source = Source(
        turn_id=str(record.get("id") or record.get("source") or ""),
        session=str(record.get("session") or record.get("source") or "import"),
        seq=_seq(record, line),
        role=Role.IMPORT,
        start=0,
        end=len(content),
        quote=content,
        at=at,
    )
    return MemoryEntry(
        id=new_id(),
        owner=owner,
        content=tidy,
        kind=kind,
        layer=Layer.EPISODIC if kind is Kind.EVENT else Layer.SEMANTIC,
        language=language.detect(tidy),
        importance=float(importance),
        confidence=1.0,
        created_at=now,
        updated_at=now,
        recorded_at=at,
        pinned=record.get("pinned") is True,
        trust=Trust.IMPORT,
        sources=(source,),
    )


def _text(record: Mapping[str, object], name: str) -> str:
    value = record[name]
    if not isinstance(value, str):
        raise ValueError(f"{name} is not a text")
    return value


def _seq(record: Mapping[str, object], line: int) -> int:
    """The place in its session: named, or the line's; without a session it has none, and no neighbours."""
    if record.get("seq") is not None:
        return _as({"seq": str(record["seq"])}, "seq", int)
    return line if record.get("session") else NOWHERE


def _as(record: Mapping[str, object], name: str, kind: Callable[[str], Made]) -> Made:
    text = _text(record, name)
    try:
        return kind(text)
    except ValueError as error:
        raise ValueError(f"{name} cannot be {text!r}") from error


def read_lines(path: Path) -> Iterator[tuple[int, object]]:
    """(line number, JSON value) of a file; a line that is not JSON comes as a ValueError in its place.

    Raises ImportFailed when the file cannot be read, or is of a newer form.
    """
    try:
        with path.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield number, _parse(line, path)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ImportFailed(path=path, problem=reason, hint="Give a JSON Lines file: one object a line.") from error


def _parse(line: str, path: Path) -> object:
    try:
        value: object = json.loads(line)
    except ValueError as error:
        return ValueError(f"not JSON (character {getattr(error, 'colno', 1)})")
    if isinstance(value, dict) and value.get("format") == FORMAT and value.get("version") != VERSION:
        raise ImportFailed(
            path=path, problem=f"its form is version {value.get('version')}", hint="Upgrade with: pip install -U yinji"
        )
    return value


def write_lines(
    memories: Iterable[MemoryEntry], documents: Iterable[Document], write: Callable[[str], object]
) -> Iterator[int]:
    """Writes the header and a line for each memory, then for each document, giving the count as it goes."""
    write(json.dumps(HEADER) + "\n")
    for count, record in enumerate(chain(map(plain, memories), map(record_of, documents)), 1):
        write(_line(record) + "\n")
        yield count


def _line(record: object) -> str:
    """JSON in the characters themselves; half a surrogate pair, which UTF-8 has no bytes for, as an escape."""
    line = json.dumps(record, ensure_ascii=False)
    return line if line.isascii() or not _SURROGATE.search(line) else json.dumps(record)
