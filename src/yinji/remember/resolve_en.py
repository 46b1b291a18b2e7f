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
_APOSTROPHE = re.compile("['\u2019]")
_LETTER = re.compile(r" (?:[A-Z0-9]|one|two|three)\b(?!')")
_COUNT = re.compile(r"\b(?:two|three|four|five|six|both|several|few) (?:[\w-]+ ?){1,3}$", re.IGNORECASE)


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
    made = (_mention(chunk, text, words) for chunk in _of(_chunks(text, named, words), text, words))
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


@dataclass(kw_only=True, slots=True)
class _Walk:
    """What is open while the words of a message are gone through."""

    text: str
    words: PronounWords
    done: list[_Chunk]
    open: _Chunk | None = None
    determined: bool = False
    """An article, an owner or an adjective stands before, at ``since``."""
    since: int = 0

    def close(self) -> None:
        if self.open:
            self.done.append(self.open)
        self.open = None

    def start(self, at: int, end: int) -> _Chunk:
        """The phrase that is open, else a new one."""
        if self.open is None:
            begin = self.since if self.determined else at
            self.open = _Chunk(start=begin, end=end, tokens=[], determined=self.determined)
        self.determined = False
        return self.open


def _chunks(text: str, named: Sequence[Entity], words: PronounWords) -> list[_Chunk]:
    walk, skip = _Walk(text=text, words=words, done=[]), 0
    for token in _TOKEN.finditer(text):
        if token.start() < skip:
            continue
        if walk.open and _CUT.search(text[walk.open.end : token.start()]):
            walk.close()
        entity = next((one for one in named if one.start <= token.start() < one.end), None)
        if entity is not None:
            skip = _take_entity(entity, walk)
        elif words.has("determiners", token[0].lower()) and not (token[0] == "A" and walk.open is not None):
            walk.close()
            walk.determined, walk.since = True, token.start()
        elif _opens_noun(token, walk):
            _take_noun(token, walk)
        else:
            _take_other(token, walk)
    walk.close()
    return walk.done


def _take_entity(entity: Entity, walk: _Walk) -> int:
    """Adds a name to what is open; where to go on."""
    if entity.type in ("amount", "code"):
        return entity.end
    relative = walk.open is not None and walk.words.kind_of(" ".join(walk.open.tokens)) == "person"
    if entity.type == "person" and not relative:
        walk.close()
    chunk = walk.start(entity.start, entity.end)
    chunk.end, chunk.entity = entity.end, entity
    chunk.tokens.append(entity.name)
    return entity.end + 2 * (walk.text[entity.end : entity.end + 2] in ("'s", "’s"))


def _opens_noun(token: re.Match[str], walk: _Walk) -> bool:
    low = _POSSESSIVE.sub("", token[0].lower())
    if walk.words.has("lettered", low) and _LETTER.match(walk.text, token.end()):
        return True
    if _is_compound(walk.text, token, walk.words):
        return True
    if walk.open is not None and low.endswith("s") and not low.endswith("ss") and not walk.words.kind_of(low):
        head = walk.open.entity.type == "device" if walk.open.entity else bool(walk.words.kind_of(walk.open.tokens[-1]))
        if head and not walk.open.tokens[-1].endswith("s"):
            return False  # a singular of a known kind, and what it does
    free = walk.open is None and not walk.determined
    return not (free and _is_ruled(token, walk.text, walk.words)) and _is_noun(token[0], walk)


def _take_noun(token: re.Match[str], walk: _Walk) -> None:
    chunk = walk.start(token.start(), token.end())
    chunk.tokens.append(token[0])
    chunk.end, chunk.entity = token.end(), None
    mark = _POSSESSIVE.search(token[0])
    if mark and not _goes_on(walk.text, token.end(), walk.words):
        chunk.end -= len(mark[0])
        walk.close()


def _take_other(token: re.Match[str], walk: _Walk) -> None:
    low = _POSSESSIVE.sub("", token[0].lower())
    walk.close()
    if walk.words.has("adjectives", low) and not walk.determined:
        walk.determined, walk.since = True, token.start()
    elif not walk.words.has("small", low):
        walk.determined = False


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
        governs = following is not None and (
            words.has("determiners", following[0].lower()) or words.has("objects", following[0].lower())
        )
        return governs or words.has("verb", token[0].lower())
    return words.has("after_verb", last) or words.has("predicate_before", last)


def _goes_on(text: str, at: int, words: PronounWords) -> bool:
    """Whether a noun follows a possessive, so that "landlord's" owns something and is no "landlord is"."""
    following = _TOKEN.search(text, at)
    if following is None:
        return False
    low = following[0].lower()
    return not (low.endswith(("ing", "ed")) or words.has("verb", low) or words.has("small", low))


def _is_noun(token: str, walk: _Walk) -> bool:
    words, inside = walk.words, walk.determined or walk.open is not None
    low = _POSSESSIVE.sub("", token.lower())
    if walk.open is not None and len(token) == 1 and token.isupper() and token != "I":
        return True
    if _APOSTROPHE.search(low) and words.has("small", _APOSTROPHE.split(low)[0]):
        return False
    if words.has("small", low):
        return inside and words.has("adjectives" if walk.open is None else "numbers", low)
    if words.has("verb", token.lower()) or _is_verb(low, words):
        return inside and low not in ("is", "are") and (words.has("verb_nouns", low) or bool(words.kind_of(low)))
    if low.endswith("ly") and len(low) > 4 and not words.has("never_adverb", low):
        return False
    if low.endswith(("ing", "ed")) and len(low) > 4 and not words.kind_of(low):
        return inside and (walk.open is None or low.endswith("ing"))
    return inside or not low.isdigit()


def _is_verb(low: str, words: PronounWords) -> bool:
    """A listed verb, or its third person where that is no plural noun."""
    third = low.endswith("s") and words.has("verb", low[:-1]) and not words.has("verb_nouns", low[:-1])
    return words.has("verb", low) or (third and not words.kind_of(low))


def _of(chunks: list[_Chunk], text: str, words: PronounWords) -> list[_Chunk]:
    """ "the draft of my thesis" and "two boxes of masks" as one; both parts stay too."""
    made: list[_Chunk] = []
    for chunk in chunks:
        if made and text[made[-1].end : chunk.start] == " of " and made[-1].entity is None:
            first = made[-1]
            if first.tokens and words.has("containers", first.tokens[-1].lower()):
                made[-1] = chunk
            else:
                made[-1] = _Chunk(start=first.start, end=chunk.end, tokens=first.tokens, determined=True)
            continue
        made.append(chunk)
    return made


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
    if words.has("numbers", head.lower()):
        if len(chunk.tokens) < 2 or not (
            words.has("lettered", chunk.tokens[-2].lower()) or words.kind_of(chunk.tokens[-2])
        ):
            return None
        head = chunk.tokens[-2]
    if (not exact and words.has("abstract", head.lower())) or not head:
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
