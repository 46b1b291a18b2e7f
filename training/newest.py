"""Makes ``data/models/newest.json``: which of two answers to a question is over by the other (``recall/outlived.py``).

    python training/newest.py [--write]

Needs scikit-learn. Learned from ``data/newest`` (questions with values that somebody told one after the other, and
with answers that all hold) and from the worlds that ``tuned.py`` holds back: their questions, with what was told and
the news that ends some of it. Every figure printed is of groups that the model in use had not seen (five folds); the
point is set on one half of the groups, and what it costs and finds told of the other.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from tuned_data import DATA, LANGUAGES, World, worlds
from uuid_utils import uuid7

from yinji.adapters.catalogue import load_embedder
from yinji.model import MemoryEntry, Query, Scope, Verdict
from yinji.ownership.portability import from_minimal
from yinji.recall.analyse import analyse
from yinji.recall.breath import JOINER
from yinji.recall.newest import asks_for_now
from yinji.recall.outlived import FEATURES, Answers, comes_after, compared
from yinji.recall.read import PERHAPS

TARGET = Path(__file__).parent.parent / "src" / "yinji" / "data" / "models" / "newest.json"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
OLD, NEW, HOLDS, BESIDE = "-+=~"
"""What a line of ``data/newest`` tells: a value that is over, the one that holds, what holds whatever else is told,
and something near that is no answer."""
ENDS = frozenset({"update", "correct"})
UNTOLD = frozenset({"conflict", "retract", "duplicate"})
"""What news does to a memory of which it does not matter, or cannot be said, whether it is marked."""
STRANGE = 16
"""Blocks after it from which what is told is held beside what a block tells; nearly none of it answers."""
BREATHS = 2
"""Of four news of a world so many are taken as said in one breath, two and two."""
NEAREST = 14
"""Statements of a world that are read beside a question."""
RISKS = {"over": 0.015, "behind": 0.0125}
"""Share of the questions in which an answer that still holds may be marked, and may come after a newer one."""
FOLDS, C = 5, 0.3

NOW_ASKED: Mapping[str, Callable[[str], str]] = {
    "zh": lambda question: f"\u73b0\u5728{question}",
    "en": lambda question: question.replace("?", " now?"),
}

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Pair:
    """An older and a newer statement that may answer a question; ``group``: the life or the block they are of."""

    language: str
    group: str
    question: str
    old: str
    new: str
    said: str
    """The newer with what was said in the same breath."""
    over: bool


@dataclass(frozen=True, kw_only=True)
class Scores:
    """What the tuned layers tell of a pair."""

    odds: tuple[float, float]
    verdicts: tuple[float, ...]
    ends: tuple[float, float]
    """By the newer alone, and as it was said."""


# ------------------------------------------------------------------- data


def told(language: str) -> Iterator[Pair]:
    """The pairs of ``data/newest``, and what holds beside values of the blocks after it; where a value changed, its
    question is also asked with "now". Of what was said in one breath each statement may be taken for the answer."""
    blocks = _blocks(language)
    for number, (question, lines) in enumerate(blocks):
        changed = any(kind == OLD for kind, _ in lines)
        others = [line for _, told in (blocks * 2)[number + 1 :][:STRANGE] for line in told if line[0] == NEW]
        pairs = list(_pairs_of(lines, others))
        for asked in (question, NOW_ASKED[language](question))[: 1 + changed]:
            for old, new, over in pairs:
                for one in new.split(JOINER):
                    group = f"newest {language} {number}"
                    yield Pair(language=language, group=group, question=asked, old=old, new=one, said=new, over=over)


def _pairs_of(lines: Sequence[tuple[str, str]], others: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str, bool]]:
    """(older, newer, whether the older is over)"""
    for (first, old), (then, new) in permutations(enumerate(lines), 2):
        over = _over(old[0], new[0], later=first < then)
        if over is not None:
            yield old[1], new[1], over
    for old, new in product(lines, others):
        if old[0] in (NEW, HOLDS):
            yield old[1], new[1], False


def _blocks(language: str) -> list[tuple[str, list[tuple[str, str]]]]:
    blocks: list[tuple[str, list[tuple[str, str]]]] = []
    for line in (DATA / "newest" / f"{language}.txt").read_text(encoding="utf-8").splitlines():
        kind, _, text = line.partition(" ")
        if kind == "?":
            blocks.append((text, []))
        else:
            blocks[-1][1].append((kind, text))
    return blocks


def _over(old: str, new: str, *, later: bool) -> bool | None:
    """Whether what is of the one sort is over by what is of the other; None where nothing can be said."""
    if old == OLD:
        return True if later and new in (OLD, NEW) else None
    if old == BESIDE or (old == NEW and new == OLD):
        return None
    return False


def of_worlds(embedder: Any) -> Iterator[Pair]:
    """What may answer the questions of held-back worlds, an older and a newer each."""
    for language in LANGUAGES:
        for world in worlds(language):
            if world.held:
                yield from _of_world(world, embedder)


def _of_world(world: World, embedder: Any) -> Iterator[Pair]:
    texts = [*world.memories, *(text for text, _ in world.news)]
    vectors = np.asarray(embedder.embed(texts, purpose="passage"))
    asked = np.asarray(embedder.embed([text for text, _ in world.questions], purpose="query"))
    for (question, answers), near in zip(world.questions, asked @ vectors.T, strict=True):
        if not asks_for_now(_query(question)):
            continue
        likely = [int(at) for at in np.argsort(-near)[:NEAREST]]
        odds = embedder.discern([(question, texts[at]) for at in likely], ("answers",))["answers"]
        may = sorted(at for at, (one,) in zip(likely, odds, strict=True) if one >= PERHAPS)
        for old, new in ((old, new) for old in may for new in may if old < new):
            breath = _breath(world, new)
            told = [_ended(world, old, one, answers) for one in breath if one > old]
            if None not in told:
                yield Pair(
                    language=world.language,
                    group=world.name,
                    question=question,
                    old=texts[old],
                    new=texts[new],
                    said=JOINER.join(texts[one] for one in breath),
                    over=any(told),
                )


def _breath(world: World, new: int) -> tuple[int, ...]:
    """The news as if every other was said in one breath with the one after it, what a world holds alone."""
    number = new - len(world.memories)
    other = number ^ 1
    if number < 0 or number % 4 >= BREATHS or other >= len(world.news):
        return (new,)
    return tuple(sorted((new, len(world.memories) + other)))


def _ended(world: World, old: int, new: int, answers: Mapping[int, str]) -> bool | None:
    """Whether the older is over by the newer; None where the world does not say, or where the older is no answer."""
    touched = world.news[new - len(world.memories)][1].get(old, "") if new >= len(world.memories) else ""
    if touched in ENDS:
        return True
    return None if touched in UNTOLD or old not in answers else False


def asked_of_worlds() -> list[tuple[str, str]]:
    """Each question about now that something answers, with the world it is of."""
    held = [world for language in LANGUAGES for world in worlds(language) if world.held]
    every = [(world.name, text) for world in held for text, answers in world.questions if answers]
    return [one for one in every if asks_for_now(_query(one[1]))]


def scored(pairs: Sequence[Pair], embedder: Any) -> list[tuple[Pair, Scores]]:
    """Those of which both may answer, as only such meet."""
    read = sorted({(one.question, text) for one in pairs for text in (one.old, one.new)})
    answers = dict(zip(read, embedder.discern(read, ("answers",))["answers"][:, 0].tolist(), strict=True))
    odds = [(answers[one.question, one.old], answers[one.question, one.new]) for one in pairs]
    met = [(one, both) for one, both in zip(pairs, odds, strict=True) if min(both) >= PERHAPS]
    between = embedder.discern([(one.old, one.new) for one, _ in met], ("relation", "ends"))
    said = embedder.discern([(one.old, one.said) for one, _ in met], ("ends",))["ends"][:, 0].tolist()
    return [
        (one, Scores(odds=both, verdicts=tuple(verdicts.tolist()), ends=(float(ends), whole)))
        for (one, both), verdicts, (ends,), whole in zip(met, between["relation"], between["ends"], said, strict=True)
    ]


def measured(pair: Pair, scores: Scores) -> dict[str, float]:
    query = _query(pair.question)
    answers = Answers(old=_memory(pair.old), new=_memory(pair.new), odds=scores.odds, said=pair.said)
    verdicts = {one.value: score for one, score in zip(Verdict, scores.verdicts, strict=True)}
    return compared(query, answers, verdicts, scores.ends)


def _query(text: str) -> Query:
    return analyse(text, scope=Scope(owner="me"), now=NOW, past=False, language=None)


def _memory(content: str) -> MemoryEntry:
    record = {"content": content, "at": (NOW - timedelta(days=1)).isoformat(), "id": "1"}
    return from_minimal(record, owner="me", now=NOW, new_id=lambda: str(uuid7()), line=1)


# ---------------------------------------------------------------- fitting


def fit(rows: Floats, over: Floats, weights: Floats) -> LogisticRegression:
    return LogisticRegression(C=C, max_iter=5000).fit(rows, over, sample_weight=weights)


def unseen(rows: Floats, over: Floats, weights: Floats, groups: Sequence[str]) -> Floats:
    """The log-odds of each by a model that saw nothing of its group."""
    fold = np.array([zlib.crc32(one.encode()) % FOLDS for one in groups])
    found = np.zeros(len(rows))
    for at in range(FOLDS):
        model = fit(rows[fold != at], over[fold != at], weights[fold != at])
        found[fold == at] = model.decision_function(rows[fold == at])
    return found


def weighed(pairs: Sequence[Pair]) -> Floats:
    """Both sources alike, and in each what is over and what holds."""
    kinds = [(one.group.startswith("newest"), one.over) for one in pairs]
    return np.array([len(kinds) / 4 / kinds.count(one) for one in kinds])


def worst(pairs: Sequence[Pair], odds: Floats) -> dict[tuple[str, str], float]:
    """For each question of a world the highest log-odds of an answer that still holds."""
    found: dict[tuple[str, str], float] = {}
    for one, score in zip(pairs, odds, strict=True):
        if not one.over and not one.group.startswith("newest"):
            key = (one.group, one.question)
            found[key] = max(score, found.get(key, -np.inf))
    return found


def point(pairs: Sequence[Pair], odds: Floats, questions: int, risk: float) -> float:
    """The log-odds from which at most that share of so many questions have an answer touched that holds."""
    highest = sorted(worst(pairs, odds).values(), reverse=True)
    return highest[int(risk * questions)] + 1e-6


def _where(pairs: Sequence[Pair], chosen: NDArray[np.bool_]) -> list[Pair]:
    return [one for one, wanted in zip(pairs, chosen, strict=True) if wanted]


def asked(questions: Sequence[tuple[str, str]], half: int) -> int:
    """How many of the questions are of that half; each with the group that it is of."""
    return sum(_half(group) == half for group, _ in questions)


def _half(group: str) -> int:
    return zlib.crc32(f"half {group}".encode()) % 2


def report(name: str, pairs: Sequence[Pair], odds: Floats, least: float, questions: int) -> None:
    """What a point costs and finds."""
    wrong = sum(score >= least for score in worst(pairs, odds).values())
    print(f"{name} {least:.2f}: of {questions} questions of worlds {wrong} have an answer touched that holds")
    for language in LANGUAGES:
        for newest in (True, False):
            own = np.array([one.language == language and one.group.startswith("newest") == newest for one in pairs])
            over = np.array([one.over for one in pairs])
            found, false = odds[own & over] >= least, odds[own & ~over] >= least
            source = "newest" if newest else "worlds"
            print(
                f"  {source} {language}: {found.mean():.3f} of {len(found)}, wrongly {false.mean():.3f} of {len(false)}"
            )


def make(met: Sequence[tuple[Pair, Scores]], questions: Sequence[tuple[str, str]]) -> dict[str, Any]:
    pairs, scores = [one for one, _ in met], [one for _, one in met]
    told = [measured(pair, one) for pair, one in zip(pairs, scores, strict=True)]
    rows = np.array([[features[name] for name in FEATURES] for features in told])
    over, weights = np.array([float(one.over) for one in pairs]), weighed(pairs)
    odds = unseen(rows, over, weights, [one.group for one in pairs])
    counted = {"over": odds, "behind": np.where([comes_after(one) for one in told], odds, -np.inf)}
    half = np.array([_half(one.group) for one in pairs])
    points: dict[str, float] = {}
    for name, risk in RISKS.items():
        of = counted[name]
        points[name] = point(_where(pairs, half == 0), of[half == 0], asked(questions, 0), risk)
        report(name, _where(pairs, half == 1), of[half == 1], points[name], asked(questions, 1))
    model = fit(rows, over, weights)
    weighing = {name: round(float(one), 4) for name, one in zip(FEATURES, model.coef_[0], strict=True)}
    bias = round(float(model.intercept_[0]), 4)
    return {"bias": bias, "weights": weighing, **{name: round(least, 2) for name, least in points.items()}}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    to_write = parser.parse_args().write
    embedder = load_embedder("e5-small")
    pairs = [*(one for language in LANGUAGES for one in told(language)), *of_worlds(embedder)]
    held = [world for language in LANGUAGES for world in worlds(language) if world.held]
    questions = [
        (world.name, text)
        for world in held
        for text, answers in world.questions
        if answers and asks_for_now(_query(text))
    ]
    made = make(pairs, scored(pairs, embedder), questions)
    if to_write:
        TARGET.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
