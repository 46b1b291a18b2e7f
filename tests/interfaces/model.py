"""A model on a real socket that says what a test tells it to."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

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


@contextlib.contextmanager
def answering() -> Iterator[Model]:
    model = Model()
    methods = ["GET", "POST", "DELETE", "PUT"]
    with serving(Starlette(routes=[Route("/{rest:path}", model.reply, methods=methods)])) as url:
        model.url = f"{url}/v1"
        yield model


async def sent(*chunks: bytes) -> AsyncIterator[bytes]:
    for one in chunks:
        yield one
