"""What speaks for each thing that a pronoun may stand for, and for nothing at all.

A sign is a name with a strength; what each is worth was learned (``resolve_model``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from yinji.remember.resolve_mentions import OPEN, PEOPLE, THINGS, Mention, mentions
from yinji.remember.resolve_model import Learned
from yinji.remember.resolve_tokens import Token, tokens
from yinji.remember.resolve_words import PronounWords, pronoun_words

Signs = dict[str, float]
ONLY, PLAIN = "only that fits person", "none person of 1 plain"
"""The signs of the only one whom "he" or "she" can mean."""
_ARTICLE = re.compile(r"^(?:the|a|an|my|your|our|his|her|their|this|that|these|those|some)\s+", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Pronoun:
    """A pronoun in the text at hand; ``head`` is the noun of "this plan"."""

    text: str
    start: int
    end: int
    kind: str
    """Name of the pattern that found it."""
    head: str = ""
    clause: tuple[int, int] = (0, 0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """One occurrence of a candidate. ``message`` counts from the oldest."""

    message: int
    assistant: bool
    mention: Mention


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """What a pronoun may stand for, with every place that it is named in the same words."""

    key: str
    said: tuple[Said, ...]

    @cached_property
    def main(self) -> Said:
        """The place that tells most about it: where the user named it last."""
        mine = [one for one in self.said if not one.assistant]
        return (mine or list(self.said))[-1]

    @cached_property
    def is_name(self) -> bool:
        return any(one.mention.names >= 0 for one in self.said)

    @cached_property
    def text(self) -> str:
        return max((one.mention.text for one in self.said if not one.assistant or one is self.main), key=len)


@dataclass(frozen=True, kw_only=True)
class Scene:
    """The stack: the messages, the last of which has the pronoun, in simplified characters."""

    messages: tuple[str, ...]
    originals: tuple[str, ...]
    assistant: tuple[bool, ...]
    model: Learned

    @property
    def now(self) -> int:
        return len(self.messages) - 1

    @cached_property
    def words(self) -> PronounWords:
        return pronoun_words(self.model.language)

    @cached_property
    def mentions(self) -> tuple[tuple[Mention, ...], ...]:
        return tuple(mentions(one, self.model) for one in self.originals)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        return tokens(self.messages[-1], self.model.language)

    def place(self, message: int) -> str:
        """``here``, or who spoke and how many turns ago."""
        if message == self.now:
            return "here"
        ago = sum(not spoken for spoken in self.assistant[message + 1 : -1]) + 1
        return f"{'assistant' if self.assistant[message] else 'user'} {min(3, ago)}"

    @property
    def alone(self) -> Scene:
        """The last message by itself."""
        return Scene(
            messages=self.messages[-1:],
            originals=self.originals[-1:],
            assistant=self.assistant[-1:],
            model=self.model,
        )

    def candidates(self, pronoun: Pronoun) -> list[Candidate]:
        """What is named before the pronoun, oldest first."""
        found: dict[str, list[Said]] = {}
        for at, listed in enumerate(self.mentions):
            for one in listed:
                if at == self.now and one.end > pronoun.start:
                    continue
                said = Said(message=at, assistant=self.assistant[at], mention=one)
                found.setdefault(bare(one.text), []).append(said)
        made = (Candidate(key=key, said=tuple(said)) for key, said in found.items())
        return [one for one in made if possible(one, pronoun, self)]


def possible(one: Candidate, pronoun: Pronoun, scene: Scene) -> bool:
    """Whether kind, number and gender leave it open that the pronoun means it."""
    mention, kind = one.main.mention, pronoun.kind
    deeds = scene.words.heads.get(pronoun.head.lower(), "") == "deed"
    if mention.kind == "deed":
        return deeds
    if deeds and mention.kind in ("person", "place", "organisation", "food", "animal", "clothes", "machines"):
        return False
    if kind == "person":
        if (
            "gender against" in _of_gender(one, pronoun, scene)
            or mention.whole
            or (mention.plural and not mention.named)
        ):
            return False
        return mention.kind in PEOPLE or mention.kind in OPEN
    if kind in ("thing", "bare", "upon"):
        return mention.kind not in ("person",) and not (kind == "thing" and mention.whole)
    if kind == "place":
        return (
            mention.kind not in ("person", "animal", "food", "documents", "clothes", "medicine") and not mention.whole
        )
    return True


def told_here(found: Sequence[Candidate], pronoun: Pronoun, scene: Scene) -> bool:
    """Whether an earlier clause of the same message names somebody whom "he" or "she" can mean."""
    return pronoun.kind == "person" and any(
        said.message == scene.now and said.mention.kind == "person" and said.mention.clause[1] < pronoun.start
        for one in found
        for said in one.said
    )


def bare(text: str) -> str:
    """The phrase without its article or owner, in lower case."""
    return _ARTICLE.sub("", text.lower())


def related(first: Candidate, second: Candidate) -> bool:
    """Whether two are likely the same thing: one ends in the other, they overlap, or one is the other's name."""
    if first.key.endswith(second.key) or second.key.endswith(first.key):
        return True
    return any(_touch(one, other) for one in first.said for other in second.said if one.message == other.message)


