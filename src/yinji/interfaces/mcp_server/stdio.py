"""The server on standard input and output: for a client that starts it and is the only one to speak to it."""

from __future__ import annotations

from typing import Any, TextIO

import anyio
from mcp.server.stdio import stdio_server

from yinji.config import Settings
from yinji.engine import Memory
from yinji.interfaces.mcp_server.server import server_of
from yinji.interfaces.mcp_server.streams import lines
from yinji.interfaces.operations import Identity
from yinji.interfaces.service import Service

APP = "mcp"


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
        async with stdio_server(stdin=asked, stdout=anyio.wrap_file(output)) as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(answer)
