"""The server on standard input and output: for a client that starts it and is the only one to speak to it."""

from __future__ import annotations

from typing import Any, TextIO

import anyio
from mcp import types
from mcp.server.stdio import stdio_server
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from yinji.config import Settings
from yinji.engine import Memory
from yinji.interfaces.mcp_server.server import server_of
from yinji.interfaces.mcp_server.streams import lines
from yinji.interfaces.messages import Messages
from yinji.interfaces.operations import Identity
from yinji.interfaces.service import Service

APP = "mcp"
CANCELLED = "notifications/cancelled"


def run(
    memory: Memory, source: TextIO, output: TextIO, *, owner: str, settings: Settings, profile: str, language: str
) -> None:
    """Answers on ``output``, where nothing else may be written, until ``source`` ends. Raises NotFound."""
    limits = settings.serve
    service = Service(memory, queue_limit=limits.queue_limit, retry_after_s=limits.retry_after_s)
    who = Identity(owner=owner, app=APP)
    server = server_of(service, who=lambda _: who, profile=profile, language=language)
    memory.warm_up(wait=False)

    async def answer() -> None:
        asked: Any = lines(source)
        calls = Calls(Messages(language))
        into, taken = anyio.create_memory_object_stream[SessionMessage | Exception]()
        given, out = anyio.create_memory_object_stream[SessionMessage]()
        async with (
            stdio_server(stdin=asked, stdout=anyio.wrap_file(output)) as (read, write),
            anyio.create_task_group() as together,
        ):
            together.start_soon(calls.bring, read, into, write)
            together.start_soon(calls.give, out, write)
            await server.run(taken, given, server.create_initialization_options())

    anyio.run(answer)


class Calls:
    """The calls that wait for their answer. The SDK would drop them when the input ends, and be silent about a line
    that is no message."""

    def __init__(self, say: Messages) -> None:
        self._say = say
        self._waiting: set[types.RequestId | None] = set()
        self._answered = anyio.Condition()

    async def bring(
        self,
        read: ReadStream[SessionMessage | Exception],
        into: WriteStream[SessionMessage | Exception],
        write: WriteStream[SessionMessage],
    ) -> None:
        """Hands on what comes; the end of it only when every call before it is answered."""
        async with read, into:
            async for one in read:
                if isinstance(one, Exception):
                    await write.send(SessionMessage(self._refused(one)))
                    continue
                await self._noted(one.message)
                await into.send(one)
            async with self._answered:
                while self._waiting:
                    await self._answered.wait()

    async def give(self, out: ReadStream[SessionMessage], write: WriteStream[SessionMessage]) -> None:
        """Hands on what is answered."""
        async with out, write:
            async for one in out:
                await write.send(one)
                if isinstance(one.message, types.JSONRPCResponse | types.JSONRPCError):
                    await self._done(one.message.id)

    async def _noted(self, message: types.JSONRPCMessage) -> None:
        if isinstance(message, types.JSONRPCRequest):
            self._waiting.add(message.id)
        elif isinstance(message, types.JSONRPCNotification) and message.method == CANCELLED:
            await self._done((message.params or {}).get("requestId"))

    async def _done(self, id: types.RequestId | None) -> None:
        async with self._answered:
            self._waiting.discard(id)
            self._answered.notify_all()

    def _refused(self, problem: Exception) -> types.JSONRPCError:
        """Nobody knows which call a line was that cannot be read, so the answer has no id."""
        unread = isinstance(problem, ValidationError) and problem.errors()[0]["type"] == "json_invalid"
        code, word = (types.PARSE_ERROR, "mcp.no_json") if unread else (types.INVALID_REQUEST, "mcp.no_message")
        return types.JSONRPCError(jsonrpc="2.0", id=None, error=types.ErrorData(code=code, message=self._say(word)))
