"""The HTTP door inside this process: the real application, without a socket."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from anyio.from_thread import BlockingPortal

from yinji import Memory, Settings
from yinji.client import Client
from yinji.interfaces.http.app import Server, application
from yinji.interfaces.http.run import Address, server_of

BASE = "http://127.0.0.1:8765"
LANGUAGES = pytest.mark.parametrize("lang", ["en", "zh"])


class Bridge(httpx.BaseTransport):
    """Carries a request into the application's event loop and its whole answer back."""

    def __init__(self, server: Server, portal: BlockingPortal) -> None:
        self._inner = httpx.ASGITransport(application(server))
        self._portal = portal

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return self._portal.call(self._answer, request)

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        body = request.read()
        copy = httpx.Request(request.method, request.url, headers=request.headers, content=body)
        answer = await self._inner.handle_async_request(copy)
        return httpx.Response(answer.status_code, headers=answer.headers, content=await answer.aread())


@pytest.fixture
def make_server(memory: Memory, hashing: Settings) -> Callable[..., Server]:
    """A server on the test's memory; keyword arguments are settings of ``serve``, or parts of Server."""

    def make(on: Memory = memory, address: Address | None = None, **limits: Any) -> Server:
        settings = hashing.with_values("serve", limits)
        return server_of(on, address=address or Address(port=0), settings=settings, owner="me", language="en")

    return make


@pytest.fixture
def http(make_server: Callable[..., Server], portal: BlockingPortal) -> Iterator[Callable[..., httpx.Client]]:
    """Makes HTTP clients of a server, by default of one on the test's memory; ``token=`` is sent with each request."""
    made: list[httpx.Client] = []

    def make(server: Server | None = None, *, token: str | None = None, lang: str = "en") -> httpx.Client:
        headers = {"accept-language": lang} | ({"authorization": f"Bearer {token}"} if token else {})
        bridge = Bridge(server or make_server(), portal)
        made.append(httpx.Client(base_url=BASE, transport=bridge, headers=headers))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def client(make_server: Callable[..., Server], portal: BlockingPortal) -> Iterator[Callable[..., Client]]:
    """Makes ``yinji.client.Client``s of a server, by default of one on the test's memory."""
    made: list[Client] = []

    def make(server: Server | None = None, **options: Any) -> Client:
        made.append(Client(BASE, transport=Bridge(server or make_server(), portal), **options))
        return made[-1]

    yield make
    for one in made:
        one.close()
