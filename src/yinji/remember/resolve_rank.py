"""Which candidate a pronoun stands for: the likeliest, when it is likely enough; nothing competes with all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from yinji.language.linear import softmax, weighed
from yinji.language.text import content_key
from yinji.remember.resolve_edges import whole
from yinji.remember.resolve_features import (
    ONLY,
    PLAIN,
    Candidate,
    Pronoun,
    Scene,
    alike,
    bare,
    is_other_gender,
    signs,
    told_here,
)
from yinji.remember.resolve_listed import KINDS as LISTED
from yinji.remember.resolve_listed import Picked, pick
from yinji.remember.resolve_lists import Item
from yinji.remember.resolve_mentions import OPEN, PEOPLE
from yinji.remember.resolve_model import Told
from yinji.remember.resolve_sure import is_alone, only_group, only_label, only_person
from yinji.remember.resolve_words import span_of

if TYPE_CHECKING:
    from yinji.ports import Pointed, Span

Refer: TypeAlias = "Callable[[Sequence[str], Sequence[bool], Span], Pointed | None]"
"""What a pronoun stands for, by tuned layers; see :meth:`~yinji.ports.Discerning.refer`."""
UNSEEN = 0.02
"""Chance by the signs of a phrase that they do not know as one."""
PLAIN_ORDER = 0.85
"""How often the words of an item are what is meant, where the tuned layers are not asked."""
ANOTHER, POINTED = 0.1, 0.5
"""Chances by the tuned layers: of somebody else, from which the only person is not believed, and of that person, from
which it is: of nine to whom they point less in what is held back none is right (training/coref.md)."""
SOMETHING = 0.5
"""Chance of nothing, by the signs and the tuned layers, from which nothing is put in."""
LEFT = 0.05
"""What is left of the chances of what was given up for something else: of 116, 87 meant what came instead, and most
of the others say so ("before") or stand in the same sentence (training/coref.md)."""
LEAST = 1e-3
"""What a chance counts as at least, before its logarithm."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """What a pronoun stands for, ``None`` where it is better left alone, why, and how likely that is."""

    meant: str | None
    why: str
    probability: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """A thing that a pronoun may stand for, and its chances by the signs and by the tuned layers."""

    text: str
    own: float
    told: float
    by_order: str = ""
    """Where it is what an ordinal picks, see ``Picked.how``."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """For one pronoun: each thing, and the chances of nothing."""

    kind: str
    things: tuple[Seen, ...]
    own: float
    told: float


def choose(pronoun: Pronoun, scene: Scene, refer: Refer | None = None) -> Choice:
    """What the pronoun stands for; nothing when that is not clear. ``refer``: tuned layers to ask besides."""
    picked = pick(pronoun, scene) if pronoun.kind in LISTED else None
    if picked is None and pronoun.kind in LISTED and pronoun.kind != "ordinal":
        return Choice(meant=None, why="nothing_listed", probability=1.0)
    told = refer(scene.originals, scene.assistant, (scene.now, pronoun.start, pronoun.end)) if refer else None
    if told is not None:
        choice = _weighed(evidence(pronoun, scene, told, picked), scene)
        if choice.meant is not None and is_other_gender(choice.meant, pronoun, scene):
            choice = replace(choice, meant=None, why="nobody_named")
    else:
        choice = _by_place(pronoun, picked, scene) if pronoun.kind in LISTED else _by_signs(pronoun, scene)
    sure = only_label(pronoun, scene) or (only_group(pronoun, scene) if choice.meant is None else None)
    if sure is None:
        sure = only_person(pronoun, scene)
        if sure and not (_is_meant(sure, choice, told, pronoun, scene) if told else choice.why == "two_possible"):
            sure = None
    if sure is None:
        return choice
    return Choice(meant=sure, why="only_one", probability=max(choice.probability, scene.model.told.least))


def _is_meant(sure: str, choice: Choice, told: Pointed, pronoun: Pronoun, scene: Scene) -> bool:
    """Whether the tuned layers point to the only person and to nobody else, or nobody else was named at all.

    Where the assistant says nothing in between they are not believed that nobody is meant, or somebody named only
    before: such talk they have hardly read.
    """
    said = [*scene.originals[:-1], scene.originals[-1][: pronoun.start]]
    since, silent = max((at for at, one in enumerate(said) if sure in one), default=0), not any(scene.assistant)
    if choice.meant is not None:
        return silent and not any(choice.meant in one for one in said[since:])
    phrases = [(number, scene.originals[number][start:end], chance) for (number, start, end), chance in told.phrases]
    others = (
        chance
        for number, phrase, chance in phrases
        if (number >= since or not (silent or since == scene.now)) and _is_another(phrase, sure, scene)
    )
    pointed = sum(chance for _, phrase, chance in phrases if _is_part(phrase, sure))
    if max(others, default=0.0) >= ANOTHER:
        return False
    return silent or pointed >= POINTED or is_alone(sure, pronoun, scene)


def _is_another(phrase: str, sure: str, scene: Scene) -> bool:
    """Whether it is called otherwise and may be somebody: Leeds is not."""
    kinds = {one.kind for listed in scene.mentions for one in listed if one.text == phrase}
    return not _is_part(phrase, sure) and (not kinds or not kinds.isdisjoint((*PEOPLE, *OPEN)))


def _is_part(phrase: str, sure: str) -> bool:
    """Whether it is a wording of the same: the end of it, or its beginning ("司马" of "司马老师")."""
    return _touches(phrase, sure) or bare(sure).startswith(bare(phrase))


def _touches(phrase: str, other: str) -> bool:
    return bare(phrase).endswith(bare(other)) or bare(other).endswith(bare(phrase))


def _by_place(pronoun: Pronoun, picked: Picked | None, scene: Scene) -> Choice:
    """By the order of a list that is plainly one."""
    if picked is None or not picked.plain:
        return Choice(meant=None, why="nothing_listed", probability=1.0)
    return Choice(meant=picked.item.text, why="by_order", probability=PLAIN_ORDER)


def _by_signs(pronoun: Pronoun, scene: Scene) -> Choice:
    """By the signs alone; whom the same message has named "he" or "she" means before anybody else."""
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
        return Choice(meant=None, why="two_possible", probability=share)
    why = "named_here" if here else "only_one" if only else "likeliest"
    return Choice(meant=found[top].text, why=why, probability=share)


# ------------------------------------------------------ with the tuned layers


def _weighed(known: Evidence, scene: Scene) -> Choice:
    """The likeliest by all the evidence, if something is meant rather than nothing, and likely enough that."""
    best, likely, nothing = likeliest_of(known, scene.model.told)
    if best is None or nothing >= SOMETHING:
        return Choice(meant=None, why="stands_for_nothing", probability=nothing)
    if likely < scene.model.told.least:
        return Choice(meant=None, why="two_possible", probability=likely)
    return Choice(meant=best.text, why="by_order" if best.by_order else "likeliest", probability=likely)


def likeliest_of(known: Evidence, weights: Told) -> tuple[Seen | None, float, float]:
    """The likeliest thing, how likely it is if any is meant, and how likely it is that none is.

    Apart, since what is doubtful about them differs: where only one thing was named, talk as it is leaves little doubt
    which is meant, however often the layers were taught by talk that means nothing.
    """
    *chances, nothing = softmax(scores(known, weights))
    top = max(range(len(chances)), key=lambda at: chances[at], default=-1)
    if top < 0 or chances[top] <= 0.0:
        return None, 0.0, 1.0
    return known.things[top], chances[top] / sum(chances), nothing


def scores(known: Evidence, weights: Told) -> list[float]:
    """Of each thing, and last of nothing; logarithms of chances that do not add up to one."""
    listed = any(one.by_order for one in known.things)
    each = [
        _mixed(one.own or UNSEEN, one.told, weights) + weights.listed.get(one.by_order, 0.0) for one in known.things
    ]
    nothing = weights.nothing.get(known.kind, weights.nothing["thing"]) + (weights.nothing["listed"] if listed else 0.0)
    return [*each, _mixed(known.own, known.told, weights) + nothing]


def _mixed(own: float, told: float, weights: Told) -> float:
    return weights.own * _log(own) + weights.told * _log(told)


def evidence(pronoun: Pronoun, scene: Scene, told: Pointed, picked: Picked | None) -> Evidence:
    """By the signs and by the tuned layers together, which know phrases that the signs do not; of what is picked out of
    a list, by its place too, and not by the signs."""
    named, unnamed = ([], 1.0) if pronoun.kind in LISTED else _signed(pronoun, scene)
    named = [(whole(text, scene), chance) for text, chance in named]
    signed, texts = _by_key(named, scene), {_key(text, scene): text for text, _ in reversed(named)}
    read = _by_head(told, scene, {key: scene.model.told.own * _log(max(one, UNSEEN)) for key, one in signed.items()})
    texts |= {key: one.text for key, one in read.items() if key not in texts}
    things = {
        key: Seen(text=texts[key], own=own if named else 1.0, told=pointed)
        for key, (own, pointed) in _matched(signed, read).items()
    }
    for name, key in _named(scene):
        if name in things and key in things and name != key:
            things[name] = _as_one(things[name], things.pop(key))
    for key in [] if scene.words.says("past", _clause_of(pronoun, scene)) else _left(things, pronoun, scene):
        things[key] = replace(things[key], own=LEFT * things[key].own, told=LEFT * things[key].told)
    if picked is not None:
        one = _in_order(picked, told, scene)
        things[_key(one.text, scene)] = one
    return Evidence(kind=pronoun.kind, things=tuple(things.values()), own=unnamed, told=told.nothing)


def _named(scene: Scene) -> Iterator[tuple[str, str]]:
    """The keys of each name and of who or what was said to have it ("the trainer's name is Kyle")."""
    for said, listed in zip(scene.messages, scene.mentions, strict=True):
        for one in listed:
            called = scene.words.matcher("called").search(said, 0, one.start)
            owner = next((other for other in listed if other.start == one.names and not other.whole), None)
            if called and owner is not None and not (owner.plural or owner.named):
                yield _key(one.text, scene), _key(owner.text, scene)


def _as_one(name: Seen, other: Seen) -> Seen:
    """By the name, or by the description where that is a surname alone."""
    text = name.text if len(name.text) > 1 else other.text
    return replace(name, text=text, own=name.own + other.own, told=name.told + other.told)


def _clause_of(pronoun: Pronoun, scene: Scene) -> str:
    return scene.messages[-1][slice(*pronoun.clause)].lower()


def _left(things: Mapping[str, Seen], pronoun: Pronoun, scene: Scene) -> Iterator[str]:
    """What was given up for something else ("从深圳搬到杭州", "from Slack to Teams"), and is so meant less."""
    said = [*scene.messages[:-1], scene.messages[-1][: pronoun.start]]
    found = [match for one in said for match in scene.words.matcher("left_for").finditer(one)]
    left = [_key(match.string[slice(*span_of(match, "left"))], scene) for match in found]
    for key in things:
        if any(one.endswith(key) or key.endswith(one) for one in left if one and key):
            yield key


def _in_order(picked: Picked, pointed: Pointed, scene: Scene) -> Seen:
    """What stands at the place of a list, in the wording that the tuned layers prefer within it."""
    item = picked.item
    wordings = [
        (chance, scene.originals[number][start:end])
        for (number, start, end), chance in pointed.phrases
        if number == item.message and item.start <= start and end <= item.end
    ]
    text = item.text if item.sharp else max(wordings, default=(0.0, item.text))[1]
    chance = sum(chance for chance, wording in wordings if _key(wording, scene) == _key(text, scene))
    told = item.text if _is_told_apart(text, item, scene) else text
    return Seen(text=told, own=1.0, told=chance, by_order=picked.how)


def _is_told_apart(text: str, item: Item, scene: Scene) -> bool:
    """Whether what stands before these words is what tells the item from the others: "好孩子的" of "好孩子的折叠车"."""
    lead = item.text.removesuffix(text)
    return lead != item.text and any(lead.endswith(one) for one in scene.words.words["of"])


@dataclass(frozen=True, kw_only=True, slots=True)
class _Read:
    """A thing as the tuned layers point to it: in its likeliest wording, with the chances of all."""

    text: str
    chance: float
    wordings: Mapping[str, float]


def _by_head(told: Pointed, scene: Scene, known: Mapping[str, float]) -> dict[str, _Read]:
    """Each thing by its best wording: what ends at one place is one ("Liam", "our ops guy Liam"), and so are places
    with one such wording. ``known``: what the signs say for a wording."""
    unseen, theirs = scene.model.told.own * _log(UNSEEN), scene.model.told.told
    places = dict[tuple[int, int], dict[str, float]]()
    texts = dict[str, str]()
    for (number, start, end), chance in told.phrases:
        text = whole(scene.originals[number][start:end], scene)
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
    owners = scene.words.words["owner_of_kin"]
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
