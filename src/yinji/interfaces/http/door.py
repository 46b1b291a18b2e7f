"""Around every request: the gate before it, the headers that keep its answer private, a line in the log and a count."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response

from yinji.errors import YinjiError
from yinji.interfaces.http import answers
from yinji.interfaces.http.gate import Gate
from yinji.interfaces.http.metrics import Metrics
from yinji.interfaces.http.refusals import Unexpected

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger("yinji.http")

PRIVATE = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
}


class Door:
    """ASGI middleware; pure, so that a stream goes through it piece by piece."""

    def __init__(self, app: ASGIApp, gate: Gate, metrics: Metrics, *, language: str) -> None:
        self._app = app
        self._gate = gate
        self._metrics = metrics
        self._language = language
        if gate.origins:
            self._app = CORSMiddleware(
                app,
                allow_origins=sorted(gate.origins),
                allow_methods=["GET", "POST", "PATCH", "DELETE"],
                allow_headers=["Authorization", "Content-Type", "Idempotency-Key"],
            )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        started, status = time.perf_counter(), 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in PRIVATE.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self._let_in(scope, receive, sending)
        except Exception as error:  # noqa: BLE001 - the edge of the server: a bug becomes an answer, and a line in the log
            _tell_bug(error)
            if not status:
                await self._refuse(Unexpected(hint="The server's log tells where."), scope, receive, sending)
        finally:
            seconds = time.perf_counter() - started
            route = scope.get("yinji.route", "other")
            self._metrics.answered(route, status, seconds)
            _tell_request(scope, route, status, seconds)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._gate.check(Headers(scope=scope), path=scope["path"])
        except YinjiError as error:
            await self._refuse(error, scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _refuse(self, error: YinjiError, scope: Scope, receive: Receive, send: Send) -> None:
        language = answers.language_of(Headers(scope=scope).get("accept-language", ""), self._language)
        answer, headers = answers.refused(error, language)
        await Response(answer.body, answer.status, headers, answers.JSON)(scope, receive, send)


def _tell_request(scope: Scope, route: str, status: int, seconds: float) -> None:
    told = {"route": route, "status": status, "ms": round(seconds * 1000, 1), "token": scope.get("yinji.token", "")}
    log.info("request", extra={"told": told})


def _tell_bug(error: Exception) -> None:
    """Where it happened, never with what: an exception's words may be a user's."""
    places, trace = [], error.__traceback__
    while trace is not None:
        places.append(f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}")
        trace = trace.tb_next
    log.error("unexpected", extra={"told": {"error": type(error).__name__, "at": places[-3:]}})
