"""What a model reads of a result: short lines, with the ids that further calls need; the whole stands beside."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from yinji.interfaces.messages import Messages
from yinji.interfaces.operations import Changes, Memories
from yinji.interfaces.wire import Json, to_json
from yinji.model import Context, Drop, MemoryEntry, Recall, Remembered, Why

LONGEST_DROP = 60


def told(value: object, say: Messages) -> str:
    """The result in the user's language; as JSON where there is no shorter way to say it."""
    match value:
        case Recall():
            return _lines([f"{one.rank}. {_memory(one.memory)} – {one.why}" for one in value], say("recall.nothing"))
        case Context():
            return value.text or say("recall.nothing")
        case Memories():
            return _lines([f"- {_memory(one)}" for one in value.memories], say("mcp.nothing"))
        case Remembered():
            return _remembered(value, say)
        case MemoryEntry():
            return _memory(value)
        case Why():
            return value.why
        case Changes():
            return _lines([json.dumps(to_json(one), ensure_ascii=False) for one in value.entries], say("mcp.nothing"))
    return json.dumps(to_json(value), ensure_ascii=False)


def whole(value: object) -> Mapping[str, Json]:
    """The result as a JSON object, as every other door gives it."""
    made = to_json(value)
    return made if isinstance(made, dict) else {"result": made}


# ------------------------------------------------------- other memories' forms


def as_mem0(value: object) -> Mapping[str, Json]:
    """As mem0 tells it: ``results`` with ``memory`` for the content; one memory stands alone."""
    match value:
        case Recall():
            return {"results": [_mem0(one.memory) | {"score": round(one.score, 4)} for one in value]}
        case Memories():
            return {"results": [_mem0(one) for one in value.memories]}
        case MemoryEntry():
            return _mem0(value)
        case Remembered():
            events = (("ADD", value.added), ("DELETE", value.superseded), ("NONE", value.reinforced))
            found: list[Json] = [_mem0(one) | {"event": event} for event, many in events for one in many]
            return {"results": found}
    return whole(value)


def _mem0(memory: MemoryEntry) -> dict[str, Json]:
    return {
        "id": memory.id,
        "memory": memory.content,
        "user_id": memory.owner,
        "created_at": memory.created_at.isoformat(),
        "updated_at": memory.updated_at.isoformat(),
        "metadata": {"kind": memory.kind.value, "validity": memory.validity.value},
    }


def as_found(value: object) -> Mapping[str, Json]:
    """As clients of ``search`` expect it: ``results`` of id, title and url."""
    assert isinstance(value, Recall)
    found: list[Json] = [
        {"id": hit.memory.id, "title": _title(hit.memory), "url": f"yinji://memory/{hit.memory.id}"} for hit in value
    ]
    return {"results": found}


def as_fetched(value: object) -> Mapping[str, Json]:
    """As clients of ``fetch`` expect it: id, title, text, url and metadata."""
    assert isinstance(value, MemoryEntry)
    return {
        "id": value.id,
        "title": _title(value),
        "text": value.content,
        "url": f"yinji://memory/{value.id}",
        "metadata": {"kind": value.kind.value, "said": value.recorded_at.isoformat(), "validity": value.validity.value},
    }


def _title(memory: MemoryEntry) -> str:
    return memory.content if len(memory.content) <= LONGEST_DROP else f"{memory.content[:LONGEST_DROP]}…"


SHAPES: Mapping[str, Callable[[object], Mapping[str, Json]]] = {
    "mem0": as_mem0,
    "search": as_found,
    "fetch": as_fetched,
}


def _lines(lines: Sequence[str], nothing: str) -> str:
    return "\n".join(lines) or nothing


def _memory(memory: MemoryEntry) -> str:
    held = "" if memory.validity.value == "current" else f", {memory.validity.value}"
    return f"{memory.content} [{memory.id}, {memory.kind.value}, {memory.recorded_at:%Y-%m-%d}{held}]"


def _remembered(value: Remembered, say: Messages) -> str:
    if value.pending:
        return say("mcp.taken", turn=value.turn_id)
    lines = [f"+ {_memory(one)}" for one in value.added]
    lines += [f"= {_memory(one)}" for one in value.reinforced]
    lines += [f"- {_memory(one)}" for one in value.superseded]
    lines += [f"· {_drop(one, say)}" for one in value.drops]
    return _lines(lines, say("mcp.nothing"))


def _drop(drop: Drop, say: Messages) -> str:
    text = drop.text if len(drop.text) <= LONGEST_DROP else f"{drop.text[:LONGEST_DROP]}…"
    return f"{text} ({say.term('drop', drop.reason.value)})"
