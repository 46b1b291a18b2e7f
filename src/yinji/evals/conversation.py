"""How well a whole conversation is remembered: every turn goes through the pipeline, then the questions come.

What counts:

- ``r_at_k``, ``mrr``, ``ndcg_at_10``: gold turns that the first k memories were taken from.
- ``answer_in_1200``, ``answer_in_720``: whether a context of that budget says the answer.
- ``stale_shown``: whether the context says, as current, something taken from a turn that holds an outdated value;
  ``stale_told``: whether it says it at all, if only as perhaps outdated.
- ``abstained``: whether nothing is recalled for a question that nothing answers; what is known for sure of the
  user stands in every context and does not count. ``recall_lost`` is its price: a question that has an answer
  and recalls nothing.
- ``kept``: share of the gold of which any memory was kept, the most that recall can find.
- ``memories_per_turn``, ``context_tokens``: what it costs.
- ``lost_…``, ``brought_…``: share of the gold lost at each stage before the larger context, and share that each path
  brought; ``brought_any`` is what a perfect ranker could show (``yinji.evals.losses``).

The floor is BM25 over the raw turns, put into the same budgets by rank.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from yinji.evals import floor, losses
from yinji.evals.data import ConversationSet, Question, sample
from yinji.evals.metrics import says_all
from yinji.evals.report import Answer, Progress
from yinji.evals.retrieval import DEPTH, PREFIX, STORE, Open, shown, timed, values_of
from yinji.language.text import detect
from yinji.recall.breath import JOINER
from yinji.recall.budget import OUTDATED
from yinji.recall.overflow import beginning

if TYPE_CHECKING:
    from yinji.engine import Memory
    from yinji.model import Context, MemoryEntry, Turn

BUDGETS = (1200, 720)
FLOOR_DEPTH = 50
MARKED = " validity="
"""What a line of a context has that tells a memory not to hold for sure."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """The answers, and what no single question says."""

    answers: list[Answer]
    memories_per_turn: float
    warnings: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Life:
    """One owner's turns after they were read."""

    turns: Sequence[Turn]
    words: floor.WordIndex
    memories: Sequence[MemoryEntry]
    names: Mapping[str, str]
    """The engine's turn id → the set's."""

    def sources(self, memory: MemoryEntry) -> frozenset[str]:
        return frozenset(self.names.get(source.turn_id, "") for source in memory.sources) - {""}


def measure(labelled: ConversationSet, open_memory: Open, *, limit: int | None, progress: Progress) -> Measured:
    """An answer for each question, in the set's order."""
    questions = sample(labelled.questions, limit)
    answers: list[Answer] = []
    with TemporaryDirectory(prefix=PREFIX) as folder, open_memory(Path(folder) / STORE) as memory:
        lives, warnings = _remember(memory, labelled, {one.owner for one in questions}, len(questions), progress)
        turns = sum(len(life.turns) for life in lives.values())
        for question in questions:
            answers.append(_ask(memory, question, labelled.name, lives[question.owner]))
            progress(labelled.name, turns + len(answers), turns + len(questions))
    kept = sum(len(life.memories) for life in lives.values())
    return Measured(answers=answers, memories_per_turn=kept / max(turns, 1), warnings=warnings)


def _remember(
    memory: Memory, labelled: ConversationSet, owners: set[str], to_ask: int, progress: Progress
) -> tuple[dict[str, _Life], tuple[str, ...]]:
    spoken = [turn for turn in labelled.turns if turn.user.strip() and turn.owner in owners]
    blank = sum(not turn.user.strip() for turn in labelled.turns)
    lives: dict[str, _Life] = {}
    for owner in sorted(owners):
        before = sum(len(life.turns) for life in lives.values())

        def heard(done: int, _: int | None, before: int = before) -> None:
            progress(labelled.name, before + done, len(spoken) + to_ask)

        lives[owner] = _live(memory, owner, [turn for turn in spoken if turn.owner == owner], heard)
    return lives, (f"{labelled.name}: {blank} turns without words of the user were left out",) if blank else ()


def _live(memory: Memory, owner: str, owned: Sequence[Turn], heard: Callable[[int, int | None], None]) -> _Life:
    turns = sorted(owned, key=lambda turn: turn.at)
    read = memory.remember_many([replace(turn, id="") for turn in turns], owner=owner, progress=heard)
    return _Life(
        turns=turns,
        words=floor.index([_raw(turn) for turn in turns]),
        memories=memory.list(owner=owner, validity=None, limit=None),
        names={one.turn_id: turn.id for one, turn in zip(read, turns, strict=True)},
    )


def _raw(turn: Turn) -> str:
    said = f"{turn.at:%Y-%m-%d} {turn.user}"
    return f"{said}\n{turn.assistant}" if turn.assistant else said


