"""A session's messages, kept whole and in order as documents, and remembered: each user's message with its answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from yinji.arguments import LONGEST_MESSAGE, name
from yinji.document import Document
from yinji.engine import Memory
from yinji.errors import KeyReused
from yinji.filing.documents import Put

USER, ASSISTANT = "user", "assistant"
Message = TypeVar("Message")
_LOOKED_BACK = 50
"""Messages before the new ones among which the user's last is looked for."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """One message. ``text`` is what is remembered of it: empty where it is none of the user's or the assistant's."""

    value: Mapping[str, object]
    role: str = ""
    text: str = ""


@dataclass(kw_only=True, slots=True)
class _Exchange:
    """A user's message that waits for its answer."""

    key: str
    user: str
    at: datetime | None
    answers: list[str]


class Conversation:
    """One session of one owner. Thread-safe; two processes may add to the same session.

    A user's message is remembered when its answer comes, or the next message; ``flush`` does it at once.
    """

    def __init__(
        self, memory: Memory, session: str, *, collection: str, owner: str | None, remember: bool, wait: bool
    ) -> None:
        self.session = name(session, "The session")
        self._memory = memory
        self._documents = memory.documents(collection, owner=owner, mask=False)
        self._masking = memory.documents(collection, owner=owner)
        self._app = collection
        self._remember = remember
        self._wait = wait
        self._lock = threading.Lock()

    def masked(self, text: str, before: str) -> str:
        """What somebody said, without what must never be written down; what was said before may tell what it is."""
        (kept,) = self._masking.as_kept({before: text}).values()
        return str(kept)

    def add(self, messages: Sequence[Message], read: Callable[[Message, str], Said]) -> None:
        """Keeps messages in order. ``read`` takes a message and what was said before it."""
        with self._lock:
            latest = self._documents.select((self.session,), below=False, limit=_LOOKED_BACK)
            before = next((str(one.value["text"]) for one in latest if one.value["text"]), "")
            said: list[Said] = []
            for one in messages:
                said.append(read(one, before))
                before = said[-1].text or before
            values = [{"role": one.role, "text": one.text, "message": one.value} for one in said]
            keys = self._documents.add((self.session,), values)
            if self._remember:
                self._take(_exchanges(_waiting(latest), said, keys))

    def messages(self, limit: int | None = None) -> list[Mapping[str, object]]:
        """The latest, oldest first; all without a limit."""
        if limit is not None and limit < 0:
            limit = None
        found = self._documents.select((self.session,), below=False, limit=limit)
        return [_message(one) for one in reversed(found)]

    def pop(self) -> Mapping[str, object] | None:
        """Takes the latest away; None when there is none. What was remembered of it stays."""
        while found := self._documents.select((self.session,), below=False, limit=1):
            last = found[0]
            if self._documents.delete(last.namespace, last.key, expected=last.stamp):
                return _message(last)
        return None

    def clear(self) -> None:
        """Takes all away. What was remembered of them stays."""
        found = self._documents.select((self.session,), below=False)
        self._documents.write([Put(namespace=one.namespace, key=one.key, value=None) for one in found])

    def flush(self) -> None:
        """Remembers a message that still waits for its answer, and waits until all is read."""
        with self._lock:
            latest = self._documents.select((self.session,), below=False, limit=_LOOKED_BACK)
            if self._remember and (waiting := _waiting(latest)) is not None:
                self._take([waiting])
        self._memory.flush()

    def _take(self, exchanges: Sequence[_Exchange]) -> None:
        for one in exchanges:
            # Another process took the message with another answer.
            with suppress(KeyReused):
                self._memory.remember(
                    one.user[:LONGEST_MESSAGE],
                    "\n".join(one.answers)[:LONGEST_MESSAGE] or None,
                    owner=self._documents.owner,
                    session=self.session,
                    key=f"{self._app}:{one.key}",
                    at=one.at,
                    app=self._app,
                    wait=self._wait,
                )


def _waiting(latest: Sequence[Document]) -> _Exchange | None:
    """The user's last message, if nobody has answered it; of the latest messages, the last one first."""
    for one in latest:
        role, text = one.value["role"], str(one.value["text"])
        if role == ASSISTANT and text:
            return None
        if role == USER and text:
            return _Exchange(key=one.key, user=text, at=one.created_at, answers=[])
    return None


def _exchanges(waiting: _Exchange | None, messages: Sequence[Said], keys: Sequence[str]) -> list[_Exchange]:
    """The user's messages that are answered, or after which the user went on."""
    made: list[_Exchange] = []
    for one, key in zip(messages, keys, strict=True):
        if one.role == USER and one.text:
            made += [] if waiting is None else [waiting]
            waiting = _Exchange(key=key, user=one.text, at=None, answers=[])
        elif one.role == ASSISTANT and one.text and waiting is not None:
            waiting.answers.append(one.text)
    return made + ([waiting] if waiting is not None and waiting.answers else [])


def _message(one: Document) -> Mapping[str, object]:
    message = one.value["message"]
    return message if isinstance(message, Mapping) else {}
