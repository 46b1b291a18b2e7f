"""Which candidate a pronoun stands for: the likeliest, when it is likely enough; nothing competes with all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from yinji.language.linear import softmax, weighed
from yinji.language.text import content_key
from yinji.remember.resolve_features import ONLY, PLAIN, Candidate, Pronoun, Scene, alike, signs, told_here
from yinji.remember.resolve_listed import pick

if TYPE_CHECKING:
    from yinji.ports import Pointed, Span

Refer: TypeAlias = "Callable[[Sequence[str], Sequence[bool], Span], Pointed | None]"
"""What a pronoun stands for, by tuned layers; see :meth:`~yinji.ports.Discerning.refer`."""
UNSEEN = 0.02
"""Chance by the signs of a phrase that they do not know as one."""
BY_ORDER, UNLISTED = 0.7, 0.9
"""Chances that what stands at that place of a list is meant, and, where nothing is listed, nothing."""
LEAST = 1e-3
"""What a chance counts as at least, before its logarithm."""


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

    Where they are not asked, whom the same message has named "he" or "she" means before anybody else.
    """
    told = refer(scene.originals, scene.assistant, (scene.now, pronoun.start, pronoun.end)) if refer else None
    if told is not None:
        return _by_both(pronoun, scene, told)
    if pronoun.kind == "ordinal":
        picked = pick(pronoun, scene)
        return Choice(meant=picked, why="by_order" if picked else "nothing_listed", probability=1.0)
    here = told_here(scene.candidates(pronoun), pronoun, scene)
    scene = scene.alone if here else scene
    found, each, empty = signs(pronoun, scene)
    if not found:
        return Choice(meant=None, why="nobody_named", probability=1.0)
    weights, points = scene.model.ranks, scene.model.points
    shares = softmax([*(weighed(one, weights) for one in each), weighed(empty, weights)])
    top, share = likeliest(found, shares)
    if shares[-1] >= share:
        return Choice(meant=None, why="stands_for_nothing", probability=shares[-1])
    only = ONLY in each[top] and PLAIN in empty
    if share < (points.here if here else points.only if only else points.any):
        return Choice(meant=None, why="two_possible", probability=share, only=only, here=here)
    why = "only_one" if only else "likeliest"
    return Choice(meant=found[top].text, why=why, probability=share, only=only, here=here)


def _by_both(pronoun: Pronoun, scene: Scene, told: Pointed) -> Choice:
    """What it stands for by the signs and by the tuned layers together, which know phrases that the signs do not."""
    named, unnamed = _listed(pronoun, scene) if pronoun.kind == "ordinal" else _signed(pronoun, scene)
    signed, texts = _by_key(named, scene), {_key(text, scene): text for text, _ in reversed(named)}
    mine, theirs, nothing = scene.model.mix
    read = _by_head(told, scene, {key: mine * _log(max(chance, UNSEEN)) for key, chance in signed.items()})
    chances_of = _matched(signed, read)
    keys = list(chances_of)
    values = [mine * _log(own or UNSEEN) + theirs * _log(pointed) for own, pointed in chances_of.values()]
    values.append(mine * _log(unnamed) + theirs * _log(told.nothing) + nothing)
    *chances, of_nothing = softmax(values)
    top = max(range(len(keys)), key=lambda at: chances[at], default=-1)
    if top < 0 or of_nothing >= chances[top]:
        return Choice(meant=None, why="stands_for_nothing", probability=of_nothing)
    if chances[top] < scene.model.least_told:
        return Choice(meant=None, why="two_possible", probability=chances[top])
    texts |= {key: one.text for key, one in read.items() if key not in texts}
    return Choice(meant=texts[keys[top]], why="likeliest", probability=chances[top])


@dataclass(frozen=True, kw_only=True, slots=True)
class _Read:
    """A thing as the tuned layers point to it: in its likeliest wording, with the chances of all."""

    text: str
    chance: float
    wordings: Mapping[str, float]


def _by_head(told: Pointed, scene: Scene, known: Mapping[str, float]) -> dict[str, _Read]:
    """Each thing by its best wording: what ends at one place is one ("Liam", "our ops guy Liam"), and so are places
    with one such wording. ``known``: what the signs say for a wording."""
    mine, theirs, _ = scene.model.mix
    unseen = mine * _log(UNSEEN)
    places = dict[tuple[int, int], dict[str, float]]()
    texts = dict[str, str]()
    for (number, start, end), chance in told.phrases:
        text = scene.originals[number][start:end]
        key, own = _key(text, scene), places.setdefault((number, end), {})
        own[key] = own.get(key, 0.0) + chance
        texts.setdefault(key, text)
    found = dict[str, _Read]()
    for own in places.values():
        best = {one: known.get(one, unseen) + theirs * _log(chance) for one, chance in own.items()}
        key = _owned(max(best, key=lambda one: best[one]), own, scene)
        before = found.get(key, _Read(text=texts[key], chance=0.0, wordings={}))
        chance, wordings = before.chance + sum(own.values()), {**before.wordings, **own}
        found[key] = _Read(text=before.text, chance=chance, wordings=wordings)
    return found


def _owned(key: str, wordings: Iterable[str], scene: Scene) -> str:
    """The same with the user as its owner, where that stands before it: "my sister" rather than "sister"."""
    owners = scene.words.words.get("owner_of_kin", ())
    return next((one for one in wordings if one.endswith(key) and one[: -len(key)].strip() in owners), key)


def _matched(signed: Mapping[str, float], read: Mapping[str, _Read]) -> dict[str, tuple[float, float]]:
    """Of each thing its chance by the signs and by the tuned layers."""
    found = {key: (0.0, one.chance) for key, one in read.items()}
    for key, chance in signed.items():
        among = [name for name, one in read.items() if key in one.wordings]
        name = key if key in read else max(among, key=lambda one: read[one].wordings[key], default=key)
        mine, theirs = found.get(name, (0.0, 0.0))
        found[name] = (mine + chance, theirs)
    return found


def _signed(pronoun: Pronoun, scene: Scene) -> tuple[list[tuple[str, float]], float]:
    """By the signs: each phrase with its chance, and that of nothing."""
    found, each, empty = signs(pronoun, scene)
    *shares, nothing = softmax([*(weighed(one, scene.model.ranks) for one in each), weighed(empty, scene.model.ranks)])
    return [(one.text, share) for one, share in zip(found, shares, strict=True)], nothing


def _listed(pronoun: Pronoun, scene: Scene) -> tuple[list[tuple[str, float]], float]:
    """The same for "the second one", by the order in which things were listed."""
    picked = pick(pronoun, scene)
    return ([(picked, BY_ORDER)], 1 - BY_ORDER) if picked else ([], UNLISTED)


def _by_key(told: Sequence[tuple[str, float]], scene: Scene) -> dict[str, float]:
    """The chances of wordings of one thing together."""
    found = dict[str, float]()
    for text, chance in told:
        key = _key(text, scene)
        found[key] = found.get(key, 0.0) + chance
    return found


def _key(text: str, scene: Scene) -> str:
    """The same for wordings that differ in an article or in how they are written."""
    first, _, rest = text.lower().partition(" ")
    return content_key(rest if rest and first in scene.words.words.get("articles", ()) else text.lower())


def _log(chance: float) -> float:
    return math.log(max(chance, LEAST))


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
