"""What a new statement is to what is already kept (SPEC W9).

Slots, polarity, numbers and names decide; nearness in meaning only brings candidates here. A statement of lower
trust never retires one of higher, and a plan or wish never retires what is so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache

from yinji.language.entities.lists import lists
from yinji.language.kin import with_one_kin
from yinji.language.packs import pack
from yinji.language.text import content_key, query_terms
from yinji.model import TRUST_ORDER, Draft, MemoryEntry, Modality, Polarity, Slot, Trust, Verdict
from yinji.remember.counted import counted, same_number
from yinji.remember.revise import Revision, of_change, revises
from yinji.remember.states import stays_beside, takes_back
from yinji.remember.whose import apart

SAME_SHARE = 0.85
"""Share of each other's words from which two statements without a slot say the same."""
RELATED_SHARE = 0.5
"""Share of common words from which two statements are about the same."""
FIXED = frozenset({"birthday", "blood type"})
"""Attributes that do not change: another value is a contradiction unless it is said as a correction."""
TELLS_POLARITY = frozenset({"diet"})
"""Attributes whose value may say what is not so in other words: who is no longer vegan eats meat."""
_EXACT = re.compile(r"(?=[A-Za-z0-9.:_-]*\d)[A-Za-z0-9]+(?:[.:_-][A-Za-z0-9]+)*")


def reconcile(draft: Draft, candidates: Sequence[MemoryEntry]) -> tuple[Verdict, MemoryEntry | None, str]:
    """The strongest relation to any candidate, that candidate, and why; UNRELATED with None when there is none."""
    best: tuple[Verdict, MemoryEntry | None, str] = (Verdict.UNRELATED, None, "nothing like it is kept")
    for memory in candidates:
        verdict, reason = compare(draft, memory)
        if _RANK.index(verdict) < _RANK.index(best[0]):
            best = (verdict, memory, reason)
    return best


def retired(draft: Draft, candidates: Sequence[MemoryEntry]) -> list[tuple[MemoryEntry, str]]:
    """What the draft makes outdated, and why: all that its slot or words end, and of what only has another value
    the one that is most surely meant."""
    gone = []
    for memory in candidates:
        verdict, reason = compare(draft, memory)
        if verdict is Verdict.UPDATE:
            gone.append((memory, reason, _revision(draft, memory)))
    unsure = [one for one in gone if one[2] is not None and not one[2].named]
    surest = max(unsure, key=lambda one: (one[2].sure if one[2] else 0.0, said_at(one[0], draft)), default=None)
    return [(one[0], one[1]) for one in gone if one not in unsure or one is surest]


def _revision(draft: Draft, memory: MemoryEntry) -> Revision | None:
    certain = sets_right(draft, memory) or (draft.slot is not None and memory.slot is not None)
    return None if certain else revises(draft, memory)


_RANK = (
    Verdict.DUPLICATE,
    Verdict.UPDATE,
    Verdict.RETRACT,
    Verdict.CONFLICT,
    Verdict.UNSURE,
    Verdict.COMPATIBLE,
    Verdict.UNRELATED,
)


def compare(draft: Draft, memory: MemoryEntry) -> tuple[Verdict, str]:
    """What the draft is to one memory, and why."""
    if content_key(draft.content) == content_key(memory.content):
        return Verdict.DUPLICATE, "same words"
    if sets_right(draft, memory):
        return _update(draft, memory, "it is set right")
    if draft.slot is not None and memory.slot is not None:
        return _by_slot(draft, draft.slot, memory, memory.slot)
    return _by_words(draft, memory)


def sets_right(draft: Draft, memory: MemoryEntry) -> bool:
    """Whether the memory says what the draft is told again in full for."""
    if draft.instead is None:
        return False
    said, wrong = content_key(draft.instead.said), content_key(draft.instead.wrong)
    quotes = (content_key(source.quote) for source in memory.sources)
    return any(wrong in quote and (quote in said or said in quote) for quote in quotes)


