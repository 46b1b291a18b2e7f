"""The one server that requests go on to: the address that whoever started this server has given, and no other."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

import httpx

from yinji.endpoints import is_inner, parts_of
from yinji.errors import ConfigError, NotFound
from yinji.interfaces.http.gate import is_loopback
from yinji.interfaces.proxy.refusals import UpstreamSilent, UpstreamUnreachable

CONNECT_S = 10.0
IDLE, IDLE_S = 20, 4.0
"""Connections kept for later, and how long: common servers close theirs after five seconds."""
Headers = Iterable[tuple[bytes, bytes]]

HOP = frozenset(
    b"connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding"
    b" upgrade".split()
)
"""Headers between two neighbours, never passed on (RFC 9110, 7.6.1)."""
OURS = b"x-yinji-"
KEPT = frozenset({b"host", b"expect", b"cookie"})
"""What a client says to this server alone; cookies of this address belong to other programs on this machine."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Outgoing:
    """A request as it goes on."""

    method: str
    path: bytes
    """Below the model's base address, as it was written."""
    query: bytes
    headers: Headers
    content: bytes | AsyncIterator[bytes] | None


class _Line:
    """Whether a request was sent on a connection of its own, or on one that was there before."""

    def __init__(self) -> None:
        self.new = False

    async def trace(self, event: str, _: object) -> None:
        self.new = self.new or event.startswith("connection.connect_")


class Upstream:
    """Connections to it. Raises ConfigError when the address or its key cannot be used."""

    def __init__(self, address: str, *, key_env: str, timeout_s: float, environment: Mapping[str, str] = os.environ):
        self._base = httpx.URL(checked(address).rstrip("/"))
        self._key = _key(key_env, environment)
        self._timeout = httpx.Timeout(timeout_s, connect=min(CONNECT_S, timeout_s)).as_dict()
        self._http = httpx.AsyncClient(
            trust_env=not is_loopback(self._base.host),
            follow_redirects=False,
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=IDLE, keepalive_expiry=IDLE_S),
        )

    @property
    def name(self) -> str:
        """The server, without what its address may tell beyond that."""
        return self._base.netloc.decode("ascii", "replace")

    @property
    def has_key(self) -> bool:
        return self._key is not None

    async def close(self) -> None:
        await self._http.aclose()

    async def open(self, asked: Outgoing) -> httpx.Response:
        """The beginning of its answer, whatever that is. Raises UpstreamUnreachable, UpstreamSilent, NotFound."""
        try:
            return await self._sent(asked)
        except httpx.ConnectTimeout as error:
            raise UpstreamUnreachable(name=self.name, problem="no connection in time") from error
        except httpx.TimeoutException as error:
            raise UpstreamSilent(name=self.name) from error
        except httpx.ConnectError as error:
            raise UpstreamUnreachable(name=self.name, problem="nobody answers there") from error
        except httpx.RequestError as error:
            raise UpstreamUnreachable(name=self.name, problem="the connection broke") from error

    async def _sent(self, asked: Outgoing) -> httpx.Response:
        """A connection that the model's server closed while nobody used it is left for another one, unless what was
        sent cannot be sent again.
        """
        for _ in range(IDLE):
            line = _Line()
            try:
                return await self._http.send(self._request(asked, line), stream=True, auth=None)
            except (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError):
                if line.new or isinstance(asked.content, AsyncIterator):
                    raise
        return await self._http.send(self._request(asked, _Line()), stream=True, auth=None)

    def _request(self, asked: Outgoing, line: _Line) -> httpx.Request:
        return httpx.Request(
            asked.method,
            self._url(asked.path, asked.query),
            headers=self._headers(asked.headers),
            content=asked.content,
            extensions={"timeout": self._timeout, "trace": line.trace},
        )

    def _url(self, path: bytes, query: bytes) -> httpx.URL:
        """Never outside the base address."""
        if any(part in (".", "..") for part in unquote(path.decode("ascii", "replace")).replace("\\", "/").split("/")):
            raise NotFound(what="path", name=path.decode("ascii", "replace"), nearest="")
        whole = self._base.raw_path.rstrip(b"/") + b"/" + path
        return self._base.copy_with(raw_path=whole + (b"?" + query if query else b""))

    def _headers(self, headers: Headers) -> list[tuple[bytes, bytes]]:
        kept = [
            (name, value)
            for name, value in onward(headers)
            if name.lower() not in KEPT and not name.lower().startswith(OURS)
        ]
        if self._key is None:
            return kept
        return [*((name, value) for name, value in kept if name.lower() != b"authorization"), self._key]


def onward(headers: Headers) -> list[tuple[bytes, bytes]]:
    """Without those that are meant for the next neighbour only."""
    held = list(headers)
    named = {one.strip().lower() for name, value in held if name.lower() == b"connection" for one in value.split(b",")}
    return [(name, value) for name, value in held if name.lower() not in HOP | named]


def checked(address: str) -> str:
    """The address of a model. Raises ConfigError."""
    parts = parts_of(address)
    told = "it is no http(s) address without a name, a question mark and a hash sign in it"
    if parts is not None and not (parts.query or parts.fragment):
        if not is_inner(parts.hostname or ""):
            return address
        told = "no model is there: it is where machines tell their own secrets, or nobody's"
    raise ConfigError(
        name="serve.upstream", where="the settings", problem=told, hint="Such as: http://127.0.0.1:11434/v1"
    )


def _key(name: str, environment: Mapping[str, str]) -> tuple[bytes, bytes] | None:
    if not name:
        return None
    if not (key := environment.get(name, "").strip()):
        raise ConfigError(
            name="serve.upstream_key_env", where="the settings", problem=f"the variable {name} is empty", hint="Set it."
        )
    return b"authorization", b"Bearer " + key.encode()
