"""What memory adds to a chat, and how the chat is remembered: in time or not at all, and never at the chat's cost."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import anyio
import anyio.to_thread

from yinji.errors import KeyReused, StoreError, YinjiError
from yinji.interfaces.messages import Messages
from yinji.interfaces.operations import Identity
from yinji.interfaces.proxy.chat import Chat
from yinji.language.text import detect
from yinji.recall.budget import halves

if TYPE_CHECKING:
    from anyio import CapacityLimiter

    from yinji.interfaces.http.app import Server
    from yinji.model import Context, Remembered

log = logging.getLogger("yinji.proxy")
T = TypeVar("T")

HANGING = 32
"""Threads that may hang on a store that does not answer; while so many do, further chats do without it at once."""
KEPT, KEPT_S = 256, 600.0
"""How many turns' recollections are held for their next rounds, and how long: as long as providers cache a prompt."""
LOOK_S = 5.0
LONGEST_TEXT = 1_000_000
QUERY = 400
"""Characters of a message's beginning, and of its end, that are asked with: what is pasted between asks nothing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Recalled:
    """What goes into a request, and what is told about it."""

    outcome: str
    """``used``; ``none``: nothing to say; ``unavailable``: memory failed or was late; ``denied``: not this token;
    ``off``: not asked for; ``unread``: no chat with a user's words."""
    stable: str = ""
    recalled: str = ""
    ids: tuple[str, ...] = ()
    hits: tuple[str, ...] = ()
    """Those of them that this message recalled."""
    footer: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Talk:
    """A chat with whose it is and what is wanted of memory."""

    chat: Chat
    who: Identity
    session: str
    key: str
    """Of its turn."""
    recalls: bool = True
    remembers: bool = True
    footer: bool = False


