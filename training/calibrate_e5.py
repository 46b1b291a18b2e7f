"""Where an embedder's cosines begin to mean something: the numbers of ``data/models.toml``, measured.

    python training/calibrate_e5.py [--embedder e5-small] [--data FOLDER]

Reads the retrieval sets (``--data`` or ``YINJI_EVAL_DATA``) and ``same_fact.jsonl`` beside this file.
Numbers are fitted on one half, of the sets whose licence allows it (MIT), and reported on the other half; then
come all sets with the numbers that the catalogue has now.

relevance_floor   cosine that 99 % of the right (question, passage) pairs reach
duplicate_point   cosine that 95 % of the pairs reach that say the same in other words
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yinji.adapters.catalogue import load_embedder
from yinji.ports import Embedder, Purpose

SETS: dict[str, dict[str, tuple[str, ...]]] = {
    "zh": {"fit": ("memorybank_zh", "madial_zh"), "check": ("locomo_zh", "memdaily_zh")},
    "en": {"fit": ("memorybank_en", "madial_en", "longmemeval"), "check": ("locomo_en",)},
}
SAME_FACT = Path(__file__).parent / "same_fact.jsonl"
RIGHT_KEPT = 0.99
SAME_TAKEN = 0.95
LARGEST_POOL = 1500

Floats = NDArray[np.float32]
Row = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Measured:
    """Of one set: its questions by half, and cosines."""

    name: str
    half: NDArray[np.int64]
    """Of each right pair: which half its question is in."""
    right: Floats
    wrong: Floats
    different: Floats
    """Of different memories of one owner."""
    recall: float
    """R@5 by cosine alone, in each owner's memories."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedder", default="e5-small")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("YINJI_EVAL_DATA", ".")))
    arguments = parser.parse_args()
    if not (arguments.data / "retrieval").is_dir():
        print(f"{arguments.data} has no retrieval sets; set YINJI_EVAL_DATA", file=sys.stderr)
        return 1
    embedder = load_embedder(arguments.embedder)
    for language, sets in SETS.items():
        calibrate(embedder, arguments.data / "retrieval", language, sets)
    return 0


def calibrate(embedder: Embedder, folder: Path, language: str, sets: dict[str, tuple[str, ...]]) -> None:
    same = same_facts(embedder, language)
    fitted = [measured(embedder, folder / name) for name in sets["fit"]]
    right = np.concatenate([one.right for one in fitted])
    half = np.concatenate([one.half for one in fitted])
    floor = float(np.quantile(right[half == 0], 1 - RIGHT_KEPT))
    point = float(np.quantile(same[::2], 1 - SAME_TAKEN))
    print(f"{language}: relevance_floor {floor:.3f} ({(half == 0).sum()} pairs), duplicate_point {point:.3f}")
    print(f"  other half: right pairs lost {(right[half == 1] < floor).mean():.4f} of {(half == 1).sum()}")
    print(f"  other half: same facts taken {(same[1::2] >= point).mean():.3f}, least of all {same.min():.3f}")
    floor, point = embedder.card.relevance_floor[language], embedder.card.duplicate_point[language]
    print(f"  in the catalogue: relevance_floor {floor}, duplicate_point {point}")
    for one in [*fitted, *(measured(embedder, folder / name) for name in sets["check"])]:
        report(one, floor, point)


def report(one: Measured, floor: float, point: float) -> None:
    print(
        f"  {one.name:13} R@5 {one.recall:.3f} | right {len(one.right)}: lost {(one.right < floor).mean():.4f}, "
        f"p1 {np.quantile(one.right, 0.01):.3f}, median {np.median(one.right):.3f} | wrong: "
        f"refused {(one.wrong < floor).mean():.3f}, median {np.median(one.wrong):.3f} | different: "
        f"taken {(one.different >= point).mean():.5f}, median {np.median(one.different):.3f}, "
        f"p99 {np.quantile(one.different, 0.99):.3f}, p99.9 {np.quantile(one.different, 0.999):.3f}",
        flush=True,
    )


def same_facts(embedder: Embedder, language: str) -> Floats:
    """Cosines of the pairs that say the same in other words."""
    pairs = [row["texts"] for row in read(SAME_FACT) if row["language"] == language]
    first, second = (embedded(embedder, [pair[side] for pair in pairs], "passage") for side in (0, 1))
    cosines: Floats = (first * second).sum(axis=1)
    return cosines


def measured(embedder: Embedder, folder: Path) -> Measured:
    queries = read(folder / "queries.jsonl")
    memories = sampled(read(folder / "memories.jsonl"), {one for query in queries for one in query["gold"]})
    places = {memory["id"]: place for place, memory in enumerate(memories)}
    owners = np.array([memory["owner"] for memory in memories])
    vectors = embedded(embedder, [said(memory) for memory in memories], "passage")
    asked = embedded(embedder, [query["text"] for query in queries], "query")
    right: list[float] = []
    wrong: list[float] = []
    half: list[int] = []
    recalls: list[float] = []
    for query, vector in zip(queries, asked, strict=True):
        gold = [places[one] for one in query["gold"] if one in places]
        pool = np.flatnonzero(owners == query["owner"])
        cosines = vectors @ vector
        right.extend(cosines[gold])
        half.extend([zlib.crc32(query["id"].encode("utf-8")) % 2] * len(gold))
        wrong.extend(cosines[np.setdiff1d(pool, gold)])
        best = pool[np.argsort(-cosines[pool])[:5]]
        recalls.extend([len(np.intersect1d(best, gold)) / len(gold)] if gold else [])
    return Measured(
        name=folder.name,
        half=np.array(half),
        right=np.array(right, dtype=np.float32),
        wrong=np.array(wrong, dtype=np.float32),
        different=different([said(memory) for memory in memories], vectors, owners),
        recall=float(np.mean(recalls)),
    )


def sampled(memories: list[Row], gold: set[str]) -> list[Row]:
    """All of a small pool; of a large one what is asked for, and an even part of the rest."""
    step = -(-len(memories) // LARGEST_POOL)
    return [memory for place, memory in enumerate(memories) if memory["id"] in gold or place % step == 0]


def said(memory: Row) -> str:
    """With who said it: a question names people whom the words alone do not (R@5 of LoCoMo 0.17 without)."""
    speaker = memory.get("speaker")
    return f"{speaker}: {memory['text']}" if speaker else str(memory["text"])


def different(texts: list[str], vectors: Floats, owners: NDArray[np.str_]) -> Floats:
    """Cosines of all pairs of one owner whose words differ."""
    found = [np.zeros(0, dtype=np.float32)]
    for owner in np.unique(owners):
        first = {texts[place]: place for place in reversed(np.flatnonzero(owners == owner))}
        kept = sorted(first.values())
        cosines = vectors[kept] @ vectors[kept].T
        found.append(cosines[np.triu_indices(len(kept), 1)])
    return np.concatenate(found)


def embedded(embedder: Embedder, texts: list[str], purpose: Purpose) -> Floats:
    return np.concatenate(
        [embedder.embed(texts[start : start + 32], purpose=purpose) for start in range(0, len(texts), 32)]
    )


def read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    sys.exit(main())
