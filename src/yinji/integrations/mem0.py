"""A memory with mem0's methods, arguments (1.x and 2.x) and answers; mem0 itself is not needed::

    from yinji.integrations.mem0 import Memory  # in place of: from mem0 import Memory

A user is an owner, a run a session, an agent an app; an agent or a run alone is an owner, too. What a caller keeps with
a memory (metadata, an expiration date) is a document of the same owner (``Memory.documents``).
"""

from __future__ import annotations

import asyncio
import builtins
from collections.abc import Callable, Coroutine, Mapping
from datetime import datetime
from functools import update_wrapper
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from uuid_utils import uuid7

from yinji import build, engine
from yinji.errors import NotFound
from yinji.filing.documents import Documents, Put
from yinji.integrations import mem0_forms as forms
from yinji.language.text import detect
from yinji.model import Kind, Layer, MemoryEntry, Role, Trust

COLLECTION = "mem0"
_KEPT = ("metadata",)
_UNSET: Any = object()
_WIDER = 100
"""Memories that are recalled where filters will leave some out."""

Item = dict[str, Any]
P = ParamSpec("P")
T = TypeVar("T")


class Memory:
    """mem0's ``Memory`` on a Yinji memory, or on the one at its usual place. See mem0's documentation for the methods.

    ``delete`` hides at once and can be undone for 30 days; with ``hard=True`` it erases, and proves it. ``reset`` is
    refused unless ``allow_reset=True``: it erases everybody.
    """

    def __init__(
        self,
        memory: engine.Memory | None = None,
        *,
        hard: bool = False,
        allow_reset: bool = False,
        clock: Callable[[], datetime] = build.local_now,
    ) -> None:
        self._memory = memory or build.Memory.open()
        self._own = memory is None
        self._hard = hard
        self._allow_reset = allow_reset
        self._clock = clock

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the memory, if it was opened here."""
        if self._own:
            self._memory.close()

    def add(
        self,
        messages: Any,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: dict[str, Any] | None = None,
        timestamp: Any | None = None,
        expiration_date: Any | None = None,
        infer: bool = True,
        memory_type: str | None = None,
        prompt: str | None = None,
    ) -> Item:
        """Remembers messages; ``results`` has what was added, ended (``DELETE``) or said again (``NONE``).

        ``infer=False`` keeps each message as it stands. ``prompt`` has no use here. Raises ValueError.
        """
        ids = {"user_id": user_id, "agent_id": agent_id, "run_id": run_id}
        whose = forms.whose(ids)
        if memory_type not in (None, "procedural_memory"):
            raise ValueError("Invalid 'memory_type'. Please pass procedural_memory to create procedural memories.")
        said, at, last_day = forms.messages_of(messages), forms.moment(timestamp), forms.day(expiration_date)
        if infer and memory_type is None:
            events = self._remembered(said, whose, at)
        else:
            events = self._as_they_stand(said, whose, at, Kind.PROCEDURE if memory_type else Kind.FACT)
        if metadata or last_day:
            kept = {"metadata": metadata or {}, "expiration_date": last_day}
            self._keep(whose.owner, [one.id for name, one in events if name == "ADD"], kept)
        return {"results": [forms.event(name, one) for name, one in events]}

    def get(self, memory_id: str) -> Item | None:
        """None where there is none of that id."""
        one = self._find(memory_id)
        return None if one is None else forms.item(one, self._kept(one)) | {"score": None}

    def get_all(
        self,
        *,
        filters: dict[str, Any] | None = None,
        top_k: int = 20,
        show_expired: bool = False,
        limit: int | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> Item:
        """``results``, the newest first. Raises ValueError unless an id says whose."""
        whose, conditions = self._asked(filters, user_id, agent_id, run_id)
        return {"results": self._all(whose, conditions, show_expired)[: _most(limit, top_k)]}

    def search(
        self,
        query: str,
        *,
        top_k: int = 20,
        filters: dict[str, Any] | None = None,
        threshold: float | None = None,
        rerank: bool = False,
        explain: bool = False,
        reference_date: Any | None = None,
        show_expired: bool = False,
        limit: int | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> Item:
        """``results``, the best first, each with a ``score`` from 0 to 1; none where nothing answers.

        ``explain`` adds ``score_details`` with a sentence. ``rerank`` changes nothing: all are. Raises ValueError.
        """
        if not isinstance(query, str) or not query.strip():
            raise ValueError("Invalid query: it must be a text, and not empty.")
        if threshold is not None and not 0 <= threshold <= 1:
            raise ValueError(f"Invalid threshold: {threshold}. Must be between 0 and 1 (inclusive).")
        whose, conditions = self._asked(filters, user_id, agent_id, run_id)
        most = _most(limit, top_k)
        now = forms.moment(reference_date)
        found = self._memory.recall(query, max(most, _WIDER), owner=whose.owner, now=now) if most else ()
        items = [
            forms.found_item(hit, self._kept(hit.memory), explain=explain) for hit in found if whose.holds(hit.memory)
        ]
        shown = [one for one in items if self._shown(one, conditions, show_expired)]
        return {"results": [one for one in shown if one["score"] >= (threshold or 0)][:most]}

    def update(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: dict[str, Any] | None = None,
        expiration_date: Any = _UNSET,
        data: str | None = None,
    ) -> Item:
        """Raises ValueError for an id that there is not, or when there is nothing to change."""
        text = data if text is None else text
        if text is None and metadata is None and expiration_date is _UNSET:
            raise ValueError("At least one of text, metadata, or expiration_date must be provided.")
        one = self._found(memory_id)
        if text is not None:
            self._memory.edit(one.id, owner=one.owner, content=text)
        if metadata is not None or expiration_date is not _UNSET:
            kept = dict(self._kept(one))
            kept["metadata"] = {**(kept.get("metadata") or {}), **(metadata or {})}
            if expiration_date is not _UNSET:
                kept["expiration_date"] = forms.day(expiration_date)
            self._keep(one.owner, [one.id], kept)
        return {"message": "Memory updated successfully!"}

    def delete(self, memory_id: str) -> Item:
        """Raises ValueError for an id that there is not."""
        one = self._found(memory_id)
        self._forget(one.owner, [one.id])
        return {"message": "Memory deleted successfully!"}

    def delete_all(self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None) -> Item:
        """Deletes what is of that user, agent or run, and of nobody else. Raises ValueError when none is named."""
        ids = {"user_id": user_id, "agent_id": agent_id, "run_id": run_id}
        if not any(ids.values()):
            raise ValueError("At least one filter is required to delete all memories: user_id, agent_id or run_id.")
        whose = forms.whose(ids)
        known = self._memory.list(owner=whose.owner, validity=None, limit=None)
        self._forget(whose.owner, [one.id for one in known if whose.holds(one)])
        return {"message": "Memories deleted successfully!"}

    def history(self, memory_id: str) -> builtins.list[Item]:
        """What was done to a memory, oldest first. Texts that it had before are not kept, and None."""
        one = self._find(memory_id, hidden=True)
        if one is None:
            return []
        entries = self._memory.history(one.id, owner=one.owner)
        texts = [entry.id for entry in entries if entry.action in {"added", "imported", "edited"}]
        return [
            {
                "id": str(entry.id),
                "memory_id": one.id,
                "old_memory": None,
                "new_memory": one.content if texts[:1] == [entry.id] else None,
                "event": _EVENTS.get(entry.action, entry.action.upper()),
                "created_at": one.created_at.isoformat(),
                "updated_at": entry.at.isoformat(),
                "is_deleted": entry.action in {"hidden", "erased"},
                "actor_id": None,
                "role": one.sources[0].role.value if one.sources else None,
            }
            for entry in reversed(entries)
        ]

    def reset(self) -> None:
        """Erases everything of everybody in this file. Raises ValueError unless ``allow_reset=True`` was given."""
        if not self._allow_reset:
            raise ValueError("reset() erases everybody's memories in this file. If that is wanted: allow_reset=True.")
        for owner in self._memory.owners():
            self._memory.erase(owner)

    def chat(self, query: str) -> Item:
        raise NotImplementedError("Chat function not implemented yet.")

    # ------------------------------------------------------------ writing

    def _remembered(
        self, said: builtins.list[Mapping[str, Any]], whose: forms.Whose, at: datetime | None
    ) -> builtins.list[tuple[str, MemoryEntry]]:
        about = {"session": whose.run or forms.DEFAULT_SESSION, "app": whose.agent}
        turns: builtins.list[Any] = [
            {**turn, **about} | ({} if at is None else {"at": at}) for turn in forms.turns_of(said)
        ]
        done = self._memory.remember_many(turns, owner=whose.owner) if turns else []
        return [
            (event, one)
            for became in done
            for event, several in (("ADD", became.added), ("DELETE", became.superseded), ("NONE", became.reinforced))
            for one in several
        ]

    def _as_they_stand(
        self, said: builtins.list[Mapping[str, Any]], whose: forms.Whose, at: datetime | None, kind: Kind
    ) -> builtins.list[tuple[str, MemoryEntry]]:
        texts = [(forms.text_of(one), one.get("role")) for one in said if one.get("role") != "system"]
        records = [_record(text, role, whose, at or self._clock(), kind) for text, role in texts if text]
        self._memory.import_(records, owner=whose.owner)
        known = [self._of(whose.owner, str(one["id"])) for one in records]
        return [("ADD", one) for one in known if one is not None]

    def _keep(self, owner: str, ids: builtins.list[str], kept: Mapping[str, Any]) -> None:
        puts = [Put(namespace=_KEPT, key=one, value=kept, fields=()) for one in ids]
        self._documents(owner).write(puts)

    def _forget(self, owner: str, ids: builtins.list[str]) -> None:
        if not ids:
            return
        if self._hard:  # before the memories: erasing them clears the log of the file, too
            self._documents(owner).write([Put(namespace=_KEPT, key=one, value=None) for one in ids])
        self._memory.forget(ids, owner=owner, hard=self._hard)

    # ------------------------------------------------------------ finding

    def _asked(
        self, filters: dict[str, Any] | None, user_id: str | None, agent_id: str | None, run_id: str | None
    ) -> tuple[forms.Whose, dict[str, Any]]:
        ids, conditions = forms.split(filters, {"user_id": user_id, "agent_id": agent_id, "run_id": run_id})
        return forms.whose(ids), conditions

    def _all(self, whose: forms.Whose, conditions: dict[str, Any], show_expired: bool) -> builtins.list[Item]:
        kept = {one.key: one.value for one in self._documents(whose.owner).select(_KEPT)}
        known = self._memory.list(owner=whose.owner, limit=None)
        items = [forms.item(one, kept.get(one.id, {})) for one in known if whose.holds(one)]
        return [one for one in items if self._shown(one, conditions, show_expired)]

    def _shown(self, one: Item, conditions: dict[str, Any], show_expired: bool) -> bool:
        ended = one.get("expiration_date")
        past = ended is not None and ended < self._clock().strftime("%Y-%m-%d")
        return (show_expired or not past) and forms.fits(forms.payload(one), conditions)

    def _found(self, memory_id: str) -> MemoryEntry:
        one = self._find(memory_id)
        if one is None:
            raise ValueError(f"Memory with id {memory_id} not found")
        return one

    def _find(self, memory_id: str, *, hidden: bool = False) -> MemoryEntry | None:
        """The memory with exactly that id, whosever it is: mem0's calls by id name nobody."""
        for owner in self._memory.owners():
            one = self._of(owner, memory_id)
            if one is not None and (hidden or one.hidden_at is None):
                return one
        return None

    def _of(self, owner: str, memory_id: str) -> MemoryEntry | None:
        try:
            one = self._memory.get(memory_id, owner=owner)
        except NotFound:
            return None
        return one if one.id == memory_id else None

    def _kept(self, one: MemoryEntry) -> Mapping[str, Any]:
        found = self._documents(one.owner).get(_KEPT, one.id)
        return {} if found is None else found.value

    def _documents(self, owner: str) -> Documents:
        return self._memory.documents(COLLECTION, owner=owner)


