"""Makes ``src/yinji/data/models/relation.npz``: what a new statement is to an old one, learned from labelled pairs.

    python training/relation.py [--check]

Reads ``training/data/conflict/zh.tsv`` and ``en.tsv`` (label, what holds after, category, old, new; the same situations
line by line) and embeds all texts with the default embedder. Scores come from nine folds: a line is on the same side in
both languages, and lines that share an old statement stay together. The model that is written is fitted on all of them.
``--check`` prints the scores and writes nothing. What people say near each other without changing anything comes from
public sets that may be trained on (MIT: MemoryBank, LongMemEval), read from ``YINJI_EVAL_DATA``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from yinji.adapters.catalogue import load_embedder
from yinji.model import Verdict
from yinji.ports import Embedder
from yinji.remember.clean import clean
from yinji.remember.features import Said, features, said
from yinji.remember.relation import CLIP
from yinji.remember.statement import state

DATA = Path(__file__).parent / "data" / "conflict"
TARGET = Path(__file__).parent.parent / "src" / "yinji" / "data" / "models" / "relation.npz"
LABELS = tuple(Verdict)
DIRECTIONS = 32
RIDGE = 0.11
"""Weight of the squared weights beside the mean loss: the best of 0.03 to 0.4 over the folds."""
FOLDS = 9
STRANGERS = 0.0
"""Weight, for what label it is, of a pair of different lines: they serve to tell what has to do with it at all."""
LIVES = {"zh": ("memorybank_zh",), "en": ("memorybank_en", "longmemeval")}
"""Sets of what somebody says over a time, by language."""
OF_A_LIFE = 320
"""Statements of each set that are held beside the nearest earlier ones of their speaker."""
NEAREST = 3
HARMLESS = (Verdict.COMPATIBLE, Verdict.UNRELATED)

Floats = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Pair:
    line: int
    language: str
    label: Verdict
    after: str
    category: str
    old: str
    new: str
    weight: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Seen:
    """The pairs as numbers."""

    hand: Floats
    new: Floats
    old: Floats
    label: NDArray[np.int64]
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
    pairs = [*_read("zh"), *_read("en")]
    embedder = load_embedder("e5-small")
    pairs += [*_strangers(pairs), *_neighbours(embedder)]
    names, model, seen = _numbers(pairs, embedder)
    _report(pairs, seen)
    if not check:
        _write(names, model, seen)
    return 0


def _read(language: str) -> Iterator[Pair]:
    for line, text in enumerate((DATA / f"{language}.tsv").read_text(encoding="utf-8").splitlines()):
        label, after, category, old, new = text.split("\t")
        yield Pair(line=line, language=language, label=Verdict(label), after=after, category=category, old=old, new=new)


def _strangers(pairs: Sequence[Pair]) -> list[Pair]:
    """Each new statement with the old one of another line, further on."""
    found = []
    for language in ("zh", "en"):
        own = [one for one in pairs if one.language == language]
        for at, one in enumerate(own):
            other = own[(at + 37 + at % 11) % len(own)]
            found.append(
                Pair(
                    line=one.line,
                    language=language,
                    label=Verdict.UNRELATED,
                    after="both",
                    category="strangers",
                    old=other.old,
                    new=one.new,
                    weight=STRANGERS,
                )
            )
    return found


def _neighbours(embedder: Embedder) -> list[Pair]:
    """What somebody says beside what the same person said before that is nearest to it: hardly any of it changes
    anything, though it is about the same life."""
    found: list[Pair] = []
    for language, sets in LIVES.items():
        for name in sets:
            found += _of_a_life(name, language, embedder)
    return found


def _of_a_life(name: str, language: str, embedder: Embedder) -> Iterator[Pair]:
    file = Path(os.environ["YINJI_EVAL_DATA"]) / "retrieval" / name / "memories.jsonl"
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    said_by = [row for row in rows if row.get("role", "user") == "user" and 8 <= len(row["text"]) <= 240][:OF_A_LIFE]
    vectors = np.asarray(embedder.embed([row["text"] for row in said_by], purpose="passage"))
    for at, row in enumerate(said_by):
        earlier = [other for other in range(at) if said_by[other]["owner"] == row["owner"]]
        nearest = sorted(earlier, key=lambda other: -float(vectors[at] @ vectors[other]))[:NEAREST]
        for other in nearest:
            yield Pair(
                line=10_000 + zlib.crc32(row["owner"].encode() + at.to_bytes(4)) % 10_000,
                language=language,
                label=Verdict.UNRELATED,
                after="both",
                category="neighbours",
                old=said_by[other]["text"],
                new=row["text"],
                weight=0.0,
            )


def _numbers(pairs: Sequence[Pair], embedder: Embedder) -> tuple[list[str], str, Seen]:
    read: dict[tuple[str, str], Said] = {}
    for pair in pairs:
        for text in (pair.old, pair.new):
            read.setdefault((pair.language, text), said(text, pair.language))
    keys = list(read)
    vectors = np.asarray(embedder.embed([_told(text, language) for language, text in keys], purpose="passage"))
    at = {key: number for number, key in enumerate(keys)}
    new = vectors[[at[one.language, one.new] for one in pairs]]
    old = vectors[[at[one.language, one.old] for one in pairs]]
    rows = [
        features(read[one.language, one.new], read[one.language, one.old], cosine=float(mine @ theirs))
        for one, mine, theirs in zip(pairs, new, old, strict=True)
    ]
    names = sorted({name for row in rows for name in row})
    return (
        names,
        embedder.card.id,
        Seen(
            hand=np.array([[row.get(name, 0.0) for name in names] for row in rows], np.float32),
            new=new,
            old=old,
            label=np.array([LABELS.index(one.label) for one in pairs]),
            weight=np.array([one.weight for one in pairs], np.float32),
        ),
    )


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


def _fit(numbers: Floats, label: NDArray[np.int64], weight: Floats, *, rounds: int = 400) -> Fitted:
    """Softmax regression with a ridge, by accelerated full-batch descent."""
    used = weight > 0
    mean, scale = numbers[used].mean(0), numbers[used].std(0) + 1e-6
    x = np.clip((numbers - mean) / scale, -CLIP, CLIP)
    classes = int(label.max()) + 1
    wanted = np.eye(classes, dtype=np.float32)[label]
    share = (weight / weight.sum())[:, None]
    curve = 0.5 * float(np.linalg.eigvalsh((x * share).T @ x)[-1])
    weights = np.zeros((classes, x.shape[1]), np.float32)
    bias = np.zeros(classes, np.float32)
    ahead, ahead_bias = weights, bias
    for step in range(rounds):
        wrong = (_chances(x, ahead, ahead_bias) - wanted) * share
        new = ahead - (wrong.T @ x + RIDGE * ahead) / (curve + RIDGE)
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
    """A number for each line; lines with the same old statement share one."""
    top = list(range(1 + max(one.line for one in pairs)))

    def root(line: int) -> int:
        while top[line] != line:
            line = top[line]
        return line

    first: dict[tuple[str, str], int] = {}
    for one in pairs:
        if one.weight > 0:
            top[root(one.line)] = root(first.setdefault((one.language, one.old), one.line))
    return np.array([root(one.line) for one in pairs])


def _report(pairs: Sequence[Pair], seen: Seen) -> None:
    fold = _groups(pairs) * 2654435761 % 2**32 % FOLDS
    chances = np.zeros((len(pairs), len(LABELS)), np.float32)
    related = np.zeros(len(pairs), np.float32)
    for number in range(FOLDS):
        inside, outside = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        numbers = _with_vectors(seen, _directions(seen, inside))
        fitted = _fit(numbers[inside], seen.label[inside], seen.weight[inside])
        chances[outside] = _told_by(fitted, numbers[outside])
        kin = _fit(numbers[inside], _acts(seen)[inside], np.ones(len(inside), np.float32))
        related[outside] = _told_by(kin, numbers[outside])[:, 1]
    own = seen.weight > 0
    best = chances.argmax(1)
    harmless = [LABELS.index(one) for one in HARMLESS]
    right = (best == seen.label) | (np.isin(best, harmless) & np.isin(seen.label, harmless))
    print(
        f"pairs {own.sum()}  label {np.mean(best[own] == seen.label[own]):.3f}  harmless as one {right[own].mean():.3f}"
    )
    for language in ("zh", "en"):
        of = own & np.array([one.language == language for one in pairs])
        print(f"  {language} {np.mean(best[of] == seen.label[of]):.3f} {right[of].mean():.3f}")
    for at, label in enumerate(LABELS):
        of = own & (seen.label == at)
        print(f"  {label:11} n {of.sum():4} found {right[of].mean():.2f}")
    _report_updates(pairs, chances, related, own)


def _report_updates(pairs: Sequence[Pair], chances: Floats, related: Floats, own: NDArray[np.bool_]) -> None:
    holds = own & np.array([one.after in ("both", "old") for one in pairs])
    update = LABELS.index(Verdict.UPDATE)
    wanted = own & np.array([one.label is Verdict.UPDATE for one in pairs])
    near = np.array([one.category == "neighbours" for one in pairs])
    print("update from  acts from  found  old that holds retired  of neighbours  of strangers")
    for close in (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9):
        for point in (0.0, 0.5, 0.6, 0.7, 0.8):
            said_so = (chances[:, update] >= point) & (chances.argmax(1) == update) & (related >= close)
            print(
                f"  {point:.2f}       {close:.2f}       {said_so[wanted].mean():.3f}  {said_so[holds].mean():.4f}"
                f"                  {said_so[near].mean():.4f}        {said_so[~own & ~near].mean():.4f}"
            )


def _write(names: list[str], model: str, seen: Seen) -> None:
    everything = np.arange(len(seen.label))
    directions = _directions(seen, everything)
    heads = {
        "with_vectors": _fit(_with_vectors(seen, directions), seen.label, seen.weight),
        "words_only": _fit(_without_vectors(seen.hand, names), seen.label, seen.weight),
        "acts": _fit(_with_vectors(seen, directions), _acts(seen), np.ones(len(seen.label), np.float32)),
        "acts_words": _fit(_without_vectors(seen.hand, names), _acts(seen), np.ones(len(seen.label), np.float32)),
    }
    parts = {f"{name}_{part}": getattr(head, part) for name, head in heads.items() for part in Fitted.__annotations__}
    TARGET.parent.mkdir(exist_ok=True)
    np.savez_compressed(
        TARGET,
        names=np.array(names),
        labels=np.array([str(one) for one in LABELS]),
        model=np.array(model),
        projections=directions.astype(np.float16),
        **{name: np.asarray(part, np.float32) for name, part in parts.items()},
    )
    print(f"{TARGET.name}: {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    sys.exit(main())