def alike(first: Candidate, second: Candidate, found: Sequence[Candidate]) -> bool:
    """Whether two are the same thing and the shorter of them is nothing else that was named besides."""
    if not related(first, second):
        return False
    short, long = sorted((first, second), key=lambda one: len(one.key))
    return not any(
        one is not short and one is not long and one.key.endswith(short.key) and not related(one, long) for one in found
    )


def _touch(one: Said, other: Said) -> bool:
    a, b = one.mention, other.mention
    if a.whole or b.whole:
        return False
    named = (a.names == b.start and not b.plural) or (b.names == a.start and not a.plural)
    told = {a.role, b.role} == {"subject", "complement"} and a.clause[0] == b.clause[0] and a.kind == b.kind
    return named or told or (a.start < b.end and b.start < a.end)


# ------------------------------------------------------------------- signs


def signs(pronoun: Pronoun, scene: Scene) -> tuple[list[Candidate], list[Signs], Signs]:
    """The candidates, what speaks for each, and what speaks for nothing."""
    found = scene.candidates(pronoun)
    fields = _fields(pronoun, scene)
    each = [_signs(one, found, pronoun, scene, fields) for one in found]
    fits = [at for at, one in enumerate(found) if _may(one, pronoun, scene)]
    only = _things([found[at] for at in fits]) == 1
    for at in fits:
        each[at][f"{'only' if only else 'one'} that fits {broad(pronoun.kind)}"] = 1.0
    return found, each, _empty(found, pronoun, scene)


def _signs(
    one: Candidate, others: Sequence[Candidate], pronoun: Pronoun, scene: Scene, fields: Mapping[str, int]
) -> Signs:
    main, kind = one.main.mention, pronoun.kind
    here = [said.mention for said in one.said if said.message == scene.now]
    last = one.said[-1]
    made = [
        f"{kind} kind {main.kind}",
        f"{broad(kind)} at {scene.place(last.message)}",
        f"at {scene.place(last.message)}",
        f"first at {scene.place(one.said[0].message)}",
        f"times {min(3, len({said.message for said in one.said}))}",
        f"role {main.role}",
        f"{broad(kind)} role {main.role}",
        f"order {min(3, main.order)}",
        f"opened {main.opened}",
        f"{kind} named {main.named}",
        f"{broad(kind)} plural {main.plural}",
        f"{pronoun.text.lower()} plural {main.plural}",
        f"whole {main.whole} {kind}",
        f"paired {main.pair >= 0 and not main.whole}",
        f"only assistant {all(said.assistant for said in one.said)} {broad(kind)}",
    ]
    made += _of_names(one, others, scene)
    made += _of_gender(one, pronoun, scene)
    made += _of_here(here, pronoun, scene)
    made += _of_head(one, pronoun, scene)
    made += _of_clause(one, scene)
    made += _of_asking(one, pronoun, scene)
    made += _of_fields(one, others, fields, kind)
    strength = max(said.mention.score for said in one.said)
    longer = any(one is not other and len(other.key) > len(one.key) and _overlap(one, other) for other in others)
    shorter = any(one is not other and len(other.key) < len(one.key) and _overlap(one, other) for other in others)
    made += [f"longer {longer}", f"shorter {shorter}"]
    return dict.fromkeys(made, 1.0) | {"edges": strength / 3}


def broad(kind: str) -> str:
    """People, groups, places, or anything else."""
    return kind if kind in ("person", "group", "place") else "thing"


def _overlap(one: Candidate, other: Candidate) -> bool:
    return any(
        a.message == b.message and a.mention.start < b.mention.end and b.mention.start < a.mention.end
        for a in one.said
        for b in other.said
    )


def _of_names(one: Candidate, others: Sequence[Candidate], scene: Scene) -> Iterator[str]:
    if one.is_name:
        yield "is a name"
    if any(
        said.assistant and scene.words.matcher("offers").search(scene.messages[said.message][: said.mention.start])
        for said in one.said
    ):
        yield "was offered"
    starts = {(said.message, said.mention.start) for said in one.said}
    if any((said.message, said.mention.names) in starts for other in others for said in other.said):
        yield "has a name"
    if any(other is not one and len(other.key) > len(one.key) and other.key.endswith(one.key) for other in others):
        yield "told longer elsewhere"
    if any(
        other is not one and len(other.key) < len(one.key) and one.key.endswith(other.key) and not _overlap(one, other)
        for other in others
    ):
        yield "told again shorter"


