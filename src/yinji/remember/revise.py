"""Whether a change that is told ends something kept that no slot names ("they took me off it", "moved to Fridays").

A memory that still holds must not go: without the same words for what it is about and another value of the same
type, or what is over named in so many words, nothing is ended.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from yinji.language.packs import Pack, pack
from yinji.language.text import query_terms
from yinji.model import Draft, Kind, MemoryEntry, Modality, Polarity
from yinji.remember.states import ended_state, is_undone, of_two, one_of_several, stays_beside
from yinji.remember.values import values, without
from yinji.remember.whose import apart

COVERED = 0.5
"""Share of what the change is about that the memory must be about, too."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Revision:
    """Why a memory no longer holds."""

    reason: str
    sure: float
    """Up to 1; tells several that may be meant apart."""
    named: bool
    """Whether what is over was named; else only a value differs."""


def revises(draft: Draft, memory: MemoryEntry) -> Revision | None:
    """Why the memory no longer holds; None when it may still hold."""
    if draft.language != memory.language:
        return None
    words = pack(draft.language)
    if (over := is_undone(draft, memory)) is not None:
        return Revision(reason=over, sure=1.0, named=True)
    if not still_holds(memory):
        return None
    if (over := of_two(draft, memory)) is not None:
        return Revision(reason=over, sure=1.0, named=True)
    if apart(draft, memory) or stays_beside(draft, memory):
        return None
    if (over := ended_state(draft, memory, words)) is not None:
        return Revision(reason=over, sure=1.0, named=True)
    return _ended(draft, memory, words) or _fulfilled(draft, memory, words) or _changed(draft, memory, words)


def still_holds(memory: MemoryEntry) -> bool:
    """Whether it is told as lasting, or as still to come; what has happened stays so."""
    words = pack(memory.language)
    if memory.modality is Modality.QUOTED:
        return False
    if memory.kind is Kind.EVENT and memory.modality is Modality.ASSERTED:
        return any(words.matcher(name).search(memory.content) for name in ("lasting", "still_to_come"))
    return True


def _ended(draft: Draft, memory: MemoryEntry, words: Pack) -> Revision | None:
    if memory.polarity is Polarity.NEGATIVE or not words.matcher("lasting").search(memory.content):
        return None
    had = set(query_terms(memory.content))
    for match in _endings(draft.content, words):
        if one_of_several(words.matcher("article").sub("", match["what"]), memory.content, words):
            continue
        what = topic(match["what"], words)
        verb = match.groupdict().get("verb")
        telling = {term for term in what if len(term) > 1 or words.has("tells_alone", term)}
        if not telling and not (what and verb and verb in memory.content):
            telling = {term for term in topic(draft.content, words) if len(term) > 1}
            if not what or not telling & had:
                continue
        if what and what <= had:
            return Revision(reason=f"{match['what'].strip()} is over", sure=1.0, named=True)
    return None


def _fulfilled(draft: Draft, memory: MemoryEntry, words: Pack) -> Revision | None:
    """A plan or wish is over once it is done."""
    meant = memory.modality in (Modality.PLANNED, Modality.WISHED)
    if not meant or draft.modality is not Modality.ASSERTED or draft.polarity is Polarity.NEGATIVE:
        return None
    if not words.matcher("fulfilled").search(draft.content):
        return None
    meant_words = words.matcher("meaning").sub(" ", memory.content)
    wanted = {term for term in topic(meant_words, words) if len(term) > 1}
    done = bool(wanted) and wanted <= set(query_terms(draft.content))
    return Revision(reason="it is done", sure=1.0, named=True) if done else None


def _endings(content: str, words: Pack) -> Iterator[re.Match[str]]:
    for matcher in words.matchers("ending"):
        yield from matcher.finditer(content)


def _changed(draft: Draft, memory: MemoryEntry, words: Pack) -> Revision | None:
    """Another value of the same type of what both are about."""
    if not words.matcher("changed").search(draft.content) and not draft.replaces:
        return None
    quote = memory.sources[0].quote if memory.sources else memory.content
    return _differs(draft.content, memory.content, words) or _differs(draft.source.quote, quote, words)


def _differs(told: str, kept: str, words: Pack) -> Revision | None:
    """As told, or in the words in which both were said: a day may have been written out as a date."""
    said = words.matcher("contrast").sub("", told)
    mine, theirs = values(said, words), values(kept, words)
    shared = {one.type for one in mine} & {one.type for one in theirs}
    differing = [
        name
        for name in shared
        if {one.key for one in theirs if one.type == name}.isdisjoint(one.key for one in mine if one.type == name)
    ]
    if not differing or len(differing) < len(shared):
        return None
    about = topic(without(said, mine), words)
    had = set(query_terms(without(kept, theirs)))
    telling = {term for term in about if len(term) > 1}
    if not about:
        return Revision(reason="another line", sure=0.5, named=False) if differing == ["line"] else None
    covered = len(about & had) / len(about)
    if covered < COVERED or not telling & had:
        return None
    return Revision(reason=f"another {differing[0]}", sure=covered, named=False)


def topic(text: str, words: Pack) -> set[str]:
    """The terms that say what it is about; those that only say that it changed left out."""
    return set(query_terms(text)) - of_change(words.language)


@cache
def of_change(language: str) -> frozenset[str]:
    """The terms that only say that something changed."""
    weak = pack(language).words["change_weak"]
    return frozenset(term for word in weak for term in query_terms(word.replace("_", " ")))
