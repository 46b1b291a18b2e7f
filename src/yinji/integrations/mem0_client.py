"""mem0's ``MemoryClient``, as its hosted service is called, on a Yinji memory: no key, no network, no service::

from yinji.integrations.mem0_client import MemoryClient  # in place of: from mem0 import MemoryClient
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from yinji import build, engine
from yinji.integrations import mem0_forms as forms
from yinji.integrations.mem0 import Item, Memory

_NO_USE = frozenset(
    {
        "app_id",
        "async_mode",
        "categories",
        "custom_categories",
        "custom_instructions",
        "enable_graph",
        "excludes",
        "fields",
        "filter_memories",
        "includes",
        "keyword_search",
        "latest_only",
        "org_id",
        "output_format",
        "project_id",
        "rerank",
        "structured_data_schema",
        "version",
    }
)
"""Arguments of the service that mean nothing here."""


class MemoryClient:
    """The methods of mem0's client for one file. What the service alone has (projects, webhooks, exports) is not here.

    ``delete_users`` without a name, and ``reset``, are refused unless ``allow_reset=True``: they erase everybody.
    """

    def __init__(
        self,
        api_key: str | None = None,
        *,
        memory: engine.Memory | None = None,
        hard: bool = False,
        allow_reset: bool = False,
        clock: Callable[[], datetime] = build.local_now,
        **_: Any,
    ) -> None:
        """``api_key`` and whatever else says where the service is has no use here."""
        self._memory = memory or build.Memory.open()
        self._own = memory is None
        self._allow_reset = allow_reset
        self._mem0 = Memory(self._memory, hard=hard, allow_reset=allow_reset, clock=clock)

    def close(self) -> None:
        """Closes the memory, if it was opened here."""
        if self._own:
            self._memory.close()

    def add(self, messages: Any, options: Any = None, **kwargs: Any) -> Item:
        given = _given(options, kwargs)
        ids, _ = forms.split(given.pop("filters", None), {name: given.pop(name, None) for name in forms.IDS})
        return self._mem0.add(messages, **ids, **_known(given, "add"))

    def get(self, memory_id: str) -> Item:
        """Raises ValueError for an id that there is not."""
        one = self._mem0.get(memory_id)
        if one is None:
            raise ValueError(f"Memory with id {memory_id} not found")
        return one

    def get_all(self, options: Any = None, **kwargs: Any) -> Item:
        """``results`` with ``count``, ``next`` and ``previous``: pages with ``page`` and ``page_size``."""
        given = _given(options, kwargs)
        page, size = given.pop("page", 1), given.pop("page_size", 100)
        since, until = (forms.moment(given.pop(name, None)) for name in ("start_date", "end_date"))
        found = self._mem0.get_all(limit=10**9, **_known(given, "get_all"))["results"]
        shown = [one for one in found if _between(one, since, until)]
        start = (page - 1) * size
        more = start + size < len(shown)
        return {
            "count": len(shown),
            "next": f"?page={page + 1}&page_size={size}" if more else None,
            "previous": f"?page={page - 1}&page_size={size}" if page > 1 else None,
            "results": shown[start : start + size],
        }

    def search(self, query: str, options: Any = None, **kwargs: Any) -> Item:
        return self._mem0.search(query, **_known(_given(options, kwargs), "search"))

    def update(self, memory_id: str, options: Any = None, **kwargs: Any) -> Item:
        """A text in place of ``options`` is the new content, as in 1.x."""
        given = {"text": options} | kwargs if isinstance(options, str) else _given(options, kwargs)
        given.pop("timestamp", None)
        self._mem0.update(memory_id, **_known(given, "update"))
        return self.get(memory_id)

    def delete(self, memory_id: str, delete_linked: bool = False) -> Item:
        """``delete_linked`` deletes what it had superseded, too."""
        linked = self._superseded(memory_id) if delete_linked else []
        made = self._mem0.delete(memory_id)
        for one in linked:
            self._mem0.delete(one)
        return made

    def delete_all(self, options: Any = None, **kwargs: Any) -> Item:
        """Raises ValueError when nobody is named."""
        given = _given(options, kwargs)
        ids, _ = forms.split(given.pop("filters", None), {name: given.pop(name, None) for name in forms.IDS})
        _known(given, "delete_all")
        return self._mem0.delete_all(**ids)

    def history(self, memory_id: str) -> list[Item]:
        return self._mem0.history(memory_id)

    def users(self) -> Item:
        """Whose memories there are, each with how many."""
        found = [(owner, self._memory.stats(owner=owner).memories) for owner in self._memory.owners()]
        return {"results": [_entity(owner) | {"total_memories": count} for owner, count in found]}

    def delete_users(
        self,
        user_id: str | None = None,
        agent_id: str | None = None,
        app_id: str | None = None,
        run_id: str | None = None,
    ) -> Item:
        """Erases everything of a user, or of an agent or run that stands alone, for good. Raises ValueError."""
        if app_id is not None:
            raise ValueError("There are no apps of their own here: name a user_id, agent_id or run_id.")
        if user_id is None and agent_id is None and run_id is None:
            self._mem0.reset()
            return {"message": "All users, agents, apps and runs deleted."}
        self._memory.erase(forms.whose({"user_id": user_id, "agent_id": agent_id, "run_id": run_id}).owner)
        return {"message": "Entity deleted successfully."}

    def reset(self) -> Item:
        self._mem0.reset()
        return {"message": "Client reset successful. All users and memories deleted."}

    def batch_update(self, memories: list[Mapping[str, Any]]) -> Item:
        for one in memories:
            self._mem0.update(one["memory_id"], text=one.get("text"), metadata=one.get("metadata"))
        return {"message": f"Successfully updated {len(memories)} memories"}

    def batch_delete(self, memories: list[Mapping[str, Any]]) -> Item:
        for one in memories:
            self._mem0.delete(one["memory_id"])
        return {"message": f"Successfully deleted {len(memories)} memories"}

    def _superseded(self, memory_id: str) -> list[str]:
        """Ids of what a memory superseded, and of what those had."""
        found: list[str] = []
        for owner in self._memory.owners():
            waiting = [memory_id]
            known = {one.id: one for one in self._memory.list(owner=owner, validity=None, limit=None)}
            while waiting:
                one = known.get(waiting.pop())
                older = [link.target for link in one.links if link.kind == "supersedes"] if one else []
                waiting += [target for target in older if target in known and target not in found]
                found += waiting
        return list(dict.fromkeys(found))


def _given(options: Any, kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call: those of mem0's options object, or a dict, and those that were named."""
    if options is None:
        return dict(kwargs)
    told = dict(options) if isinstance(options, Mapping) else options.model_dump(exclude_unset=True)
    return told | dict(kwargs)


def _known(given: dict[str, Any], method: str) -> dict[str, Any]:
    """Those that the method takes. Raises TypeError for one that mem0 has not either."""
    import inspect

    parameters = inspect.signature(getattr(Memory, method)).parameters
    if unknown := [name for name in given if name not in parameters and name not in _NO_USE]:
        raise TypeError(f"{method}() got an unexpected keyword argument {unknown[0]!r}")
    return {
        name: value
        for name, value in given.items()
        if name in parameters and (value is not None or name == "expiration_date")
    }


def _between(one: Item, since: datetime | None, until: datetime | None) -> bool:
    made = datetime.fromisoformat(one["created_at"])
    return (since is None or made >= since) and (until is None or made <= until)


def _entity(owner: str) -> Item:
    for kind in ("agent", "run"):
        if owner.startswith(f"{kind}:"):
            return {"id": owner, "name": owner.removeprefix(f"{kind}:"), "type": kind}
    return {"id": owner, "name": owner, "type": "user"}
