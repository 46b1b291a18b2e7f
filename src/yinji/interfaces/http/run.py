"""Starting and stopping the server: the socket, the reader, the watch, and all of it given back at the end."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

import uvicorn
from starlette.applications import Starlette

from yinji.build import Memory
from yinji.config import Settings
from yinji.errors import InvalidInput
from yinji.interfaces.http import idle
from yinji.interfaces.http.app import Lifespan, Server, application
from yinji.interfaces.http.gate import HERE, Gate, is_loopback
from yinji.interfaces.http.logs import log_to
from yinji.interfaces.http.metrics import Metrics
from yinji.interfaces.http.reading import ReadingProcess
from yinji.interfaces.service import Service

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

EVERYWHERE = frozenset({"0.0.0.0", "::"})
GRACE_S = 10
"""How long requests at hand may take after the server was told to stop."""
WAITING = 128
SWITCH_S = 0.001
"""How long a recall in a thread may keep the others from running: Python's own 5 ms add up over a request's steps."""


class Place(Protocol):
    """An application of another door, at a path of its own. ``running`` is entered while it answers."""

    def running(self) -> AbstractAsyncContextManager[None]: ...

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Address:
    """Where to listen, and under which names and from which pages to be called."""

    host: str = "127.0.0.1"
    port: int
    names: frozenset[str] = frozenset()
    origins: frozenset[str] = field(default_factory=frozenset)

    @property
    def gate(self) -> Gate:
        hosts = HERE | self.names | ({self.host.lower()} - EVERYWHERE)
        return Gate(hosts=hosts, addresses=self.host in EVERYWHERE, origins=self.origins)


def serve(
    open_memory: Callable[[bool], Memory],
    *,
    address: Address,
    settings: Settings,
    key: str | None,
    owner: str,
    language: str,
    tell: Callable[[str], None],
) -> None:
    """Answers until it is told to stop (SIGINT, SIGTERM). ``open_memory`` gets whether this process reads turns itself.

    ``tell`` hears the address once requests are answered. Raises InvalidInput when it may not listen there, or cannot.
    """
    apart = settings.serve.reader == "process"
    with open_memory(not apart) as memory, contextlib.ExitStack() as bound_here:
        refuse_open_house(memory, address.host)
        bound = bound_here.enter_context(contextlib.closing(listening(address)))
        reading = ReadingProcess(memory.path, key=key, settings=settings) if apart else None
        server = server_of(memory, address=address, settings=settings, owner=owner, language=language)
        if reading is not None:
            server.ready, server.taken = reading.alive, reading.wake
        url = url_of(address.host, bound.getsockname()[1])
        log_to()
        sys.setswitchinterval(SWITCH_S)
        more = other_doors(server)
        living = lifespan(server, reading, lambda: tell(url), inside=[one.running for one in more.values()])
        _run(application(server, lifespan=living, more=more), bound)
        memory.close(flush=False)


def server_of(memory: Memory, *, address: Address, settings: Settings, owner: str, language: str) -> Server:
    """What the application needs, on an open memory."""
    limits = settings.serve
    metrics = Metrics(now=time.monotonic, price_per_call=settings.llm.price_per_call)
    return Server(
        service=Service(
            memory, queue_limit=limits.queue_limit, retry_after_s=limits.retry_after_s, observe=metrics.observe
        ),
        settings=limits,
        metrics=metrics,
        gate=address.gate,
        owner=owner,
        always_token=not is_loopback(address.host),
        language=language,
    )


def other_doors(server: Server) -> Mapping[str, Place]:
    """What else is answered on the same address: MCP, where its extra is installed, and the proxy, where there is a
    model for it. Raises ConfigError.
    """
    doors: dict[str, Place] = {}
    if find_spec("mcp") is not None:
        from yinji.interfaces.mcp_server import http as mcp

        doors[mcp.PATH] = mcp.Place(server)
    if server.settings.upstream:
        from yinji.interfaces.proxy import place as proxy
        from yinji.interfaces.proxy.upstream import Upstream

        limits = server.settings
        upstream = Upstream(limits.upstream, key_env=limits.upstream_key_env, timeout_s=limits.upstream_timeout_s)
        doors[f"{proxy.PATH}/{{rest:path}}"] = proxy.Place(server, upstream=upstream)
    return doors


def refuse_open_house(memory: Memory, host: str) -> None:
    """Other machines may come in only where there is a token to ask for. Raises InvalidInput."""
    if not is_loopback(host) and not memory.tokens.all():
        raise InvalidInput(
            what=f"The host {host!r}",
            problem="other machines could reach it, and there is no token to ask them for",
            hint="Make one first: yinji token add NAME",
        )


def listening(address: Address) -> socket.socket:
    """A socket bound to the address. Raises InvalidInput."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    # Named as TCP, or asyncio leaves Nagle's algorithm on, which holds small pieces of an answer back for 40 ms.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((address.host, address.port))
        bound.listen(WAITING)
    except OSError as error:
        bound.close()
        taken = error.errno == errno.EADDRINUSE
        raise InvalidInput(
            what=f"The address {address.host}:{address.port}",
            problem="another program listens there" if taken else (error.strerror or str(error)),
            hint="Name another with --port." if taken else "Name another with --host.",
        ) from error
    return bound


def url_of(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def lifespan(
    server: Server,
    reading: ReadingProcess | None,
    started: Callable[[], None],
    *,
    inside: Sequence[Callable[[], AbstractAsyncContextManager[None]]] = (),
) -> Lifespan:
    """What begins before the first request and ends after the last. ``inside``: what else must run meanwhile."""

    @contextlib.asynccontextmanager
    async def living(_: Starlette) -> AsyncIterator[None]:
        server.service.memory.warm_up(wait=False)
        if reading is not None:
            reading.start()
        watching = asyncio.create_task(idle.watch(server, reading.keep_alive if reading is not None else _nothing))
        try:
            async with contextlib.AsyncExitStack() as others:
                for one in inside:
                    await others.enter_async_context(one())
                started()
                yield
        finally:
            watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await watching
            if reading is not None:
                await asyncio.to_thread(reading.stop)

    return living


def _nothing() -> None:
    """A thread of this process reads: there is nobody to keep alive."""


def _run(app: object, bound: socket.socket) -> None:
    config = uvicorn.Config(
        app,  # type: ignore[arg-type]  # Door is an ASGI application; uvicorn's type wants its own scopes.
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="on",
        timeout_graceful_shutdown=GRACE_S,
    )
    # uvicorn sends itself the signal once more when it is done; then it has been obeyed.
    before = {one: signal.signal(one, lambda *_: None) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        uvicorn.Server(config).run(sockets=[bound])
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
