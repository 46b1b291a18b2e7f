"""Does anything accepted get lost, doubled or torn when processes are killed or crowd each other?

    python -m tests.crash --rounds 30                 # kill -9 at random points during 1,000 turns, thirty times
    python -m tests.crash --processes 8 --each 250    # eight writers with two readers on one file

A worker is a program that is run as ``<worker> FILE OWNER FIRST LAST`` and, for each turn number, takes that turn,
prints ``accepted N`` once it is durable, and reads what waits now and then. The default worker goes through the
store alone, with a pipeline that makes one memory of each turn; ``--worker`` names another, and ``--key`` is passed
on in the environment as YINJI_KEY.
"""

from __future__ import annotations

import argparse
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.conformance.store_cases import MODEL, NOW, entry, new, source, turn, vector
from yinji.adapters.sqlite import holder_name, open_store
from yinji.model import Scope, Turn
from yinji.ports import Outcome, Store

OWNER = "me"
WORKER = f"{sys.executable} -m tests.crash --work"


def words_of(number: int) -> str:
    return f"用户第{number}次提到词{number % 17}"


def read_waiting(store: Store) -> None:
    """A pipeline that makes one memory of each turn."""
    for waiting in store.claim(holder=holder_name(), now=NOW, limit=20, lease_s=30):
        store.commit(outcome(waiting))
    store.release_lease(holder_name())


def outcome(said: Turn) -> Outcome:
    kept = entry(f"memory-{said.id}", said.user, owner=said.owner, sources=(source(said.seq, said.user),))
    return Outcome(turn=said, at=NOW, added=(new(kept, "用户", f"词{said.seq % 17}"),))


def work(path: str, owner: str, first: int, last: int) -> None:
    with open_store(path, key=os.environ.get("YINJI_KEY")) as store:
        for number in range(first, last):
            store.accept([turn(number, words_of(number), owner=owner, session=owner)])
            print(f"accepted {number}", flush=True)
            if number % 7 == 6:
                read_waiting(store)
        while store.pending(owner):
            read_waiting(store)
            time.sleep(0.001)  # another process has the lease


def look(path: str, until: float) -> None:
    """Reads in every way until it is told to stop, and fails at the first thing that does not fit together."""
    scope = Scope(owner=OWNER)
    with open_store(path, key=os.environ.get("YINJI_KEY")) as store:
        while os.path.exists(path) and time.time() < until and not os.path.exists(f"{path}.done"):
            hits = store.words(scope, ["用户"], limit=10_000).hits
            near = store.vectors(scope, vector("x"), model=MODEL, limit=10_000).hits
            known = {memory.id for memory in store.select(scope, limit=None)}
            assert {hit.id for hit in hits} <= {hit.id for hit in near} <= known, "later reads see no less"
            store.stats(OWNER)


@dataclass
class Run:
    """A worker that is killed after it has said so many lines, and a little later."""

    command: list[str]
    environment: dict[str, str]

    def until_killed(self, lines: int, delay_s: float) -> set[int]:
        """The turns it acknowledged; ``lines`` < 0 lets it end."""
        acknowledged: set[int] = set()
        with subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True, env=self.environment) as process:
            assert process.stdout is not None
            for line in process.stdout:
                acknowledged.add(int(line.split()[1]))
                if len(acknowledged) == lines:
                    time.sleep(delay_s)
                    process.kill()
            code = process.wait()
        if lines < 0 and code != 0:
            raise AssertionError(f"the worker ended with {code}")
        return acknowledged


