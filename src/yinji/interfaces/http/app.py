"""The application: routes made from the tables, each request checked, answered in a worker thread, and counted."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import anyio.to_thread
from anyio import CapacityLimiter
from starlette.applications import Starlette
from starlette.concurrency import iterate_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route as Place

from yinji.arguments import nearest
from yinji.config import ServeSettings
from yinji.errors import InvalidInput, NotFound, YinjiError
from yinji.interfaces.http import answers, pages
from yinji.interfaces.http.door import Door
from yinji.interfaces.http.gate import Gate
from yinji.interfaces.http.limits import Rate, body_of
from yinji.interfaces.http.metrics import Metrics
from yinji.interfaces.http.refusals import Unexpected, WrongMethod
from yinji.interfaces.http.replay import Answer, Replays, checked, turn_key
from yinji.interfaces.http.table import BODYLESS, OK, ROUTES, Route
from yinji.interfaces.http.tokens import identify
from yinji.interfaces.operations import Identity, Outcomes
from yinji.interfaces.service import Service
from yinji.interfaces.wire import to_json
from yinji.model import Remembered

if TYPE_CHECKING:
    from collections.abc import Iterator

T = TypeVar("T")
Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]

FIRST_LOOK_S, LAST_LOOK_S = 0.01, 0.25
"""How soon, and how seldom at last, a waiting request looks whether its turn is read."""
ERASING = frozenset({"erase", "forget"})


@dataclass(kw_only=True)
class Server:
    """What the routes share."""

    service: Service
    settings: ServeSettings
    metrics: Metrics
    gate: Gate = field(default_factory=Gate)
    owner: str = "me"
    """Whose memory is served while there is no token."""
    always_token: bool = False
    language: str = "en"
    ready: Callable[[], bool] = lambda: True
    taken: Callable[[], None] = lambda: None
    """Called when a turn was accepted, to wake whoever reads."""

    def __post_init__(self) -> None:
        self.rate = Rate(self.settings.rate, self.settings.burst, now=time.monotonic)
        self.replays = Replays(self.settings.replays)
        self.workers = CapacityLimiter(self.settings.threads)
        self.asked_at = time.monotonic()

    async def in_thread(self, run: Callable[..., T], *arguments: object) -> T:
        return await anyio.to_thread.run_sync(partial(run, *arguments), limiter=self.workers)

    async def identify(self, request: Request) -> Identity:
        """Who asks, within the rate. Raises NoToken, WrongToken, RateLimited."""
        authorization = request.headers.get("authorization", "")
        ask = partial(identify, self.service.memory, authorization, owner=self.owner, always=self.always_token)
        who = await self.in_thread(ask)
        request.scope["yinji.token"] = who.name
        self.rate.take(f"{who.name}\0{who.owner}")
        self.asked_at = time.monotonic()
        return who

    def language_of(self, request: Request) -> str:
        return answers.language_of(request.headers.get("accept-language", ""), self.language)


def application(server: Server, *, lifespan: Lifespan | None = None) -> Door:
    """The ASGI application."""
    places = [Place(one.path, partial(_answer, server, one), methods=[one.method]) for one in ROUTES]
    places += [Place(path, partial(page, server), methods=["GET"]) for path, page in pages.PAGES.items()]
    failures: Any = {
        HTTPException: partial(_no_place, server),
        YinjiError: partial(_refuse, server),
        Exception: partial(_bug, server),
    }
    inner = Starlette(routes=places, exception_handlers=failures, lifespan=lifespan)
    return Door(inner, server.gate, server.metrics, language=server.language)


async def _answer(server: Server, route: Route, request: Request) -> Response:
    request.scope["yinji.route"] = f"{route.method} {route.path}"
    who = await server.identify(request)
    if route.operation == "export":
        return await _exported(server, who)
    body = b"" if route.method in BODYLESS else await body_of(request, most=int(server.settings.body_mb * (1 << 20)))
    arguments = await server.in_thread(answers.arguments_of, route, request, body)
    key = request.headers.get("idempotency-key")
    if key is None or route.method in BODYLESS:
        return _response(await _done(server, route, arguments, who))
    asked = f"{route.method} {request.url.path}?{request.url.query}\0".encode() + body
    keyed = _with_turn_keys(route, arguments, who.name, checked(key))
    once = partial(_done, server, route, keyed, who)
    made, again = await server.replays.once(who.owner, who.name, key, asked, once)
    return _response(made, {"idempotency-replayed": "true"} if again else {})


async def _done(server: Server, route: Route, arguments: dict[str, object], who: Identity) -> Answer:
    """Carries the operation out; a remember is held here, not in a thread, until its turn is read."""
    adds = route.operation in ("remember", "remember_many")
    wait = bool(arguments.get("wait")) if adds and isinstance(arguments.get("wait"), bool) else False
    call = arguments | {"wait": False} if wait else arguments
    value = await server.in_thread(server.service.value, route.operation, call, who)
    if adds:
        server.taken()
    if wait:
        value = await _when_read(server, value, who)
    if route.operation in ERASING:
        server.replays.forget(who.owner)
    status = OK if adds and not _pending(value) else route.status
    return Answer(status=status, body=await server.in_thread(_bytes, value))


def _bytes(value: object) -> bytes:
    return answers.encoded(to_json(value))


def _pending(value: Remembered | Outcomes) -> bool:
    return any(one.pending for one in (value.outcomes if isinstance(value, Outcomes) else (value,)))


async def _when_read(server: Server, value: Remembered | Outcomes, who: Identity) -> Remembered | Outcomes:
    deadline = time.monotonic() + server.settings.wait_s
    if isinstance(value, Remembered):
        return await _outcome(server, value, who, deadline)
    return Outcomes(outcomes=tuple([await _outcome(server, one, who, deadline) for one in value.outcomes]))


async def _outcome(server: Server, first: Remembered, who: Identity, deadline: float) -> Remembered:
    """What became of a turn, or, when the time is over, that it still waits."""
    pause, now = FIRST_LOOK_S, first
    while now.pending and time.monotonic() < deadline:
        await asyncio.sleep(pause)
        pause = min(pause * 1.5, LAST_LOOK_S)
        now = await server.in_thread(partial(server.service.memory.outcome, first.turn_id, owner=who.owner))
    return replace(now, repeated=first.repeated, warnings=tuple(dict.fromkeys((*first.warnings, *now.warnings))))


def _with_turn_keys(route: Route, arguments: dict[str, object], caller: str, key: str) -> dict[str, object]:
    """Turns that have no key or number of their own get one from the request's key."""
    if route.operation == "remember" and not {"key", "seq"} & {name for name, one in arguments.items() if one}:
        return arguments | {"key": turn_key(caller, key)}
    turns = arguments.get("turns")
    if route.operation == "remember_many" and isinstance(turns, list):
        return arguments | {"turns": [_keyed(turn, turn_key(caller, key, at)) for at, turn in enumerate(turns)]}
    return arguments


