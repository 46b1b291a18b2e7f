"""From a request to arguments, and from a value or an error to an answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn, get_args, get_origin

from yinji.errors import YinjiError
from yinji.interfaces.http.refusals import NotAMediaType, NotJson
from yinji.interfaces.http.replay import Answer
from yinji.interfaces.http.table import STATUS, Route
from yinji.interfaces.operations import OPERATIONS
from yinji.interfaces.service import told
from yinji.interfaces.wire import bare

if TYPE_CHECKING:
    from starlette.requests import Request

JSON, LINES = "application/json", "application/x-ndjson"
UNEXPECTED = 500


def arguments_of(route: Route, request: Request, body: bytes) -> dict[str, object]:
    """What the path, the query and the body say, as plain values. Raises NotJson, NotAMediaType."""
    from_path: dict[str, object] = {}
    for name, text in request.path_params.items():
        wanted = route.several.get(name)
        from_path |= {wanted: [text]} if wanted else {name: _value(_kind_of(route, name), text)}
    query = _query(route, [(name, text) for name, text in request.query_params.multi_items()])
    if not body:
        return query | from_path
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given == LINES and route.operation == "import":
        return query | {"memories": _lines(body)}
    if given != JSON:
        raise NotAMediaType(name=given, hint=f"Send {JSON}.")
    read = parsed(body)
    if not isinstance(read, dict):
        raise NotJson(problem="it is not a JSON object", hint="Put the arguments into { }.")
    return query | read | from_path


def parsed(text: bytes) -> object:
    """The value of a JSON text. Raises NotJson."""
    try:
        return json.loads(text.decode("utf-8"), parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise NotJson(problem=f"it is not UTF-8 at byte {error.start}", hint="Send UTF-8.") from error
    except json.JSONDecodeError as error:
        problem = f"line {error.lineno}, column {error.colno}: {error.msg}"
        raise NotJson(problem=problem, hint="Mend it there.") from error
    except (RecursionError, ValueError) as error:
        raise NotJson(problem="it is nested too deep or holds too long a number", hint="Send plain objects.") from error


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def _lines(body: bytes) -> list[object]:
    return [parsed(line) for line in body.splitlines() if line.strip()]


def _query(route: Route, pairs: list[tuple[str, str]]) -> dict[str, object]:
    """The query's texts as the types of their arguments; what is not of its type stays text, which is refused later."""
    read: dict[str, object] = {}
    for name, text in pairs:
        kind = _kind_of(route, name)
        if get_origin(kind) is tuple:
            before = read.get(name, [])
            read[name] = [*(before if isinstance(before, list) else []), _value(get_args(kind)[0], text)]
        else:
            read[name] = _value(kind, text)
    return read


def _kind_of(route: Route, name: str) -> Any:
    """The type of an argument; of one that is not known, text."""
    parameters = OPERATIONS[route.operation].parameters
    return bare(parameters[name].kind)[0] if name in parameters else str


def _value(kind: Any, text: str) -> object:
    try:
        if kind is bool:
            return {"true": True, "false": False}[text.lower()]
        if kind in (int, float):
            return kind(text)
    except (ValueError, KeyError):
        return text
    return text


def encoded(value: object) -> bytes:
    """JSON in UTF-8; half a character, which UTF-8 has no form for, is escaped."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()


def refused(error: YinjiError, language: str) -> tuple[Answer, Mapping[str, str]]:
    """The answer that tells an error, and the headers that go with it."""
    status = STATUS.get(error.code, UNEXPECTED)
    one = told(error, language)
    body = encoded({"code": one.code, "message": one.message, "hint": one.hint})
    headers: dict[str, str] = {}
    if status == 401:
        headers["www-authenticate"] = "Bearer"
    if status in (429, 503):
        headers["retry-after"] = str(error.params.get("seconds", 1) if status == 429 else 1)
    return Answer(status=status, body=body), headers


def language_of(header: str, otherwise: str) -> str:
    """``zh`` or ``en`` by an Accept-Language header, whichever it ranks first."""
    best, language = 0.0, otherwise
    for part in header.split(","):
        name, _, weight = part.strip().lower().partition(";q=")
        try:
            rank = float(weight) if weight else 1.0
        except ValueError:
            continue
        if name[:2] in ("zh", "en") and rank > best:
            best, language = rank, name[:2]
    return language
