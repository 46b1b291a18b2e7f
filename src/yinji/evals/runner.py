"""Runs an eval over the sets of a folder, each in a store of its own."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from yinji.config import Settings
from yinji.errors import InvalidInput, meant
from yinji.evals import (
    NAMES,
    compare,
    conflict,
    conversation,
    coref,
    entities,
    extract,
    gate,
    injection,
    recall_gate,
    retrieval,
    scenes,
    sensitive,
    time,
    update,
)
from yinji.evals.data import conversation_set, folders, resolve, retrieval_set
from yinji.evals.metrics import mean
from yinji.evals.report import Answer, Progress, Report, summarise
from yinji.evals.retrieval import Open

if TYPE_CHECKING:
    from yinji.engine import Memory
    from yinji.ports import Embedder

WORDS_ALONE = "none"


class MeasureLanguage(Protocol):
    def __call__(self, data: Path, *, limit: int | None, progress: Progress) -> Sequence[Answer]: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """What an eval found in some sets, before it is summed up."""

    answers: Sequence[Answer]
    extra: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Per set, numbers that no single question has."""
    warnings: Sequence[str] = ()


class Measure(Protocol):
    def __call__(self, data: Path, open_memory: Open, *, limit: int | None, progress: Progress) -> Measured: ...


def run_eval(
    name: str,
    data: Path | None,
    *,
    out: Path | None,
    against: Path | None,
    progress: Progress,
    limit: int | None,
    settings: Settings | None,
    embedder: Embedder | None,
    date: datetime | None,
) -> Report:
    """See :func:`yinji.evals.run`."""
    _check(name, limit)
    where, chosen = resolve(name, data), settings or Settings.load()
    if name in OF_LANGUAGE:  # no store, no model
        using = None
        measured = Measured(answers=OF_LANGUAGE[name](where, limit=limit, progress=progress))
    else:
        using = embedder or cached_embedder(chosen, progress)
        measured = MEASURES[name](where, opener(chosen, using), limit=limit, progress=progress)
    report = summarise(
        name,
        measured.answers,
        data=str(where),
        version=version(),
        model=using.card.id if using else WORDS_ALONE,
        date=(date or datetime.now(UTC)).strftime("%Y-%m-%d"),
        command=_command(name, where, limit),
        warnings=[*measured.warnings, *_warnings(measured.answers), *_sampled(limit)],
        extra=measured.extra,
    )
    if against is not None:
        report = replace(report, against=compare.compare(report, against))
    if out is not None:
        compare.write(report, out)
    return report


def plain_embedder(settings: Settings, progress: Progress) -> Embedder | None:
    """The embedder that the settings name; none where they ask for words alone."""
    if settings.embed.model == WORDS_ALONE:
        return None
    from yinji.adapters.catalogue import load_embedder

    return load_embedder(
        settings.embed.model,
        threads=settings.embed.threads,
        min_free_mb=settings.embed.min_free_mb,
        progress=lambda what, share: progress(what, round(share * 100), 100),
    )


def cached_embedder(settings: Settings, progress: Progress) -> Embedder | None:
    """The same, its vectors kept on disk."""
    from yinji.evals.cache import CachedEmbedder, cache_folder

    inner = plain_embedder(settings, progress)
    return None if inner is None else CachedEmbedder(inner, cache_folder())


def opener(settings: Settings, embedder: Embedder | None) -> Open:
    """Opens new stores with these settings."""
    from yinji import build

    def open_memory(path: Path) -> Memory:
        return build.memory(
            path,
            owner="eval",
            key=None,
            settings=settings,
            clock=None,
            progress=None,
            readonly=False,
            embedder=embedder,
        )

    return open_memory


def version() -> str:
    from importlib.metadata import version as installed

    return installed("yinji")


