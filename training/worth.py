"""Makes ``src/yinji/data/models/worth.npz``: small changes to the embedder's layers that tell what is worth keeping.

    python training/worth.py [--check] [--epochs 3] [--rate 6e-4] [--from EARLIER.npz] [--weigh]

Reads what ``training/gate.py`` reads and holds back the same fifth of it (blocks of twenty neighbours), so that a
classifier that saw the others can be weighed beside what is read. Needs ``pip install torch`` besides the project and,
an epoch, three minutes of one core. ``--check`` writes nothing.

``--weigh`` learns nothing of texts, but from those held back what the classifier's score and what is read add up to,
and prints it; the classifier learns from the others for this.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import torch
from gate import FOLDS, HERE, LANGUAGES, NEIGHBOURS, Data, embedded, f1, judged, rows, train
from gate import scores as by_classifier
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from torch import Tensor
from torch.nn import functional
from tuned_data import Example
from tuned_feed import Batch, Reader, Row, batches
from tuned_loop import learned, opened
from tuned_net import Net, shipped

TARGET = HERE.parent / "src" / "yinji" / "data" / "models" / "worth.npz"
HEAD = "worth"
SEED = 5
POINTS = (-1.0, 0.0, 1.0)

Floats = NDArray[np.float32]


def main() -> int:
    asked = _arguments()
    torch.manual_seed(SEED)
    net, reader = opened({HEAD: 1}, asked.earlier)
    told = {lang: reader.rows(examples(lang)) for lang in LANGUAGES}
    if asked.weigh:
        for lang, own in told.items():
            weigh(lang, scores(net, reader, [one for one in own if one.of.held]))
        return 0
    learning = [one for own in told.values() for one in own if not one.of.held]
    chance = Random(SEED)
    planned = [batches(learning, chance) for _ in range(asked.epochs)]
    for _ in learned(net, planned, lambda batch: {HEAD: loss(net, reader, batch)}, asked.rate):
        for lang, own in told.items():
            aside = [one for one in own if one.of.held]
            report(lang, aside, scores(net, reader, aside))
        if not asked.check:
            np.savez_compressed(asked.to, **shipped(net, (HEAD,)))
            print(f"{asked.to.name}: {asked.to.stat().st_size} bytes", flush=True)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--rate", type=float, default=6e-4)
    parser.add_argument("--from", dest="earlier", type=Path, metavar="NPZ")
    parser.add_argument("--to", type=Path, metavar="NPZ", default=TARGET)
    parser.add_argument("--weigh", action="store_true")
    return parser.parse_args()


def examples(language: str) -> list[Example]:
    """In the order of the file; an answer is read behind its question."""
    found = []
    for at, row in enumerate(rows(HERE / "data" / "gate" / f"{language}.jsonl")):
        one = judged(row)
        held = (at // NEIGHBOURS) % FOLDS == 0
        found.append(Example(task=HEAD, language=language, held=held, parts=one.parts, label=bool(row["keep"])))
    return found


def loss(net: Net, reader: Reader, batch: Batch) -> Tensor:
    embeds, mask = reader.fed(batch)
    found: Tensor = net.heads[HEAD](net.states(embeds, mask), mask)
    wanted = torch.tensor([float(one.label) for one in batch.of])
    return functional.binary_cross_entropy_with_logits(found[:, 0], wanted)


@torch.no_grad()
def scores(net: Net, reader: Reader, told: Sequence[Row]) -> Floats:
    """Of every row, in its order."""
    net.eval()
    places = {id(row): at for at, row in enumerate(told)}
    found = np.zeros(len(told), np.float32)
    for batch in batches(told):
        embeds, mask = reader.fed(batch)
        own = net.heads[HEAD](net.states(embeds, mask), mask)[:, 0].numpy()
        found[[places[id(row)] for row in batch.rows]] = own
    return found


def report(language: str, told: Sequence[Row], judged: Floats) -> None:
    wanted = np.array([bool(one.of.label) for one in told])
    print(f"  {language}: {len(told)} held back;", *(_at(point, judged, wanted) for point in POINTS), flush=True)


def _at(point: float, judged: Floats, wanted: NDArray[np.bool_]) -> str:
    kept = judged > point
    return f"from {point:+.1f} F1 {f1(kept, wanted):.3f}, idle kept {(kept & ~wanted).sum() / (~wanted).sum():.3f};"


def weigh(language: str, read: Floats) -> None:
    given = rows(HERE / "data" / "gate" / f"{language}.jsonl")
    data = Data(language, given, embedded(given))
    aside = (np.arange(len(given)) // NEIGHBOURS) % FOLDS == 0
    told = by_classifier(train(data, "vector", ~aside), data, "vector")[aside, 0]
    wanted = data.wanted[aside, 0] > 0
    both = np.stack([told, read], 1)
    model = LogisticRegression(C=10).fit(both, wanted)
    print(language, "classifier, read, offset:", model.coef_[0].round(3), model.intercept_.round(3))
    for name, each in (("classifier", told), ("read", read), ("both", model.decision_function(both))):
        print(f"  {name}: {_at(0.0, each, wanted)}")


if __name__ == "__main__":
    sys.exit(main())
