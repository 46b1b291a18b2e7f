"""What is told of the store itself: changes, erasures, numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class JournalEntry:
    """One change, who or what made it, and whether it can be undone. Never holds content."""

    id: int
    owner: str
    at: datetime
    action: str
    """added, reinforced, superseded, edited, pinned, unpinned, hidden, restored, erased, imported, undone …"""
    memory_id: str | None
    actor: str
    reason: str = ""
    undone: bool = False
    undoable: bool = False
    app: str | None = None
    """The program that told what was read, where reading made the change; None where the user did it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Erasure:
    """A receipt: what was erased and what the byte scan afterwards looked for and found."""

    owner: str
    memories: int
    turns: int
    at: datetime
    files: tuple[str, ...]
    """The files that were scanned, by name."""
    probes: int
    """Byte strings looked for: whole texts, their three-character runs, vectors."""
    shared: int
    """Runs that were not looked for because something that was kept contains them."""
    found: int
    """Probes found; 0 proves the erasure."""
    documents: int = 0
    """Of those that programs keep here (``Memory.documents``)."""

    @property
    def proved(self) -> bool:
        return self.found == 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Stats:
    owner: str
    memories: int
    by_kind: Mapping[str, int]
    by_validity: Mapping[str, int]
    by_language: Mapping[str, int]
    turns: int
    pending: int
    failed: int
    without_vector: int
    hidden: int
    drops: Mapping[str, int]
    file_bytes: int
    model: str | None
    schema: int
    model_calls: int = 0
    """Turns that a language model was asked about."""
    documents: int = 0
    """Kept by programs under names of their own (``Memory.documents``); they are no memories."""
