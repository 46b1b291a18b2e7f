"""Keeps text that gives orders to an agent out of everything that is read from a turn (SPEC W16)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from yinji.language.injection import Attack, Read, attacks
from yinji.model import Drop, DropReason, Role, Turn


def quarantine(turn: Turn, *, point: float, read: Read | None = None) -> tuple[Turn, tuple[Drop, ...]]:
    """The turn with the passages that are held blanked, so that offsets stay; and those passages.

    Text from a tool or a page is held whole: nothing else of it is kept either, and the passage needs what is around
    it to be judged by the user.
    """
    found = attacks(turn.user, turn.role, point=point, read=read)
    held = [_passage(turn, one) for one in found]
    if found and turn.role not in (Role.USER, Role.IMPORT):
        held = [_held(turn.user, turn.role)]
    left = replace(turn, user=_blanked(turn.user, held))
    if turn.assistant and attacks(turn.assistant, Role.ASSISTANT, point=point):
        held.append(_held(turn.assistant, Role.ASSISTANT))
        left = replace(left, assistant=None)
    return left, tuple(held)


def _passage(turn: Turn, one: Attack) -> Drop:
    text = turn.user[one.start : one.end]
    return Drop(text=text, reason=DropReason.INJECTION, start=one.start, end=one.end, role=turn.role)


def _held(text: str, role: Role) -> Drop:
    return Drop(text=text, reason=DropReason.INJECTION, end=len(text), role=role)


def _blanked(text: str, held: Sequence[Drop]) -> str:
    for one in held:
        text = f"{text[: one.start]}{' ' * (one.end - one.start)}{text[one.end :]}"
    return text


def own_words(drops: Sequence[Drop], role: Role) -> tuple[Drop, ...]:
    """What the gate took for an order to the agent is, in the user's own words, just a command."""
    if role is not Role.USER:
        return tuple(drops)
    return tuple(
        replace(one, reason=DropReason.COMMAND) if one.reason is DropReason.INJECTION else one for one in drops
    )
