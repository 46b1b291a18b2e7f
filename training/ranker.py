"""Makes ``data/models/ranker.json`` and the lens of the default embedder, and says what they are worth.

    python training/ranker.py [--data FOLDER] [--write] [--ablate]

Needs scipy. Learns from sets whose licence allows it (MIT: LongMemEval, MADial, MemoryBank) and from this project's
own diaries, conversations and cross-lingual set, of which only ``split: dev`` is read. Every figure printed is of
questions that the model in use had not seen: five folds by question, a question in two languages in one fold.
Candidates and features are those of the recall itself. See ranker.md for the method and the figures.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from yinji.build import Memory
from yinji.config import Settings
from yinji.evals import retrieval
from yinji.evals.data import Question, RetrievalSet, StoredText, conversation_set, retrieval_set
from yinji.evals.metrics import recall_at
from yinji.evals.runner import cached_embedder, opener
from yinji.model import Scope
from yinji.ports import NO_WEIGHTS, Embedder, Lens, Probe
from yinji.recall.analyse import analyse
from yinji.recall.features import FEATURES
from yinji.recall.pipeline import Finding, featured, search
from yinji.recall.rank import fuse
from yinji.recall.trained import CENTRE

ROOT = Path(__file__).parent.parent
MODELS = ROOT / "src" / "yinji" / "data" / "models"
PUBLIC = ("longmemeval", "madial_zh", "madial_en", "memorybank_zh", "memorybank_en")
OWN = ("diary/zh", "diary/en", "conversation/zh", "conversation/en")
FOLDS = 5
FREE = frozenset({"asks", "assistant", "length"})
"""Features that may count against a memory; the others are reasons for it, so their weights are not negative."""
RIDGE = 10.0
TURN_RIDGE = 100.0
SHARPNESS = 20.0
NEGATIVES = 80
OF_VECTORS = ("vector", "vector_across", "alike")

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question with its candidates' features and which of them are right."""

    name: str
    fold: int
    features: Mapping[str, Floats]
    right: NDArray[np.bool_]
    sources: tuple[str, ...]
    gold: tuple[frozenset[str], ...]


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A question's vector, those of memories near to it, and which of these are right."""

    fold: int
    question: Floats
    memories: Floats
    right: NDArray[np.bool_]


# ------------------------------------------------------------------ the sets


def sets(data: Path) -> list[RetrievalSet]:
    public = [retrieval_set(data / name) for name in PUBLIC]
    cross = retrieval_set(ROOT / "evals" / "cross_lingual")
    return [*public, _dev(cross), *(_dev(_of_turns(name)) for name in OWN)]


def _dev(one: RetrievalSet) -> RetrievalSet:
    return replace(one, questions=tuple(q for q in one.questions if q.gold and q.split in ("", "dev")))


def _of_turns(name: str) -> RetrievalSet:
    """A conversation as texts: what the user and the assistant said, each by itself."""
    read = conversation_set(ROOT / "evals" / name)
    texts = []
    for turn in read.turns:
        said = {"user": (turn.id, turn.user), "assistant": (f"{turn.id}/assistant", turn.assistant or "")}
        for speaker, (id, text) in said.items():
            if text.strip():
                texts.append(
                    StoredText(id=id, owner=turn.owner, text=text, at=turn.at, speaker=speaker, session=turn.session)
                )
    return RetrievalSet(name=name.replace("/", "_"), texts=tuple(texts), questions=read.questions)


def fold_of(question: Question) -> int:
    return zlib.crc32(question.id.removeprefix("zh/").removeprefix("en/").encode()) % FOLDS


# ------------------------------------------------------------------ the lens


def stored_vectors(memory: Memory, owner: str, model: str) -> tuple[list[str], list[str], Floats]:
    """(source ids, languages, vectors) of all memories of an owner."""
    entries = list(memory._store.iterate(owner))
    probe = Probe(terms=(), weights=NO_WEIGHTS, language="", vector=np.zeros(384, np.float32), model=model)
    seen = memory._store.examine(Scope(owner=owner), [one.id for one in entries], probe)
    source = {one.id: one.sources[0].turn_id for one in entries}
    return [source[id] for id in seen.ids], list(seen.languages), seen.vectors.astype(np.float64)


def centres_of(parts: Sequence[tuple[list[str], Floats]]) -> dict[str, Floats]:
    return {
        language: np.concatenate([vectors[np.array(languages) == language] for languages, vectors in parts]).mean(0)
        for language in ("zh", "en")
    }


def means_of(languages: Sequence[str], vectors: Floats, centres: Mapping[str, Floats]) -> dict[str, Floats]:
    found = {}
    for language, centre in centres.items():
        own = vectors[np.array(languages) == language]
        found[language] = (own.sum(axis=0) + CENTRE * centre) / (len(own) + CENTRE)
    return found


def unit(vectors: Floats) -> Floats:
    length: Floats = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.maximum(length, 1e-9)


