"""Turns as they may be written: checked, made clean, their secrets masked before anything reaches the file (W10)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import takewhile

from yinji.arguments import aware, message, name
from yinji.errors import InvalidInput
from yinji.language import sensitive
from yinji.language.sensitive import Policy
from yinji.model import Turn
from yinji.ports import Store

AHEAD = timedelta(days=1)
"""How far clocks and zones may differ; what was said later than that has probably another year in mind."""


@dataclass(kw_only=True, slots=True)
class Reception:
    """Where turns of one owner come in, in the order they were said."""

    owner: str
    store: Store
    policy: Policy
    turns_kept: int
    now: datetime
    new_id: Callable[[], str]
    _last: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """What was said last in each session that these turns belong to."""

    def receive(self, turns: Iterable[Turn]) -> list[tuple[Turn, tuple[str, ...]]]:
        """Each turn as it may be written, and what was done to it. Raises InvalidInput."""
        return [self._receive(turn) for turn in turns]

    def _receive(self, turn: Turn) -> tuple[Turn, tuple[str, ...]]:
        fit, warnings = self._checked(turn)
        before = self._last.get(fit.session) or self._said_last(fit)
        user, assistant = sensitive.mask_turn(fit.user, fit.assistant, self.policy, before=before)
        self._last[fit.session] = (user, assistant) if assistant else (user,)
        return replace(fit, user=user, assistant=assistant), warnings

    def _checked(self, turn: Turn) -> tuple[Turn, tuple[str, ...]]:
        if turn.owner and turn.owner != self.owner:
            raise InvalidInput(
                what="The turn",
                problem=f"it names the owner {turn.owner!r}, not {self.owner!r}",
                hint="Remember each owner's turns apart.",
            )
        user, replaced = message(turn.user, "The message")
        if not user.strip():
            raise InvalidInput(what="The message", problem="it is empty", hint="Say something to remember.")
        assistant = turn.assistant
        if assistant is not None:
            assistant, more = message(assistant, "The assistant's message")
            replaced += more
        warnings: tuple[str, ...] = (f"replaced:{replaced}",) if replaced else ()
        at = aware(turn.at, "at") or self.now
        if at > self.now + AHEAD:
            warnings += (f"ahead:{at.date().isoformat()}",)
        return replace(
            turn,
            owner=self.owner,
            user=user,
            assistant=assistant,
            at=at,
            session=name(turn.session, "The session"),
            key=name(turn.key, "The key") if turn.key else "",
            id=turn.id or self.new_id(),
        ), warnings

    def _said_last(self, turn: Turn) -> tuple[str, ...]:
        """What was said before a turn that may be the bare answer to it, such as a code."""
        if not sensitive.is_bare(turn.user):
            return ()
        seq = turn.seq if turn.seq >= 0 else None
        recent = self.store.recent_turns(turn.owner, turn.session, before_seq=seq, limit=self.turns_kept)
        # A turn that comes again is among them itself, and must be read as it was the first time.
        before = list(takewhile(lambda one: not turn.key or one.key != turn.key, recent))
        return tuple(one for one in (before[-1].user, before[-1].assistant) if one) if before else ()
