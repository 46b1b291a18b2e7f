"""Memories as LangChain documents, and a chat's messages as LangChain history; they need the extra ``langchain``::

retriever = YinjiRetriever(memory=memory, top_k=5)
history = YinjiChatMessageHistory("thread-1", memory)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from yinji.engine import Memory
from yinji.integrations import of_extra
from yinji.integrations.conversation import ASSISTANT, USER, Conversation, Said
from yinji.model import Hit, Recall

with of_extra("langchain", "langchain"):
    from langchain_core.callbacks.manager import CallbackManagerForRetrieverRun
    from langchain_core.chat_history import BaseChatMessageHistory
    from langchain_core.documents import Document
    from langchain_core.messages import BaseMessage, message_to_dict, messages_from_dict
    from langchain_core.retrievers import BaseRetriever

COLLECTION = "langchain"
_ROLES = {"human": USER, "ai": ASSISTANT}


class YinjiRetriever(BaseRetriever):
    """Recalls memories for a question. Each document tells in its metadata why it came and where it is from."""

    memory: Memory
    owner: str | None = None
    top_k: int | None = None
    kinds: tuple[str, ...] | None = None
    scenes: tuple[str, ...] | None = None
    past: bool = False
    """Whether what no longer holds may answer, too."""
    used: bool = True
    """Whether what is found counts as used: it then stays alive longer."""

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun | None = None
    ) -> list[Document]:
        if not query.strip():
            return []
        found = self.memory.recall(
            query, self.top_k, owner=self.owner, kinds=self.kinds, scenes=self.scenes, past=self.past
        )
        if self.used and found:
            self.memory.used([hit.memory.id for hit in found], owner=self.owner)
        return [document_of(hit, found) for hit in found]


def document_of(hit: Hit, found: Recall) -> Document:
    """A memory as a LangChain document."""
    memory = hit.memory
    source = memory.sources[0] if memory.sources else None
    valid = memory.valid
    metadata = {
        "id": memory.id,
        "owner": memory.owner,
        "kind": memory.kind.value,
        "layer": memory.layer.value,
        "language": memory.language,
        "score": hit.score,
        "rank": hit.rank,
        "why": hit.why,
        "paths": [one.path for one in hit.paths],
        "factors": dict(hit.factors),
        "importance": memory.importance,
        "confidence": memory.confidence,
        "validity": memory.validity.value,
        "scenes": list(memory.scenes),
        "recorded_at": memory.recorded_at.isoformat(),
        "valid_from": _time(valid.start if valid else None),
        "valid_to": _time(valid.end if valid else None),
        "source": source.quote if source else None,
        "said_at": _time(source.at if source else None),
        "said_by": source.role.value if source else None,
        "session": source.session if source else None,
        "turn_id": source.turn_id if source else None,
        "warnings": list(found.warnings),
    }
    return Document(id=memory.id, page_content=memory.content, metadata=metadata)


class YinjiChatMessageHistory(BaseChatMessageHistory):
    """A session's messages in the memory's file; what the user says in it, with the answer, is remembered.

    ``remember=False`` keeps the messages alone. Human and AI texts are masked before they are written; other messages,
    such as those of tools, are kept to the letter. ``clear`` takes the messages away, not what was remembered.
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
        limit: int | None = None,
    ) -> None:
        super().__init__()
        self.session_id = session_id
        self._limit = limit
        self._conversation = Conversation(
            memory, session_id, collection=collection, owner=owner, remember=remember, wait=wait
        )

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        """Oldest first; the latest ``limit``, or all."""
        found = self._conversation.messages(self._limit)
        return messages_from_dict([dict(cast("Mapping[str, Any]", one)) for one in found])

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        if messages:
            self._conversation.add(messages, self._said)

    def clear(self) -> None:
        self._conversation.clear()

    def flush(self) -> None:
        """Remembers a message that still waits for its answer, and waits until all is read."""
        self._conversation.flush()

    def _said(self, message: BaseMessage, before: str) -> Said:
        value: dict[str, Any] = message_to_dict(message)
        role = _ROLES.get(message.type)
        if role is None:
            return Said(value=value)
        content = self._masked(value["data"]["content"], before)
        return Said(
            value={**value, "data": {**value["data"], "content": content}}, role=role, text=_text(content).strip()
        )

    def _masked(self, content: Any, before: str) -> Any:
        if isinstance(content, str):
            return self._conversation.masked(content, before)
        if isinstance(content, list):
            return [self._masked(one, before) for one in content]
        if isinstance(content, dict) and isinstance(content.get("text"), str):
            return {**content, "text": self._conversation.masked(content["text"], before)}
        return content


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(filter(None, map(_text, content)))
    text = content.get("text", "") if isinstance(content, dict) else content
    return text if isinstance(text, str) else ""


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