def _of_gender(one: Candidate, pronoun: Pronoun, scene: Scene) -> Iterator[str]:
    if pronoun.kind not in ("person", "group"):
        return
    wanted = "female" if scene.words.has("she", pronoun.text.lower()) else "male"
    if pronoun.kind == "group" and wanted == "male":
        return
    genders = {said.mention.gender for said in one.said} - {""}
    yield f"gender {'open' if not genders else 'fits' if wanted in genders else 'against'}"


def is_other_gender(text: str, pronoun: Pronoun, scene: Scene) -> bool:
    """Whether the phrase is what somebody was called whom "he" or "she" cannot mean."""
    key = bare(text)
    said = tuple(
        Said(message=at, assistant=scene.assistant[at], mention=one)
        for at, listed in enumerate(scene.mentions)
        for one in listed
        if one.kind in PEOPLE and not one.whole and _ends_with(bare(one.text), key)
    )
    return pronoun.kind == "person" and "gender against" in _of_gender(Candidate(key=key, said=said), pronoun, scene)


def _ends_with(text: str, key: str) -> bool:
    """Whether the words are the last of the text: "Tom" of "my brother Tom", not "man" of "woman"."""
    return text.endswith(key) and not (key.isascii() and text[: -len(key)][-1:].isalpha())


def _of_here(here: Sequence[Mention], pronoun: Pronoun, scene: Scene) -> Iterator[str]:
    if not here:
        return
    last = here[-1]
    same = last.clause[0] == pronoun.clause[0]
    yield f"here {'same clause' if same else 'before'} {last.role}"
    if same:
        between = scene.messages[-1][last.end : pronoun.start]
        apart = scene.words.matcher("breaks").search(between) is not None
        yield f"{broad(pronoun.kind)} same clause apart {apart}"
        if len(between) < 3:
            yield "touches"


def _of_head(one: Candidate, pronoun: Pronoun, scene: Scene) -> Iterator[str]:
    if not pronoun.head:
        return
    head = pronoun.head.lower()
    kind = scene.words.heads.get(head, "") or scene.words.kind_of(head)
    if one.key == head:
        yield "is the head"
    elif one.key.endswith(head):
        yield "ends in the head"
    elif head in one.key:
        yield "has the head"
    fits = (
        "fits" if one.main.mention.kind == kind else "open" if one.main.mention.kind in OPEN or not kind else "against"
    )
    yield f"head kind {fits}"


def _of_clause(one: Candidate, scene: Scene) -> Iterator[str]:
    said = scene.messages[one.main.message][slice(*one.main.mention.clause)].lower()
    for cue in ("past", "now", "wanted"):
        if scene.words.says(cue, said):
            yield f"cue {cue}"
    if scene.words.matcher("denied").search(said):
        yield "denied"


def _of_asking(one: Candidate, pronoun: Pronoun, scene: Scene) -> Iterator[str]:
    """Whether the assistant just asked after it, whether it was said to be fine, and whether it acts like several."""
    last = one.said[-1]
    said = scene.messages[last.message]
    if last.assistant and last.message == scene.now - 1:
        clause = said[slice(*last.mention.clause)]
        asked = scene.words.matcher("asked").search(said) is not None
        yield f"asked {asked and len(clause) < 16} {broad(pronoun.kind)}"
        yield f"asked {asked}"
    for earlier in one.said:
        if not earlier.assistant and scene.words.matcher("denied").search(
            scene.messages[earlier.message][slice(*earlier.mention.clause)].lower()
        ):
            yield f"said fine {earlier.message == scene.now}"
            break
    if pronoun.kind in ("group", "party"):
        yield f"collective {scene.words.ends('collective', one.key)}"


def _fields(pronoun: Pronoun, scene: Scene) -> Mapping[str, int]:
    """The kinds of things of which such is said as is said of the pronoun, each with how many words say so."""
    said = f" {scene.messages[-1][pronoun.clause[0] :].lower()} "
    counted = {kind: sum(cue in said for cue in cues) for kind, cues in scene.words.affinity.items()}
    return {kind: times for kind, times in counted.items() if times}


def _of_fields(one: Candidate, found: Sequence[Candidate], fields: Mapping[str, int], pronoun: str) -> Iterator[str]:
    """How what is said of the pronoun goes with its kind, by itself and beside the others."""
    if not fields or pronoun in ("person", "place", "party"):
        return
    kind = one.main.mention.kind
    most = max(fields.get(other.main.mention.kind, 0) for other in found)
    mine = fields.get(kind, 0)
    told = "open" if kind in OPEN or kind == "place" else "against"
    yield f"said of it {'fits' if mine else told}"
    if most:
        yield f"said of it {'most' if mine == most else 'more of others' if mine else f'only of others {told}'}"


