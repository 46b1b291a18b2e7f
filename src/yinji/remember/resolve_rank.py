"""Which mention a pronoun stands for: compatible ones are weighed, and none is taken when two weigh the same.

The weights were set on the development half of ``evals/coref``; see docs/decisions/0007.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from yinji.remember.resolve_mentions import THINGS, Mention, bare
from yinji.remember.resolve_words import PronounWords, pronoun_words

ROLES = {"subject": 0.8, "moved": 0.9, "became": 1.2, "object": 0.5, "oblique": 0.1, "owner": 0.0}
LATEST = {"subject": 0.15, "moved": 0.3, "became": 0.3, "object": 0.3, "oblique": -0.25, "owner": -0.25}
"""The same where something just brought up is meant."""
HERE = 2.9
BEFORE = 2.2
STEP = 0.35
LIKELY = "likely"
"""Said of one that leads, but by less than ``SURE``: good enough to show, not to write into a memory."""
SURE = 0.6
MARGIN = 0.3
"""Two that differ by less may both be meant."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pronoun:
    """A pronoun in the text at hand."""

    text: str
    start: int
    end: int
    kind: str
    """Name of the pattern that found it."""
    head: str = ""
    clause: str = ""
    message: str = ""
    owns: bool = False
    """Whether it says whose something is."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Scene:
    """The stack: everything mentioned in the messages, the last of which has the pronoun."""

    mentions: tuple[Mention, ...]
    messages: tuple[str, ...]
    assistant: tuple[bool, ...]
    language: str

    @property
    def now(self) -> int:
        return len(self.messages) - 1

    def turns_since(self, message: int) -> int:
        """0 for the text at hand, 1 for the last turn's messages, and so on."""
        return sum(not spoken for spoken in self.assistant[message + 1 : -1]) + (message < self.now)

    @property
    def words(self) -> PronounWords:
        return pronoun_words(self.language)

    def before(self, pronoun: Pronoun) -> list[Mention]:
        return [one for one in self.mentions if one.message < self.now or self._precedes(one, pronoun)]

    def _precedes(self, one: Mention, pronoun: Pronoun) -> bool:
        """Whether it stands before the pronoun, and not as that of which the pronoun is a part."""
        between = self.messages[-1][one.end : pronoun.start]
        if one.end > pronoun.start or between.strip() in self.words.words["part_of"]:
            return False
        apart = pronoun.owns or pronoun.kind in ("place", "ordinal") or self.words.matcher("breaks").search(between)
        return bool(apart)


Verdict = tuple[Mention | None, str]
"""Whom it stands for and why."""


def choose(pronoun: Pronoun, scene: Scene) -> Verdict:
    """The mention that the pronoun stands for; none when that is not clear."""
    return CHOOSERS[pronoun.kind](pronoun, scene)


def _person(pronoun: Pronoun, scene: Scene) -> Verdict:
    wanted = _wanted_gender(pronoun, scene)
    fits = [
        one
        for one in scene.before(pronoun)
        if _may_be_person(one, scene) and not one.plural and not one.whole and one.gender in ("", wanted)
    ]
    if _opens_before_name(pronoun, scene):
        return None, "named_later"
    return _best(fits, pronoun, scene)


def _may_be_person(one: Mention, scene: Scene) -> bool:
    return one.kind == "person" or (one.kind == "animal" and scene.language == "en")


def _wanted_gender(pronoun: Pronoun, scene: Scene) -> str:
    return "female" if pronoun.text.lower() in scene.words.words["she"] else "male"


def _thing(pronoun: Pronoun, scene: Scene) -> Verdict:
    if _opens_before_name(pronoun, scene):
        return None, "named_later"
    fits = [
        one
        for one in scene.before(pronoun)
        if one.is_thing and not one.whole and not (one.plural and scene.language == "en")
    ]
    return _best(
        fits or [one for one in scene.before(pronoun) if one.kind == "place" and not one.whole], pronoun, scene
    )


def _upon(pronoun: Pronoun, scene: Scene) -> Verdict:
    """In it, or written on it."""
    return (_place if scene.words.matcher("inside").search(pronoun.text) else _thing)(pronoun, scene)


def _group(pronoun: Pronoun, scene: Scene) -> Verdict:
    """Several people or things, or an organisation that acts like several."""
    words, before = scene.words, scene.before(pronoun)
    things = pronoun.text.lower() in words.words["them_things"]
    wanted = "female" if pronoun.text.lower() in words.words["she"] else ""
    many = [
        one
        for one in before
        if (one.plural and (one.kind != "person") == things) or (one.plural and scene.language == "en")
    ]
    many = [one for one in many if not wanted or one.gender in ("", wanted)]
    many = [one for one in many if one.whole or one.pair < 0]
    if words.matcher("generic").search(pronoun.clause) and not [
        one for one in many if one.message >= scene.now - 2 and one.kind == "person"
    ]:
        return None, "generic"
    if not things and (scene.language == "en" or not many):
        many += [one for one in before if _acts(one, words) and one not in many]
    if not many and things and scene.language == "zh":
        many = [one for one in before if one.is_thing and not one.whole]
    return _best(many, pronoun, scene)


