"""What runs while nobody asks: upkeep, and the watch over the queue and its reader (SPEC S2, L15)."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence

from yinji.engine import Memory
from yinji.errors import YinjiError
from yinji.interfaces.http.app import Server
from yinji.interfaces.http.metrics import alarming

log = logging.getLogger("yinji.idle")

WATCH_S = 1.0
Job = Callable[[Memory], object]


def upkeep(memory: Memory) -> object:
    """The engine's own jobs, where it has them."""
    run = getattr(memory, "upkeep", None)
    return run() if run is not None else None


JOBS: Sequence[Job] = (upkeep,)
"""What is done in a pause; each is bounded in time and safe to run twice, or beside another process."""


async def watch(server: Server, keep_reading: Callable[[], None], *, jobs: Sequence[Job] = JOBS) -> None:
    """Until it is cancelled: keeps the reader alive, tells of a queue that grows, and runs the jobs in each pause."""
    alarmed, rested_at = False, server.asked_at
    while True:
        await asyncio.sleep(WATCH_S)
        keep_reading()
        alarmed = await _tell_alarm(server, alarmed)
        quiet = time.monotonic() - server.asked_at >= server.settings.idle_s
        if quiet and rested_at != server.asked_at:
            rested_at = server.asked_at
            await run_jobs(server, jobs)


async def run_jobs(server: Server, jobs: Sequence[Job]) -> None:
    """Each job once; one that fails stops no other."""
    for job in jobs:
        try:
            await server.in_thread(job, server.service.memory, limiter=server.carriers)
        except YinjiError as error:
            log.warning("upkeep stopped", extra={"told": {"job": getattr(job, "__name__", "job"), "error": error.code}})


async def _tell_alarm(server: Server, alarmed: bool) -> bool:
    """One line when the queue comes near its limit, and one when it is over."""
    try:
        depth = await server.in_thread(server.service.depth)
    except YinjiError as error:
        log.warning("queue unknown", extra={"told": {"error": error.code}})
        return alarmed
    now = alarming(depth, server.service.queue_limit)
    if now != alarmed:
        told = {"depth": depth, "limit": server.service.queue_limit}
        log.warning("queue nearly full" if now else "queue has room again", extra={"told": told})
    return now
