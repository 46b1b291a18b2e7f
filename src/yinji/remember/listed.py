"""Several things that one clause says of somebody in one breath, and what is left of it when news takes one of them:
"allergic to eggs and cashews", 会日语和法语, "plays bowls and is treasurer of the club"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from yinji.language.packs import Pack

MOST = 6
"""Things of a list that is taken apart."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Listed:
    """A clause as its things, with what stands before all of them and behind them."""

    before: str
    things: tuple[str, ...]
    behind: str

    def only(self, kept: Sequence[str], words: Pack) -> str:
        """The clause with some of its things."""
        joint, last = words.tables["listing"]["between"], words.tables["listing"]["last"]
        told = f"{joint.join(kept[:-1])}{last}{kept[-1]}" if len(kept) > 1 else kept[0]
        behind = self.behind if len(kept) > 1 else words.matcher("of_all").sub("", self.behind)
        return f"{self.before}{told}{behind}"


def listed(clause: str, words: Pack) -> Listed | None:
    """The things of a clause that has several; None for any other."""
    joints = list(words.matcher("list_joint").finditer(clause))
    if not 0 < len(joints) < MOST:
        return None
    edges = [0, *(at for one in joints for at in one.span()), len(clause)]
    parts = [clause[edges[at] : edges[at + 1]] for at in range(0, len(edges), 2)]
    verbal = words.matcher("finite_word").search(parts[-1]) if words.language == "en" else None
    if verbal is not None:
        return _predicates(clause[: edges[-3]], parts[-1], words)
    lead = words.matcher("list_lead").match(parts[0])
    tail = words.matcher("list_tail").search(parts[-1])
    end = tail.start() if tail is not None else len(parts[-1])
    if lead is None or not parts[0][lead.end() :].strip() or not parts[-1][:end].strip():
        return None
    things = (parts[0][lead.end() :], *parts[1:-1], parts[-1][:end])
    return Listed(before=parts[0][: lead.end()], things=things, behind=parts[-1][end:])


def _predicates(first: str, second: str, words: Pack) -> Listed | None:
    """Two things that somebody does; the second is told of him too."""
    subject, own = words.matcher("list_subject").match(first), words.matcher("list_subject").match(second)
    if subject is None or (own is not None and own[0].lower() != subject[0].lower()):
        return None
    said = second[own.end() :] if own is not None else second
    return Listed(before=subject[0], things=(first[subject.end() :], said), behind="")


def without(clause: str, touched: Callable[[str], bool], words: Pack) -> str | None:
    """The clause without the things that are touched; None where all or none of them are, or there is no list."""
    found = listed(clause, words)
    if found is None:
        return None
    kept = [one for one in found.things if not touched(one)]
    return found.only(kept, words) if 0 < len(kept) < len(found.things) else None
