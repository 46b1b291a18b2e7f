"""Values to rows and back: times with their zones, JSON columns, int8 vectors."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from yinji.errors import InvalidInput, InvalidTime
from yinji.language.text import content_key
from yinji.model import (
    Drop,
    DropReason,
    Entity,
    Fields,
    Grain,
    Interval,
    JournalEntry,
    Kind,
    Layer,
    Link,
    LinkKind,
    MemoryEntry,
    Mention,
    Modality,
    Polarity,
    Role,
    Sensitivity,
    Slot,
    Source,
    State,
    Tier,
    Trust,
    Turn,
    Validity,
    Visibility,
)
from yinji.ports import Says

if TYPE_CHECKING:
    from yinji.ports import Vector

Row = Mapping[str, Any]
"""A row by column name; Any because SQLite decides the types, which STRICT tables fix."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(microseconds=1)
_TIMES = (
    "created_at",
    "updated_at",
    "recorded_at",
    "retired_at",
    "accessed_at",
    "hidden_at",
    "valid_start",
    "valid_end",
)
_FIELD_NAMES = ("time", "place", "people", "event", "object", "action")


def micros(moment: datetime) -> int:
    """Microseconds since 1970 in UTC."""
    if moment.utcoffset() is None:
        raise InvalidTime(value=moment, problem="it has no zone")
    try:
        return (moment.astimezone(UTC) - EPOCH) // _TICK
    except OverflowError as error:
        raise InvalidTime(value=moment, problem="it is outside of the years 1 to 9999 in UTC") from error


def zone_of(moment: datetime) -> str:
    """The name of its zone when it has one, else its offset (``+0800``)."""
    key = getattr(moment.tzinfo, "key", None)
    return key if isinstance(key, str) else moment.strftime("%z")


def moment_of(value: int, zone: str) -> datetime:
    """The time that :func:`micros` and :func:`zone_of` were taken from."""
    return (EPOCH + timedelta(microseconds=value)).astimezone(_zone(zone))


@lru_cache(maxsize=256)
def _zone(name: str) -> tzinfo:
    """UTC stands for a zone that this machine does not know: the instant is still right."""
    if name[:1] in {"+", "-"}:
        return datetime.strptime(name, "%z").tzinfo or UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def digest(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=16).digest()


def body_of(turn: Turn) -> bytes:
    """Equal for turns with the same words; when it was said is not part of it."""
    return digest(as_json([turn.user, turn.assistant]))


def key_of(content: str) -> bytes:
    return digest(content_key(content))


# turns


def turn_row(turn: Turn, owner: int) -> dict[str, Any]:
    return {
        "owner": owner,
        "id": turn.id,
        "session": turn.session,
        "seq": turn.seq,
        "key": turn.key,
        "user": turn.user,
        "assistant": turn.assistant,
        "body": body_of(turn),
        "at": micros(turn.at),
        "zone": zone_of(turn.at),
        "role": turn.role.value,
        "app": turn.app,
        "language": turn.language,
    }


def turn_from(row: Row) -> Turn:
    """A turn; its words are empty when the buffer has let go of them."""
    return Turn(
        id=row["id"],
        owner=row["owner_name"],
        session=row["session"],
        seq=row["seq"],
        key=row["key"],
        user=row["user"] or "",
        assistant=row["assistant"],
        at=moment_of(row["at"], row["zone"]),
        role=Role(row["role"]),
        app=row["app"],
        language=row["language"],
    )


def drop_from(row: Row) -> Drop:
    return Drop(
        text=row["text"],
        reason=DropReason(row["reason"]),
        start=row["start"],
        end=row["end"],
        role=Role(row["role"]),
    )


# memories


def memory_row(entry: MemoryEntry, owner: int, revision: int, *, embedded: bool) -> dict[str, Any]:
    """All columns of ``memory`` but its row number."""
    for name, number in (("importance", entry.importance), ("confidence", entry.confidence)):
        if not math.isfinite(number):
            raise InvalidInput(what=name, problem=f"{number} is not a number")
    return {
        "owner": owner,
        "id": entry.id,
        "revision": revision,
        "content": entry.content,
        "content_key": key_of(entry.content),
        "kind": entry.kind.value,
        "layer": entry.layer.value,
        "language": entry.language,
        "importance": float(entry.importance),
        "confidence": float(entry.confidence),
        **_time_columns(entry),
        "recalls": entry.recalls,
        "validity": entry.validity.value,
        "state": entry.state.value,
        "tier": entry.tier.value,
        "pinned": int(entry.pinned),
        **says_columns(entry),
        "visibility": entry.visibility.value,
        "sensitivity": entry.sensitivity.value,
        "trust": entry.trust.value,
        "scenes": as_json(entry.scenes),
        "embedded": int(embedded),
    }


