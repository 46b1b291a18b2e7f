"""Counts and times in the text form that Prometheus reads (SPEC S6). No label ever names an owner or holds words."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from yinji.engine import Memory
from yinji.errors import QueueFull, YinjiError
from yinji.interfaces.operations import Counted, Outcomes
from yinji.model import Context, MemoryEntry, Recall, Remembered, Stats, Validity
from yinji.recall.budget import estimate_tokens

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Seconds; what is slower than the last is counted too."""
STALE_S = 30.0
"""How old the counts of what is kept may be: they are read from the store, owner by owner."""
SAMPLE = 50
"""Memories of an owner by which all of them are measured."""
ALARM = 0.8
"""Share of the queue's limit from which on the alarm is raised."""

Labels = tuple[tuple[str, str], ...]

HELP: Mapping[str, tuple[str, str]] = {
    "yinji_http_requests_total": ("counter", "Requests answered, by route and status."),
    "yinji_http_request_seconds": ("histogram", "From a request to the end of its answer."),
    "yinji_operations_total": ("counter", "Operations through any door, by how they ended (ok, or an error's code)."),
    "yinji_operation_seconds": ("histogram", "Time of an operation itself."),
    "yinji_recall_stage_seconds": ("histogram", "Time of each stage of a recall."),
    "yinji_recalls_total": ("counter", "Recalls and contexts made."),
    "yinji_recalls_hit_total": ("counter", "Those that found something: over the total, the hit rate."),
    "yinji_recalled_memories_total": ("counter", "Memories that recalls and contexts gave."),
    "yinji_used_memories_total": ("counter", "Memories that an answer was built on: over those given, the use rate."),
    "yinji_context_tokens_total": ("counter", "Tokens of the contexts made."),
    "yinji_tokens_saved_total": (
        "counter",
        "Tokens that telling all that is known would have taken beyond the contexts made; from a sample of it.",
    ),
    "yinji_turns_accepted_total": ("counter", "Turns taken."),
    "yinji_turns_repeated_total": ("counter", "Turns that had been taken before."),
    "yinji_turns_refused_total": ("counter", "Requests refused because the queue was full."),
    "yinji_corrected_memories_total": ("counter", "Memories that a user edited."),
    "yinji_forgotten_memories_total": ("counter", "Operations that hid or erased memories."),
    "yinji_proxy_chats_total": ("counter", "Chats through the proxy, by what memory had for them."),
    "yinji_proxy_memory_seconds": ("histogram", "Time that a chat through the proxy waited for memory."),
    "yinji_proxy_added_tokens_total": ("counter", "Tokens that memory put into chats, by the stated estimate."),
    "yinji_proxy_turns_total": (
        "counter",
        "Turns of chats, by what became of them; a late one counts again when it is done.",
    ),
    "yinji_proxy_model_failures_total": ("counter", "Chats and other requests that the model's server let down."),
    "yinji_queue_depth": ("gauge", "Accepted turns that wait to be read."),
    "yinji_queue_limit": ("gauge", "Depth from which on turns are refused."),
    "yinji_queue_alarm": ("gauge", "1 while the depth is over four fifths of the limit."),
    "yinji_memories": ("gauge", "Memories kept, by validity."),
    "yinji_correction_ratio": ("gauge", "Memories that a later statement ended (superseded, retracted) over all kept."),
    "yinji_memories_by_kind": ("gauge", "Memories kept, by kind."),
    "yinji_memories_hidden": ("gauge", "Memories that were softly deleted."),
    "yinji_memories_without_vector": ("gauge", "Memories found by words alone."),
    "yinji_drops": ("gauge", "Pieces of turns that were not kept, by reason, while the buffer remembers them."),
    "yinji_gate_keep_ratio": ("gauge", "Memories kept over pieces read, of what the store still remembers."),
    "yinji_turns": ("gauge", "Turns that the store remembers."),
    "yinji_turns_failed": ("gauge", "Turns that could not be read."),
    "yinji_llm_calls": ("gauge", "Turns that a language model was asked about, of all that is kept."),
    "yinji_llm_cost": ("gauge", "What those calls cost, at llm.price_per_call each."),
    "yinji_owners": ("gauge", "Owners with something kept."),
    "yinji_store_bytes": ("gauge", "Size of the store's files."),
    "yinji_resident_bytes": ("gauge", "Memory of this process."),
}


