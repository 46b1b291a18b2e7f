"""What an embedder costs: time to build, to load and to embed, and memory.

    python training/bench_e5.py [--embedder e5-small] [--cache FOLDER]

Milliseconds are processor time of one thread (the least of several tries), so that other work on the machine
shows little; memory is what the process holds more than Python with numpy. Run it twice on an empty folder:
the first builds, the second loads.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psutil

from yinji.adapters.catalogue import load_embedder

ZH, EN = "我女儿下个月要去北京读大学了，我有点舍不得。", "My daughter is leaving for college in Beijing."
TRIES = 9
TEXTS = {
    "short zh": [ZH],
    "short en": [EN],
    "430 tokens zh": [ZH * 24],
    "430 tokens en": [EN * 40],
    "32 short zh": [f"{ZH}{number}" for number in range(32)],
    "32 short en": [f"{EN} {number}" for number in range(32)],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedder", default="e5-small")
    parser.add_argument("--cache", type=Path)
    arguments = parser.parse_args()
    np.ones(1)
    before = held()
    told: list[str] = []
    embedder = load_embedder(arguments.embedder, cache=arguments.cache, progress=lambda code, done: told.append(code))
    seconds, processor = time.perf_counter(), time.process_time()
    embedder.warm_up()
    print(f"{embedder.engine} {'built' if 'model.build' in told else 'loaded'}: ", end="")
    print(f"{time.perf_counter() - seconds:.2f} s ({time.process_time() - processor:.2f} s of processor)")
    print(f"memory after loading: {held() - before:.0f} MB")
    for name, texts in TEXTS.items():
        least = min(timed(lambda texts=texts: embedder.embed(texts, purpose="passage")) for _ in range(TRIES))  # type: ignore[misc]
        print(f"{name:14} {least * 1000:8.2f} ms {len(texts) / least:8.1f} texts/s")
    print(f"memory after use: {held() - before:.0f} MB")
    embedder.release()
    print(f"memory after release: {held() - before:.0f} MB")


def timed(work: Callable[[], object]) -> float:
    start = time.thread_time()
    work()
    return time.thread_time() - start


def held() -> float:
    return float(psutil.Process().memory_info().rss) / 1e6


if __name__ == "__main__":
    main()
