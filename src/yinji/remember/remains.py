"""What is left of a memory of several clauses when news ends one: the offer stays when its salary is corrected."""

from __future__ import annotations

from yinji.language.packs import Pack, pack
from yinji.language.text import content_key, query_terms
from yinji.model import Draft, MemoryEntry, Modality
from yinji.remember.values import values

LEAST = 2
"""Telling words that the first clause must have to stand by itself."""


def remains(draft: Draft, memory: MemoryEntry) -> str | None:
    """The memory without the clauses that the news is about; None when nothing is left of it, or all of it stands."""
    told_again = draft.instead is not None
    if told_again or draft.language != memory.language or memory.modality is not Modality.ASSERTED:
        return None
    words = pack(draft.language)
    clauses = _clauses(memory.content, words)
    touched = [_touches(draft, one, words) for one in clauses]
    if not any(touched) or touched[0] or not _stands(clauses[0], words):
        return None
    if _is_of_slot(draft, memory, clauses[0]):
        return None
    return "".join(one for one, hit in zip(clauses, touched, strict=True) if not hit)


def _clauses(content: str, words: Pack) -> list[str]:
    """Each with the mark before it."""
    found, at = [], 0
    for mark in words.matcher("clause_mark").finditer(content):
        found.append(content[at : mark.start()])
        at = mark.start()
    return [*found, content[at:]]


def _touches(draft: Draft, clause: str, words: Pack) -> bool:
    """Whether the news names what the clause is about, or gives another value of the same type."""
    if _telling(draft.content, words) & _telling(clause, words):
        return True
    mine, theirs = values(draft.content, words), values(clause, words)
    return bool({one.type for one in mine} & {one.type for one in theirs})


def _telling(text: str, words: Pack) -> set[str]:
    weak = {term for word in words.words["change_weak"] for term in query_terms(word.replace("_", " "))}
    return {term for term in query_terms(text) if len(term) > 1 and term not in weak}


def _stands(clause: str, words: Pack) -> bool:
    whole = not words.matcher("circumstance").search(clause) and not words.matcher("only_time").fullmatch(clause)
    return whole and len(_telling(clause, words)) >= LEAST


def _is_of_slot(draft: Draft, memory: MemoryEntry, clause: str) -> bool:
    """Whether the clause gives the very attribute that the news gives anew."""
    if draft.slot is None or memory.slot is None or draft.slot.attribute != memory.slot.attribute:
        return False
    return memory.slot.value in content_key(clause)