def _acts(one: Mention, words: PronounWords) -> bool:
    """Whether it is an organisation, or people called by what they do together; the assistant's only when named."""
    return (
        (one.kind == "organisation" or _is_collective(one, words))
        and not one.whole
        and (not one.assistant or one.named)
    )


def _is_collective(one: Mention, words: PronounWords) -> bool:
    low = one.text.lower()
    return any(
        low == word or low.endswith(word if words.language == "zh" else f" {word}")
        for word in words.words["collective"]
    )


def _place(pronoun: Pronoun, scene: Scene) -> Verdict:
    fits = [
        one
        for one in scene.before(pronoun)
        if not one.whole
        and (
            one.kind in ("place", "organisation")
            or (one.role == "oblique" and one.kind != "person" and _is_placed(one, scene))
        )
    ]
    return _best(fits, pronoun, scene, placed=True)


def _is_placed(one: Mention, scene: Scene) -> bool:
    before = scene.messages[one.message][: one.start if one.pair < 0 else one.pair]
    return scene.words.matcher("placing").search(before) is not None


def _noun(pronoun: Pronoun, scene: Scene) -> Verdict:
    """A determiner with its noun: the latest that has the noun, or is of its kind."""
    words, head = scene.words, pronoun.head.lower()
    before = [one for one in scene.before(pronoun) if not one.whole]
    before = [
        one
        for one in before
        if not (one.message == scene.now and one.clause == pronoun.clause and one.end > pronoun.start)
    ]
    kind = words.heads.get(head, "")
    fits = [
        one
        for one in before
        if _has_head(one, head, scene.language) or one.kind == kind or (kind == "thing" and one.kind in THINGS)
    ]
    if not fits and kind in THINGS:
        fits = [one for one in before if one.kind in ("thing", "project") and (one.named or scene.language == "en")]
    return _best(fits, pronoun, scene, latest=True)


def _has_head(one: Mention, head: str, language: str) -> bool:
    low = one.text.lower()
    return head in low if language == "zh" else re.search(rf"\b{re.escape(head)}s?\b", low) is not None


def _bare(pronoun: Pronoun, scene: Scene) -> Verdict:
    words = scene.words
    if _matches_at("filler", pronoun, words):
        return None, "filler"
    if _matches_at("situation", pronoun, words) and not _matches_at("thing_after_all", pronoun, words):
        return None, "situation"
    if any(words.matcher("enumerated").search(one) for one in scene.messages[-3:-1]):
        return None, "two_possible"
    before = [
        one
        for one in scene.before(pronoun)
        if one.is_thing and not (one.message == scene.now and one.clause == pronoun.clause)
    ]
    before = [one for one in before if one.kind != "organisation"] or before
    plural = pronoun.text.lower() in words.words["plural_this"]
    fits = [one for one in before if not one.whole and (not plural or one.plural or scene.language == "zh")]
    return _best(fits, pronoun, scene, latest=True)


def _matches_at(name: str, pronoun: Pronoun, words: PronounWords) -> bool:
    """Whether a pattern takes in the pronoun."""
    return any(
        match.start() < pronoun.end and pronoun.start < match.end() and match.start() <= pronoun.start
        for match in words.matcher(name).finditer(pronoun.message)
    )


def _party(pronoun: Pronoun, scene: Scene) -> Verdict:
    fits = [one for one in scene.before(pronoun) if not one.whole and not one.assistant]
    people = [one for one in fits if one.kind == "person" and one.message < scene.now]
    people = people or [one for one in fits if one.kind == "organisation" and one.role != "oblique"]
    acted = [one for one in fits if scene.words.matcher("acted").search(scene.messages[one.message][: one.start])]
    return _best(people or acted or [one for one in fits if one.kind == "vehicles"], pronoun, scene)


# ----------------------------------------------------------------- ordinals


def _ordinal(pronoun: Pronoun, scene: Scene) -> Verdict:
    """One of two or more that the latest message lists that lists any."""
    words, low = scene.words, pronoun.text.lower()
    for at in range(scene.now, -1, -1):
        listed = _listed(scene, at, pronoun)
        if len(listed) < 2:
            continue
        if low in words.words["first"] or any(low.startswith(one) for one in words.words["first"]):
            return listed[0], "first_named"
        if any(low.startswith(one) for one in words.words["last"]):
            return listed[-1], "last_named"
        if any(low.startswith(one) for one in words.words["second"]):
            return listed[1], "second_named"
        if any(low.startswith(one) for one in words.words["other"]):
            return _other(listed, pronoun, scene)
    return _single(pronoun, scene)