def turn_of(pairs: Sequence[Pair]) -> Floats:
    """The matrix that brings right answers nearest, by the softmax over each question's memories."""
    dim = len(pairs[0].question)

    def loss(flat: Floats) -> tuple[float, Floats]:
        turn = flat.reshape(dim, dim)
        total, slope = 0.0, np.zeros_like(turn)
        for pair in pairs:
            scores = SHARPNESS * (pair.memories @ (pair.question + pair.question @ turn))
            share = np.exp(scores - scores.max())
            share /= share.sum()
            wanted = pair.right / pair.right.sum()
            total -= float((wanted * np.log(np.maximum(share, 1e-30))).sum())
            slope += SHARPNESS * np.outer(pair.question, (share - wanted) @ pair.memories)
        return total + TURN_RIDGE / 2 * float(flat @ flat), slope.ravel() + TURN_RIDGE * flat

    found = minimize(loss, np.zeros(dim * dim), jac=True, method="L-BFGS-B", options={"maxiter": 40})
    turn: Floats = found.x.reshape(dim, dim)
    return turn


# ---------------------------------------------------------------- the ranker


def weights_of(asked: Sequence[Asked], names: Sequence[str]) -> dict[str, float]:
    """Weights by the softmax over each question's candidates, on features brought to unit spread."""
    useful = [one for one in asked if one.right.any() and not one.right.all()]
    matrix = np.concatenate([np.stack([one.features[name] for name in names], axis=1) for one in useful])
    spread = matrix.std(axis=0) + 1e-9
    matrix = matrix / spread
    counts = [len(one.right) for one in useful]
    starts = np.cumsum([0, *counts[:-1]])
    of = np.repeat(np.arange(len(useful)), counts)
    wanted = np.concatenate([one.right / one.right.sum() for one in useful])

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = matrix @ weights
        highest = np.maximum.reduceat(scores, starts)
        share = np.exp(scores - highest[of])
        total = np.add.reduceat(share, starts)
        value = float((np.log(total) + highest - np.add.reduceat(wanted * scores, starts)).sum())
        slope = matrix.T @ (share / total[of] - wanted)
        return value + RIDGE / 2 * float(weights @ weights), slope + RIDGE * weights

    bounds = [(None, None) if name in FREE else (0.0, None) for name in names]
    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", bounds=bounds)
    return {name: float(weight) for name, weight in zip(names, found.x / spread, strict=True)}


def recall_at_5(asked: Sequence[Asked], weights: Mapping[int, Mapping[str, float]]) -> dict[str, float]:
    """By set, in percent; each question by the weights of its fold."""
    found: dict[str, list[float]] = {}
    for one in asked:
        scores = sum(weight * one.features[name] for name, weight in weights[one.fold].items())
        best = np.argsort(-np.asarray(scores), kind="stable")[:5]
        ranked = [frozenset({one.sources[at]}) for at in best]
        found.setdefault(one.name, []).append(recall_at(ranked, one.gold, 5))
    return {name: 100 * float(np.mean(values)) for name, values in found.items()}


def folded(asked: Sequence[Asked], names: Sequence[str]) -> dict[str, float]:
    weights = {fold: weights_of([one for one in asked if one.fold != fold], names) for fold in range(FOLDS)}
    return recall_at_5(asked, weights)


# ------------------------------------------------------------------ together


class Stores:
    """The sets in stores, with all that learning needs of them."""

    def __init__(self, read: Sequence[RetrievalSet], embedder: Embedder, folder: Path) -> None:
        self.sets = read
        self.embedder = embedder
        self.settings = Settings.load(environment={})
        open_memory = opener(self.settings, embedder)
        self.memories = {one.name: open_memory(folder / f"{one.name}.yinji") for one in read}
        for one in read:
            texts = retrieval._by_owner(one.texts, {question.owner for question in one.questions})
            retrieval._store(self.memories[one.name], one.name, texts, lambda done: None)
            print(f"stored {one.name}", file=sys.stderr)

    def pairs(self) -> tuple[dict[str, Floats], list[Pair]]:
        model = self.embedder.card.id
        kept = {
            (one.name, owner): stored_vectors(self.memories[one.name], owner, model)
            for one in self.sets
            for owner in {question.owner for question in one.questions}
        }
        centres = centres_of([(languages, vectors) for _, languages, vectors in kept.values()])
        found = []
        for one in self.sets:
            for question in one.questions:
                ids, languages, vectors = kept[one.name, question.owner]
                means = means_of(languages, vectors, centres)
                seen = unit(vectors - np.stack([means[language] for language in languages]))
                asked = self.embedder.embed([question.text.strip()], purpose="query")[0].astype(np.float64)
                language = analyse_language(question.text)
                found.append(_pair(question, unit(asked - means[language]), seen, ids))
        return centres, found

    def ask(self, one: RetrievalSet, question: Question, lens: Lens | None) -> Asked | None:
        memory = self.memories[one.name]
        query = analyse(
            question.text, scope=Scope(owner=question.owner), now=question.asked_at, past=False, language=None
        )
        vector = self.embedder.embed([query.text], purpose="query")[0] if lens else None
        finding = search(
            Finding(
                query=query,
                top_k=10,
                store=memory._store,
                settings=self.settings,
                card=self.embedder.card,
                vector=vector,
                rankings={},
                lens=lens,
            )
        )
        fused = fuse(query, finding.rankings, settings=self.settings.recall, card=finding.card)
        seen, features = featured(finding, [each.id for each in fused[: self.settings.recall.ranked]])
        if not seen.ids:
            return None
        source = {entry.id: entry.sources[0].turn_id for entry in memory._store.get(question.owner, seen.ids)}
        gold = {id for group in question.gold for id in group}
        return Asked(
            name=one.name,
            fold=fold_of(question),
            features={name: values.astype(np.float64) for name, values in features.items()},
            right=np.array([source[id] in gold for id in seen.ids]),
            sources=tuple(source[id] for id in seen.ids),
            gold=question.gold,
        )