def killed_round(folder: Path, *, turns: int, kills: int, draw: random.Random, worker: str, key: str | None) -> None:
    """One file, killed some times on its way to so many turns; raises AssertionError when anything is amiss."""
    path = str(folder / "crash.yinji")
    environment = dict(os.environ) | ({"YINJI_KEY": key} if key else {})
    acknowledged: set[int] = set()
    for _ in range(kills):
        # It starts a little before what was acknowledged: turns sent twice must count once.
        first = max(0, max(acknowledged, default=-1) - draw.randrange(5))
        run = Run([*shlex.split(worker), path, OWNER, str(first), str(turns)], environment)
        acknowledged |= run.until_killed(draw.randrange(1, max(2, turns // kills)), draw.random() * 0.02)
    run = Run([*shlex.split(worker), path, OWNER, str(max(acknowledged, default=0)), str(turns)], environment)
    acknowledged |= run.until_killed(-1, 0)
    with open_store(path, key=key) as store:
        verify(store, {(OWNER, number) for number in range(turns)})
        assert acknowledged == set(range(turns))


def verify(store: Store, expected: set[tuple[str, int]]) -> None:
    """Every turn is there once, each memory once, and the file agrees with itself."""
    assert store.check() == []
    assert store.pending() == 0
    owners = {owner for owner, _ in expected}
    for owner in owners:
        numbers = sorted(number for each, number in expected if each == owner)
        recent = store.recent_turns(owner, owner, before_seq=None, limit=len(numbers) + 10)
        assert [each.seq for each in recent] == numbers
        made = Counter(part.seq for memory in store.iterate(owner) for part in memory.sources)
        assert made == Counter(numbers), "a memory is missing or doubled"
        scope = Scope(owner=owner)
        assert len(store.words(scope, ["用户"], limit=10**6).hits) == len(numbers)
        assert len(store.vectors(scope, vector("x"), model=MODEL, limit=10**6).hits) == len(numbers)


def crowd(folder: Path, *, processes: int, each: int, readers: int, key: str | None) -> float:
    """So many writers and readers at once on one file; seconds until all had written, or AssertionError."""
    path = str(folder / "crowd.yinji")
    environment = dict(os.environ) | ({"YINJI_KEY": key} if key else {})
    began = time.perf_counter()
    bounds = [(str(n * each), str((n + 1) * each)) for n in range(processes)]
    writers = [_start([*shlex.split(WORKER), path, OWNER, *bound], environment) for bound in bounds]
    watching = [_start([sys.executable, "-m", "tests.crash", "--look", path], environment) for _ in range(readers)]
    problems = [process.communicate()[1] for process in writers]
    took = time.perf_counter() - began
    Path(f"{path}.done").touch()
    problems += [process.communicate()[1] for process in watching]
    assert not any(problems), "\n".join(problems)
    assert not any(process.returncode for process in (*writers, *watching))
    with open_store(path, key=key) as store:
        verify_crowd(store, {(OWNER, number) for number in range(processes * each)})
    return took


def _start(command: list[str], environment: dict[str, str]) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=pipe, text=True, env=environment)


def verify_crowd(store: Store, expected: set[tuple[str, int]]) -> None:
    assert all(memory.content == words_of(memory.sources[0].seq) for memory in store.iterate(OWNER))
    verify(store, expected)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=0, help="how often to fill a file under kill -9")
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=3, help="in each round")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--worker", default=WORKER)
    parser.add_argument("--key", default=None)
    parser.add_argument("--processes", type=int, default=0, help="how many writers at once")
    parser.add_argument("--each", type=int, default=250, help="turns of each writer")
    parser.add_argument("--readers", type=int, default=2)
    parser.add_argument("--work", nargs=4, metavar=("FILE", "OWNER", "FIRST", "LAST"), help=argparse.SUPPRESS)
    parser.add_argument("--look", metavar="FILE", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.work:
        path, owner, first, last = given.work
        work(path, owner, int(first), int(last))
    if given.look:
        look(given.look, time.time() + 600)
    draw = random.Random(given.seed)
    for number in range(given.rounds):
        with tempfile.TemporaryDirectory() as name:
            folder, worker = Path(name), given.worker
            killed_round(folder, turns=given.turns, kills=given.kills, draw=draw, worker=worker, key=given.key)
        print(f"round {number + 1}: {given.turns} turns, killed {given.kills} times, nothing lost", file=sys.stderr)
    if given.processes:
        with tempfile.TemporaryDirectory() as name:
            folder, counts = Path(name), f"{given.processes} writers x {given.each}, {given.readers} readers"
            took = crowd(folder, processes=given.processes, each=given.each, readers=given.readers, key=given.key)
        print(f"{counts}: nothing lost, {took:.1f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