_EVENTS = {"added": "ADD", "imported": "ADD", "edited": "UPDATE", "hidden": "DELETE", "erased": "DELETE"}


def _most(limit: int | None, top_k: int) -> int:
    most = top_k if limit is None else limit
    if isinstance(most, bool) or not isinstance(most, int) or most < 0:
        raise ValueError(f"Invalid top_k: {most}. Must be a non-negative integer.")
    return most


def _record(text: str, role: object, whose: forms.Whose, at: datetime, kind: Kind) -> dict[str, object]:
    """A memory that says a message as it stands, in the form of an export."""
    by = Role.ASSISTANT if role == "assistant" else Role.USER
    source = {
        "turn_id": "",
        "session": whose.run or forms.DEFAULT_SESSION,
        "seq": -1,
        "role": by.value,
        "start": 0,
        "end": len(text),
        "quote": text,
        "at": at.isoformat(),
        "app": whose.agent,
    }
    return {
        "id": str(uuid7()),
        "owner": whose.owner,
        "content": text,
        "kind": kind.value,
        "layer": (Layer.PROCEDURAL if kind is Kind.PROCEDURE else Layer.SEMANTIC).value,
        "language": detect(text),
        "importance": 0.5,
        "confidence": 1.0,
        "created_at": at.isoformat(),
        "updated_at": at.isoformat(),
        "recorded_at": at.isoformat(),
        "trust": (Trust.ASSISTANT if by is Role.ASSISTANT else Trust.USER_EXPLICIT).value,
        "sources": [source],
    }


def _later(
    method: Callable[Concatenate[Memory, P], T],
) -> Callable[Concatenate[AsyncMemory, P], Coroutine[Any, Any, T]]:
    """The method with the same arguments, to be awaited: it runs in a worker thread."""

    async def call(self: AsyncMemory, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(method, self._sync, *args, **kwargs)

    update_wrapper(call, method)
    return call


class AsyncMemory:
    """mem0's ``AsyncMemory``: the same methods, to be awaited."""

    def __init__(
        self,
        memory: engine.Memory | None = None,
        *,
        hard: bool = False,
        allow_reset: bool = False,
        clock: Callable[[], datetime] = build.local_now,
    ) -> None:
        self._sync = Memory(memory, hard=hard, allow_reset=allow_reset, clock=clock)

    def close(self) -> None:
        self._sync.close()

    add = _later(Memory.add)
    get = _later(Memory.get)
    get_all = _later(Memory.get_all)
    search = _later(Memory.search)
    update = _later(Memory.update)
    delete = _later(Memory.delete)
    delete_all = _later(Memory.delete_all)
    history = _later(Memory.history)
    reset = _later(Memory.reset)
    chat = _later(Memory.chat)
