"""Who and what a text names: people, places, organisations, products, codes, amounts, devices, projects.

Each language has its finders; what they find overlaps, and of two that do the surer is kept.
"""

from __future__ import annotations

from collections.abc import Iterable

from yinji.language.entities import chinese, english, linked
from yinji.language.entities.lists import Found
from yinji.language.entities.reading import read
from yinji.language.memo import while_reading
from yinji.language.script import simplify
from yinji.language.text import content_key
from yinji.model import Entity


@while_reading(256)
def find_entities(text: str, *, language: str) -> tuple[Entity, ...]:
    """Everything named, in order, none overlapping another; the same name twice is there twice."""
    plain = simplify(text)
    found = list(chinese.find(read(plain)) if language == "zh" else english.find(plain))
    kept = _apart(found)
    if more := list(linked.introduced(plain, kept, language)):
        kept = _apart([*found, *more])
    return tuple(Entity(name=text[one.start : one.end], type=one.type, start=one.start, end=one.end) for one in kept)


def aliases(text: str, *, language: str) -> tuple[tuple[str, str], ...]:
    """Pairs of names that the text says are one; the name it starts from first."""
    return linked.pairs(text, simplify(text), find_entities(text, language=language), language)


def entity_key(name: str) -> str:
    """Equal for two spellings of one name; a difference in a digit or a letter is a difference."""
    return content_key(name)


def _apart(found: Iterable[Found]) -> list[Found]:
    kept: list[Found] = []
    for one in sorted(found, key=lambda one: (-one.weight, one.start - one.end, one.start)):
        if one.start < one.end and all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)


__all__ = ["aliases", "entity_key", "find_entities"]
