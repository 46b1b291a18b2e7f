"""The proxy as a place in ``yinji serve``: what comes to ``/proxy/v1`` goes on to the model, chats with memory."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import unquote

import httpx
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from yinji.errors import InvalidInput, YinjiError
from yinji.interfaces.http import answers
from yinji.interfaces.http.limits import body_of
from yinji.interfaces.http.replay import checked, turn_key
from yinji.interfaces.operations import Identity
from yinji.interfaces.proxy import chat as chats
from yinji.interfaces.proxy.bearers import Bearers
from yinji.interfaces.proxy.hearing import Deaf, Hearing, hearing
from yinji.interfaces.proxy.recollection import Recalled, Recollection, Talk
from yinji.interfaces.proxy.refusals import STATUS
from yinji.interfaces.proxy.upstream import Outgoing, Upstream, onward
from yinji.interfaces.service import told
from yinji.recall.budget import estimate_tokens

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from yinji.interfaces.http.app import Server

log = logging.getLogger("yinji.proxy")
T = TypeVar("T")
Listen = Callable[[httpx.Response], Hearing]

PATH = "/proxy/v1"
CHATS = "chat/completions"
BOTH = frozenset({"recall", "remember"})
WANTS = {"off": frozenset[str](), "recall": frozenset({"recall"}), "remember": frozenset({"remember"})}
"""What the request's header X-Yinji-Memory leaves on."""


class Place:
    """The ASGI application under ``/proxy/v1``. ``running`` must be entered while it answers."""

    def __init__(self, server: Server, *, upstream: Upstream, today: Callable[[], datetime] | None = None) -> None:
        self._server = server
        self._upstream = upstream
        self._today = today or (lambda: datetime.now(UTC))
        self._recollection = Recollection(server)
        self._bearers = Bearers(server, self._recollection, keys_are_tokens=upstream.has_key)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        await self._bearers.begin()
        await self._recollection.begin()
        looking = asyncio.create_task(self._recollection.keep_looking())
        try:
            yield
        finally:
            looking.cancel()
            await asyncio.wait({looking})
            await self._upstream.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        chatting = scope["method"] == "POST" and scope["path"].rstrip("/").endswith(CHATS)
        scope["yinji.route"] = f"{scope['method']} {PATH}/{CHATS if chatting else '*'}"
        try:
            who = await self._bearers.of(request)
            await (self._chat if chatting else self._pass)(request, send, who)
        except YinjiError as error:
            await _refuse(self._server, error, request, send)
        except ClientDisconnect:
            return

    async def _chat(self, request: Request, send: Send, who: Identity) -> None:
        body = await body_of(request, most=int(self._server.settings.body_mb * (1 << 20)))
        plain = request.headers.get("content-encoding", "identity").lower() == "identity"
        read = chats.read(body) if plain else None
        talk = None if read is None else self._talk(request, who, read)
        recalled = Recalled(outcome="unread") if talk is None else await self._recollection.of(talk)
        self._server.metrics.count("yinji_proxy_chats_total", memory=recalled.outcome)
        if talk is not None and recalled.ids:
            added = estimate_tokens(recalled.stable) + estimate_tokens(recalled.recalled)
            self._server.metrics.count("yinji_proxy_added_tokens_total", added)
            body = talk.chat.with_memory(recalled.stable, recalled.recalled)
        heard: list[Hearing] = []

        def listen(response: httpx.Response) -> Hearing:
            heard.append(_hearing(response, talk, recalled))
            return heard[0]

        # The model's server is asked for plain bytes: an answer that is read on its way must not be packed.
        headers = [
            (name, value) for name, value in request.headers.raw if name not in (b"content-length", b"accept-encoding")
        ]
        asked = _outgoing(request, [*headers, (b"accept-encoding", b"identity")], body)
        whole = await _while_there(request.receive, self._carry(asked, send, listen, recalled))
        last = b"".join(heard[0].end()) if whole else b""
        said = heard[0].said() if heard and whole is not False else None
        if talk is not None and said is not None:
            await self._recollection.keep(talk, said, recalled)
        if whole:
            await send({"type": "http.response.body", "body": last})

    async def _pass(self, request: Request, send: Send, who: Identity) -> None:
        """Everything else, as it is, in both directions."""
        has_body = {"content-length", "transfer-encoding"} & set(request.headers)
        asked = _outgoing(request, request.headers.raw, request.stream() if has_body else None)
        if await self._carry(asked, send, lambda _: Deaf(), None):
            await send({"type": "http.response.body", "body": b""})

    async def _carry(self, asked: Outgoing, send: Send, listen: Listen, recalled: Recalled | None) -> bool:
        """The answer, chunk by chunk as it comes, but for its end; false when it broke off: then so does ours."""
        response = await self._upstream.open(asked)
        try:
            ear = listen(response)
            await send(_start(response, recalled))
            async for chunk in response.aiter_raw():
                for piece in ear.feed(chunk):
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
        except httpx.RequestError as error:
            self._server.metrics.count("yinji_proxy_model_failures_total", how="broke_off")
            log.warning("answer broke off", extra={"told": {"error": type(error).__name__}})
            return False
        finally:
            await response.aclose()
        return True

    def _talk(self, request: Request, who: Identity, chat: chats.Chat) -> Talk:
        headers = request.headers
        day = self._today().date().isoformat()
        session = unquote(headers.get("x-yinji-session", ""))[:200].strip()
        session = session or f"chat-{_short(day, who.name, chat.beginning)}"
        wants = WANTS.get(headers.get("x-yinji-memory", "").lower(), BOTH)
        wished = headers.get("x-yinji-footer", "").lower()
        footer = _SWITCH.get(wished, self._server.settings.upstream_footer)
        return Talk(
            chat=chat,
            who=who,
            session=session,
            key=_key(headers.get("idempotency-key"), who.name) or f"chat:{_short(day, session, chat.digest)}",
            recalls="recall" in wants,
            remembers="remember" in wants,
            footer=footer and not chat.json_mode,
        )


