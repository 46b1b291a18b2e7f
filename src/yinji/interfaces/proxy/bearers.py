"""Who asks, though the client's own key belongs to the model: a token in a header of its own, or the key itself where
this server has one for the model. While a store has no token: whoever is on this machine, for the owner he names.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import unquote

from yinji.errors import NotAllowed, StoreBusy, YinjiError
from yinji.interfaces.http.refusals import Refusal
from yinji.interfaces.http.tokens import SCHEME, identify
from yinji.interfaces.operations import Identity

if TYPE_CHECKING:
    from starlette.requests import Request

    from yinji.interfaces.http.app import Server
    from yinji.interfaces.proxy.recollection import Recollection

MOST = 1000
"""How many who were let in are let through when the store that knows them cannot be asked."""


class Bearers:
    """Used from one event loop."""

    def __init__(self, server: Server, recollection: Recollection, *, keys_are_tokens: bool) -> None:
        self._server = server
        self._recollection = recollection
        self._keys_are_tokens = keys_are_tokens
        self._seen: OrderedDict[tuple[str, str], Identity] = OrderedDict()
        self._open = False

    async def begin(self) -> None:
        """Finds out whether the store asks for tokens, while it certainly can be read."""
        required = await self._server.in_thread(self._server.service.memory.tokens.required)
        self._open = not (required or self._server.always_token)

    async def of(self, request: Request) -> Identity:
        """For whom a request acts. Raises NoToken, WrongToken, NotAllowed, RateLimited.

        When the store cannot be asked, who was let in before is let through, to chat without memory.
        """
        shown, named = self._token(request.headers), unquote(request.headers.get("x-yinji-owner", "")).strip()
        place = (hashlib.sha256(shown.encode()).hexdigest(), named)
        ask = partial(
            identify,
            self._server.service.memory,
            f"{SCHEME}{shown}" if shown else "",
            owner=named or self._server.owner,
            always=self._server.always_token,
        )
        try:
            who = await self._recollection.in_time(ask, self._server.lookers)
        except Refusal:
            self._seen.pop(place, None)
            self._open = False
            raise
        except Exception as error:  # noqa: BLE001 - the chat goes on, whatever is wrong with the memory
            who = self._let_through(place, error, open_house=self._open and not shown)
        else:
            self._remember(place, who)
        if named and who.name and named != who.owner:
            raise NotAllowed(what="X-Yinji-Owner", problem="the token is another owner's", hint="Leave it out.")
        self._server.admit(request, who)
        return who

    def _token(self, headers: Mapping[str, str]) -> str:
        key = headers.get("authorization", "")
        shown = headers.get("x-yinji-token", "")
        if shown or not self._keys_are_tokens or not key.lower().startswith(SCHEME):
            return shown
        return key[len(SCHEME) :].strip()

    def _remember(self, place: tuple[str, str], who: Identity) -> None:
        self._seen[place] = who
        self._seen.move_to_end(place)
        if len(self._seen) > MOST:
            self._seen.popitem(last=False)

    def _let_through(self, place: tuple[str, str], error: Exception, *, open_house: bool) -> Identity:
        """With no grant at all: who cannot be looked up sees nothing of the memory. Raises StoreBusy, YinjiError."""
        known = self._seen.get(place)
        if known is None and open_house:
            known = Identity(owner=place[1] or self._server.owner)
        if known is not None:
            return replace(known, may=frozenset())
        if isinstance(error, YinjiError):
            raise error
        server = self._server
        raise StoreBusy(path=server.service.memory.path, seconds=f"{server.settings.upstream_recall_s:g}") from error
