"""`yinji serve --upstream` as a program, and what it stands on."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.interfaces.conftest import LANGUAGES, Yinji
from tests.interfaces.model import Model
from yinji import Memory
from yinji.interfaces.http.run import Address, listening
from yinji.recall.budget import halves

pytestmark = pytest.mark.enable_socket
SAID = {"en": ("I'm allergic to peanuts", "peanuts"), "zh": ("我对花生过敏", "花生")}


@pytest.mark.req("S4", "P2", "F6")
@LANGUAGES
def test_serve_puts_itself_before_a_model_and_tells_where(environment: dict[str, str], model: Model, lang: str) -> None:
    command = [sys.executable, "-m", "yinji", "serve", "--port", "0", "--json", "--upstream", model.url]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", env=environment
    )
    assert process.stdout is not None
    told, word = json.loads(process.stdout.readline()), SAID[lang][1]
    try:
        assert told["proxy"] == f"{told['url']}/proxy/v1"
        with httpx.Client(trust_env=False, timeout=60) as http:
            for text in SAID[lang]:
                body = {"model": "m", "messages": [{"role": "user", "content": text}]}
                answer = http.post(f"{told['proxy']}/chat/completions", json=body)
                assert answer.json()["choices"][0]["message"]["content"] == "ok"
            http.post(f"{told['url']}/v1/remember", json={"user": "ok", "wait": True})
            kept = http.get(f"{told['url']}/v1/memories").json()["memories"]
    finally:
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert word not in err
    assert {json.loads(line)["event"] for line in err.splitlines()} == {"request"}
    assert any(word in one["content"] for one in kept)
    assert {one["sources"][0]["app"] for one in kept} == {"proxy"}


@pytest.mark.req("S4", "P3")
def test_an_address_that_is_none_is_told_at_the_start(yinji: Yinji) -> None:
    told = yinji("serve", "--port", "0", "--upstream", "model.example", "--lang", "zh")
    assert told.code != 0
    assert "serve.upstream" in told.err


@pytest.mark.req("S4")
def test_small_pieces_of_an_answer_are_not_held_back() -> None:
    with listening(Address(port=0)) as bound:
        assert bound.proto == socket.IPPROTO_TCP


@pytest.mark.req("R9", "F50", "O11")
@LANGUAGES
def test_the_halves_of_a_context_are_the_whole_and_the_first_stays(
    open_memory: Callable[..., Memory], tmp_path: Path, lang: str
) -> None:
    told = {
        "en": (
            "I'm allergic to peanuts",
            "My sister Nora plays the cello",
            "What does Nora play?",
            "What is Nora's job?",
        ),
        "zh": ("我对花生过敏", "我妹妹小雨在拉大提琴", "小雨拉什么琴？", "小雨是谁？"),
    }[lang]
    memory = open_memory()
    for text in told[:2]:
        memory.remember(text, wait=True)
    first, second = (memory.context(one, gate=False, used=False) for one in told[2:])
    (stable, recalled), (again, _) = halves(first), halves(second)
    assert stable == again
    inner = [line for half in (stable, recalled) for line in half.splitlines()[1:-1]]
    assert inner == first.text.splitlines()[1:-1]
    assert SAID[lang][1] in stable
    assert [SAID[lang][1] in memory.get(one).content for one in first.always] == [True]
    assert halves(memory.context("?", owner="nobody")) == ("", "")
