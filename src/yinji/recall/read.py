"""The best candidates read beside the question, by the embedder's tuned layers: how likely each answers it.

A vector tells what a text is about, and a question is about the same as many that do not answer it. The card of what
reads is ``training/tuned.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from itertools import compress

from yinji.model import Candidate, Hit, MemoryEntry, Role
from yinji.ports import Discerning
from yinji.recall.breath import Beside, together
from yinji.recall.rerank import lifted

FACTOR = "read"
KNOWN = "known"
"""The factor of what is known of what a message names (``named``): by so much it was put before the rest."""
HEAD = "answers"
LONGEST = {"zh": 100, "en": 240}
"""Characters of a memory that are read: one tells one thing, and what is stored as it was said may be long."""
BESIDE = 0.35
"""Log-odds that a point of what else speaks for a memory is worth: in a regression over the candidates of held-back
worlds .36 to .45 of the weight of reading."""
ALONE = -0.75
"""Evidence of the best below which nothing answers: with the model of confidence, 2.7 in 100 of 1,156 answered
questions, and four fifths of 533 that nobody answered (training/confidence.md)."""
SURELY = 2.0
"""Evidence from which a memory answers a question for a name or a price and gives none (training/confidence.md)."""
CLEAR, AGAIN = 3.0, 4
"""Evidence of the best below which so many of the likeliest are read again, with what was said in the same breath. Of
188 answered questions of own lives (dev) 1.6 % then fall below the point for silence, and 67 % of 21 that nobody
answered; 1.6 and 57 without."""
TO_QUESTION, TO_OTHERS = 1.0, 3.0
"""Evidence from which a message that was not held to need memories gets them: one that asks something, and any other.
Of 172 messages that need none, asked of the diaries, 54 get some; with log-odds of 0 for any, 66 did, and fewer of
the diaries' questions (dev) got theirs."""
SUREST = 6.0
"""Log-odds beyond which an answer is no surer."""
PERHAPS = -2.0
"""Log-odds from which a memory may answer."""
NOISE = -3.0
"""Log-odds below which, beside one that answers, a memory is not shown."""
ANSWERED = 0.0
"""Log-odds from which reading alone says that a memory answers: it is as likely as not. Where none of the first has as
much, further ones are read (training/tuned.md)."""


def is_told(memory: MemoryEntry) -> bool:
    """Whether it is a statement taken from what was said, which reading learned from. What is brought in as it was
    written (a turn of a dialogue, a note) it misjudges: R@5 of a public set of dialogues fell from 85.5 to 77.1."""
    return all(source.role is not Role.IMPORT for source in memory.sources)


def answers(embedder: object, question: str, candidates: Sequence[Candidate]) -> list[float] | None:
    """The log-odds that each answers the question; None where the embedder has no layers that read."""
    told = _scores(embedder, [(question, part(one.memory)) for one in candidates], HEAD)
    return None if told is None else [_clipped(one) for one in told]


def read_again(
    embedder: object,
    question: str,
    candidates: Sequence[Candidate],
    odds: Sequence[float],
    beside: Beside,
) -> list[float]:
    """The log-odds of the candidates; where none clearly answers, those of the likeliest are the mean of what they are
    alone and together with what was said in the same breath (``beside``, by id)."""
    evidence = [one + BESIDE * candidate.score for one, candidate in zip(odds, candidates, strict=False)]
    likely = sorted(range(len(odds)), key=lambda at: -evidence[at])[:AGAIN]
    if evidence[likely[0]] >= CLEAR:
        return [*odds]
    said = beside([candidates[at].memory for at in likely])
    texts = {at: part_with(candidates[at].memory, said.get(candidates[at].memory.id, ())) for at in likely}
    longer = [at for at in likely if texts[at] != part(candidates[at].memory)]
    told = _scores(embedder, [(question, texts[at]) for at in longer], HEAD) if longer else None
    anew = {at: (odds[at] + _clipped(one)) / 2 for at, one in zip(longer, told or (), strict=False)}
    return [anew.get(at, one) for at, one in enumerate(odds)]


