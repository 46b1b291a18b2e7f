"""Whether a memory is in the scope of a question, told in the core by the rule that stores filter with."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from yinji.model import Fate, Interval, MemoryEntry, Scope, Validity

MIN, MAX = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
NO_LONGER = {
    Validity.SUPERSEDED: Fate.SUPERSEDED,
    Validity.EXPIRED: Fate.EXPIRED,
    Validity.RETRACTED: Fate.RETRACTED,
    Validity.DISPUTED: Fate.DISPUTED,
}


def outside(memory: MemoryEntry, scope: Scope) -> Fate | None:
    """What keeps a memory out of a scope; None when it is in it. The same rule as the store's own filter."""
    if memory.hidden_at is not None and not scope.hidden:
        return Fate.HIDDEN
    if scope.as_of is not None:
        retired = memory.retired_at is not None and memory.retired_at <= scope.as_of
        if memory.recorded_at > scope.as_of or retired:
            return Fate.NOT_THEN
    elif scope.validity is not None and memory.validity not in scope.validity:
        return NO_LONGER.get(memory.validity, Fate.NOT_THEN)
    if scope.kinds is not None and memory.kind not in scope.kinds:
        return Fate.OTHER_KIND
    if scope.scenes is not None and not scope.scenes & set(memory.scenes):
        return Fate.OTHER_SCENE
    return None if scope.during is None or _was_so(memory, scope.during) else Fate.NOT_THEN


def _was_so(memory: MemoryEntry, during: Interval) -> bool:
    """Whether it was true at some time of the stretch; what has no length is a moment that something may cover."""
    since, until = _ends(during)
    start, end = _ends(memory.valid) if memory.valid else (MIN, MAX)
    replaced = memory.validity is Validity.SUPERSEDED and memory.retired_at is not None and memory.retired_at <= since
    return start < until and end > since and not replaced


def _ends(interval: Interval) -> tuple[datetime, datetime]:
    start, end = interval.start or MIN, interval.end or MAX
    return start, max(end, start + timedelta(microseconds=1)) if interval.start and interval.end else end
