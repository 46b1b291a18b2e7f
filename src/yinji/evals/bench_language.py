"""How fast the language layer reads a turn of some sixty characters, whole and by part, and what it needs to start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from tempfile import TemporaryDirectory

from yinji.errors import InvalidInput
from yinji.evals import bench_process, bench_texts
from yinji.evals.bench import estimate
from yinji.evals.report import Group, Progress, Report
from yinji.evals.runner import WORDS_ALONE, version
from yinji.language import sensitive
from yinji.language.dates import find_times
from yinji.language.entities import find_entities
from yinji.language.memo import forget
from yinji.language.text import detect, terms
from yinji.remember.clean import clean

AT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
LONGEST = 60
TURNS = 200
STARTS = 5
WARM = 20
SEED = 20260303
LONGEST_S = 60.0
PARTS: Mapping[str, Callable[[str, str], object]] = {
    "detect_ms": lambda text, language: detect(text),
    "sensitive_ms": lambda text, language: sensitive.mask(text),
    "clean_ms": clean,
    "terms_ms": lambda text, language: terms(text),
    "times_ms": lambda text, language: find_times(text, at=AT, language=language),
    "entities_ms": lambda text, language: find_entities(text, language=language),
}
# Prints the milliseconds from the interpreter's start to the imports and to the first text read.
CHILD = """
import json, sys, time
began = time.perf_counter()
from datetime import datetime, timezone
from yinji.language import sensitive
from yinji.language.dates import find_times
from yinji.language.entities import find_entities
from yinji.language.text import detect, terms
from yinji.remember.clean import clean
imported = time.perf_counter()
text, language = sys.argv[1:]
detect(text), sensitive.mask(text), clean(text, language), terms(text)
find_times(text, at=datetime(2026, 3, 2, 9, tzinfo=timezone.utc), language=language)
find_entities(text, language=language)
print(json.dumps([(imported - began) * 1000, (time.perf_counter() - imported) * 1000]))
"""


def run(*, progress: Progress | None = None, turns: int = TURNS, date: datetime | None = None) -> Report:
    """Milliseconds as medians with their 5th and 95th percentile; every text is read once by each part."""
    heard = progress or (lambda what, done, total: None)
    groups = {name: _measured(name, turns, heard) for name in bench_texts.LANGUAGES}
    return Report(
        eval="bench",
        data="language layer",
        all=groups["zh"],
        paired={},
        by={"size": groups},
        version=version(),
        model=WORDS_ALONE,
        date=(date or datetime.now(UTC)).strftime("%Y-%m-%d"),
        command="yinji bench --language",
        warnings=(bench_process.machine(),),
    )


def read(text: str, language: str) -> None:
    """All that the language layer does with a turn."""
    for part in PARTS.values():
        part(text, language)


def _measured(language: str, turns: int, progress: Progress) -> Group:
    said = list(_turns(language, 2 * turns + WARM))
    for text in said[:WARM]:
        read(text, language)
    samples = {"whole_ms": [_ms(partial(read, text, language)) for text in said[WARM : WARM + turns]]}
    for name, part in PARTS.items():
        samples[name] = [_ms(partial(part, text, language)) for text in said[WARM + turns :]]
        progress(f"bench {language}", len(samples) - 1, len(PARTS))
        forget()
    samples["characters"] = [float(len(text)) for text in said]
    samples |= _starts(said[0], language)
    found = {name: estimate(values) for name, values in samples.items()}
    return Group(n=turns, overall={name: one.mean for name, one in found.items()}, floor={}, interval=found)


def _turns(language: str, count: int) -> Iterator[str]:
    """Sentences put together until the next would be too long."""
    text, made = "", 0
    for one in _sentences(language, 4 * count):
        if text and len(text) + len(one) > LONGEST:
            yield text
            text, made = "", made + 1
        if made == count:
            return
        text = f"{text}{'' if language == 'zh' or not text else ' '}{one}"


def _sentences(language: str, count: int) -> Sequence[str]:
    at = bench_texts.LANGUAGES.index(language)
    return bench_texts.texts(len(bench_texts.LANGUAGES) * count, seed=SEED)[at :: len(bench_texts.LANGUAGES)]


def _ms(call: Callable[[], object]) -> float:
    before = time.perf_counter()
    call()
    return (time.perf_counter() - before) * 1000


def _starts(text: str, language: str) -> dict[str, list[float]]:
    """With the bytecode that an installation has: a first run writes it, and is not counted."""
    with TemporaryDirectory() as bytecode:
        runs = [_child(text, language, bytecode) for _ in range(STARTS + 1)][1:]
    return {"start_import_ms": [run[0] for run in runs], "start_first_ms": [run[1] for run in runs]}


def _child(text: str, language: str, bytecode: str) -> tuple[float, float]:
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", CHILD, text, language],
        capture_output=True,
        encoding="utf-8",
        timeout=LONGEST_S,
        check=False,
        env={**inherited, "PYTHONPYCACHEPREFIX": bytecode},
    )
    if done.returncode:
        problem = done.stderr.strip().rpartition("\n")[2] or f"it ended with {done.returncode}"
        raise InvalidInput(what="The bench's own process", problem=problem, hint="See: yinji doctor")
    imported, first = json.loads(done.stdout)
    return imported, first
