"""Which candidate a pronoun stands for: the likeliest, when it is likely enough; nothing competes with all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, TypeAlias

from yinji.language.linear import weighed
from yinji.remember.resolve_features import ONLY, PLAIN, Candidate, Pronoun, Scene, alike, signs, told_here
from yinji.remember.resolve_listed import pick

if TYPE_CHECKING:
    from yinji.ports import Span


LOOKED_AT = 8
"""Candidates that the tuned layers are asked about, as in training."""
Refer: TypeAlias = "Callable[[Sequence[str], Span, Sequence[Span]], Sequence[float] | None]"
"""Messages, a pronoun and phrases → how well each phrase, and last nothing, is what it stands for; see
:class:`~yinji.ports.Discerning`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """What a pronoun stands for, ``None`` where it is better left alone, why, and how likely that is."""

    meant: str | None
    why: str
    probability: float
    only: bool = False
    """Whether nobody else was named whom "he" or "she" can mean, and nothing speaks for nobody."""
    here: bool = False
    """Whether the same message has named somebody whom "he" or "she" can mean."""


def choose(pronoun: Pronoun, scene: Scene, refer: Refer | None = None) -> Choice:
    """What the pronoun stands for; nothing when that is not clear. ``refer``: tuned layers to ask besides.

    Whom the same message has named, "he" or "she" means before anybody else; nothing more need be asked then.
    """
    if pronoun.kind == "ordinal":
        picked = pick(pronoun, scene)
        return Choice(meant=picked, why="by_order" if picked else "nothing_listed", probability=1.0)
    here = told_here(scene.candidates(pronoun), pronoun, scene)
    scene = scene.alone if here else scene
    found, each, empty = signs(pronoun, scene)
    if not found:
        return Choice(meant=None, why="nobody_named", probability=1.0)
    weights, points = scene.model.ranks, scene.model.points
    values = [*(weighed(one, weights) for one in each), weighed(empty, weights)]
    if refer is not None and not here and (told := _told(pronoun, scene, found, values, refer)) is not None:
        values, points = told, scene.model.points_told
    shares = softmax(values)
    top, share = likeliest(found, shares)
    if shares[-1] >= share:
        return Choice(meant=None, why="stands_for_nothing", probability=shares[-1])
    only = ONLY in each[top] and PLAIN in empty
    if share < (points.here if here else points.only if only else points.any):
        return Choice(meant=None, why="two_possible", probability=share, only=only, here=here)
    why = "only_one" if only else "likeliest"
    return Choice(meant=found[top].text, why=why, probability=share, only=only, here=here)


def _told(
    pronoun: Pronoun, scene: Scene, found: Sequence[Candidate], values: Sequence[float], refer: Refer
) -> list[float] | None:
    """What each candidate, and nothing, is worth by its signs and by the tuned layers together."""
    likely = sorted(range(len(found)), key=lambda at: -values[at])[:LOOKED_AT]
    phrases = [(said.message, said.mention.start, said.mention.end) for said in (found[at].said[-1] for at in likely)]
    scores = refer(scene.originals, (scene.now, pronoun.start, pronoun.end), phrases)
    if scores is None:
        return None
    own, theirs, nothing = scene.model.mix
    told = dict(zip(likely, scores, strict=False))
    mixed = [own * value + theirs * float(told.get(at, -inf)) for at, value in enumerate(values[:-1])]
    return [*mixed, own * values[-1] + theirs * float(scores[-1]) + nothing]


def softmax(values: Sequence[float]) -> list[float]:
    """The shares of one that belong to weights."""
    most = max(values)
    raised = [math.exp(one - most) for one in values]
    whole = sum(raised)
    return [one / whole for one in raised]


def likeliest(found: Sequence[Candidate], shares: Sequence[float]) -> tuple[int, float]:
    """The best wording of the likeliest thing, its name if it has one, and how likely that thing is."""
    leader = max(range(len(found)), key=lambda at: together(at, found, shares))
    group = [at for at, one in enumerate(found) if at == leader or alike(one, found[leader], found)]
    names = [at for at in group if found[at].is_name and named_by(found[at], found[leader])]
    return max(names or group, key=lambda at: shares[at]), together(leader, found, shares)


def together(top: int, found: Sequence[Candidate], shares: Sequence[float]) -> float:
    """The probability of a candidate and of other wordings of the same thing."""
    return sum(shares[at] for at, one in enumerate(found) if at == top or alike(one, found[top], found))


def named_by(name: Candidate, other: Candidate) -> bool:
    """Whether one is the name that was told of the other."""
    return any(
        one.message == two.message and one.mention.names == two.mention.start for one in name.said for two in other.said
    )
