"""The same answer for a request that comes again with the same Idempotency-Key (F40).

Answers are kept in memory, for this process. What must not be done twice even after a restart, remembering, has the key
in the store as well: it becomes the turn's own.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from yinji.errors import InvalidInput, KeyReused

LONGEST = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """A finished answer, as bytes."""

    status: int
    body: bytes


class Replays:
    """Used from one event loop."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[str, str, str], tuple[bytes, asyncio.Future[Answer]]] = OrderedDict()

    async def once(
        self, owner: str, caller: str, key: str, request: bytes, answer: Callable[[], Awaitable[Answer]]
    ) -> tuple[Answer, bool]:
        """The answer, and whether it was given before. What was refused or failed is tried anew.

        Raises KeyReused when the key came with another request.
        """
        place, digest = (owner, caller, key), hashlib.sha256(request).digest()
        known = self._kept.get(place)
        if known is not None:
            if known[0] != digest:
                raise KeyReused(key=key)
            return await asyncio.shield(known[1]), True
        coming: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._kept[place] = (digest, coming)
        while len(self._kept) > max(self._most, 1):
            self._kept.popitem(last=False)
        try:
            made = await answer()
        except BaseException as error:
            self._kept.pop(place, None)
            if isinstance(error, Exception):
                coming.set_exception(error)
                coming.exception()  # Retrieved: nobody else may be waiting for it.
            else:
                coming.cancel()
            raise
        coming.set_result(made)
        return made, False

    def forget(self, owner: str) -> None:
        """Drops the answers of an owner: they hold what was just erased."""
        for place in [one for one in self._kept if one[0] == owner]:
            del self._kept[place]


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
