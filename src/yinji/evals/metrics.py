"""What a ranking, or an answer, is worth; and how sure one may be of the mean of such numbers.

A question's gold is a list of groups; a group is found when any of its members is (they are interchangeable).
Rankings are lists of what each hit stands for: a set of source ids, one for a text stored as it is, several for
a memory that was said more than once.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass

RESAMPLES = 2000
SEED = 20260301
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Estimate:
    """A mean with the 95 % interval that the bootstrap over questions gives it."""

    mean: float
    low: float
    high: float
    n: int


def recall_at(ranked: Sequence[Set[str]], gold: Sequence[Collection[str]], k: int) -> float:
    """Share of the gold groups found by the first ``k`` hits: ``|gold ∩ top k| / |gold|``."""
    found = set[str]().union(*ranked[:k])
    return sum(1 for group in gold if not found.isdisjoint(group)) / len(gold)


def reciprocal_rank(ranked: Sequence[Set[str]], gold: Sequence[Collection[str]]) -> float:
    """1 / rank of the first hit that is gold; 0 when none of those given is."""
    wanted = {one for group in gold for one in group}
    return next((1.0 / rank for rank, hit in enumerate(ranked, 1) if not wanted.isdisjoint(hit)), 0.0)


def ndcg_at(ranked: Sequence[Set[str]], gold: Sequence[Collection[str]], k: int) -> float:
    """Normalised discounted cumulative gain; a hit gains 1 when it finds a group that none before it found."""
    missing, gain = [set(group) for group in gold], 0.0
    for rank, hit in enumerate(ranked[:k], 1):
        left = [group for group in missing if group.isdisjoint(hit)]
        gain += len(left) < len(missing) and 1.0 / math.log2(rank + 1)
        missing = left
    return gain / sum(1.0 / math.log2(rank + 1) for rank in range(1, min(k, len(gold)) + 1))


def says(text: str, answer: str) -> bool:
    """Whether the text contains the answer: widths and case folded; Chinese without regard to spaces, anything
    else as whole words."""
    text, answer = _folded(text), _folded(answer)
    if _HAN.search(answer):
        return _SPACES.sub("", answer) in _SPACES.sub("", text)
    return re.search(rf"(?<![a-z0-9]){re.escape(answer)}(?![a-z0-9])", text) is not None


def says_all(text: str, answers: Sequence[str], alternatives: Sequence[Sequence[str]] = ()) -> bool:
    """Whether every part of the answer is there, or every part of another wording of it."""
    return any(all(says(text, part) for part in parts) for parts in (answers, *alternatives) if parts)


def _folded(text: str) -> str:
    return _SPACES.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which that share (0 to 1) of the values lies, by linear interpolation."""
    ordered = sorted(values)
    at = (len(ordered) - 1) * share
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def bootstrap(values: Sequence[float], *, resamples: int = RESAMPLES, seed: int = SEED) -> Estimate:
    """The mean and its 95 % percentile interval over resampled questions (Efron & Tibshirani 1993, ch. 13).

    For a paired comparison give the differences per question. The same values give the same interval.
    """
    import numpy as np

    drawn = np.random.default_rng(seed).multinomial(len(values), np.full(len(values), 1 / len(values)), resamples)
    means = drawn @ np.asarray(values, dtype=np.float64) / len(values)
    low, high = np.percentile(means, (2.5, 97.5))
    return Estimate(mean=mean(values), low=float(low), high=float(high), n=len(values))