_SWITCH = {"1": True, "true": True, "on": True, "yes": True, "0": False, "false": False, "off": False, "no": False}


def _hearing(response: httpx.Response, talk: Talk | None, recalled: Recalled) -> Hearing:
    if talk is None:
        return Deaf()
    header = partial(_header, response)
    return hearing(response.status_code, header, footer=recalled.footer, tools=talk.chat.tools)


def _header(response: httpx.Response, name: str) -> str:
    value: str = response.headers.get(name, "")
    return value


def _start(response: httpx.Response, recalled: Recalled | None) -> dict[str, object]:
    """Status and headers as the model's server gave them; ``date`` is set by this server."""
    longer = recalled is not None and bool(recalled.footer)
    headers = [
        (name.lower(), value)
        for name, value in onward(response.headers.raw)
        if name.lower() != b"date" and not (longer and name.lower() == b"content-length")
    ]
    if recalled is not None:
        headers.append((b"x-yinji-memory", recalled.outcome.encode()))
        if recalled.ids:
            headers.append((b"x-yinji-memories", ",".join(recalled.ids).encode()))
    return {"type": "http.response.start", "status": response.status_code, "headers": headers}


def _outgoing(request: Request, headers: object, content: object) -> Outgoing:
    raw: bytes = request.scope.get("raw_path") or request.scope["path"].encode()
    path = raw.partition(b"?")[0].removeprefix(PATH.encode()).lstrip(b"/")
    return Outgoing(
        method=request.method,
        path=path,
        query=request.scope["query_string"],
        headers=headers,  # type: ignore[arg-type]
        content=content,  # type: ignore[arg-type]
    )


async def _while_there(receive: Receive, work: Coroutine[object, object, T]) -> T | None:
    """Its result; None when the client has left before, and the work was given up."""
    working, leaving = asyncio.create_task(work), asyncio.create_task(_gone(receive))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        working.cancel()
        leaving.cancel()
        await asyncio.wait({working, leaving})
        if not working.cancelled():
            working.exception()  # Retrieved: nobody may be left to hear of it.


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _refuse(server: Server, error: YinjiError, request: Request, send: Send) -> None:
    """In the form that clients of this protocol read."""
    if error.code in STATUS:
        server.metrics.count("yinji_proxy_model_failures_total", how=error.code)
    language = server.language_of(request)
    answer, headers = answers.refused(error, language)
    one = told(error, language)
    shown = {"message": f"{one.message} {one.hint}".strip(), "type": "yinji", "param": None, "code": one.code}
    body = answers.encoded({"error": shown})
    await Response(body, STATUS.get(error.code, answer.status), headers, answers.JSON)(
        request.scope, request.receive, send
    )


def _key(given: str | None, caller: str) -> str | None:
    """The turn's key by the request's own; a header that is none is the model's server's to judge."""
    if given is None:
        return None
    try:
        return turn_key(caller, checked(given))
    except InvalidInput:
        return None


def _short(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:40]
