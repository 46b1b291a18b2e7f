"""How the file is: what it holds of an owner, and whether its parts agree."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import apsw

from yinji.adapters.sqlite import owners
from yinji.adapters.sqlite.cache import Cache
from yinji.adapters.sqlite.owners import find, rows, value
from yinji.adapters.sqlite.queries import load
from yinji.model import Stats

_SQL = load("health")


def stats(db: apsw.Connection, path: str, name: str) -> Stats:
    owner = {"owner": find(db, name)}
    counts = list(rows(db, _SQL["counts"], owner))
    visible = [row for row in counts if not row["hidden"]]
    turns: Counter[str] = Counter(dict(db.execute(_SQL["turns"], owner)))
    model = owners.model(db)
    return Stats(
        owner=name,
        memories=sum(row["count"] for row in visible),
        by_kind=_summed(visible, "kind"),
        by_validity=_summed(visible, "validity"),
        by_language=_summed(visible, "language"),
        turns=turns.total() - turns["erased"],
        pending=turns["waiting"],
        failed=turns["dead"],
        without_vector=sum(row["count"] for row in visible if not row["embedded"]),
        hidden=sum(row["count"] for row in counts if row["hidden"]),
        drops=dict(db.execute(_SQL["drops"], owner)),
        file_bytes=sum(os.path.getsize(file) for file in (path, f"{path}-wal") if os.path.exists(file)),
        model=model[1] if model else None,
        schema=db.pragma("user_version"),
        model_calls=value(db, _SQL["model_calls"], owner),
        documents=value(db, _SQL["documents"], owner),
    )


def _summed(counts: Sequence[Mapping[str, Any]], name: str) -> dict[str, int]:
    total: Counter[str] = Counter()
    for row in counts:
        total[row[name]] += row["count"]
    return dict(total)


def check(db: apsw.Connection, cache: Cache, *, may_write: bool) -> list[str]:
    """What is wrong; comparing the index with the terms is a command that needs the right to write."""
    problems = [line for (line,) in db.execute("PRAGMA integrity_check") if line != "ok"]
    problems += [f"a row of {row[0]} points to no {row[2]}" for row in db.execute("PRAGMA foreign_key_check")]
    try:
        if may_write:
            db.execute("INSERT INTO term_index (term_index, rank) VALUES ('integrity-check', 1)")
    except apsw.CorruptError as error:
        problems.append(f"the full-text index does not match the terms: {error}")
    for query, problem in (
        ("term_gap", "memories and index terms"),
        ("vector_gap", "memories and vectors"),
        ("document_gap", "documents and vectors"),
    ):
        if gap := value(db, _SQL[query], {}):
            problems.append(f"{problem} do not match in {gap} rows")
    return problems + [line for owner in cache.owners() for line in _compare(db, cache, owner)]


def _compare(db: apsw.Connection, cache: Cache, owner: int) -> list[str]:
    """Whether the arrays in RAM are as the file is, once they are refreshed."""
    if not value(db, _SQL["owner_there"], {"owner": owner}):
        return []
    with cache.of(db, owner) as columns:
        counts = columns.count, int(columns["embedded"].sum())
    expected = db.execute(_SQL["owner_rows"], {"owner": owner}).get
    return [] if counts == expected else [f"the search cache holds {counts}, the file {expected} rows and vectors"]