def _by_slot(draft: Draft, new: Slot, memory: MemoryEntry, old: Slot) -> tuple[Verdict, str]:
    words = pack(draft.language)
    same = with_one_kin(new.subject, words) == with_one_kin(old.subject, words)
    if not same or new.attribute != old.attribute:
        revised = revises(draft, memory) if same else None
        over = revised is not None and revised.named
        return _revised(draft, memory, revised) if over and revised else (Verdict.UNRELATED, "about something else")
    if stays_beside(draft, memory):
        return Verdict.COMPATIBLE, "for a while"
    about = f"{new.attribute} of {new.subject}"
    if new.attribute == "residence" and _within(draft, new, old):
        return Verdict.COMPATIBLE, f"another {about}, within it"
    same_way = _sign(draft, new) is _sign(memory, old)
    if _same_value(new, old, draft.language) and same_way:
        literal = _says(draft, new) and _says(memory, old) and draft.modality is memory.modality
        if literal and _same_numbers(draft, memory) and not other_time(draft, memory):
            return Verdict.DUPLICATE, f"same {about}"
        if _planned(memory) and draft.modality is Modality.ASSERTED:
            return _update(draft, memory, f"{about} is so now")
        if new.single and draft.modality is Modality.ASSERTED:
            return _update(draft, memory, f"more on {about}") if draft.replaces else (Verdict.COMPATIBLE, about)
        return Verdict.COMPATIBLE, about
    if new.attribute in FIXED and not draft.replaces:
        return Verdict.CONFLICT, f"another {about}, which does not change"
    if new.single or _same_value(new, old, draft.language):
        return _update(draft, memory, f"new {about}")
    return Verdict.COMPATIBLE, f"another {about}"


def _within(draft: Draft, new: Slot, old: Slot) -> bool:
    """Whether it tells where in the town kept somebody lives, without a word that they moved: 租在岳麓区 of 长沙,
    "renting in Neukölln" of Berlin."""
    words, places = pack(draft.language), _places(draft.language)
    if words.matcher("moves_home").search(draft.content) or words.matcher("part_of_town").search(old.value):
        return False
    if any(one not in old.value for one in places if new.value.startswith(one)):
        return False  # of another town that is named
    if words.matcher("part_of_town").search(new.value):
        return True
    rents = words.matcher("rents").search(draft.content) is not None
    return rents and old.value in places and new.value not in places


@cache
def _places(language: str) -> frozenset[str]:
    """The towns and countries that are known by name, as slots have them."""
    return frozenset(content_key(one) for one in lists(language).words["places"])


def _sign(statement: Draft | MemoryEntry, slot: Slot) -> Polarity:
    """Whether the value is so of it: "no longer vegan" denies nothing of the meat that it stands for."""
    meant = slot.attribute in TELLS_POLARITY and not _says(statement, slot)
    return Polarity.POSITIVE if meant else statement.polarity


def _same_value(new: Slot, old: Slot, language: str) -> bool:
    return new.value == old.value or same_number(new.value, old.value, language)


def _same_numbers(draft: Draft, memory: MemoryEntry) -> bool:
    """Whether the names, codes and numbers are the same, those in words too: three cats are not two."""
    mine, theirs = ({one.number for one in counted(each.content, each.language)} for each in (draft, memory))
    return exact(draft) == exact(memory) and mine == theirs


def _says(statement: Draft | MemoryEntry, slot: Slot) -> bool:
    """Whether the value stands in the statement as it is, not as another word for it."""
    return slot.value in content_key(statement.content)


def _update(draft: Draft, memory: MemoryEntry, reason: str) -> tuple[Verdict, str]:
    """UPDATE where the draft may retire the memory."""
    if outranked(draft, memory):
        return Verdict.UNSURE, f"{reason}, but less trusted"
    if draft.source.at < said_at(memory, draft):
        return Verdict.COMPATIBLE, f"{reason}, but said earlier"
    fulfils = draft.slot is not None and memory.slot is not None and draft.slot.value == memory.slot.value
    another_sort = _planned(draft) is not _planned(memory) and not (fulfils or _timed(draft) or _settles(draft))
    if not _describes(draft) or another_sort or begins_later(draft, memory):
        return Verdict.COMPATIBLE, f"{reason}, but not so yet"
    return Verdict.UPDATE, reason


def begins_later(draft: Draft, memory: MemoryEntry) -> bool:
    """Whether it is to be so only from a day to come on: until then holds what is so now."""
    start = draft.valid.start if draft.valid is not None else None
    if start is None or start <= draft.source.at or memory.modality is not Modality.ASSERTED:
        return False
    return bool(pack(draft.language).matcher("from_then").search(draft.source.quote))


def of_one_turn(draft: Draft, memory: MemoryEntry) -> bool:
    """Whether both were said in one breath: such statements go on from each other, and end nothing."""
    return any(source.turn_id == draft.source.turn_id for source in memory.sources)