def _retrieval(data: Path, open_memory: Open, *, limit: int | None, progress: Progress) -> Measured:
    answers: list[Answer] = []
    warnings: list[str] = []
    for folder in folders(data, "memories.jsonl"):
        labelled = retrieval_set(folder)
        if without := sum(not one.gold for one in labelled.questions):
            warnings.append(f"{labelled.name}: {without} questions without gold were left out")
        answers += retrieval.measure(labelled, open_memory, limit=limit, progress=progress)
    return Measured(answers=answers, warnings=[*warnings, *_small_pools(answers)])


def _conversation(data: Path, open_memory: Open, *, limit: int | None, progress: Progress) -> Measured:
    found = {
        folder.name: conversation.measure(conversation_set(folder), open_memory, limit=limit, progress=progress)
        for folder in folders(data, "turns.jsonl")
    }
    return Measured(
        answers=[answer for one in found.values() for answer in one.answers],
        extra={name: {"memories_per_turn": one.memories_per_turn} for name, one in found.items()},
        warnings=[warning for one in found.values() for warning in one.warnings],
    )


def _conflict(data: Path, open_memory: Open, *, limit: int | None, progress: Progress) -> Measured:
    return Measured(answers=conflict.measure(data, open_memory, limit=limit, progress=progress))


def _recall_gate(data: Path, open_memory: Open, *, limit: int | None, progress: Progress) -> Measured:
    return Measured(answers=recall_gate.measure(data, open_memory, limit=limit, progress=progress))


def _update(data: Path, open_memory: Open, *, limit: int | None, progress: Progress) -> Measured:
    return Measured(answers=update.measure(data, open_memory, limit=limit, progress=progress))


MEASURES: Mapping[str, Measure] = {
    "retrieval": _retrieval,
    "conversation": _conversation,
    "conflict": _conflict,
    "recall_gate": _recall_gate,
    "update": _update,
}
OF_LANGUAGE: Mapping[str, MeasureLanguage] = {
    "sensitive": sensitive.measure,
    "gate": gate.measure,
    "extract": extract.measure,
    "time": time.measure,
    "coref": coref.measure,
    "entities": entities.measure,
    "injection": injection.measure,
    "scenes": scenes.measure,
}
"""What needs no store."""


def _check(name: str, limit: int | None) -> None:
    if name not in MEASURES and name not in OF_LANGUAGE:
        hint = meant(name, NAMES) or f"There are: {', '.join(NAMES)}."
        raise InvalidInput(what=f"The eval {name!r}", problem="there is none of that name", hint=hint)
    if limit is not None and limit < 1:
        raise InvalidInput(what="limit", problem=f"{limit} is less than 1", hint="Ask for at least one question.")


def _small_pools(answers: Sequence[Answer]) -> list[str]:
    """What R@k is without the questions whose pool is no larger than k, where it is nearly sure to be 1."""
    said = []
    for k in retrieval.CUTS:
        large = [one for one in answers if int(str(one.detail["pool"])) > k]
        if large and (small := len(answers) - len(large)):
            value, floor = (mean([side[f"r_at_{k}"] for side in sides]) for sides in _sides(large))
            said.append(
                f"{small} questions have no more than {k} texts to choose from; "
                f"r_at_{k} without them is {value:.3f} (BM25 {floor:.3f}, n = {len(large)})"
            )
    return said


def _sides(answers: Sequence[Answer]) -> tuple[list[Mapping[str, float]], list[Mapping[str, float]]]:
    return [one.values for one in answers], [one.floor for one in answers]


def _warnings(answers: Sequence[Answer]) -> list[str]:
    """What recalls warned of, each once with how often."""
    seen: dict[str, int] = {}
    for answer in answers:
        listed = answer.detail.get("warnings", [])
        for one in listed if isinstance(listed, list) else []:
            seen[str(one)] = seen.get(str(one), 0) + 1
    return [f"{warning} ({count} of {len(answers)} questions)" for warning, count in seen.items()]


def _sampled(limit: int | None) -> list[str]:
    return [] if limit is None else [f"at most {limit} questions of each set"]


def _command(name: str, data: Path, limit: int | None) -> str:
    words = ["yinji", "eval", name, "--data", str(data), *(["--limit", str(limit)] if limit else [])]
    return shlex.join(words)
