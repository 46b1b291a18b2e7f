"""Noun phrases of a Chinese message, by the segmenter's tags, entities and the lists of nouns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from yinji.language.entities import find_entities
from yinji.language.entities.lists import Gazetteer, lists
from yinji.language.entities.reading import Reading, Word, is_word, read
from yinji.language.script import simplify
from yinji.model import Entity
from yinji.remember.resolve_mentions import Mention
from yinji.remember.resolve_words import KINDS, PronounWords, pronoun_words

CUT = re.compile(r"[\uff0c,\u3002\uff01!\uff1f?\uff1b;\uff1a:\u2026\s]+")
ENTITY_KINDS = {
    "person": "person",
    "place": "place",
    "organisation": "organisation",
    "product": "thing",
    "device": "machines",
    "project": "project",
}


@dataclass(kw_only=True, slots=True)
class _Chunk:
    start: int
    end: int
    entity: Entity | None = None
    noun: bool = False
    modifier: bool = False
    listed: bool = False
    verbal: bool = False
    verb: bool = False
    latin: bool = False
    latin_word: bool = False


def noun_phrases(text: str) -> list[Mention]:
    """The mentions in order; what only tells a time, an amount or something vague is none."""
    plain = simplify(text)
    reading, words = read(plain), pronoun_words("zh")
    named = find_entities(text, language="zh")
    chunks = _linked(list(_chunks(reading, named, words)), plain, words)
    made = (_mention(chunk, plain, reading, words) for chunk in chunks)
    found = [replace(one, text=text[one.start : one.end]) for one in made if one is not None]
    found = sorted([*found, *_offered(plain, text, found, words)], key=lambda one: one.start)
    return [part for one in found for part in (one, *_halves(one, words))]


def _offered(plain: str, text: str, found: Sequence[Mention], words: PronounWords) -> Iterator[Mention]:
    """What somebody is told to try, whatever its words are."""
    for match in words.matcher("offered_name").finditer(plain):
        start, end = match.span(1)
        if not any(one.start < end and start < one.end for one in found):
            yield Mention(
                text=text[start:end],
                start=start,
                end=end,
                kind="thing",
                head=plain[start:end],
                named=True,
                clause=match[0],
            )


def _halves(one: Mention, words: PronounWords) -> Iterator[Mention]:
    """Father and mother of a word for both."""
    for pair in words.words["split_pairs"]:
        both, _, halves = pair.partition("=")
        if one.text.endswith(both):
            for half in halves.split("/"):
                at = one.end - len(both) + both.index(half)
                yield replace(
                    one,
                    text=half,
                    start=at,
                    end=at + len(half),
                    head=half,
                    plural=False,
                    gender=_gender_of(half, words),
                )


def _gender_of(word: str, words: PronounWords) -> str:
    if words.has("female", word) or word in words.words["female_half"]:
        return "female"
    return "male"


def _chunks(reading: Reading, named: Sequence[Entity], words: PronounWords) -> Iterator[_Chunk]:
    """Names, and nouns in a row."""
    current: _Chunk | None = None
    for piece in _pieces(reading, named):
        if current and piece.start == current.end and _continues(current, piece, reading.text, words):
            entity = piece.entity or (current.entity if piece.latin_word else None)
            current = _Chunk(start=current.start, end=piece.end, entity=entity, noun=True)
            continue
        if current and current.noun:
            yield current
        given = piece.verb and words.matcher("given").search(reading.text[: piece.start]) is not None
        current = piece if piece.noun or piece.modifier or given else None
    if current and current.noun:
        yield current


def _pieces(reading: Reading, named: Sequence[Entity]) -> Iterator[_Chunk]:
    """The words, where a name or a listed noun counts as one word."""
    spans: list[tuple[int, int, Entity | None]] = [(one.start, one.end, one) for one in named]
    for start, end, _ in _nouns().search(reading.text):
        crossed = any(start < one.end and one.start < end for one in named)
        if not crossed and _is_uncrossed(reading, start, end):
            spans.append((start, end, None))
    spans.sort(key=lambda one: one[:2])
    at = 0
    for start, end, entity in spans:
        if start < at:
            continue
        yield from (_piece(word, reading.text) for word in reading.words if at <= word.start and word.end <= start)
        noun = entity is None or entity.type not in ("code", "amount")
        yield _Chunk(start=start, end=end, entity=entity, noun=noun, listed=entity is None)
        at = end
    yield from (_piece(word, reading.text) for word in reading.words if at <= word.start)


def _piece(word: Word, text: str) -> _Chunk:
    words = pronoun_words("zh")
    unit = len(word.text) == 1 and words.has("classifiers", word.text)
    glued = len(word.text) > 2 and word.text[-1] in words.words["verb_endings"] and not is_word(word.text)
    done = text[word.end : word.end + 1] in words.words["done"] and word.tag == "vn"
    guessed = len(word.text) > 1 and word.text[0] in words.words["adverb_heads"] and not is_word(word.text)
    verbal = words.has("verbal", word.text) or done or guessed
    idiom = word.tag in ("i", "l") and (bool(words.kind_of(word.text)) or _ends_in_noun(word.text))
    noun = word.tag[0] == "n" or word.tag in ("vn", "eng", "j", "an") or idiom
    return _Chunk(
        start=word.start,
        end=word.end - glued,
        noun=noun
        and not unit
        and not verbal
        and not (len(word.text) < 4 and word.text.islower())
        and not words.has("no_thing", word.text),
        modifier=len(word.text) > 1 and (word.tag in ("b", "a", "f") or words.has("modifiers", word.text)),
        verbal=verbal or word.tag == "vn",
        verb=word.tag in ("v", "vn") and len(word.text) == 2,
        latin=word.tag == "eng" and len(word.text) < 3,
        latin_word=word.tag == "eng",
    )


@lru_cache(maxsize=1024)
def _ends_in_noun(phrase: str) -> bool:
    """Whether the second half of a set phrase of four is a noun of its own."""
    return len(phrase) == 4 and is_word(phrase[2:]) and read(phrase[2:]).words[0].tag == "n"


@cache
def _nouns() -> Gazetteer:
    words = pronoun_words("zh")
    return Gazetteer({one: kind for kind in KINDS for one in words.words[kind] if len(one) > 1})


def _is_uncrossed(reading: Reading, start: int, end: int) -> bool:
    """Whether no word of the dictionary reaches across an edge of the stretch."""
    inner = (one for one in reading.words if one.start < start < one.end or one.start < end < one.end)
    return not any(is_word(one.text) for one in inner)


def _continues(chunk: _Chunk, piece: _Chunk, text: str, words: PronounWords) -> bool:
    """Whether the next word belongs to the same phrase."""
    if not piece.noun:
        return False
    said, following = text[chunk.start : chunk.end], text[piece.start : piece.end]
    if chunk.entity is not None and chunk.entity.type in ("person", "code", "amount"):
        return False
    if not chunk.noun:
        return chunk.modifier or words.kind_of(following) == "documents"
    if piece.entity is not None and piece.entity.type in ("person", "amount", "code"):
        return False
    known = words.kind_of(said)
    if known == "person" or words.has("abstract", following):
        return False
    if piece.latin:
        return True
    if known and piece.verbal:
        return False
    return (
        not known
        or piece.listed
        or piece.entity is not None
        or (is_word(following) and not words.has("modifiers", following))
    )


def _linked(chunks: list[_Chunk], text: str, words: PronounWords) -> list[_Chunk]:
    """A phrase and what it belongs to as one ("X 的 Y")."""
    made: list[_Chunk] = []
    for chunk in chunks:
        last = made[-1] if made else None
        if (
            last
            and words.has("of", text[last.end : chunk.start])
            and last.end - last.start > 1
            and not _is_person(last)
        ):
            made[-1] = _Chunk(start=last.start, end=chunk.end, entity=chunk.entity, noun=True)
        else:
            made.append(chunk)
    return made


def _is_person(chunk: _Chunk) -> bool:
    return chunk.entity is not None and chunk.entity.type == "person"


def _mention(chunk: _Chunk, text: str, reading: Reading, words: PronounWords) -> Mention | None:
    said = text[chunk.start : chunk.end]
    tail = words.matcher("of_whom").split(said)[-1]
    kind = _kind(tail, chunk, words)
    exact = chunk.entity is not None and chunk.entity.start == chunk.start and chunk.entity.end == chunk.end
    if not exact and (words.has("abstract", tail) or words.has("abstract", said) or _is_vague(tail, words)):
        return None
    if len(said) < 2 and not words.kind_of(said):
        return None
    start = _owned(chunk.start, text, words) if kind == "person" and not exact else chunk.start
    before = text[max(0, start - 8) : start]
    if kind == "place" and words.matcher("portion").search(before):
        kind = "thing"
    clause_start = max((m.end() for m in CUT.finditer(text, 0, start)), default=0)
    close = CUT.search(text, chunk.end)
    return Mention(
        text=text[start : chunk.end],
        start=start,
        end=chunk.end,
        kind=kind,
        head=tail,
        named=exact and chunk.entity is not None and chunk.entity.type not in ("device",),
        gender=_gender(tail, exact, words) if kind == "person" else "",
        plural=bool(words.matcher("counted").search(before[-4:]))
        or _is_many(text[start : chunk.end], text, chunk.end, words),
        role=_role((start, chunk.end), clause_start, reading, words),
        clause=text[clause_start : close.start() if close else len(text)],
    )


def _is_vague(tail: str, words: PronounWords) -> bool:
    return any(tail.endswith(one) and len(one) > 1 for one in words.words["abstract"]) and not words.kind_of(tail)


def _kind(tail: str, chunk: _Chunk, words: PronounWords) -> str:
    entity = chunk.entity
    if entity is not None and (entity.end == chunk.end or not words.kind_of(tail)):
        listed = words.kind_of(tail)
        if entity.type in ("product",) and listed in ("software", "vehicles", "medicine", "machines", "food"):
            return listed
        return ENTITY_KINDS.get(entity.type, "thing")
    return words.kind_of(tail) or "thing"


def _owned(start: int, text: str, words: PronounWords) -> int:
    """With the pronoun of whose relative it is."""
    match = re.search(words.patterns["owner"][0], text[max(0, start - 3) : start])
    return start - len(match[0]) if match else start


def _gender(tail: str, named: bool, words: PronounWords) -> str:
    for gender in ("female", "male"):
        listed = (one for one in words.words[gender] if len(one) > 1 or len(tail) < 3)
        if any(map(tail.endswith, listed)) and (len(tail) > 1 or not named):
            return gender
    known = lists("zh")
    if named and 1 < len(tail) < 4 and (known.has("surnames", tail[0]) or len(tail) == 2):
        chars = tail[1:]
        female = sum(known.has("female", one) for one in chars)
        male = sum(known.has("male", one) for one in chars)
        if female != male:
            return "female" if female > male else "male"
    return ""


def _is_many(said: str, text: str, end: int, words: PronounWords) -> bool:
    return words.has("many", text[end : end + 1]) or any(said.endswith(one) for one in words.words["pair_words"])


def _role(span: tuple[int, int], clause_start: int, reading: Reading, words: PronounWords) -> str:
    start, end = span
    before = reading.text[clause_start:start]
    if words.matcher("within").match(reading.text[end:]):
        return "owner"
    named = next((role for role, name in ROLES if words.matcher(name).search(before)), None)
    if named:
        return named
    spoken = (one for one in reading.words if clause_start <= one.start < start)
    return "object" if any(one.tag[0] == "v" and one.tag != "vn" for one in spoken) else "subject"


ROLES = (("moved", "moved"), ("became", "became"), ("oblique", "located"))
"""Parts in the sentence with the pattern that shows each."""
