"""Makes ``data/models/confidence.json``: how likely it is that what was found answers (src/yinji/recall/confidence.py).

    python training/confidence.py [--data FOLDER] [--write]

Needs scikit-learn. Answered: questions of sets whose licence allows it, and of this project's own (dev halves), the
own ones through the whole pipeline. Never said: the same questions with their gold hidden, the same asked of another
owner, those that the own sets know as unanswerable (dev), and ``training/data/confidence``; where the best are read,
also the worlds that ``tuned.py`` holds back, with what nobody told in them. Every figure printed is of questions that
the model in use had not seen (five folds by question).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from ranker import FOLDS, MODELS, OWN, ROOT, Stores, fold_of, sets
from sklearn.linear_model import LogisticRegression
from tuned_data import LANGUAGES, SORTS, World, worlds
from uuid_utils import uuid7

from yinji.build import Memory
from yinji.config import Settings
from yinji.evals import conversation
from yinji.evals.data import Question, conversation_set
from yinji.evals.runner import cached_embedder, opener
from yinji.language.text import detect
from yinji.model import MemoryEntry, Role, Scope, Trust
from yinji.ownership.portability import from_minimal, plain
from yinji.ports import Embedder
from yinji.recall import pipeline
from yinji.recall.analyse import analyse
from yinji.recall.confidence import BEST, FEATURES, READ, measured
from yinji.recall.features import standing
from yinji.recall.read import FACTOR

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ASKED_ELSEWHERE = 2
"""Other owners whom each question is asked of."""
SHARES = {
    "gold": 1.0,
    "keywords": 0.3,
    "removed": 0.02,
    "other": 0.4,
    "never": 0.02,
    "written": 0.2,
    "nonsense": 0.3,
}
"""What the rows of a kind weigh together. ``unfound``, gold that is not among the first hits, is not learned from."""
SHARES_READ = SHARES | {"keywords": 0.1, "removed": 0.1, "never": 0.6}
"""The same where the best are read: the worlds have a thousand questions that nobody answered in them, near to what was
told."""
OF_OWN = 3.0
"""What a row of the own lives counts for: they went through the whole pipeline."""
ANSWERED = frozenset({"gold", "keywords"})
SHOWN_KINDS = (*SHARES, "unfound")
WORLDS = tuple(f"{sort}/{language}" for sort in SORTS for language in LANGUAGES)
EVERY = 2
"""Every how manieth question of the worlds is asked."""
TOP = 5
ACTOR = "training"
RISKS = (0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75)
SHOWN = (0.01, 0.02, 0.05, 0.1)
C = 0.3
OF_VECTORS = ("near", "cosine", "across", "stands_out")

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Life:
    """A store with the questions asked of it; ``ids``: by (owner, source) the memories that were taken from it."""

    name: str
    memory: Memory
    questions: tuple[Question, ...]
    ids: dict[tuple[str, str], list[str]]

    @property
    def owners(self) -> list[str]:
        return sorted({question.owner for question in self.questions})


@dataclass(frozen=True, kw_only=True)
class Row:
    """What was measured of a question somewhere; ``kind``: gold where one of the first hits answers."""

    life: str
    fold: int
    kind: str
    features: dict[str, float]


def lives(data: Path, embedder: Embedder, folder: Path) -> list[Life]:
    """The public sets as they are stored, and the own ones as they are remembered."""
    public = [one for one in sets(data) if one.name not in {name.replace("/", "_") for name in OWN}]
    stores = Stores(public, embedder, folder)
    found = []
    for one in public:
        memory = stores.memories[one.name]
        entries = [entry for owner in {question.owner for question in one.questions} for entry in _all(memory, owner)]
        ids = _by_source((entry, frozenset({entry.sources[0].turn_id})) for entry in entries)
        found.append(Life(name=one.name, memory=memory, questions=one.questions, ids=ids))
    return [*found, *(_remembered(name, embedder, folder) for name in OWN)]


def _remembered(name: str, embedder: Embedder, folder: Path) -> Life:
    read = conversation_set(ROOT / "evals" / name)
    memory = opener(Settings.load(environment={}), embedder)(folder / f"{name.replace('/', '-')}.yinji")
    owners = {question.owner for question in read.questions}
    lived, _ = conversation._remember(memory, read, owners, 0, lambda what, done, total: None)
    entries = ((entry, one.sources(entry)) for owner, one in lived.items() for entry in _all(memory, owner))
    questions = tuple(question for question in read.questions if question.split == "dev")
    print(f"remembered {name}", file=sys.stderr)
    return Life(name=name, memory=memory, questions=questions, ids=_by_source(entries))


def held_worlds(embedder: Embedder, folder: Path) -> list[Life]:
    """Those that the tuned layers did not learn from, each world an owner."""
    found = []
    for name in WORLDS:
        sort, language = name.split("/")
        memory = opener(Settings.load(environment={}), embedder)(folder / f"{name.replace('/', '-')}.yinji")
        held = [world for world in worlds(language, sort) if world.held]
        for world in held:
            memory.import_([plain(one) for one in _entries(world)], owner=world.name)
        entries = ((entry, frozenset({entry.sources[0].turn_id})) for one in held for entry in _all(memory, one.name))
        questions = tuple(question for world in held for question in _asked_of(world))[::EVERY]
        found.append(Life(name=name, memory=memory, questions=questions, ids=_by_source(entries)))
        print(f"stored {name}", file=sys.stderr)
    return found


def _entries(world: World) -> Iterator[MemoryEntry]:
    """As they are kept after a conversation, a day apart."""
    first = NOW - timedelta(days=len(world.memories))
    for number, content in enumerate(world.memories):
        record = {"content": content, "at": (first + timedelta(days=number)).isoformat(), "id": str(number)}
        one = from_minimal(record, owner=world.name, now=NOW, new_id=lambda: str(uuid7()), line=number)
        sources = tuple(replace(source, role=Role.USER) for source in one.sources)
        yield replace(one, trust=Trust.USER_EXPLICIT, sources=sources)


def _asked_of(world: World) -> Iterator[Question]:
    for number, (text, answers) in enumerate(world.questions):
        yield Question(
            id=f"{world.name}/{number}",
            text=text,
            owner=world.name,
            gold=tuple(frozenset({str(at)}) for at in answers),
            asked_at=NOW,
        )


def _all(memory: Memory, owner: str) -> list[MemoryEntry]:
    return memory.list(owner=owner, limit=None)


def _by_source(entries: Iterator[tuple[MemoryEntry, frozenset[str]]]) -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = {}
    for entry, sources in entries:
        for source in sources:
            found.setdefault((entry.owner, source), []).append(entry.id)
    return found


# ------------------------------------------------------------------ the rows


class Asking:
    """Asks, and measures what is found; without an embedder by words alone."""

    def __init__(self, embedder: Embedder | None, *, reads: bool = False) -> None:
        self.embedder = embedder
        self.reads = reads
        self.settings = Settings.load(environment={})

    def of(self, memory: Memory, text: str, owner: str, at: datetime) -> tuple[dict[str, float], list[str]] | None:
        """(the features, ids of the first hits), or nothing where nothing was found."""
        query = analyse(text, scope=Scope(owner=owner), now=at, past=False, language=None)
        finding = pipeline.Finding(
            query=query,
            top_k=5,
            store=memory._store,
            settings=self.settings,
            card=self.embedder.card if self.embedder else None,
            vector=self.embedder.embed([query.text], purpose="query")[0] if self.embedder else None,
            rankings={},
            reader=self.embedder if self.reads else None,
        )
        for stage in (pipeline.search, pipeline.order, pipeline.read, pipeline.vary):
            finding = stage(finding)
        if not finding.candidates:
            return None
        seen = pipeline.examined(finding, [one.memory.id for one in finding.candidates[:BEST]])
        features = measured(query, finding.candidates, seen, standing(finding.rankings))
        return features, [one.memory.id for one in finding.candidates[:TOP]]


def rows(found: Sequence[Life], asking: Asking) -> list[Row]:
    made: list[Row] = []
    draw = random.Random(3)
    for life in found:
        for question in life.questions:
            if life.name in WORLDS:
                made += _plainly(life, question, asking)
                continue
            made += _of_question(life, question, asking)
            made += _elsewhere(life, question, found, asking, draw)
        made += _written(life, asking)
        print(f"asked {life.name}", file=sys.stderr)
    return made


def _row(life: Life, fold: int, kind: str, found: tuple[dict[str, float], list[str]] | None) -> list[Row]:
    return [] if found is None else [Row(life=life.name, fold=fold, kind=kind, features=found[0])]


def _plainly(life: Life, question: Question, asking: Asking) -> list[Row]:
    """As it was asked, and no other way."""
    found = asking.of(life.memory, question.text, question.owner, question.asked_at)
    if found is None or not question.gold:
        return _row(life, fold_of(question), "never", found)
    kind = "unfound" if set(_answering(life, question)).isdisjoint(found[1]) else "gold"
    return _row(life, fold_of(question), kind, found)


def _answering(life: Life, question: Question) -> list[str]:
    """The memories that were taken from what answers it."""
    sources = [(question.owner, source) for group in question.gold for source in group]
    return list(dict.fromkeys(id for source in sources for id in life.ids.get(source, ())))


def _of_question(life: Life, question: Question, asking: Asking) -> list[Row]:
    fold, where = fold_of(question), (life.memory, question.text, question.owner, question.asked_at)
    if not question.gold:
        return _row(life, fold, "never", asking.of(*where))
    hidden = _answering(life, question)
    words = analyse(question.text, scope=Scope(owner=question.owner), now=NOW, past=False, language=None).terms
    made = []
    for kind, text in (("gold", question.text), ("keywords", " ".join(words))):
        if (found := asking.of(life.memory, text, question.owner, question.asked_at)) is not None:
            answered = not set(hidden).isdisjoint(found[1])
            made += _row(life, fold, kind if answered else "unfound", found)
    if hidden:
        count = life.memory._store.hide(question.owner, hidden, at=NOW, actor=ACTOR, reason="")
        made += _row(life, fold, "removed", asking.of(*where))
        hiding = [one for one in life.memory._store.journal(question.owner) if one.actor == ACTOR and one.undoable]
        for entry in hiding[:count]:
            life.memory.undo(entry.id, owner=question.owner)
    return made


def _elsewhere(
    life: Life, question: Question, found: Sequence[Life], asking: Asking, draw: random.Random
) -> Iterator[Row]:
    spoken = detect(question.text)
    near = {life.name.replace(spoken, other) for other in ("zh", "en")}
    others = [
        (one, owner)
        for one in found
        for owner in one.owners
        if one.name not in near and owner != question.owner and _language(one) in (spoken, "")
    ]
    for one, owner in draw.sample(others, min(ASKED_ELSEWHERE, len(others))):
        found_there = asking.of(one.memory, question.text, owner, question.asked_at)
        yield from _row(one, fold_of(question), "other", found_there)


def _language(life: Life) -> str:
    return "" if life.name == "cross_lingual" else "zh" if "zh" in life.name else "en"


def _written(life: Life, asking: Asking) -> Iterator[Row]:
    """What nobody said, asked of one owner."""
    for language in ("zh", "en"):
        if _language(life) not in (language, ""):
            continue
        path = ROOT / "training" / "data" / "confidence" / f"{language}.jsonl"
        for line in path.read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            kind = "nonsense" if one["kind"] == "nonsense" else "written"
            at = life.questions[0].asked_at
            fold = zlib.crc32(one["text"].encode()) % FOLDS
            yield from _row(life, fold, kind, asking.of(life.memory, one["text"], life.owners[0], at))


# ----------------------------------------------------------------- the model


def fit(every: Sequence[Row], names: Sequence[str], shares: Mapping[str, float]) -> tuple[float, dict[str, float]]:
    made = [row for row in every if row.kind in shares]
    matrix = np.array([[row.features[name] for name in names] for row in made])
    middle, spread = matrix.mean(axis=0), matrix.std(axis=0) + 1e-9
    kinds = [row.kind for row in made]
    own = np.array([OF_OWN if row.life in OWN else 1.0 for row in made])
    weights = np.array([shares[kind] / kinds.count(kind) for kind in kinds]) * len(made) * own
    model = LogisticRegression(C=C, max_iter=1000)
    model.fit((matrix - middle) / spread, [kind in ANSWERED for kind in kinds], sample_weight=weights)
    slopes = model.coef_[0] / spread
    return float(model.intercept_[0] - slopes @ middle), dict(zip(names, map(float, slopes), strict=True))


def chances(made: Sequence[Row], names: Sequence[str], shares: Mapping[str, float]) -> Floats:
    """Each row's probability by the model that did not see its question."""
    found = np.zeros(len(made))
    for fold in range(FOLDS):
        bias, weights = fit([row for row in made if row.fold != fold], names, shares)
        for at, row in enumerate(made):
            if row.fold == fold:
                found[at] = 1 / (1 + np.exp(-(bias + sum(weights[name] * row.features[name] for name in names))))
    return found


