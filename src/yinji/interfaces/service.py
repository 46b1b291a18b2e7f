"""What every server door stands on: one open memory, operations by name, and errors as a person can read them.

A door (HTTP, MCP, proxy) finds out who asks, hands over plain arguments, and gets plain JSON back::

    service = Service(memory)
    service.call("remember", {"user": "I live in Lisbon"}, Identity(owner="me"))
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from yinji.arguments import nearest
from yinji.engine import Memory
from yinji.errors import NotFound, QueueFull, YinjiError
from yinji.interfaces.messages import Messages
from yinji.interfaces.operations import OPERATIONS, Effect, Identity, Lines, Operation
from yinji.interfaces.wire import Json, to_json

log = logging.getLogger("yinji.service")

Observe = Callable[[str, object, float], None]
"""Hears of every answer: the operation, its value (or the error) and how long it took, in seconds."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """An error as it goes over a wire."""

    code: str
    message: str
    hint: str = ""


class Service:
    """Every operation on one open memory. Thread-safe; calls block, so servers make them from worker threads."""

    def __init__(self, memory: Memory, *, queue_limit: int, retry_after_s: int, observe: Observe | None = None) -> None:
        self.memory = memory
        self.queue_limit = queue_limit
        self.retry_after_s = retry_after_s
        self._observe = observe
        self.forgotten: list[Callable[[str], None]] = []
        """Each is told of an owner some of whose memories have just gone, in whatever thread."""

    def call(self, name: str, arguments: Mapping[str, object], who: Identity) -> dict[str, Json]:
        """The answer of an operation as a JSON object, whose parts are those of the Python value.

        Raises NotAllowed, InvalidInput, NotFound, QueueFull, and whatever else the operation raises (YinjiError).
        """
        made: Any = to_json(self.value(name, arguments, who))
        return made  # type: ignore[no-any-return]

    def value(self, name: str, arguments: Mapping[str, object], who: Identity) -> Any:
        """The same as the Python value; for ``export`` Lines."""
        started = time.perf_counter()
        try:
            made = self._run(known(name), arguments, who)
        except YinjiError as error:
            self._seen(name, error, started)
            raise
        self._seen(name, made, started)
        return made

    def export(self, who: Identity) -> Iterator[str]:
        """All memories of the owner as JSON Lines."""
        made: Lines = self.value("export", {}, who)
        return made.lines

    def depth(self) -> int:
        """How many accepted turns wait to be read, of all owners."""
        return self.memory.flush(timeout=0)

    def _run(self, operation: Operation, arguments: Mapping[str, object], who: Identity) -> object:
        who.require(operation.grant, operation.name)
        read = operation.arguments(arguments)
        if operation.grant == "remember" and operation.effect is Effect.ADDS:
            self._refuse_when_full()
        try:
            return operation.run(self.memory, who, **read)
        finally:
            if forgets(operation):
                for tell in self.forgotten:
                    tell(who.owner)

    def _refuse_when_full(self) -> None:
        if (depth := self.depth()) >= self.queue_limit:
            raise QueueFull(pending=depth, seconds=self.retry_after_s)

    def _seen(self, name: str, made: object, started: float) -> None:
        if self._observe is not None:
            self._observe(name, made, time.perf_counter() - started)


def forgets(operation: Operation) -> bool:
    """Whether memories may go by it; to undo that something was added takes it away."""
    return operation.effect is Effect.DESTROYS or operation.name == "undo"


def known(name: str) -> Operation:
    """The operation of that name. Raises NotFound, which suggests the nearest."""
    if name not in OPERATIONS:
        raise NotFound(what="operation", name=name, nearest=nearest(name, OPERATIONS))
    return OPERATIONS[name]


def told(error: YinjiError, language: str) -> Told:
    """The error in ``en`` or ``zh``: what happened, and apart from that what to do."""
    say = Messages(language)
    params = error.params
    hint = str(say.phrase(params.get("hint") or params.get("nearest") or "")).strip()
    bare = type(error)(**{**params, "hint": "", "nearest": ""})
    return Told(code=error.code, message=say.error(bare), hint=hint)