def analyse_language(text: str) -> str:
    from yinji.language.text import detect

    return detect(text)


def _pair(question: Question, asked: Floats, seen: Floats, ids: Sequence[str]) -> Pair:
    gold = {id for group in question.gold for id in group}
    right = np.array([id in gold for id in ids])
    chosen = np.unique(np.concatenate([np.argsort(-(seen @ asked))[:NEGATIVES], np.flatnonzero(right)]))
    return Pair(fold=fold_of(question), question=asked, memories=seen[chosen], right=right[chosen])


def lens_of(centres: Mapping[str, Floats], turn: Floats) -> Lens:
    return Lens(
        centres={language: centre.astype(np.float32) for language, centre in centres.items()},
        weight=CENTRE,
        turn=turn.astype(np.float16).astype(np.float32),
    )


def write(lens: Lens, model: str, weights: Mapping[str, Mapping[str, float]]) -> None:
    MODELS.mkdir(exist_ok=True)
    assert lens.turn is not None
    centres = {f"centre_{language}": centre for language, centre in lens.centres.items()}
    np.savez_compressed(MODELS / f"lens-{model}.npz", turn=lens.turn.astype(np.float16), **centres)
    rounded = {kind: {name: round(value, 4) for name, value in each.items()} for kind, each in weights.items()}
    (MODELS / "ranker.json").write_text(json.dumps(rounded, indent=2) + "\n", encoding="utf-8")


def shown(label: str, scores: Mapping[str, float]) -> None:
    mean = float(np.mean(list(scores.values())))
    print(f"| {label} | {' | '.join(f'{value:.1f}' for value in scores.values())} | {mean:.1f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Trains the ranker and the lens.")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("YINJI_EVAL_DATA", ".")) / "retrieval")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--ablate", action="store_true")
    chosen = parser.parse_args()
    embedder = cached_embedder(Settings.load(environment={}), lambda what, done, total: None)
    assert embedder is not None
    with TemporaryDirectory() as folder:
        stores = Stores(sets(chosen.data), embedder, Path(folder))
        learn(stores, to_write=chosen.write, ablate=chosen.ablate)


def learn(stores: Stores, *, to_write: bool, ablate: bool) -> None:
    centres, pairs = stores.pairs()
    lenses = [lens_of(centres, turn_of([one for one in pairs if one.fold != fold])) for fold in range(FOLDS)]
    print(f"{len(pairs)} questions, {datetime.now(UTC):%Y-%m-%d}", file=sys.stderr)
    plain = Lens(centres=lenses[0].centres, weight=CENTRE)
    kinds: dict[str, list[Lens | None]] = {"meaning": [*lenses], "untuned": [plain] * FOLDS, "words": [None] * FOLDS}
    asked = {
        kind: [
            found
            for one in stores.sets
            for question in one.questions
            if (found := stores.ask(one, question, by_fold[fold_of(question)])) is not None
        ]
        for kind, by_fold in kinds.items()
    }
    print(f"| R@5 | {' | '.join(one.name for one in stores.sets)} | mean |")
    print(f"| --- | {' | '.join('---:' for _ in stores.sets)} | ---: |")
    fixed = {fold: {"vector": 0.5, "words": 0.5} for fold in range(FOLDS)}
    shown("fixed weights", recall_at_5(asked["untuned"], fixed))
    shown("fixed weights, turned", recall_at_5(asked["meaning"], fixed))
    shown("ranker, not turned", folded(asked["untuned"], list(FEATURES)))
    shown("ranker", folded(asked["meaning"], list(FEATURES)))
    without = [name for name in FEATURES if name not in OF_VECTORS]
    shown("ranker, words alone", folded(asked["words"], without))
    for name in FEATURES if ablate else ():
        shown(f"without {name}", folded(asked["meaning"], [other for other in FEATURES if other != name]))
    weights = {"meaning": weights_of(asked["meaning"], list(FEATURES)), "words": weights_of(asked["words"], without)}
    weights["words"] |= dict.fromkeys(OF_VECTORS, 0.0)
    print(json.dumps(weights, indent=2), file=sys.stderr)
    if to_write:
        write(lens_of(centres, turn_of(pairs)), stores.embedder.card.id, weights)


if __name__ == "__main__":
    main()
