"""`yinji serve` as a program of its own, on a real socket: started, stopped, killed, and started again."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from tests.interfaces.conftest import LANGUAGES, Yinji
from yinji.client import AsyncClient, Client, Unreachable
from yinji.errors import InvalidInput, KeyReused, NotAllowed, NotFound
from yinji.interfaces.http.reading import BEHIND, read_until_end

pytestmark = pytest.mark.enable_socket
SAID = {"zh": ("我对花生过敏", "我对什么过敏？", "花生"), "en": ("I live in Lisbon", "Where do I live?", "Lisbon")}


@dataclass(frozen=True, kw_only=True)
class Serving:
    url: str
    process: subprocess.Popen[str]

    def stop(self, how: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """The exit code, and all that it wrote on standard error."""
        self.process.send_signal(how)
        _, err = self.process.communicate(timeout=60)
        return self.process.returncode, err


Serve = Callable[..., Serving]


@pytest.fixture
def serve(environment: dict[str, str]) -> Iterator[Serve]:
    """Starts servers in the test's own home, each on a free port; all are stopped at the end."""
    started: list[Serving] = []

    def start(*arguments: str, **more: str) -> Serving:
        command = [sys.executable, "-m", "yinji", "serve", "--port", "0", "--json", *arguments]
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**environment, **more},
        )
        assert process.stdout is not None
        started.append(Serving(url=json.loads(process.stdout.readline())["url"], process=process))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.stop(signal.SIGKILL)


@contextmanager
def reaching(serving: Serving, **options: str) -> Iterator[Client]:
    with Client(serving.url, **options) as client:  # type: ignore[arg-type]
        yield client


@pytest.mark.req("S1", "S2", "S6", "F6")
@pytest.mark.parametrize("reader", ["process", "thread"])
def test_a_server_answers_until_it_is_told_to_stop_and_leaves_nothing_behind(
    serve: Serve, yinji: Yinji, reader: str
) -> None:
    serving = serve(YINJI_SERVE__READER=reader)
    children = psutil.Process(serving.process.pid).children()
    assert len(children) == (reader == "process")
    with reaching(serving) as client:
        for said, asked, word in SAID.values():
            assert client.remember(said, wait=True).added
            assert word in str(client.recall(asked))
            client.remember(f"{said}!")
    if sys.platform != "win32":
        steps = [child.nice() - psutil.Process(serving.process.pid).nice() for child in children]
        assert all(one == BEHIND for one in steps), "reading steps back behind recalls"
    code, err = serving.stop()
    assert code == 0
    assert not any(child.is_running() and child.status() != psutil.STATUS_ZOMBIE for child in children)
    events = [json.loads(line) for line in err.splitlines()]
    assert {one["event"] for one in events} == {"request"}
    assert not any(word in err for _, _, word in SAID.values())
    assert yinji("stats", "--json").json["turns"] == 4


@pytest.mark.req("S2", "W1")
def test_what_was_accepted_survives_kill_9_and_is_read_after_the_restart(serve: Serve) -> None:
    serving = serve()
    children = psutil.Process(serving.process.pid).children()
    with reaching(serving) as client:
        taken = [client.remember(f"我在{number}号仓库存了茶叶", seq=number).turn_id for number in range(50)]
        serving.stop(signal.SIGKILL)
        with pytest.raises(Unreachable):
            client.stats()
    psutil.wait_procs(children, timeout=60)
    assert not any(child.is_running() for child in children), "the reader ends with its server"
    with reaching(serve()) as client:
        assert client.remember("最后一句：我住在杭州", wait=True).added
        assert all(client.outcome(one).added for one in taken)
        again = [client.remember(f"我在{number}号仓库存了茶叶", seq=number) for number in range(50)]
        assert [one.turn_id for one in again] == taken
        assert client.stats().turns == 51


@pytest.mark.req("S2")
def test_a_reader_ends_with_its_orders_even_while_turns_keep_coming() -> None:
    pulled: list[float] = []

    def never_done(seconds: float) -> int:
        pulled.append(seconds)
        return 1

    read_until_end(iter([b"\n", b"\n"]), never_done)
    assert all(0 < seconds < 5 for seconds in pulled)


@pytest.mark.req("S2")
def test_a_reader_that_dies_is_replaced(serve: Serve) -> None:
    serving = serve()
    (reader,) = psutil.Process(serving.process.pid).children()
    with reaching(serving) as client:
        assert client.remember("我对花生过敏", wait=True).added
        reader.kill()
        assert client.remember("我住在杭州", wait=True).added
    _, err = serving.stop()
    assert [json.loads(line)["event"] for line in err.splitlines() if "reader" in line] == ["reader ended"]


@pytest.mark.req("S1", "P3")
def test_a_port_that_is_taken_is_told(serve: Serve, yinji: Yinji) -> None:
    port = serve().url.rsplit(":", 1)[1]
    told = yinji("serve", "--port", port, "--lang", "zh")
    assert told.code == 2
    assert "已有别的程序在那里监听" in told.err


@pytest.mark.req("S1", "O1")
def test_an_encrypted_store_is_served_with_its_key(serve: Serve, tmp_path: Path) -> None:
    serving = serve(YINJI_KEY="correct horse")
    with reaching(serving) as client:
        assert client.remember("我对花生过敏", wait=True).added
    assert "correct horse" not in " ".join(
        word for one in psutil.Process(serving.process.pid).children() for word in one.cmdline()
    )
    serving.stop()
    assert not any("花生".encode() in path.read_bytes() for path in (tmp_path / "home").iterdir())


@pytest.mark.req("S1", "P1")
def test_the_async_client_does_what_the_other_does(serve: Serve, tmp_path: Path) -> None:
    serving = serve()

    async def talk() -> None:
        async with AsyncClient(serving.url) as memory:
            for said, asked, word in SAID.values():
                (kept,) = (await memory.remember(said, wait=True)).added
                assert word in str(await memory.recall(asked))
                assert word in (await memory.context(asked, 300)).text
                assert await memory.used([kept.id]) == 1
                assert (await memory.pin(kept.id)).pinned
            assert len(await memory.list()) == 2
            assert await memory.export(tmp_path / "out.jsonl") == 2
            assert (await memory.import_(tmp_path / "out.jsonl")).unchanged == 2
            with pytest.raises(NotFound):
                await memory.get("abcdefgh")
        async with AsyncClient("http://127.0.0.1:9") as nobody:
            with pytest.raises(Unreachable, match="yinji serve"):
                await nobody.stats()

    asyncio.run(talk())


@pytest.mark.req("S1", "P1", "P3")
@LANGUAGES
def test_the_client_raises_what_memory_raises(serve: Serve, yinji: Yinji, lang: str) -> None:
    serving = serve()
    secret = yinji("token", "add", "phone", "--owner", "ann").out.strip()
    with reaching(serving, token=secret, language=lang) as client:
        first = client.remember("我对花生过敏", key="k")
        assert client.remember("我对花生过敏", key="k").turn_id == first.turn_id
        for kind, call in (
            (KeyReused, lambda: client.remember("我住在杭州", key="k")),
            (InvalidInput, lambda: client.recall("")),
            (NotAllowed, client.stats),
            (NotAllowed, lambda: client.get("abcdefgh")),
        ):
            with pytest.raises(kind) as caught:
                call()
            assert any("一" <= char <= "鿿" for char in str(caught.value)) == (lang == "zh")
