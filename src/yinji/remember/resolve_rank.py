"""Which candidate a pronoun stands for: the likeliest, when it is likely enough; nothing competes with all of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from yinji.remember.resolve_features import Candidate, Pronoun, Scene, Signs, related, signs
from yinji.remember.resolve_listed import pick

SURE = 0.8
"""The probability from which what is meant is written into a memory."""

Verdict = tuple[str | None, str, float]
"""What is put in, why, and how likely that is right."""


def choose(pronoun: Pronoun, scene: Scene) -> Verdict:
    """What the pronoun stands for; nothing when that is not clear."""
    if pronoun.kind == "ordinal":
        picked = pick(pronoun, scene)
        return picked, "by_order" if picked else "nothing_listed", 1.0
    found, each, empty = signs(pronoun, scene)
    if not found:
        return None, "nobody_named", 1.0
    weights = scene.model.ranks
    shares = softmax([*(worth(one, weights) for one in each), worth(empty, weights)])
    top, share = likeliest(found, shares)
    if shares[-1] >= share:
        return None, "stands_for_nothing", shares[-1]
    if share < scene.model.least:
        return None, "two_possible", share
    return found[top].text, "likeliest", share


def worth(one: Signs, weights: Mapping[str, float]) -> float:
    """The sum of what the signs are worth."""
    return sum(strength * weights.get(name, 0.0) for name, strength in one.items())


def softmax(values: Sequence[float]) -> list[float]:
    most = max(values)
    raised = [math.exp(one - most) for one in values]
    whole = sum(raised)
    return [one / whole for one in raised]


def together(top: int, found: Sequence[Candidate], shares: Sequence[float]) -> float:
    """The probability of a candidate and of other wordings of the same thing."""
    return sum(shares[at] for at, one in enumerate(found) if at == top or related(one, found[top]))


def likeliest(found: Sequence[Candidate], shares: Sequence[float]) -> tuple[int, float]:
    """The best wording of the likeliest thing, and how likely that thing is."""
    leader = max(range(len(found)), key=lambda at: together(at, found, shares))
    group = [at for at, one in enumerate(found) if at == leader or related(one, found[leader])]
    names = [at for at in group if found[at].is_name and named_by(found[at], found[leader])]
    group = names or group
    return max(group, key=lambda at: shares[at]), together(leader, found, shares)


def named_by(name: Candidate, other: Candidate) -> bool:
    """Whether one is the name that was told of the other."""
    return any(
        one.message == two.message and one.mention.names == two.mention.start for one in name.said for two in other.said
    )
