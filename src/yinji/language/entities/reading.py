"""A Chinese text as the segmenter cut it, and what the words at an edge say of what stands there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from yinji.language.entities.lists import lists
from yinji.language.segment import tagged

NAME_TAGS = frozenset(("nr", "nrt", "nrfg"))


@dataclass(frozen=True, kw_only=True, slots=True)
class Word:
    """A word with its part of speech, as the segmenter gives it."""

    start: int
    end: int
    text: str
    tag: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """A text with its words."""

    text: str
    words: tuple[Word, ...]
    cuts: frozenset[int]
    """Where words meet."""
    tags: dict[tuple[int, int], str]

    def before(self, at: int) -> Iterator[Word]:
        """The words that end at a place or before it, the nearest first, as long as they touch."""
        for word in reversed(self.words):
            if word.end == at:
                yield word
                at = word.start

    def within(self, start: int, end: int) -> list[Word]:
        """The words that lie in a stretch or reach into it."""
        return [word for word in self.words if word.start < end and start < word.end]


def read(text: str) -> Reading:
    """The text cut into words."""
    words, at = [], 0
    for word, tag in tagged(text):
        start = text.find(word, at)
        if start < 0:  # the segmenter may drop what it cannot show
            continue
        at = start + len(word)
        words.append(Word(start=start, end=at, text=word, tag=tag))
    return Reading(
        text=text,
        words=tuple(words),
        cuts=frozenset({0, len(text), *(one.start for one in words), *(one.end for one in words)}),
        tags={(one.start, one.end): one.tag for one in words},
    )


def precedes(reading: Reading, at: int) -> float:
    """How much what stands before a place speaks for somebody's name there."""
    head, known = reading.text[max(0, at - 4) : at], lists("zh")
    if any(one.search(head) for one in known.matchers("strong_before")):
        return 1.2
    return 0.5 if any(one.search(head) for one in known.matchers("start_before")) else -0.2


def follows(reading: Reading, at: int) -> float:
    """How much what stands behind a place speaks for somebody's name before it."""
    known = lists("zh")
    if any(one.match(reading.text, at) for one in known.matchers("strong_after")):
        return 1.2
    return 0.4 if any(one.match(reading.text, at) for one in known.matchers("weak_after")) else -0.2
