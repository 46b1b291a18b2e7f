"""Vectors kept on disk between evals, so that a second run takes a minute and not ten. Evals alone use this."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from yinji.evals.around import Around
from yinji.ports import Embedder, Purpose

if TYPE_CHECKING:
    from yinji.ports import Vectors

SCHEMA = "CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
WAIT_S = 60.0


class CachedEmbedder(Around):
    """Another embedder's vectors, computed once per text, purpose and model id. Thread-safe; processes may share it.

    The wrapped embedder is not loaded while every text is known.
    """

    def __init__(self, inner: Embedder, folder: Path) -> None:
        super().__init__(inner)
        self._lock = threading.Lock()
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / f"{inner.card.id}.sqlite3"
        with closing(self._connect()) as connection, connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(SCHEMA)

    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        import numpy as np

        keys = [self._key(text, purpose) for text in texts]
        with self._lock:
            known = self._read(keys)
            unknown = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
            if unknown:
                fresh = self._inner.embed(list(unknown.values()), purpose=purpose)
                added = {key: row.astype("<f4").tobytes() for key, row in zip(unknown, fresh, strict=True)}
                self._write(added)
                known |= added
        flat = np.frombuffer(b"".join(known[key] for key in keys), dtype="<f4")
        return flat.reshape(len(texts), self.card.dim).astype(np.float32)

    def warm_up(self) -> None:
        """Nothing: the model is loaded by the first text that is not known."""

    def _key(self, text: str, purpose: Purpose) -> bytes:
        return hashlib.sha256(f"{purpose}\0{text}".encode("utf-8", "surrogatepass")).digest()

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._file, timeout=WAIT_S)

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        with closing(self._connect()) as connection:
            marks = ",".join("?" * len(keys))
            return dict(connection.execute(f"SELECT key, value FROM vector WHERE key IN ({marks})", keys))

    def _write(self, rows: dict[bytes, bytes]) -> None:
        with closing(self._connect()) as connection, connection:
            connection.executemany("INSERT OR IGNORE INTO vector VALUES (?, ?)", rows.items())


def cache_folder() -> Path:
    """Where evals keep vectors: below ``YINJI_CACHE``, or the user's cache folder."""
    if chosen := os.environ.get("YINJI_CACHE"):
        return Path(chosen).expanduser() / "evals"
    from platformdirs import user_cache_path

    return user_cache_path("yinji", appauthor=False) / "evals"
