"""What the model says, heard while it passes: its bytes go on, its words are kept until it has finished."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from yinji.interfaces.proxy.spans import Span, elements, members

LONGEST = 16 << 20
"""Bytes of an answer, or of one event of it, up to which it is listened to."""
_CALLS = frozenset({"tool_calls", "function_call"})
_END_OF_EVENT = re.compile(rb"\r\n\r\n|\n\n|\r\r")
_LINE = re.compile(rb"\r\n|\n|\r")


class Hearing(Protocol):
    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """What goes on to the client now."""

    def end(self) -> Iterator[bytes]:
        """What is left to go on, when the model's answer has ended."""

    def said(self) -> str | None:
        """The first choice's words once all choices are finished; None while they are not, or call for tools."""


class Choices:
    """The words of each choice, piece by piece."""

    def __init__(self) -> None:
        self._words: defaultdict[int, list[str]] = defaultdict(list)
        self._finished: dict[int, str] = {}
        self._calls: set[int] = set()
        self.failed = False

    def add(self, choice: Any, part: str) -> None:
        """``part`` is where the piece stands: ``message`` or ``delta``."""
        if not isinstance(choice, Mapping):
            self.failed = True
            return
        at = choice.get("index")
        at = at if isinstance(at, int) else 0
        piece = choice.get(part)
        piece = piece if isinstance(piece, Mapping) else {}
        content = piece.get("content")
        self._words[at].append(content if isinstance(content, str) else "")
        if any(piece.get(name) for name in _CALLS):
            self._calls.add(at)
        if isinstance(reason := choice.get("finish_reason"), str):
            self._finished[at] = reason

    def calls(self, at: int) -> bool:
        """Whether the choice asks for tools."""
        return at in self._calls or self._finished.get(at) in _CALLS

    def said(self) -> str | None:
        if self.failed or not self._words or any(at not in self._finished for at in self._words):
            return None
        first = min(self._words)
        return None if self.calls(first) else "".join(self._words[first])


class Deaf:
    """For answers that are none, or cannot be read: they pass."""

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        yield chunk

    def end(self) -> Iterator[bytes]:
        yield from ()

    def said(self) -> str | None:
        return None


class Whole:
    """An answer in one JSON object. It is held until it is whole, unless it is very long."""

    def __init__(self, footer: str = "") -> None:
        self._footer = footer
        self._body = bytearray()
        self._passing = False
        self._choices = Choices()

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        if self._passing:
            yield chunk
            return
        self._body += chunk
        if len(self._body) > LONGEST:
            self._passing = True
            yield bytes(self._body)

    def end(self) -> Iterator[bytes]:
        if self._passing:
            return
        value = _object(bytes(self._body))
        choices = value.get("choices") if value else None
        for one in choices if isinstance(choices, list) else ():
            self._choices.add(one, "message")
        yield self._with_footer() if self._footer and isinstance(choices, list) else bytes(self._body)

    def said(self) -> str | None:
        return self._choices.said()

    def _with_footer(self) -> bytes:
        """Put into the text of the answer, so that all else of it stays as it came."""
        footer = json.dumps(self._footer, ensure_ascii=False)[1:-1]
        try:
            text = self._body.decode("utf-8")
            parts, _ = members(text, len(text) - len(text.lstrip()))
            for one in reversed(elements(text, parts["choices"].start)):
                if (place := self._end_of_words(text, one)) is not None:
                    text = text[:place] + footer + text[place:]
        except ValueError:
            return bytes(self._body)
        return text.encode("utf-8", "replace")

    def _end_of_words(self, text: str, choice: Span) -> int | None:
        """None for a choice without words, or one that calls for tools."""
        message = members(text, choice.start)[0].get("message")
        content = members(text, message.start)[0].get("content") if message else None
        if content is None or not isinstance(content.value, str) or self._choices.calls(choice.value.get("index", 0)):
            return None
        return content.end - 1 if content.value else None


class Streamed:
    """An answer in server-sent events. Without a footer every chunk passes as it comes; with one, event by event.

    Only the chunk or event that says that all is over is held back, until the turn is safe.
    """

    def __init__(self, footer: str = "") -> None:
        self._footer = footer
        self._rest = b""
        self._held = b""
        self._over = False
        self._choices = Choices()

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        self._rest += chunk
        done, events = 0, list[bytes]()
        for found in _END_OF_EVENT.finditer(self._rest):
            event, done = self._rest[done : found.end()], found.end()
            events += [*self._heard(event), event]
        self._rest = self._rest[done:]
        if len(self._rest) > LONGEST:
            self._choices.failed = True
            events.append(self._rest)
            self._rest = b""
        passing = b"".join(events) if self._footer else chunk
        if self._over:
            self._held += passing
        elif passing:
            yield passing

    def end(self) -> Iterator[bytes]:
        """An event whose end never came is passed, and heard: some models leave out the last empty line."""
        last = b"".join([*self._heard(self._rest), self._rest]) if self._rest else b""
        if whole := self._held + (last if self._footer else b""):
            yield whole

    def said(self) -> str | None:
        return self._choices.said()

    def _heard(self, event: bytes) -> Iterator[bytes]:
        """Takes the words of an event; gives the events that must come before it."""
        data = data_of(event)
        if not data or data == b"[DONE]":
            self._over = self._over or bool(data)
            return
        value = _object(data)
        choices = value.get("choices", []) if value else None
        if value is None or value.get("error") or not isinstance(choices, list):
            self._choices.failed = True
            return
        for one in choices:
            self._choices.add(one, "delta")
            if (
                self._footer
                and isinstance(one, Mapping)
                and one.get("finish_reason")
                and not self._choices.calls(one.get("index", 0))
            ):
                yield self._footer_event(value, one)

    def _footer_event(self, value: Mapping[str, Any], choice: Mapping[str, Any]) -> bytes:
        kept = {name: one for name, one in value.items() if name not in ("choices", "usage")}
        delta = {"index": choice.get("index", 0), "delta": {"content": self._footer}, "finish_reason": None}
        return b"data: " + json.dumps(kept | {"choices": [delta]}, ensure_ascii=False).encode() + b"\n\n"


def hearing(status: int, header: Callable[[str], str], *, footer: str, tools: bool) -> Hearing:
    """What fits an answer with that status and these headers. ``tools``: the request offers some."""
    if status != 200 or header("content-encoding").lower() not in ("", "identity"):
        return Deaf()
    kind = header("content-type").partition(";")[0].strip().lower()
    if kind == "text/event-stream":
        return Streamed("" if tools else footer)
    return Whole(footer) if kind == "application/json" else Deaf()


def data_of(event: bytes) -> bytes:
    """The data of an event, its lines joined."""
    lines = [line[5:] for line in _LINE.split(event) if line.startswith(b"data:")]
    return b"\n".join(one.removeprefix(b" ") for one in lines)


def _object(text: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
