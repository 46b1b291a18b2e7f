"""A session for the OpenAI Agents SDK that also remembers; it needs the extra ``openai-agents``::

    await Runner.run(agent, "Book the usual", session=YinjiSession("thread-1", memory))

The items of a session are kept as they are; what the user said, with the answer, is remembered for all later sessions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, cast

from yinji.engine import Memory
from yinji.integrations import of_extra
from yinji.integrations.conversation import ASSISTANT, USER, Conversation, Said

with of_extra("openai-agents", "openai_agents"):
    from agents.items import TResponseInputItem
    from agents.memory import SessionABC, SessionSettings

COLLECTION = "openai-agents"


class YinjiSession(SessionABC):
    """A ``Session``: its history in the memory's file, and its turns among the memories of the owner.

    ``remember=False`` keeps the history alone. What is masked before it is written is what the user and the assistant
    say; other items, such as calls of tools and their results, are kept to the letter.
    """

    def __init__(
        self,
        session_id: str,
        memory: Memory,
        *,
        owner: str | None = None,
        collection: str = COLLECTION,
        remember: bool = True,
        wait: bool = False,
        session_settings: SessionSettings | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings = session_settings or SessionSettings()
        self._conversation = Conversation(
            memory, session_id, collection=collection, owner=owner, remember=remember, wait=wait
        )

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The latest items, oldest first; without a limit that of ``session_settings``, or all."""
        most = limit if limit is not None or self.session_settings is None else self.session_settings.limit
        found = await asyncio.to_thread(self._conversation.messages, most)
        return [_item(one) for one in found]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        if items:
            await asyncio.to_thread(self._conversation.add, [cast("Any", one) for one in items], self._said)

    async def pop_item(self) -> TResponseInputItem | None:
        """Takes the latest item away; what was remembered of it stays."""
        found = await asyncio.to_thread(self._conversation.pop)
        return None if found is None else _item(found)

    async def clear_session(self) -> None:
        """Takes the items away; what was remembered of them stays."""
        await asyncio.to_thread(self._conversation.clear)

    async def flush(self) -> None:
        """Remembers a message that still waits for its answer, and waits until all is read."""
        await asyncio.to_thread(self._conversation.flush)

    def _said(self, item: Mapping[str, Any], before: str) -> Said:
        role = item.get("role") if item.get("type", "message") == "message" else None
        if role not in {USER, ASSISTANT}:
            return Said(value=item)
        content = item.get("content")
        if isinstance(content, str):
            text = self._conversation.masked(content, before)
            return Said(value={**item, "content": text}, role=str(role), text=text.strip())
        parts = [self._part(one, before) for one in content] if isinstance(content, list) else content
        texts = [str(one["text"]) for one in parts if isinstance(one, dict) and "text" in one] if parts else []
        return Said(value={**item, "content": parts}, role=str(role), text="\n".join(texts).strip())

    def _part(self, part: object, before: str) -> object:
        if isinstance(part, dict) and isinstance(part.get("text"), str):
            return {**part, "text": self._conversation.masked(part["text"], before)}
        return part


def _item(message: Mapping[str, object]) -> TResponseInputItem:
    return cast("TResponseInputItem", dict(message))
