"""A small linear classifier over words and characters, its weights one byte each, read without numpy.

A text is a set of features: words and word pairs of Latin scripts, one to three characters of Chinese, and names that
the caller found in it. Each is hashed to a weight; what they add up to is squashed to a probability.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from yinji import shipped
from yinji.language.script import simplify
from yinji.language.text import HAN

_TOKENS = re.compile(rf"[{HAN}]|[a-z']+|\d+|[^\w\s]")
LONGEST_RUN = 3
LARGEST = 50.0
"""Sums beyond are as good as certain, and their exponential need not be taken."""
EVEN = 6.0
"""Features in a text of usual length, by square root."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Linear:
    """Weights for one question; ``data/models/NAME.bin`` and its card ``NAME.toml``."""

    bits: int
    weights: bytes
    """Signed, 2 to the power of ``bits`` of them."""
    scale: float
    bias: float
    even: bool
    """Whether long texts weigh no more than short ones."""

    def probability(self, features: Iterable[str], *, besides: float = 0.0) -> float:
        """``besides``: what else weighs, on the scale of the bias."""
        return squashed(besides + self.total(features))

    def total(self, features: Iterable[str]) -> float:
        """What its features add up to."""
        found = set(features)
        share = evened(len(found)) if self.even else 1.0
        return self.bias + self.scale * share * sum(self._weights(found))

    def _weights(self, features: Iterable[str]) -> Iterator[int]:
        for feature in features:
            weight = self.weights[place(feature, self.bits)]
            yield weight - 256 if weight > 127 else weight


def squashed(total: float) -> float:
    """The probability that a sum of weights stands for: the logistic function."""
    return 1 / (1 + math.exp(-max(-LARGEST, min(LARGEST, total))))


def softmax(values: Sequence[float]) -> list[float]:
    """The shares of one that belong to weights."""
    most = max(values)
    raised = [math.exp(one - most) for one in values]
    whole = sum(raised)
    return [one / whole for one in raised]


def weighed(amounts: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The sum of what each thing is worth, by how much there is of it; what has no weight is worth nothing."""
    return sum(weights.get(name, 0.0) * amount for name, amount in amounts.items())


def evened(count: int) -> float:
    """What each of so many features counts, so that a text counts the same whatever its length."""
    return EVEN / math.sqrt(max(count, 1))


def place(feature: str, bits: int) -> int:
    """Where the weight of a feature stands."""
    return zlib.crc32(feature.encode("utf-8", "surrogatepass")) & ((1 << bits) - 1)


def runs(text: str) -> Iterator[str]:
    """The words and characters of a text and what stands next to each other, as features."""
    tokens = _TOKENS.findall(simplify(text).lower())
    for start, token in enumerate(tokens):
        yield token
        pair = tokens[start : start + 2]
        if len(pair) == 2:
            yield "".join(pair) if _is_han(token) and _is_han(pair[1]) else " ".join(pair)
        run = tokens[start : start + LONGEST_RUN]
        if len(run) == LONGEST_RUN and all(map(_is_han, run)):
            yield "".join(run)
    if tokens:
        yield f"^{tokens[0]}"


def _is_han(token: str) -> bool:
    return token >= "\u3400"


@cache
def model(name: str) -> Mapping[str, Linear]:
    """The classifiers of a name by what each tells; see ``training``."""
    card = shipped.toml(f"models/{name}.toml")
    weights, size = shipped.file(f"models/{name}.bin").read_bytes(), 1 << card["bits"]
    return {
        label: Linear(
            bits=card["bits"],
            weights=weights[at * size : (at + 1) * size],
            scale=card["scale"][at],
            bias=card["bias"][at],
            even=card.get("even", False),
        )
        for at, label in enumerate(card["labels"])
    }
