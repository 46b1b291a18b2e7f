"""Trains the classifier of what is worth keeping: ``data/models/gate.npz`` and its card, ``gate.md`` beside this.

    python training/gate.py [--check]

Kernel ridge regression, in closed form, on ``training/data/gate``; no random number is drawn. ``--check`` cross-
validates (folds of neighbouring lines, so that one person's lines stay together), scores the dev half of
``evals/gate`` and prints the learning curve instead of writing anything.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yinji.adapters.catalogue import load_embedder
from yinji.language.packs import pack
from yinji.remember import classify
from yinji.remember.classify import ASSISTANT, Judged

HERE = Path(__file__).parent
WEIGHTS = HERE.parent / "src" / "yinji" / "data" / "models" / "gate.npz"
LANGUAGES = ("zh", "en")
SCALE, SPREAD, WORDS, GAMMA, RIDGE = 0.4, 8.0, 0.4, 0.1, 0.35
"""By which features, vectors and hashed words are multiplied; how narrow the kernel is, and the penalty."""
AXES = 64
"""Directions of the embedding that are kept: those in which the texts differ most."""
LANDMARKS = {"vector": 2500, "words": 1000}
FEWEST = 8
"""Texts that must have a feature for it to be used."""
FOLDS, NEIGHBOURS = 5, 20
UNTELLING = (
    "value_", "correct_", "ask_", "answer_", "retract_", "entity_", "day_", "date_", "noun_", "preposition_",
    "slot_", "subject_", "clause_split", "conjunction", "addressed", "somebody", "lasting", "fulfilled",
    "meaning", "changed", "ending", "we_", "affirmed", "stutter", "own_head", "called_kin", "time_before",
    "retraction_",
)  # fmt: skip
"""Patterns that serve other stages and say nothing of worth."""

Floats = NDArray[np.float64]
Row = dict[str, Any]


def rows(path: Path, split: str | None = None) -> list[Row]:
    lines = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return [row for row in lines if split in (None, row.get("split"))]


def judged(row: Row) -> Judged:
    last = row["context"][-1] if row["context"] else ""
    question = last.removeprefix(ASSISTANT).strip() if last.startswith(ASSISTANT) else ""
    return Judged(text=row["text"], question=question or None)


def targets(given: list[Row]) -> Floats:
    """A column: worth keeping (1) or not (-1)."""
    return np.array([[1.0 if row["keep"] else -1.0] for row in given])


def look(given: list[Row], language: str) -> list[dict[str, float]]:
    """The features of every text, by name, with all patterns of the pack that may tell something."""
    patterns = pack(language).patterns
    named = tuple(name for name in patterns if not name.startswith(UNTELLING) and not takes_out(patterns[name]))
    classify._telling = lambda _language: named  # type: ignore[assignment]
    return [classify.features(judged(row), language) for row in given]


def takes_out(rows: Sequence[str]) -> bool:
    """Whether patterns name what they find: they serve another stage, one by one."""
    return any("(?P<" in row for row in rows)


def names_of(seen: list[dict[str, float]]) -> tuple[str, ...]:
    counted = Counter(name for one in seen for name, value in one.items() if value)
    return tuple(sorted(name for name, times in counted.items() if times >= FEWEST))


def table(seen: list[dict[str, float]], names: tuple[str, ...]) -> Floats:
    return np.array([[one.get(name, 0.0) for name in names] for one in seen])


def kernel(left: Floats, right: Floats) -> Floats:
    apart = (left**2).sum(1)[:, None] + (right**2).sum(1)[None] - 2 * left @ right.T
    return np.asarray(np.exp(-GAMMA * np.maximum(apart, 0)))


def landmarks(near: Floats, words: Floats, wanted: Floats, many: int) -> NDArray[np.int64]:
    """The rows that weigh most when each of them may: all that a smaller set has to stand for."""
    every = near + words @ words.T + RIDGE * np.eye(len(near))
    weights = np.linalg.solve(every, wanted - wanted.mean(0))
    return np.sort(np.argsort(-(weights**2).sum(1), kind="stable")[:many])


def fit(given: Floats, words: Floats, wanted: Floats, many: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Landmarks, their weights, the offset, and the weights of the hashed words."""
    near = kernel(given, given)
    chosen = landmarks(near, words, wanted, many)
    offset = wanted.mean(0)
    by_mark = np.linalg.solve(near[np.ix_(chosen, chosen)] + 1e-6 * np.eye(len(chosen)), near[chosen])
    every = near[:, chosen] @ by_mark + words @ words.T + RIDGE * np.eye(len(near))
    shares = np.linalg.solve(every, wanted - offset)
    return given[chosen], by_mark @ shares, offset, words.T @ shares


def axes(vectors: Floats) -> tuple[Floats, Floats]:
    """The middle of the embeddings and the directions in which they differ most, in columns."""
    mean = vectors.mean(0)
    found = np.linalg.eigh((vectors - mean).T @ (vectors - mean))[1]
    return mean, found[:, ::-1][:, :AXES]


class Data:
    """One language's texts, as numbers."""

    def __init__(self, language: str, given: list[Row], vectors: Floats | None) -> None:
        self.language, self.rows, self.vectors = language, given, vectors
        self.wanted = targets(given)
        self.seen = look(given, language)
        self.words = np.array([classify.hashed(judged(row), language) for row in given], dtype=float)


