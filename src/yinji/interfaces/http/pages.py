"""What a server has beside its operations: health, metrics, the document, and a page for a browser."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from html import escape
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from yinji.interfaces.http import answers, metrics
from yinji.interfaces.http.landing import landing
from yinji.interfaces.http.openapi import document

if TYPE_CHECKING:
    from yinji.interfaces.http.app import Server

Page = Callable[["Server", Request], Awaitable[Response]]

CSP = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


async def alive(server: Server, request: Request) -> Response:
    """Whether the process answers at all."""
    request.scope["yinji.route"] = "GET /healthz"
    return JSONResponse({"status": "ok"})


async def ready(server: Server, request: Request) -> Response:
    """Whether it can do its work: the store answers, and somebody reads."""
    request.scope["yinji.route"] = "GET /readyz"
    depth = await server.in_thread(server.service.depth)
    fit = server.ready()
    told = {"status": "ready" if fit else "not_ready", "queue_depth": depth}
    return JSONResponse(told, 200 if fit else 503)


async def counted(server: Server, request: Request) -> Response:
    request.scope["yinji.route"] = "GET /metrics"
    who = await server.identify(request)
    who.require("metrics", "metrics")
    text = await server.in_thread(_metrics, server, limiter=server.carriers)
    return Response(text, media_type=metrics.CONTENT_TYPE)


def _metrics(server: Server) -> str:
    service = server.service
    return server.metrics.page(service.memory, depth=service.depth(), limit=service.queue_limit)


async def described(server: Server, request: Request) -> Response:
    request.scope["yinji.route"] = "GET /openapi.json"
    return Response(answers.encoded(document(server.language_of(request))), media_type=answers.JSON)


async def welcome(server: Server, request: Request) -> Response:
    request.scope["yinji.route"] = "GET /"
    host = escape(request.headers.get("host", ""))
    html = landing(server.language_of(request), base=f"{request.url.scheme}://{host}")
    return HTMLResponse(html, headers={"content-security-policy": CSP})


PAGES: Mapping[str, Page] = {
    "/": welcome,
    "/healthz": alive,
    "/readyz": ready,
    "/metrics": counted,
    "/openapi.json": described,
}
