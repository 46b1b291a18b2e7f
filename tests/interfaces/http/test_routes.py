"""What each route does, in both languages, and what it says when it cannot."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.conftest import StandingClock
from tests.interfaces.http.conftest import LANGUAGES
from yinji import Memory
from yinji.interfaces.http.app import Server
from yinji.interfaces.operations import GRANTS

Http = Callable[..., httpx.Client]
Case = tuple[str, str, str]
CASES = [("我对花生过敏", "我对什么过敏？", "花生"), ("I'm allergic to peanuts", "What am I allergic to?", "peanuts")]
SAID = pytest.mark.parametrize(("said", "asked", "word"), CASES, ids=["zh", "en"])
CASE = pytest.mark.parametrize("case", CASES, ids=["zh", "en"])


@pytest.mark.req("S1", "W1", "F6")
@CASE
def test_a_turn_is_durable_before_it_is_answered_and_read_after(
    open_memory: Callable[..., Memory], make_server: Callable[..., Server], http: Http, case: Case
) -> None:
    said, asked, word = case
    one = http(make_server(open_memory(reads=False)))
    taken = one.post("/v1/remember", json={"user": said})
    assert taken.status_code == 202
    turn = taken.json()
    assert turn["pending"]
    other = open_memory(reads=False)
    assert other.outcome(turn["turn_id"]).pending, "another process sees it"
    assert one.get(f"/v1/turns/{turn['turn_id']}").json()["pending"]
    assert one.post("/v1/recall", json={"query": asked}).json()["pending"] == 1
    open_memory().flush()
    done = one.get(f"/v1/turns/{turn['turn_id']}").json()
    assert word in done["added"][0]["content"]
    found = one.post("/v1/recall", json={"query": asked})
    assert word in found.json()["hits"][0]["memory"]["content"]
    assert word.encode() in found.content, "text is sent as it is, in UTF-8"


@pytest.mark.req("S1")
def test_waiting_ends_when_the_turn_is_read_or_the_time_is_over(
    open_memory: Callable[..., Memory], make_server: Callable[..., Server], http: Http
) -> None:
    read = http().post("/v1/remember", json={"user": "我住在杭州", "wait": True})
    assert (read.status_code, read.json()["pending"]) == (200, False)
    nobody_reads = http(make_server(open_memory("other.yinji", reads=False), wait_s=0.1))
    answer = nobody_reads.post("/v1/remember", json={"user": "我住在杭州", "wait": True})
    assert (answer.status_code, answer.json()["pending"]) == (202, True)


@pytest.mark.req("S1")
@SAID
def test_several_turns_are_taken_together_or_not_at_all(
    memory: Memory, http: Http, said: str, asked: str, word: str
) -> None:
    turns = [{"user": said, "session": "s", "seq": 1}, {"user": "ok"}]
    made = http().post("/v1/remember_many", json={"turns": turns, "wait": True})
    assert made.status_code == 200
    assert [bool(one["added"]) for one in made.json()["outcomes"]] == [True, False]
    bad = [{"user": "我在学法语"}, {"user": ""}]
    assert http().post("/v1/remember_many", json={"turns": bad}).status_code == 400
    assert memory.stats().turns == 2


@pytest.mark.req("S1", "O5", "O8", "L14")
@SAID
def test_a_memory_is_seen_edited_pinned_hidden_and_brought_back(
    memory: Memory, http: Http, said: str, asked: str, word: str
) -> None:
    one = http()
    kept = one.post("/v1/remember", json={"user": said, "wait": True}).json()["added"][0]
    place = f"/v1/memories/{kept['id']}"
    assert one.get(place).json() == kept
    assert one.get("/v1/memories").json()["memories"] == [kept]
    assert one.get(f"/v1/memories/{kept['id'][-6:]}").json() == kept
    edited = one.patch(place, json={"content": f"{word} 2", "importance": 1}).json()
    assert (edited["content"], edited["importance"]) == (f"{word} 2", 1)
    assert one.post(f"{place}/pin").json()["pinned"]
    assert not one.post(f"{place}/pin", json={"pinned": False}).json()["pinned"]
    assert one.delete(place).json()["hidden"][0]["id"] == kept["id"]
    assert one.get("/v1/memories").json()["memories"] == []
    assert one.get("/v1/memories?hidden=true&kinds=fact&kinds=preference&validity=any&limit=5").status_code == 200
    assert one.post("/v1/undo").json()["action"]
    actions = [entry["action"] for entry in one.get(f"/v1/history?id={kept['id']}&limit=9").json()["entries"]]
    assert {"added", "edited", "pinned", "hidden"} <= set(actions)
    assert one.get("/v1/memories").json()["memories"]
    erased = one.delete(place, params={"hard": "true"}).json()["erasure"]
    assert erased["found"] == 0
    assert one.get(place).status_code == 404


@pytest.mark.req("S1", "R9", "F50", "F51")
@SAID
def test_a_context_keeps_its_budget_and_its_first_part_stays_the_same(
    http: Http, said: str, asked: str, word: str
) -> None:
    one = http()
    for text in (said, "我住在杭州西湖区", "My daughter Nora is five", "我在学法语", "I play the cello on Fridays"):
        one.post("/v1/remember", json={"user": text, "wait": True})
    first, second = (
        one.post("/v1/context", json={"query": query, "budget": 300}).json() for query in (asked, "大提琴 cello")
    )
    assert max(first["tokens"], second["tokens"]) <= 300
    assert word in first["text"]
    lines = zip(first["text"].splitlines(), second["text"].splitlines(), strict=False)
    stable = [one for one, _ in takewhile(lambda both: both[0] == both[1], lines)]
    assert any(word in line for line in stable)
    again = one.post("/v1/context", json={"query": asked, "budget": 300}).json()
    assert again["text"] == first["text"]


@pytest.mark.req("S1", "L8")
@pytest.mark.parametrize(
    ("said", "asks"),
    [
        (("我的血型是A型", "我的血型是O型"), "以哪个为准"),
        (("My blood type is A", "My blood type is O"), "Which is right?"),
    ],
)
def test_what_cannot_be_told_is_asked_and_answered(http: Http, said: tuple[str, str], asks: str) -> None:
    one = http()
    for text in said:
        one.post("/v1/remember", json={"user": text, "wait": True})
    (question,) = one.get("/v1/questions").json()["questions"]
    assert asks in question["text"]
    assert one.post(f"/v1/questions/{question['id']}", json={}).status_code == 400
    assert one.post("/v1/questions/999", json={"choice": "new"}).status_code == 404
    assert one.post("/v1/questions/x", json={"choice": "new"}).status_code == 400
    assert one.post(f"/v1/questions/{question['id']}", json={"choice": "new"}).json()["answer"] == "new"
    assert one.get("/v1/questions").json()["questions"] == []
    assert len(one.get("/v1/questions?answered=true").json()["questions"]) == 1


@pytest.mark.req("S1", "O11")
@SAID
def test_what_an_answer_was_built_on_is_named_and_counts_when_it_is_told(
    memory: Memory, http: Http, said: str, asked: str, word: str
) -> None:
    one = http()
    one.post("/v1/remember", json={"user": said, "wait": True})
    hits = one.post("/v1/recall", json={"query": asked}).json()["hits"]
    used = [hit["memory"]["id"] for hit in hits]
    assert one.post("/v1/feedback", json={"used": used}).json() == {"used": 1}
    assert memory.get(used[0]).recalls == 1
    assert one.patch(f"/v1/memories/{used[0]}", json={"content": word}).status_code == 200
    assert one.delete(f"/v1/memories/{used[0]}").status_code == 200


@pytest.mark.req("S1", "O9")
@CASE
def test_an_export_is_taken_in_again_as_json_lines_or_as_json(
    open_memory: Callable[..., Memory], make_server: Callable[..., Server], http: Http, case: Case
) -> None:
    said, asked, word = case
    one = http()
    one.post("/v1/remember", json={"user": said, "wait": True})
    exported = one.get("/v1/export")
    assert exported.headers["content-type"] == "application/x-ndjson"
    other = http(make_server(open_memory("other.yinji")))
    lines = {"content-type": "application/x-ndjson"}
    dry = other.post("/v1/import?dry_run=true", content=exported.content, headers=lines).json()
    assert (dry["new"], dry["dry_run"]) == (1, True)
    assert other.post("/v1/import", content=exported.content, headers=lines).json()["new"] == 1
    records = [json.loads(line) for line in exported.text.splitlines()]
    assert other.post("/v1/import", json={"memories": records}).json()["unchanged"] == 1
    assert word in other.post("/v1/recall", json={"query": asked}).json()["hits"][0]["memory"]["content"]
    bad = other.post("/v1/import", json={"memories": [{"text": "x"}, {"content": "我在学法语"}]}).json()
    assert (bad["new"], bad["errors"][0][0]) == (1, 1)


@pytest.mark.req("F40", "S1", "W13")
@SAID
def test_a_request_that_comes_again_gets_the_same_answer_and_does_nothing_more(
    memory: Memory, http: Http, said: str, asked: str, word: str
) -> None:
    one, key = http(), {"idempotency-key": "1f0c"}
    first = one.post("/v1/remember", json={"user": said, "wait": True}, headers=key)
    answers = [one.post("/v1/remember", json={"user": said, "wait": True}, headers=key) for _ in range(115)]
    assert {answer.content for answer in answers} == {first.content}
    assert {answer.headers["idempotency-replayed"] for answer in answers} == {"true"}
    assert "idempotency-replayed" not in first.headers
    other = one.post("/v1/remember", json={"user": asked}, headers=key)
    assert (other.status_code, other.json()["code"]) == (422, "key_reused")
    assert memory.stats().turns == 1
    undone = [one.post("/v1/undo", headers={"idempotency-key": "u"}).json()["id"] for _ in range(3)]
    assert len(set(undone)) == 1
    assert one.post("/v1/undo", headers={"idempotency-key": ""}).status_code == 400


@pytest.mark.req("F40", "W13", "S1")
def test_a_remember_that_comes_again_after_a_restart_is_still_one_turn(
    memory: Memory, clock: StandingClock, make_server: Callable[..., Server], http: Http
) -> None:
    key, turns = {"idempotency-key": "1f0c"}, {"turns": [{"user": "我住在杭州"}, {"user": "I like tea"}]}
    first = http().post("/v1/remember", json={"user": "我对花生过敏"}, headers=key).json()
    many = http().post("/v1/remember_many", json=turns, headers={"idempotency-key": "2"}).json()
    restarted = http(make_server())
    again = restarted.post("/v1/remember", json={"user": "我对花生过敏"}, headers=key)
    assert (again.json(), again.headers["idempotency-replayed"]) == (first, "true")
    other = restarted.post("/v1/remember", json={"user": "我在学法语"}, headers=key)
    assert other.status_code == 422
    assert restarted.post("/v1/remember_many", json=turns, headers={"idempotency-key": "2"}).json() == many
    assert memory.stats().turns == 3
    clock.move(hours=25)
    late = restarted.post("/v1/remember", json={"user": "我对花生过敏"}, headers=key).json()
    assert (late["turn_id"], late["repeated"]) == (first["turn_id"], True)
    assert memory.stats().turns == 3


@pytest.mark.req("F40", "W13", "S1")
def test_what_cannot_be_done_twice_is_answered_as_before_after_a_restart(
    memory: Memory, make_server: Callable[..., Server], http: Http
) -> None:
    ids = [memory.remember(text, wait=True).added[0].id for text in ("我对花生过敏", "I live in Lisbon", "我在学法语")]
    asked: list[tuple[str, dict[str, Any]]] = [
        (f"/v1/memories/{ids[0]}/pin", {}),
        ("/v1/feedback", {"used": [ids[0]]}),
        ("/v1/import", {"memories": [{"content": "用户养了一只猫"}, {"content": 3}]}),
        ("/v1/undo", {}),
        ("/v1/forget", {"ids": [ids[1]]}),
        ("/v1/forget", {"ids": [ids[2]], "hard": True}),
    ]
    for number, (path, body) in enumerate(asked):
        key = {"idempotency-key": f"k{number}"}
        first, again = (http(make_server()).post(path, json=body, headers=key) for _ in range(2))
        assert (first.status_code, again.status_code) == (200, 200), path
        assert (first.content, again.headers["idempotency-replayed"]) == (again.content, "true"), path
        other = http(make_server()).post(path, json={**body, "x": 1}, headers=key)
        assert (other.status_code, other.json()["code"]) == (422, "key_reused"), path
    assert memory.get(ids[0]).recalls == 1


@pytest.mark.req("F40", "S1", "O7", "O8", "R11")
@pytest.mark.parametrize("how", ["hidden", "erased", "undone", "by another program"])
def test_kept_answers_are_few_each_tokens_own_and_gone_with_what_was_forgotten(
    memory: Memory, open_memory: Callable[..., Memory], make_server: Callable[..., Server], http: Http, how: str
) -> None:
    secrets = [memory.tokens.add(name, owner="ann", may=GRANTS)[1] for name in ("a", "b")]
    server = make_server(replays=2)
    bodies = [{"user": "我对花生过敏", "wait": True}, {"user": "我住在杭州", "wait": True}]
    for secret, body in zip(secrets, bodies, strict=True):
        answer = http(server, token=secret).post("/v1/remember", json=body, headers={"idempotency-key": "k"})
        assert (answer.status_code, "idempotency-replayed" in answer.headers) == (200, False)

    def again(key: str) -> bool:
        """Whether the answer is still there."""
        headers = {"idempotency-key": key}
        answer = http(server, token=secrets[0]).post("/v1/remember", json=bodies[0], headers=headers)
        return "idempotency-replayed" in answer.headers

    assert [again(key) for key in ("1", "2", "3", "3", "2", "1")] == [False, False, False, True, True, False]
    kept = next(one.id for one in memory.list(owner="ann") if "花生" in one.content)
    one = http(server, token=secrets[1])
    match how:
        case "by another program":
            open_memory().forget(kept, owner="ann", hard=True)
        case "undone":
            added = [line.id for line in memory.history(kept, owner="ann") if line.action == "added"]
            assert one.post("/v1/undo", json={"entry": added[0]}).status_code == 200
        case _:
            assert one.post("/v1/forget", json={"ids": [kept], "hard": how == "erased"}).status_code == 200
    assert not again("1")
    memory.close()
    if how in ("erased", "by another program"):
        assert all("用户对花生过敏".encode() not in path.read_bytes() for path in Path(memory.path).parent.iterdir())


@pytest.mark.req("S2")
@LANGUAGES
def test_a_full_queue_answers_429_and_the_recalls_go_on(
    open_memory: Callable[..., Memory], make_server: Callable[..., Server], http: Http, lang: str
) -> None:
    one = http(make_server(open_memory(reads=False), queue_limit=2, retry_after_s=7), lang=lang)
    for text in ("我住在杭州", "I like tea"):
        assert one.post("/v1/remember", json={"user": text}).status_code == 202
    full = one.post("/v1/remember", json={"user": "我在学法语"})
    assert (full.status_code, full.json()["code"], full.headers["retry-after"]) == (429, "queue_full", "7")
    assert ("收下" in full.json()["message"]) == (lang == "zh")
    assert one.post("/v1/recall", json={"query": "茶"}).status_code == 200
    assert one.get("/readyz").json()["queue_depth"] == 2
    assert "yinji_queue_alarm 1" in one.get("/metrics").text
    open_memory().flush()
    assert one.post("/v1/remember", json={"user": "我在学法语"}).status_code == 202


@pytest.mark.req("S1")
def test_a_token_that_asks_too_often_waits_and_others_do_not(
    memory: Memory, make_server: Callable[..., Server], http: Http
) -> None:
    secrets = [memory.tokens.add(name, owner=name, may=["list"])[1] for name in ("ann", "bo")]
    server = make_server(rate=0.01, burst=3)
    ann, bo = (http(server, token=secret) for secret in secrets)
    assert [ann.get("/v1/stats").status_code for _ in range(4)] == [200, 200, 200, 429]
    refused = ann.get("/v1/stats")
    assert refused.json()["code"] == "rate_limited"
    assert 1 <= int(refused.headers["retry-after"]) <= 100
    assert bo.get("/v1/stats").status_code == 200


@pytest.mark.req("S1", "P3")
@LANGUAGES
def test_a_path_or_method_that_is_not_there_suggests_the_nearest(http: Http, lang: str) -> None:
    one = http(lang=lang)
    lost = one.get("/v1/memoires")
    assert (lost.status_code, lost.json()["code"]) == (404, "not_found")
    assert "/v1/memories" in lost.json()["hint"]
    wrong = one.put("/v1/recall")
    assert (wrong.status_code, wrong.json()["code"], wrong.headers["allow"]) == (405, "wrong_method", "POST")
    assert any("一" <= char <= "鿿" for char in wrong.json()["message"]) == (lang == "zh")


@pytest.mark.req("S1", "P3")
@LANGUAGES
def test_a_path_is_suggested_only_where_one_is_near_in_what_tells_them_apart(http: Http, lang: str) -> None:
    one = http(lang=lang)
    for far in ("/v1/nothing", "/v1/users", "/v1/search", "/v1/delete", "/v1/", "/v1/add", "/nothing"):
        lost = one.get(far)
        assert (lost.status_code, lost.json()["hint"]) == (404, ""), far
    for near in ("/v1/recal", "/recall", "/v2/recall"):
        assert "'/v1/recall'" in one.get(near).json()["hint"], near


@pytest.mark.req("S1")
@pytest.mark.parametrize(
    ("header", "chinese"),
    [("zh-CN,zh;q=0.9,en;q=0.8", True), ("en-GB,zh;q=0.5", False), ("de", False), ("", False), ("zh;q=x", False)],
)
def test_the_language_is_the_one_the_caller_ranks_first(http: Http, header: str, chinese: bool) -> None:
    answer = http().get("/v1/nowhere", headers={"accept-language": header})
    assert ("没有" in answer.json()["message"]) == chinese
    assert ("长期记忆" in http().get("/", headers={"accept-language": header}).text) == chinese


@pytest.mark.req("S1")
def test_a_bug_is_answered_without_its_words_and_logged_by_its_place(
    memory: Memory, http: Http, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("我对花生过敏")

    monkeypatch.setattr(memory, "stats", broken)
    with caplog.at_level("INFO", logger="yinji"):
        answer = http().get("/v1/stats")
    assert (answer.status_code, answer.json()["code"]) == (500, "unexpected")
    assert "花生" not in answer.text
    told = [record.told for record in caplog.records if record.getMessage() == "unexpected"]  # type: ignore[attr-defined]
    assert told[0]["error"] == "RuntimeError"
    assert "test_routes.py" in told[0]["at"][-1]
    assert "花生" not in caplog.text
