"""What `yinji serve` holds on this machine: recalls and remembers at a fixed rate, killed in the middle if asked to.

    python -m tests.load_http --rate 200 --seconds 60                # 50 owners with 1,000 memories each
    python -m tests.load_http --rate 200 --seconds 60 --kill         # kill -9 half-way, restart: nothing may be lost

Requests are sent when their time has come, whether or not earlier ones are answered, and a latency counts from that
time: a server that stalls is not asked less. Half of them remember and half recall (``--remember`` sets the share),
each kind over connections of its own; half are Chinese. Server, reader and this program share the machine. One JSON
object comes out; processor times are of the server's two processes since they last started, loading the model included:
they say what the machine would hold if it were this program's alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil

from yinji import Memory, Settings
from yinji.interfaces.operations import GRANTS

TOPICS = (
    ("我把{}存放在{}号仓库", "{}在几号仓库？"),
    ("我每周{}去上{}课", "我什么时候上{}课？"),
    ("I keep the {} in warehouse {}", "Where is the {}?"),
    ("I have a {} lesson every week at {}", "When is my {} lesson?"),
)
THINGS_ZH = ("茶叶", "陶瓷", "大提琴", "法语", "书法", "自行车", "帐篷", "相机", "羽毛球", "木工")
THINGS_EN = ("tea", "pottery", "cello", "French", "calligraphy", "bicycle", "tent", "camera", "badminton", "carpentry")


def said(number: int) -> str:
    told, _ = TOPICS[number % 4]
    thing = (THINGS_ZH, THINGS_EN)[number % 4 >= 2][number // 4 % 10]
    return told.format(number, thing) if number % 4 == 1 else told.format(thing, number)


def asked(number: int) -> str:
    """A question that was not asked before: an answer that is still at hand would be no measure."""
    _, question = TOPICS[number % 4]
    return f"{question.format((THINGS_ZH, THINGS_EN)[number % 4 >= 2][number // 4 % 10])} ({number})"


def prepare(store: Path, *, owners: int, memories: int, model: str) -> list[str]:
    """A store with that many memories, and a token of each owner."""
    settings = Settings.load(environment={}).with_values("embed", {"model": model})
    with Memory.open(store, settings=settings) as memory:
        known = set(memory.owners())
        for owner in range(owners):
            if f"owner{owner}" not in known:
                records = [{"content": said(number)} for number in range(memories)]
                memory.import_(records, owner=f"owner{owner}")
        run = f"{time.time_ns()}"
        return [memory.tokens.add(f"load{run}-{n}", owner=f"owner{n}", may=GRANTS)[1] for n in range(owners)]


class Server:
    """The program under test."""

    def __init__(self, store: Path, settings: dict[str, str]) -> None:
        self._store = store
        self._environment = {**os.environ, **settings}
        self.url = ""
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "yinji", "--store", str(self._store), "serve", "--port", "0", "--json"]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=self._environment
        )
        assert self.process.stdout is not None
        self.url = json.loads(self.process.stdout.readline())["url"]

    def spent(self) -> dict[str, float]:
        """Processor seconds of the server and of its reader."""
        assert self.process is not None
        server = psutil.Process(self.process.pid)
        readers = [("reader", one) for one in server.children()]
        times = {name: one.cpu_times() for name, one in [("server", server), *readers]}
        return {name: round(one.user + one.system, 1) for name, one in times.items()}

    def stop(self, how: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(how)
        self.process.wait()


@dataclass
class Tally:
    """What came of the requests."""

    latencies: dict[str, list[float]] = field(default_factory=lambda: {"remember": [], "recall": []})
    statuses: Counter[str] = field(default_factory=Counter)
    accepted: dict[str, str] = field(default_factory=dict)
    """The key of a turn → its id, once the server has said that it is taken."""
    retried: int = 0


class Line:
    """One connection, opened again when it breaks. Hand-made: a full client would cost as much as the server."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._to = ""

    async def post(self, path: str, token: str, body: dict[str, Any]) -> tuple[int, Any]:
        """Status and value. Raises OSError when the connection breaks before the answer is whole."""
        if self._streams is None or self._to != self._server.url:
            self._to = self._server.url
            where = urlsplit(self._to)
            self._streams = await asyncio.open_connection(where.hostname, where.port)
        reader, writer = self._streams
        content = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nhost: {urlsplit(self._to).netloc}\r\nauthorization: Bearer {token}\r\n"
            f"content-type: application/json\r\ncontent-length: {len(content)}\r\n\r\n"
        )
        try:
            writer.write(head.encode() + content)
            answer = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            size = int(answer.split("content-length: ")[1].split("\r\n")[0])
            value = json.loads(await reader.readexactly(size))
        except (OSError, asyncio.IncompleteReadError, IndexError) as error:
            writer.close()
            self._streams = None
            raise OSError(str(error)) from error
        return int(answer.split(" ", 2)[1]), value


