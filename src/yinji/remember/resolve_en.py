"""Noun phrases of an English message without a tagger: what stands between the small words and the verbs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from yinji.language.entities import find_entities
from yinji.language.entities.lists import lists
from yinji.model import Entity
from yinji.remember.resolve_mentions import Mention
from yinji.remember.resolve_words import KINDS, PronounWords, pronoun_words

ENTITY_KINDS = {
    "person": "person",
    "place": "place",
    "organisation": "organisation",
    "product": "thing",
    "device": "machines",
    "project": "project",
}
_TOKEN = re.compile(r"[A-Za-z\u00c0-\u024f0-9][\w'’./&+-]*[\w+]|[A-Za-z0-9]")
_CUT = re.compile(r"[,.;:!?()\n\u2014]+(?=\s|$)|\s-\s")
_POSSESSIVE = re.compile(r"['’]s?$")
_GERUND = re.compile(r"(?:^|[,.;] )([A-Za-z]{2,}ing)(?= (?:is|was|takes|puts|costs|makes|hurts|works|burns)\b)")
_LETTER = re.compile(r" (?:[A-Z0-9]|one|two|three)\b(?!')")
_COUNT = re.compile(r"\b(?:two|three|four|five|six|both|several|few) (?:[\w-]+ ?){1,3}$", re.IGNORECASE)
DETERMINERS = frozenset(
    ("the", "a", "an", "my", "your", "our", "his", "her", "its", "their", "this", "that", "these", "those", "some")
)


@dataclass(kw_only=True, slots=True)
class _Chunk:
    start: int
    end: int
    tokens: list[str]
    determined: bool
    entity: Entity | None = None


def noun_phrases(text: str) -> list[Mention]:
    """The mentions in order; what only tells a time, an amount or something vague is none."""
    words = pronoun_words("en")
    named = find_entities(text, language="en")
    made = (_mention(chunk, text, words) for chunk in _of(list(_chunks(text, named, words)), text))
    found = [one for one in made if one is not None]
    return sorted([*found, *_gerunds(text, found)], key=lambda one: one.start)


def _gerunds(text: str, found: Sequence[Mention]) -> Iterator[Mention]:
    """Doing something as the subject ("Driving is flexible")."""
    for match in _GERUND.finditer(text):
        start, end = match.span(1)
        if not any(one.start < end and start < one.end for one in found):
            close = _CUT.search(text, end)
            clause = text[start : close.start() if close else len(text)]
            yield Mention(
                text=match[1], start=start, end=end, kind="doing", head=match[1].lower(), role="subject", clause=clause
            )


def _chunks(text: str, named: Sequence[Entity], words: PronounWords) -> Iterator[_Chunk]:
    current: _Chunk | None = None
    determined, opened, skip = False, -1, 0
    for token in _TOKEN.finditer(text):
        if token.start() < skip:
            continue
        entity = next((one for one in named if one.start <= token.start() < one.end), None)
        if current and _CUT.search(text[current.end : token.start()]):
            yield current
            current = None
        low = _POSSESSIVE.sub("", token[0].lower())
        if entity is not None and (entity.type not in ("amount", "code")):
            relative = current is not None and words.kind_of(" ".join(current.tokens)) == "person"
            if current is None or (entity.type == "person" and not relative):
                if current:
                    yield current
                current = _Chunk(
                    start=opened if determined else entity.start, end=entity.end, tokens=[], determined=determined
                )
            current.end, current.entity, skip = entity.end, entity, entity.end
            current.tokens.append(entity.name)
            determined = False
            if text[entity.end : entity.end + 2] in ("'s", "’s"):
                skip = entity.end + 2
                if entity.type == "person":
                    continue
            continue
        if entity is not None:
            skip = entity.end
            continue
        if token[0].lower() in DETERMINERS and not (token[0] == "A" and current is not None):
            if current:
                yield current
            current, determined, opened = None, True, token.start()
            continue
        ruled = current is None and not determined and _is_ruled(token, text, words)
        lettered = words.has("lettered", low) and _LETTER.match(text, token.end()) is not None
        if (
            lettered
            or _is_compound(text, token, words)
            or not ruled
            and _is_noun(token[0], determined or current is not None, words, current)
        ):
            if current is None:
                current = _Chunk(
                    start=opened if determined else token.start(), end=token.end(), tokens=[], determined=determined
                )
            current.tokens.append(token[0])
            current.end, determined = token.end(), False
            current.entity = None
            if _POSSESSIVE.search(token[0]) and not _goes_on(text, token.end(), words):
                current.end = token.end() - len(_POSSESSIVE.search(token[0])[0])  # type: ignore[index]
                yield current
                current = None
            continue
        if current:
            yield current
        current = None
        if low in ADJECTIVES and not determined:
            determined, opened = True, token.start()
        elif not words.has("small", low):
            determined = False
    if current:
        yield current


def _is_compound(text: str, token: re.Match[str], words: PronounWords) -> bool:
    """Whether it opens a listed noun of two words ("washing machine")."""
    following = _TOKEN.match(text, token.end() + 1)
    return following is not None and f"{token[0]} {following[0]}".lower() in _compounds(words.language)


@cache
def _compounds(language: str) -> frozenset[str]:
    words = pronoun_words(language).words
    return frozenset(one for kind in KINDS for one in words[kind] if " " in one)


def _is_ruled(token: re.Match[str], text: str, words: PronounWords) -> bool:
    """Whether the word before makes it a verb ("I regift", "to fix") or a predicate ("is green")."""
    before = text[: token.start()].lower().split()
    if not before:
        return False
    last = before[-1].replace("’", "'")
    if last == "to":
        following = _TOKEN.search(text, token.end())
        governs = following is not None and (following[0].lower() in DETERMINERS or following[0].lower() in OBJECTS)
        return governs or words.has("verb", token[0].lower())
    return words.has("after_verb", last) or words.has("predicate_before", last)


def _goes_on(text: str, at: int, words: PronounWords) -> bool:
    """Whether a noun follows a possessive, so that "landlord's" owns something and is no "landlord is"."""
    following = _TOKEN.search(text, at)
    if following is None:
        return False
    low = following[0].lower()
    return not (low.endswith("ing") or words.has("verb", low) or words.has("small", low) or low.endswith("ed"))


def _is_noun(token: str, inside: bool, words: PronounWords, current: _Chunk | None) -> bool:
    low = _POSSESSIVE.sub("", token.lower())
    if words.has("small", re.split("['’]", low)[0]) and len(low) > 2 and ("'" in low or "’" in low):
        return False
    if current is not None and len(token) == 1 and token.isupper() and token != "I":
        return True
    if words.has("small", low):
        return inside and (current is None and low in ADJECTIVES or current is not None and low in NUMBERS)
    inflected = (
        low.endswith("s") and low[:-1] not in VERB_NOUNS and words.has("verb", low[:-1]) and not words.kind_of(low)
    )
    if words.has("verb", low) or words.has("verb", token.lower()) or inflected:
        nounish = bool(words.kind_of(low)) or low in VERB_NOUNS
        return (
            inside
            and (current is None and nounish or low in VERB_NOUNS)
            or (nounish and low not in ("is", "are") and inside)
        )
    if low.endswith("ly") and len(low) > 4 and not words.has("never_adverb", low):
        return False
    if low.endswith(("ing", "ed")) and len(low) > 4 and not words.kind_of(low):
        return inside and (current is None or low.endswith("ing"))
    return inside or not low.isdigit()


OBJECTS = frozenset("it them him her me us you".split())
NUMBERS = frozenset("one two three four five six seven eight nine ten".split())
ADJECTIVES = frozenset(
    "old new first second third last next cheap expensive huge tiny free full hot cold open good bad best same other own smart loud early late".split()
)
VERB_NOUNS = frozenset(
    "order book call note park plan report test watch switch print work play drink cook drive walk charge visit review reading writing show app update upgrade trip help care start stop sleep look turn move run deal break cut hit set stand fit charge cost love like need save ship snap spend wash clean close fix hold push pull return talk try use wait walk wish worry want pay sign mark guide rent guess fall land scan print record present wear cover back cap gift parcel pass plan power bill box press part park place point post price question rate report result ring risk roll rush sale score seat shape share shop shot size smell smile smoke snow sound space spot staff stage stamp star state step store storm stream study style surprise swim swing tap taste team text tip touch tour trade train trap treat trouble view vote water wave weather weight win wind wood word worth zone".split()
)


def _of(chunks: list[_Chunk], text: str) -> list[_Chunk]:
    """ "the draft of my thesis" and "two boxes of masks" as one; both parts stay too."""
    made: list[_Chunk] = []
    for chunk in chunks:
        if made and text[made[-1].end : chunk.start] == " of " and made[-1].entity is None:
            first = made[-1]
            if first.tokens and first.tokens[-1].lower() in CONTAINERS:
                made[-1] = chunk
            else:
                made[-1] = _Chunk(start=first.start, end=chunk.end, tokens=first.tokens, determined=True)
            continue
        made.append(chunk)
    return made


CONTAINERS = frozenset(
    "boxes box bottle bottles bag bags pack packs pair pairs bunch lot lots cup cups couple kind type piece pieces set glass".split()
)


def _mention(chunk: _Chunk, text: str, words: PronounWords) -> Mention | None:
    exact = chunk.entity is not None and chunk.entity.end == chunk.end
    head = _POSSESSIVE.sub("", chunk.tokens[-1] if chunk.tokens else "")
    said = text[chunk.start : chunk.end]
    core = " ".join(chunk.tokens)
    kind = words.kind_of(core)
    if exact and chunk.entity is not None:
        listed = kind if kind in ("software", "vehicles", "medicine", "machines", "food") else ""
        is_product = chunk.entity.type == "product"
        kind = listed if listed and is_product else ENTITY_KINDS.get(chunk.entity.type, "thing")
    if head.lower() in NUMBERS:
        if len(chunk.tokens) < 2 or not (
            words.has("lettered", chunk.tokens[-2].lower()) or words.kind_of(chunk.tokens[-2])
        ):
            return None
        head = chunk.tokens[-2]
    if not exact and words.has("abstract", head.lower()) or not head:
        return None
    clause_start = max((one.end() for one in _CUT.finditer(text, 0, chunk.start)), default=0)
    close = _CUT.search(text, chunk.end)
    before = text[clause_start : chunk.start]
    low = head.lower()
    return Mention(
        text=said,
        start=chunk.start,
        end=chunk.end,
        kind=kind or "thing",
        head=low,
        named=exact and chunk.entity is not None and chunk.entity.type != "device",
        gender=_gender(chunk, kind, words),
        plural=_is_plural(low, f"{before}{said}" if chunk.determined else before, exact and kind != "thing", words),
        role=_role(text, clause_start, chunk.start, words),
        clause=text[clause_start : close.start() if close else len(text)],
    )


def _gender(chunk: _Chunk, kind: str, words: PronounWords) -> str:
    if kind != "person":
        return ""
    tokens = [_POSSESSIVE.sub("", one) for token in chunk.tokens for one in token.split()]
    for token in reversed(tokens):
        if words.has("female", token.lower()):
            return "female"
        if words.has("male", token.lower()):
            return "male"
    known = lists("en")
    first = tokens[0] if tokens else ""
    if known.has("first_names", first) and not known.has("either", first):
        return "female" if known.has("female", first) else "male"
    return ""


def _is_plural(low: str, before: str, named: bool, words: PronounWords) -> bool:
    if named:
        return False
    if words.matcher("counted").search(before) or _COUNT.search(before):
        return True
    if low in (
        "people",
        "kids",
        "children",
        "folks",
        "parents",
        "twins",
        "earbuds",
        "headphones",
        "trousers",
        "police",
    ):
        return True
    return low.endswith("s") and not low.endswith(("ss", "us", "is", "ies'")) and len(low) > 3


def _role(text: str, clause_start: int, start: int, words: PronounWords) -> str:
    before = text[clause_start:start]
    if words.matcher("located").search(f"{before} " if not before.endswith(" ") else before):
        return "oblique"
    verbs = [one for one in _TOKEN.findall(before) if words.has("verb", one.lower()) or one.lower().endswith("ed")]
    return "object" if verbs else "subject"
