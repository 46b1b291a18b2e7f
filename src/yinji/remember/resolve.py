"""What pronouns stand for (SPEC W4): the stack is what the last five turns and the text at hand mention.

A pronoun is replaced only when it is clear whom or what it means: nothing is put in for two of equal standing,
for "it" in "it's raining", for fillers, for people in general, or for a whole situation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from yinji.language.script import simplify
from yinji.model import Turn
from yinji.remember.resolve_features import Pronoun, Scene, compatible
from yinji.remember.resolve_listed import KINDS as LISTED
from yinji.remember.resolve_model import Learned, learned
from yinji.remember.resolve_rank import Choice, Refer, choose
from yinji.remember.resolve_spans import COARSE
from yinji.remember.resolve_sure import PAIR, is_one, pair_before
from yinji.remember.resolve_tokens import tokens
from yinji.remember.resolve_words import PronounWords, pronoun_words, span_of

TURNS = 5
MESSAGES = 2 * TURNS
ORDER = ("group", "ordinal", "both", "label", "party", "store", "upon", "noun", "place", "person", "thing", "bare")
"""Kinds of pronouns; of two that overlap the earlier is taken."""
_SPEAKER = re.compile(r"^(user|assistant):\s*")
_CLAUSE = re.compile(r"[\uff0c,\u3002\uff01!\uff1f?\uff1b;\uff1a:\u2026\u2014]+|\.(?=\s|$)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Resolution:
    """A pronoun and what it stands for, as that was said; ``None`` leaves it alone. ``why`` names the reason."""

    start: int
    end: int
    pronoun: str
    antecedent: str | None
    why: str
    probability: float
    """How likely that is what is meant, from 0 to 1."""


def resolve(
    text: str,
    context: Sequence[str],
    *,
    language: str,
    refer: Refer | None = None,
    wanted: Callable[[Pronoun], bool] | None = None,
) -> tuple[Resolution, ...]:
    """Every pronoun of the text, or each that is wanted, in order, with what it stands for.

    ``context``: the messages before, oldest first; one that opens with ``assistant:`` is the assistant's.
    ``refer``: tuned layers that are asked besides.
    """
    pronouns = [one for one in find_pronouns(text, language) if wanted is None or wanted(one)]
    if not pronouns:
        return ()
    scene = scene_of(text, context, learned(language))
    return tuple(_resolved(one, scene, refer) for one in pronouns)


def _resolved(pronoun: Pronoun, scene: Scene, refer: Refer | None) -> Resolution:
    choice = _chosen(pronoun, scene, refer)
    return Resolution(
        start=pronoun.start,
        end=pronoun.end,
        pronoun=pronoun.text,
        antecedent=choice.meant,
        why=choice.why,
        probability=round(choice.probability, 3),
    )


def _chosen(pronoun: Pronoun, scene: Scene, refer: Refer | None) -> Choice:
    choice = choose(pronoun, scene, refer)
    return _of_several(choice, scene, refer) if pronoun.kind == "group" else choice


def _of_several(choice: Choice, scene: Scene, refer: Refer | None) -> Choice:
    """The same for "they", which is no single person, and two people whom the message before tells of before others."""
    single = choice.meant is not None and is_one(choice.meant, scene)
    pair = pair_before(scene, lambda at: _pointed(at, scene, refer))
    if not pair or (choice.meant is not None and choice.meant in scene.originals[-2]):
        return replace(choice, meant=None, why="two_possible") if single else choice
    if len(pair) > PAIR or "" in pair:
        return replace(choice, meant=None, why="two_possible")
    (joint,) = scene.words.words["joined_by"]
    return Choice(meant=joint.join(pair), why="likeliest", probability=choice.probability)


def _pointed(at: int, scene: Scene, refer: Refer | None) -> list[str]:
    """Whom "he" and "she" in a message before stand for."""
    said = zip(scene.originals[:at], scene.assistant[:at], strict=True)
    before = [f"assistant: {one}" if spoken else one for one, spoken in said]
    then = scene_of(scene.originals[at], before, scene.model)
    people = (one for one in find_pronouns(scene.originals[at], scene.model.language) if one.kind == "person")
    return [_resolved(one, then, refer).antecedent or "" for one in people]


def put_in(clause: str, before: Sequence[str], language: str, *, lead: str = "", refer: Refer | None = None) -> str:
    """The clause with the first pronoun of each replaced that clearly stand for somebody or something.

    ``lead``: what the same message says right before it; ``before``: the messages before that.
    Only those that can be exchanged for a name as they stand: "there" is left to the reader, and so is "the second one"
    where no list says what it is.
    """
    words, told, last = pronoun_words(language), "", 0
    named: set[str] = set()
    for one in _in_clause(clause, before, language, lead, refer):
        if one.antecedent is None or one.antecedent in named or not _is_exchanged(clause, one, words):
            continue
        if one.antecedent in clause[: one.start]:  # It is named there already: "my son … his" stands alone.
            continue
        named.add(one.antecedent)
        owner = words.has("possessive", one.pronoun.lower()) or _owns(clause, one, words)
        mark = ("'" if one.antecedent.endswith("s") and one.pronoun.lower() == "their" else "'s") if owner else ""
        told += f"{clause[last : one.start]}{_inside(one.antecedent, one.start, words)}{mark}"
        verb, last = _shortened(clause, one.end, words)
        told += verb
    return told + clause[last:]


def _shortened(clause: str, at: int, words: PronounWords) -> tuple[str, int]:
    """The verb that only a pronoun is joined with, in full, and where it ends: "my parents are" of "they're"."""
    for short, verb in words.shortened.items():
        if clause.startswith(short, at):
            return f" {verb}", at + len(short)
    return "", at


def _is_exchanged(clause: str, one: Resolution, words: PronounWords) -> bool:
    """Whether what it stands for can take its place; an ordinal's only where no noun follows ("the first cup")."""
    if one.why != "by_order":
        return words.has("exchanged", one.pronoun.lower())
    following = next((word for word in tokens(simplify(clause), words.language) if word.start >= one.end), None)
    return following is None or COARSE.get(following.look) != "N"


