"""What a statement is to each of the memories that may matter, read in its own words and in those of its turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING

from yinji.config import RememberSettings
from yinji.language.text import query_terms
from yinji.model import Draft, Drop, Judgement, MemoryEntry, Turn, Verdict
from yinji.remember.discern import Told, tell_twice
from yinji.remember.judge import LONGEST_READ, as_said, judge, kept_as, told_by
from yinji.remember.reconcile import of_one_turn, outranked
from yinji.remember.whose import apart

if TYPE_CHECKING:
    from yinji.ports import Vector


LOOKED_AT = 4
"""Memories that a statement is held beside by the tuned layers, the nearest: each costs as much as embedding a text."""
ROUNDED = 1e-6
"""By which two cosines of the same texts may differ."""
OVERWRITING = (Verdict.UPDATE, Verdict.CONFLICT, Verdict.RETRACT)
"""What ends or disputes a memory."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Heard:
    """A statement with its vector; ``drop`` where the gate let it go and only a memory can make something of it."""

    draft: Draft
    vector: Vector | None
    drop: Drop | None = None


def beside(
    one: Heard,
    heard: Sequence[Heard],
    *,
    turn: Turn,
    memories: Sequence[MemoryEntry],
    vectors: Mapping[str, Vector],
    embedder: object,
    settings: RememberSettings,
) -> list[Judgement]:
    """``heard``: all statements of the turn; a memory that another of them is nearer to is left to that."""
    pairs = {id: (one.vector, vector) for id, vector in vectors.items() if one.vector is not None}
    told = _told(one.draft, as_said(one.draft, turn), memories, pairs, embedder)
    of_another = max((told[each.id].ends for each in memories if _is_of_another(one.draft, each, told)), default=-inf)
    said, found, nearest = told_by(one.draft, turn), [], _nearest(one, heard, memories, vectors)
    for memory in memories:
        judgement = judge(
            one.draft,
            said,
            memory,
            pairs.get(memory.id),
            settings,
            told=told.get(memory.id),
            nearest=memory.id in nearest,
        )
        if judgement is None:
            continue
        if told and (memory.id not in told or told[memory.id].ends < of_another):
            judgement = _left_standing(judgement)
        found.append(_within_trust(judgement, one.draft))
    return found


def _told(
    draft: Draft,
    said: str,
    memories: Sequence[MemoryEntry],
    pairs: Mapping[str, tuple[Vector, Vector]],
    embedder: object,
) -> dict[str, Told]:
    """What the tuned layers say of the nearest memories, and of those without a vector, beside what was said."""
    read = [one for one in memories if one.language == draft.language and not of_one_turn(draft, one)]
    near = [(float(pairs[one.id][0] @ pairs[one.id][1]) if one.id in pairs else 1.0, one) for one in read]
    asked = [one for _, one in sorted(near, key=lambda each: -each[0])[:LOOKED_AT]]
    told = tell_twice(
        embedder,
        [(kept_as(one).text[:LONGEST_READ], said) for one in asked],
        [(one.content, draft.content) for one in asked],
    )
    return {one.id: each for one, each in zip(asked, told, strict=True) if each is not None}


def _nearest(
    one: Heard, heard: Sequence[Heard], memories: Sequence[MemoryEntry], vectors: Mapping[str, Vector]
) -> set[str]:
    """Of which memories the statement, of all of its turn, is about what they are about; of equal ones the first is."""
    if len(heard) == 1:
        return {memory.id for memory in memories}
    own, cosines = next(at for at, each in enumerate(heard) if each is one), _cosines(heard, vectors)

    def first(memory: MemoryEntry) -> int:
        known = cosines.get(memory.id, {})
        near = [known[at] if at in known else _shared(memory, each) for at, each in enumerate(heard)]
        least = max(near) - ROUNDED
        return next(at for at, each in enumerate(near) if each >= least)

    return {memory.id for memory in memories if first(memory) == own}


def _cosines(heard: Sequence[Heard], vectors: Mapping[str, Vector]) -> dict[str, dict[int, float]]:
    """For each memory with a vector, how near each statement is that has one, by its place."""
    import numpy as np

    said = {at: each.vector for at, each in enumerate(heard) if each.vector is not None}
    if not said or not vectors:
        return {}
    near = (np.array([*vectors.values()]) @ np.array([*said.values()]).T).tolist()
    return {id: dict(zip(said, row, strict=True)) for id, row in zip(vectors, near, strict=True)}


def _shared(memory: MemoryEntry, one: Heard) -> float:
    """Share of the statement's telling words that the memory has."""
    words, own = set(query_terms(memory.content)), set(query_terms(one.draft.content))
    return len(words & own) / max(1, len(own))


def _is_of_another(draft: Draft, memory: MemoryEntry, told: Mapping[str, Told]) -> bool:
    """Whether a memory that was read is of another person than the draft, as far as that is told."""
    return memory.id in told and apart(draft, memory)


def _left_standing(judgement: Judgement) -> Judgement:
    """The same, without an end that was only learned: what was not read beside the news is not near enough to it, or
    what it rather ends is somebody else's ("my sister is moving", then "all moved, I'm beat")."""
    learned = judgement.chance < 1.0 and judgement.verdict is Verdict.UPDATE
    return replace(judgement, sure=False) if learned else judgement


def _within_trust(judgement: Judgement, draft: Draft) -> Judgement:
    """The same, unless it would let a source overwrite or dispute what is more trusted than itself (SPEC W16)."""
    if judgement.verdict not in OVERWRITING or not outranked(draft, judgement.memory):
        return judgement
    return replace(judgement, verdict=Verdict.UNSURE, chance=1.0, reason=f"{judgement.reason}, but less trusted")
