"""What goes wrong: the model's errors come through as they are, and the memory's never reach the chat."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import httpx
import openai as sdk
import pytest
from openai import OpenAI
from starlette.responses import JSONResponse, Response, StreamingResponse

from tests.interfaces.model import DONE, Model, chunk, said
from tests.interfaces.proxy.conftest import Proxy
from yinji import Memory
from yinji.errors import ConfigError, StoreBusy
from yinji.interfaces.proxy.upstream import Upstream, checked

pytestmark = pytest.mark.enable_socket
Client = Callable[..., OpenAI]
TELLING = {"en": "I'm allergic to peanuts", "zh": "我对花生过敏"}
LANGUAGES = pytest.mark.parametrize("lang", ["en", "zh"])


@pytest.fixture
def http() -> Iterator[httpx.Client]:
    with httpx.Client(trust_env=False, timeout=30) as client:
        yield client


def chat(text: str, **more: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": text}], **more}


def turns(memory: Memory) -> int:
    memory.flush()
    return memory.stats().turns


@pytest.mark.req("S4")
def test_an_error_of_the_model_comes_through_with_its_status_headers_and_body(
    proxy: Proxy, model: Model, openai: Client, memory: Memory
) -> None:
    told = {"error": {"message": "slow down", "type": "rate_limit", "code": "x", "param": None, "more": [1]}}
    model.answer = lambda _: JSONResponse(told, 429, headers={"retry-after": "7", "x-ratelimit-remaining": "0"})
    with pytest.raises(sdk.RateLimitError) as caught:
        openai(proxy).chat.completions.create(**chat(TELLING["en"]))
    assert caught.value.response.headers["retry-after"] == "7"
    assert caught.value.response.headers["x-ratelimit-remaining"] == "0"
    assert caught.value.response.json() == told
    model.answer = lambda _: Response(b"<h1>broken", 503, media_type="text/html")
    with pytest.raises(sdk.InternalServerError) as broken:
        openai(proxy).chat.completions.create(**chat(TELLING["en"]), stream=True)
    assert broken.value.response.status_code == 503
    assert turns(memory) == 0


@pytest.mark.req("S4")
@pytest.mark.parametrize("error", [True, False], ids=["told", "cut"])
def test_a_stream_that_breaks_off_breaks_off_and_is_not_remembered(
    proxy: Proxy, model: Model, memory: Memory, http: httpx.Client, error: bool
) -> None:
    begun = chunk({"role": "assistant", "content": "It is"})
    last = b'data: {"error": {"message": "overloaded"}}\n\n'

    async def breaking() -> AsyncIterator[bytes]:
        yield begun
        if error:
            yield last
        else:
            raise OSError("cut")

    model.answer = lambda _: StreamingResponse(breaking(), media_type="text/event-stream")
    got = b""
    with http.stream("POST", f"{proxy.base}/chat/completions", json=chat(TELLING["zh"], stream=True)) as answer:
        try:
            for piece in answer.iter_raw():
                got += piece
            whole = True
        except httpx.RemoteProtocolError:
            whole = False
    assert whole == error
    assert got == begun + (last if error else b"")
    assert turns(memory) == 0


@pytest.mark.req("S4")
def test_a_stream_comes_chunk_by_chunk_and_ends_at_the_model_when_the_client_leaves(
    proxy: Proxy, model: Model, memory: Memory, http: httpx.Client
) -> None:
    steps: list[int] = []

    async def slow() -> AsyncIterator[bytes]:
        for step in range(10_000):
            steps.append(step)
            yield chunk({"content": f"{step} "})
            await asyncio.sleep(0.02)
        yield DONE

    model.answer = lambda _: StreamingResponse(slow(), media_type="text/event-stream")
    with http.stream("POST", f"{proxy.base}/chat/completions", json=chat(TELLING["en"], stream=True)) as answer:
        pieces = answer.iter_raw()
        for step in range(3):
            assert next(pieces) == chunk({"content": f"{step} "})
        assert len(steps) < 1000
    proxy.server.gate.check({"host": "localhost"}, path="/")
    assert turns(memory) == 0


@pytest.mark.req("S4", "F51")
@LANGUAGES
def test_the_chat_goes_on_when_the_memory_is_killed_in_the_middle(
    proxy: Proxy, model: Model, openai: Client, memory: Memory, lang: str
) -> None:
    client = openai(proxy)
    assert client.chat.completions.create(**chat(TELLING[lang])).choices[0].message.content == "ok"
    memory.close(flush=False)
    for _ in range(2):
        answer = client.chat.completions.with_raw_response.create(**chat(TELLING[lang] + "!"))
        assert answer.parse().choices[0].message.content == "ok"
        assert answer.headers["x-yinji-memory"] == "unavailable"
        assert "x-yinji-memories" not in answer.headers
    assert model.asked == chat(TELLING[lang] + "!")


@pytest.mark.req("S4")
def test_a_memory_that_fails_or_hangs_costs_a_chat_no_more_than_its_wait(
    proxies: Callable[..., Proxy], openai: Client, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    client, free = openai(proxies(upstream_recall_s=0.05)), threading.Event()

    def busy(*_: object, **__: object) -> None:
        raise StoreBusy(path="x", seconds="60")

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a bug")

    def hanging(*_: object, **__: object) -> None:
        free.wait(60)

    try:
        for fault in (busy, broken, hanging):
            monkeypatch.setattr(memory, "context", fault)
            monkeypatch.setattr(memory, "remember", fault)
            answer = client.chat.completions.with_raw_response.create(**chat("Where do I live?"))
            assert answer.parse().choices[0].message.content == "ok"
            assert answer.headers["x-yinji-memory"] == "unavailable"
    finally:
        free.set()


@pytest.mark.req("S4", "F32")
def test_tokens_are_shown_apart_from_the_models_key_and_name_the_owner(
    proxy: Proxy, model: Model, openai: Client, memory: Memory, http: httpx.Client
) -> None:
    _, secret = memory.tokens.add("phone", owner="ann", may={"remember", "recall"})
    _, blind = memory.tokens.add("blind", owner="ann", may={"remember"})
    for headers in ({}, {"X_Yinji_Token": "yinji_wrong"}):
        with pytest.raises(sdk.AuthenticationError, match="token"):
            openai(proxy, **headers).chat.completions.create(**chat("hi"))
    with pytest.raises(sdk.PermissionDeniedError):
        openai(proxy, X_Yinji_Token=secret, X_Yinji_Owner="bob").chat.completions.create(**chat("hi"))
    assert not model.requests
    openai(proxy, X_Yinji_Token=secret).chat.completions.create(**chat(TELLING["zh"]))
    assert model.requests[-1].headers["authorization"] == "Bearer sk-the-users-own"
    assert not [name for name in model.requests[-1].headers if name.startswith("x-yinji")]
    memory.flush()
    assert [one.content for one in memory.list(owner="ann")]
    assert not memory.list()
    answer = openai(proxy, X_Yinji_Token=blind).chat.completions.with_raw_response.create(**chat("我对什么过敏？"))
    assert answer.headers["x-yinji-memory"] == "denied"
    assert "花生" not in model.prompt()
    assert http.get(f"{proxy.base}/models").status_code == 401


@pytest.mark.req("S4")
def test_with_a_key_of_its_own_the_proxy_takes_the_clients_key_for_a_token(
    proxies: Callable[..., Proxy], model: Model, openai: Client, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEL_KEY", "sk-the-servers")
    proxy = proxies(upstream_key_env="MODEL_KEY")
    _, secret = memory.tokens.add("phone", owner="ann", may={"remember", "recall"})
    with pytest.raises(sdk.AuthenticationError):
        openai(proxy).chat.completions.create(**chat("hi"))
    openai(proxy, key=secret).chat.completions.create(**chat(TELLING["en"]))
    assert model.requests[-1].headers.getlist("authorization") == ["Bearer sk-the-servers"]
    memory.flush()
    assert memory.list(owner="ann")


@pytest.mark.req("S4", "K4")
def test_on_this_machine_a_header_names_the_owner_and_the_session(
    proxy: Proxy, model: Model, openai: Client, memory: Memory
) -> None:
    for owner, text in (("%E5%B0%8F%E7%8E%8B", TELLING["zh"]), ("bob", "I live in Lisbon")):
        client = openai(proxy, X_Yinji_Owner=owner, X_Yinji_Session="%E6%99%A8")
        client.chat.completions.create(**chat(text))
    memory.flush()
    assert [one.sources[0].session for one in memory.list(owner="小王")] == ["晨"]
    openai(proxy, X_Yinji_Owner="bob").chat.completions.create(**chat("What am I allergic to? Where do I live?"))
    assert "Lisbon" in model.prompt()
    assert "花生" not in model.prompt()


@pytest.mark.req("S4")
def test_a_request_may_leave_memory_out(proxy: Proxy, model: Model, openai: Client, memory: Memory) -> None:
    memory.remember(TELLING["en"], wait=True)
    asking = chat("What am I allergic to? I live in Lisbon.")
    for wanted, outcome, known in (("off", "off", 1), ("recall", "used", 1), ("remember", "off", 2)):
        client = openai(proxy, X_Yinji_Memory=wanted)
        answer = client.chat.completions.with_raw_response.create(**asking)
        assert answer.headers["x-yinji-memory"] == outcome
        assert ("peanuts" in model.prompt()) == (outcome == "used")
        assert turns(memory) == known


@pytest.mark.req("S4")
def test_everything_else_passes_both_ways(proxy: Proxy, openai: Client, model: Model, http: httpx.Client) -> None:
    shown = http.get(f"{proxy.base}/models?limit=2&x=%20y").json()
    assert (shown["method"], shown["path"], shown["query"]) == ("GET", "/v1/models", "limit=2&x=%20y")
    assert http.post(f"{proxy.base}/embeddings", json={"input": "x"}).headers["x-model"] == "1"
    big = http.post(f"{proxy.base}/audio/transcriptions", files={"file": b"x" * 3_000_000}).json()
    assert big["size"] > 3_000_000
    assert http.delete(f"{proxy.base}/files/a%2Fb").json()["method"] == "DELETE"
    for body in (b"{", b'{"messages": 3}', b'{"messages":[{"role":"user","content":null}]}', b"\xff", b"[]"):
        answer = http.post(f"{proxy.base}/images/chat/completions", content=body)
        assert model.bodies[-1] == body
        assert answer.status_code in (200, 500)


@pytest.mark.req("S4", "F32")
@pytest.mark.parametrize("path", ["../admin", "%2e%2e/admin", "models/../../admin", "..%5Cadmin"])
def test_no_path_leads_out_of_the_models_address(proxy: Proxy, model: Model, path: str) -> None:
    host, port = proxy.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=30) as line:
        head = f"GET /proxy/v1/{path} HTTP/1.1\r\nhost: {host}:{port}\r\nconnection: close\r\n\r\n"
        line.sendall(head.encode())
        assert line.makefile("rb").readline().split()[1] == b"404"
    assert not model.requests


@pytest.mark.req("S4", "F32")
@pytest.mark.parametrize("address", ["", "ftp://x/v1", "http://", "http://me:secret@host/v1", "file:///etc", "x"])
def test_an_address_that_is_none_is_refused_at_the_start(address: str) -> None:
    with pytest.raises(ConfigError, match=r"serve\.upstream"):
        checked(address)
    with pytest.raises(ConfigError, match="NOT_THERE"):
        Upstream("http://127.0.0.1/v1", key_env="NOT_THERE", timeout_s=1, environment={})


@pytest.mark.req("S4", "F32")
def test_only_the_gates_own_hosts_and_pages_reach_the_model(proxy: Proxy, model: Model, http: httpx.Client) -> None:
    for headers in ({"host": "evil.example"}, {"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}):
        assert http.post(f"{proxy.base}/chat/completions", json=chat("hi"), headers=headers).status_code == 403
    assert not model.requests


@pytest.mark.req("S4", "P3")
@LANGUAGES
def test_a_model_that_cannot_be_reached_or_is_silent_is_told_in_the_callers_language(
    proxies: Callable[..., Proxy], model: Model, openai: Client, lang: str
) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        gone = proxies(upstream=f"http://127.0.0.1:{nobody.getsockname()[1]}/v1")
        with pytest.raises(sdk.InternalServerError) as caught:
            openai(gone, Accept_Language=lang).chat.completions.create(**chat("hi"))
    assert caught.value.status_code == 502
    assert (any("一" <= one <= "鿿" for one in str(caught.value))) == (lang == "zh")
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        mute = proxies(upstream=f"http://127.0.0.1:{silent.getsockname()[1]}/v1", upstream_timeout_s=0.2)
        with pytest.raises(sdk.InternalServerError) as late:
            openai(mute, Accept_Language=lang).chat.completions.create(**chat("hi"))
    assert late.value.status_code == 504
    assert json.loads(late.value.response.text)["error"]["code"] == "upstream_silent"


@pytest.mark.req("S4")
def test_an_answer_in_several_choices_streams_and_one_that_never_ends_is_no_turn(
    proxy: Proxy, model: Model, memory: Memory, http: httpx.Client
) -> None:
    async def two(last: bytes) -> AsyncIterator[bytes]:
        for piece in (chunk({"content": "a"}), chunk({"content": "b"}, at=1), chunk({}, "stop"), last, DONE):
            yield piece

    for last, known in ((b": still thinking\n\n", 0), (chunk({}, "length", at=1), 1)):
        model.answer = lambda _, last=last: StreamingResponse(two(last), media_type="text/event-stream")  # type: ignore[misc]
        answer = http.post(f"{proxy.base}/chat/completions", json=chat(TELLING["zh"], stream=True, n=2))
        assert answer.content.endswith(last + DONE)
        assert turns(memory) == known


@pytest.mark.req("S4")
def test_a_packed_answer_passes_and_is_left_alone(proxy: Proxy, model: Model, memory: Memory, openai: Client) -> None:
    import gzip

    def packed(_: object) -> Response:
        headers = {"content-encoding": "gzip"}
        return Response(gzip.compress(bytes(said("ok").body)), headers=headers, media_type="application/json")

    model.answer = packed
    assert openai(proxy).chat.completions.create(**chat(TELLING["en"])).choices[0].message.content == "ok"
    assert model.requests[-1].headers["accept-encoding"] == "identity"
    assert turns(memory) == 0


def one_request(line: socket.socket) -> bytes:
    """The next request on a connection; empty when there is none any more."""
    read = b""
    while b"\r\n\r\n" not in read:
        if not (more := line.recv(65536)):
            return b""
        read += more
    head, _, body = read.partition(b"\r\n\r\n")
    size = int(re.search(rb"content-length: (\d+)", head.lower())[1])  # type: ignore[index]
    while len(body) < size:
        body += line.recv(65536)
    return body


@pytest.mark.req("S4")
def test_a_connection_that_the_model_closed_meanwhile_costs_no_chat_and_one_that_it_breaks_is_not_asked_twice(
    proxies: Callable[..., Proxy], http: httpx.Client
) -> None:
    answer = said("ok").body
    whole = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s" % (len(answer), answer)
    asked: list[bytes] = []
    script = [[whole, b""], [whole, b""], [b""]]

    def reply(listener: socket.socket) -> None:
        """For each connection what is answered to each of its requests; nothing: it is closed."""
        for replies in script:
            line, _ = listener.accept()
            with line:
                for one in replies:
                    asked.append(one_request(line))
                    line.sendall(one)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        model = threading.Thread(target=reply, args=[listener])
        model.start()
        base = proxies(upstream=f"http://127.0.0.1:{listener.getsockname()[1]}/v1").base
        statuses = [http.post(f"{base}/chat/completions", json=chat(text)).status_code for text in ("1", "2", "3")]
        model.join()
    assert statuses == [200, 200, 502]
    assert [json.loads(one)["messages"][0]["content"] for one in asked] == ["1", "2", "2", "3", "3"]


@pytest.mark.req("S6", "S4", "F51")
@LANGUAGES
def test_the_metrics_tell_how_chats_fared_without_a_word_of_them(
    proxy: Proxy, openai: Client, memory: Memory, http: httpx.Client, lang: str
) -> None:
    client = openai(proxy)
    for _ in range(2):
        client.chat.completions.create(**chat(TELLING[lang]))
    memory.flush()
    client.chat.completions.create(**chat({"en": "What am I allergic to?", "zh": "我对什么过敏？"}[lang]))
    client.chat.completions.create(**chat("x"), extra_headers={"X-Yinji-Memory": "off"})
    page = http.get(f"{proxy.url}/metrics").text
    told = {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in page.splitlines() if line[0] != "#"}
    chats = {how: told.get(f'yinji_proxy_chats_total{{memory="{how}"}}', 0) for how in ("used", "none", "off")}
    assert (chats["used"] >= 1, chats["off"], sum(chats.values())) == (True, 1, 4)
    assert told['yinji_proxy_turns_total{outcome="repeated"}'] == 1
    assert told['yinji_proxy_turns_total{outcome="remembered"}'] == 2
    assert told["yinji_proxy_added_tokens_total"] > 0
    assert told["yinji_proxy_memory_seconds_count"] == 3
    assert not any(word in page for word in ("花生", "peanuts", "allergic", '"me"'))
