"""What a message names, and which memories are known of it: for a bare word what has that very word, for a question
of what to do what tells of those whom it speaks of (SPEC R2).

Reading learned from questions and what answers them. A word asks nothing, and what to give a daughter no memory
answers: of neither has it anything to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from yinji.language.kin import with_one_kin
from yinji.language.packs import pack
from yinji.language.text import detect, fold, is_telling, terms
from yinji.model import Candidate, Hit, Kind, MemoryEntry, Polarity, Query
from yinji.recall.read import FACTOR, KNOWN
from yinji.recall.signs import asking, signs, whom_asked, whom_told
from yinji.recall.sought import PERSON

FEW_WORDS = 4
"""Telling words that a name, or what is looked for by words, has at the most."""
CLEARLY = 3.0
"""Log-odds, by reading, from which something else answers even a question of what to do, and stays in front."""
_WORD = re.compile(r"[\w'-]+")


def known_of(query: Query, candidates: Sequence[Candidate]) -> frozenset[str]:
    """The ids of the candidates that are wanted for what the message names, whether or not they answer a question."""
    memories = [one.memory for one in candidates]
    if is_bare(query):
        found = frozenset(one.id for one in memories if _has_words(query, one))
        if found:
            return found | frozenset(_of_named(query, memories))
    if asks_what_to_do(query.text, query.language):
        return frozenset([*_of_named(query, memories), *_of_meals(query, memories)])
    return frozenset([*_of_sort(query, memories), *_of_own(query, memories), *_of_called(query, memories)])


def _of_sort(query: Query, memories: Sequence[MemoryEntry]) -> Iterator[str]:
    """Who is of the sort that is asked for: no memory of a daughter says that one has children."""
    asked = query.text.lower()
    sorts = [name for name, sign in whom_asked(query.language).items() if sign.search(asked)]
    for one in memories:
        if any(whom_told(one.language)[sort].search(one.content.lower()) for sort in sorts):
            yield one.id


def _of_called(query: Query, memories: Sequence[MemoryEntry]) -> Iterator[str]:
    """Where it asks what somebody is called: what tells of them by their name (女婿老周跑船)."""
    if asking(query.language)["named"].search(query.text.lower()):
        spoken = {*_spoken_of(query.text, query.language)}
        yield from (one.id for one in memories if any(being in spoken for being, _ in _called(one)))


def _of_own(query: Query, memories: Sequence[MemoryEntry]) -> Iterator[str]:
    """What gives the very attribute of the user that is asked for, as it is now: an age, what they do for a living."""
    if query.past:
        return
    for one in memories:
        if one.subject == "user" and one.slot is not None and one.slot.attribute in query.attributes:
            yield one.id


def _of_meals(query: Query, memories: Sequence[MemoryEntry]) -> Iterator[str]:
    """Where it asks what or where to eat: what must not be eaten, whoever must not, and what the user likes to."""
    if asks_for_meal(query):
        yield from (one.id for one in memories if matters_at_meals(one))


def asks_for_meal(query: Query) -> bool:
    """Whether it asks what, or where, to eat or drink: no memory answers that, and what is known of it is wanted."""
    asked = asking(query.language)["meal"].search(query.text.lower()) is not None
    return asked and asks_what_to_do(query.text, query.language)


def matters_at_meals(memory: MemoryEntry) -> bool:
    """Whether it tells an allergy, a diet, or a taste of the user's in food and drink."""
    attribute = memory.slot.attribute if memory.slot else ""
    if attribute == "allergy":
        return memory.polarity is not Polarity.NEGATIVE
    taste = memory.kind is Kind.PREFERENCE and memory.subject == "user"
    eaten = taste and asking(memory.language)["eaten"].search(memory.content.lower()) is not None
    return attribute == "diet" or eaten


def is_bare(query: Query) -> bool:
    """Whether it is a name, or a few words to look for, and neither asks nor tells anything."""
    said, asked = query.text.strip().lower(), asking(query.language)
    words = {term for term in query.terms if is_telling(term)}
    sentence = signs(query.language)["question"].search(said) or asked["said"].search(said)
    return not sentence and len(words) <= FEW_WORDS