async def ask(
    pools: dict[str, asyncio.Queue[Line]], tally: Tally, tokens: list[str], number: int, *, due: float, remembers: bool
) -> None:
    """One request, sent again until it is answered: a remember has its key, so that again is not twice."""
    token, name = tokens[number % len(tokens)], "remember" if remembers else "recall"
    lines = pools[name]
    key = f"load:{number}:{tokens[0][-6:]}"
    body = {"user": said(2000 + number), "key": key} if remembers else {"query": asked(number), "top_k": 5}
    for again in range(1000):
        line = await lines.get()
        try:
            status, value = await line.post(f"/v1/{name}", token, body)
        except OSError:
            tally.retried += 1
            await asyncio.sleep(min(0.05 * (again + 1), 0.5))
            continue
        finally:
            lines.put_nowait(line)
        tally.latencies[name].append((time.perf_counter() - due) * 1000)
        tally.statuses[f"{name} {status}"] += 1
        if remembers and status in (200, 202):
            tally.accepted[key] = value["turn_id"]
        return


async def load(server: Server, tokens: list[str], options: argparse.Namespace) -> Tally:
    tally, pools = Tally(), {name: asyncio.Queue[Line]() for name in ("remember", "recall")}
    for pool in pools.values():
        for _ in range(options.connections // 2):
            pool.put_nowait(Line(server))
    order = random.Random(7)
    total = int(options.rate * options.seconds)
    begin, asking, killed = time.perf_counter() + 0.5, set(), False
    for number in range(total):
        due = begin + number / options.rate
        if options.kill and not killed and number * 2 >= total:
            killed = True
            await asyncio.to_thread(server.stop, signal.SIGKILL)
            await asyncio.to_thread(server.start)
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        one = asyncio.create_task(
            ask(pools, tally, tokens, number, due=due, remembers=order.random() < options.remember)
        )
        asking.add(one)
        one.add_done_callback(asking.discard)
    await asyncio.gather(*asking)
    return tally


def percentiles(values: list[float]) -> dict[str, float]:
    ordered = sorted(values) or [0.0]
    return {f"p{p}": round(ordered[min(len(ordered) - 1, len(ordered) * p // 100)], 1) for p in (50, 95, 99)} | {
        "max": round(ordered[-1], 1)
    }


def verify(store: Path, tally: Tally, *, owners: int, before: int, model: str) -> dict[str, object]:
    """Every accepted turn there once, and read; the file whole."""
    settings = Settings.load(environment={}).with_values("embed", {"model": model})
    with Memory.open(store, settings=settings) as memory:
        started = time.perf_counter()
        waiting = memory.flush(timeout=0)
        memory.flush()
        stats = [memory.stats(owner=f"owner{n}") for n in range(owners)]
        return {
            "accepted": len(tally.accepted),
            "kept": sum(one.turns for one in stats) - before,
            "failed": sum(one.failed for one in stats),
            "waiting_at_the_end": waiting,
            "read_in_s": round(time.perf_counter() - started, 1),
            "wrong_with_the_file": memory.check(),
        }


def turns(store: Path, owners: int, model: str) -> int:
    settings = Settings.load(environment={}).with_values("embed", {"model": model})
    with Memory.open(store, settings=settings) as memory:
        return sum(memory.stats(owner=f"owner{n}").turns for n in range(owners))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--owners", type=int, default=50)
    parser.add_argument("--memories", type=int, default=1000)
    parser.add_argument("--remember", type=float, default=0.5)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--model", default="e5-small")
    parser.add_argument("--reader", choices=("process", "thread"), default="process")
    parser.add_argument("--queue-limit", type=int, default=2000)
    parser.add_argument("--store", type=Path, help="a store made by an earlier run, or where to leave it")
    parser.add_argument("--kill", action="store_true")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="yinji-load-") as folder:
        store = options.store or Path(folder) / "memory.yinji"
        tokens = prepare(store, owners=options.owners, memories=options.memories, model=options.model)
        before = turns(store, options.owners, options.model)
        settings = {
            "YINJI_EMBED__MODEL": options.model,
            "YINJI_SERVE__READER": options.reader,
            "YINJI_SERVE__RATE": "100000",
            "YINJI_SERVE__BURST": "1000000",
            "YINJI_SERVE__QUEUE_LIMIT": str(options.queue_limit),
        }
        server = Server(store, settings)
        server.start()
        busy = os.getloadavg()[0]
        tally = asyncio.run(load(server, tokens, options))
        spent = server.spent()
        server.stop(signal.SIGTERM)
        told = {
            "rate": options.rate,
            "seconds": options.seconds,
            "answers": dict(sorted(tally.statuses.items())),
            "retried": tally.retried,
            "ms": {name: percentiles(values) for name, values in tally.latencies.items()},
            "processor_s": spent,
            "processor_ms_a_request": round(1000 * spent["server"] / max(1, sum(tally.statuses.values())), 1),
            "load_before": round(busy, 1),
            "cores": os.cpu_count(),
        }
        print("what was left is read now, which may take minutes", json.dumps(told), file=sys.stderr)
        told |= verify(store, tally, owners=options.owners, before=before, model=options.model)
    print(json.dumps(told, ensure_ascii=False))


if __name__ == "__main__":
    main()
