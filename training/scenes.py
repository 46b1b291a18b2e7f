"""Trains the classifier of scenes on the dev half of ``evals/scenes`` and the words of ``data/scenes.toml``.

    python training/scenes.py

One logistic regression for each scene; a word of a scene's list counts as a text of that scene. The test half is not
read: ``yinji eval scenes --data evals/scenes`` scores it.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

from yinji.language.linear import place
from yinji.remember.scenes import SCENES, features

ROOT = Path(__file__).parents[1]
DATA = ROOT / "src" / "yinji" / "data"
BITS, C, WORD_WEIGHT, FOLDS = 13, 2.0, 0.3, 5


def examples() -> tuple[list[str], list[set[str]], list[float]]:
    texts, labels, weights = [], [], []
    for lang in ("zh", "en"):
        for line in (ROOT / "evals" / "scenes" / f"{lang}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["split"] == "dev":
                texts.append(row["text"])
                labels.append(set(row["scenes"]))
                weights.append(1.0)
    for name, words in tomllib.loads((DATA / "scenes.toml").read_text(encoding="utf-8"))["words"].items():
        for word in words.split():
            texts.append(word)
            labels.append({name})
            weights.append(WORD_WEIGHT)
    return texts, labels, weights


def vectors(texts: list[str]) -> csr_matrix:
    rows = [(at, one) for at, text in enumerate(texts) for one in {place(each, BITS) for each in features(text)}]
    at, columns = zip(*rows, strict=True)
    return csr_matrix((np.ones(len(rows)), (at, columns)), shape=(len(texts), 1 << BITS))


def main() -> None:
    texts, labels, weights = examples()
    found, raw, scales, biases, held = vectors(texts), b"", [], [], []
    for name in SCENES:
        wanted = np.array([name in one for one in labels])
        classifier = LogisticRegression(C=C, class_weight="balanced", max_iter=500, solver="liblinear")
        judged = cross_val_predict(classifier, found, wanted, cv=FOLDS, params={"sample_weight": np.array(weights)})
        held.append(float(np.mean((judged == wanted)[np.array(weights) == 1.0])))
        classifier.fit(found, wanted, sample_weight=weights)
        scale = float(np.abs(classifier.coef_[0]).max() / 127)
        raw += np.round(classifier.coef_[0] / scale).astype(np.int8).tobytes()
        scales.append(scale)
        biases.append(float(classifier.intercept_[0]))
    (DATA / "models" / "scenes.bin").write_bytes(raw)
    (DATA / "models" / "scenes.toml").write_text(
        "# Which scenes a statement is about. By training/scenes.py from the dev half of evals/scenes; Apache-2.0.\n"
        f"# {sum(one == 1.0 for one in weights)} statements, {sum(one != 1.0 for one in weights)} words. Five-fold,"
        f" share right: {', '.join(f'{name} {share:.3f}' for name, share in zip(SCENES, held, strict=True))}.\n"
        f"labels = {json.dumps(SCENES)}\nbits = {BITS}\nscale = {scales}\nbias = {biases}\n",
        encoding="utf-8",
    )
    print((DATA / "models" / "scenes.toml").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
