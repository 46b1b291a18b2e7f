"""The named alternative of the bench: SQLite FTS5 with ``unicode61``, and all vectors in one float32 matrix."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from yinji.ports import Embedder, Vector, Vectors

SCHEMA = """
CREATE TABLE memory (id INTEGER PRIMARY KEY, text TEXT NOT NULL, vector BLOB);
CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'unicode61');
"""
TOP = 50
BATCH = 256
RANK_SHIFT = 60


def measure(
    path: Path,
    texts: Sequence[str],
    *,
    filling: Embedder | None,
    using: Embedder | None,
    questions: Sequence[str],
    said: Sequence[str],
) -> dict[str, list[float]]:
    """The numbers that have the same meaning for both: a recall, a write, bytes a memory. Empty without FTS5."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        try:
            connection.executescript(SCHEMA)
        except sqlite3.OperationalError:
            return {}
        matrix = _fill(connection, texts, filling)
        samples: dict[str, list[float]] = {"bytes_per_memory": [_bytes(path) / len(texts)]}
        for question in questions:
            started = time.perf_counter()
            vector = using.embed([question], purpose="query")[0] if using else None
            embedded = time.perf_counter()
            _search(connection, question, vector, matrix)
            done = time.perf_counter()
            samples.setdefault("recall_ms", []).append((done - started) * 1000)
            samples.setdefault("recall_without_embedding_ms", []).append((done - embedded) * 1000)
        for text in said:
            started = time.perf_counter()
            _insert(connection, [text], using.embed([text], purpose="passage") if using else None)
            samples.setdefault("turn_ms", []).append((time.perf_counter() - started) * 1000)
    return samples


def _fill(connection: sqlite3.Connection, texts: Sequence[str], embedder: Embedder | None) -> Vectors | None:
    import numpy as np

    parts = []
    for start in range(0, len(texts), BATCH):
        batch = texts[start : start + BATCH]
        vectors = embedder.embed(batch, purpose="passage") if embedder else None
        _insert(connection, batch, vectors)
        if vectors is not None:
            parts.append(vectors)
    return np.concatenate(parts) if parts else None


def _insert(connection: sqlite3.Connection, texts: Sequence[str], vectors: Vectors | None) -> None:
    with connection:
        for at, text in enumerate(texts):
            blob = None if vectors is None else vectors[at].tobytes()
            row = connection.execute("INSERT INTO memory (text, vector) VALUES (?, ?)", (text, blob)).lastrowid
            connection.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (row, text))


def _search(
    connection: sqlite3.Connection, question: str, vector: Vector | None, matrix: Vectors | None
) -> list[tuple[str]]:
    import numpy as np

    scores: dict[int, float] = {}
    if words := re.findall(r"\w+", question):
        match = " OR ".join(f'"{word}"' for word in words)
        found = connection.execute(
            "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?", (match, TOP)
        ).fetchall()
        _add_ranks(scores, [row for (row,) in found])
    if vector is not None and matrix is not None:
        near = matrix @ vector
        count = min(TOP, len(near))
        best = np.argpartition(-near, count - 1)[:count]
        _add_ranks(scores, [int(at) + 1 for at in best[np.argsort(-near[best])]])
    best_rows = sorted(scores, key=lambda row: -scores[row])[:5]
    return [connection.execute("SELECT text FROM memory WHERE id = ?", (row,)).fetchone() for row in best_rows]


def _add_ranks(scores: dict[int, float], rows: Sequence[int]) -> None:
    for rank, row in enumerate(rows, 1):
        scores[row] = scores.get(row, 0.0) + 1 / (RANK_SHIFT + rank)


def _bytes(path: Path) -> int:
    return sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*"))