class Metrics:
    """What happened since the server started. Thread-safe."""

    def __init__(self, *, now: Callable[[], float], price_per_call: float = 0.0) -> None:
        self._now = now
        self._price = price_per_call
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, Labels]] = Counter()
        self._times: defaultdict[tuple[str, Labels], list[int]] = defaultdict(lambda: [0] * (len(BUCKETS) + 1))
        self._sums: defaultdict[tuple[str, Labels], float] = defaultdict(float)
        self._shown: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
        """By owner: contexts since somebody looked, and their tokens."""
        self._kept: tuple[float, dict[tuple[str, Labels], float]] | None = None

    def answered(self, route: str, status: int, seconds: float) -> None:
        with self._lock:
            self._counts["yinji_http_requests_total", (("route", route), ("status", str(status)))] += 1
            self._time("yinji_http_request_seconds", (("route", route),), seconds)

    def observe(self, operation: str, made: object, seconds: float) -> None:
        """Counts an operation and what its value tells."""
        how = made.code if isinstance(made, YinjiError) else "ok"
        with self._lock:
            self._counts["yinji_operations_total", (("operation", operation), ("outcome", how))] += 1
            self._time("yinji_operation_seconds", (("operation", operation),), seconds)
            for name, amount in _told_by(operation, made):
                self._counts[name, ()] += amount
            if isinstance(made, Context) and made.hits:
                shown = self._shown[made.hits[0].memory.owner]
                shown[0] += 1
                shown[1] += made.tokens
            if isinstance(made, Recall):
                for stage, ms in made.stages_ms.items():
                    self._time("yinji_recall_stage_seconds", (("stage", stage),), ms / 1000)

    def count(self, name: str, amount: int = 1, **labels: str) -> None:
        with self._lock:
            self._counts[name, tuple(sorted(labels.items()))] += amount

    def took(self, name: str, seconds: float, **labels: str) -> None:
        with self._lock:
            self._time(name, tuple(sorted(labels.items())), seconds)

    def page(self, memory: Memory, *, depth: int, limit: int) -> str:
        """All of it as text. Reads the store, so not from an event loop."""
        gauges: dict[tuple[str, Labels], float] = {
            ("yinji_queue_depth", ()): depth,
            ("yinji_queue_limit", ()): limit,
            ("yinji_queue_alarm", ()): float(alarming(depth, limit)),
            ("yinji_resident_bytes", ()): _resident(),
            **self._of_store(memory),
        }
        self._count_saved(memory)
        with self._lock:
            lines = [*_samples({**self._counts, **gauges}), *self._histograms()]
        return "\n".join(_with_help(lines)) + "\n"

    def _count_saved(self, memory: Memory) -> None:
        with self._lock:
            shown = dict(self._shown)
            self._shown.clear()
        saved = sum(
            max(contexts * _tokens_of_all(memory, owner) - tokens, 0) for owner, (contexts, tokens) in shown.items()
        )
        if shown:
            self.count("yinji_tokens_saved_total", saved)

    def _time(self, name: str, labels: Labels, seconds: float) -> None:
        self._times[name, labels][bisect_left(BUCKETS, seconds)] += 1
        self._sums[name, labels] += seconds

    def _histograms(self) -> Iterable[tuple[str, str]]:
        for (name, labels), buckets in sorted(self._times.items()):
            total = 0
            for bound, count in zip((*map(str, BUCKETS), "+Inf"), buckets, strict=True):
                total += count
                yield name, f"{name}_bucket{_shown((*labels, ('le', bound)))} {total}"
            yield name, f"{name}_sum{_shown(labels)} {self._sums[name, labels]:.6f}"
            yield name, f"{name}_count{_shown(labels)} {total}"

    def _of_store(self, memory: Memory) -> dict[tuple[str, Labels], float]:
        """What is kept, at most STALE_S old."""
        now = self._now()
        if self._kept is None or now - self._kept[0] > STALE_S:
            made = _kept([memory.stats(owner=owner) for owner in memory.owners()])
            if (calls := made["yinji_llm_calls", ()]) and self._price:
                made["yinji_llm_cost", ()] = calls * self._price
            self._kept = now, made
        return self._kept[1]