def _single(pronoun: Pronoun, scene: Scene) -> Verdict:
    """What was offered last, where nothing is listed."""
    if not any(pronoun.text.lower().startswith(one) for one in scene.words.words["offered"]):
        return None, "nothing_listed"
    fits = [one for one in scene.before(pronoun) if one.is_thing and not one.whole]
    return _best(fits, pronoun, scene, latest=True)


def _other(listed: Sequence[Mention], pronoun: Pronoun, scene: Scene) -> Verdict:
    """The one that nothing was said of since."""
    heard = " ".join([*scene.messages[listed[0].message + 1 : -1], pronoun.message]).lower()
    tokens = {one.text: _telling(one, listed) for one in listed}
    left = [one for one in listed if not any(token in heard for token in tokens[one.text])]
    return (left[0], "not_spoken_of") if len(left) == 1 and len(listed) == 2 else (None, "unclear")


def _telling(one: Mention, listed: Sequence[Mention]) -> list[str]:
    """Words that only it has."""
    words = re.findall(r"[A-Za-z0-9]+|[\u4e00-\u9fff]+", bare(one.text))
    others = " ".join(other.text.lower() for other in listed if other is not one)
    return [word for word in words if word not in others] or [bare(one.text)]


def _listed(scene: Scene, at: int, pronoun: Pronoun) -> list[Mention]:
    """The things that a message sets side by side: joined, else those that its clauses are about."""
    inside = [one for one in scene.mentions if one.message == at and (at < scene.now or one.end <= pronoun.start)]
    for whole in (one for one in reversed(inside) if one.whole):
        parts = [one for one in inside if one.pair == whole.pair and not one.whole]
        if not all(one.kind == "person" for one in parts):
            return parts
        if any(word in pronoun.text.lower() for word in scene.words.words["who"]) or all(one.named for one in parts):
            return parts
    if at == scene.now:
        return []
    alike = _of_one_kind([one for one in inside if not one.whole])
    if len(alike) > 1:
        return alike
    return _parallel([one for one in inside if not one.whole]) or _side_by_side(scene.messages[at], at, scene.words)


def _of_one_kind(inside: Sequence[Mention]) -> list[Mention]:
    """Those that have a word and a letter or number of their own: plan A, plan B."""
    found: dict[str, Mention] = {}
    for one in inside:
        if re.search(r"(?:[A-Za-z\u4e00-\u9fff]{2,} ?[A-Z0-9\u4e00\u4e8c\u4e09]|(?:one|two|three))$", one.text):
            found.setdefault(bare(one.text), one)
    return list(found.values())


def _side_by_side(text: str, at: int, words: PronounWords) -> list[Mention]:
    """Two things joined that are no nouns ("running or swimming")."""
    match = words.matcher("joined").search(text)
    if match is None:
        return []
    spans = [match.span(name) for name in match.re.groupindex if match[name]]
    return [
        Mention(text=text[start:end], start=start, end=end, kind="thing", head=text[start:end], message=at)
        for start, end in spans
    ]


def _parallel(inside: Sequence[Mention]) -> list[Mention]:
    """One of each clause: what the clauses are about, or what is said of people."""
    clauses: dict[str, list[Mention]] = {}
    for one in inside:
        clauses.setdefault(one.clause, []).append(one)
    rows = [row for row in clauses.values() if not (len(row) == 1 and row[0].plural)]
    if len(rows) < 2:
        return []
    firsts = [row[0] for row in rows[-2:]] if len(rows) != 3 else [row[0] for row in rows]
    lasts = [row[-1] for row in rows[-2:]]
    if all(one.kind == "person" for one in firsts) and all(one.kind != "person" for one in lasts):
        return lasts
    if any(one.kind == "person" for one in firsts) and not all(one.kind == "person" for one in firsts):
        return []
    return firsts


# ------------------------------------------------------------------ weights


def _best(
    fits: Sequence[Mention], pronoun: Pronoun, scene: Scene, *, latest: bool = False, placed: bool = False
) -> Verdict:
    if not fits:
        return None, "nobody_named"
    weights: dict[int, float] = {}
    chosen: dict[int, Mention] = {}
    for one in fits:
        weight = _weight(one, pronoun, scene, latest=latest, placed=placed)
        if weight > weights.get(one.same, -9.0):
            weights[one.same], chosen[one.same] = weight, one
    for same in weights:
        times = sum(one.same == same for one in fits)
        weights[same] += 0.35 * min(2, times - 1)
    for one in fits:
        if one.message == scene.now and scene.words.matcher("not_this").search(pronoun.message[: one.start]):
            weights[one.same] -= 1.5
    order = sorted(weights, key=lambda same: -weights[same])
    top = chosen[order[0]]
    if len(order) > 1 and weights[order[0]] - weights[order[1]] < MARGIN:
        return None, "two_possible"
    if len(order) == 1:
        return _named(top, fits, scene), "only_one"
    lead = weights[order[0]] - weights[order[1]]
    return _named(top, fits, scene), "most_salient" if lead >= SURE else LIKELY


