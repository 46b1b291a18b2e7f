"""The proxy on a real socket, between real clients and a model that says what a test tells it to."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import uvicorn
from openai import OpenAI
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from yinji import Memory, Settings
from yinji.interfaces.http.app import Server, application
from yinji.interfaces.http.run import Address, lifespan, other_doors, server_of

Answer = Callable[[dict[str, Any]], Response]


@dataclass
class Model:
    """A server that speaks the protocol: what it was asked, and how it answers."""

    url: str = ""
    answer: Answer = lambda _: said("ok")
    bodies: list[bytes] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)

    @property
    def asked(self) -> dict[str, Any]:
        """The last request's body."""
        read: dict[str, Any] = json.loads(self.bodies[-1])
        return read

    def prompt(self, at: int = -1) -> str:
        """All that the model was told in a request."""
        return "\n".join(_text(one["content"]) for one in json.loads(self.bodies[at])["messages"])

    async def reply(self, request: Request) -> Response:
        self.requests.append(request)
        self.bodies.append(await request.body())
        if request.url.path.endswith("/chat/completions"):
            return self.answer(json.loads(self.bodies[-1]))
        shown = {"method": request.method, "path": request.url.path, "query": request.url.query}
        return JSONResponse(shown | {"size": len(self.bodies[-1])}, headers={"x-model": "1"})


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "\n".join(one.get("text", "") for one in content or ())


def said(*texts: str, finish: str = "stop", **message: Any) -> Response:
    """A completion with that many choices."""
    choices = [
        {"index": at, "message": {"role": "assistant", "content": text, **message}, "finish_reason": finish}
        for at, text in enumerate(texts)
    ]
    return JSONResponse({"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "choices": choices})


def chunk(piece: dict[str, Any], finish: str | None = None, at: int = 0) -> bytes:
    choice = {"index": at, "delta": piece, "finish_reason": finish}
    value = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"


@contextlib.contextmanager
def serving(app: Any) -> Iterator[str]:
    """The application on a socket of its own, in a thread."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as bound:
        bound.bind(("127.0.0.1", 0))
        bound.listen(64)
        config = uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=2, server_header=False)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{bound.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture(scope="session")
def any_model() -> Iterator[Model]:
    model = Model()
    methods = ["GET", "POST", "DELETE", "PUT"]
    with serving(Starlette(routes=[Route("/{rest:path}", model.reply, methods=methods)])) as url:
        model.url = f"{url}/v1"
        yield model


@pytest.fixture
def model(any_model: Model) -> Model:
    any_model.answer = lambda _: said("ok")
    any_model.bodies, any_model.requests = [], []
    return any_model


@dataclass(frozen=True, kw_only=True)
class Proxy:
    url: str
    """Of the server; the proxy is below it."""
    server: Server

    @property
    def base(self) -> str:
        return f"{self.url}/proxy/v1"


@pytest.fixture
def proxies(memory: Memory, hashing: Settings, model: Model) -> Iterator[Callable[..., Proxy]]:
    """Starts proxies before the model on the test's memory; keyword arguments are settings of ``serve``."""
    with contextlib.ExitStack() as started:

        def start(on: Memory = memory, **limits: Any) -> Proxy:
            settings = hashing.with_values("serve", {"upstream": model.url, "upstream_recall_s": 60.0, **limits})
            server = server_of(on, address=Address(port=0), settings=settings, owner="me", language="en")
            doors = other_doors(server)
            up = threading.Event()
            living = lifespan(server, None, up.set, inside=[one.running for one in doors.values()])
            url = started.enter_context(serving(application(server, lifespan=living, more=doors)))
            assert up.wait(30)
            return Proxy(url=url, server=server)

        yield start


@pytest.fixture
def proxy(proxies: Callable[..., Proxy]) -> Proxy:
    return proxies()


@pytest.fixture
def openai() -> Iterator[Callable[..., OpenAI]]:
    """Makes the real client of a proxy; keyword arguments are headers, with _ for -."""
    with contextlib.ExitStack() as made:

        def make(proxy: Proxy, *, key: str = "sk-the-users-own", **headers: str) -> OpenAI:
            given = {name.replace("_", "-"): value for name, value in headers.items()}
            return made.enter_context(
                OpenAI(base_url=proxy.base, api_key=key, max_retries=0, default_headers=given, timeout=30)
            )

        yield make


async def sent(*chunks: bytes) -> AsyncIterator[bytes]:
    for one in chunks:
        yield one
