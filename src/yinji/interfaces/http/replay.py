"""The same answer for a request that comes again with the same Idempotency-Key (F40).

Answers are kept in the store, for ``serve.replay_hours``, and go with whatever of their owner is forgotten. A request
that comes while its like is still worked on waits for that one's answer.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

import anyio.to_thread

from yinji.errors import InvalidInput, KeyReused, StoreError
from yinji.ports import Replay

if TYPE_CHECKING:
    from yinji.config import ServeSettings
    from yinji.ownership.replays import Replays as Kept

log = logging.getLogger("yinji.http")

LONGEST = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """A finished answer, as bytes."""

    status: int
    body: bytes


@dataclass(kw_only=True, slots=True)
class Coming:
    """A request that is worked on."""

    owner: str
    digest: bytes
    forgets: bool
    """Its answer names what it made go, without its words."""
    answer: asyncio.Future[Answer]
    to_keep: bool = True


class Replays:
    """Used from one event loop; ``kept`` is asked in threads."""

    def __init__(self, kept: Kept, settings: ServeSettings) -> None:
        self._kept = kept
        self._most = settings.replays
        self._lasts = timedelta(hours=settings.replay_hours)
        self._coming: dict[tuple[str, str, str], Coming] = {}

    async def once(
        self,
        owner: str,
        caller: str,
        key: str,
        request: bytes,
        answer: Callable[[], Awaitable[Answer]],
        *,
        forgets: bool = False,
    ) -> tuple[Answer, bool]:
        """The answer, and whether it was given before. What was refused or failed is tried anew.

        Raises KeyReused when the key came with another request.
        """
        place, digest = (owner, caller, key), hashlib.sha256(request).digest()
        known = self._coming.get(place)
        if known is not None:
            if known.digest != digest:
                raise KeyReused(key=key)
            return await asyncio.shield(known.answer), True
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        coming = Coming(owner=owner, digest=digest, forgets=forgets, answer=future)
        self._coming[place] = coming
        try:
            made, again = await self._answered(coming, caller, key, answer)
        except BaseException as error:
            if isinstance(error, Exception):
                coming.answer.set_exception(error)
                coming.answer.exception()  # Retrieved: nobody else may be waiting for it.
            else:
                coming.answer.cancel()
            raise
        finally:
            del self._coming[place]
        coming.answer.set_result(made)
        return made, again

    async def _answered(
        self, coming: Coming, caller: str, key: str, answer: Callable[[], Awaitable[Answer]]
    ) -> tuple[Answer, bool]:
        begin = partial(self._kept.begin, coming.owner, caller, key, lasts=self._lasts)
        known, begun = await anyio.to_thread.run_sync(begin)
        if known is not None:
            if known.request != coming.digest:
                raise KeyReused(key=key)
            return Answer(status=known.status, body=known.body.encode()), True
        made = await answer()
        if coming.forgets:
            _, begun = await anyio.to_thread.run_sync(begin)
        if coming.to_keep and self._most:
            kept = Replay(request=coming.digest, status=made.status, body=made.body.decode())
            await self._keep(coming.owner, caller, key, kept, begun)
        return made, False

    async def _keep(self, owner: str, caller: str, key: str, kept: Replay, begun: int) -> None:
        """What was asked is done by now: that its answer cannot be kept must not make a failure of it."""
        keep = partial(self._kept.keep, owner, caller, key, kept, begun=begun, lasts=self._lasts, most=self._most)
        try:
            await anyio.to_thread.run_sync(keep)
        except StoreError as error:
            log.warning("answer not kept", extra={"told": {"error": error.code}})

    def forget(self, owner: str) -> None:
        """Something of the owner is erased: what is being answered may hold it, and is not kept. Thread-safe."""
        for one in list(self._coming.values()):
            if one.owner == owner:
                one.to_keep = one.forgets


def checked(key: str) -> str:
    """The header's key. Raises InvalidInput."""
    if not key or len(key) > LONGEST or not key.isprintable():
        raise InvalidInput(
            what="The header Idempotency-Key",
            problem=f"{key[:LONGEST]!r} is not a key",
            hint="Use 1 to 200 characters.",
        )
    return key


def turn_key(caller: str, key: str, at: int = 0) -> str:
    """The key of the turn that a request with this Idempotency-Key brings; ``at`` is its place in the request."""
    digest = hashlib.sha256(f"{caller}\0{key}\0{at}".encode()).hexdigest()
    return f"request:{digest[:40]}"
