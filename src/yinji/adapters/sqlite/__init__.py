"""One SQLite file as a store: rows, vectors, full text, queue and journal in the same transaction.

``open_store`` is the way in; docs/decisions/0002-store.md says why it is built this way.
"""

from __future__ import annotations

from yinji.adapters.sqlite.lease import holder_name
from yinji.adapters.sqlite.store import SqliteStore, open_store

__all__ = ["SqliteStore", "holder_name", "open_store"]
