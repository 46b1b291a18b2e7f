"""Trains the recall gate: whether a message needs memory (src/yinji/recall/gate.py).

    python training/recall_gate.py [--check]

Trains on training/data/recall_gate and on messages of training/data/gate that tell something and ask nothing;
chooses the points on the ``dev`` half of evals/recall_gate. ``--check`` writes nothing and says whether the weights
that are there are the ones that it makes. Needs ``pip install -e '.[training]'``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from yinji.adapters.catalogue import load_embedder
from yinji.recall.gate import signs

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "src/yinji/data/models/recall_gate.json"
LANGUAGES = ("zh", "en")
TOLD = 300
"""Messages per language that only tell something, each at a part of the weight of a labelled one."""
TOLD_WEIGHT = 0.4
ASKING = {"question", "command", "request_with_fact", "answer", "correction", "relation", "about_assistant"}
C = {"with_vector": 0.3, "signs_only": 1.0}
VECTOR_SCALE = 8.0
"""Brings the numbers of a unit vector to the size of signs, so that both are damped alike."""
PLACES = 4


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def training_rows() -> list[dict[str, Any]]:
    rows = []
    for language in LANGUAGES:
        rows += [row | {"weight": 1.0} for row in lines(ROOT / f"training/data/recall_gate/{language}.jsonl")]
        told = [one for one in lines(ROOT / f"training/data/gate/{language}.jsonl") if one["category"] not in ASKING]
        step = len(told) / TOLD
        picked = [told[int(at * step)] for at in range(TOLD)]
        rows += [{**one, "need_recall": False, "weight": TOLD_WEIGHT} for one in picked]
    return rows


def development_rows() -> list[dict[str, Any]]:
    return [
        row
        for language in LANGUAGES
        for row in lines(ROOT / f"evals/recall_gate/{language}.jsonl")
        if row["split"] == "dev"
    ]


def f1(found: np.ndarray, wanted: np.ndarray) -> float:
    return 2 * float((found & wanted).sum()) / max(1.0, float(found.sum() + wanted.sum()))


def best_point(shares: np.ndarray, rows: Sequence[dict[str, Any]]) -> float:
    """The probability with the best mean F1 of both languages; the lowest of equals, for what is lost costs more."""
    wanted = np.array([row["need_recall"] for row in rows])
    of = np.array([row["lang"] for row in rows])

    def score(point: float) -> float:
        return sum(f1(shares[of == one] >= point, wanted[of == one]) for one in LANGUAGES)

    return max(np.arange(0.2, 0.6, 0.05), key=lambda point: (round(score(point), 3), -point))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    embedder = load_embedder("e5-small", threads=1, min_free_mb=200, progress=lambda what, share: None)
    rows, dev = training_rows(), development_rows()
    made = trained(rows, dev, embedder)
    text = json.dumps(made, ensure_ascii=False, indent=1) + "\n"
    if arguments.check:
        same = TARGET.read_text(encoding="utf-8") == text
        raise SystemExit(0 if same else "The weights differ: run training/recall_gate.py")
    TARGET.write_text(text, encoding="utf-8")
    points = f"points {made['point']}, {made['signs_point']}"
    print(f"{TARGET.relative_to(ROOT)}: {len(text):,} bytes from {len(rows)} messages; {points}")


def trained(rows: Sequence[dict[str, Any]], dev: Sequence[dict[str, Any]], embedder: Any) -> dict[str, Any]:
    read = DictVectorizer(sparse=False)
    seen = read.fit_transform([signs(row["text"], row["context"]) for row in rows])
    dev_seen = read.transform([signs(row["text"], row["context"]) for row in dev])
    vectors = embedder.embed([row["text"] for row in rows], purpose="query")
    dev_vectors = embedder.embed([row["text"] for row in dev], purpose="query")
    centre = vectors.mean(axis=0)
    wanted = [bool(row["need_recall"]) for row in rows]
    weight = [row["weight"] for row in rows]
    names = list(read.get_feature_names_out())

    def fit(inputs: np.ndarray, c: float) -> LogisticRegression:
        return LogisticRegression(C=c, max_iter=5000).fit(inputs, wanted, sample_weight=weight)

    whole = fit(np.hstack([seen, (vectors - centre) * VECTOR_SCALE]), C["with_vector"])
    alone = fit(seen, C["signs_only"])
    dev_whole = np.hstack([dev_seen, (dev_vectors - centre) * VECTOR_SCALE])
    return {
        "model": embedder.card.id,
        "point": round(best_point(whole.predict_proba(dev_whole)[:, 1], dev), 2),
        "signs_point": round(best_point(alone.predict_proba(dev_seen)[:, 1], dev), 2),
        "with_vector": {
            "bias": rounded(whole.intercept_[0]),
            "signs": dict(zip(names, map(rounded, whole.coef_[0][: len(names)]), strict=True)),
            "vector": [rounded(one * VECTOR_SCALE) for one in whole.coef_[0][len(names) :]],
            "centre": [rounded(one) for one in centre],
        },
        "signs_only": {
            "bias": rounded(alone.intercept_[0]),
            "signs": dict(zip(names, map(rounded, alone.coef_[0]), strict=True)),
        },
    }


def rounded(number: float) -> float:
    return round(float(number), PLACES)


if __name__ == "__main__":
    main()
