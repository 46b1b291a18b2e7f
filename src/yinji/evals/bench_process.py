"""What a fresh process needs until it has answered once, and what memory each part of it holds."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

from yinji.config import ENVIRONMENT_PREFIX, Settings, as_table
from yinji.errors import InvalidInput

# Prints, after each step, the milliseconds since the interpreter began and the resident megabytes.
CHILD = """
import json, sys, time
began = time.perf_counter()
import psutil
process, steps = psutil.Process(), {}
def step(name):
    steps[name] = ((time.perf_counter() - began) * 1000, process.memory_info().rss / 1e6)
path, owner, question = sys.argv[1:]
step("python")
from yinji import Memory
step("library")
with Memory.open(path, owner=owner) as memory:
    step("open")
    memory.warm_up()
    step("model")
    memory.recall(question)
    step("recall")
    for _ in range(20):
        memory.recall(question + str(_))
    step("use")
print(json.dumps(steps))
"""
STEPS = ("python", "library", "open", "model", "recall", "use")


TIMES = {
    "start_import_ms": ("python", "library"),
    "start_open_ms": ("library", "open"),
    "start_model_ms": ("open", "model"),
    "start_first_recall_ms": ("model", "recall"),
    "start_to_answer_ms": ("python", "recall"),
}
LONGEST_S = 600.0


def starts(path: Path, settings: Settings, *, owner: str, runs: int, question: str) -> dict[str, list[float]]:
    """Milliseconds to open and to the first answer, and megabytes by part, in processes of their own."""
    samples: dict[str, list[float]] = {}
    for _ in range(runs):
        steps = _child(path, settings, owner, question)
        values = {name: steps[after][0] - steps[before][0] for name, (before, after) in TIMES.items()}
        values["rss_python_mb"] = steps["python"][1]
        for before, after in pairwise(STEPS):
            values[f"rss_{after}_mb"] = steps[after][1] - steps[before][1]
        values["rss_all_mb"] = steps["use"][1]
        for name, value in values.items():
            samples.setdefault(name, []).append(value)
    return samples


def _child(path: Path, settings: Settings, owner: str, question: str) -> dict[str, tuple[float, float]]:
    """Step → (milliseconds, megabytes)."""
    command = [sys.executable, "-c", CHILD, str(path), owner, question]
    environment = os.environ | {
        f"{ENVIRONMENT_PREFIX}{section}__{name}".upper(): str(value)
        for section, values in as_table(settings).items()
        for name, value in values.items()
    }
    done = subprocess.run(
        command, env=environment, capture_output=True, encoding="utf-8", timeout=LONGEST_S, check=False
    )
    if done.returncode:
        problem = done.stderr.strip().rpartition("\n")[2] or f"it ended with {done.returncode}"
        raise InvalidInput(what="The bench's own process", problem=problem, hint="See: yinji doctor")
    steps: dict[str, tuple[float, float]] = json.loads(done.stdout)
    return steps


def machine() -> str:
    """What it ran on, in a line: numbers of different machines do not compare."""
    import psutil

    cores, memory = os.cpu_count(), psutil.virtual_memory().total / 1e9
    return (
        f"{platform.system()} {platform.machine()}, {cores} cores, {memory:.0f} GB, Python {platform.python_version()}"
    )
