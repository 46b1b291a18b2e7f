"""Fitting of the two models of ``training/coref.py``, in plain numpy and always the same way."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Loss = Callable[[Floats], tuple[float, Floats]]
Signs = Mapping[str, float]
KEPT = 25
STEPS = 300


@dataclass(frozen=True, kw_only=True)
class Rows:
    """Signs of many examples as one sparse matrix: strength ``values`` of column ``columns`` in row ``rows``."""

    names: tuple[str, ...]
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    values: Floats
    count: int

    def times(self, weights: Floats) -> Floats:
        return np.bincount(self.rows, self.values * weights[self.columns], self.count)

    def back(self, slopes: Floats) -> Floats:
        return np.bincount(self.columns, self.values * slopes[self.rows], len(self.names))


def rows_of(examples: Sequence[Signs]) -> Rows:
    """The examples as a matrix, columns in the order of the names."""
    names = tuple(sorted({name for one in examples for name in one}))
    place = {name: at for at, name in enumerate(names)}
    cells = [(row, place[name], value) for row, one in enumerate(examples) for name, value in one.items()]
    rows, columns, values = zip(*cells, strict=True)
    return Rows(
        names=names,
        rows=np.array(rows),
        columns=np.array(columns),
        values=np.array(values, dtype=np.float64),
        count=len(examples),
    )


def fit_phrases(examples: Sequence[Signs], right: Sequence[bool], *, penalty: float) -> dict[str, float]:
    """Weights of a logistic model: is this run of words a phrase?"""
    rows, wanted = rows_of(examples), np.array(right, dtype=np.float64)

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = rows.times(weights)
        likely = 1 / (1 + np.exp(-scores))
        value = float(np.sum(np.logaddexp(0, scores) - wanted * scores)) + penalty / 2 * float(weights @ weights)
        return value, rows.back(likely - wanted) + penalty * weights

    return _named(rows, least(loss, len(rows.names)))


def fit_ranks(groups: Iterable[Sequence[tuple[Signs, bool]]], *, penalty: float) -> dict[str, float]:
    """Weights of a softmax over each group, of which one or more are right."""
    listed = [group for group in groups if any(right for _, right in group)]
    rows = rows_of([signs for group in listed for signs, _ in group])
    right = np.array([one for group in listed for _, one in group])
    group_of = np.repeat(np.arange(len(listed)), [len(group) for group in listed])

    def shares(scores: Floats, of: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        raised = np.exp(scores) * of
        sums = np.bincount(group_of, raised, len(listed))
        return raised / sums[group_of], sums

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = rows.times(weights)
        tops = np.full(len(listed), -np.inf)
        np.maximum.at(tops, group_of, scores)
        scores = scores - tops[group_of]
        everyone, all_sums = shares(scores, np.ones_like(right))
        wanted, right_sums = shares(np.maximum(scores, -500), right)
        value = float(np.sum(np.log(all_sums) - np.log(right_sums))) + penalty / 2 * float(weights @ weights)
        return value, rows.back(everyone - wanted) + penalty * weights

    return _named(rows, least(loss, len(rows.names)))


def _named(rows: Rows, weights: Floats) -> dict[str, float]:
    return dict(zip(rows.names, map(float, weights), strict=True))


def least(loss: Loss, size: int) -> Floats:
    """Where a smooth convex loss is least: L-BFGS with backtracking (Nocedal and Wright, algorithms 7.4 and 3.1)."""
    at = np.zeros(size)
    value, slope = loss(at)
    past: deque[tuple[Floats, Floats]] = deque(maxlen=KEPT)
    for _ in range(STEPS):
        way = -_direction(slope, past)
        step, down = 1.0, float(slope @ way)
        found = loss(at + way)
        while found[0] > value + 1e-4 * step * down and step > 1e-10:
            step /= 2
            found = loss(at + step * way)
        moved, turned = step * way, found[1] - slope
        if float(moved @ turned) > 1e-12:
            past.append((moved, turned))
        at, done = at + moved, value - found[0] < 1e-7 * max(1.0, abs(value))
        value, slope = found
        if done:
            break
    return at


def _direction(slope: Floats, past: Sequence[tuple[Floats, Floats]]) -> Floats:
    way, shares = slope.copy(), []
    for moved, turned in reversed(past):
        share = float(moved @ way) / float(moved @ turned)
        way -= share * turned
        shares.append(share)
    if past:
        moved, turned = past[-1]
        way *= float(moved @ turned) / float(turned @ turned)
    for (moved, turned), share in zip(past, reversed(shares), strict=True):
        way += (share - float(turned @ way) / float(moved @ turned)) * moved
    return way
