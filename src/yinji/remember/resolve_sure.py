"""Whom "he" or "she" means where it can be nobody else, and "they" where two people have just been told of.

The only person of that gender whom the same message has named, or else the latest message that names any, is meant;
a learned ranking decides the rest (``resolve_rank``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from yinji.remember.resolve_features import Candidate, Pronoun, Scene, bare, compatible, related
from yinji.remember.resolve_mentions import OPEN, PEOPLE, Mention
from yinji.remember.resolve_words import span_of

SPEAKS_AGAINST = ("pleonastic", "generic", "filler")
"""Patterns within which a pronoun means nobody in particular."""
PAIR = 2
_OF_THEIRS = re.compile(r"(?:[Hh]is|[Hh]er|[Tt]heir)\s+(?:[a-z][\w-]*(?:\s+|$))+")


def only_person(pronoun: Pronoun, scene: Scene) -> str | None:
    """The one whom "he" or "she" can mean; None where there are several or nobody."""
    if pronoun.kind != "person" or _means_nobody(pronoun, scene):
        return None
    found = [one for one in compatible(scene.candidates(pronoun), pronoun, scene) if _is_somebody(one, scene)]
    for message in range(scene.now, -1, -1):
        near = [one for one in found if message in {said.message for said in one.said}]
        if message == scene.now and any(_in_its_clause(one, pronoun, scene) for one in near):
            return None
        if near:
            far = message < scene.now - 1
            return None if _may_be_others(near, far, found, pronoun, scene) else _called(near)
    return None


def is_alone(meant: str, pronoun: Pronoun, scene: Scene) -> bool:
    """Whether all that was said names nobody else whom "he" or "she" can mean."""
    if scene.words.matcher("several_told").search(" ".join(scene.messages)):
        return False
    people = [one for one in scene.candidates(pronoun) if _is_somebody(one, scene)]
    fits = compatible(people, pronoun, scene)
    known = {one.key for one in fits}
    if _people(fits) != 1 or all(one.text != meant and _alone(one.text) != meant for one in fits):
        return False
    if all(one.main.mention.kind == "agent" for one in fits) or any(_is_joined(one, scene) for one in fits):
        return False
    later = (one for one in scene.mentions[-1] if one.kind in PEOPLE and one.start >= pronoun.end)
    each = (one for listed in scene.mentions for one in listed if one.kind in PEOPLE)
    if any(one.plural and not one.whole for one in each) or any(bare(one.text) not in known for one in later):
        return False
    others = (one for one in people if one.key not in known and _may_be_name(one))
    return all(any(related(one, other) for other in fits) for one in others)


def _is_joined(one: Candidate, scene: Scene) -> bool:
    """Whether "and" follows, and then perhaps somebody whom no list knows."""
    (joint,) = scene.words.words["joined_by"]
    for said in one.said:
        end = said.mention.end
        follows = (other for other in scene.mentions[said.message] if other.start in (end + len(joint), end + 1))
        known = any(other.kind in PEOPLE and bare(other.text) != one.key for other in follows)
        if scene.messages[said.message].startswith(joint, end) and not known:
            return True
    return False


def only_group(pronoun: Pronoun, scene: Scene) -> str | None:
    """The parents, children or two people whom "they" can mean where all that was said names nobody else; None where
    that is not so."""
    if pronoun.kind != "group" or _means_nobody(pronoun, scene):
        return None
    before = [
        one for at, listed in enumerate(scene.mentions) for one in listed if at < scene.now or one.end <= pronoun.start
    ]
    groups = [one for one in before if _are_several(one, before, scene)]
    longest = max(groups, key=lambda one: (one.whole, len(one.text)), default=None)
    if longest is None:
        return None
    after = (one for one in scene.mentions[-1] if one.kind in PEOPLE and one.start >= pronoun.end)
    others = (one for one in before if bare(one.text) not in longest.text.lower())
    alone = not any(_may_be_they(one, scene) for one in others) and next(after, None) is None
    return longest.text if alone else None


def only_label(pronoun: Pronoun, scene: Scene) -> str | None:
    """What "that option" means after "option B" has been named last and by itself; None where nothing is called so."""
    if pronoun.kind != "noun" or not pronoun.head:
        return None
    head = pronoun.head.lower()
    for at in range(scene.now, -1, -1):
        until = pronoun.start if at == scene.now else len(scene.messages[at])
        spans = [
            span_of(one, "label") for one in scene.words.matcher("lettered").finditer(scene.messages[at], 0, until)
        ]
        named = {scene.messages[at][slice(*one)].lower(): scene.originals[at][slice(*one)] for one in spans}
        named = {key: text for key, text in named.items() if head in key}
        if named:
            return next(iter(named.values())) if len(named) == 1 else None
    return None


def _are_several(one: Mention, found: Sequence[Mention], scene: Scene) -> bool:
    """Whether it is a word for several people ("my parents"), or two who are no offices or teams are named together."""
    if one.kind != "person" or scene.words.has("nobody_known", one.text.lower()):
        return False
    if not one.whole:
        paired = any(one.text.endswith(word) for word in scene.words.words["pair_words"])
        return one.plural or paired or scene.words.has("many_words", one.text.lower())
    inside = [other for other in found if other.pair == one.pair and not other.whole]
    return all(other.kind == "person" and not scene.words.ends("collective", other.text.lower()) for other in inside)


def _may_be_they(one: Mention, scene: Scene) -> bool:
    """Whether it is somebody, an organisation or several of anything."""
    if scene.words.has("nobody_known", one.text.lower()):
        return False
    return one.kind in (*PEOPLE, "organisation") or one.plural or scene.words.ends("collective", one.text.lower())


def _is_somebody(one: Candidate, scene: Scene) -> bool:
    """Whether it is a person in particular, and no shop or illness that has somebody's name ("got Parkinson's")."""
    if scene.words.has("nobody_known", one.key):
        return False
    return not all(
        said.mention.named and scene.words.matcher("named_after").match(scene.messages[said.message], said.mention.end)
        for said in one.said
    )


