"""mem0's forms: whose memories its ids mean, its filters, its messages as turns, its items."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from yinji.model import Hit, MemoryEntry

IDS = ("user_id", "agent_id", "run_id")
_PREFIX = {"agent_id": "agent:", "run_id": "run:"}
_LOGICAL = ("AND", "OR", "NOT")
_NOT_OURS = "app_id", "actor_id"


@dataclass(frozen=True, kw_only=True, slots=True)
class Whose:
    """What mem0's ids mean here: the owner, and within it the session (a run) and the app (an agent)."""

    owner: str
    run: str | None = None
    agent: str | None = None

    def holds(self, one: MemoryEntry) -> bool:
        """Whether a memory of the owner is of that run and agent."""
        return (self.run is None or any(source.session == self.run for source in one.sources)) and (
            self.agent is None or any(source.app == self.agent for source in one.sources)
        )


def whose(given: Mapping[str, object]) -> Whose:
    """Of the ids that were given. Raises ValueError when there is none, or one is no id."""
    ids = {name: _checked(name, given[name]) for name in IDS if given.get(name) is not None}
    if not ids:
        raise ValueError(
            "filters must contain at least one of: user_id, agent_id, run_id. Example: filters={'user_id': 'u1'}"
        )
    if "user_id" in ids:
        return Whose(owner=ids["user_id"], run=ids.get("run_id"), agent=ids.get("agent_id"))
    if "agent_id" in ids:
        return Whose(owner=_PREFIX["agent_id"] + ids["agent_id"], run=ids.get("run_id"))
    return Whose(owner=_PREFIX["run_id"] + ids["run_id"])


def _checked(name: str, value: object) -> str:
    text = str(value).strip()
    if not text or any(one.isspace() for one in text):
        raise ValueError(f"Invalid {name}: it must not be empty and must not contain whitespace.")
    if name == "user_id" and text.startswith(tuple(_PREFIX.values())):
        raise ValueError("Invalid user_id: 'agent:' and 'run:' before an id mean agents and runs.")
    return text


def ids_of(one: MemoryEntry) -> dict[str, str]:
    """A memory's owner, session and app as mem0's ids."""
    for name, prefix in _PREFIX.items():
        if one.owner.startswith(prefix):
            found = {name: one.owner.removeprefix(prefix)}
            break
    else:
        found = {"user_id": one.owner}
    source = one.sources[0] if one.sources else None
    if source is not None and source.session != DEFAULT_SESSION:
        found.setdefault("run_id", source.session)
    if source is not None and source.app:
        found.setdefault("agent_id", source.app)
    return found


DEFAULT_SESSION = "mem0"


