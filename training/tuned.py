"""Makes ``src/yinji/data/models/tuned.npz``: small changes to the embedder's layers, and heads that read them.

    python training/tuned.py [--check] [--epochs 1] [--tasks point …] [--from EARLIER.npz] [--share 0.01]

Needs ``pip install torch`` besides the project, some 8 GB of memory and, an epoch, half an hour of two cores. Reads all
that ``tuned_data.py`` lists, or some tasks of it; what is named twice is read twice an epoch. What is held back is only
scored, after each epoch. ``--from`` goes on from weights that an earlier run wrote; heads that do not ship begin anew.
``--check`` writes nothing, and ``--share`` takes that part of the examples.

What ships was learned in five passes, which the card tells; three of these make weights of the same kind:

    python training/tuned.py --tasks point --epochs 4
    python training/tuned.py --from src/yinji/data/models/tuned.npz
    python training/tuned.py --from src/yinji/data/models/tuned.npz --tasks relation answers point point
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np
import torch
import tuned_feed
import tuned_report
from torch import Tensor
from torch.nn import functional
from tuned_data import CLASSES, HARMLESS, VERDICTS, examples
from tuned_feed import Batch, Reader, Row, batches
from tuned_loop import learned, opened
from tuned_net import NEVER, Net, shipped

from yinji.adapters.catalogue import load_embedder

TARGET = Path(__file__).parent.parent / "src" / "yinji" / "data" / "models" / "tuned.npz"
HEADS = {
    "relation": len(VERDICTS), "ends": 1, "answers": 1, **{head: len(classes) for head, classes in CLASSES.items()},
    "worth": 1,
}  # fmt: skip
OF_TASK = {
    "relation": ("relation", "ends"), "answers": ("answers",), "statement": tuple(CLASSES), "gate": ("worth", "kind"),
    "point": (),
}  # fmt: skip
SHIPPED = ("relation", "ends", "answers", "point")
"""The others only help to learn: beside the older models they gained nothing that was worth their time (tuned.md)."""
RATE, SEED = 1e-3, 1


def main() -> int:
    asked = _arguments()
    torch.manual_seed(SEED)
    net, reader = opened(HEADS, asked.earlier)
    told = [one for one in examples(load_embedder("e5-small")) if one.task in asked.tasks]
    Random(SEED).shuffle(told)
    rows = reader.rows(told[: round(len(told) * asked.share)])
    own = [row for task in asked.tasks for row in rows if row.of.task == task and not row.of.held]
    aside = [row for row in rows if row.of.held]
    for _ in trained(net, reader, own, asked.epochs):
        tuned_report.report(aside, lambda batch: seen(net, reader, batch))
        if not asked.check:
            np.savez_compressed(TARGET, **shipped(net, SHIPPED))
            print(f"{TARGET.name}: {TARGET.stat().st_size} bytes")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--tasks", nargs="+", choices=OF_TASK, default=list(OF_TASK))
    parser.add_argument("--from", dest="earlier", type=Path, metavar="NPZ")
    parser.add_argument("--share", type=float, default=1.0)
    return parser.parse_args()


# ---------------------------------------------------------------- training


def trained(net: Net, reader: Reader, told: Sequence[Row], epochs: int) -> Iterator[None]:
    """Stops after each epoch, to be looked at."""
    chance = Random(SEED)
    planned = [batches(told, chance) for _ in range(epochs)]
    return learned(net, planned, lambda batch: {batch.task: loss(net, reader, batch)}, RATE)


def loss(net: Net, reader: Reader, batch: Batch) -> Tensor:
    embeds, mask = reader.fed(batch)
    state = net.states(embeds, mask)

    def score(head: str) -> Tensor:
        scored: Tensor = net.heads[head](state, mask)
        return scored

    match batch.task:
        case "relation":
            ends = torch.tensor([float(one.ends) for one in batch.of])
            return _verdicts(score("relation"), batch) + 0.7 * _whether(score("ends"), ends)
        case "statement":
            return 0.5 * _classes(score, batch, tuple(CLASSES))
        case "point":
            return -_of_right(net.point(state, *tuned_feed.pronouns(batch)), tuned_feed.meant(batch)).mean()
    label = torch.tensor([float(one.label) for one in batch.of])
    if batch.task == "gate":
        return _whether(score("worth"), label) + 0.5 * _classes(score, batch, ("kind",))
    return _whether(score("answers"), label)


def _verdicts(scores: Tensor, batch: Batch) -> Tensor:
    """Where a world only says that a memory is left as it is, both verdicts that mean this are right."""
    right = torch.zeros_like(scores)
    for at, one in enumerate(batch.of):
        right[at, list(HARMLESS) if one.beside and not one.beside.touched else one.label] = 1
    weight = torch.tensor([one.weight for one in batch.of])
    return -(_of_right(torch.log_softmax(scores, -1), right) * weight).mean()


def _classes(score: Callable[[str], Tensor], batch: Batch, heads: Sequence[str]) -> Tensor:
    """Of each head where a class is known."""
    total = torch.zeros(())
    for head in heads:
        right = tuned_feed.allowed(batch, head)
        known = right.sum(1) > 0
        if known.any():
            total = total - _of_right(torch.log_softmax(score(head)[known], -1), right[known]).sum() / len(batch.rows)
    return total


def _of_right(chances: Tensor, right: Tensor) -> Tensor:
    """Log of the chance of all that is right together."""
    return torch.logsumexp(torch.where(right > 0, chances, torch.full_like(chances, NEVER)), -1)


def _whether(scores: Tensor, wanted: Tensor) -> Tensor:
    return functional.binary_cross_entropy_with_logits(scores[:, 0], wanted)


@torch.no_grad()
def seen(net: Net, reader: Reader, batch: Batch) -> dict[str, np.ndarray]:
    """The scores (texts, classes) of each head that is asked of such a batch, or of ``point`` its chances."""
    net.eval()
    embeds, mask = reader.fed(batch)
    state = net.states(embeds, mask)
    if batch.task == "point":
        return {"point": net.point(state, *tuned_feed.pronouns(batch)).exp().numpy()}
    return {head: net.heads[head](state, mask).numpy() for head in OF_TASK[batch.task]}


if __name__ == "__main__":
    sys.exit(main())
