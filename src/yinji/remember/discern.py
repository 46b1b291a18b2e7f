"""What the embedder's tuned layers tell of statements, where it has them (``training/tuned.md``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from yinji.language.linear import softmax
from yinji.model import Verdict
from yinji.ports import Discerning

if TYPE_CHECKING:
    from yinji.language.injection import Read
    from yinji.ports import Vector, Vectors
    from yinji.remember.resolve_rank import Refer
    from yinji.remember.weigh import Read as Worth

VERDICTS = tuple(Verdict)
"""In the order of the scores."""
HARMLESS = (VERDICTS.index(Verdict.COMPATIBLE), VERDICTS.index(Verdict.UNRELATED))
DOES = 0.1
"""Chance that anything is done to the old statement from which a pair is read as it is kept as well."""
AGAINST = -1.0
"""Log-odds that a memory is over, by the statements as they are kept, below which they count as much as the message:
what ends it may be another part of that."""
WEIGHT_SAID = 2 / 3
"""Weight of the verdicts as it was said beside those as it is kept (training/tuned.md)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """What a new statement is to an old one: scores before the softmax, and before the logistic function."""

    verdicts: Vector
    ends: float


def tell(embedder: object, pairs: Sequence[tuple[str, str]]) -> list[Told | None]:
    """``pairs``: an old statement and a new one, as they were said."""
    scores = discerned(embedder, pairs, ("relation", "ends"))
    if scores is None:
        return [None] * len(pairs)
    return [
        Told(verdicts=verdicts, ends=float(ends[0]))
        for verdicts, ends in zip(scores["relation"], scores["ends"], strict=True)
    ]


def tell_twice(embedder: object, said: Sequence[tuple[str, str]], kept: Sequence[tuple[str, str]]) -> list[Told | None]:
    """The same pairs as they were said and as they are kept: a statement cut out of its message leaves out what the
    message tells of it, and a message tells of other things, too.

    As they are kept they are read only where something seems to be done, which is seldom.
    """
    told = tell(embedder, said)
    again = [at for at, one in enumerate(told) if one is not None and _does(one) and said[at] != kept[at]]
    for at, other in zip(again, tell(embedder, [kept[at] for at in again]), strict=True):
        told[at] = _both(told[at], other)
    return told


def _does(told: Told) -> bool:
    """Whether the new statement may do something to the old one."""
    chances = softmax([float(one) for one in told.verdicts])
    return 1 - sum(chances[at] for at in HARMLESS) >= DOES


def _both(said: Told | None, kept: Told | None) -> Told | None:
    if said is None or kept is None:
        return said
    ends = said.ends if kept.ends >= AGAINST else (said.ends + kept.ends) / 2
    return replace(said, verdicts=WEIGHT_SAID * said.verdicts + (1 - WEIGHT_SAID) * kept.verdicts, ends=ends)


def discerned(embedder: object, texts: Sequence[Sequence[str]], heads: Sequence[str]) -> Mapping[str, Vectors] | None:
    """Scores by head; None where the embedder has no such layers."""
    return embedder.discern(texts, heads) if texts and isinstance(embedder, Discerning) else None


def ordering(embedder: object) -> Read:
    """The embedder's tuned layers as what tells orders to an agent; they are loaded when words leave it open."""

    def read(texts: Sequence[str]) -> list[float] | None:
        scores = discerned(embedder, [(text,) for text in texts], ("orders",))
        return None if scores is None else [float(one[0]) for one in scores["orders"]]

    return read


def worthy(embedder: object) -> Worth:
    """The embedder's tuned layers as what tells what is worth keeping; they are loaded when a text is in doubt."""

    def read(texts: Sequence[Sequence[str]]) -> list[float] | None:
        scores = discerned(embedder, texts, ("worth",))
        return None if scores is None else [float(one[0]) for one in scores["worth"]]

    return read


def referring(embedder: object) -> Refer | None:
    """The embedder's tuned layers as what is asked for pronouns; None where it has none.

    They are loaded when the first pronoun is met.
    """
    if not isinstance(embedder, Discerning):
        return None

    return embedder.refer
