"""What is counted, told in the form that Prometheus reads, and what the log says: never a word of what was said."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable, Iterator

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from yinji import Memory, Settings
from yinji.interfaces.http import idle
from yinji.interfaces.http.app import Server
from yinji.interfaces.http.logs import log_to
from yinji.interfaces.http.metrics import HELP
from yinji.interfaces.http.run import Address, server_of
from yinji.interfaces.service import Service
from yinji.recall.budget import estimate_tokens

Http = Callable[..., httpx.Client]
SAID = ("我对花生过敏", "I live in Lisbon", "好的，谢谢你", "ok, thanks!")


def samples(text: str) -> dict[str, float]:
    """Name with its labels → value, as a client of Prometheus reads it."""
    return {
        one.name + "".join(f" {key}={value}" for key, value in sorted(one.labels.items())): one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
    }


@pytest.mark.req("S6", "S2")
def test_the_metrics_page_counts_what_happened(http: Http) -> None:
    one = http()
    for text in SAID:
        one.post("/v1/remember", json={"user": text, "wait": True})
    found = one.post("/v1/recall", json={"query": "我对什么过敏？"}).json()["hits"]
    one.post("/v1/context", json={"query": "Where do I live?"})
    one.post("/v1/feedback", json={"used": [found[0]["memory"]["id"]]})
    one.patch(f"/v1/memories/{found[0]['memory']['id']}", json={"content": "用户对花生过敏"})
    one.get("/v1/nowhere")
    page = one.get("/metrics")
    assert page.headers["content-type"].startswith("text/plain; version=0.0.4")
    told = samples(page.text)
    assert told["yinji_turns_accepted_total"] == 4
    assert told["yinji_memories validity=current"] == 2
    assert sum(value for name, value in told.items() if name.startswith("yinji_drops ")) >= 2
    assert 0 < told["yinji_gate_keep_ratio"] < 1
    assert told["yinji_recalls_total"] == told["yinji_recalls_hit_total"] == 2
    assert told["yinji_used_memories_total"] == 1
    assert told["yinji_corrected_memories_total"] == 1
    assert told["yinji_recall_stage_seconds_count stage=search"] == 1
    assert told["yinji_operations_total operation=remember outcome=ok"] == 4
    assert told["yinji_http_requests_total route=POST /v1/remember status=200"] == 4
    assert told["yinji_http_requests_total route=other status=404"] == 1
    assert told["yinji_http_request_seconds_bucket le=+Inf route=POST /v1/recall"] == 1
    assert (told["yinji_queue_depth"], told["yinji_queue_limit"], told["yinji_queue_alarm"]) == (0, 2000, 0)
    assert not any(word in page.text for word in ("花生", "Lisbon", '"me"'))
    families = {family.name for family in text_string_to_metric_families(page.text)}
    assert families <= {name.removesuffix("_total") for name in HELP}


@pytest.mark.req("S6", "F51")
def test_tokens_saved_corrections_and_calls_of_a_model_are_told(
    memory: Memory, hashing: Settings, make_server: Callable[..., Server], http: Http
) -> None:
    server = make_server()
    server.metrics = server_of(
        memory,
        address=Address(port=0),
        settings=hashing.with_values("llm", {"price_per_call": 0.5}),
        owner="me",
        language="en",
    ).metrics
    server.service = Service(memory, queue_limit=100, retry_after_s=1, observe=server.metrics.observe)
    one = http(server)
    told = samples(one.get("/metrics").text)
    assert (told["yinji_llm_calls"], "yinji_correction_ratio" in told, "yinji_llm_cost" in told) == (0, False, False)
    memory.import_([{"content": f"The user keeps box {number} in the cellar"} for number in range(40)])
    for text in ("我住在杭州西湖区", "我上周搬家了，现在住在成都"):
        memory.remember(text, wait=True)
    assert memory._store.count_call("me", at=memory.list()[0].recorded_at, most=10)
    found = one.post("/v1/context", json={"query": "我现在住在哪个城市？", "budget": 200}).json()
    server.metrics._kept = None  # The counts of what is kept are half a minute old otherwise.
    text = one.get("/metrics").text
    told = samples(text)
    everything = sum(estimate_tokens(one.content) for one in memory.list())
    assert told["yinji_tokens_saved_total"] == pytest.approx(everything - found["tokens"], abs=1)
    assert told["yinji_tokens_saved_total"] > 100
    assert told["yinji_correction_ratio"] == pytest.approx(1 / 43)
    assert (told["yinji_llm_calls"], told["yinji_llm_cost"]) == (1, 0.5)
    assert samples(one.get("/metrics").text)["yinji_tokens_saved_total"] == told["yinji_tokens_saved_total"]
    assert not any(word in text for word in ("杭州", "cellar", '"me"'))


@pytest.mark.req("S6")
def test_what_was_refused_is_counted_by_its_code(http: Http) -> None:
    one = http()
    one.post("/v1/recall", json={})
    one.get("/v1/memories/abcdefgh")
    told = samples(one.get("/metrics").text)
    assert told["yinji_operations_total operation=recall outcome=invalid_input"] == 1
    assert told["yinji_operations_total operation=get outcome=not_found"] == 1


@pytest.fixture
def lines() -> Iterator[Callable[[], list[dict[str, object]]]]:
    """What the server's log wrote so far, line by line."""
    stream = io.StringIO()
    loggers = [logging.getLogger(name) for name in ("yinji", "uvicorn.error")]
    before = [(one.handlers[:], one.propagate, one.level) for one in loggers]
    log_to(stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    for one, (handlers, propagate, level) in zip(loggers, before, strict=True):
        one.handlers[:], one.propagate = handlers, propagate
        one.setLevel(level)


@pytest.mark.req("S6", "F34")
def test_the_log_is_json_lines_without_a_word_that_was_said(
    memory: Memory, http: Http, lines: Callable[[], list[dict[str, object]]]
) -> None:
    _, secret = memory.tokens.add("phone", owner="ann", may=["remember", "recall"])
    one = http(token=secret)
    for text in SAID:
        one.post("/v1/remember", json={"user": text}, headers={"idempotency-key": text.encode().hex()})
    one.post("/v1/recall", json={"query": "花生 peanuts"})
    one.get("/v1/memories/花生?kinds=Lisbon")
    written = [line for line in lines() if line["event"] == "request"]
    assert len(written) == 6
    assert set(written[0]) == {"at", "level", "event", "route", "status", "ms", "token"}
    assert (written[0]["route"], written[0]["status"], written[0]["token"]) == ("POST /v1/remember", 202, "phone")
    assert written[-1]["route"] == "GET /v1/memories/{id}"
    everything = json.dumps(lines(), ensure_ascii=False)
    assert not any(word in everything for word in ("花生", "Lisbon", "peanuts", "ann", secret))


@pytest.mark.req("S2", "S6")
def test_a_queue_near_its_limit_raises_the_alarm_once_and_says_when_it_is_over(
    open_memory: Callable[..., Memory],
    make_server: Callable[..., Server],
    portal: object,
    lines: Callable[[], list[dict[str, object]]],
) -> None:
    import anyio

    memory = open_memory(reads=False)
    server = make_server(memory, queue_limit=2)
    for text in SAID[:2]:
        memory.remember(text)

    async def look() -> None:
        assert await idle._tell_alarm(server, False)
        assert await idle._tell_alarm(server, True)
        reader = open_memory()
        await anyio.to_thread.run_sync(reader.flush)
        assert not await idle._tell_alarm(server, True)

    anyio.run(look)
    assert [line["event"] for line in lines()] == ["queue nearly full", "queue has room again"]


@pytest.mark.req("S2")
def test_upkeep_runs_in_a_pause_and_one_job_that_fails_stops_no_other(
    make_server: Callable[..., Server], lines: Callable[[], list[dict[str, object]]]
) -> None:
    import anyio

    from yinji.errors import StoreBusy

    done: list[str] = []

    def failing(memory: Memory) -> None:
        raise StoreBusy(path=memory.path, seconds=1)

    def counting(memory: Memory) -> None:
        done.append(memory.path)

    server = make_server()
    anyio.run(idle.run_jobs, server, (failing, counting, idle.upkeep))
    assert done == [server.service.memory.path]
    assert [line["event"] for line in lines()] == ["upkeep stopped"]
