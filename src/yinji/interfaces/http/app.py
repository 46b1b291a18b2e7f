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
from yinji.interfaces.http.table import BODYLESS, OK, ROUTES, UNDER, Route
from yinji.interfaces.http.tokens import identify
from yinji.interfaces.operations import OPERATIONS, Identity, Outcomes
from yinji.interfaces.service import Service, forgets
from yinji.interfaces.wire import to_json
from yinji.model import Remembered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.types import ASGIApp

T = TypeVar("T")
Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]

FIRST_LOOK_S, LAST_LOOK_S = 0.01, 0.25
"""How soon, and how seldom at last, a waiting request looks whether its turn is read."""
TAKING = frozenset({"remember", "remember_many"})
CARRYING = frozenset({"import", "export", "erase", "forget"})
TAKERS, LOOKERS, CARRIERS = 16, 2, 2
"""Threads that take turns (they gather into one transaction), that look up a token or an outcome, and for what may take
minutes. Recalls have ``serve.threads``."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A request whose bearer is known and whose body is read."""

    route: Route
    request: Request
    who: Identity
    body: bytes = b""
    key: str | None = None
    """Its Idempotency-Key."""


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
        self.replays = Replays(self.service.memory.replays, self.settings)
        self.service.forgotten.append(self.replays.forget)
        self.workers = CapacityLimiter(self.settings.threads)
        self.takers = CapacityLimiter(TAKERS)
        self.carriers = CapacityLimiter(CARRIERS)
        self.lookers = CapacityLimiter(LOOKERS)
        self.asked_at = time.monotonic()

    async def in_thread(self, run: Callable[..., T], *arguments: object, limiter: CapacityLimiter | None = None) -> T:
        """Runs what takes a moment; with a ``limiter``, what waits only for its like: a turn is never taken later
        because of a recall, and no recall comes later because a turn waits for the disk (SPEC S2)."""
        return await anyio.to_thread.run_sync(partial(run, *arguments), limiter=limiter or self.lookers)

    def limiter_of(self, operation: str) -> CapacityLimiter:
        if operation in TAKING:
            return self.takers
        return self.carriers if operation in CARRYING else self.workers

    async def identify(self, request: Request) -> Identity:
        """Who asks, within the rate. Raises NoToken, WrongToken, RateLimited."""
        authorization = request.headers.get("authorization", "")
        ask = partial(identify, self.service.memory, authorization, owner=self.owner, always=self.always_token)
        who = await self.in_thread(ask)
        self.admit(request, who)
        return who

    def admit(self, request: Request, who: Identity) -> None:
        """Counts the request of a bearer who is known. Raises RateLimited."""
        request.scope["yinji.token"] = who.name
        self.rate.take(f"{who.name}\0{who.owner}")
        self.asked_at = time.monotonic()

    def language_of(self, request: Request) -> str:
        return answers.language_of(request.headers.get("accept-language", ""), self.language)


def application(server: Server, *, lifespan: Lifespan | None = None, more: Mapping[str, ASGIApp] | None = None) -> Door:
    """The ASGI application. ``more``: applications of other doors, each at a path of its own."""
    places = [Place(one.path, partial(_answer, server, one), methods=[one.method]) for one in ROUTES]
    places += [Place(path, partial(page, server), methods=["GET"]) for path, page in pages.PAGES.items()]
    places += [Place(path, one) for path, one in (more or {}).items()]
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
    if route.method in BODYLESS:
        return _response(await _done(server, Asked(route=route, request=request, who=who)))
    body = await body_of(request, most=int(server.settings.body_mb * (1 << 20)))
    key = request.headers.get("idempotency-key") if route.keyed else None
    asked = Asked(route=route, request=request, who=who, body=body, key=None if key is None else checked(key))
    if key is None:
        return _response(await _done(server, asked))
    whole = f"{route.method} {request.url.path}?{request.url.query}\0".encode() + body
    work = partial(_done, server, asked)
    made, again = await server.replays.once(
        who.owner, who.name, key, whole, work, forgets=forgets(OPERATIONS[route.operation])
    )
    return _response(made, {"idempotency-replayed": "true"} if again else {})


async def _done(server: Server, asked: Asked) -> Answer:
    """Carries the operation out; a remember is held here, not in a thread, until its turn is read."""
    operation = asked.route.operation
    work = partial(_work, server.service, asked)
    value, waits, answer = await server.in_thread(work, limiter=server.limiter_of(operation))
    if operation in TAKING:
        server.taken()
    if waits:
        return _told(asked.route, await _when_read(server, value, asked.who))
    return answer


def _work(service: Service, asked: Asked) -> tuple[Any, bool, Answer]:
    """From a body to the answer, all in one thread: each change of threads costs as much as a small answer."""
    route, who = asked.route, asked.who
    arguments = answers.arguments_of(route, asked.request, asked.body)
    if asked.key is not None:
        arguments = _with_turn_keys(route, arguments, who.name, asked.key)
    waits = route.operation in TAKING and arguments.get("wait") is True
    value = service.value(route.operation, arguments | {"wait": False} if waits else arguments, who)
    return value, waits and _pending(value), _told(route, value)


def _told(route: Route, value: Any) -> Answer:
    read = route.operation in TAKING and not _pending(value)
    return Answer(status=OK if read else route.status, body=answers.encoded(to_json(value)))


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
    lines: Iterator[str] = await server.in_thread(server.service.export, who, limiter=server.carriers)
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
        near = nearest(path, known, after=UNDER)
        return await _refuse(server, request, NotFound(what="path", name=path, nearest=near))
    return await _refuse(server, request, InvalidInput(what="The request", problem=error.detail, hint=""))
