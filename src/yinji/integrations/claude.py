"""Claude's memory tool on the file that holds the memories; it needs the extra ``claude``::

    runner = client.beta.messages.tool_runner(..., tools=[YinjiMemoryTool(memory)])

What Claude writes are documents (``Memory.documents``): encrypted, exported and erased with the owner's memories.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, ParamSpec

from yinji.engine import Memory
from yinji.errors import YinjiError
from yinji.integrations import of_extra
from yinji.integrations.files import FileRefused, Files

with of_extra("claude", "claude"):
    from anthropic.lib.tools import ToolError
    from anthropic.tools.memory import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool

if TYPE_CHECKING:
    from anthropic.types.beta import (
        BetaCacheControlEphemeralParam,
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818DeleteCommand,
        BetaMemoryTool20250818InsertCommand,
        BetaMemoryTool20250818RenameCommand,
        BetaMemoryTool20250818StrReplaceCommand,
        BetaMemoryTool20250818ViewCommand,
    )

COLLECTION = "claude"

P = ParamSpec("P")


class YinjiMemoryTool(BetaAbstractMemoryTool):
    """The memory tool for ``Anthropic``. Thread-safe; several processes may use the same files.

    Numbers that pay or identify, passwords and the like are replaced by placeholders before they are written, and
    Claude is told so (``mask=False`` keeps them).
    """

    def __init__(
        self,
        memory: Memory,
        *,
        owner: str | None = None,
        collection: str = COLLECTION,
        mask: bool = True,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self.files = Files(memory.documents(collection, owner=owner, mask=mask))

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        return _told(self.files.view, command.path, command.view_range)

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        return _told(self.files.create, command.path, command.file_text)

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        return _told(self.files.str_replace, command.path, command.old_str, command.new_str)

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        return _told(self.files.insert, command.path, command.insert_line, command.insert_text)

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        return _told(self.files.delete, command.path)

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        return _told(self.files.rename, command.old_path, command.new_path)

    def clear_all_memory(self) -> str:
        return _told(self.files.clear)


class YinjiAsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for ``AsyncAnthropic``: the commands run in worker threads."""

    def __init__(
        self,
        memory: Memory,
        *,
        owner: str | None = None,
        collection: str = COLLECTION,
        mask: bool = True,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._tool = YinjiMemoryTool(memory, owner=owner, collection=collection, mask=mask)
        self.files = self._tool.files

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        return await asyncio.to_thread(self._tool.view, command)

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        return await asyncio.to_thread(self._tool.create, command)

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        return await asyncio.to_thread(self._tool.str_replace, command)

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        return await asyncio.to_thread(self._tool.insert, command)

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        return await asyncio.to_thread(self._tool.delete, command)

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        return await asyncio.to_thread(self._tool.rename, command)

    async def clear_all_memory(self) -> str:
        return await asyncio.to_thread(self._tool.clear_all_memory)


def _told(command: Callable[P, str], *args: P.args, **kwargs: P.kwargs) -> str:
    """The command's answer. Raises ToolError, which the runner tells Claude."""
    try:
        return command(*args, **kwargs)
    except (FileRefused, YinjiError) as error:
        raise ToolError(str(error)) from error
