"""Makes ``src/yinji/data/models/orders.npz``: small changes to the embedder's layers that tell orders to an agent.

    python training/orders.py [--check] [--epochs 4] [--without .c …] [--from EARLIER.npz] [--lately .f] [--weigh]

Reads what ``training/injection.py`` reads, in the stretches of a text that are read at once, and learns of every text
the stretch that it is surest of (multiple instances, Dietterich et al. 1997): an order is one passage of a long page.
``--lately`` goes on with what a hand has added and one in ``OLDER`` of the others' texts. ``--without`` leaves out
what these hands wrote, to be scored instead of every sixth group of counterparts. Needs ``pip
install torch`` besides the project and, an epoch, ten minutes of one core. ``--check`` writes nothing.

``--weigh`` learns nothing of texts, but from those held back how much what is read counts beside the words, judged by
words learned from the others, and writes ``orders.toml``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from zlib import crc32

import numpy as np
import torch
from injection import (
    FOLDS,
    HELD,
    LANGUAGES,
    POINTS,
    SEED,
    Case,
    cases,
    fit,
    held,
    sheet,
    talk,
    totals,
    variants,
)
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from torch import Tensor
from torch.nn import functional
from tuned_data import Example
from tuned_feed import TOKENS, Batch, Reader, Row
from tuned_loop import learned, opened
from tuned_net import Net, shipped

from yinji.language.injection import readable, stretches, views

TARGET = Path(__file__).parent.parent / "src" / "yinji" / "data" / "models" / "orders.npz"
TOGETHER = TARGET.with_suffix(".toml")
HEAD = "orders"
RATE = 6e-4
STIRRED = 6
"""Noise on the length in tokens, so that epochs differ."""
HELD_OF = 6
"""Every sixth group of counterparts is held back, with all that was made of it."""
OLDER = 5
"""One in so many groups of what was learned from before is gone over again beside what is new."""
FALSE = (0.01, 0.02, 0.05)


@dataclass(frozen=True, kw_only=True)
class Text:
    """A case, and its stretches in tokens."""

    of: Case
    rows: list[Row]


def main() -> int:
    asked = _arguments()
    torch.manual_seed(SEED)
    net, reader = opened({HEAD: 1}, asked.earlier)
    texts = [told(case, reader) for case in (*variants(cases(), Random(SEED)), *talk(), *held())]
    if asked.weigh:
        weigh(texts, net, reader, check=asked.check)
        return 0
    own = [one for one in texts if not is_held(one.of, asked.without) and is_gone_over(one.of, asked.lately)]
    aside = [one for one in texts if is_held(one.of, asked.without) and (one.of.plain or one.of.hand == "talk")]
    print(f"{len(own)} texts to learn from, {len(aside)} held back")
    for _ in trained(net, reader, own, asked.epochs):
        report(aside, scores(net, reader, aside))
        if not asked.check:
            np.savez_compressed(TARGET, **shipped(net, (HEAD,)))
            print(f"{TARGET.name}: {TARGET.stat().st_size} bytes", flush=True)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--without", nargs="*", default=[], metavar="HAND")
    parser.add_argument("--from", dest="earlier", type=Path, metavar="NPZ")
    parser.add_argument("--lately", metavar="HAND")
    parser.add_argument("--weigh", action="store_true")
    return parser.parse_args()


def is_held(case: Case, without: Sequence[str]) -> bool:
    """Counterparts in the two languages are on the same side."""
    if case.hand == HELD or (without and case.hand != "talk"):
        return case.hand in (HELD, *without)
    return crc32(case.group.encode()) % HELD_OF == 0


def is_gone_over(case: Case, lately: str | None) -> bool:
    return lately in (None, case.hand) or crc32(f"again {case.group}".encode()) % OLDER == 0


def told(case: Case, reader: Reader) -> Text:
    """What hides a text is taken away first, as where it is judged."""
    text = case.text if case.plain else readable([*views(case.text)][-1])
    examples = [
        Example(task=HEAD, language=case.lang, held=False, parts=(text[start:end],), label=case.attack)
        for start, end in stretches(text)
    ]
    return Text(of=case, rows=reader.rows(examples))


# ---------------------------------------------------------------- training


def trained(net: Net, reader: Reader, texts: Sequence[Text], epochs: int) -> Iterator[None]:
    """Stops after each epoch, to be looked at."""
    chance = Random(SEED)
    planned = [batches(texts, chance) for _ in range(epochs)]

    def losses(batch: list[Text]) -> dict[str, Tensor]:
        return {HEAD: loss(net, reader, [surest(net, reader, text) for text in batch])}

    return learned(net, planned, losses, RATE)


def batches(texts: Sequence[Text], chance: Random) -> list[list[Text]]:
    """Texts of about one length together, in another order each time."""
    found, batch = list[list[Text]](), list[Text]()
    for text in sorted(texts, key=lambda one: _length(one) + chance.random() * STIRRED):
        if batch and (len(batch) + 1) * _length(text) > TOKENS:
            found.append(batch)
            batch = []
        batch.append(text)
    chance.shuffle(found)
    return [*found, batch] if batch else found


def _length(text: Text) -> int:
    return max(len(row.ids) for row in text.rows)


def surest(net: Net, reader: Reader, text: Text) -> Row:
    """The stretch that looks most like an order: it decides, so it is what is to be learned from."""
    if len(text.rows) == 1:
        return text.rows[0]
    return text.rows[int(np.argmax(scored(net, reader, text.rows)))]


def loss(net: Net, reader: Reader, rows: list[Row]) -> Tensor:
    net.train()
    embeds, mask = reader.fed(Batch(task=HEAD, rows=rows))
    wanted = torch.tensor([float(row.of.label) for row in rows])
    found: Tensor = net.heads[HEAD](net.states(embeds, mask), mask)
    return functional.binary_cross_entropy_with_logits(found[:, 0], wanted)


# ----------------------------------------------------------------- scoring


@torch.no_grad()
def scored(net: Net, reader: Reader, rows: list[Row]) -> NDArray[np.float32]:
    net.eval()
    embeds, mask = reader.fed(Batch(task=HEAD, rows=rows))
    found: NDArray[np.float32] = net.heads[HEAD](net.states(embeds, mask), mask)[:, 0].numpy()
    return found


def scores(net: Net, reader: Reader, texts: Sequence[Text]) -> NDArray[np.float32]:
    return np.array([scored(net, reader, text.rows).max() for text in texts])


def report(texts: Sequence[Text], judged: NDArray[np.float32]) -> None:
    """Of every hand: what is caught where a share of its harmless texts is taken for orders, and of what people say."""
    attack = np.array([one.of.attack for one in texts])
    for hand in sorted({one.of.hand for one in texts}):
        for lang in LANGUAGES:
            own = np.array([one.of.hand == hand and one.of.lang == lang for one in texts])
            harmless = np.sort(judged[own & ~attack])[::-1]
            if not (own & attack).any():
                print(f"  {hand} {lang}: {len(harmless)} harmless, {np.mean(harmless > 0):.3f} above one in two")
                continue
            points = [harmless[int(len(harmless) * share)] for share in FALSE]
            caught = "  ".join(f"{np.mean(judged[own & attack] > point):.3f}" for point in points)
            print(f"  {hand or 'a, b'} {lang}: caught at {FALSE} false {caught}; {own.sum()} texts", flush=True)


# ---------------------------------------------------------------- weighing


def weigh(texts: Sequence[Text], net: Net, reader: Reader, *, check: bool) -> None:
    of = sheet([one.of for one in texts])
    words = totals(of, fit(of, {at for at, one in enumerate(texts) if not is_held(one.of, ())}))
    aside = [at for at, one in enumerate(texts) if is_held(one.of, ())]
    held_back = [texts[at] for at in aside]
    told = np.stack([words[aside], scores(net, reader, held_back)], 1)
    attack = np.array([one.of.attack for one in held_back])
    report(held_back, words[aside])
    judged = cross_val_predict(LogisticRegression(), told, attack, cv=FOLDS, method="decision_function")
    report(held_back, judged)
    for point in POINTS:
        above = judged >= np.log(point / (1 - point))
        print(f"  {point}: caught {above[attack].mean():.3f}, false {above[~attack].mean():.3f}")
    model = LogisticRegression().fit(told, attack)
    by_words, by_reading = (float(one) for one in model.coef_[0])
    if not check:
        TOGETHER.write_text(
            "# What a passage's words and what the tuned layers read of it add up to. Made by training/orders.py.\n"
            f"words = {by_words:.4f}\nread = {by_reading:.4f}\noffset = {float(model.intercept_[0]):.4f}\n",
            encoding="utf-8",
        )


if __name__ == "__main__":
    sys.exit(main())