class Recollection:
    """Used from one event loop; the memory itself is asked in threads that nobody waits for longer than he must."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._service = server.service
        self._say = Messages(server.language)
        self._room = threading.BoundedSemaphore(HANGING)
        self._kept: OrderedDict[tuple[str, str, bool], tuple[int, float, Recalled]] = OrderedDict()
        self._lock = threading.Lock()
        self._service.forgotten.append(self.forget)

    async def begin(self) -> None:
        """Looks something up, so that the first chat need not wait for what a first recall loads."""
        with contextlib.suppress(YinjiError):
            await self._server.in_thread(partial(self._service.memory.context, "Where do I live?", used=False))

    async def of(self, talk: Talk) -> Recalled:
        """What memory has for the user's last message. Never raises, and takes ``serve.upstream_recall_s`` at most."""
        if not talk.recalls:
            return Recalled(outcome="off")
        if "recall" not in talk.who.may:
            return Recalled(outcome="denied" if talk.who.may else "unavailable")
        started = time.perf_counter()
        try:
            return await self.in_time(partial(self._look, talk), self._server.workers)
        except YinjiError as error:
            log.warning("chat without memory", extra={"told": {"error": error.code}})
        except Exception as error:  # noqa: BLE001 - the chat goes on, whatever is wrong with the memory
            log.warning("chat without memory", extra={"told": {"error": type(error).__name__}})
        finally:
            self._server.metrics.took("yinji_proxy_memory_seconds", time.perf_counter() - started)
        return Recalled(outcome="unavailable")

    def forget(self, owner: str) -> None:
        """Drops what is held of an owner's memories."""
        with self._lock:
            for place in [one for one in self._kept if one[0] == owner]:
                del self._kept[place]

    def look_again(self) -> None:
        """Drops what is too old, or of memories that another program has changed meanwhile. Raises StoreError."""
        with self._lock:
            held = list(self._kept.items())
        newest = {owner: self._version(owner) for owner in {place[0] for place, _ in held}}
        now = time.monotonic()
        with self._lock:
            for place, (version, since, _) in held:
                if version != newest[place[0]] or now - since >= KEPT_S:
                    self._kept.pop(place, None)

    async def keep_looking(self) -> None:
        """Until it is cancelled: nothing that is erased stays in memory for longer than LOOK_S seconds."""
        while True:
            await anyio.sleep(LOOK_S)
            with contextlib.suppress(StoreError):  # The store cannot be read now; the next look tells.
                await self._server.in_thread(self.look_again)

    async def keep(self, talk: Talk, said: str, recalled: Recalled) -> None:
        """Remembers the turn. Never raises; a store that is busy for long is left to finish by itself."""
        if not talk.remembers:
            return
        try:
            await self.in_time(partial(self._take, talk, said, recalled), self._server.takers)
        except TimeoutError:
            self._count("late")
            log.info("turn is late", extra={"told": {}})
        except Exception as error:  # noqa: BLE001 - the answer is given already
            self._count("failed")
            log.warning("turn not remembered", extra={"told": {"error": type(error).__name__}})

    async def in_time(self, run: Callable[[], T], limiter: CapacityLimiter) -> T:
        """Runs it in a thread, and stops waiting in time. Raises TimeoutError."""
        with anyio.fail_after(self._server.settings.upstream_recall_s):
            return await anyio.to_thread.run_sync(
                partial(_in_room, self._room, run), abandon_on_cancel=True, limiter=limiter
            )

    def _look(self, talk: Talk) -> Recalled:
        """The same as before for the next round of a turn, or for its retry, as long as nothing has changed."""
        place = (talk.who.owner, talk.key, talk.footer)
        version, now = self._version(talk.who.owner), time.monotonic()
        with self._lock:
            known = self._kept.get(place)
        if known is not None and known[0] == version and now - known[1] < KEPT_S:
            return known[2]
        made = self._looked_up(talk)
        with self._lock:
            self._kept[place] = (version, now, made)
            self._kept.move_to_end(place)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return made

    def _version(self, owner: str) -> int:
        """Another after every change of the owner's memories."""
        newest = self._service.memory.history(owner=owner, limit=1)
        return newest[0].id if newest else 0

    def _looked_up(self, talk: Talk) -> Recalled:
        user = talk.chat.user
        asked = user if len(user) <= 2 * QUERY else f"{user[:QUERY]}\n{user[-QUERY:]}"
        given = {"query": asked, "session": talk.session, "format": "xml", "used": False}
        context: Context = self._service.value("context", given, talk.who)
        stable, recalled = halves(context)
        hits = tuple(hit.memory.id for hit in context.hits)
        ids = tuple(dict.fromkeys((*context.always, *hits, *context.besides, *context.in_brief)))
        return Recalled(
            outcome="used" if ids else "none",
            stable=stable and f"{self._say('proxy.stable')}\n{stable}",
            recalled=recalled and f"{self._say('proxy.recalled')}\n{recalled}",
            ids=ids,
            hits=hits,
            footer=self._footer(talk, context, ids) if talk.footer and ids else "",
        )

    def _footer(self, talk: Talk, context: Context, ids: tuple[str, ...]) -> str:
        """The memories by their words, with what each can be mended by, in the user's language."""
        say = Messages(detect(talk.chat.user))
        known = {hit.memory.id: hit.memory for hit in context.hits}
        told = [known.get(one) or self._service.memory.get(one, owner=talk.who.owner) for one in ids]
        lines = [f"- {' '.join(one.content.split())} (`{one.id[-8:]}`)" for one in told]
        return "\n\n---\n" + "\n".join([say("proxy.footer", n=len(ids)), *lines])

    def _take(self, talk: Talk, said: str, recalled: Recalled) -> None:
        """In a thread that may outlast the request: what goes wrong is told from here."""
        try:
            again = "remember" in talk.who.may and self._remembered(talk, said).repeated
            self._count("repeated" if again else "remembered" if "remember" in talk.who.may else "denied")
            if recalled.hits and not again:
                self._service.value("feedback", {"used": list(recalled.hits)}, talk.who)
        except KeyReused:
            self._count("repeated")
            log.info("turn known", extra={"told": {}})  # The same question, answered once more in other words.
        except YinjiError as error:
            self._count("failed")
            log.warning("turn not remembered", extra={"told": {"error": error.code}})

    def _count(self, outcome: str) -> None:
        self._server.metrics.count("yinji_proxy_turns_total", outcome=outcome)

    def _remembered(self, talk: Talk, said: str) -> Remembered:
        answer = "\n\n".join(one for one in (*talk.chat.since, said) if one.strip())
        turn = {
            "user": talk.chat.user[:LONGEST_TEXT],
            "assistant": answer[:LONGEST_TEXT] or None,
            "session": talk.session,
            "key": talk.key,
        }
        who = replace(talk.who, app=talk.who.app or "proxy")
        made: Remembered = self._service.value("remember", turn, who)
        self._server.taken()
        return made


def _in_room(room: threading.BoundedSemaphore, run: Callable[[], T]) -> T:
    if not room.acquire(blocking=False):
        raise TimeoutError
    try:
        return run()
    finally:
        room.release()
