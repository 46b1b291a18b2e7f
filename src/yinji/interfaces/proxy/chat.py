"""A chat request read without taking it apart: where its messages stand, and the same text with more in it.

Nothing of a client's request is written anew: memory is put in at two places of its text, and every other byte, known
field or not, goes on as it came (SPEC S4).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from yinji.interfaces.proxy.spans import Span, elements, members

LEADING = frozenset({"system", "developer"})
_TEXTUAL = frozenset({"text", "input_text"})

Edit = tuple[int, str]
"""A place in the text, and what is put there."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Chat:
    """A request for a chat completion whose last user message has words."""

    text: str
    messages: Sequence[Span]
    asked: int
    """Which message is the user's last."""
    user: str
    """Its words."""
    since: tuple[str, ...]
    """What the assistant has said after it, between calls of tools."""
    json_mode: bool
    tools: bool

    @property
    def leading(self) -> int:
        """How many messages of the system stand first."""
        others = (at for at, one in enumerate(self.messages) if one.value.get("role") not in LEADING)
        return next(others, 0)

    @property
    def digest(self) -> str:
        """The same for a request that comes again and for every round of tools of one turn, whatever the system's
        messages say of the time of day.
        """
        begin, end = self.messages[self.leading].start, self.messages[self.asked].end
        return _digest(self.text[begin:end])

    @property
    def beginning(self) -> str:
        """The same for every request of a conversation that a client sends whole."""
        first = next(one for one in self.messages if one.value.get("role") == "user")
        return _digest(self.text[first.start : first.end])

    def with_memory(self, stable: str, recalled: str) -> bytes:
        """The request with ``stable`` behind the system's words and ``recalled`` before the user's last."""
        edits = [*self._stable(stable), *self._recalled(recalled)]
        parts, done = list[str](), 0
        for place, text in sorted(edits):
            parts += [self.text[done:place], text]
            done = place
        return "".join([*parts, self.text[done:]]).encode("utf-8", "replace")

    def _stable(self, text: str) -> Iterator[Edit]:
        """Into the system's own message where there is one: many models take no second one."""
        if not text:
            return
        content = self._content(self.leading - 1) if self.leading else None
        if content is None or not isinstance(content.value, str | list):
            place = self.messages[self.leading].start
            yield place, _written({"role": "system", "content": text}) + ","
        elif isinstance(content.value, str):
            yield content.end - 1, _written("\n\n" + text)[1:-1]
        else:
            yield content.end - 1, ("," if content.value else "") + _written(_part(text))

    def _recalled(self, text: str) -> Iterator[Edit]:
        """Into the user's message: what stands before it then stays the same, and is cached, from turn to turn."""
        content = self._content(self.asked)
        if not text or content is None:
            return
        if isinstance(content.value, str):
            yield content.start + 1, _written(text + "\n\n")[1:-1]
        else:
            yield content.start + 1, _written(_part(text)) + ","

    def _content(self, at: int) -> Span | None:
        return members(self.text, self.messages[at].start)[0].get("content")


def read(body: bytes) -> Chat | None:
    """The chat that a body asks for; None where there is none that memory understands, or no word of a user in it."""
    try:
        text = body.decode("utf-8")
        parts, end = members(text, len(text) - len(text.lstrip(" \t\r\n")))
        if text[end:].strip(" \t\r\n"):
            return None
        messages = elements(text, parts["messages"].start)
    except (ValueError, KeyError, RecursionError):
        return None
    if not all(isinstance(one.value, dict) for one in messages):
        return None
    asked = max((at for at, one in enumerate(messages) if one.value.get("role") == "user"), default=None)
    user = "" if asked is None else words(messages[asked].value.get("content"))
    if asked is None or not user.strip():
        return None
    since = [words(one.value.get("content")) for one in messages[asked + 1 :] if one.value.get("role") == "assistant"]
    form = parts["response_format"].value if "response_format" in parts else None
    return Chat(
        text=text,
        messages=messages,
        asked=asked,
        user=user,
        since=tuple(one for one in since if one.strip()),
        json_mode=isinstance(form, Mapping) and form.get("type") not in (None, "text"),
        tools=any(parts[name].value for name in ("tools", "functions") if name in parts),
    )


def words(content: Any) -> str:
    """The text of a message's content, without its pictures, sounds and files."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [one.get("text") for one in parts if isinstance(one, Mapping) and one.get("type") in _TEXTUAL]
    return "\n".join(one for one in texts if isinstance(one, str))


def _part(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
