"""What news of something done fills in: "moved in yesterday" makes the planned home the home (SPEC W9).

Only where one memory of the same person tells what was meant: the plan, or, for who is back, where they lived before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from yinji.language.packs import Pack, pack
from yinji.language.text import content_key, query_terms
from yinji.language.time.follow import nearest_day
from yinji.model import HOLDS, Draft, Grain, Interval, MemoryEntry, Modality, Polarity, Slot, Validity
from yinji.remember.drafts import written
from yinji.remember.states import DONE

Known = Callable[[str, str, str], Sequence[MemoryEntry]]
"""The memories of a subject that give an attribute, oldest first; of those that were superseded, what has a word."""


def settled(draft: Draft, known: Known) -> Draft:
    """The draft with the attribute that it fills in without saying its value; as it was when it fills in none."""
    if draft.slot is not None or draft.modality is not Modality.ASSERTED or draft.polarity is Polarity.NEGATIVE:
        return draft
    words = pack(draft.language)
    return _as_planned(draft, known, words) or _as_before(draft, known, words) or draft


def put_off(draft: Draft, kept: Callable[[], Sequence[MemoryEntry]]) -> Draft:
    """The draft with a day of some month as of the month of what was put off: a wedding in September that is pushed to
    the 19th is in September. ``kept``: what it may be about."""
    words, valid = pack(draft.language), draft.valid
    if valid is None or valid.start is None or not words.matcher("bare_day").fullmatch(valid.text.strip()):
        return draft
    found = (one.search(draft.source.quote) for one in words.matchers("put_off_to"))
    moved = next((one["what"] for one in found if one is not None), "")
    about = {term for term in query_terms(moved) if len(term) > 1}
    planned = [one for one in kept() if about and _to_come(one, draft) and about <= set(query_terms(one.content))]
    if len(planned) != 1 or planned[0].valid is None or planned[0].valid.start is None:
        return draft
    day = nearest_day(valid.start.day, planned[0].valid.start.astimezone(valid.start.tzinfo))
    if day is None or day.date() == valid.start.date() or day <= draft.source.at:
        return draft
    told, meant = (_as_day(one, words) for one in (valid.start, day))
    by = day.date() - valid.start.date()
    later = replace(valid, start=valid.start + by, end=valid.end + by if valid.end is not None else None)
    return replace(draft, content=draft.content.replace(told, meant), valid=later)


def _to_come(memory: MemoryEntry, draft: Draft) -> bool:
    """Whether it tells of a day that was still to come when the draft was said."""
    start = memory.valid.start if memory.valid is not None else None
    return start is not None and start > draft.source.at and memory.language == draft.language


def _as_day(day: datetime, words: Pack) -> str:
    start = day.replace(hour=0, minute=0, second=0, microsecond=0)
    told = written(Interval(start=start, end=start + timedelta(days=1), grain=Grain.DAY), "", words)
    return words.matcher("date_preposition").sub("", told, count=1)


def takes_up(attribute: str, said: str, words: Pack) -> bool:
    """Whether it tells that a home or a job has just begun: the first day, the move that is done, who is back."""
    names = (f"done_{attribute}", *(("back_in",) if attribute == "residence" else ()))
    return any(words.matcher(name).search(said) for name in names)


def _as_planned(draft: Draft, known: Known, words: Pack) -> Draft | None:
    for attribute in DONE:
        if not words.matcher(f"done_{attribute}").search(draft.content):
            continue
        planned = [one for one in known(draft.subject, attribute, "") if one.modality is Modality.PLANNED]
        holding = [one for one in planned if one.validity in HOLDS and one.language == draft.language]
        if holding and (slot := holding[-1].slot) is not None and not _elsewhere(draft, slot):
            return replace(draft, slot=slot)
    return None


def _elsewhere(draft: Draft, slot: Slot) -> bool:
    """Whether another place or organisation is named than the one that was planned."""
    named = [content_key(one.name) for one in draft.entities if one.type in ("place", "organisation")]
    return bool(named) and not any(one in slot.value or slot.value in one for one in named)


def _as_before(draft: Draft, known: Known, words: Pack) -> Draft | None:
    """Who lived somewhere, moved away and is back there."""
    match = words.matcher("back_in").search(draft.content)
    if match is None or words.matcher("back_for").search(draft.content):
        return None
    lived, value = known(draft.subject, "residence", match["value"]), content_key(match["value"])
    now = [one.slot.value for one in lived if one.slot is not None and one.validity in HOLDS]
    before = [one.slot for one in lived if one.slot is not None and one.validity is Validity.SUPERSEDED]
    found = next((slot for slot in before if slot.value == value), None)
    return replace(draft, slot=found) if found is not None and now and value not in now else None
