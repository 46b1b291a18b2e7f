"""How long the SQLite store takes at a size: the table in docs/decisions/0002-store.md.

python -m tests.bench_store 1000 10000 100000 [--key PASSPHRASE]
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np

from tests.conformance.store_cases import NOW, entry, source, turn
from yinji.adapters.sqlite import SqliteStore, open_store
from yinji.model import Kind, Scope
from yinji.ports import NewMemory, Outcome

ME = Scope(owner="me")
MODEL, DIM = "bench", 384
VOCABULARY = 30_000
BATCH = 5_000
IN_ALL = "用户"
"""The term that every memory holds."""


class Population:
    """Memories of eleven words drawn by Zipf's law from a made-up vocabulary, and random vectors."""

    def __init__(self, count: int) -> None:
        draw, pick = np.random.default_rng(1), random.Random(1)
        han = [chr(0x4E00 + code) for code in range(3000)]
        self.words = ["".join(pick.choices(han, k=pick.choice((2, 2, 3)))) for _ in range(VOCABULARY)]
        weight = 1 / np.arange(1, VOCABULARY + 1)
        self._drawn = draw.choice(VOCABULARY, (count, 11), p=weight / weight.sum())
        vectors = draw.normal(size=(count, DIM)).astype(np.float32)
        self.vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def memory(self, number: int, name: str = "m") -> NewMemory:
        said = [self.words[at] for at in self._drawn[number]]
        at, text = NOW + timedelta(minutes=number), IN_ALL + "".join(said) + str(number)
        kept = entry(
            f"{name}{number:035d}",
            text,
            kind=list(Kind)[number % len(Kind)],
            language="zh" if number % 2 else "en",
            recorded_at=at,
            sources=(source(number, text),),
            scenes=("life",),
            model=MODEL,
        )
        return NewMemory(entry=kept, terms=(IN_ALL, *said), vector=self.vectors[number])


def timed(name: str, act: Callable[[], object], times: int = 30) -> None:
    took = []
    cpu = time.process_time()
    for _ in range(times):
        began = time.perf_counter()
        act()
        took.append(time.perf_counter() - began)
    cpu = (time.process_time() - cpu) / times
    took.sort()
    p50, p95 = took[times // 2] * 1e3, took[int(times * 0.95)] * 1e3
    print(f"  {name:36} p50 {p50:9.2f}  p95 {p95:9.2f}  cpu {cpu * 1e3:9.2f} ms")


def fill(store: SqliteStore, people: Population, count: int) -> None:
    for first in range(0, count, BATCH):
        numbers = range(first, min(first + BATCH, count))
        store.import_memories([people.memory(n) for n in numbers], at=NOW)
        store.accept([turn(n, people.words[n % VOCABULARY] * 8) for n in numbers])


def recall(store: SqliteStore, people: Population, count: int) -> None:
    asked = people.vectors[count // 2]
    eight = [people.words[at] for at in (3, 40, 80, 200, 700, 3000, 9000)] + [IN_ALL]
    three = [people.words[at] for at in (200, 700, 3000)]
    near = [hit.id for hit in store.vectors(ME, asked, model=MODEL, limit=20).hits]
    one_kind = replace(ME, kinds=frozenset({Kind.FACT}))
    timed("words, 8 terms, one in every memory", lambda: store.words(ME, eight, limit=50))
    timed("words, 3 middling terms", lambda: store.words(ME, three, limit=50))
    timed("vectors, best 50", lambda: store.vectors(ME, asked, model=MODEL, limit=50))
    timed("vectors of one kind", lambda: store.vectors(one_kind, asked, model=MODEL, limit=50))
    timed("nearest 5", lambda: store.nearest("me", asked, model=MODEL, limit=5))
    timed("get 20", lambda: store.get("me", near))
    timed("hard facts", lambda: store.hard_facts(ME))
    timed("touch 8", lambda: store.touch("me", near[:8], at=NOW))
    timed("statistics", lambda: store.stats("me"), times=5)


def write(store: SqliteStore, people: Population, count: int) -> None:
    numbers = iter(range(count, count + 10_000))

    def accept() -> None:
        store.accept([turn(next(numbers), "我喜欢喝美式咖啡，不加糖" * 3)])

    def accept_and_commit() -> None:
        number = next(numbers)
        (accepted,) = store.accept([turn(number, "我喜欢喝美式咖啡")])
        new = people.memory(number % count, name="n")
        kept = replace(new.entry, id=f"n{number}")
        store.commit(Outcome(turn=accepted.turn, at=NOW, added=(replace(new, entry=kept),)))

    timed("accept one turn", accept, times=200)
    timed("accept, and commit one memory", accept_and_commit, times=100)


def erase(store: SqliteStore, ids: list[str] | None, name: str) -> None:
    began, cpu = time.perf_counter(), time.process_time()
    receipt = store.erase("me", ids, at=NOW, actor="bench")
    took, cpu = time.perf_counter() - began, time.process_time() - cpu
    print(f"  {name:36} {took:6.2f} s  cpu {cpu:6.2f} s  {receipt.probes} probes, {receipt.found} found")


def measure(count: int, key: str | None) -> None:
    people = Population(count)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.yinji"
        print(f"{count} memories")
        began = time.perf_counter()
        with open_store(path, key=key) as store:
            fill(store, people, count)
        size = os.path.getsize(path) / count
        print(f"  filled in {time.perf_counter() - began:.1f} s, {size:.0f} bytes a memory with its turn")
        with open_store(path, key=key) as store:
            timed("first search after opening", lambda: store.words(ME, [IN_ALL], limit=50), times=1)
            recall(store, people, count)
            write(store, people, count)
            erase(store, [people.memory(n).entry.id for n in range(3)], "erase 3 and scan")
            erase(store, None, "erase all and scan")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench_store", description=__doc__.splitlines()[0])
    parser.add_argument("sizes", nargs="*", type=int, default=[1000, 10_000])
    parser.add_argument("--key")
    given = parser.parse_args(arguments)
    for count in given.sizes:
        measure(count, given.key)
    return 0


if __name__ == "__main__":
    sys.exit(main())
