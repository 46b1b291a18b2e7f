"""Makes ``src/yinji/data/models/tuned.npz``: small changes to the embedder's last layers, and heads that read them.

    python training/tuned.py [--check] [--epochs 4]

Needs ``pip install jax`` besides the project, some 4 GB of memory and half an hour of two cores. Reads all that
``tuned_data.py`` lists; what that holds back is only scored, after each epoch. ``--check`` writes nothing.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
import tuned_net
from tuned_data import CLASSES, VERDICTS, Example, examples

from yinji.adapters.catalogue import catalogue_row, load_embedder
from yinji.adapters.e5_tokens import Tokenizer, vocabulary
from yinji.adapters.e5_tuned import cut, marked
from yinji.adapters.e5_weights import Weights, weights_path
from yinji.model import Verdict

TARGET = Path(__file__).parent.parent / "src" / "yinji" / "data" / "models" / "tuned.npz"
HEADS = {
    "relation": len(VERDICTS), "ends": 1, **{head: len(classes) for head, classes in CLASSES.items()}, "worth": 1,
    "injection": 1,
}  # fmt: skip
OF_TASK = {
    "relation": ("relation", "ends"), "statement": tuple(CLASSES), "gate": ("worth", "kind"),
    "injection": ("injection",),
}  # fmt: skip
SHIPPED = ("relation", "ends")
"""The others only help to learn: beside the older models they gained nothing that was worth their time (tuned.md)."""
TOKENS, TOKENS_FOREIGN = 128, 80
LENGTHS = (24, 40, 64, 112, 128)
"""To which texts are filled up."""
BATCH, RATE, WARM, SEED = 32, 2.5e-3, 100, 1
PHRASES = 8
Given: TypeAlias = tuple[Any, Any, dict[str, Any]]
"""States below, mask, and what is wanted."""
HARMLESS = (VERDICTS.index(Verdict.COMPATIBLE), VERDICTS.index(Verdict.UNRELATED))


@dataclass(frozen=True, kw_only=True)
class Row:
    """An example as it is fed."""

    of: Example
    ids: list[int]
    places: list[list[int]]
    """Tokens of the pronoun and of each phrase."""
    below: np.ndarray


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--epochs", type=int, default=4)
    asked = parser.parse_args()
    catalogue = catalogue_row("e5-small")
    path = weights_path(catalogue.package, catalogue.weights)
    if path is None:
        raise SystemExit(f"the package {catalogue.package} is not installed")
    weights = Weights(path)
    told = rows(weights, catalogue.query_prefix)
    learned, aside = ([one for one in told if one.of.held is held] for held in (False, True))
    for params in trained(learned, aside, weights, asked.epochs):
        if not asked.check:
            write(params)
    return 0


# ------------------------------------------------------------------- input


def rows(weights: Weights, prefix: str) -> list[Row]:
    pieces = weights.pieces()
    tokenizer = Tokenizer(vocabulary(pieces))
    told = [_placed(one, tokenizer, prefix, pieces.bos, pieces.eos) for one in examples(load_embedder("e5-small"))]
    kept = [one for one in told if one is not None]
    session = tuned_net.lower_session(weights)
    below = tuned_net.encoded(weights, session, [ids for _, ids, _ in kept])
    return [
        Row(of=of, ids=ids, places=places, below=state) for (of, ids, places), state in zip(kept, below, strict=True)
    ]


def _placed(
    one: Example, tokenizer: Tokenizer, prefix: str, bos: int, eos: int
) -> tuple[Example, list[int], list[list[int]]] | None:
    if one.task == "pronoun":
        opening = [bos, *tokenizer.ids(prefix.strip())]
        ids, places = marked(one.messages, one.spans, tokenizer.ids, opening, eos)
        return (one, ids, places) if places[0] and any(places[1:]) else None
    parts = (prefix + one.parts[0], *one.parts[1:])
    most = TOKENS_FOREIGN if one.task == "injection" else TOKENS
    return one, cut([tokenizer.ids(part) for part in parts], bos, eos, most=most), []


def batches(told: Sequence[Row], chance: Random | None = None) -> list[tuple[str, int, list[Row]]]:
    """Rows of one task and about one length together; in another order each time, if by chance."""
    sorted_: dict[tuple[str, int], list[Row]] = {}
    for row in told:
        length = next(one for one in LENGTHS if len(row.ids) <= one)
        sorted_.setdefault((row.of.task, length), []).append(row)
    found = []
    for (task, length), own in sorted_.items():
        if chance:
            chance.shuffle(own)
        found += [(task, length, own[at : at + BATCH]) for at in range(0, len(own), BATCH)]
    if chance:
        chance.shuffle(found)
    return found


def fed(task: str, length: int, told: Sequence[Row]) -> Given:
    """States, mask and what is wanted, filled up to a whole batch with rows that count nothing."""
    below = np.zeros((BATCH, length, told[0].below.shape[1]), np.float32)
    mask, counts = np.zeros((BATCH, length), np.float32), np.zeros(BATCH, np.float32)
    for at, row in enumerate(told):
        below[at, : len(row.ids)], mask[at, : len(row.ids)], counts[at] = row.below, 1, 1
    mask[len(told) :, 0] = 1
    of = [row.of for row in told]
    wanted: dict[str, Any] = {"counts": counts}
    if task == "pronoun":
        return below, mask, wanted | _phrases(told, length)
    wanted["label"] = _filled([one.label for one in of])
    wanted["ends"] = _filled([one.ends for one in of])
    wanted["weight"] = _filled([one.weight for one in of])
    for head, classes in CLASSES.items():
        wanted[head] = np.zeros((BATCH, len(classes)), np.float32)
        for at, one in enumerate(of):
            wanted[head][at, list(one.allowed.get(head, ()))] = 1
    return below, mask, wanted


def _filled(values: Sequence[float]) -> np.ndarray:
    return np.array([*values, *[0] * (BATCH - len(values))], np.float32)


def _phrases(told: Sequence[Row], length: int) -> dict[str, np.ndarray]:
    spans = np.zeros((BATCH, PHRASES + 1, length), np.float32)
    there, right = np.zeros((BATCH, PHRASES), np.float32), np.zeros((BATCH, PHRASES + 1), np.float32)
    for at, row in enumerate(told):
        for number, places in enumerate(row.places):
            if places:
                spans[at, number, places] = 1 / len(places)
        there[at, : len(row.places) - 1] = [bool(places) for places in row.places[1:]]
        right[at, : len(row.of.right) - 1] = np.array(row.of.right[:-1]) * there[at, : len(row.of.right) - 1]
        right[at, PHRASES] = not right[at, :PHRASES].any()
    return {"spans": spans, "there": there, "right": right}


# ---------------------------------------------------------------- training


def trained(told: Sequence[Row], aside: Sequence[Row], weights: Weights, epochs: int) -> Iterator[Any]:
    """What was learned after each epoch."""
    upper, heads = tuned_net.upper_weights(weights), weights.sizes.heads
    params = tuned_net.start(upper, HEADS, SEED)

    def loss(params: Any, task: str, given: Given, key: Any) -> Any:
        return _loss(params, task, tuned_net.states(params, upper, *given[:2], heads), given, key)

    @partial(jax.jit, static_argnums=(2,))
    def step(state: tuple[Any, Any], rate: Any, task: str, given: Given, key: Any) -> Any:
        params, kept = state
        value, slopes = jax.value_and_grad(loss)(params, task, given, key)
        return value, tuned_net.adam(params, slopes, kept, rate)

    @partial(jax.jit, static_argnums=(1,))
    def seen(params: Any, task: str, given: Given) -> Any:
        below, mask, wanted = given
        state = tuned_net.states(params, upper, below, mask, heads)
        if task == "pronoun":
            return {"refer": tuned_net.referred(params["refer"], state, wanted["spans"], wanted["there"])}
        return {head: tuned_net.scores(params["heads"][head], state, mask, None) for head in OF_TASK[task]}

    kept = (*(jax.tree_util.tree_map(jnp.zeros_like, params) for _ in range(2)), 0)
    chance, key, done = Random(SEED), jax.random.PRNGKey(SEED), 0
    whole = len(batches(told)) * epochs
    for epoch in range(epochs):
        began, losses = time.monotonic(), []
        for task, length, own in batches(told, chance):
            rate = RATE * min(1, (done + 1) / WARM) * max(0.03, 1 - done / whole)
            key, now = jax.random.split(key)
            value, (params, kept) = step((params, kept), rate, task, fed(task, length, own), now)
            losses.append(float(value))
            done += 1
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.3f}, {time.monotonic() - began:.0f} s", flush=True)
        report(aside, lambda *asked, params=params: seen(params, *asked))
        yield params


def _loss(params: Any, task: str, state: Any, given: Given, key: Any) -> Any:
    _, mask, wanted = given
    keys, heads, counts = iter(jax.random.split(key, 8)), params["heads"], wanted["counts"]

    def scores(head: str) -> Any:
        return tuned_net.scores(heads[head], state, mask, next(keys))

    def one_of(head: str) -> Any:
        chances = jax.nn.log_softmax(scores(head))
        right = jax.nn.logsumexp(jnp.where(wanted[head] > 0, chances, -1e9), -1)
        return -(right * (wanted[head].sum(-1) > 0)).mean()

    match task:
        case "relation":
            chances = jax.nn.log_softmax(scores("relation"))
            right = jnp.take_along_axis(chances, wanted["label"].astype(int)[:, None], 1)[:, 0]
            ends = _whether(scores("ends")[:, 0], wanted["ends"])
            return -(right * wanted["weight"] * counts).mean() + 0.7 * (ends * counts).mean()
        case "statement":
            return 0.5 * sum(one_of(head) for head in CLASSES)
        case "gate":
            return (_whether(scores("worth")[:, 0], wanted["label"]) * counts).mean() + 0.5 * one_of("kind")
        case "injection":
            return (_whether(scores("injection")[:, 0], wanted["label"]) * counts).mean()
    chances = jax.nn.log_softmax(tuned_net.referred(params["refer"], state, wanted["spans"], wanted["there"]))
    return -(jax.nn.logsumexp(jnp.where(wanted["right"] > 0, chances, -1e9), 1) * counts).mean()


def _whether(score: Any, wanted: Any) -> Any:
    """Loss of a yes or no."""
    return jnp.logaddexp(0, score) - score * wanted


# ------------------------------------------------------------------ scores


def report(aside: Sequence[Row], seen: Any) -> None:
    """How often each head is right on what was held back."""
    right: dict[str, list[float]] = {}
    for task, length, own in batches(aside):
        found = {head: np.asarray(scores) for head, scores in seen(task, fed(task, length, own)).items()}
        for at, row in enumerate(own):
            for name, good in _right(row, {head: scores[at] for head, scores in found.items()}):
                right.setdefault(f"{name} {row.of.language}", []).append(good)
    print("  ".join(f"{name} {np.mean(good):.3f} ({len(good)})" for name, good in sorted(right.items())), flush=True)


def _right(row: Row, found: dict[str, np.ndarray]) -> list[tuple[str, float]]:
    one = row.of
    best = {head: int(scores.argmax()) for head, scores in found.items()}
    match one.task:
        case "relation":
            same = best["relation"] == one.label or (best["relation"] in HARMLESS and one.label in HARMLESS)
            ends = [(f"ends of {one.sort}", float((found["ends"][0] > 0) == one.ends))]
            return [*ends, *([(f"relation of {one.sort}", float(same))] if one.weight else [])]
        case "pronoun":
            there = [*(at for at, places in enumerate(row.places[1:]) if places)]
            wanted = best["refer"] in there and one.right[best["refer"]]
            return [("pronoun", float(wanted or (best["refer"] == PHRASES and one.right[-1])))]
        case "statement":
            return [(head, float(best[head] in one.allowed[head])) for head in CLASSES if one.allowed.get(head)]
    head = "worth" if one.task == "gate" else "injection"
    return [(f"{head} {one.sort}".strip(), float((found[head][0] > 0) == bool(one.label)))]


# ----------------------------------------------------------------- writing


def write(params: Any) -> None:
    """Half precision is enough: the graph has seven bits."""
    told: dict[str, Any] = {}
    for layer, change in enumerate(params["changes"], tuned_net.BELOW):
        for part in tuned_net.PARTS:
            told[f"l{layer}.{part}.w.down"] = change[f"{part}.down"]
            told[f"l{layer}.{part}.w.up"] = change[f"{part}.up"] * tuned_net.STRENGTH
    for head, own in ((head, params["heads"][head]) for head in SHIPPED):
        told |= {f"{head}.{name}": value for name, value in own.items()}
    told |= {f"refer.{name}": value for name, value in params["refer"].items()}
    np.savez_compressed(TARGET, **{name: np.asarray(value, np.float16) for name, value in told.items()})
    print(f"{TARGET.name}: {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    sys.exit(main())
