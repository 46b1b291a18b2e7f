"""What news of something done fills in: "moved in yesterday" makes the planned home the home (SPEC W9).

Only where one memory of the same person tells what was meant: the plan, or, for who is back, where they lived before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from yinji.language.packs import Pack, pack
from yinji.language.text import content_key
from yinji.model import HOLDS, Draft, MemoryEntry, Modality, Polarity, Slot, Validity
from yinji.remember.states import DONE

Known = Callable[[str, str, str], Sequence[MemoryEntry]]
"""The memories of a subject that give an attribute, oldest first; of those that were superseded, what has a word."""


def settled(draft: Draft, known: Known) -> Draft:
    """The draft with the attribute that it fills in without saying its value; as it was when it fills in none."""
    if draft.slot is not None or draft.modality is not Modality.ASSERTED or draft.polarity is Polarity.NEGATIVE:
        return draft
    words = pack(draft.language)
    return _as_planned(draft, known, words) or _as_before(draft, known, words) or draft


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
