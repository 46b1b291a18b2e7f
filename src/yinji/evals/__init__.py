"""Knowing that it works: this installation measured on labelled data (SPEC E1).

``run`` is the door. Everything heavy is imported when it is called.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from yinji.config import Settings
    from yinji.evals.report import Progress, Report
    from yinji.ports import Embedder

NAMES = (
    "retrieval",
    "conversation",
    "sensitive",
    "gate",
    "extract",
    "time",
    "conflict",
    "coref",
    "entities",
    "recall_gate",
    "update",
    "injection",
    "scenes",
)
"""The evals there are."""


def run(
    name: str,
    data: Path | None = None,
    *,
    out: Path | None = None,
    against: Path | None = None,
    progress: Progress | None = None,
    limit: int | None = None,
    settings: Settings | None = None,
    embedder: Embedder | None = None,
    date: datetime | None = None,
) -> Report:
    """Measures ``name`` on a folder that holds one set, or several, which then are run as one.

    Without ``data`` the folder that ``YINJI_EVAL_DATA`` names is taken. ``out`` is a folder for an answer per
    question and the report; ``against`` an earlier one, or a file that ``--json`` gave. ``limit`` takes that many
    questions of each set, evenly spread. ``embedder`` stands in for that of the settings. Raises InvalidInput for
    an unknown name and for data that is not in form, with file and line.
    """
    from yinji.evals.runner import run_eval

    return run_eval(
        name,
        data,
        out=out,
        against=against,
        progress=progress or _quiet,
        limit=limit,
        settings=settings,
        embedder=embedder,
        date=date,
    )


def _quiet(what: str, done: int, total: int) -> None:
    """Nobody listens."""


__all__ = ["NAMES", "run"]