def says_columns(said: MemoryEntry | Says) -> dict[str, Any]:
    """The columns of what is read from a memory's words."""
    slot = said.slot
    return {
        "subject": said.subject,
        "slot_subject": slot.subject if slot else None,
        "slot_attribute": slot.attribute if slot else None,
        "slot_value": slot.value if slot else None,
        "slot_single": int(slot.single) if slot else None,
        "polarity": said.polarity.value,
        "modality": said.modality.value,
        "fields": _fields_json(said.fields),
        "entities": as_json([[e.name, e.type, e.start, e.end] for e in said.entities]),
    }


def _time_columns(entry: MemoryEntry) -> dict[str, Any]:
    valid = entry.valid
    times = {name: getattr(entry, name) for name in _TIMES[:6]}
    times |= {"valid_start": valid.start if valid else None, "valid_end": valid.end if valid else None}
    zones = [zone_of(moment) if moment else "" for moment in times.values()]
    said = {zone for zone in zones if zone}
    return {
        **{name: micros(moment) if moment else None for name, moment in times.items()},
        "zones": said.pop() if len(said) == 1 else ",".join(zones),
        "valid": as_json([valid.grain, valid.recurrence, valid.text]) if valid else None,
    }


def _fields_json(fields: Fields) -> str:
    named = {name: getattr(fields, name) for name in _FIELD_NAMES}
    return as_json({name: [[m.text, m.start, m.end] for m in found] for name, found in named.items() if found})


def memory_from(
    row: Row, *, owner: str, sources: Sequence[Source], links: Sequence[Link], recalls_90d: int
) -> MemoryEntry:
    times = _times_from(row)
    return MemoryEntry(
        id=row["id"],
        owner=owner,
        content=row["content"],
        kind=_member(Kind, row["kind"]),
        layer=_member(Layer, row["layer"]),
        language=row["language"],
        importance=row["importance"],
        confidence=row["confidence"],
        created_at=times["created_at"] or EPOCH,
        updated_at=times["updated_at"] or EPOCH,
        recorded_at=times["recorded_at"] or EPOCH,
        retired_at=times["retired_at"],
        accessed_at=times["accessed_at"],
        recalls=row["recalls"],
        recalls_90d=recalls_90d,
        valid=_interval_from(row, times),
        validity=_member(Validity, row["validity"]),
        state=_member(State, row["state"]),
        tier=_member(Tier, row["tier"]),
        pinned=bool(row["pinned"]),
        hidden_at=times["hidden_at"],
        subject=row["subject"],
        slot=_slot_from(row),
        polarity=_member(Polarity, row["polarity"]),
        modality=_member(Modality, row["modality"]),
        fields=_fields_from(row["fields"]),
        entities=_entities_from(row["entities"]),
        scenes=_scenes_from(row["scenes"]),
        visibility=_member(Visibility, row["visibility"]),
        sensitivity=_member(Sensitivity, row["sensitivity"]),
        trust=_member(Trust, row["trust"]),
        sources=tuple(sources),
        links=tuple(links),
        model=row["model"],
    )


@lru_cache(maxsize=256)
def _member(kind: Callable[[str], Any], value: str) -> Any:
    """``kind(value)``, without what an enumeration takes to look it up: there are eleven in a memory."""
    return kind(value)


def _entities_from(text: str) -> tuple[Entity, ...]:
    if text == "[]":
        return ()
    return tuple(Entity(name=n, type=t, start=s, end=e) for n, t, s, e in json.loads(text))


def _scenes_from(text: str) -> tuple[str, ...]:
    return () if text == "[]" else tuple(json.loads(text))


