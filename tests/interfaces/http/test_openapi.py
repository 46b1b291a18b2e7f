"""The document says what the server does: it is valid, answers keep to it, and no request made from it breaks it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from typing import Any

import httpx
import jsonschema
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from openapi_spec_validator import validate

from tests.interfaces.http.conftest import LANGUAGES
from yinji import Memory
from yinji.interfaces.http.app import Server
from yinji.interfaces.http.openapi import document
from yinji.interfaces.http.table import ROUTES, STATUS, Route
from yinji.interfaces.meanings import meanings
from yinji.interfaces.operations import GRANTS, OPERATIONS, Effect

FEW = 40
EXAMPLES = int(os.environ.get("YINJI_FUZZ", FEW))
"""Requests made up for each route: YINJI_FUZZ=2000 looks further, and elsewhere each time."""
Http = Callable[..., httpx.Client]
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("remember", {"user": "我对花生过敏", "wait": True}),
    ("remember_many", {"turns": [{"user": "I live in Lisbon"}], "wait": True}),
    ("outcome", {"turn_id": "TURN"}),
    ("recall", {"query": "花生"}),
    ("context", {"query": "花生"}),
    ("why", {"query": "花生", "id": "ID"}),
    ("feedback", {"used": ["ID"]}),
    ("list", {"validity": "any"}),
    ("get", {"id": "ID"}),
    ("edit", {"id": "ID", "importance": 0.5}),
    ("pin", {"id": "ID"}),
    ("history", {}),
    ("stats", {}),
    ("questions", {}),
    ("answer", {"id": "QUESTION", "choice": "new"}),
    ("import", {"memories": [{"content": "我在学法语"}, {}]}),
    ("forget", {"ids": ["ID"], "hard": True}),
    ("forget_one", {"id": "OTHER"}),
    ("undo", {}),
    ("erase", {"owner": "me"}),
]


def body_schema(route: Route) -> dict[str, Any]:
    """What the document says a body of this route is, with all that it refers to."""
    described = document("en")["paths"][route.path][route.method.lower()]
    body = described.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    return {**body, "components": document("en")["components"]}


def parameters(route: Route, place: str) -> dict[str, Any]:
    described = document("en")["paths"][route.path][route.method.lower()]["parameters"]
    return {one["name"]: one["schema"] for one in described if one["in"] == place}


@pytest.mark.req("S1")
@LANGUAGES
def test_the_document_is_valid_and_speaks_the_callers_language(http: Http, lang: str) -> None:
    served = http(lang=lang).get("/openapi.json").json()
    validate(served)
    assert served == document(lang)
    assert bool(re.search("[一-鿿]", served["info"]["description"])) == (lang == "zh")
    for path in served["paths"].values():
        for operation in path.values():
            described = json.dumps([operation["summary"], operation["parameters"]], ensure_ascii=False)
            assert bool(re.search("[一-鿿]", described)) == (lang == "zh")


@pytest.mark.req("S1")
def test_the_document_the_tables_and_the_meanings_list_the_same() -> None:
    assert {one.operation for one in ROUTES} == set(OPERATIONS)
    assert len({one.name for one in ROUTES}) == len(ROUTES)
    texts = meanings()
    assert set(texts["operations"]) == set(OPERATIONS)
    reading = {one.name for one in OPERATIONS.values() if one.effect is Effect.READS}
    assert {one.operation for one in ROUTES if not one.keyed and one.method == "POST"} <= reading
    named = {name for operation in OPERATIONS.values() for name in operation.parameters}
    own = {name for one in texts["operations"].values() for name in one.get("arguments", {})}
    assert named - own <= set(texts["arguments"])
    assert set(texts["arguments"]) <= named
    assert {str(status) for status in STATUS.values()} == set(texts["document"]["refused"])
    assert {operation.grant for operation in OPERATIONS.values()} | {"metrics"} == set(GRANTS)


def send(client: httpx.Client, route: Route, given: dict[str, Any]) -> httpx.Response:
    """The arguments where the document says that they belong."""
    blanks = {name: given[name] for name in route.blanks}
    rest = {name: value for name, value in given.items() if name not in blanks}
    path = route.path.format(**{name: str(value) for name, value in blanks.items()})
    if route.method in ("GET", "DELETE"):
        return client.request(route.method, path, params=rest)
    return client.request(route.method, path, json=rest)


@pytest.mark.req("S1")
def test_every_answer_is_as_the_document_says(memory: Memory, http: Http) -> None:
    kept = memory.remember("我住在杭州西湖区", wait=True)
    other = memory.remember("I play the cello on Fridays", wait=True).added[0].id
    for text in ("My blood type is A", "My blood type is O"):
        memory.remember(text, wait=True)
    ids = {"ID": kept.added[0].id, "TURN": kept.turn_id, "OTHER": other, "QUESTION": memory.questions()[0].id}
    assert {name for name, _ in CALLS} == {one.name for one in ROUTES} - {"export"}
    for name, arguments in CALLS:
        text = json.dumps(arguments)
        for blank, id in ids.items():
            text = text.replace(f'"{blank}"', json.dumps(id))
        route = next(one for one in ROUTES if one.name == name)
        answer = send(http(), route, json.loads(text))
        assert answer.status_code == 200, (name, answer.text)
        described = document("en")["paths"][route.path][route.method.lower()]["responses"]["200"]
        schema = described["content"]["application/json"]["schema"]
        whole = {**schema, "components": document("en")["components"]}
        assert problems(answer.json(), whole) == [], name
        if route.method in ("POST", "PATCH"):
            sent = {one: value for one, value in json.loads(text).items() if one not in route.blanks}
            assert problems(sent, body_schema(route)) == [], name


def problems(value: object, schema: dict[str, Any]) -> list[str]:
    return [one.message for one in jsonschema.Draft202012Validator(schema).iter_errors(value)]


SENTENCES = (
    "我对花生过敏，下周三去北京",
    "不对，我现在住在成都",
    "忘掉我之前说的花生",
    "前天晚上十二点半",
    "I'm allergic to peanuts",
    "Actually, I live in Porto now",
    "Forget what I said about peanuts",
    "by next Friday",
    "🥜\u200b😀",
    "𠮷野家\r\n的ＡＢＣ",
    "\ud800",
    "\x00",
    "ſ\u0301\u202e",
    '<memory importance="1">',
    "{{7*7}}",
    "' OR 1=1 --",
)
"""What people say, in both languages, and what breaks programs."""
TEXTS = st.one_of(
    st.sampled_from(SENTENCES), st.lists(st.sampled_from(SENTENCES), min_size=2, max_size=3).map(" ".join)
)
ODD = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.text(), max_size=3),
    st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3),
)  # fmt: skip


def values_of(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values of the part of JSON Schema that the document is written in."""
    if "$ref" in schema:
        return values_of(document("en")["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]])
    if "anyOf" in schema:
        return st.one_of(*map(values_of, schema["anyOf"]))
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if isinstance(schema["type"], list):
        return st.one_of(*(values_of({**schema, "type": kind}) for kind in schema["type"]))
    low, high = schema.get("minimum"), schema.get("maximum")
    match schema["type"]:
        case "string" if schema.get("format") == "date-time":
            return st.datetimes(timezones=st.timezones()).map(lambda moment: moment.isoformat())
        case "string":
            plain = st.text(min_size=schema.get("minLength", 0), max_size=min(schema.get("maxLength", 20), 20))
            return st.one_of(plain, TEXTS) if schema.get("maxLength", 0) > 1000 else plain
        case "integer":
            return st.integers(low, high)
        case "number":
            return st.floats(low, high)
        case "boolean":
            return st.booleans()
        case "array":
            return st.lists(values_of(schema["items"]), max_size=3)
        case "object" if "properties" in schema:
            parts = {name: values_of(part) for name, part in schema["properties"].items()}
            needed = {name: parts.pop(name) for name in schema.get("required", ())}
            return st.fixed_dictionaries(needed, optional=parts)
    return st.dictionaries(st.sampled_from(["content", "at", "id", "kind", "x"]), ODD, max_size=4)


def requests_of(route: Route) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments by the document's schema, some of them replaced by something of another kind."""
    body = body_schema(route).get("properties", {})
    fields = {**body, **parameters(route, "query"), **parameters(route, "path")}
    one = {name: st.one_of(values_of(field), values_of(field), ODD) for name, field in fields.items()}
    needed = {name: one[name] for name in route.blanks}
    return st.fixed_dictionaries(needed, optional={name: one[name] for name in one if name not in needed})


@pytest.mark.req("S1", "P3")
@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.name)
def test_no_request_that_the_document_could_make_breaks_the_server(
    memory: Memory, make_server: Callable[..., Server], http: Http, route: Route
) -> None:
    server = make_server(rate=100_000.0, burst=1_000_000, wait_s=0.1)
    clients = {lang: http(server, lang=lang) for lang in ("en", "zh")}
    memory.remember("我住在杭州", wait=True)
    described = document("en")["paths"][route.path][route.method.lower()]["responses"]

    @settings(
        max_examples=EXAMPLES, deadline=None, derandomize=EXAMPLES == FEW, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(requests_of(route), st.sampled_from(sorted(clients)))
    def hold(given: dict[str, Any], lang: str) -> None:
        given |= {name: re.sub(r"[^\w-]", "x", str(given[name])) or "x" for name in route.blanks}
        try:
            answer = send(clients[lang], route, {name: one for name, one in given.items() if one is not None})
        except (ValueError, TypeError, UnicodeEncodeError):
            return  # httpx itself cannot say that.
        assert answer.status_code < 500, (given, answer.text)
        if str(answer.status_code) not in described:  # A path that the arguments have made another one.
            assert (answer.status_code, route.blanks != ()) == (404, True), (given, answer.text)
            return
        if answer.headers["content-type"] == "application/json":
            content = described[str(answer.status_code)]["content"]["application/json"]
            whole = {**content["schema"], "components": document("en")["components"]}
            assert problems(answer.json(), whole) == [], (given, answer.text)
        if answer.status_code >= 400:
            assert bool(re.search("[一-鿿]", answer.json()["message"])) >= (lang == "zh"), (given, answer.text)

    hold()
