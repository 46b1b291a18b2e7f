"""How much one caller may ask: requests a second per token, and bytes in a body."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING

from yinji.interfaces.http.refusals import RateLimited, TooLarge

if TYPE_CHECKING:
    from starlette.requests import Request

CALLERS = 10_000
"""Callers whose use is remembered; the one that has been quiet longest is dropped first."""


class Rate:
    """A bucket for each caller, filled at ``rate`` a second up to ``burst``. Thread-safe."""

    def __init__(self, rate: float, burst: int, *, now: Callable[[], float]) -> None:
        self._rate = rate
        self._burst = burst
        self._now = now
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, caller: str) -> None:
        """Counts one request. Raises RateLimited, with the seconds until there is room for one."""
        with self._lock:
            now = self._now()
            left, since = self._left.get(caller, (float(self._burst), now))
            left = min(self._burst, left + (now - since) * self._rate)
            self._left[caller] = (left - 1 if left >= 1 else left, now)
            self._left.move_to_end(caller)
            if len(self._left) > CALLERS:
                self._left.popitem(last=False)
        if left < 1:
            raise RateLimited(rate=f"{self._rate:g}", seconds=math.ceil((1 - left) / self._rate))


async def body_of(request: Request, *, most: int) -> bytes:
    """The whole body. Raises TooLarge before or while it is read, and never holds more than is allowed."""
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > most:
        raise _too_large(most)
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise _too_large(most)
        parts.append(part)
    return b"".join(parts)


def _too_large(most: int) -> TooLarge:
    shown = f"{most / (1 << 20):g} MiB"
    return TooLarge(limit=shown, hint="Send it in parts; serve.body_mb sets the limit.")
