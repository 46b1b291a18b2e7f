"""A memory behind ``yinji serve``, with the methods of the Python ``Memory``. It needs the extra ``client``::

    with Client("http://127.0.0.1:8765", token="yinji_...") as memory:
        memory.remember("I live in Lisbon", wait=True)
        print(memory.context("Where do I live?"))

Whose memory it is, and what may be done, is the token's. Errors are those of ``Memory``; ``Unreachable`` when nobody
answers. ``AsyncClient`` has the same methods, to be awaited.
"""

from __future__ import annotations

import builtins
import json
from collections.abc import Callable, Coroutine, Iterable, Mapping
from datetime import datetime
from functools import partial, update_wrapper
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Self, TextIO, TypeVar
from urllib.parse import quote

import httpx

from yinji import errors
from yinji.errors import ImportFailed, YinjiError
from yinji.interfaces.http.table import BODYLESS, ROUTES, Route
from yinji.interfaces.operations import Changes, Counted, Memories, Outcomes, Questions
from yinji.interfaces.wire import from_json, to_json
from yinji.model import (
    Context,
    Erasure,
    Interval,
    JournalEntry,
    MemoryEntry,
    Question,
    Recall,
    Remembered,
    Stats,
    Turn,
    Why,
)
from yinji.ownership.portability import Imported, read_lines

if TYPE_CHECKING:
    from yinji.engine import Forgotten, Undone

URL = "http://127.0.0.1:8765"
TIMEOUT_S = 60.0

T = TypeVar("T")
P = ParamSpec("P")

_ROUTES: Mapping[str, Route] = {one.operation: one for one in ROUTES if not one.several}
_OF_TURN = ("user", "assistant", "at", "session", "key", "role")


class Unreachable(YinjiError):
    """Nobody answers there; a conversation goes on without memory."""

    code = "unreachable"
    template = "{url} does not answer: {problem}. Is yinji serve running?"


class ServerError(YinjiError):
    """The server refused with a code that this client does not know; ``params`` has it."""

    code = "server"


