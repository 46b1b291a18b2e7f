"""The same question as ``tests.crash``, asked through the public door: the whole pipeline, killed and crowded.

    python -m tests.crash_engine --rounds 30                  # kill -9 at random points during 1,000 remembers
    python -m tests.crash_engine --processes 8 --each 250     # eight processes remember, two recall

Half of the turns are Chinese. The hashing embedder stands in for the model, so that a round takes seconds.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.crash import OWNER, Run
from yinji import Memory, Settings

KEPT = ("我在{}号仓库存了{}箱茶叶", "I keep {1} boxes of tea in warehouse {0}")
SESSION = "s"


def words_of(number: int) -> str:
    return KEPT[number % 2].format(number, number * 7 + 3)


def open_memory(path: str) -> Memory:
    return Memory.open(
        path, owner=OWNER, settings=Settings.load(environment={}).with_values("embed", {"model": "hashing"})
    )


def work(path: str, first: int, last: int) -> None:
    with open_memory(path) as memory:
        for number in range(first, last):
            memory.remember(words_of(number), session=SESSION, seq=number)
            print(f"accepted {number}", flush=True)


def look(path: str) -> None:
    """Recalls until it is told to stop; any error ends it with a traceback, which fails the run."""
    with open_memory(path) as memory:
        while not os.path.exists(f"{path}.done"):
            for hit in memory.recall("茶叶在哪个仓库", top_k=20):
                assert hit.memory.sources, "half-written memories are never seen"
            memory.context("Where is the tea?", used=False)
            memory.stats()


def verify(path: str, count: int) -> None:
    """Every turn there once and read once; rows, vectors and full text agree; the file is whole."""
    with open_memory(path) as memory:
        assert memory.flush() == 0
        assert memory.check() == []
        stats = memory.stats()
        assert (stats.turns, stats.failed, stats.without_vector) == (count, 0, 0), stats
        kept = memory.list(limit=None)
        made = Counter(source.seq for one in kept for source in one.sources)
        assert made == Counter(range(count)), sorted(set(range(count)) ^ set(made))[:10]
        for number in random.Random(count).sample(range(count), 20):
            found = memory.recall(words_of(number))
            assert number in {source.seq for source in found[0].memory.sources}, words_of(number)


def killed_round(path: str, *, turns: int, kills: int, draw: random.Random) -> None:
    environment = dict(os.environ)
    acknowledged: set[int] = set()
    command = [sys.executable, "-m", "tests.crash_engine", "--work", path]
    for _ in range(kills):
        # It starts a little before what was acknowledged: turns sent twice must count once.
        first = max(0, max(acknowledged, default=-1) - draw.randrange(5))
        run = Run([*command, str(first), str(turns)], environment)
        acknowledged |= run.until_killed(draw.randrange(1, max(2, turns // kills)), draw.random() * 0.5)
    run = Run([*command, str(max(acknowledged, default=0)), str(turns)], environment)
    acknowledged |= run.until_killed(-1, 0)
    assert acknowledged == set(range(turns))
    verify(path, turns)


def crowd(path: str, *, processes: int, each: int, readers: int) -> float:
    """Seconds until all had written and every turn was read."""
    command = [sys.executable, "-m", "tests.crash_engine"]
    began = time.perf_counter()
    writers = [
        _start([*command, "--work", path, str(number * each), str((number + 1) * each)]) for number in range(processes)
    ]
    watching = [_start([*command, "--look", path]) for _ in range(readers)]
    problems = [process.communicate()[1] for process in writers]
    took = time.perf_counter() - began
    Path(f"{path}.done").touch()
    problems += [process.communicate()[1] for process in watching]
    assert not any(problems), "\n".join(problems)
    assert not any(process.returncode for process in (*writers, *watching))
    verify(path, processes * each)
    return took


def _start(command: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.crash_engine", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=0)
    parser.add_argument("--each", type=int, default=250)
    parser.add_argument("--readers", type=int, default=2)
    parser.add_argument("--work", nargs=3, metavar=("FILE", "FIRST", "LAST"), help=argparse.SUPPRESS)
    parser.add_argument("--look", metavar="FILE", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.work:
        work(given.work[0], int(given.work[1]), int(given.work[2]))
    if given.look:
        look(given.look)
    draw = random.Random(given.seed)
    for number in range(given.rounds):
        with tempfile.TemporaryDirectory() as folder:
            killed_round(f"{folder}/crash.yinji", turns=given.turns, kills=given.kills, draw=draw)
        print(f"round {number + 1}: {given.turns} turns, killed {given.kills} times, nothing lost", file=sys.stderr)
    if given.processes:
        with tempfile.TemporaryDirectory() as folder:
            took = crowd(f"{folder}/crowd.yinji", processes=given.processes, each=given.each, readers=given.readers)
        print(f"{given.processes} × {given.each}, {given.readers} readers: nothing lost, {took:.1f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