def alarming(depth: int, limit: int) -> bool:
    return depth >= ALARM * limit


def _told_by(operation: str, made: object) -> Iterable[tuple[str, int]]:
    match made:
        case Recall() | Context():
            yield "yinji_recalls_total", 1
            yield "yinji_recalls_hit_total", int(bool(made.hits))
            yield "yinji_recalled_memories_total", len(made.hits)
            if isinstance(made, Context):
                yield "yinji_context_tokens_total", made.tokens
        case Remembered() if operation == "remember":
            yield from _taken([made])
        case Outcomes():
            yield from _taken(made.outcomes)
        case Counted():
            yield "yinji_used_memories_total", made.used
        case QueueFull():
            yield "yinji_turns_refused_total", 1
        case MemoryEntry() if operation == "edit":
            yield "yinji_corrected_memories_total", 1
        case _ if operation == "forget" and not isinstance(made, YinjiError):
            yield "yinji_forgotten_memories_total", 1


def _taken(outcomes: Sequence[Remembered]) -> Iterable[tuple[str, int]]:
    repeated = sum(one.repeated for one in outcomes)
    yield "yinji_turns_accepted_total", len(outcomes) - repeated
    yield "yinji_turns_repeated_total", repeated


def _kept(all_stats: Sequence[Stats]) -> dict[tuple[str, Labels], float]:
    """The counts of all owners together."""
    made: Counter[tuple[str, Labels]] = Counter()
    for stats in all_stats:
        for name, label, counts in (
            ("yinji_memories", "validity", stats.by_validity),
            ("yinji_memories_by_kind", "kind", stats.by_kind),
            ("yinji_drops", "reason", stats.drops),
        ):
            for value, count in counts.items():
                made[name, ((label, value),)] += count
        made["yinji_memories_hidden", ()] += stats.hidden
        made["yinji_memories_without_vector", ()] += stats.without_vector
        made["yinji_turns", ()] += stats.turns
        made["yinji_turns_failed", ()] += stats.failed
    made["yinji_llm_calls", ()] = sum(one.model_calls for one in all_stats)
    kept = sum(one.memories + one.hidden for one in all_stats)
    dropped = sum(sum(one.drops.values()) for one in all_stats)
    ratio: dict[tuple[str, Labels], float] = {}
    shown = sum(one.memories for one in all_stats)
    if shown:
        ended = sum(one.by_validity.get(Validity.SUPERSEDED, 0) for one in all_stats)
        ended += sum(one.by_validity.get(Validity.RETRACTED, 0) for one in all_stats)
        ratio["yinji_correction_ratio", ()] = ended / shown
    if kept + dropped:
        ratio["yinji_gate_keep_ratio", ()] = kept / (kept + dropped)
    size = all_stats[0].file_bytes if all_stats else 0
    return {**made, **ratio, ("yinji_owners", ()): len(all_stats), ("yinji_store_bytes", ()): size}


def _tokens_of_all(memory: Memory, owner: str) -> int:
    """What all that holds of an owner would take in a prompt, by its newest SAMPLE."""
    newest = memory.list(owner=owner, limit=SAMPLE)
    if not newest:
        return 0
    each = sum(estimate_tokens(one.content) for one in newest) / len(newest)
    return round(each * memory.stats(owner=owner).by_validity.get(Validity.CURRENT, 0))


def _samples(values: Mapping[tuple[str, Labels], float]) -> Iterable[tuple[str, str]]:
    for (name, labels), value in sorted(values.items()):
        yield (
            name,
            f"{name}{_shown(labels)} {value:g}" if isinstance(value, float) else f"{name}{_shown(labels)} {value}",
        )


def _shown(labels: Labels) -> str:
    pairs = ",".join(f'{name}="{_escaped(value)}"' for name, value in labels)
    return f"{{{pairs}}}" if pairs else ""


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _with_help(lines: Iterable[tuple[str, str]]) -> Iterable[str]:
    last = ""
    for name, line in sorted(lines, key=lambda one: one[0]):
        if name != last:
            kind, text = HELP[name]
            yield f"# HELP {name} {text}"
            yield f"# TYPE {name} {kind}"
            last = name
        yield line


def _resident() -> int:
    import psutil

    size: int = psutil.Process().memory_info().rss
    return size