def _in_clause(
    clause: str, before: Sequence[str], language: str, lead: str, refer: Refer | None
) -> Iterator[Resolution]:
    """Its pronouns that may be exchanged, read as they stand in the message."""
    if lead and language == "en" and not lead[-1].isspace():
        lead += " "
    words = pronoun_words(language)

    def wanted(one: Pronoun) -> bool:
        return one.start >= len(lead) and (one.kind in LISTED or words.has("exchanged", one.text.lower()))

    for one in resolve(lead + clause, before, language=language, refer=refer, wanted=wanted):
        yield replace(one, start=one.start - len(lead), end=one.end - len(lead))


def _inside(antecedent: str, at: int, words: PronounWords) -> str:
    """The phrase as it is written of what was named before, and in the middle of a sentence when it stands there."""
    if words.language != "en":
        return antecedent
    first, _, rest = antecedent.partition(" ")
    if rest and words.has("new_before", first.lower()):
        first, antecedent = words.definite, f"{words.definite} {rest}"
    small = at > 0 and words.has("determiners", first.lower()) and not first.isupper()
    return f"{antecedent[:1].lower()}{antecedent[1:]}" if small else antecedent


def _owns(clause: str, one: Resolution, words: PronounWords) -> bool:
    """Whether a form that may be an object says whose something is ("her keys")."""
    following = re.match(r" ([a-z]+|\d+(?:st|nd|rd|th))", clause[one.end :])
    if not words.has("may_own", one.pronoun.lower()) or following is None:
        return False
    if not clause[: one.start].strip():
        return True  # no object opens a clause: "her real dad lives in Spain"
    return not any(words.has(name, following[1]) for name in ("small", "verb", "never_owned"))


def nearest(text: str, context: Sequence[str], start: int, end: int, *, language: str) -> str | None:
    """What the trivial rule puts in: the latest mention before the pronoun that its kind allows."""
    pronoun = next((one for one in find_pronouns(text, language) if one.start < end and start < one.end), None)
    scene = scene_of(text, context, learned(language))
    looked = pronoun or Pronoun(text=text[start:end], start=start, end=end, kind="thing")
    fits = compatible(scene.candidates(looked), looked, scene)
    last = max(fits, key=lambda one: (one.said[-1].message, one.said[-1].mention.end), default=None)
    return last.text if last is not None else None


def scene_of(text: str, context: Sequence[str], model: Learned) -> Scene:
    """The text and what was said before it in the last five turns."""
    said = [(_SPEAKER.sub("", one), one.startswith("assistant:")) for one in context[-MESSAGES:] if one.strip()]
    said.append((text, False))
    return Scene(
        originals=tuple(message for message, _ in said),
        messages=tuple(simplify(message) for message, _ in said),
        assistant=tuple(spoken for _, spoken in said),
        model=model,
    )


def find_pronouns(text: str, language: str) -> Iterator[Pronoun]:
    """The words of a text that point to something, in order."""
    words, plain = pronoun_words(language), simplify(text)
    taken: list[Pronoun] = []
    for kind in ORDER:
        if kind not in words.patterns:
            continue
        for match in words.matcher(kind).finditer(plain):
            start, end = span_of(match, "p")
            if all(end <= one.start or one.end <= start for one in taken):
                taken.append(_pronoun(text, plain, kind, match))
    yield from sorted(taken, key=lambda one: one.start)


def _pronoun(text: str, plain: str, kind: str, match: re.Match[str]) -> Pronoun:
    start, end = span_of(match, "p")
    head = next((match[name] for name in match.re.groupindex if name.startswith("head") and match[name]), "")
    opened = max((one.end() for one in _CLAUSE.finditer(plain, 0, start)), default=0)
    closed = _CLAUSE.search(plain, end)
    clause = (opened, closed.start() if closed else len(plain))
    return Pronoun(text=text[start:end], start=start, end=end, kind=kind, head=head, clause=clause)


def said_before(recent: Sequence[Turn]) -> list[str]:
    """What the user said in the last five turns, oldest first."""
    return [turn.user for turn in recent[-TURNS:]]