def _in_its_clause(one: Candidate, pronoun: Pronoun, scene: Scene) -> bool:
    """Whether they are named in the pronoun's own clause, where it may mean somebody else ("Barb saw her")."""
    return any(said.message == scene.now and said.mention.clause[0] == pronoun.clause[0] for said in one.said)


def _means_nobody(pronoun: Pronoun, scene: Scene) -> bool:
    said, words = scene.messages[-1], scene.words
    if words.matcher("cataphora").search(said[: pronoun.start]):
        return True
    return any(
        match.start() <= pronoun.start < match.end()
        for name in SPEAKS_AGAINST
        for match in words.matcher(name).finditer(said)
    )


def _may_be_others(
    near: Sequence[Candidate], far: bool, found: Sequence[Candidate], pronoun: Pronoun, scene: Scene
) -> bool:
    """Whether more than one person is left, or what may be the name of one; of somebody named some turns ago, in all
    that was said."""
    latest = max(said.message for one in near for said in one.said)
    if _people(found if far else near) != 1 or near[0].main.assistant or _several(scene, latest):
        return True
    known = {one.key for one in near}
    return any(
        one.key not in known
        and any(said.message >= latest for said in one.said)
        and _may_be_name(one)
        and not any(related(one, other) for other in near)
        for one in scene.candidates(pronoun)
    )


def _several(scene: Scene, message: int) -> bool:
    """Whether a message tells of two or more of a sort ("two drivers", "my sisters"), any of whom may be meant."""
    return any(one.kind in PEOPLE and one.plural and not one.whole for one in scene.mentions[message])


def _may_be_name(one: Candidate) -> bool:
    """Whether it is written like a name and stands where people do; what somebody has or sees is more often a thing."""
    mention = one.main.mention
    return mention.named and mention.kind in OPEN and (mention.role == "subject" or mention.pair >= 0)


def _people(found: Sequence[Candidate]) -> int:
    """How many they are, each by all the wordings that go together."""
    groups: list[list[Candidate]] = []
    for one in found:
        own = [group for group in groups if any(related(one, other) for other in group)]
        groups = [group for group in groups if group not in own] + [[one, *(other for group in own for other in group)]]
    return len(groups)


def _called(near: Sequence[Candidate]) -> str | None:
    """Their name, where they have one; None where they are called by whose they are and that is a pronoun too."""
    names = [one for one in near if one.is_name or one.main.mention.named]
    return _alone(max(names or near, key=lambda one: len(one.text)).text)


def _alone(phrase: str) -> str | None:
    """The phrase without "his wife" before the name; None where nothing else is said."""
    match = _OF_THEIRS.match(phrase)
    return phrase if match is None else phrase[match.end() :] or None


# ------------------------------------------------------------------- several


def is_one(meant: str, scene: Scene) -> bool:
    """Whether a single person is called so, whom "they" does not mean; 邻居 and "support" may be several."""
    if scene.words.ends("collective", bare(meant)):
        return False
    return any(
        one.text == meant and one.kind == "person" and not (one.plural or one.whole)
        for listed in scene.mentions
        for one in listed
    )


def pair_before(scene: Scene, pointed: Callable[[int], Sequence[str]]) -> tuple[str, ...]:
    """The people whom the message before names or points to, when they are two or more.

    ``pointed``: whom the pronouns of a message stand for; an empty string for each of whom that is not clear.
    """
    at = scene.now - 1
    if at < 0 or scene.assistant[at]:
        return ()
    named = list(_each_person(scene, at))
    others = [one for one in dict.fromkeys(pointed(at)) if one not in named]
    return (*others, *named) if len(named) + len(others) >= PAIR else ()


def _each_person(scene: Scene, at: int) -> Iterator[str]:
    """One wording for each person whom a message names."""
    taken: list[tuple[int, int, int]] = []
    people = [
        one
        for one in scene.mentions[at]
        if one.kind in PEOPLE and not (one.whole or one.plural or scene.words.has("nobody_known", one.text.lower()))
    ]
    for one in sorted(people, key=lambda one: (not one.named, -len(one.text))):
        touches = any((one.start < end and start < one.end) or start == one.names for start, end, _ in taken)
        owned = any(name == one.start for _, _, name in taken)
        if not (touches or owned):
            taken.append((one.start, one.end, one.names))
            yield _alone(one.text) or ""