def _named(top: Mention, fits: Sequence[Mention], scene: Scene) -> Mention:
    """The name of what is meant, where one is known; else its fullest wording."""
    alike = [
        one
        for one in scene.mentions
        if one.same == top.same and not (one.message == scene.now and one.start > top.start)
    ]
    if top.whole:
        return top
    names = [one for one in alike if one.named]
    if names and not top.named:
        return names[0]
    return max(alike, key=lambda one: len(one.text)) if not top.named else top


def _weight(one: Mention, pronoun: Pronoun, scene: Scene, *, latest: bool, placed: bool) -> float:
    distance = scene.turns_since(one.message)
    weight = HERE if distance == 0 else BEFORE - STEP * (distance - 1)
    if scene.words.matcher("denied").search(one.clause):
        weight -= 0.5
    if one.gender and one.pair < 0 and pronoun.kind == "person":
        weight += 0.35
    if distance == 0:
        weight += 0.2 * one.start / max(1, pronoun.start)
    role = 0.5 * (one.role != "owner") if placed else ROLES[one.role]
    offered = 0.3 if one.assistant and one.role != "oblique" else 0.0
    weight += role if not latest else LATEST[one.role] + offered
    if one.assistant and not latest:
        weight -= 0.5
    if placed:
        weight += 0.4 * one.named + (0.5 if _is_placed(one, scene) else 0.0) + one.start / 2000
        weight += _near_or_far(one, pronoun, scene)
    if pronoun.kind == "group":
        weight += 0.5 * (one.plural and one.kind == "person") - 0.1 * (not one.plural)
    if pronoun.head:
        weight += 0.4 * _has_head(one, pronoun.head.lower(), scene.language) - (
            0.8 if one.assistant and not one.named else 0.0
        )
    if latest:
        weight += 0.3 * one.named + one.start / 2000
    return weight + _affinity(one, pronoun, scene) + _linked(one, pronoun)


def _near_or_far(one: Mention, pronoun: Pronoun, scene: Scene) -> float:
    """Where somebody moved to is here; what was left is there."""
    text = scene.messages[one.message][: one.start]
    left = scene.words.matcher("left_behind").search(text) is not None
    here = pronoun.text.lower() in scene.words.words["here"]
    return -0.6 if left and here else 0.0


def _affinity(one: Mention, pronoun: Pronoun, scene: Scene) -> float:
    """Whether it is of the kind that such things are said of."""
    said = pronoun.clause.lower()
    kinds = {kind for kind, cues in scene.words.affinity.items() if any(cue in said for cue in cues)}
    if not kinds or one.kind in ("person", "place", "organisation"):
        return 0.0
    if one.kind in kinds or (one.kind == "thing" and one.named):
        return 0.8
    return 0.0 if one.kind in ("thing", "project") else -0.4


def _linked(one: Mention, pronoun: Pronoun) -> float:
    """The words around it come again around the pronoun; a thing that is named there itself is not meant."""
    head = one.head.lower()
    if len(head) > 1 and head in pronoun.clause.lower() and one.clause != pronoun.clause:
        return 0.6 if pronoun.owns else -1.2
    mine = _pairs(one.clause.replace(one.text, " "))
    return 0.5 if mine & (_pairs(pronoun.message[: pronoun.start]) | _pairs(pronoun.clause)) else 0.0


def _pairs(text: str) -> set[str]:
    found: set[str] = set()
    for run in re.findall(r"[\u4e00-\u9fff]+|[A-Za-z]{5,}", text.lower()):
        if run.isascii():
            found.add(run)
        else:
            found |= {run[at : at + 2] for at in range(len(run) - 1)}
    return found


def _opens_before_name(pronoun: Pronoun, scene: Scene) -> bool:
    """Whether the sentence itself says later who is meant ("once he gets here we'll order, Phil's always late")."""
    before = pronoun.message[: pronoun.start]
    if not scene.words.matcher("cataphora").search(before):
        return False
    person = pronoun.kind == "person"
    later = (one for one in scene.mentions if one.message == scene.now and one.start > pronoun.end)
    return any(one.kind == "person" if person else one.is_thing or one.kind == "place" for one in later)


CHOOSERS: Mapping[str, Callable[[Pronoun, Scene], Verdict]] = {
    "person": _person,
    "thing": _thing,
    "group": _group,
    "place": _place,
    "upon": _upon,
    "noun": _noun,
    "bare": _bare,
    "party": _party,
    "ordinal": _ordinal,
}
