"""How well stored texts are found: each owner's texts go in as they are, in time order, then the questions come.

R@k is turn-level: ``|gold ∩ top k| / |gold|``, mean over questions. Where an owner has no more than k texts it
says little; a warning tells how many such questions there are and what it is without them. MRR and nDCG look at
the first ten. The time is that of ``recall`` without embedding the question, whose vector the evals' cache keeps.

A text is stored with its speaker before it, but not when that is "user": the memory's owner needs no name.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeAlias

from yinji.errors import InvalidInput
from yinji.evals import floor
from yinji.evals.data import Question, RetrievalSet, StoredText, sample
from yinji.evals.metrics import ndcg_at, recall_at, reciprocal_rank
from yinji.evals.report import Answer, Progress
from yinji.language.text import detect

if TYPE_CHECKING:
    from yinji.engine import Memory
    from yinji.model import Hit, Recall

Open: TypeAlias = Callable[[Path], "Memory"]
"""Makes a new memory at a path."""

CUTS = (1, 5, 10)
DEPTH = 10
PREFIX = "yinji-eval-"
STORE = "eval.yinji"
UNNAMED = ("", "user")


def measure(labelled: RetrievalSet, open_memory: Open, *, limit: int | None, progress: Progress) -> list[Answer]:
    """An answer for each question that has gold, in the set's order."""
    questions = sample([one for one in labelled.questions if one.gold], limit)
    texts = _by_owner(labelled.texts, {one.owner for one in questions})
    answers: dict[str, Answer] = {}
    with TemporaryDirectory(prefix=PREFIX) as folder, open_memory(Path(folder) / STORE) as memory:
        stored = sum(map(len, texts.values()))

        def heard(done: int) -> None:
            progress(labelled.name, done, stored + len(questions))

        _store(memory, labelled.name, texts, heard)
        for owner, owned in texts.items():
            words = floor.index([spoken(text) for text in owned])
            for question in (one for one in questions if one.owner == owner):
                ranked = [owned[at].id for at, _ in floor.search(words, question.text, DEPTH)]
                answers[question.id] = _ask(memory, question, labelled.name, ranked, pool=len(owned))
                heard(stored + len(answers))
    return [answers[question.id] for question in questions]


def spoken(text: StoredText) -> str:
    """A text as it is stored."""
    return f"{text.speaker}: {text.text}" if text.speaker not in UNNAMED else text.text


def values_of(ranked: Sequence[Set[str]], gold: Sequence[Set[str]]) -> dict[str, float]:
    """The ranking metrics of one question."""
    shares = {f"r_at_{k}": recall_at(ranked, gold, k) for k in CUTS}
    return shares | {"mrr": reciprocal_rank(ranked[:DEPTH], gold), "ndcg_at_10": ndcg_at(ranked, gold, DEPTH)}


def timed(call: Callable[[], Recall]) -> tuple[Recall, float]:
    """What a recall gives, and the milliseconds it took without embedding the question."""
    started = time.perf_counter()
    found = call()
    return found, (time.perf_counter() - started) * 1000 - found.stages_ms.get("embed", 0.0)


def shown(hit: Hit) -> dict[str, object]:
    """A hit as ``--out`` writes it."""
    return {
        "sources": [source.turn_id for source in hit.memory.sources],
        "score": round(hit.score, 4),
        "content": hit.memory.content,
        "why": hit.why,
        "paths": [{"path": one.path, "rank": one.rank, "score": round(one.score, 4)} for one in hit.paths],
    }


def _by_owner(texts: Sequence[StoredText], owners: Set[str]) -> dict[str, list[StoredText]]:
    found: dict[str, list[StoredText]] = {}
    for text in sorted(texts, key=lambda one: one.at):
        if text.owner in owners:
            found.setdefault(text.owner, []).append(text)
    return found


def _store(memory: Memory, name: str, texts: Mapping[str, Sequence[StoredText]], heard: Callable[[int], None]) -> None:
    done = 0
    for owner, owned in texts.items():
        outcome = memory.import_(_records(owned), owner=owner)
        for number, problem in outcome.errors:
            raise InvalidInput(what=f"{name}: {owned[number - 1].id}", problem=problem, hint="Check memories.jsonl.")
        done += len(owned)
        heard(done)


def _records(texts: Sequence[StoredText]) -> Iterator[Mapping[str, object]]:
    for text in texts:
        named = {"session": text.session, "speaker": "" if text.speaker in UNNAMED else text.speaker}
        yield {"content": text.text, "at": text.at.isoformat(), "id": text.id} | {k: v for k, v in named.items() if v}


def _ask(memory: Memory, question: Question, name: str, words: Sequence[str], *, pool: int) -> Answer:
    found, ms = timed(lambda: memory.recall(question.text, DEPTH, owner=question.owner, now=question.asked_at))
    ranked = [frozenset(source.turn_id for source in hit.memory.sources) for hit in found]
    return Answer(
        set=name,
        id=question.id,
        text=question.text,
        lang=detect(question.text),
        category=question.category,
        type=question.type,
        split=question.split,
        values=values_of(ranked, question.gold) | {"ms": ms},
        floor=values_of([frozenset({one}) for one in words], question.gold),
        detail={
            "pool": pool,
            "gold": [sorted(group) for group in question.gold],
            "ranked": [shown(hit) for hit in found],
            "floor_ranked": list(words),
            "warnings": list(found.warnings),
        },
    )
