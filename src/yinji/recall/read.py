"""The best candidates read beside the question, by the embedder's tuned layers: how likely each answers it.

A vector tells what a text is about, and a question is about the same as many that do not answer it. The card of what
reads is ``training/tuned.md``.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from yinji.model import Candidate, Hit, MemoryEntry, Role
from yinji.ports import Discerning
from yinji.recall.rerank import lifted

FACTOR = "read"
HEAD = "answers"
LONGEST = {"zh": 100, "en": 240}
"""Characters of a memory that are read: one tells one thing, and what is stored as it was said may be long."""
ALONE = -3.75
"""Log-odds of the best below which nothing answers, whatever else speaks for it: of 149 answered questions of the
diaries' dev half 3 in 100, of 16 that nothing answers 9."""
SUREST = 6.0
"""Log-odds beyond which an answer is no surer."""
ANSWERED = 0.0
"""Log-odds from which reading alone says that a memory answers: it is as likely as not."""


def is_told(memory: MemoryEntry) -> bool:
    """Whether it is a statement taken from what was said, which reading learned from. What is brought in as it was
    written (a turn of a dialogue, a note) it misjudges: R@5 of a public set of dialogues fell from 85.5 to 77.1."""
    return all(source.role is not Role.IMPORT for source in memory.sources)


def answers(embedder: object, question: str, candidates: Sequence[Candidate]) -> list[float] | None:
    """The log-odds that each answers the question; None where the embedder has no layers that read."""
    if not isinstance(embedder, Discerning):
        return None
    pairs = [(question, one.memory.content[: LONGEST[one.memory.language]]) for one in candidates]
    told = embedder.discern(pairs, (HEAD,))
    return None if told is None else [min(SUREST, max(-SUREST, float(score))) for (score,) in told[HEAD]]


def answering(candidates: Sequence[Candidate], spare: Container[str]) -> tuple[Candidate, ...]:
    """Without the spare ones, but for those of which reading says that they answer."""
    return tuple(
        one for one in candidates if one.memory.id not in spare or one.factors.get(FACTOR, -SUREST) >= ANSWERED
    )


def answered(hits: Sequence[Hit]) -> bool:
    """Whether reading by itself finds that one of them answers."""
    return any(hit.factors.get(FACTOR, -SUREST) >= ANSWERED for hit in hits)


def unanswered(candidates: Sequence[Candidate]) -> bool:
    """Whether reading by itself finds that none of them answers."""
    odds = [one.factors[FACTOR] for one in candidates if FACTOR in one.factors]
    return bool(odds) and max(odds) < ALONE


def ordered(candidates: Sequence[Candidate], odds: Sequence[float], weight: float) -> list[Candidate]:
    """All candidates: those that were read by their scores and what reading adds, then the rest."""
    lowest = min(odds, default=0.0)
    return lifted(candidates, [weight * (one - lowest) for one in odds], FACTOR, odds)
