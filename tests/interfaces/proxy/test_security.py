"""Who gets through to /mcp and to the proxy, whose memory it is, and where the proxy never goes."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator

import httpx
import pytest
from starlette.responses import Response

from tests.interfaces.model import Model
from tests.interfaces.proxy.conftest import Proxy
from yinji import Memory
from yinji.adapters.openai import OpenAIChat
from yinji.errors import ConfigError
from yinji.interfaces.operations import GRANTS
from yinji.interfaces.proxy.upstream import checked

pytestmark = pytest.mark.enable_socket
FACTS = pytest.mark.parametrize(
    ("told", "asked", "word"),
    [("I'm allergic to peanuts", "What am I allergic to?", "peanuts"), ("我对花生过敏", "我对什么过敏？", "花生")],
    ids=["en", "zh"],
)
JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


@pytest.fixture
def http(proxy: Proxy) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=proxy.url, trust_env=False, timeout=60) as client:
        yield client


def call(name: str, **arguments: object) -> bytes:
    params = {"name": name, "arguments": arguments}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()


def chat(text: str) -> bytes:
    return json.dumps({"model": "m", "messages": [{"role": "user", "content": text}]}).encode()


DOORS = [("/mcp", call("stats")), ("/proxy/v1/chat/completions", chat("hi")), ("/proxy/v1/models", b"{}")]


@pytest.mark.req("S1", "S3", "S4", "F32")
@pytest.mark.parametrize(("path", "body"), DOORS, ids=[path for path, _ in DOORS])
def test_a_foreign_host_or_page_gets_in_by_no_door(http: httpx.Client, model: Model, path: str, body: bytes) -> None:
    for headers in (
        {"host": "evil.example"},
        {"host": "169.254.169.254"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
    ):
        answer = http.post(path, content=body, headers={**JSON, **headers})
        assert (answer.status_code, answer.json()["code"][:8]) == (403, "foreign_"), headers
    assert not model.requests


@pytest.mark.req("S1", "S3", "S4", "O3", "F32")
@pytest.mark.parametrize(("path", "body"), DOORS, ids=[path for path, _ in DOORS])
def test_without_a_token_that_holds_nobody_gets_in_by_any_door(
    http: httpx.Client, model: Model, memory: Memory, path: str, body: bytes
) -> None:
    _, secret = memory.tokens.add("phone", owner="ann", may=GRANTS)
    memory.tokens.revoke("phone")
    memory.tokens.add("laptop", owner="ann", may=GRANTS)
    header = "authorization" if path == "/mcp" else "x-yinji-token"
    scheme = "Bearer " if path == "/mcp" else ""
    for shown in ("", "wrong", "yinji_wrong", secret, f"{secret}\u00ff", f"yinji_{'0' * 43}"):
        headers = {header: f"{scheme}{shown}".encode("latin-1")} if shown else {}
        given = {**{name: value.encode() for name, value in JSON.items()}, **headers}
        answer = http.post(path, content=body, headers=given)
        assert answer.status_code == 401, shown
        assert secret not in answer.text
    assert not model.requests


@pytest.mark.req("S3", "K4", "F30")
@FACTS
def test_another_owners_ids_lead_nowhere_over_mcp(
    http: httpx.Client, memory: Memory, told: str, asked: str, word: str
) -> None:
    kept = memory.remember(told, owner="ann", wait=True)
    _, secret = memory.tokens.add("bo's", owner="bo", may=GRANTS)
    headers, id = {**JSON, "authorization": f"Bearer {secret}"}, kept.added[0].id
    for name, arguments in (
        ("get", {"id": id}),
        ("edit", {"id": id, "content": "x y"}),
        ("pin", {"id": id}),
        ("forget", {"ids": [id], "hard": True}),
        ("history", {"id": id}),
        ("why", {"query": asked, "id": id}),
        ("undo", {}),
        ("recall", {"query": asked, "owner": "ann"}),
    ):
        answer = http.post("/mcp", content=call(name, **arguments), headers=headers)
        assert answer.status_code == 200, name
        assert '"isError":true' in answer.text.replace(" ", ""), name
        assert word not in answer.text, name
    assert word not in http.post("/mcp", content=call("recall", query=asked), headers=headers).text.replace(asked, "")
    assert memory.get(id, owner="ann") == kept.added[0]


@pytest.mark.req("S4", "K4", "O3", "F30")
@FACTS
def test_no_header_makes_one_owners_token_anothers(
    *, http: httpx.Client, model: Model, memory: Memory, told: str, asked: str, word: str
) -> None:
    memory.remember(told, owner="ann", wait=True)
    _, secret = memory.tokens.add("bo's", owner="bo", may=GRANTS)
    path, token = "/proxy/v1/chat/completions", ("x-yinji-token", secret)
    for smuggled in (
        [("x-yinji-owner", "ann")],
        [("X-YINJI-OWNER", "%61nn")],
        [("x-yinji-owner", "ann"), ("x-yinji-owner", "bo")],
        [("x-yinji-owner", "bo"), ("x-yinji-owner", "ann")],
        [("x-yinji-owner", "bo, ann")],
        [("x-yinji-owner", "bo%00ann")],
        [("x_yinji_owner", "ann")],
        [("connection", "x-yinji-token"), ("x-yinji-owner", "ann")],
        [("x-forwarded-user", "ann"), ("x-yinji-session", "ann")],
    ):
        sent = [("content-type", "application/json"), token, *smuggled]
        answer = http.post(path, content=chat(asked), headers=sent)
        assert answer.status_code in (200, 403), smuggled
        if answer.status_code == 200:
            assert word not in model.prompt().replace(asked, ""), smuggled
        assert "x-yinji-memories" not in answer.headers, smuggled
    memory.flush()
    assert [one.content for one in memory.list(owner="ann")] == [memory.list(owner="ann")[0].content]
    assert all(not name.lower().startswith("x-yinji-") for one in model.requests for name in one.headers)


@pytest.mark.req("S4", "F32")
def test_two_requests_in_one_are_never_seen_as_two_by_the_model(proxy: Proxy, model: Model) -> None:
    host, port = proxy.url.removeprefix("http://").split(":")
    second = b"GET /v1/smuggled HTTP/1.1\r\nhost: x\r\n\r\n"
    first = f"POST /proxy/v1/chat/completions HTTP/1.1\r\nhost: {host}:{port}\r\nconnection: close\r\n"
    for doubled in (
        f"content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n{second.decode()}",
        f"content-length: 2\r\ncontent-length: {len(second) + 2}\r\n\r\n{{}}{second.decode()}",
        f"transfer-encoding: xchunked\r\n\r\n0\r\n\r\n{second.decode()}",
    ):
        with socket.create_connection((host, int(port)), timeout=30) as line:
            line.sendall((first + doubled).encode())
            line.makefile("rb").read()
    assert not [one for one in model.requests if "smuggled" in one.url.path]


@pytest.mark.req("S3", "S4", "P3")
@pytest.mark.parametrize("path", ["/mcp", "/proxy/v1/chat/completions"])
def test_bodies_that_are_too_large_or_none_are_told_and_break_nothing(
    proxies: Callable[..., Proxy], model: Model, memory: Memory, path: str
) -> None:
    url = proxies(body_mb=0.01).url
    bodies = (b"", b"{", b"\xff\xfe", b"[" * 5_000, b"null", b'{"jsonrpc": "2.0"}', b'{"messages": [[]]}', b"[]")
    with httpx.Client(base_url=url, trust_env=False, timeout=60) as http:
        for body in bodies:
            model.answer = lambda _: Response(b"no", 400)
            assert http.post(path, content=body, headers=JSON).status_code < 500 or path != "/mcp", body
        for size in (b"x" * 20_000, iter([b"x" * 9_000] * 3)):
            assert http.post(path, content=size, headers=JSON).status_code == 413
        assert http.get("/healthz").status_code == 200
    assert memory.stats().turns == 0


@pytest.mark.req("S4", "F32", "O12")
def test_a_model_that_points_elsewhere_is_not_followed(http: httpx.Client, model: Model, memory: Memory) -> None:
    for place in ("http://169.254.169.254/latest/meta-data/", f"{model.url}/inner", "//evil.example/"):
        model.answer = lambda _, place=place: Response(b"", 307, headers={"location": place})  # type: ignore[misc]
        before = len(model.requests)
        answer = http.post("/proxy/v1/chat/completions", content=chat("I live in Lisbon"), headers=JSON)
        assert (answer.status_code, len(model.requests) - before) == (307, 1)
    assert memory.stats().turns == 0


INNER = [
    "http://169.254.169.254/v1",
    "http://169.254.169.254.:80/v1",
    "http://2852039166/v1",
    "http://0xA9FEA9FE/v1",
    "http://0251.0376.0251.0376/v1",
    "http://[fe80::1]/v1",
    "http://[::ffff:169.254.169.254]/v1",
    "http://[fd00:ec2::254]/v1",
    "http://metadata.google.internal/v1",
    "http://METADATA.google.internal./v1",
    "http://100.100.100.200/v1",
    "http://0.0.0.0:8000/v1",
    "http://0/v1",
    "http://[::]/v1",
    "http://224.0.0.1/v1",
    "http://255.255.255.255/v1",
    "https://user:secret@api.example.com/v1",
    "https://@api.example.com/v1",
    "file:///etc/passwd",
    "gopher://127.0.0.1/v1",
    "http://",
    "http://[::1/v1",
    "//api.example.com/v1",
    "http://api.example.com:0/v1",
    "http://api.example.com:99999/v1",
]
OUTER = ["http://127.0.0.1:11434/v1", "http://[::1]:8000/v1", "http://192.168.1.7/v1", "https://api.example.com/v1"]


@pytest.mark.req("S4", "W15", "F32", "O12")
@pytest.mark.parametrize("address", INNER)
def test_an_address_that_points_inside_or_is_none_is_refused_for_every_model(address: str) -> None:
    with pytest.raises(ConfigError):
        checked(address)
    with pytest.raises(ConfigError):
        OpenAIChat(endpoint=address, model="m", key_env="", timeout_s=1, most_tokens=10)


@pytest.mark.req("S4", "W15")
@pytest.mark.parametrize("address", OUTER)
def test_a_model_on_this_machine_in_the_house_or_outside_may_be_named(address: str) -> None:
    assert checked(address) == address
    OpenAIChat(endpoint=address, model="m", key_env="", timeout_s=1, most_tokens=10)