def _ask(memory: Memory, question: Question, name: str, life: _Life) -> Answer:
    found, ms = timed(lambda: memory.recall(question.text, DEPTH, owner=question.owner, now=question.asked_at))
    contexts = {
        budget: memory.context(question.text, budget, owner=question.owner, now=question.asked_at, used=False)
        for budget in BUDGETS
    }
    ranked = [life.sources(hit.memory) for hit in found]
    values = _found(ranked, question) | {"ms": ms}
    values |= _told(question, {budget: _plain(context) for budget, context in contexts.items()})
    values["context_tokens"] = float(contexts[BUDGETS[0]].tokens)
    trails = losses.trails(memory, question, contexts[BUDGETS[0]], _taken(question, life)) if question.gold else []
    values |= losses.values_of(trails)
    if question.gold:
        values["kept"] = _kept(question, life)
        values["recall_lost"] = float(not contexts[BUDGETS[0]].hits)
    else:
        values["abstained"] = float(not contexts[BUDGETS[0]].hits)
    if question.stale:
        told = _plain(contexts[BUDGETS[0]]).splitlines()
        values["stale_told"] = float(_stale(question, life, told))
        values["stale_shown"] = float(_stale(question, life, [_standing(line) for line in told]))
    best = [life.turns[at] for at, _ in floor.search(life.words, question.text, FLOOR_DEPTH)]
    return Answer(
        set=name,
        id=question.id,
        text=question.text,
        lang=detect(question.text),
        category=question.category,
        type=question.type,
        split=question.split,
        values=values,
        floor=_floor(question, best),
        detail={
            "gold": [sorted(group) for group in question.gold],
            "answer": list(question.answer),
            "ranked": [shown(hit) | {"sources": sorted(life.sources(hit.memory))} for hit in found],
            "context": contexts[BUDGETS[0]].text,
            "trails": [one.as_json(sorted(group)) for one, group in zip(trails, question.gold, strict=False)],
            "floor_ranked": [turn.id for turn in best[:DEPTH]],
            "warnings": list(found.warnings),
        },
    )


def _found(ranked: Sequence[frozenset[str]], question: Question) -> dict[str, float]:
    return values_of(ranked, question.gold) if question.gold else {}


def _told(question: Question, texts: Mapping[int, str]) -> dict[str, float]:
    if not question.answer or not question.gold:
        return {}
    return {
        f"answer_in_{budget}": float(says_all(text, question.answer, question.alternatives))
        for budget, text in texts.items()
    }


def _plain(context: Context) -> str:
    return html.unescape(context.text)


def _taken(question: Question, life: _Life) -> list[list[MemoryEntry]]:
    """For each group of gold the memories that were taken from it."""
    return [[one for one in life.memories if not group.isdisjoint(life.sources(one))] for group in question.gold]


def _kept(question: Question, life: _Life) -> float:
    return sum(map(bool, _taken(question, life))) / len(question.gold)


def _stale(question: Question, life: _Life, lines: Sequence[str]) -> bool:
    """Whether one of the lines says a still current memory that comes from stale turns and from none that is gold."""
    gold = frozenset().union(*question.gold)
    return any(
        memory.validity == "current"
        and not question.stale.isdisjoint(life.sources(memory))
        and gold.isdisjoint(life.sources(memory))
        and any(beginning(memory.content).removesuffix("…") in line for line in lines)
        for memory in life.memories
    )


def _standing(line: str) -> str:
    """What the line tells as it holds."""
    if MARKED in line:
        return ""
    return JOINER.join(one for one in line.split(JOINER) if f"({OUTDATED})" not in one)


def _floor(question: Question, best: Sequence[Turn]) -> dict[str, float]:
    contexts = {budget: _fitting(best, budget) for budget in BUDGETS}
    values = _found([frozenset({turn.id}) for turn in best[:DEPTH]], question)
    values |= _told(question, {budget: "\n".join(map(_raw, turns)) for budget, turns in contexts.items()})
    values["context_tokens"] = float(sum(map(_cost, contexts[BUDGETS[0]])))
    values["recall_lost" if question.gold else "abstained"] = float(not best)
    if question.stale:
        values["stale_shown"] = float(any(turn.id in question.stale for turn in contexts[BUDGETS[0]]))
    return values


def _fitting(best: Sequence[Turn], budget: int) -> list[Turn]:
    """Turns by rank while they fit; one that does not is passed over."""
    chosen: list[Turn] = []
    for turn in best:
        if _cost(turn) <= budget:
            chosen.append(turn)
            budget -= _cost(turn)
    return chosen


def _cost(turn: Turn) -> int:
    from yinji.recall.budget import estimate_tokens

    return estimate_tokens(_raw(turn)) + 1
