"""Where the gold of a question was lost on its way into a context: the first stage that let it go.

Of several memories that would do, the one that came furthest counts. The stages, in order (``LOSSES``):

- ``unwritten``: no memory was kept of the turn.
- ``outside``: kept, but out of the question's scope: superseded, expired, taken back.
- ``unfound``: in scope, but no path brought it.
- ``weak``: a path brought it, but it was held not to answer, or was not among those that are weighed.
- ``cut``: weighed, but others were better.
- ``doubted``: the best of what was found was held unlikely to answer, so that nothing was said.
- ``unasked``: it would have come, but the message was held to need no memory.
- ``budget``: among the best, but not in the text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from yinji.model import Fate

if TYPE_CHECKING:
    from yinji.engine import Memory
    from yinji.evals.data import Question
    from yinji.model import Context, MemoryEntry, Why

LOSSES = ("unwritten", "outside", "unfound", "weak", "cut", "doubted", "unasked", "budget")
TOLD = "told"
PATHS = ("vector", "words", "fields", "graph")
LOST, BROUGHT = "lost_", "brought_"
ANY = "any"
_STAGES = {
    Fate.NOT_FOUND: "unfound",
    Fate.TOO_WEAK: "weak",
    Fate.BELOW_CUT: "cut",
    Fate.DOUBTED: "doubted",
}
_ORDER = (*LOSSES, TOLD)


@dataclass(frozen=True, kw_only=True, slots=True)
class Trail:
    """How far one group of gold came, and which paths brought it at which place."""

    stage: str
    rank: int | None = None
    paths: Mapping[str, int]

    def as_json(self, gold: Sequence[str]) -> dict[str, object]:
        return {"gold": list(gold), "stage": self.stage, "rank": self.rank, "paths": dict(self.paths)}


def trails(memory: Memory, question: Question, context: Context, kept: Sequence[Sequence[MemoryEntry]]) -> list[Trail]:
    """One for each group of gold; ``kept``: the memories that were taken from each."""
    if not context.needed:
        open_to_all = memory.context(
            question.text, context.budget, owner=question.owner, now=question.asked_at, used=False, gate=False
        )
        most = len(open_to_all.hits) + len(open_to_all.left_out)
    else:
        most = len(context.hits) + len(context.left_out)
    return [_furthest([_trail(memory, question, context, one, max(most, 1)) for one in group]) for group in kept]


def values_of(found: Sequence[Trail]) -> dict[str, float]:
    """Share of the gold lost at each stage, and share that each path, and any of them, brought."""
    if not found:
        return {}
    lost = {f"{LOST}{stage}": sum(one.stage == stage for one in found) / len(found) for stage in LOSSES}
    brought = {f"{BROUGHT}{path}": sum(path in one.paths for one in found) / len(found) for path in PATHS}
    return lost | brought | {f"{BROUGHT}{ANY}": sum(bool(one.paths) for one in found) / len(found)}


def _furthest(found: Sequence[Trail]) -> Trail:
    nothing = Trail(stage="unwritten", paths={})
    return max(found, key=lambda one: (_ORDER.index(one.stage), len(one.paths)), default=nothing)


def _trail(memory: Memory, question: Question, context: Context, one: MemoryEntry, most: int) -> Trail:
    told = {*context.always, *context.besides, *context.in_brief, *(hit.memory.id for hit in context.hits)}
    explained = memory.why(question.text, one.id, most, owner=question.owner, now=question.asked_at)
    stage = TOLD if one.id in told else _stage(explained, context)
    return Trail(
        stage=stage, rank=explained.rank, paths={path.path: path.rank for path in explained.paths if path.rank}
    )


def _stage(explained: Why, context: Context) -> str:
    if explained.fate is Fate.SHOWN:
        return "budget" if context.needed else "unasked"
    return _STAGES.get(explained.fate, "outside")