def split(filters: Mapping[str, Any] | None, given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """(ids, other conditions) of mem0 2.x's ``filters`` and of 1.x's arguments of the ids' names."""
    conditions = dict(filters or {})
    ids = {name: conditions.pop(name) for name in IDS if not isinstance(conditions.get(name), dict | None)}
    if ids_within := _ids_within(conditions):
        ids = ids_within | ids
    return ids | {name: value for name, value in given.items() if value is not None}, conditions


def _ids_within(conditions: dict[str, Any]) -> dict[str, Any]:
    """Ids under the outermost AND, where mem0's platform has them."""
    parts = conditions.get("AND")
    found: dict[str, Any] = {}
    for part in parts if isinstance(parts, list) else ():
        found |= {name: part[name] for name in IDS if isinstance(part, dict) and isinstance(part.get(name), str | int)}
    return found


def fits(payload: Mapping[str, Any], filters: Mapping[str, Any]) -> bool:
    """Whether an item is as mem0's filters ask. Raises ValueError for an operator that there is not."""
    return all(_fits(payload, name, wanted) for name, wanted in filters.items())


def _fits(payload: Mapping[str, Any], name: str, wanted: Any) -> bool:
    if name in _LOGICAL:
        parts = [fits(payload, one) for one in ([wanted] if isinstance(wanted, Mapping) else wanted)]
        return all(parts) if name == "AND" else any(parts) if name == "OR" else not any(parts)
    value = payload.get(name)
    if wanted == "*":
        return name in payload
    if isinstance(wanted, Mapping):
        return all(_compares(value, operator, other) for operator, other in wanted.items())
    return bool(value == wanted or (isinstance(value, list) and wanted in value))


def _compares(value: Any, operator: str, other: Any) -> bool:
    match operator:
        case "eq":
            return bool(value == other)
        case "ne":
            return bool(value != other)
        case "in":
            return value in other
        case "nin":
            return value not in other
        case "contains":
            return isinstance(value, str | list) and other in value
        case "icontains":
            return isinstance(value, str) and str(other).lower() in value.lower()
        case "gt" | "gte" | "lt" | "lte":
            return _in_order(value, operator, other)
    raise ValueError(f"There is no filter operator {operator!r}.")


def _in_order(value: Any, operator: str, other: Any) -> bool:
    try:
        more, equal = bool(value > other), bool(value == other)
    except TypeError:
        return False
    return {"gt": more, "gte": more or equal, "lt": not (more or equal), "lte": not more}[operator]


def messages_of(messages: object) -> list[Mapping[str, Any]]:
    """Messages as mem0 takes them: a text, one message, or several. Raises ValueError."""
    if isinstance(messages, str):
        return [{"role": "user", "content": messages}]
    if isinstance(messages, Mapping):
        return [messages]
    if isinstance(messages, list) and all(isinstance(one, Mapping) for one in messages):
        return messages
    raise ValueError(f"messages must be str, dict, or list[dict], got {type(messages).__name__}")


def text_of(message: Mapping[str, Any]) -> str:
    """The text of a message, of its parts where it has several."""
    content = message.get("content")
    if isinstance(content, list):
        content = "\n".join(str(one.get("text", "")) for one in content if isinstance(one, Mapping))
    return content.strip() if isinstance(content, str) else ""


def turns_of(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """User messages, each with the answers that follow; an answer to nothing is the assistant's own word."""
    made: list[dict[str, str]] = []
    for one in messages:
        role, text = one.get("role"), text_of(one)
        if not text or role not in {"user", "assistant"}:
            continue
        if role == "user":
            made.append({"user": text, "role": "user"})
        elif made and made[-1]["role"] == "user":
            made[-1]["assistant"] = "\n".join(filter(None, (made[-1].get("assistant"), text)))
        else:
            made.append({"user": text, "role": "assistant"})
    return made


def moment(value: object) -> datetime | None:
    """Seconds since 1970, ISO 8601, or a datetime; without a zone in UTC. Raises ValueError."""
    if value is None or isinstance(value, datetime):
        return value if value is None or value.tzinfo else value.replace(tzinfo=UTC)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return datetime.fromtimestamp(value, UTC)
    found = datetime.fromisoformat(str(value).replace("Z", "+00:00"))
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def day(value: object) -> str | None:
    """A date as ``YYYY-MM-DD``. Raises ValueError."""
    if value is None:
        return None
    return (value if isinstance(value, date) else date.fromisoformat(str(value))).strftime("%Y-%m-%d")


def item(one: MemoryEntry, kept: Mapping[str, Any]) -> dict[str, Any]:
    """A memory as mem0 gives one; ``kept`` is what the caller had kept with it."""
    ended = {"expiration_date": kept["expiration_date"]} if kept.get("expiration_date") else {}
    role = {"role": one.sources[0].role.value} if one.sources else {}
    return {
        "id": one.id,
        "memory": one.content,
        "hash": hashlib.md5(one.content.encode(errors="surrogatepass"), usedforsecurity=False).hexdigest(),
        "metadata": dict(kept.get("metadata") or {}) or None,
        "categories": [one.kind.value],
        "created_at": one.created_at.isoformat(),
        "updated_at": one.updated_at.isoformat(),
        **ids_of(one),
        **role,
        **ended,
    }


def event(name: str, one: MemoryEntry) -> dict[str, Any]:
    """What became of a memory, as mem0 tells it."""
    role = one.sources[0].role.value if one.sources else None
    return {"id": one.id, "memory": one.content, "event": name, "actor_id": None, "role": role}


def found_item(hit: Hit, kept: Mapping[str, Any], *, explain: bool) -> dict[str, Any]:
    """A hit as mem0 gives one: its score between 0 and 1."""
    made = item(hit.memory, kept) | {"score": 1 / (1 + math.exp(-max(-700.0, hit.score)))}
    return made | {"score_details": dict(hit.factors) | {"why": hit.why}} if explain else made


def payload(one: Mapping[str, Any]) -> dict[str, Any]:
    """What a filter is asked of: what the caller kept with the memory, and what mem0 keeps beside it."""
    return (one.get("metadata") or {}) | {name: value for name, value in one.items() if name != "metadata"}
