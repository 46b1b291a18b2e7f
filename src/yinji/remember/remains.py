"""What is left of a memory that says several things when news ends one: the offer stays when its salary is corrected,
the other allergy when one is outgrown."""

from __future__ import annotations

from yinji.language.packs import Pack, pack
from yinji.language.text import content_key
from yinji.model import Draft, MemoryEntry, Modality
from yinji.remember.listed import listed, without
from yinji.remember.revise import topic
from yinji.remember.values import values

LEAST = 2
"""Telling words that the first clause must have to stand by itself."""


def remains(draft: Draft, memory: MemoryEntry) -> str | None:
    """The memory without the clauses, or the things of a list, that the news is about; None when nothing is left of it,
    or all of it stands."""
    told_again = draft.instead is not None
    if told_again or draft.language != memory.language or memory.modality is not Modality.ASSERTED:
        return None
    words = pack(draft.language)
    clauses = _clauses(memory.content, words)
    if (told := _listed(draft, clauses, words)) is not None:
        return told
    touched = [_touches(draft, one, words) for one in clauses]
    if not any(touched) or touched[0] or not _stands(clauses[0], words):
        return None
    if _is_of_slot(draft, memory, clauses[0]):
        return None
    return "".join(one for one, hit in zip(clauses, touched, strict=True) if not hit)


def names_none(draft: Draft, memory: MemoryEntry) -> bool:
    """Whether the memory says several things and the news names none of them, but perhaps whom they are told of: what
    of it is over cannot be told."""
    if draft.language != memory.language:
        return False
    words = pack(draft.language)
    clauses = _clauses(memory.content, words)
    if sum(_stands(one, words) for one in clauses) < 2 and listed(clauses[0], words) is None:
        return False
    whom = _telling(f"{draft.subject} {memory.subject}", words)
    shared = _telling(draft.content, words) & _telling(memory.content, words) - whom
    return not shared and not _of_one_type(draft.content, memory.content, words)


def _listed(draft: Draft, clauses: list[str], words: Pack) -> str | None:
    """All of it without the things of a list in its first clause that the news names; what follows must be of none of
    them."""
    news = _telling(draft.content, words)
    told = without(clauses[0], lambda thing: bool(news & _telling(thing, words)), words)
    if told is None or any(_touches(draft, one, words) for one in clauses[1:]):
        return None
    return "".join([told, *clauses[1:]])


def _clauses(content: str, words: Pack) -> list[str]:
    """Each with the mark before it."""
    found, at = [], 0
    for mark in words.matcher("clause_mark").finditer(content):
        found.append(content[at : mark.start()])
        at = mark.start()
    return [*found, content[at:]]


def _touches(draft: Draft, clause: str, words: Pack) -> bool:
    """Whether the news names what the clause is about, or gives another value of the same type."""
    return bool(_telling(draft.content, words) & _telling(clause, words)) or _of_one_type(draft.content, clause, words)


def _of_one_type(told: str, kept: str, words: Pack) -> bool:
    """Whether both give a value of the same type."""
    return not {one.type for one in values(told, words)}.isdisjoint(one.type for one in values(kept, words))


def _telling(text: str, words: Pack) -> set[str]:
    return {term for term in topic(text, words) if len(term) > 1}


def _stands(clause: str, words: Pack) -> bool:
    whole = not words.matcher("circumstance").search(clause) and not words.matcher("only_time").fullmatch(clause)
    return whole and len(_telling(clause, words)) >= LEAST


def _is_of_slot(draft: Draft, memory: MemoryEntry, clause: str) -> bool:
    """Whether the clause gives the very attribute that the news gives anew."""
    if draft.slot is None or memory.slot is None or draft.slot.attribute != memory.slot.attribute:
        return False
    return memory.slot.value in content_key(clause)
