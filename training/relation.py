"""Makes ``src/yinji/data/models/relation.npz``: what a new statement is to an old one, learned from labelled pairs.

    python training/relation.py [--check]

Reads ``training/data/conflict`` (see ``relation_data.py``) and embeds all texts with the default embedder. Scores come
from folds: a line, a set of news and a life are on one side, in both languages. The model that is written is fitted on
all of them. ``--check`` prints the scores and writes nothing. What people say near each other without changing anything
comes, besides, from a public set that may be trained on (MIT: MemoryBank), read from ``YINJI_EVAL_DATA``.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from relation_data import SETS, Pair, pairs

from yinji.adapters.catalogue import load_embedder
from yinji.model import Verdict
from yinji.ports import Embedder
from yinji.remember.clean import clean
from yinji.remember.features import Said, features, said
from yinji.remember.relation import CLIP
from yinji.remember.statement import state

TARGET = Path(__file__).parent.parent / "src" / "yinji" / "data" / "models" / "relation.npz"
LABELS = tuple(Verdict)
DIRECTIONS = 32
RIDGE, RIDGE_ENDS = 0.05, 0.03
"""Weight of the squared weights beside the mean loss, for the label and for what it does: the best of 0.015 to 0.11."""
RARE, OFTEN = 250, 10
"""A term in one of so many statements says all that a term can; in one of so few, nothing."""
FOLDS = 5
TOGETHER = 8
"""Sets of news in a row that are on one side: the same one in the other language stands near the same place."""
LIFELIKE = ("strangers", "lives", "judged", "neighbours")
"""Categories of which no old statement says which line it belongs to."""
HARMLESS = (Verdict.COMPATIBLE, Verdict.UNRELATED)

Floats = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Seen:
    """The pairs as numbers."""

    common: dict[str, float]
    hand: Floats
    new: Floats
    old: Floats
    label: NDArray[np.int64]
    ends: NDArray[np.int64]
    """1 where the old statement no longer holds."""
    weight: Floats


@dataclass(frozen=True, kw_only=True)
class Fitted:
    mean: Floats
    scale: Floats
    weights: Floats
    bias: Floats


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    embedder = load_embedder("e5-small")
    told = pairs(embedder)
    names, model, seen = _numbers(told, embedder)
    _report(told, seen)
    if not check:
        _write(names, model, seen)
    return 0


def _numbers(pairs: Sequence[Pair], embedder: Embedder) -> tuple[list[str], str, Seen]:
    read: dict[tuple[str, str], Said] = {}
    for pair in pairs:
        for text in (pair.old, pair.new):
            read.setdefault((pair.language, text), said(text, pair.language))
    keys = list(read)
    common = _common(list(read.values()))
    vectors = np.asarray(embedder.embed([_told(text, language) for language, text in keys], purpose="passage"))
    at = {key: number for number, key in enumerate(keys)}
    new = np.array([one.vectors[0] if one.vectors else vectors[at[one.language, one.new]] for one in pairs])
    old = np.array([one.vectors[1] if one.vectors else vectors[at[one.language, one.old]] for one in pairs])
    rows = [
        features(read[one.language, one.new], read[one.language, one.old], cosine=float(mine @ theirs), common=common)
        for one, mine, theirs in zip(pairs, new, old, strict=True)
    ]
    names = sorted({name for row in rows for name in row})
    return (
        names,
        embedder.card.id,
        Seen(
            common=common,
            hand=np.array([[row.get(name, 0.0) for name in names] for row in rows], np.float32),
            new=new,
            old=old,
            label=np.array([LABELS.index(one.label) for one in pairs]),
            ends=np.array([one.ends for one in pairs]).astype(np.int64),
            weight=np.array([one.weight for one in pairs], np.float32),
        ),
    )


def _common(read: Sequence[Said]) -> dict[str, float]:
    """Terms that many statements have → how little one says, from 0 for one in two hundred to 1 for one in eight."""
    seen = Counter(term for one in read for term in one.terms)
    of = {language: sum(one.language == language for one in read) for language in ("zh", "en")}
    share = {term: count / min(of.values()) for term, count in seen.items()}
    return {
        term: float(np.clip(np.log(each * RARE) / np.log(RARE / OFTEN), 0, 1))
        for term, each in share.items()
        if each * RARE > 1
    }


def _told(text: str, language: str) -> str:
    """As it would be kept: memories are embedded in the third person."""
    return state(clean(text, language).text or text, language).told


# ------------------------------------------------------------------ fitting


def _directions(seen: Seen, chosen: NDArray[np.int64]) -> Floats:
    """The main directions of |a - b|, a * b, a and b."""
    own = chosen[seen.weight[chosen] > 0]
    sides = [np.abs(seen.new - seen.old), seen.new * seen.old, seen.new, seen.old]
    return np.stack([np.linalg.svd(_centred(side[own]), full_matrices=False)[2][:DIRECTIONS] for side in sides])


def _centred(rows: Floats) -> Floats:
    centred: Floats = rows - rows.mean(0)
    return centred


def _with_vectors(seen: Seen, directions: Floats) -> Floats:
    sides = [np.abs(seen.new - seen.old), seen.new * seen.old, seen.new, seen.old]
    return np.hstack([seen.hand, *[side @ matrix.T for side, matrix in zip(sides, directions, strict=True)]])


def _without_vectors(hand: Floats, names: Sequence[str]) -> Floats:
    """The features as they are where no cosine is known."""
    bare = hand.copy()
    for at, name in enumerate(names):
        if name.startswith("near"):
            bare[:, at] = 0.0
    bare[:, list(names).index("no_vector")] = 1.0
    return bare


def _acts(seen: Seen) -> NDArray[np.int64]:
    """1 where the new statement does something to the old one."""
    return ((seen.weight > 0) & ~np.isin(seen.label, [LABELS.index(one) for one in HARMLESS])).astype(np.int64)


def _fit(numbers: Floats, label: NDArray[np.int64], weight: Floats, *, ridge: float, rounds: int = 120) -> Fitted:
    """Softmax regression with a ridge, by accelerated full-batch descent."""
    used = weight > 0
    mean, scale = numbers[used].mean(0), numbers[used].std(0) + 1e-6
    x = np.clip((numbers[used] - mean) / scale, -CLIP, CLIP)
    label, weight = label[used], weight[used]
    classes = int(label.max()) + 1
    wanted = np.eye(classes, dtype=np.float32)[label]
    share = (weight / weight.sum())[:, None]
    curve = 0.5 * float(np.linalg.eigvalsh((x * share).T @ x)[-1])
    weights = np.zeros((classes, x.shape[1]), np.float32)
    bias = np.zeros(classes, np.float32)
    ahead, ahead_bias = weights, bias
    for step in range(rounds):
        wrong = (_chances(x, ahead, ahead_bias) - wanted) * share
        new = ahead - (wrong.T @ x + ridge * ahead) / (curve + ridge)
        new_bias = ahead_bias - wrong.sum(0) / 0.5
        speed = step / (step + 3)
        ahead, ahead_bias = new + speed * (new - weights), new_bias + speed * (new_bias - bias)
        weights, bias = new, new_bias
    return Fitted(mean=mean, scale=scale, weights=weights, bias=bias)


def _chances(x: Floats, weights: Floats, bias: Floats) -> Floats:
    scores = x @ weights.T + bias
    raised = np.exp(scores - scores.max(1, keepdims=True))
    chances: Floats = raised / raised.sum(1, keepdims=True)
    return chances


def _told_by(fitted: Fitted, numbers: Floats) -> Floats:
    x = np.clip((numbers - fitted.mean) / fitted.scale, -CLIP, CLIP)
    return _chances(x, fitted.weights, fitted.bias)


# ------------------------------------------------------------------- scores


def _groups(pairs: Sequence[Pair]) -> NDArray[np.int64]:
    """A number for each line; lines with the same old statement share one, and so do sets near each other."""
    lines = [SETS + (one.line - SETS) // TOGETHER if one.category == "sets" else one.line for one in pairs]
    top = {line: line for line in lines}

    def root(line: int) -> int:
        while top[line] != line:
            line = top[line]
        return line

    first: dict[tuple[str, str], int] = {}
    for one, line in zip(pairs, lines, strict=True):
        if one.category not in LIFELIKE:
            top[root(line)] = root(first.setdefault((one.language, one.old), line))
    return np.array([root(line) for line in lines])


def _report(pairs: Sequence[Pair], seen: Seen) -> None:
    fold = _groups(pairs) * 2654435761 % 2**32 % FOLDS
    chances = np.zeros((len(pairs), len(LABELS)), np.float32)
    ended = np.zeros(len(pairs), np.float32)
    for number in range(FOLDS):
        inside, outside = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        numbers = _with_vectors(seen, _directions(seen, inside))
        fitted = _fit(numbers[inside], seen.label[inside], seen.weight[inside], ridge=RIDGE)
        chances[outside] = _told_by(fitted, numbers[outside])
        over = _fit(numbers[inside], seen.ends[inside], np.ones(len(inside), np.float32), ridge=RIDGE_ENDS)
        ended[outside] = _told_by(over, numbers[outside])[:, 1]
    _report_labels(pairs, seen, chances)
    _report_ends(pairs, seen, ended)


def _report_labels(pairs: Sequence[Pair], seen: Seen, chances: Floats) -> None:
    own, best = seen.weight > 0, chances.argmax(1)
    harmless = [LABELS.index(one) for one in HARMLESS]
    right = (best == seen.label) | (np.isin(best, harmless) & np.isin(seen.label, harmless))
    print(f"pairs {own.sum()}  label {np.mean(best[own] == seen.label[own]):.3f}  as one {right[own].mean():.3f}")
    for sort in ("pairs", "sets", "lives"):
        for language in ("zh", "en"):
            of = own & np.array([_sort(one) == sort and one.language == language for one in pairs])
            print(f"  {sort} {language} n {of.sum():4} {right[of].mean():.3f}")
    for at, label in enumerate(LABELS):
        of = own & (seen.label == at)
        print(f"  {label:11} n {of.sum():4} found {right[of].mean():.2f}")


def _sort(pair: Pair) -> str:
    return pair.category if pair.category in ("sets", "lives", "judged", "neighbours", "strangers") else "pairs"


def _report_ends(pairs: Sequence[Pair], seen: Seen, ended: Floats) -> None:
    """Of what is over, the share found; of what holds, the share said to be over."""
    sort = np.array([_sort(one) for one in pairs])
    print("ends from   found in pairs, sets, lives   wrongly in pairs, sets, lives   in judged, neighbours, strangers")
    for point in (0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8):
        said = ended >= point
        over, holds = seen.ends == 1, seen.ends == 0
        found = "  ".join(f"{said[over & (sort == of)].mean():.2f}" for of in ("pairs", "sets", "lives"))
        wrong = "  ".join(f"{said[holds & (sort == of)].mean():.4f}" for of in ("pairs", "sets", "lives"))
        rest = "  ".join(f"{said[sort == of].mean():.4f}" for of in ("judged", "neighbours", "strangers"))
        print(f"{point:.2f}        {found}              {wrong}          {rest}")


def _write(names: list[str], model: str, seen: Seen) -> None:
    everything = np.arange(len(seen.label))
    directions = _directions(seen, everything)
    whole, bare = _with_vectors(seen, directions), _without_vectors(seen.hand, names)
    alike = np.ones(len(seen.label), np.float32)
    heads = {
        "with_vectors": _fit(whole, seen.label, seen.weight, ridge=RIDGE),
        "words_only": _fit(bare, seen.label, seen.weight, ridge=RIDGE),
        "acts": _fit(whole, _acts(seen), alike, ridge=RIDGE_ENDS),
        "acts_words": _fit(bare, _acts(seen), alike, ridge=RIDGE_ENDS),
        "ends": _fit(whole, seen.ends, alike, ridge=RIDGE_ENDS),
        "ends_words": _fit(bare, seen.ends, alike, ridge=RIDGE_ENDS),
    }
    parts = {f"{name}_{part}": getattr(head, part) for name, head in heads.items() for part in Fitted.__annotations__}
    TARGET.parent.mkdir(exist_ok=True)
    np.savez_compressed(
        TARGET,
        names=np.array(names),
        labels=np.array([str(one) for one in LABELS]),
        model=np.array(model),
        projections=directions.astype(np.float16),
        common=np.array(list(seen.common)),
        commonness=np.array(list(seen.common.values()), np.float16),
        **{name: np.asarray(part, np.float32) for name, part in parts.items()},
    )
    print(f"{TARGET.name}: {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    sys.exit(main())