def embedded(given: list[Row]) -> Floats:
    return np.asarray(
        load_embedder("e5-small").embed([judged(row).embedded for row in given], purpose="passage"), float
    )


def train(data: Data, form: str, keep: NDArray[np.bool_] | None = None) -> dict[str, Any]:
    """The arrays of one model. ``form``: ``vector`` or ``words``; ``keep``: the rows to train on."""
    at = np.flatnonzero(keep) if keep is not None else np.arange(len(data.rows))
    names = names_of([data.seen[one] for one in at])
    given = table([data.seen[one] for one in at], names) * SCALE
    mean, basis = np.zeros(0), np.zeros((0, 0))
    if form == "vector":
        assert data.vectors is not None
        mean, basis = axes(data.vectors[at])
        given = np.concatenate([given, (data.vectors[at] - mean) @ basis * SPREAD], axis=1)
    marks, weights, offset, by_word = fit(given, WORDS * data.words[at], data.wanted[at], LANDMARKS[form])
    return {
        "names": "\n".join(names), "scale": SCALE, "mean": mean, "basis": basis, "spread": SPREAD, "gamma": GAMMA,
        "landmarks": marks, "weights": weights, "offset": offset, "word_weights": by_word * WORDS,
    }  # fmt: skip


def packed(arrays: dict[str, Any], prefix: str) -> dict[str, Any]:
    """As it is stored: the large ones in a byte each, the rest in single precision."""
    done: dict[str, Any] = {}
    for name, value in arrays.items():
        if name in ("landmarks", "word_weights", "basis") and np.size(value):
            unit = float(np.abs(value).max()) / 127
            done[f"{prefix}.{name}"] = np.round(value / unit).astype(np.int8)
            done[f"{prefix}.{name}.unit"] = np.float32(unit)
        else:
            kept = np.float16 if name == "weights" else np.float32
            done[f"{prefix}.{name}"] = np.str_(value) if name == "names" else np.asarray(value, dtype=kept)
    return done


def scores(arrays: dict[str, Any], data: Data, form: str) -> Floats:
    """Of every text: the score, by the model as it is stored."""
    model = classify.unpacked(packed(arrays, "m"), "m")
    given = table(data.seen, model.names) * model.scale
    if form == "vector":
        assert data.vectors is not None
        given = np.concatenate([given, (data.vectors - model.mean) @ model.basis * model.spread], axis=1)
    found = kernel(given, model.landmarks.astype(float)) @ model.weights + model.offset
    return np.asarray(found + data.words @ model.word_weights)


# ----------------------------------------------------------------- reporting


def f1(kept: NDArray[np.bool_], wanted: NDArray[np.bool_]) -> float:
    return float(2 * (kept & wanted).sum() / (kept.sum() + wanted.sum()))


def crossed(data: Data, form: str, share: float = 1.0) -> Floats:
    """Scores of every text by a model that saw none of its neighbours, trained on a share of the others."""
    at = np.arange(len(data.rows))
    fold, turn = (at // NEIGHBOURS) % FOLDS, (at // NEIGHBOURS // FOLDS) % 8
    found = np.zeros(data.wanted.shape)
    for one in range(FOLDS):
        found[fold == one] = scores(train(data, form, (fold != one) & (turn < share * 8)), data, form)[fold == one]
    return found


def report(data: Data, dev: Data) -> None:
    wanted, dev_wanted = data.wanted[:, 0] > 0, dev.wanted[:, 0] > 0
    everything = f1(wanted | True, wanted)
    print(f"{data.language}: {len(data.rows)} texts, {wanted.sum()} worth keeping; keep all: F1 {everything:.3f}")
    for form, shares in (("vector", (0.25, 0.5, 1.0)), ("words", (1.0,))):
        for share in shares:
            kept = crossed(data, form, share)[:, 0] >= 0
            wrong = (kept & ~wanted).sum() / (~wanted).sum()
            print(f"  {form} {share:.0%}: cross-validated F1 {f1(kept, wanted):.3f} wrongly kept {wrong:.3f}")
        found = scores(train(data, form), dev, form)
        for cut in (-0.2, -0.1, 0.0, 0.1, 0.2, 0.3):
            kept = found[:, 0] >= cut
            wrong = (kept & ~dev_wanted).sum() / (~dev_wanted).sum()
            print(f"  {form} dev at {cut:+.1f}: F1 {f1(kept, dev_wanted):.3f} wrongly kept {wrong:.3f}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    stored: dict[str, Any] = {}
    for language in LANGUAGES:
        given = rows(HERE / "data" / "gate" / f"{language}.jsonl")
        data = Data(language, given, embedded(given))
        if options.check:
            dev = rows(HERE.parent / "evals" / "gate" / f"{language}.jsonl", "dev")
            report(data, Data(language, dev, embedded(dev)))
            continue
        for form in LANDMARKS:
            stored |= packed(train(data, form), f"{language}.{form}")
    if stored:
        WEIGHTS.parent.mkdir(exist_ok=True)
        np.savez_compressed(WEIGHTS, **stored)
        print(WEIGHTS, WEIGHTS.stat().st_size)
    return 0


if __name__ == "__main__":
    sys.exit(main())
