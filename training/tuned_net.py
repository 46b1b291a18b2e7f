"""The last layers of multilingual-e5-small with small changes that can be learned, and the heads above them, in JAX.

A change is low-rank, W + A B (LoRA, Hu et al. 2021, arXiv:2106.09685). What lies below is computed once, by the same
int8 arithmetic as at work.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import onnxruntime

from yinji.adapters.e5_graph import _Network
from yinji.adapters.e5_onnx import _positions
from yinji.adapters.e5_tuned import LOUDNESS, SHARPNESS
from yinji.adapters.e5_weights import Weights, unpacked

BELOW = 9
"""Layers that stay as they are."""
RANK = 8
STRENGTH = 16.0 / RANK
PARTS = {"q": "hidden", "k": "hidden", "v": "hidden", "ao": "hidden", "fi": "hidden", "fo": "inner"}
"""Weights of a layer, and how wide their input is."""
WIDE = 96
"""Hidden units of what scores phrases."""
DROPPED = 0.1
A_RUN = 1024
"""Tokens that are encoded at once."""
Params = Any
Array = Any


def lower_session(weights: Weights) -> Any:
    """The layers below, as a graph whose output is what they make of each token."""
    network = _Network(weights, {})
    state = network.normalised("embeds", "emb.ln")
    for layer in range(BELOW):
        state = network.layer(layer, state)
    network.node("Identity", state, names=("states",))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    graph = network.model("states", ["batch", "tokens"])
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def encoded(weights: Weights, session: Any, texts: Sequence[Sequence[int]]) -> list[np.ndarray]:
    """Token ids → states (tokens, hidden) of half precision."""
    words, positions = weights.rows("emb.word", weights.sizes.hidden), _positions(weights)
    found: list[np.ndarray] = [np.zeros(0)] * len(texts)
    order, at = sorted(range(len(texts)), key=lambda one: len(texts[one])), 0
    while at < len(order):
        end = at + 1
        while end < len(order) and len(texts[order[end]]) * (end - at + 1) <= A_RUN:
            end += 1
        run, length = order[at:end], len(texts[order[end - 1]])
        ids, mask = np.zeros((len(run), length), np.int64), np.zeros((len(run), length), np.int32)
        for row, one in enumerate(run):
            ids[row, : len(texts[one])], mask[row, : len(texts[one])] = texts[one], 1
        distinct, places = np.unique(ids, return_inverse=True)
        embeds = unpacked(words[distinct])[places.reshape(ids.shape)] + positions[:length]
        states = session.run(["states"], {"embeds": embeds.astype(np.float32), "mask": mask})[0]
        for row, one in enumerate(run):
            found[one] = states[row, : len(texts[one])].astype(np.float16)
        at = end
    return found


def upper_weights(weights: Weights) -> list[dict[str, Array]]:
    sizes, found = weights.sizes, []
    for layer in range(BELOW, sizes.layers):
        own: dict[str, Array] = {}
        for part, width in PARTS.items():
            own[f"{part}.w"] = jnp.asarray(unpacked(weights.rows(f"l{layer}.{part}.w", getattr(sizes, width))).T)
            own[f"{part}.b"] = jnp.asarray(weights.floats(f"l{layer}.{part}.b"))
        for norm in ("aln", "oln"):
            own[f"{norm}.w"], own[f"{norm}.b"] = (jnp.asarray(weights.floats(f"l{layer}.{norm}.{of}")) for of in "wb")
        found.append(own)
    return found


def start(upper: Sequence[dict[str, Array]], heads: dict[str, int], seed: int) -> Params:
    """Changes that change nothing yet, and heads that score everything alike."""
    keys = iter(jax.random.split(jax.random.PRNGKey(seed), 200))
    changes: list[dict[str, Array]] = []
    for layer in upper:
        own: dict[str, Array] = {}
        for part in PARTS:
            rows, columns = layer[f"{part}.w"].shape
            own[f"{part}.down"] = jax.random.normal(next(keys), (rows, RANK)) / math.sqrt(rows)
            own[f"{part}.up"] = jnp.zeros((RANK, columns))
        changes.append(own)
    hidden = upper[0]["q.w"].shape[0]
    refer = {
        name: jax.random.normal(next(keys), (hidden, WIDE)) * 0.05 for name in ("phrase", "pronoun", "both", "nothing")
    }
    ends = {
        "bias": jnp.zeros(WIDE),
        "weights": jnp.zeros(WIDE),
        "nothing_weights": jnp.zeros(WIDE),
        "nothing_bias": jnp.zeros(()),
    }
    each = {
        name: {"look": jnp.zeros(hidden), "weights": jnp.zeros((hidden, classes)), "bias": jnp.zeros(classes)}
        for name, classes in heads.items()
    }
    return {"changes": changes, "heads": each, "refer": {**refer, **ends}}


def states(params: Params, upper: Sequence[dict[str, Array]], below: Array, mask: Array, heads: int) -> Array:
    """(texts, tokens, hidden) after the last layer."""
    for layer, change in zip(upper, params["changes"], strict=True):
        below = _layer(below, mask, layer, change, heads)
    return below


def _layer(x: Array, mask: Array, layer: dict[str, Array], change: dict[str, Array], heads: int) -> Array:
    texts, tokens, hidden = x.shape

    def split(part: str) -> Array:
        return _product(x, part, layer, change).reshape(texts, tokens, heads, hidden // heads).transpose(0, 2, 1, 3)

    near = split("q") @ split("k").transpose(0, 1, 3, 2) / math.sqrt(hidden // heads)
    near = jax.nn.softmax(near + (1 - mask[:, None, None, :]) * -1e9, -1)
    looked = (near @ split("v")).transpose(0, 2, 1, 3).reshape(texts, tokens, hidden)
    x = _norm(_product(looked, "ao", layer, change) + x, layer, "aln")
    bent = jax.nn.gelu(_product(x, "fi", layer, change), approximate=False)
    return _norm(_product(bent, "fo", layer, change) + x, layer, "oln")


def _product(x: Array, part: str, layer: dict[str, Array], change: dict[str, Array]) -> Array:
    return x @ layer[f"{part}.w"] + layer[f"{part}.b"] + x @ change[f"{part}.down"] @ change[f"{part}.up"] * STRENGTH


def _norm(x: Array, layer: dict[str, Array], name: str) -> Array:
    mean = x.mean(-1, keepdims=True)
    spread = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(spread + 1e-12) * layer[f"{name}.w"] + layer[f"{name}.b"]


def scores(head: dict[str, Array], x: Array, mask: Array, key: Array | None) -> Array:
    """As ``e5_tuned.scored``; with a key, some of what the head sees is left out."""
    attention = jax.nn.softmax(x @ head["look"] * SHARPNESS + (1 - mask) * -1e9, -1)
    looked = jnp.einsum("bt,btd->bd", attention, x) * LOUDNESS
    if key is not None:
        looked = looked * jax.random.bernoulli(key, 1 - DROPPED, looked.shape) / (1 - DROPPED)
    return looked @ head["weights"] + head["bias"]


def referred(refer: dict[str, Array], x: Array, spans: Array, there: Array) -> Array:
    """As ``e5_tuned.referred``. ``spans`` (texts, pronoun and phrases, tokens): shares of an average."""
    means = jnp.einsum("bst,btd->bsd", spans, x) * LOUDNESS
    pronoun, phrases = means[:, 0], means[:, 1:]
    own = pronoun @ refer["pronoun"] + refer["bias"]
    bent = jax.nn.gelu(phrases @ refer["phrase"] + own[:, None] + (phrases * pronoun[:, None]) @ refer["both"])
    nothing = jax.nn.gelu(pronoun @ refer["nothing"] + own) @ refer["nothing_weights"] + refer["nothing_bias"]
    return jnp.concatenate([jnp.where(there > 0, bent @ refer["weights"], -1e9), nothing[:, None]], 1)


def adam(params: Params, slopes: Params, kept: tuple[Params, Params, int], rate: Array) -> tuple[Params, Any]:
    """One step of Adam with weight decay (Loshchilov and Hutter 2019), slopes cut to length 1."""
    first, second, count = kept
    count, tree = count + 1, jax.tree_util.tree_map
    length = jnp.sqrt(sum(jnp.sum(one * one) for one in jax.tree_util.tree_leaves(slopes)))
    slopes = tree(lambda one: one * jnp.minimum(1.0, 1.0 / (length + 1e-9)), slopes)
    first = tree(lambda a, b: 0.9 * a + 0.1 * b, first, slopes)
    second = tree(lambda a, b: 0.98 * a + 0.02 * b * b, second, slopes)
    one, two = 1 - 0.9**count, 1 - 0.98**count
    moved = tree(lambda p, a, b: p - rate * (a / one / (jnp.sqrt(b / two) + 1e-6) + 0.01 * p), params, first, second)
    return moved, (first, second, count)