def _times_from(row: Row) -> dict[str, datetime | None]:
    zones = row["zones"].split(",")
    if len(zones) == 1:
        zones *= len(_TIMES)
    known: dict[tuple[int | None, str], datetime | None] = {}  # most of a memory's times are one
    for name, zone in zip(_TIMES, zones, strict=True):
        stamp = row[name]
        if (stamp, zone) not in known:
            known[stamp, zone] = None if stamp is None else moment_of(stamp, zone)
    return {name: known[row[name], zone] for name, zone in zip(_TIMES, zones, strict=True)}


def zone_kept(zones: str, name: str) -> str:
    """The zone that the memory's time called ``name`` was said in."""
    parts = zones.split(",")
    return parts[0] if len(parts) == 1 else parts[_TIMES.index(name)]


def rezoned(zones: str, name: str, moment: datetime) -> str:
    """The zones of a memory's times when the one called ``name`` becomes ``moment``."""
    parts = zones.split(",")
    if parts == [zone_of(moment)]:
        return zones
    parts = parts * len(_TIMES) if len(parts) == 1 else parts
    parts[_TIMES.index(name)] = zone_of(moment)
    return ",".join(parts)


def _interval_from(row: Row, times: Mapping[str, datetime | None]) -> Interval | None:
    if row["valid"] is None:
        return None
    grain, recurrence, text = json.loads(row["valid"])
    return Interval(
        start=times["valid_start"],
        end=times["valid_end"],
        grain=Grain(grain),
        recurrence=recurrence,
        text=text,
    )


def _slot_from(row: Row) -> Slot | None:
    if row["slot_attribute"] is None:
        return None
    return Slot(
        subject=row["slot_subject"],
        attribute=row["slot_attribute"],
        value=row["slot_value"],
        single=bool(row["slot_single"]),
    )


def _fields_from(text: str) -> Fields:
    if text == "{}":
        return Fields()
    named = json.loads(text).items()
    return Fields(**{name: tuple(Mention(text=t, start=s, end=e) for t, s, e in found) for name, found in named})


def source_row(source: Source) -> dict[str, Any]:
    return {
        "turn_id": source.turn_id,
        "session": source.session,
        "seq": source.seq,
        "role": source.role.value,
        "start": source.start,
        "end": source.end,
        "quote": source.quote,
        "at": micros(source.at),
        "zone": zone_of(source.at),
        "app": source.app,
    }


def source_from(row: Row) -> Source:
    return Source(
        turn_id=row["turn_id"],
        session=row["session"],
        seq=row["seq"],
        role=_member(Role, row["role"]),
        start=row["start"],
        end=row["end"],
        quote=row["quote"],
        at=moment_of(row["at"], row["zone"]),
        app=row["app"],
    )


def link_from(row: Row) -> Link:
    return Link(kind=LinkKind(row["kind"]), target=row["target"])


def journal_from(row: Row, owner: str) -> JournalEntry:
    return JournalEntry(
        id=row["id"],
        owner=owner,
        at=moment_of(row["at"], row["zone"]),
        action=row["action"],
        memory_id=row["memory_id"],
        actor=row["actor"],
        reason=row["reason"],
        undone=bool(row["undone"]),
        undoable=bool(row["undoable"]) and not row["undone"],
        app=row["app"],
    )


# terms and vectors

TERM_LIMIT = 200
"""Characters of a term that are indexed; FTS5 itself cuts a token at 32,768 bytes."""
_ASCII_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_BLANK: dict[int, int | None] = {**_ASCII_LOWER, **dict.fromkeys(range(33)), 127: None}


def token(owner: int, term: str) -> str | None:
    """The term as the index holds it: marked with its owner, without what the tokenizer would cut at."""
    kept = term.translate(_BLANK)[:TERM_LIMIT]
    return f"o{owner}:{kept}" if kept else None


def tokens(owner: int, terms: Sequence[str]) -> list[str]:
    return [found for term in terms if (found := token(owner, term)) is not None]


def quantised(vector: Vector) -> tuple[float, bytes]:
    """(scale, int8 bytes): ``bytes * scale`` is the vector, of unit length whatever the rounding did to it."""
    import numpy as np

    peak = float(np.abs(vector).max(initial=0.0))
    if not math.isfinite(peak):
        raise InvalidInput(what="The vector", problem="it holds a value that is not a number")
    if peak == 0:
        return 0.0, bytes(len(vector))
    data = np.rint(vector * (127.0 / peak)).astype(np.int8)
    length = float(np.linalg.norm(data.astype(np.float32)))
    return 1.0 / length, data.tobytes()