def outranked(draft: Draft, memory: MemoryEntry) -> bool:
    """Whether the draft comes from a source that may not overwrite the memory. The user corrects even by hinting; what
    is not the user's own never overwrites what is more trusted, however it is put (SPEC W16)."""
    lower = TRUST_ORDER[draft.trust] < TRUST_ORDER[memory.trust]
    return lower and not (draft.replaces and TRUST_ORDER[draft.trust] >= TRUST_ORDER[Trust.USER_IMPLIED])


def said_at(memory: MemoryEntry, draft: Draft) -> datetime:
    return max((source.at for source in memory.sources), default=draft.source.at)


def overtaken(draft: Draft, memory: MemoryEntry) -> bool:
    """Whether the draft is news that came late: the memory, said after it, would have retired it."""
    said = said_at(memory, draft)
    if draft.source.at >= said or draft.slot is None:
        return False
    in_time = replace(draft, source=replace(draft.source, at=said + timedelta(seconds=1)))
    return compare(in_time, memory)[0] is Verdict.UPDATE


def _describes(draft: Draft) -> bool:
    return draft.modality in (Modality.ASSERTED, Modality.PLANNED)


def _timed(draft: Draft) -> bool:
    """Whether it says when something is: moving a meeting is no plan about the old time."""
    return draft.slot is not None and draft.slot.attribute.startswith("time ")


def _settles(draft: Draft) -> bool:
    """Whether it corrects an amount: what was meant to be and what is are the same thing then."""
    return draft.replaces and draft.slot is not None and draft.slot.attribute.startswith("amount")


def _planned(statement: Draft | MemoryEntry) -> bool:
    return statement.modality is Modality.PLANNED


def other_time(draft: Draft, memory: MemoryEntry) -> bool:
    if draft.valid is None or memory.valid is None:
        return False
    return (draft.valid.start, draft.valid.recurrence) != (memory.valid.start, memory.valid.recurrence)


def _by_words(draft: Draft, memory: MemoryEntry) -> tuple[Verdict, str]:
    """Without a slot on both sides: the same words with the same polarity and exact tokens, or a correction."""
    new, old = set(query_terms(same_kin(draft))), set(query_terms(same_kin(memory)))
    common = len(new & old)
    share = min(common / max(1, len(new)), common / max(1, len(old)))
    same_way = draft.polarity is memory.polarity and draft.modality is memory.modality
    if same_way and (share >= SAME_SHARE or _unframed(draft) == _unframed(memory)):
        same_tokens = exact(draft) == exact(memory) and _names(draft) == _names(memory)
        if same_tokens and not other_time(draft, memory) and not apart(draft, memory):
            return Verdict.DUPLICATE, "the same in other words"
    if takes_back(draft, memory) and not outranked(draft, memory):
        return Verdict.RETRACT, "it is asked for no more"
    if (revised := revises(draft, memory)) is not None:
        return _revised(draft, memory, revised)
    if share >= RELATED_SHARE and draft.polarity is not memory.polarity and draft.subject == memory.subject:
        return Verdict.CONFLICT, "the contrary, without a word that it changed"
    related = draft.subject == memory.subject != "user" or any(
        len(term) > 1 for term in (new & old) - of_change(draft.language)
    )
    return (Verdict.COMPATIBLE, "related") if related else (Verdict.UNRELATED, "other words")


def _unframed(statement: Draft | MemoryEntry) -> tuple[str, ...]:
    """Its terms without words that make a state or a habit of the same doing ("currently", "最近", "习惯")."""
    return query_terms(pack(statement.language).matcher("framing").sub(" ", statement.content))


def same_kin(statement: Draft | MemoryEntry) -> str:
    """The statement with one word for each relative, however it was called."""
    return with_one_kin(statement.content, pack(statement.language))


def _revised(draft: Draft, memory: MemoryEntry, revised: Revision) -> tuple[Verdict, str]:
    if outranked(draft, memory):
        return Verdict.UNSURE, f"{revised.reason}, but less trusted"
    if draft.source.at < said_at(memory, draft):
        return Verdict.COMPATIBLE, f"{revised.reason}, but said earlier"
    early = begins_later(draft, memory) or (_planned(draft) and not _planned(memory) and not draft.replaces)
    if not _describes(draft) or early:
        return Verdict.COMPATIBLE, f"{revised.reason}, but not so yet"
    return Verdict.UPDATE, revised.reason


def exact(statement: Draft | MemoryEntry) -> frozenset[str]:
    """Numbers and codes: where these differ, two statements never say the same."""
    return frozenset(token.casefold() for token in _EXACT.findall(statement.content))


def _names(statement: Draft | MemoryEntry) -> frozenset[str]:
    return frozenset(one.name.casefold() for one in statement.entities)
