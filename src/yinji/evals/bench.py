"""How fast and how large it is here, beside a plain alternative in the same run (SPEC E3).

For each size a store is filled with generated Chinese and English memories, half and half, as the user told them.
Then, with the embedder itself (no cache): turns are written, questions asked, and processes started afresh. A number
is a median over its samples with their 5th and 95th percentile. ``recall_reading_ms`` is what it takes to read the best
memories beside the question; ``recall_without_models_ms`` leaves that out, and the embedding. The alternative is what
one would write in an afternoon: SQLite with FTS5 (``unicode61``) and a matrix of float32 vectors searched whole, fused
by reciprocal rank.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from yinji.config import Settings
from yinji.errors import InvalidInput
from yinji.evals import bench_alternative, bench_process, bench_texts
from yinji.evals.bench_reading import Timed
from yinji.evals.metrics import Estimate, percentile
from yinji.evals.report import Group, Progress, Report
from yinji.evals.runner import WORDS_ALONE, cached_embedder, opener, plain_embedder, version

if TYPE_CHECKING:
    from yinji.engine import Memory
    from yinji.ports import Embedder

SIZES = (1000, 10000)
OWNER = "bench"
STARTED = datetime(2025, 1, 6, 9, 0, tzinfo=UTC)
ACCEPTS = 50
TURNS = 30
QUESTIONS = 50
STARTS = 5
SEED = 20260302


def run(
    sizes: Sequence[int] = SIZES,
    *,
    progress: Progress | None = None,
    settings: Settings | None = None,
    embedder: Embedder | None = None,
    date: datetime | None = None,
) -> Report:
    """Measures each size. The first run embeds the memories and takes minutes; their vectors are kept on disk.

    ``embedder`` stands in for that of the settings. Raises InvalidInput for a size below 1.
    """
    for size in sizes:
        if size < 1:
            raise InvalidInput(what="size", problem=f"{size} is less than 1", hint="Give sizes such as 1000 10000.")
    chosen, heard = settings or Settings.load(), progress or (lambda what, done, total: None)
    using = embedder or plain_embedder(chosen, heard)
    filling = embedder or cached_embedder(chosen, heard)
    groups = {str(size): _measure(size, chosen, filling, using, heard) for size in sizes}
    return Report(
        eval="bench",
        data="zh + en",
        all=groups[str(sizes[-1])],
        paired={},
        by={"size": groups},
        version=version(),
        model=using.card.id if using else WORDS_ALONE,
        date=(date or datetime.now(UTC)).strftime("%Y-%m-%d"),
        command=f"yinji bench --sizes {','.join(map(str, sizes))}",
        warnings=(bench_process.machine(),),
    )


def estimate(samples: Sequence[float]) -> Estimate:
    """The median, and the 5th and 95th percentile."""
    low, middle, high = (percentile(samples, share) for share in (0.05, 0.5, 0.95))
    return Estimate(mean=middle, low=low, high=high, n=len(samples))


def _measure(
    size: int, settings: Settings, filling: Embedder | None, using: Embedder | None, progress: Progress
) -> Group:
    label = f"bench {size}"
    with TemporaryDirectory(prefix="yinji-bench-") as folder:
        path = Path(folder) / "bench.yinji"
        samples: dict[str, list[float]] = {}
        texts = bench_texts.texts(size, seed=SEED)
        with opener(settings, filling)(path) as memory:
            samples["import_ms"] = _fill(memory, texts, filling, lambda done: progress(label, done, size))
        samples["bytes_per_memory"] = [_bytes(Path(folder), path.name) / size]
        timed = Timed(using) if using is not None else None
        with opener(settings, timed)(path) as memory:
            samples |= _recalls(memory, timed)
            samples |= _writes(memory, size)
        samples |= bench_process.starts(path, settings, owner=OWNER, runs=STARTS, question=_questions()[0])
        other = bench_alternative.measure(
            Path(folder) / "alternative.sqlite3",
            texts,
            filling=filling,
            using=using,
            questions=_questions()[1 : QUESTIONS + 1],
            said=_said(size, TURNS),
        )
    found = {name: estimate(values) for name, values in samples.items()}
    return Group(
        n=size,
        overall={name: one.mean for name, one in found.items()},
        floor={name: percentile(values, 0.5) for name, values in other.items()},
        interval=found,
    )


def _fill(
    memory: Memory, texts: Sequence[str], filling: Embedder | None, progress: Callable[[int], None]
) -> list[float]:
    """Milliseconds a memory in each batch, with its vector from the cache."""
    taken = []
    step = max(1, min(500, len(texts) // 4))
    for start in range(0, len(texts), step):
        batch = list(_records(texts, range(start, min(start + step, len(texts)))))
        if filling is not None:
            filling.embed([texts[place] for place in range(start, start + len(batch))], purpose="passage")
        before = time.perf_counter()
        memory.import_(batch, owner=OWNER)
        taken.append((time.perf_counter() - before) * 1000 / len(batch))
        progress(start + len(batch))
    return taken


def _records(texts: Sequence[str], places: range) -> Iterator[Mapping[str, object]]:
    for place in places:
        at = (STARTED + timedelta(minutes=5 * place)).isoformat()
        source = {"turn_id": str(place), "session": "bench", "seq": place, "role": "user", "at": at}
        yield {
            "content": texts[place],
            "id": f"bench-{place}",
            "owner": OWNER,
            "kind": "fact",
            "layer": "semantic",
            "language": bench_texts.LANGUAGES[place % len(bench_texts.LANGUAGES)],
            "importance": 0.5,
            "confidence": 1.0,
            **dict.fromkeys(("created_at", "updated_at", "recorded_at"), at),
            "sources": [{**source, "start": 0, "end": len(texts[place]), "quote": texts[place]}],
        }


def _recalls(memory: Memory, timed: Timed | None) -> dict[str, list[float]]:
    """Each stage of a recall by itself, what reading takes of them, and a context."""
    samples: dict[str, list[float]] = {}
    first, *asked = _questions()
    memory.recall(first, owner=OWNER)
    for question in asked[::2]:
        read, before = timed.ms if timed else 0.0, time.perf_counter()
        found = memory.recall(question, owner=OWNER)
        whole, read = (time.perf_counter() - before) * 1000, (timed.ms if timed else 0.0) - read
        unembedded = whole - found.stages_ms.get("embed", 0.0)
        samples.setdefault("recall_ms", []).append(whole)
        samples.setdefault("recall_without_embedding_ms", []).append(unembedded)
        samples.setdefault("recall_without_models_ms", []).append(unembedded - read)
        samples.setdefault("recall_reading_ms", []).append(read)
        for stage, ms in found.stages_ms.items():
            samples.setdefault(f"recall_{stage}_ms", []).append(ms)
        samples.setdefault("recall_again_ms", []).append(_ms(partial(memory.recall, question, owner=OWNER)))
    for question in asked[1::2]:
        samples.setdefault("context_ms", []).append(_ms(partial(memory.context, question, owner=OWNER, used=False)))
    return samples


def _writes(memory: Memory, size: int) -> dict[str, list[float]]:
    """What a caller waits for, and what a turn takes until it is remembered."""
    accepted = [_ms(partial(memory.remember, said, owner=OWNER)) for said in _said(size, ACCEPTS)]
    memory.flush()
    whole = [_ms(partial(memory.remember, said, owner=OWNER, wait=True)) for said in _said(size + 1, TURNS)]
    return {"accept_ms": accepted, "turn_ms": whole}


def _ms(call: Callable[[], object]) -> float:
    before = time.perf_counter()
    call()
    return (time.perf_counter() - before) * 1000


def _questions() -> list[str]:
    """One to warm up with, and as many for recall as for context, none asked twice."""
    return bench_texts.questions(2 * QUESTIONS + 1, seed=SEED)


def _said(size: int, count: int) -> list[str]:
    return bench_texts.texts(count, seed=random.Random(SEED + size).randrange(1 << 30))


def _bytes(folder: Path, name: str) -> int:
    return sum(file.stat().st_size for file in folder.glob(f"{name}*"))