def asks_what_to_do(text: str, language: str) -> bool:
    """Whether it asks for advice, a choice or a plan, not for what is or was so."""
    said, asked = text.strip().lower(), asking(language)
    return asked["choice"].search(said) is not None and asked["done"].search(said) is None


def needs_known(message: str, hits: Sequence[Hit]) -> bool:
    """Whether a message asks what to do, and some of these are known of those whom it speaks of."""
    return asks_what_to_do(message, detect(message)) and any(KNOWN in one.factors for one in hits)


def put_first(candidates: Sequence[Candidate], known: frozenset[str]) -> list[Candidate]:
    """All candidates, the best of what is known of what the message names before all that does not clearly answer, and
    the others of it as far behind that as they were."""
    own = [one for one in candidates if one.memory.id in known]
    rest = [one for one in candidates if one.memory.id not in known]
    behind = max((one.score for one in rest if one.factors.get(FACTOR, -CLEARLY) < CLEARLY), default=0.0)
    gain = max(0.0, behind - max((one.score for one in own), default=0.0))
    lifted = [replace(one, score=one.score + gain, factors={**one.factors, KNOWN: gain}) for one in own]
    return sorted([*lifted, *rest], key=lambda one: -one.score)


def _has_words(query: Query, memory: MemoryEntry) -> bool:
    """Whether each of the words stands in it, relatives by any of their names."""
    content = fold(with_one_kin(memory.content.lower(), pack(memory.language)))
    asked = asking(query.language)["my"].sub(" ", with_one_kin(query.text.lower(), pack(query.language)))
    words = [word for word in _WORD.findall(fold(asked)) if not word.isascii() or any(map(is_telling, terms(word)))]
    has = frozenset(terms(content))
    return bool(words) and all(_stands(word, content, has) for word in words)


def _stands(word: str, content: str, has: frozenset[str]) -> bool:
    """Whether a text with these index terms has the word: in Chinese it may be cut otherwise there."""
    telling = {term for term in terms(word) if is_telling(term)}
    return (bool(telling) and telling <= has) or (not word.isascii() and word in content)


def _of_named(query: Query, memories: Sequence[MemoryEntry]) -> Iterator[str]:
    """Of the memories, those that have somebody or something in them that the question names, by whichever name."""
    named, names = {*_spoken_of(query.text, query.language)}, {*_names_in(query.text, memories)}
    told = [pair for memory in memories for pair in _called(memory)]
    names |= {name for being, name in told if being in named}
    named |= {being for being, name in told if name in names}
    for memory in memories:
        content, has = fold(memory.content), frozenset(terms(memory.content))
        speaks = any(_stands(name, content, has) for name in names)
        if speaks or not named.isdisjoint(_spoken_of(memory.content, memory.language)):
            yield memory.id


def _spoken_of(text: str, language: str) -> Iterator[str]:
    """People, animals and what belongs to the user that a text speaks of, each by one word."""
    plain = with_one_kin(text.lower(), pack(language))
    yield from (_one_word(one[0]) for one in pack(language).matcher("being").finditer(plain))
    yield from (_one_word(one["thing"]) for one in asking(language)["of_mine"].finditer(plain))


def _one_word(said: str) -> str:
    return " ".join(term for term in terms(said) if is_telling(term)) or fold(said)


def _names_in(text: str, memories: Sequence[MemoryEntry]) -> Iterator[str]:
    """The names that memories know and the text has as whole words."""
    folded, words = fold(text), {*terms(text)}
    for name in {fold(one.name) for memory in memories for one in memory.entities}:
        if name in folded and (not name.isascii() or {*terms(name)} <= words):
            yield name


def _called(memory: MemoryEntry) -> Iterator[tuple[str, str]]:
    """(who somebody is to the user, their name) where the memory tells it: "my daughter is called Nora"."""
    words, plain = pack(memory.language), with_one_kin(memory.content.lower(), pack(memory.language))
    names = [fold(one.name) for one in memory.entities if one.type == PERSON]
    for being in words.matcher("being").finditer(plain) if names else ():
        for name in names:
            start = plain.find(name, being.end())
            if start >= 0 and asking(memory.language)["called"].fullmatch(plain, being.end(), start):
                yield _one_word(being[0]), name