def shown(label: str, made: Sequence[Row], chance: Floats, points: Sequence[tuple[float, float]]) -> None:
    for risk in SHOWN:
        point = dict(points)[risk]
        silent = {
            kind: np.mean([one < point for one, row in zip(chance, made, strict=True) if row.kind == kind])
            for kind in SHOWN_KINDS
            if any(row.kind == kind for row in made)
        }
        print(f"| {label} | {risk * 100:g} % | {' | '.join(f'{100 * silent[k]:.1f}' for k in silent)} |")


def learn(
    made: Sequence[Row], names: Sequence[str], label: str, shares: Mapping[str, float] = SHARES
) -> dict[str, object]:
    chance = chances(made, names, shares)
    placing = {*OWN, *WORLDS}
    gold = np.array([one for one, row in zip(chance, made, strict=True) if row.kind == "gold" and row.life in placing])
    points = [(risk, float(np.quantile(gold, risk)) if risk else 0.0) for risk in RISKS]
    counts = {kind: sum(row.kind == kind for row in made) for kind in SHOWN_KINDS}
    print(f"| {label} | lost | {' | '.join(f'{kind} ({count})' for kind, count in counts.items())} |")
    for which, lives_shown in (("all", None), ("own lives", OWN), ("worlds", WORLDS)):
        at = [at for at, row in enumerate(made) if lives_shown is None or row.life in lives_shown]
        if at:
            shown(which, [made[one] for one in at], chance[at], points)
    bias, weights = fit(made, names, shares)
    return {
        "bias": round(bias, 4),
        "weights": {name: round(weight, 4) for name, weight in weights.items()},
        "points": [[risk, round(point, 4)] for risk, point in points] + [[1.0, 1.0]],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Trains the model of confidence.")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("YINJI_EVAL_DATA", ".")) / "retrieval")
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    embedder = cached_embedder(Settings.load(environment={}), lambda what, done, total: None)
    assert embedder is not None
    with TemporaryDirectory() as folder:
        told = held_worlds(embedder, Path(folder))
        make(lives(chosen.data, embedder, Path(folder)), told, embedder, to_write=chosen.write)


def make(found: Sequence[Life], told: Sequence[Life], embedder: Embedder, *, to_write: bool) -> None:
    unread = [name for name in FEATURES if name != FACTOR]
    without = [name for name in unread if name not in OF_VECTORS]
    model, own = embedder.card.id, [life for life in found if life.name in OWN]
    models = {
        f"{model}{READ}": learn(
            rows([*own, *told], Asking(embedder, reads=True)), list(FEATURES), "meaning, read", SHARES_READ
        ),
        model: learn(rows(found, Asking(embedder)), unread, "meaning"),
        "words": learn(rows(found, Asking(None)), without, "words alone"),
    }
    if to_write:
        path = MODELS / "confidence.json"
        path.write_text(json.dumps(models, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
