"""Every way to a memory, with the methods that the story calls."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import mcp
import pytest
from anyio.from_thread import BlockingPortal
from mcp.client.stdio import StdioServerParameters, stdio_client
from openai import OpenAI

from tests.conftest import StandingClock
from tests.interfaces.conftest import Yinji
from tests.interfaces.http.conftest import BASE, Bridge
from tests.interfaces.model import Model, said, serving
from tests.story import Door
from yinji import Context, Forgotten, JournalEntry, Memory, Recall, Remembered, Settings
from yinji.client import AsyncClient, Client
from yinji.interfaces.http.app import Server, application
from yinji.interfaces.http.run import Address, lifespan, other_doors, server_of
from yinji.interfaces.mcp_server.server import server_of as mcp_server
from yinji.interfaces.operations import Identity
from yinji.interfaces.service import Service
from yinji.interfaces.wire import from_json, to_json

PATIENT_S = 600.0
"""Longer than any machine is busy: nothing of the story depends on how fast it is told."""


@dataclass
class Ground:
    """What the doors stand on."""

    memory: Memory
    clock: StandingClock
    settings: Settings
    portal: BlockingPortal
    yinji: Yinji
    environment: Mapping[str, str]
    model: Model
    opened: ExitStack
    remembered: list[Remembered] = field(default_factory=list)
    """What the server took, by whichever of its doors."""

    def server(self) -> Server:
        limits = {"wait_s": PATIENT_S, "upstream": self.model.url, "upstream_recall_s": 60.0}
        settings = self.settings.with_values("serve", limits)
        made = server_of(self.memory, address=Address(port=0), settings=settings, owner="me", language="en")
        made.service = Service(self.memory, queue_limit=100, retry_after_s=1, observe=self._note)
        return made

    def served(self) -> str:
        """The address of a whole server on a socket."""
        server = self.server()
        doors, up = other_doors(server), threading.Event()
        living = lifespan(server, None, up.set, inside=[one.running for one in doors.values()])
        url = self.opened.enter_context(serving(application(server, lifespan=living, more=doors)))
        assert up.wait(60)
        return url

    def _note(self, _: str, made: object, __: float) -> None:
        if isinstance(made, Remembered):
            self.remembered.append(made)


# ------------------------------------------------------------------ the doors


class CommandLine:
    def __init__(self, yinji: Yinji) -> None:
        self._yinji = yinji

    def _run(self, kind: Any, *arguments: str) -> Any:
        shown = self._yinji(*arguments, "--json")
        assert shown.code == 0, shown.err
        return from_json(kind, shown.json, "the output", strict=False)

    def remember(self, user_msg: str, *, at: datetime, wait: bool) -> Remembered:
        made: Remembered = self._run(Remembered, "remember", user_msg, "--at", at.isoformat())
        return made

    def recall(self, query: str, *, now: datetime, as_of: datetime | None = None) -> Recall:
        then = ["--as-of", as_of.isoformat()] if as_of else []
        made: Recall = self._run(Recall, "recall", query, "--now", now.isoformat(), *then)
        return made

    def context(self, query: str, budget: int, *, now: datetime) -> Context:
        made: Context = self._run(Context, "context", query, "--budget", str(budget), "--now", now.isoformat())
        return made

    def forget(self, ids: str | Iterable[str], *, hard: bool = False) -> Forgotten:
        named = [ids] if isinstance(ids, str) else list(ids)
        made: Forgotten = self._run(Forgotten, "forget", *named, *(["--hard", "--yes"] if hard else []))
        return made

    def undo(self) -> JournalEntry:
        made: JournalEntry = self._run(JournalEntry, "undo")
        return made


class Awaited:
    """The methods of a client that awaits them."""

    def __init__(self, client: AsyncClient, portal: BlockingPortal) -> None:
        self._client = client
        self._portal = portal

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method: Callable[..., Awaitable[Any]] = getattr(self._client, name)

        def call(*arguments: object, **named: object) -> Any:
            async def ask() -> Any:
                return await method(*arguments, **named)

            return self._portal.call(ask)

        return call


class Tools:
    """The tools of an MCP server, called by the protocol's own client."""

    def __init__(self, client: mcp.Client, portal: BlockingPortal) -> None:
        self._client = client
        self._portal = portal

    def _call(self, kind: Any, name: str, **arguments: object) -> Any:
        given = {one: to_json(value) for one, value in arguments.items() if value is not None}
        result = self._portal.call(self._client.call_tool, name, given)
        assert not result.is_error, result.content
        return from_json(kind, result.structured_content, "the result", strict=False)

    def remember(self, user_msg: str, *, at: datetime, wait: bool) -> Remembered:
        made: Remembered = self._call(Remembered, "remember", user=user_msg, at=at, wait=wait)
        return made

    def recall(self, query: str, *, now: datetime, as_of: datetime | None = None) -> Recall:
        made: Recall = self._call(Recall, "recall", query=query, now=now, as_of=as_of)
        return made

    def context(self, query: str, budget: int, *, now: datetime) -> Context:
        made: Context = self._call(Context, "context", query=query, budget=budget, now=now)
        return made

    def forget(self, ids: str | Iterable[str], *, hard: bool = False) -> Forgotten:
        named = [ids] if isinstance(ids, str) else list(ids)
        made: Forgotten = self._call(Forgotten, "forget", ids=named, hard=hard)
        return made

    def undo(self) -> JournalEntry:
        made: JournalEntry = self._call(JournalEntry, "undo")
        return made


