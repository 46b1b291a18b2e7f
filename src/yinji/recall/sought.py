"""What sort of thing a question seeks, and whether a memory gives one: patterns of each language, in
``data/lang/recall``. A memory may be near a question and still not hold what it asks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from yinji.language.entities import find_entities
from yinji.language.packs import pack
from yinji.language.text import fold
from yinji.model import MemoryEntry, Query
from yinji.recall.signs import asking, attributes, given, signs, sought, tells

COST, NAME, PLACE = "cost", "name", "place"
PERSON = "person"
OF_FORM = {NAME: "named", COST: "priced", "origin": "hails"}
"""Sorts that are told by their form, and the sign of a question for one."""
SORTS = (COST, "colour", "number", "date", NAME, PLACE)
_PLACES = frozenset({"place", "organisation"})
_CAPITAL = re.compile(r"(?<=[^\s.!?:\"'(]\s)(?!I\b|I')[A-Z][\w'-]*")


def sort_sought(query: Query) -> str:
    """One of SORTS, or nothing where the question does not tell."""
    text = query.text.lower()
    return next((sort for sort, pattern in sought(query.language).items() if pattern.search(text)), "")


def gives(query: Query, sort: str, memories: Sequence[MemoryEntry]) -> list[bool]:
    """Whether each memory holds something of that sort that the question does not say itself."""
    return [any(True for _ in given_by(query, sort, memory)) for memory in memories]


def given_by(query: Query, sort: str, memory: MemoryEntry) -> Iterator[str]:
    """What a memory holds of that sort and the question does not say itself."""
    asked = fold(query.text)
    return (one for one in _given(memory, sort) if one not in asked)


def gives_form(query: Query, memories: Sequence[MemoryEntry]) -> list[bool]:
    """Whether each gives a name, a price, or where somebody is from, where the question asks for one; empty where it
    asks for none of them."""
    text = query.text.lower()
    sort = next((sort for sort, sign in OF_FORM.items() if asking(query.language)[sign].search(text)), "")
    return gives(query, sort, memories) if sort else []


def untold(query: Query, memories: Sequence[MemoryEntry]) -> str:
    """An attribute that the question asks for and none of the memories tells; nothing where there is none.

    Only attributes that cannot be told without their own word or form: a birthday, a number plate, a blood type. What
    is the user's own is not told of somebody else whom the question speaks of, nor what is their family's of the user.
    """
    text = query.text.lower()
    asked = [name for name, pattern in attributes(query.language).items() if pattern.search(text)]
    if not asked:
        return ""
    found = find_entities(query.text, language=query.language)
    people = [fold(one.name) for one in found if one.type == PERSON]
    others = bool(people) or _speaks_of_somebody(query.text, query.language)
    own = not others and any(signs(query.language)[name].search(text) for name in ("me", "mine"))
    elsewhere = [
        (others and _of_the_user_alone(memory, people)) or (own and _of_the_family(memory)) for memory in memories
    ]
    told = [memory for memory, other in zip(memories, elsewhere, strict=True) if not other]
    return next((name for name in asked if not any(_tells(memory, name) for memory in told)), "")


def _of_the_user_alone(memory: MemoryEntry, people: Sequence[str]) -> bool:
    """Whether it begins with the user and speaks of nobody else: a text as somebody wrote it may be about anybody."""
    said, user = memory.content.lower(), pack(memory.language).tables["person"]["user"]
    if not said.startswith(user):
        return False
    rest = said.replace(user, " ")
    return not any(name in fold(rest) for name in people) and not _speaks_of_somebody(rest, memory.language)


def _of_the_family(memory: MemoryEntry) -> bool:
    """Whether it begins with one of the user's family, and is not of the user as well."""
    return pack(memory.language).matcher("of_family").search(memory.content) is not None


def _speaks_of_somebody(text: str, language: str) -> bool:
    return pack(language).matcher("being").search(text) is not None


def _tells(memory: MemoryEntry, attribute: str) -> bool:
    return tells(memory.language)[attribute].search(memory.content.lower()) is not None


def _given(memory: MemoryEntry, sort: str) -> Iterator[str]:
    if sort in (NAME, PLACE):
        found = memory.entities or find_entities(memory.content, language=memory.language)
        yield from (fold(one.name) for one in found if sort == NAME or one.type in _PLACES)
        yield from (fold(one[0]) for one in _CAPITAL.finditer(memory.content))
    else:
        yield from (fold(one[0]) for one in given(memory.language)[sort].finditer(memory.content.lower()))
