"""States that end with news of another kind: who is back at work is no longer off sick, who parted has no partner.

Each is a pair of what the news says and what the memory says; both must be of the same person or thing, which the
news names in its own words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from yinji.language.packs import Pack, pack
from yinji.language.text import query_terms
from yinji.model import Draft, MemoryEntry, Modality, Polarity
from yinji.remember.whose import with_one_kin

Ends = Callable[[Draft, MemoryEntry, Pack], str | None]


def ended_state(draft: Draft, memory: MemoryEntry, words: Pack) -> str | None:
    """Why the news ends what the memory tells as lasting; None when it does not."""
    if draft.modality is not Modality.ASSERTED or memory.modality is not Modality.ASSERTED:
        return None
    if memory.polarity is Polarity.NEGATIVE:
        return None
    return next((reason for ends in ENDS if (reason := ends(draft, memory, words)) is not None), None)


def stays_beside(draft: Draft, memory: MemoryEntry) -> bool:
    """Whether the news is of a journey that comes to nothing, and the memory of where somebody lives or works."""
    words = pack(draft.language)
    if not words.matcher("journey_off").search(draft.content) or words.matcher("moves").search(draft.content):
        return False
    return memory.modality is Modality.ASSERTED and bool(words.matcher("resides").search(memory.content))


def _undone(draft: Draft, memory: MemoryEntry, words: Pack) -> str | None:
    """Back at work, together again: the opposite of what was."""
    if draft.subject != memory.subject or draft.polarity is Polarity.NEGATIVE:
        return None
    for news, state in _pairs(words.language):
        if news.search(draft.content) and state.search(memory.content) and not state.search(draft.content):
            return "it is over"
    return None


@cache
def _pairs(language: str) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    words = pack(language)
    return tuple(zip(words.matchers("state_over"), words.matchers("state"), strict=True))


def _parted(draft: Draft, memory: MemoryEntry, words: Pack) -> str | None:
    """Who parted from somebody has them no longer: the memory tells of them as the partner."""
    match = words.matcher("parting").search(draft.content)
    if match is None or draft.polarity is Polarity.NEGATIVE or words.matcher("parting").search(memory.content):
        return None
    told = with_one_kin(memory.content.casefold(), words)
    partners = {one[0] for one in words.matcher("partner").finditer(told)}
    news = with_one_kin(draft.content.casefold(), words)
    named = {one.name.casefold() for one in draft.entities if one.type == "person"}
    kin = {one[0] for one in words.matcher("partner").finditer(news)}
    if not partners or (kin and not kin & partners):
        return None
    of_user = draft.subject == "user" or words.tables["person"]["user"] in news
    meant = all(one in told for one in named) and (bool(named) or of_user)
    return "they parted" if meant and (named or kin or words.matcher("own_partner").search(told)) else None


def _gone(draft: Draft, memory: MemoryEntry, words: Pack) -> str | None:
    """What died or ran away is not kept any longer."""
    match = words.matcher("gone").search(draft.content)
    if match is None or not words.matcher("keeping").search(memory.content):
        return None
    what = {term for term in query_terms(match["what"]) if len(term) > 1}
    return f"{match['what'].strip()} is gone" if what and what <= set(query_terms(memory.content)) else None


ENDS: tuple[Ends, ...] = (_undone, _parted, _gone)