# -------------------------------------------------------------- for nothing


def _empty(found: Sequence[Candidate], pronoun: Pronoun, scene: Scene) -> Signs:
    kind, said = pronoun.kind, pronoun.text.lower()
    fits = [one for one in found if _may(one, pronoun, scene)]
    made = [f"none {kind}", f"none {said}", f"none {broad(kind)} of {min(3, len(fits))}"]
    for name in ("pleonastic", "generic", "filler", "situation"):
        if _inside(name, pronoun, scene):
            made.append(f"none {name} {kind}")
            made.append(f"none {name}")
    before, behind = _beside(pronoun, scene)
    made += [f"none {broad(kind)} after {before}", f"none {broad(kind)} before {behind}"]
    if scene.words.matcher("cataphora").search(scene.messages[-1][: pronoun.start]):
        made.append(f"none cataphora {_later(pronoun, scene)}")
    if _later(pronoun, scene):
        made.append(f"none named later {broad(kind)}")
    if any(scene.words.matcher("enumerated").search(one) for one in scene.messages[:-1]):
        made.append("none enumerated")
    plain = not any(name.startswith(_FLAGS) for name in made)
    made.append(f"none {broad(kind)} of {min(3, _things(fits))} {'plain' if plain else 'told'}")
    made += _rivals(fits, kind)
    return dict.fromkeys(made, 1.0)


_FLAGS = tuple(f"none {name}" for name in ("pleonastic", "generic", "filler", "situation", "cataphora", "named later"))
"""Beginnings of the signs that say that nothing may be meant."""


def _things(found: Sequence[Candidate]) -> int:
    """How many different things the candidates are."""
    apart: list[Candidate] = []
    for one in found:
        if not any(related(one, other) for other in apart):
            apart.append(one)
    return len(apart)


def _rivals(fits: Sequence[Candidate], kind: str) -> Iterator[str]:
    """Two that were named together, and nothing since that sets one apart."""
    pairs: dict[tuple[int, int], list[Candidate]] = {}
    for one in fits:
        if one.main.mention.pair >= 0 and not one.main.mention.whole:
            pairs.setdefault((one.main.message, one.main.mention.pair), []).append(one)
    for inside in pairs.values():
        if len({one.key for one in inside}) > 1:
            told = "alike" if len({len(one.said) for one in inside}) == 1 else "apart"
            kinds, ends = {one.main.mention.kind for one in inside}, {one.key[-2:] for one in inside}
            same = "of one sort" if len(ends) == 1 else "of one kind" if len(kinds) == 1 else "unlike"
            yield f"none rivals {told} {broad(kind)}"
            yield f"none rivals {told} {same}"
    if any(one.main.mention.plural and not one.main.mention.whole for one in fits):
        yield f"none several {kind}"


def _may(one: Candidate, pronoun: Pronoun, scene: Scene) -> bool:
    kind, mention = pronoun.kind, one.main.mention
    if kind in ("person", "party"):
        against = "gender against" in _of_gender(one, pronoun, scene)
        return mention.kind in PEOPLE and not against and not mention.whole
    if kind == "group":
        return mention.plural or mention.kind == "organisation" or scene.words.ends("collective", one.key)
    if kind == "place":
        return mention.kind in ("place", "organisation") and not mention.whole
    return mention.kind in (*THINGS, *OPEN) and not mention.whole


def _inside(name: str, pronoun: Pronoun, scene: Scene) -> bool:
    return any(
        match.start() <= pronoun.start and pronoun.start < match.end()
        for match in scene.words.matcher(name).finditer(scene.messages[-1])
    )


def _beside(pronoun: Pronoun, scene: Scene) -> tuple[str, str]:
    """The words before and behind it."""
    before = next((one.text.lower() for one in reversed(scene.tokens) if one.end <= pronoun.start), "^")
    behind = next((one.text.lower() for one in scene.tokens if one.start >= pronoun.end), "$")
    return before, behind


def _later(pronoun: Pronoun, scene: Scene) -> bool:
    """Whether one of its kind is named after it in the same message."""
    wanted = PEOPLE if pronoun.kind in ("person", "party") else ("product", "title")
    return any(one.kind in wanted and one.start > pronoun.end for one in scene.mentions[-1])


def compatible(found: Iterable[Candidate], pronoun: Pronoun, scene: Scene) -> list[Candidate]:
    """Those that kind, number and gender allow."""
    return [one for one in found if _may(one, pronoun, scene)]