class Client:
    """Synchronous; as thread-safe as ``httpx.Client``. See ``Memory`` for what the methods do."""

    def __init__(
        self,
        url: str = URL,
        *,
        token: str | None = None,
        language: str = "en",
        timeout: float = TIMEOUT_S,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._url = url
        self._http = httpx.Client(
            base_url=url, headers=_headers(token, language), timeout=timeout, transport=transport, trust_env=False
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def remember(
        self,
        user_msg: str,
        assistant_msg: str | None = None,
        *,
        session: str = "default",
        seq: int | None = None,
        key: str | None = None,
        at: datetime | None = None,
        role: str = "user",
        wait: bool = False,
    ) -> Remembered:
        turn = {"user": user_msg, "assistant": assistant_msg, "session": session, "seq": seq, "key": key, "at": at}
        return self._call("remember", partial(_read, Remembered), **turn, role=role, wait=wait)

    def remember_many(
        self, turns: Iterable[Turn | Mapping[str, object]], *, wait: bool = True
    ) -> builtins.list[Remembered]:
        sent = [_said(one) for one in turns]
        return self._call("remember_many", lambda made: [*_read(Outcomes, made).outcomes], turns=sent, wait=wait)

    def outcome(self, turn_id: str) -> Remembered:
        return self._call("outcome", partial(_read, Remembered), turn_id=turn_id)

    def recall(
        self,
        query: str,
        top_k: int | None = None,
        *,
        now: datetime | None = None,
        as_of: datetime | None = None,
        during: Interval | None = None,
        kinds: Iterable[str] | None = None,
        scenes: Iterable[str] | None = None,
        past: bool = False,
        language: str | None = None,
    ) -> Recall:
        asked = {"query": query, "top_k": top_k, "now": now, "as_of": as_of, "during": during, "past": past}
        return self._call(
            "recall", partial(_read, Recall), **asked, kinds=_all(kinds), scenes=_all(scenes), language=language
        )

    def why(
        self,
        query: str,
        id: str,
        top_k: int | None = None,
        *,
        now: datetime | None = None,
        as_of: datetime | None = None,
        during: Interval | None = None,
        kinds: Iterable[str] | None = None,
        scenes: Iterable[str] | None = None,
        past: bool = False,
        language: str | None = None,
    ) -> Why:
        asked = {"query": query, "id": id, "top_k": top_k, "now": now, "as_of": as_of, "during": during, "past": past}
        return self._call(
            "why", partial(_read, Why), **asked, kinds=_all(kinds), scenes=_all(scenes), language=language
        )

    def context(
        self,
        query: str,
        budget: int | None = None,
        *,
        session: str | None = None,
        format: str | None = None,
        top_k: int | None = None,
        now: datetime | None = None,
        as_of: datetime | None = None,
        language: str | None = None,
        used: bool = True,
    ) -> Context:
        asked = {"query": query, "budget": budget, "format": format, "top_k": top_k, "now": now, "as_of": as_of}
        return self._call("context", partial(_read, Context), **asked, session=session, language=language, used=used)

    def used(self, ids: Iterable[str]) -> int:
        return self._call("feedback", lambda made: _read(Counted, made).used, used=_all(ids))

    def get(self, id: str) -> MemoryEntry:
        return self._call("get", partial(_read, MemoryEntry), id=id)

    def list(
        self,
        *,
        kinds: Iterable[str] | None = None,
        validity: str | None = "current",
        limit: int = 50,
        offset: int = 0,
        hidden: bool = False,
    ) -> builtins.list[MemoryEntry]:
        wanted = {"kinds": _all(kinds), "validity": validity or "any", "limit": limit, "offset": offset}
        return self._call("list", lambda made: [*_read(Memories, made).memories], **wanted, hidden=hidden)

    def edit(
        self,
        id: str,
        *,
        content: str | None = None,
        kind: str | None = None,
        importance: float | None = None,
        layer: str | None = None,
        scenes: Iterable[str] | None = None,
    ) -> MemoryEntry:
        changes = {"content": content, "kind": kind, "importance": importance, "layer": layer, "scenes": _all(scenes)}
        return self._call("edit", partial(_read, MemoryEntry), id=id, **changes)

    def pin(self, id: str, pinned: bool = True) -> MemoryEntry:
        return self._call("pin", partial(_read, MemoryEntry), id=id, pinned=pinned)

    def forget(self, ids: str | Iterable[str], *, hard: bool = False) -> Forgotten:
        from yinji.engine import Forgotten

        named = [ids] if isinstance(ids, str) else _all(ids)
        return self._call("forget", partial(_read, Forgotten), ids=named, hard=hard)

    def undo(self, entry_id: int | None = None) -> Undone:
        from yinji.engine import Undone

        return self._call("undo", partial(_read, Undone), entry=entry_id)

    def history(self, id: str | None = None, *, limit: int = 50) -> builtins.list[JournalEntry]:
        return self._call("history", lambda made: [*_read(Changes, made).entries], id=id, limit=limit)

    def questions(self, *, answered: bool = False) -> builtins.list[Question]:
        return self._call("questions", lambda made: [*_read(Questions, made).questions], answered=answered)

    def answer(self, id: int, choice: str) -> Question:
        return self._call("answer", partial(_read, Question), id=id, choice=choice)

    def stats(self) -> Stats:
        return self._call("stats", partial(_read, Stats))

    def erase(self, owner: str) -> Erasure:
        return self._call("erase", partial(_read, Erasure), owner=owner)

    def export(self, target: str | Path | TextIO) -> int:
        """Writes all memories as JSON Lines; how many."""
        return self._call("export", partial(_written, target))

    def import_(self, source: str | Path | Iterable[Mapping[str, object]], *, dry_run: bool = False) -> Imported:
        """A str names a file. Everything is sent in one request, which the server's ``serve.body_mb`` limits."""
        records = _records(Path(source)) if isinstance(source, str | Path) else [*source]
        return self._call("import", partial(_read, Imported), memories=records, dry_run=dry_run)

    def _call(self, operation: str, read: Callable[[Any], T], **arguments: object) -> T:
        try:
            answer = self._http.request(**_request(operation, arguments))
        except httpx.TransportError as error:
            raise Unreachable(url=self._url, problem=str(error) or type(error).__name__) from error
        return read(_answered(answer))


class _Asked(Generic[T]):
    def __init__(self, operation: str, read: Callable[[Any], T], arguments: Mapping[str, object]) -> None:
        self.operation = operation
        self.read = read
        self.arguments = arguments


class _Asking(Client):
    """Says what a method of Client would ask, and asks nothing."""

    def __init__(self) -> None:
        """Has nothing to connect to."""

    def _call(self, operation: str, read: Callable[[Any], T], **arguments: object) -> T:
        asked: Any = _Asked(operation, read, arguments)
        return asked  # type: ignore[no-any-return]  # _awaited unwraps it.


def _awaited(
    method: Callable[Concatenate[Client, P], T],
) -> Callable[Concatenate[AsyncClient, P], Coroutine[Any, Any, T]]:
    """The same method, to be awaited: the request is made by Client's own, and only the sending differs."""

    async def call(self: AsyncClient, /, *arguments: P.args, **named: P.kwargs) -> T:
        asked: Any = method(_Asking(), *arguments, **named)
        made: T = await self._ask(asked)
        return made

    update_wrapper(call, method)
    return call


class AsyncClient:
    """``Client`` for asyncio and anyio."""

    def __init__(
        self,
        url: str = URL,
        *,
        token: str | None = None,
        language: str = "en",
        timeout: float = TIMEOUT_S,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._url = url
        self._http = httpx.AsyncClient(
            base_url=url, headers=_headers(token, language), timeout=timeout, transport=transport, trust_env=False
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    remember = _awaited(Client.remember)
    remember_many = _awaited(Client.remember_many)
    outcome = _awaited(Client.outcome)
    recall = _awaited(Client.recall)
    why = _awaited(Client.why)
    context = _awaited(Client.context)
    used = _awaited(Client.used)
    get = _awaited(Client.get)
    list = _awaited(Client.list)
    edit = _awaited(Client.edit)
    pin = _awaited(Client.pin)
    forget = _awaited(Client.forget)
    undo = _awaited(Client.undo)
    history = _awaited(Client.history)
    questions = _awaited(Client.questions)
    answer = _awaited(Client.answer)
    stats = _awaited(Client.stats)
    erase = _awaited(Client.erase)
    export = _awaited(Client.export)
    import_ = _awaited(Client.import_)

    async def _ask(self, asked: _Asked[T]) -> T:
        try:
            answer = await self._http.request(**_request(asked.operation, asked.arguments))
        except httpx.TransportError as error:
            raise Unreachable(url=self._url, problem=str(error) or type(error).__name__) from error
        return asked.read(_answered(answer))


# ---------------------------------------------------------------------- there


def _headers(token: str | None, language: str) -> dict[str, str]:
    headers = {"accept-language": language}
    return headers if token is None else headers | {"authorization": f"Bearer {token}"}


def _request(operation: str, arguments: Mapping[str, object]) -> dict[str, Any]:
    """What httpx is asked to send: what is None is left out."""
    route = _ROUTES[operation]
    given = {name: to_json(value) for name, value in arguments.items() if value is not None}
    blanks = {name: quote(str(given.pop(name)), safe="") for name in route.blanks}
    request: dict[str, Any] = {"method": route.method, "url": route.path.format(**blanks)}
    if route.method in BODYLESS:
        query = {name: str(one).lower() if isinstance(one, bool) else one for name, one in given.items()}
        return request | {"params": query}
    # Half a character has no form in UTF-8: escaped it has.
    return request | {"content": json.dumps(given), "headers": {"content-type": "application/json"}}


def _said(turn: Turn | Mapping[str, object]) -> dict[str, object]:
    if isinstance(turn, Mapping):
        return {name: one for name, one in turn.items() if one is not None}
    parts = {name: getattr(turn, name) for name in _OF_TURN if getattr(turn, name) not in (None, "")}
    return parts if turn.seq < 0 else parts | {"seq": turn.seq}


def _records(source: Path) -> list[Mapping[str, object]]:
    """The records of a file; a line that is none stops it before anything is sent."""
    records = []
    for number, record in read_lines(source):
        if not isinstance(record, Mapping):
            raise ImportFailed(path=source, problem=f"line {number} is not a JSON object", hint="Nothing was sent.")
        records.append(record)
    return records


def _all(values: Iterable[str] | None) -> builtins.list[str] | None:
    return None if values is None else list(values)


# ----------------------------------------------------------------------- back


def _answered(answer: httpx.Response) -> Any:
    """The answer's value: JSON, or the text of an export. Raises what the server refused with."""
    if answer.is_success:
        lines = answer.headers.get("content-type", "").startswith("application/x-ndjson")
        return answer.text if lines else answer.json()
    try:
        told = answer.json()
        raise _error(str(told["code"]), str(told["message"]), str(told["hint"]))
    except (ValueError, KeyError, TypeError):
        problem = f"the answer {answer.status_code} is not Yinji's"
        raise Unreachable(url=str(answer.url), problem=problem) from None


def _error(code: str, message: str, hint: str) -> YinjiError:
    """The error class of that code, with the server's own words."""
    kinds = [one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, YinjiError)]
    kind = next((one for one in kinds if one.code == code and one is not YinjiError), ServerError)
    error = kind.__new__(kind)
    Exception.__init__(error, f"{message} {hint}".strip())
    error.params = {"code": code, "hint": hint}
    return error


def _read(kind: type[T], value: object) -> T:
    made: T = from_json(kind, value, "the answer", strict=False)
    return made


def _written(target: str | Path | TextIO, lines: str) -> int:
    if isinstance(target, str | Path):
        Path(target).write_text(lines, encoding="utf-8", newline="\n")
    else:
        target.write(lines)
    return max(lines.count("\n") - 1, 0)
