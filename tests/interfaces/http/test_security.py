"""Who gets in and who does not: hosts, pages, tokens, other owners, and bodies that are none."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta

import httpx
import pytest

from tests.conftest import StandingClock
from tests.interfaces.http.conftest import LANGUAGES
from yinji import Memory
from yinji.errors import InvalidInput
from yinji.interfaces.http.app import Server
from yinji.interfaces.http.gate import is_loopback
from yinji.interfaces.http.pages import PAGES
from yinji.interfaces.http.run import Address, listening, refuse_open_house
from yinji.interfaces.http.table import ROUTES
from yinji.interfaces.operations import GRANTS

Http = Callable[..., httpx.Client]
PLACES = [(one.method, one.path.format(**dict.fromkeys(one.blanks, "abcdef"))) for one in ROUTES]
PLACES += [("GET", path) for path in PAGES]


@pytest.mark.req("S1", "F32")
@pytest.mark.parametrize(("method", "path"), PLACES)
def test_every_route_refuses_a_foreign_host_and_a_foreign_page(http: Http, method: str, path: str) -> None:
    one = http()
    for headers, code in (
        ({"host": "evil.example"}, "foreign_host"),
        ({"host": "evil.example:8765"}, "foreign_host"),
        ({"host": "127.0.0.1.evil.example"}, "foreign_host"),
        ({"host": "192.168.1.7:8765"}, "foreign_host"),
        ({"host": "[::1].evil.example"}, "foreign_host"),
        ({"origin": "https://evil.example"}, "foreign_origin"),
        ({"origin": "null"}, "foreign_origin"),
        ({"origin": "http://127.0.0.1:3000"}, "foreign_origin"),
        ({"sec-fetch-site": "cross-site"}, "foreign_origin"),
        ({"sec-fetch-site": "same-site"}, "foreign_origin"),
    ):
        answer = one.request(method, path, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, code), headers


@pytest.mark.req("S1", "F32")
@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "LOCALHOST", "[::1]:8765", "[::1]"])
def test_this_machines_own_names_are_answered(http: Http, host: str) -> None:
    assert http().get("/v1/stats", headers={"host": host}).status_code == 200
    assert http().get("/v1/stats", headers={"host": host, "origin": f"http://{host}"}).status_code == 200


@pytest.mark.req("S1", "F32")
def test_names_and_pages_that_were_made_known_are_answered(make_server: Callable[..., Server], http: Http) -> None:
    page = "http://localhost:3000"
    address = Address(port=0, names=frozenset({"memory.example"}), origins=frozenset({page}))
    one = http(make_server(address=address))
    assert one.get("/v1/stats", headers={"host": "memory.example"}).status_code == 200
    asked = {"origin": page, "sec-fetch-site": "same-site"}
    answer = one.get("/v1/stats", headers=asked)
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, page)
    before = {**asked, "access-control-request-method": "POST", "access-control-request-headers": "authorization"}
    assert one.options("/v1/recall", headers=before).status_code == 200
    assert one.get("/v1/stats", headers={"origin": "http://localhost:3001"}).status_code == 403


@pytest.mark.req("S1", "F32")
def test_a_server_on_all_interfaces_is_called_by_address_but_by_no_unknown_name(
    memory: Memory, make_server: Callable[..., Server], http: Http
) -> None:
    address = Address(host="0.0.0.0", port=0)
    with pytest.raises(InvalidInput, match="yinji token add"):
        refuse_open_house(memory, "0.0.0.0")
    _, secret = memory.tokens.add("phone", owner="ann", may=GRANTS)
    refuse_open_house(memory, "0.0.0.0")
    one = http(make_server(address=address), token=secret)
    assert one.get("/v1/stats", headers={"host": "192.168.1.7:8765"}).status_code == 200
    assert one.get("/v1/stats", headers={"host": "evil.example"}).status_code == 403
    assert http(make_server(address=address)).get("/v1/stats").status_code == 401
    memory.tokens.revoke("phone")
    with pytest.raises(InvalidInput):
        refuse_open_house(memory, "::")
    assert [is_loopback(one) for one in ("127.0.0.1", "127.1.2.3", "::1", "localhost", "10.0.0.1", "name", "")] == [
        *[True] * 4,
        *[False] * 3,
    ]


@pytest.mark.req("S1", "O3", "F32")
@LANGUAGES
def test_once_there_is_a_token_nothing_is_answered_without_one(memory: Memory, http: Http, lang: str) -> None:
    server_was_open = http().get("/v1/stats")
    assert server_was_open.status_code == 200
    _, secret = memory.tokens.add("phone", owner="ann", may=GRANTS)
    for method, path in PLACES:
        if path in ("/", "/healthz", "/readyz", "/openapi.json"):
            continue
        for authorization, code in (
            ("", "no_token"),
            (secret, "no_token"),
            ("Basic " + secret, "no_token"),
            ("Bearer ", "wrong_token"),
            ("Bearer " + secret[:-1], "wrong_token"),
            ("Bearer yinji_" + "\x7f" * 43, "wrong_token"),
        ):
            answer = http(lang=lang).request(method, path, headers={"authorization": authorization})
            assert (answer.status_code, answer.json()["code"]) == (401, code), (path, authorization)
            assert answer.headers["www-authenticate"] == "Bearer"
            assert secret not in answer.text
            assert any("一" <= char <= "鿿" for char in answer.json()["message"]) == (lang == "zh")
    assert http(token=secret).get("/v1/stats").json()["owner"] == "ann"
    memory.tokens.revoke("phone")
    assert http(token=secret).get("/v1/stats").status_code == 401
    assert http().get("/v1/stats").status_code == 401, "revoking the last token does not open the door"


@pytest.mark.req("O3", "S1", "F32")
@LANGUAGES
def test_a_token_whose_time_is_over_opens_nothing_and_leaves_the_door_shut(
    memory: Memory, clock: StandingClock, http: Http, lang: str
) -> None:
    with pytest.raises(InvalidInput, match="over already"):
        memory.tokens.add("late", owner="ann", may=GRANTS, until=clock.now)
    _, secret = memory.tokens.add("phone", owner="ann", may=GRANTS, until=clock.now + timedelta(days=30))
    one = http(token=secret, lang=lang)
    assert one.get("/v1/stats").status_code == 200
    clock.move(days=30)
    refused = one.get("/v1/stats")
    assert (refused.status_code, refused.json()["code"]) == (401, "wrong_token")
    assert http().get("/v1/stats").status_code == 401


@pytest.mark.req("O3", "S1")
def test_a_token_does_what_it_may_and_nothing_else(memory: Memory, http: Http) -> None:
    _, secret = memory.tokens.add("phone", owner="ann", may=["recall"])
    one = http(token=secret)
    assert one.post("/v1/recall", json={"query": "哪里"}).status_code == 200
    refused = one.post("/v1/remember", json={"user": "我住在杭州"})
    assert (refused.status_code, refused.json()["code"]) == (403, "not_allowed")
    assert "'remember'" in refused.json()["message"]
    assert one.get("/metrics").status_code == 403
    assert memory.stats(owner="ann").turns == 0


@pytest.mark.req("F30", "K4", "S1", "F31")
def test_one_owners_token_reaches_nothing_of_anothers(memory: Memory, http: Http) -> None:
    kept = memory.remember("我对花生过敏", owner="ann", wait=True)
    entry = memory.history(owner="ann")[0].id
    _, secret = memory.tokens.add("bo's", owner="bo", may=GRANTS)
    one, id = http(token=secret), kept.added[0].id
    for method, path, body in (
        ("GET", f"/v1/memories/{id}", None),
        ("PATCH", f"/v1/memories/{id}", {"content": "x"}),
        ("DELETE", f"/v1/memories/{id}", None),
        ("POST", f"/v1/memories/{id}/pin", {}),
        ("GET", f"/v1/history?id={id}", None),
        ("POST", "/v1/forget", {"ids": [id], "hard": True}),
        ("POST", "/v1/feedback", {"used": [id]}),
        ("POST", "/v1/why", {"query": "花生", "id": id}),
        ("POST", "/v1/why", {"query": "花生", "id": kept.turn_id}),
        ("POST", "/v1/undo", {"entry": entry}),
        ("GET", f"/v1/turns/{kept.turn_id}", None),
    ):
        assert one.request(method, path, json=body).status_code == 404, path
    assert one.post("/v1/recall", json={"query": "花生"}).json()["hits"] == []
    assert one.post("/v1/context", json={"query": "花生"}).json()["text"].find("花生") < 0
    assert "花生" not in one.get("/v1/export").text
    assert one.post("/v1/erase", json={"owner": "ann"}).status_code == 403
    assert one.post("/v1/erase", json={}).status_code == 400
    assert one.delete("/v1/memories").status_code == 405, "an empty filter deletes nothing"
    assert one.post("/v1/forget", json={"ids": []}).status_code == 400
    assert one.post("/v1/remember", json={"user": "x", "owner": "ann"}).status_code == 400
    assert memory.get(id, owner="ann") == kept.added[0]


@pytest.mark.req("F31", "O7", "S1")
def test_erase_takes_the_tokens_owner_and_no_other(memory: Memory, http: Http) -> None:
    memory.remember("我对花生过敏", owner="ann", wait=True)
    memory.remember("I'm allergic to peanuts", owner="bo", wait=True)
    _, secret = memory.tokens.add("bo's", owner="bo", may=GRANTS)
    receipt = http(token=secret).post("/v1/erase", json={"owner": "bo"}).json()
    assert (receipt["memories"], receipt["found"]) == (1, 0)
    assert memory.owners() == ["ann"]
    assert http(token=secret).get("/v1/stats").status_code == 401, "the owner's tokens went with the owner"


BAD_BODIES: list[tuple[bytes, str, int, str]] = [
    (b"{", "application/json", 400, "not_json"),
    (b'{"user": "\xff"}', "application/json", 400, "not_json"),
    (b'{"user": NaN}', "application/json", 400, "not_json"),
    (b'{"seq": ' + b"9" * 5000 + b"}", "application/json", 400, "not_json"),
    (b"[" * 100_000, "application/json", 400, "not_json"),
    (b"[]", "application/json", 400, "not_json"),
    (b'"text"', "application/json", 400, "not_json"),
    (b"null", "application/json", 400, "not_json"),
    (b"user=x", "application/x-www-form-urlencoded", 415, "not_a_media_type"),
    (b'{"user": "x"}', "text/plain", 415, "not_a_media_type"),
    (b'{"user": "x"}', "", 415, "not_a_media_type"),
    (b"", "application/json", 400, "invalid_input"),
    (b'{"user": ""}', "application/json", 400, "invalid_input"),
    (b'{"user": " "}', "application/json", 400, "invalid_input"),
    (b'{"user": 3}', "application/json", 400, "invalid_input"),
    (b'{"user": "x", "seq": 1e400}', "application/json", 400, "invalid_input"),
    (b'{"user": "x", "at": "yesterday"}', "application/json", 400, "invalid_time"),
    (b'{"user": "x", "session": "\\u0000"}', "application/json", 400, "invalid_input"),
    (b'{"user": "x", "wait": "yes"}', "application/json", 400, "invalid_input"),
]


@pytest.mark.req("S1", "P3")
@pytest.mark.parametrize("bad", BAD_BODIES, ids=lambda bad: repr(bad[0][:30]))
@LANGUAGES
def test_a_body_that_is_no_use_is_told_and_changes_nothing(
    memory: Memory, http: Http, bad: tuple[bytes, str, int, str], lang: str
) -> None:
    body, kind, status, code = bad
    headers = {"content-type": kind} if kind else {}
    answer = http(lang=lang).post("/v1/remember", content=body, headers=headers)
    told = answer.json()
    assert (answer.status_code, told["code"]) == (status, code)
    assert set(told) == {"code", "message", "hint"}
    assert any("一" <= char <= "鿿" for char in told["message"]) == (lang == "zh")
    assert memory.stats().turns == 0


@pytest.mark.req("S1")
def test_a_body_over_the_limit_is_refused_whether_it_says_so_or_not(
    memory: Memory, make_server: Callable[..., Server], http: Http
) -> None:
    one = http(make_server(body_mb=0.01))
    body = json.dumps({"user": "长" * 20_000}, ensure_ascii=False).encode()
    headers = {"content-type": "application/json"}
    for sent in (body, iter([body[:9_000], body[9_000:]])):
        answer = one.post("/v1/remember", content=sent, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert (
        one.post("/v1/remember", content=body[:100], headers={**headers, "content-length": "9999999"}).status_code
        == 413
    )
    assert memory.stats().turns == 0


@pytest.mark.req("S1")
def test_answers_are_kept_by_nobody_and_guessed_at_by_nobody(http: Http) -> None:
    for path in ("/", "/v1/stats", "/nowhere"):
        headers = http().get(path).headers
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"
    policy = http().get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy


@pytest.mark.req("S1", "P3")
def test_an_address_that_cannot_be_listened_on_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    import errno
    import socket

    class Taken:
        def __init__(self, *_: object) -> None: ...
        def setsockopt(self, *_: int) -> None: ...
        def close(self) -> None: ...
        def bind(self, _: object) -> None:
            raise OSError(errno.EADDRINUSE, "Address already in use")

    monkeypatch.setattr(socket, "socket", Taken)
    with pytest.raises(InvalidInput, match="another program listens there"):
        listening(Address(port=8765))
