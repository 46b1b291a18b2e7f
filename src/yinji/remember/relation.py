"""How likely a statement is each thing to an earlier one, as learned from labelled pairs (``training/relation.py``).

A multinomial logistic regression: it sees the features of both texts and, where there are vectors, their projections
onto a few directions. Data, split and scores: ``training/relation.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from typing import TYPE_CHECKING

from yinji import shipped
from yinji.language.linear import softmax, squashed
from yinji.model import Verdict
from yinji.remember.discern import VERDICTS, Told
from yinji.remember.features import Said, features

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from yinji.ports import Vector

    Floats = NDArray[np.float32]

LEAST = 1e-4
"""What a chance counts as at least, before its logarithm."""
CLIP = 4.0
"""Standard deviations beyond which a feature counts no more."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Head:
    """One regression: numbers are standardised, clipped, weighed and added up."""

    mean: Floats
    scale: Floats
    weights: Floats
    bias: Floats


@dataclass(frozen=True, kw_only=True, slots=True)
class Weights:
    labels: tuple[Verdict, ...]
    names: tuple[str, ...]
    with_vectors: Head
    words_only: Head
    acts: Head
    """Two classes: the new one leaves the old one as it is, or does something to it."""
    acts_words: Head
    ends: Head
    """Two classes: the old one holds on beside the new one, or does not."""
    ends_words: Head
    projections: Floats
    """(4, directions, dimension): of |a - b|, a * b, a and b."""
    common: Mapping[str, float]
    """How little a common term says, 0 to 1; of one that is not in it nothing is known against it."""
    model: str
    """The embedding model whose vectors it was trained on; those of another tell it nothing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Relation:
    """What a new statement may be to an old one."""

    chances: Mapping[Verdict, float]
    """Verdict → probability, given that the two have to do with each other."""
    acts: float
    """Probability that the new one does something to the old one at all."""
    ends: float
    """Probability that the old one no longer holds once the new one does."""

    @property
    def best(self) -> Verdict:
        return max(self.chances, key=lambda one: self.chances[one])


def relate(new: Said, old: Said, vectors: tuple[Vector, Vector] | None, told: Told | None = None) -> Relation:
    """``vectors``: of the new and the old statement, both by the model of ``weights().model``; ``told``: what the tuned
    layers say of the pair, where they were asked."""
    import numpy as np

    known = weights()
    cosine = float(vectors[0] @ vectors[1]) if vectors is not None else None
    found = features(new, old, cosine=cosine, common=known.common)
    numbers = np.array([found.get(name, 0.0) for name in known.names], np.float32)
    head, close, over = known.words_only, known.acts_words, known.ends_words
    if vectors is not None:
        numbers = np.concatenate([numbers, projected(*vectors, known.projections)])
        head, close, over = known.with_vectors, known.acts, known.ends
    chances = dict(zip(known.labels, _softmax(head, numbers), strict=True))
    own = Relation(chances=chances, acts=_softmax(close, numbers)[1], ends=_softmax(over, numbers)[1])
    return own if told is None else mixed(own, told)


def mixed(found: Relation, told: Told) -> Relation:
    """Both opinions as one: weighed sums of log-odds; the weights were fitted on pairs that neither had seen."""
    mix = weights_of_both()
    own, theirs = mix["relation"]
    scores = [
        own * log(max(found.chances[one], LEAST)) + theirs * float(told.verdicts[at]) for at, one in enumerate(VERDICTS)
    ]
    chances = dict(zip(VERDICTS, softmax(scores), strict=True))
    own, theirs, offset = mix["ends"]
    ends = squashed(own * log_odds(found.ends) + theirs * told.ends + offset)
    own, theirs, offset = mix["acts"]
    does = 1 - chances[Verdict.COMPATIBLE] - chances[Verdict.UNRELATED]
    acts = squashed(own * log_odds(found.acts) + theirs * log_odds(does) + offset)
    return Relation(chances=chances, acts=acts, ends=ends)


def log_odds(chance: float) -> float:
    held = min(max(chance, LEAST), 1 - LEAST)
    return log(held / (1 - held))


@cache
def weights_of_both() -> Mapping[str, Sequence[float]]:
    found: Mapping[str, Sequence[float]] = shipped.json("models/tuned.json")
    return found


def projected(new: Vector, old: Vector, projections: Floats) -> Floats:
    """The two vectors, how they differ and agree, along the directions."""
    import numpy as np

    sides = (np.abs(new - old), new * old, new, old)
    return np.concatenate([matrix @ side for matrix, side in zip(projections, sides, strict=True)]).astype(np.float32)


def _softmax(head: Head, numbers: Floats) -> list[float]:
    import numpy as np

    standard = np.clip((numbers - head.mean) / head.scale, -CLIP, CLIP)
    scores = head.weights @ standard + head.bias
    raised = np.exp(scores - scores.max())
    return [float(one) for one in raised / raised.sum()]


@cache
def weights() -> Weights:
    import numpy as np

    read = shipped.arrays("models/relation.npz")

    def numbers(name: str) -> Floats:
        return np.asarray(read[name], np.float32)

    def head(name: str) -> Head:
        return Head(**{part: numbers(f"{name}_{part}") for part in ("mean", "scale", "weights", "bias")})

    return Weights(
        labels=tuple(Verdict(str(one)) for one in read["labels"]),
        names=tuple(map(str, read["names"])),
        with_vectors=head("with_vectors"),
        words_only=head("words_only"),
        acts=head("acts"),
        acts_words=head("acts_words"),
        ends=head("ends"),
        ends_words=head("ends_words"),
        projections=numbers("projections"),
        common=dict(zip(map(str, read["common"]), map(float, read["commonness"]), strict=True)),
        model=str(read["model"]),
    )
