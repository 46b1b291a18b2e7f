"""What sort of thing a question seeks, and whether a memory gives one: patterns of each language, in
``data/lang/recall``. A memory may be near a question and still not hold what it asks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from yinji.language.entities import find_entities
from yinji.language.text import fold
from yinji.model import MemoryEntry, Query
from yinji.recall.signs import attributes, given, sought, tells

NAME, PLACE = "name", "place"
PERSON = "person"
SORTS = ("cost", "colour", "number", "date", NAME, PLACE)
_PLACES = frozenset({"place", "organisation"})
_CAPITAL = re.compile(r"(?<=[^\s.!?:\"'(]\s)(?!I\b|I')[A-Z][\w'-]*")


def sort_sought(query: Query) -> str:
    """One of SORTS, or nothing where the question does not tell."""
    text = query.text.lower()
    return next((sort for sort, pattern in sought(query.language).items() if pattern.search(text)), "")


def gives(query: Query, sort: str, memories: Sequence[MemoryEntry]) -> list[bool]:
    """Whether each memory holds something of that sort that the question does not say itself."""
    asked = fold(query.text)
    return [any(one not in asked for one in _given(memory, sort)) for memory in memories]


def untold(query: Query, memories: Sequence[MemoryEntry]) -> str:
    """An attribute that the question asks for and none of the memories tells; nothing where there is none.

    Only attributes that cannot be told without their own word or form: a birthday, a number plate, a blood type. What
    is the user's own is not told of somebody else whom the question names.
    """
    text = query.text.lower()
    asked = [name for name, pattern in attributes(query.language).items() if pattern.search(text)]
    if not asked:
        return ""
    found = find_entities(query.text, language=query.language)
    people = [fold(one.name) for one in found if one.type == PERSON]
    told = [memory for memory in memories if not people or not _of_the_user(memory) or _names(memory, people)]
    return next((name for name in asked if not any(_tells(memory, name) for memory in told)), "")


def _of_the_user(memory: MemoryEntry) -> bool:
    """Whether it begins with the user: a text as somebody wrote it may be about anybody."""
    return tells(memory.language)["user"].match(memory.content.lower()) is not None


def _names(memory: MemoryEntry, people: Sequence[str]) -> bool:
    said = fold(memory.content)
    return any(name in said for name in people)


def _tells(memory: MemoryEntry, attribute: str) -> bool:
    return tells(memory.language)[attribute].search(memory.content.lower()) is not None


def _given(memory: MemoryEntry, sort: str) -> Iterator[str]:
    if sort in (NAME, PLACE):
        found = memory.entities or find_entities(memory.content, language=memory.language)
        yield from (fold(one.name) for one in found if sort == NAME or one.type in _PLACES)
        yield from (fold(one[0]) for one in _CAPITAL.finditer(memory.content))
    else:
        yield from (fold(one[0]) for one in given(memory.language)[sort].finditer(memory.content.lower()))
