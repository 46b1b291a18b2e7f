"""The words of a message with the class that each has for finding noun phrases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from yinji.language.entities import find_entities
from yinji.language.memo import while_reading
from yinji.model import Entity
from yinji.remember.resolve_words import pronoun_words

_NO_WORD = ("amount", "code", "date")
"""Entities that are no words."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Token:
    """A word; ``look`` is its class: a part of speech, or a list that has it. ``.`` stands for punctuation."""

    start: int
    end: int
    text: str
    look: str


@while_reading(256)
def tokens(text: str, language: str) -> tuple[Token, ...]:
    """The words of a message in order; simplified characters in, for Chinese."""
    if language == "zh":
        from yinji.remember.resolve_zh import cut
    else:
        from yinji.remember.resolve_en import cut
    return tuple(
        _with_names(tuple(cut(text)), [one for one in names(text, language) if one.type not in _NO_WORD], text)
    )


def names(text: str, language: str) -> list[Entity]:
    """The names in a message; no place or product that is called like a relative (大伯)."""
    words = pronoun_words(language)
    return [
        one
        for one in find_entities(text, language=language)
        if one.type == "person" or not words.has("person", text[one.start : one.end].lower())
    ]


def _with_names(said: Sequence[Token], named: Sequence[Entity], text: str) -> Iterator[Token]:
    """The words with every name as one."""
    at = 0
    for one in sorted(named, key=lambda one: one.start):
        if (
            _is_owned(one, said)
            or one.start < at
            or any(word.look == "quoted" and word.start <= one.start < word.end for word in said)
        ):
            continue
        yield from (word for word in said if at <= word.start and word.end <= one.start)
        yield Token(start=one.start, end=one.end, text=text[one.start : one.end], look=f"named_{one.type}")
        at = one.end
    yield from (word for word in said if at <= word.start)


def _is_owned(one: Entity, said: Sequence[Token]) -> bool:
    """Whether it is somebody's and what that is ("爷爷的助听器"), which are two."""
    return one.type == "device" and any(word.look == "de" and one.start < word.start < one.end for word in said)
