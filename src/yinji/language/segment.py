"""Chinese text cut into words by ``rjieba``, whose dictionary is read only as far as a text needs it.

The package fills its dictionary whole, in a tenth of a second, before it cuts a first text. But how a text is cut
depends on the words that stand in it and on what the counts of all words add up to, and on nothing else. So its
segmenter starts empty and is given the words that begin with two characters of the text, out of the same dictionary;
one entry has the counts of all the others. Words, tags and index terms are those of the whole dictionary, which is
filled after all when much has been read: from then on nothing is looked up.
"""

from __future__ import annotations

import mmap
import os
import threading
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, TypeVar

from yinji import shipped

if TYPE_CHECKING:
    from rjieba import Jieba

_Found = TypeVar("_Found")

_DICTIONARY = "dictionary/zh.txt"
"""A line for each word: the word, its count, its part of speech; in the order of their bytes."""
_TOTAL = 60_101_964
"""What the counts of all words add up to."""
_REST = "\0\0"
"""Has the counts of all words not read yet. It is found in no text: a NUL is a word of its own."""
_MANY = 2000
"""Beginnings of words that are looked up before the dictionary is filled: some 8,000 characters of text, and half of
the time that filling takes."""


def preload() -> None:
    """Fills the dictionary, so that nothing is looked up later."""
    _segmenter().fill()


def search_words(text: str) -> tuple[str, ...]:
    """The words of a text, each after the shorter ones inside it."""
    return tuple(_segmenter().ask(text, lambda jieba: jieba.cut_for_search(text)))


def tagged(text: str) -> list[tuple[str, str]]:
    """The words of a text, each with its part of speech."""
    return _segmenter().ask(text, lambda jieba: jieba.tag(text))


@lru_cache(maxsize=16384)
def is_word(word: str) -> bool:
    """Whether the dictionary has it."""
    return _segmenter().ask(word, lambda jieba: jieba.has_word(word))


class _Segmenter:
    """Thread-safe: no word comes in while a text is cut."""

    def __init__(self) -> None:
        self._lines = _mapped()
        self._jieba = _empty()
        self._whole: Jieba | None = None
        self._read: dict[str, int] = {}
        """Beginning of words → what they count together."""
        self._cutting = threading.Lock()

    def ask(self, text: str, question: Callable[[Jieba], _Found]) -> _Found:
        if self._whole is not None:
            return question(self._whole)
        with self._cutting:
            fresh = _beginnings(text) - self._read.keys()
            if len(self._read) + len(fresh) > _MANY:
                return question(self.fill())
            if fresh:
                self._add(fresh)
            return question(self._jieba)

    def fill(self) -> Jieba:
        whole = self._whole = self._whole or type(self._jieba)()
        return whole

    def _add(self, beginnings: Iterable[str]) -> None:
        """An interrupt may strike anywhere: what was not noted yet is added again, which changes nothing."""
        counted = dict.fromkeys(beginnings, 0)
        for beginning in counted:
            for word, count, tag in self._words(beginning):
                self._jieba.add_word(word, count, tag)
                counted[beginning] += count
        self._jieba.add_word(_REST, _TOTAL - sum(self._read.values()) - sum(counted.values()), None)
        self._read.update(counted)

    def _words(self, beginning: str) -> Iterator[tuple[str, int, str]]:
        """The word of one character, or the words that begin with two."""
        wanted = (beginning if len(beginning) > 1 else f"{beginning} ").encode()
        self._lines.seek(bisect_left(range(len(self._lines)), wanted, key=lambda at: self._line(at, len(wanted))))
        while (line := self._lines.readline()).startswith(wanted):
            word, count, tag = line.decode().split()
            yield word, int(count), tag

    def _line(self, at: int, length: int) -> bytes:
        """How the line begins that has this byte."""
        start = self._lines.rfind(b"\n", 0, at) + 1
        return self._lines[start : start + length]


@cache
def _segmenter() -> _Segmenter:
    return _Segmenter()


if hasattr(os, "register_at_fork"):  # A thread of the parent may have been cutting: the child's lock would stay taken.
    os.register_at_fork(after_in_child=_segmenter.cache_clear)


def _beginnings(text: str) -> set[str]:
    """The characters of a text, and each with the one behind it."""
    return {one for run in text.split() for at in range(len(run)) for one in (run[at], run[at : at + 2])}


def _mapped() -> mmap.mmap:
    with shipped.file(_DICTIONARY).open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _empty() -> Jieba:
    """A segmenter without words. The package's own ``__init__`` fills one: its extension is loaded without that."""
    from importlib import import_module
    from importlib.machinery import PathFinder
    from importlib.util import find_spec, module_from_spec

    package = find_spec("rjieba")
    where = package.submodule_search_locations if package else None
    if (spec := PathFinder.find_spec("rjieba.rjieba", where)) and spec.loader:
        extension = module_from_spec(spec)
        spec.loader.exec_module(extension)
    else:
        extension = import_module("rjieba")
    empty: Jieba = extension.Jieba.empty()
    return empty