def _clipped(odds: float) -> float:
    return min(SUREST, max(-SUREST, odds))


def _scores(embedder: object, pairs: Sequence[tuple[str, str]], head: str) -> list[float] | None:
    told = embedder.discern(pairs, (head,)) if isinstance(embedder, Discerning) else None
    return None if told is None else [float(score) for (score,) in told[head]]


def odds_of(one: Candidate | Hit) -> float:
    """The log-odds that it answers, as they were read; of what was not, the least."""
    return one.factors.get(FACTOR, -SUREST)


def answering(candidates: Sequence[Candidate], spare: Container[str]) -> tuple[Candidate, ...]:
    """Without the spare ones, but for those of which reading says that they answer."""
    return tuple(one for one in candidates if one.memory.id not in spare or odds_of(one) >= ANSWERED)


def without(candidates: Sequence[Candidate], left: Container[str]) -> Sequence[Candidate]:
    """Those that are not ``left``; all of them where none of the others is read to be likelier to answer."""
    kept = [one for one in candidates if one.memory.id not in left]
    best = max(candidates, key=odds_of, default=None)
    return candidates if best is not None and best.memory.id in left else kept


def answered(hits: Sequence[Hit], *, asks: bool) -> bool:
    """Whether one of them surely enough answers a message; less is enough where it ``asks`` something."""
    best = max((_evidence(hit) for hit in hits if FACTOR in hit.factors), default=-SUREST)
    return best >= (TO_QUESTION if asks else TO_OTHERS)


def part(memory: MemoryEntry) -> str:
    """As much of a memory as is read."""
    return memory.content[: LONGEST[memory.language]]


def part_with(memory: MemoryEntry, said: Sequence[MemoryEntry]) -> str:
    """The memory together with as much of what was ``said`` with it as is read."""
    taken: list[MemoryEntry] = []
    for one in said:
        if len(together(memory, [*taken, one]).content) <= LONGEST[memory.language]:
            taken.append(one)
    return together(memory, taken).content if taken else part(memory)


def shown(candidates: Sequence[Candidate], most: int, *, few: int, known: Container[str]) -> list[Candidate]:
    """The first ``most``; of up to ``few``, where one of them answers, without those that are sure not to, and beside
    what is ``known`` of what the message names only what answers. Where more is asked for, what does not answer by
    itself is of use, too."""
    best, odds = list(candidates[:most]), [one.factors[FACTOR] for one in candidates if FACTOR in one.factors]
    if most > few:
        return best
    if any(one.memory.id in known for one in best):
        return [one for one in best if one.memory.id in known or one.factors.get(FACTOR, ANSWERED) >= ANSWERED]
    if len(odds) < len(best) or max(odds, default=-SUREST) < ANSWERED:
        return best
    return [one for one in best if one.factors.get(FACTOR, ANSWERED) >= NOISE]


def unanswered(candidates: Sequence[Candidate], gives: Callable[[Sequence[MemoryEntry]], Sequence[bool]]) -> bool:
    """Whether reading, with what else speaks for each, finds that none of them answers. ``gives``: which of them give
    what is asked for, empty where that does not show; where none that does may answer, another must be surer."""
    told = [one for one in candidates if FACTOR in one.factors]
    best = max(map(_evidence, told), default=SURELY)
    if not ALONE <= best < SURELY:
        return best < ALONE
    given = gives([one.memory for one in told])
    return bool(given) and all(_evidence(one) < ALONE for one in compress(told, given))


def _evidence(one: Candidate | Hit) -> float:
    """The log-odds that it answers, by reading and by what else speaks for it."""
    odds, lifted = one.factors[FACTOR], one.factors.get(KNOWN, 0.0)
    return odds + BESIDE * (sum(one.factors.values()) - odds - lifted)


def ordered(candidates: Sequence[Candidate], odds: Sequence[float], weight: float) -> list[Candidate]:
    """All candidates: those that were read by their scores and what reading adds, then the rest."""
    lowest = min(odds, default=0.0)
    return lifted(candidates, [weight * (one - lowest) for one in odds], FACTOR, odds)