class Chats:
    """Chats with a model through the proxy. What a chat has no words for (a time past, a budget, an id to forget) is
    asked at the address that the same server has for it.
    """

    def __init__(self, client: OpenAI, beside: Client, ground: Ground) -> None:
        self._client = client
        self._beside = beside
        self._ground = ground

    def _say(self, text: str, at: datetime, **headers: str) -> set[str]:
        """The memories that the answer says it was built on; each stands in what the model was told."""
        self._ground.clock.now = at
        given = {"X-Yinji-Session": "default"} | {name.replace("_", "-"): value for name, value in headers.items()}
        chat = self._client.chat.completions.with_raw_response
        answer = chat.create(model="m", messages=[{"role": "user", "content": text}], extra_headers=given)
        named = set(filter(None, answer.headers.get("x-yinji-memories", "").split(",")))
        prompt = self._ground.model.prompt()
        assert all(self._beside.get(one).content in prompt for one in named)
        return named

    def remember(self, user_msg: str, *, at: datetime, wait: bool) -> Remembered:
        self._say(user_msg, at)
        self._ground.memory.flush()
        return self._beside.outcome(self._ground.remembered[-1].turn_id)

    def recall(self, query: str, *, now: datetime, as_of: datetime | None = None) -> Recall:
        found = self._beside.recall(query, now=now, as_of=as_of)
        if as_of is None:
            named = self._say(query, now, x_yinji_memory="recall")
            assert {hit.memory.id for hit in found} <= named
        return found

    def context(self, query: str, budget: int, *, now: datetime) -> Context:
        made = self._beside.context(query, budget, now=now)
        assert {hit.memory.id for hit in made.hits} <= self._say(query, now, x_yinji_memory="recall")
        return made

    def forget(self, ids: str | Iterable[str], *, hard: bool = False) -> Forgotten:
        return self._beside.forget(ids, hard=hard)

    def undo(self) -> JournalEntry:
        return self._beside.undo()


# ------------------------------------------------------------ how to get there


def command_line(ground: Ground) -> Door:
    return CommandLine(ground.yinji)


def http(ground: Ground) -> Door:
    client: Door = ground.opened.enter_context(Client(BASE, transport=Bridge(ground.server(), ground.portal)))
    return client


def http_async(ground: Ground) -> Door:
    client = AsyncClient(BASE, transport=httpx.ASGITransport(application(ground.server())))
    ground.opened.enter_context(ground.portal.wrap_async_context_manager(client))
    awaited: Any = Awaited(client, ground.portal)
    return awaited  # type: ignore[no-any-return]


def _tools(ground: Ground, client: mcp.Client) -> Door:
    return Tools(ground.opened.enter_context(ground.portal.wrap_async_context_manager(client)), ground.portal)


def _in_process(ground: Ground, mode: str) -> Door:
    service = Service(ground.memory, queue_limit=100, retry_after_s=1)
    server = mcp_server(service, who=lambda _: Identity(owner="me"))
    return _tools(ground, mcp.Client(server, mode=mode))


def mcp_in_process(ground: Ground) -> Door:
    return _in_process(ground, "auto")


def mcp_legacy(ground: Ground) -> Door:
    return _in_process(ground, "legacy")


def mcp_stdio(ground: Ground) -> Door:
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "yinji", "mcp"],
        env=dict(ground.environment),
        cwd=Path(ground.memory.path).parent,
    )
    return _tools(ground, mcp.Client(stdio_client(command)))


def mcp_http(ground: Ground) -> Door:
    return _tools(ground, mcp.Client(f"{ground.served()}/mcp"))


def mcp_http_legacy(ground: Ground) -> Door:
    return _tools(ground, mcp.Client(f"{ground.served()}/mcp", mode="legacy"))


def proxy(ground: Ground) -> Door:
    url = ground.served()
    ground.model.answer = lambda _: said("")  # Through the other doors a turn has no answer either.
    chats = OpenAI(base_url=f"{url}/proxy/v1", api_key="sk-the-users-own", max_retries=0, timeout=60)
    beside = ground.opened.enter_context(Client(url))
    return Chats(ground.opened.enter_context(chats), beside, ground)


DOORS: tuple[Callable[[Ground], Door], ...] = (
    command_line,
    http,
    http_async,
    mcp_in_process,
    mcp_legacy,
    mcp_stdio,
    mcp_http,
    mcp_http_legacy,
    proxy,
)


@contextlib.contextmanager
def opened(make: Callable[[Ground], Door], ground: Ground) -> Iterator[Door]:
    with ground.opened:
        yield make(ground)


EVERY_DOOR = pytest.mark.parametrize("make", DOORS, ids=lambda one: one.__name__)
