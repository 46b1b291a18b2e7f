"""Where an embedder's cosines begin to mean something: the numbers of ``data/models.toml``, measured.

    python training/calibrate_e5.py [--embedder e5-small] [--data ../shared/data]

Reads the retrieval sets (``YINJI_EVAL_DATA``, else ``../shared/data``). Numbers are fitted on one half of the
questions of the sets whose licence allows it (MIT), and reported on the other half and on the other sets.

relevance_floor   cosine that 99 % of the right (question, passage) pairs reach
duplicate_point   cosine that at most 1 in 1,000 pairs of different memories of one owner reach
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
from yinji.ports import Embedder

SETS: dict[str, dict[str, tuple[str, ...]]] = {
    "zh": {"fit": ("memorybank_zh", "madial_zh"), "check": ("locomo_zh", "memdaily_zh")},
    "en": {"fit": ("memorybank_en", "madial_en", "longmemeval"), "check": ("locomo_en",)},
}
GOLD_KEPT = 0.99
DIFFERENT_TAKEN = 0.001
LONGEST_POOL = 1500

Floats = NDArray[np.float32]
Row = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """Cosines: of questions with right passages, with wrong ones, and of different memories of one owner."""

    right: Floats
    wrong: Floats
    different: Floats
    hits: Floats
    """1 where a right passage is among the first five by cosine."""

    def __add__(self, other: Pairs) -> Pairs:
        fields = ("right", "wrong", "different", "hits")
        return Pairs(**{name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in fields})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedder", default="e5-small")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("YINJI_EVAL_DATA", "../shared/data")))
    arguments = parser.parse_args()
    if not (arguments.data / "retrieval").is_dir():
        print(f"{arguments.data} has no retrieval sets; set YINJI_EVAL_DATA", file=sys.stderr)
        return 1
    embedder = load_embedder(arguments.embedder)
    for language, sets in SETS.items():
        calibrate(embedder, arguments.data / "retrieval", language, sets)
    return 0


def calibrate(embedder: Embedder, folder: Path, language: str, sets: dict[str, tuple[str, ...]]) -> None:
    halves = [sum_of([measured(embedder, folder / name, half) for name in sets["fit"]]) for half in (0, 1)]
    floor = float(np.quantile(halves[0].right, 1 - GOLD_KEPT))
    point = float(np.quantile(halves[0].different, 1 - DIFFERENT_TAKEN))
    print(
        f"{language}: relevance_floor {floor:.3f}, duplicate_point {point:.3f}, fitted on {len(halves[0].right)} pairs"
    )
    report("other half", halves[1], floor, point)
    for name in (*sets["fit"], *sets["check"]):
        report(name, measured(embedder, folder / name, None), floor, point)


def report(name: str, pairs: Pairs, floor: float, point: float) -> None:
    right, wrong, different = pairs.right, pairs.wrong, pairs.different
    print(
        f"  {name:14} R@5 {pairs.hits.mean():.3f}  right pairs {len(right)}: lost {(right < floor).mean():.4f} "
        f"p1 {np.quantile(right, 0.01):.3f} median {np.median(right):.3f}; wrong: refused {(wrong < floor).mean():.3f} "
        f"median {np.median(wrong):.3f}; different: taken {(different >= point).mean():.5f} "
        f"p99 {np.quantile(different, 0.99):.3f} p99.9 {np.quantile(different, 0.999):.3f}"
    )


def measured(embedder: Embedder, folder: Path, half: int | None) -> Pairs:
    """Of one set; with ``half``, of the questions and memories of that half only."""
    memories, queries = read(folder / "memories.jsonl"), read(folder / "queries.jsonl")
    places = {str(memory["id"]): place for place, memory in enumerate(memories)}
    owners = np.array([str(memory["owner"]) for memory in memories])
    vectors = embedded(embedder, [said(memory) for memory in memories], "passage")
    queries = [query for query in queries if in_half(str(query["id"]), half)]
    asked = embedded(embedder, [str(query["text"]) for query in queries], "query")
    right, wrong, hits = [], [], []
    for query, vector in zip(queries, asked, strict=True):
        cosines = vectors @ vector
        gold = [places[one] for one in query["gold"] if one in places]
        pool = np.flatnonzero(owners == query["owner"])
        others = np.setdiff1d(pool, gold)
        right.extend(cosines[gold])
        wrong.extend(cosines[others])
        best = pool[np.argsort(-cosines[pool])[:5]]
        if gold:
            hits.append(float(len(np.intersect1d(best, gold)) / min(len(gold), 5)))
    chosen = [place for place, memory in enumerate(memories) if in_half(str(memory["id"]), half)]
    different = pairs_of([said(memories[place]) for place in chosen], vectors[chosen], owners[chosen])
    return Pairs(
        right=np.array(right, dtype=np.float32),
        wrong=np.array(wrong, dtype=np.float32),
        different=different,
        hits=np.array(hits, dtype=np.float32),
    )


def said(memory: Row) -> str:
    """With who said it: a question names people whom the words alone do not (R@5 of LoCoMo 0.17 without)."""
    speaker = memory.get("speaker")
    return f"{speaker}: {memory['text']}" if speaker else str(memory["text"])


def pairs_of(texts: list[str], vectors: Floats, owners: NDArray[np.str_]) -> Floats:
    """Cosines of all pairs of one owner whose words differ."""
    found = [np.zeros(0, dtype=np.float32)]
    for owner in np.unique(owners):
        places = np.flatnonzero(owners == owner)[:LONGEST_POOL]
        first = {texts[place]: place for place in reversed(places)}
        kept = sorted(first.values())
        cosines = vectors[kept] @ vectors[kept].T
        found.append(cosines[np.triu_indices(len(kept), 1)])
    return np.concatenate(found)


def embedded(embedder: Embedder, texts: list[str], purpose: str) -> Floats:
    parts = [embedder.embed(texts[start : start + 32], purpose=purpose) for start in range(0, len(texts), 32)]  # type: ignore[arg-type]
    return np.concatenate(parts)


def in_half(name: str, half: int | None) -> bool:
    return half is None or zlib.crc32(name.encode("utf-8")) % 2 == half


def sum_of(pairs: list[Pairs]) -> Pairs:
    total = pairs[0]
    for one in pairs[1:]:
        total = total + one
    return total


def read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    sys.exit(main())
