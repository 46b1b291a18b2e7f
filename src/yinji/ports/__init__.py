"""What the core needs from outside. Adapters implement these; ``tests/conformance`` runs on every one.

Nothing here imports a database, a model runtime or a network library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yinji.ports.changes import (
    Accepted,
    Change,
    Doubt,
    NewMemory,
    Outcome,
    Overtake,
    Reinforce,
    Replay,
    Retire,
    Says,
    Token,
)
from yinji.ports.findings import NO_WEIGHTS, Examined, Lens, Probe, Ranking, Scored, Spread
from yinji.ports.models import LLM, Clock, Discerning, Embedder, ModelCard, Pointed, Purpose, Reranker, Span
from yinji.ports.store import Store

if TYPE_CHECKING:
    from yinji.ports.models import Vector as Vector
    from yinji.ports.models import Vectors as Vectors

__all__ = [
    "LLM",
    "NO_WEIGHTS",
    "Accepted",
    "Change",
    "Clock",
    "Discerning",
    "Doubt",
    "Embedder",
    "Examined",
    "Lens",
    "ModelCard",
    "NewMemory",
    "Outcome",
    "Overtake",
    "Pointed",
    "Probe",
    "Purpose",
    "Ranking",
    "Reinforce",
    "Replay",
    "Reranker",
    "Retire",
    "Says",
    "Scored",
    "Span",
    "Spread",
    "Store",
    "Token",
]