def _keyed(turn: object, key: str) -> object:
    if not isinstance(turn, Mapping) or turn.get("key") or turn.get("seq") is not None:
        return turn
    return {**turn, "key": key}


async def _exported(server: Server, who: Identity) -> Response:
    lines: Iterator[str] = await server.in_thread(server.service.export, who)
    return StreamingResponse(_encoded(lines), media_type=answers.LINES)


async def _encoded(lines: Iterator[str]) -> AsyncIterator[bytes]:
    async for line in iterate_in_threadpool(lines):
        yield line.encode("utf-8", "replace")


def _response(answer: Answer, headers: Mapping[str, str] | None = None) -> Response:
    return Response(answer.body, status_code=answer.status, headers=headers, media_type=answers.JSON)


async def _refuse(server: Server, request: Request, error: Exception) -> Response:
    assert isinstance(error, YinjiError)
    answer, headers = answers.refused(error, server.language_of(request))
    return _response(answer, headers)


async def _bug(server: Server, request: Request, error: Exception) -> Response:
    """Starlette raises the error once more after this, so the door writes it into the log."""
    return await _refuse(server, request, Unexpected(hint="The server's log tells where."))


async def _no_place(server: Server, request: Request, error: Exception) -> Response:
    """No such path, or not with this method."""
    assert isinstance(error, HTTPException)
    path = request.url.path
    if error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "")
        wrong = WrongMethod(path=path, method=request.method, hint=f"It takes: {allowed}.")
        response = await _refuse(server, request, wrong)
        response.headers["allow"] = allowed
        return response
    if error.status_code == 404:
        known = [one.path for one in ROUTES]
        return await _refuse(server, request, NotFound(what="path", name=path, nearest=nearest(path, known)))
    return await _refuse(server, request, InvalidInput(what="The request", problem=error.detail, hint=""))
