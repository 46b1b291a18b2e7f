"""How often a search among documents finds what answers a question: scripts/document_search.py FOLDER …

A folder has ``memories.jsonl`` and ``queries.jsonl`` (docs/how-to/evaluate.md). In brackets: with the bare cosine.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from yinji import Memory
from yinji.filing.documents import Documents, Put

TOP = 5
BATCH = 256


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def keep(papers: Documents, memories: Sequence[Mapping[str, Any]]) -> None:
    for start in range(0, len(memories), BATCH):
        papers.write(_put(one) for one in memories[start : start + BATCH])


def _put(one: Mapping[str, Any]) -> Put:
    text = f"{one['speaker']}: {one['text']}" if one.get("speaker") else one["text"]
    return Put(namespace=(one["owner"],), key=one["id"], value={"text": text}, fields=("text",))


def measure(papers: Documents, queries: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    """(share with the first right, mean share of the right ones among the first five), in percent"""
    first = among = 0.0
    for one in queries:
        found = [near.document.key for near in papers.search(one["text"], (one["owner"],), limit=TOP)]
        gold = set(one["gold"])
        first += found[0] in gold if found else 0
        among += len(gold & set(found)) / len(gold)
    return 100 * first / len(queries), 100 * among / len(queries)


def main(folders: Sequence[str]) -> None:
    for folder in map(Path, folders):
        queries = rows(folder / "queries.jsonl")
        splits = sorted({one.get("split", "") for one in queries})
        with tempfile.TemporaryDirectory() as place, Memory.open(Path(place) / "memory.yinji") as memory:
            papers = memory.documents("measured")
            keep(papers, rows(folder / "memories.jsonl"))
            lens = papers._lens
            for split in splits:
                own = [one for one in queries if one.get("split", "") == split]
                papers._lens = lens
                through = measure(papers, own)
                papers._lens = lambda model: None
                told = " | ".join(
                    f"{one:.1f} ({bare:.1f})" for one, bare in zip(through, measure(papers, own), strict=True)
                )
                print(f"| {folder.name} {split} | {len(own)} | {told} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
