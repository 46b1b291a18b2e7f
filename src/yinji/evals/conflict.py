"""What becomes of what was known when something new is said.

``label``: what the new statement is to the old one: what was done, and where nothing was, what it was weighed to be.
``active``: which of the two holds afterwards. An old statement that the gate lets go is kept all the same
(``old_refused``): what the gate keeps has its own measure.
``wrongly_retired``: of old statements that still hold, the share that was retired. ``kept_stale``: of those that no
longer hold, the share that stayed. The floor takes the same words for a duplicate and all else for compatible.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from yinji.config import Settings
from yinji.evals.data import Line
from yinji.evals.labelled import labelled
from yinji.evals.report import Answer, Progress
from yinji.evals.retrieval import PREFIX, STORE, Open
from yinji.evals.said import also, spoken
from yinji.language.text import content_key
from yinji.model import HOLDS, Drop, DropReason, Turn, Validity, Verdict
from yinji.ownership.portability import plain
from yinji.remember.book import entry_of
from yinji.remember.second_look import second_look

if TYPE_CHECKING:
    from yinji.engine import Memory
    from yinji.model import Judgement, MemoryEntry


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    id: str
    lang: str
    split: str
    category: str
    old: Turn
    new: Turn
    labels: frozenset[str]
    active: frozenset[str]


def measure(data: Path, open_memory: Open, *, limit: int | None, progress: Progress) -> list[Answer]:
    """An answer for each pair, each with an owner of its own."""
    answers: list[Answer] = []
    with TemporaryDirectory(prefix=PREFIX) as folder, open_memory(Path(folder) / STORE) as memory:
        for name, cases in labelled(data, _case, limit):
            for done, case in enumerate(cases, 1):
                answers.append(_answer(case, name, memory))
                progress(name, done, len(cases))
    return answers


def _answer(case: Case, name: str, memory: Memory) -> Answer:
    (first,) = memory.remember_many([replace(case.old, id="", owner="")], owner=case.id)
    known = memory.list(owner=case.id, validity=None, limit=None)
    refused = not known
    if refused:
        _keep_all_the_same(case, first.turn_id, memory)
    weighed = memory.weigh(case.new.user, owner=case.id, session=case.new.session, at=case.new.at)
    started = time.perf_counter()
    memory.remember_many([replace(case.new, id="", owner="")], owner=case.id)
    ms = (time.perf_counter() - started) * 1000
    shown = memory.list(owner=case.id, validity=None, limit=None)
    hidden = memory.list(owner=case.id, validity="retracted", limit=None, hidden=True)
    after = [*shown, *(one for one in hidden if one not in shown)]
    old = [one for one in after if any(source.turn_id == first.turn_id for source in one.sources)]
    new = [one for one in after if any(source.turn_id != first.turn_id for source in one.sources)]
    doubted = any(one.verdict is Verdict.UNSURE for one in memory.questions(owner=case.id))
    label, active = _label(old, new, weighed, doubted=doubted), _active(old, new)
    values = {
        "label": float(label in case.labels),
        "active": float(active in case.active),
        "old_refused": float(refused),
        "ms": ms,
    }
    floor = "duplicate" if content_key(case.old.user) == content_key(case.new.user) else "compatible"
    below = {"label": float(floor in case.labels), "active": float("both" in case.active)}
    retired = float(not any(one.validity in HOLDS for one in old))
    holds = not case.active.isdisjoint({"old", "both"})
    values["wrongly_retired" if holds else "kept_stale"] = retired if holds else 1.0 - retired
    below["wrongly_retired" if holds else "kept_stale"] = 0.0 if holds else 1.0
    return Answer(
        set=name,
        id=case.id,
        text=f"{case.old.user} | {case.new.user}",
        lang=case.lang,
        category=f"{case.lang} {case.category}",
        split=f"{case.lang} {case.split}",
        values=values,
        floor=below,
        detail={
            "label": label,
            "active": active,
            "right": sorted(case.labels),
            "right_active": sorted(case.active),
            "after": [f"{one.content} [{one.validity}]" for one in after],
        },
    )


def _keep_all_the_same(case: Case, turn_id: str, memory: Memory) -> None:
    """What becomes of an old statement is asked here, not whether the gate keeps it: that has its own measure."""
    settings = Settings.load().remember
    turn = replace(case.old, id=turn_id, owner=case.id)
    drops = [Drop(text=turn.user, reason=DropReason.UNCERTAIN, end=len(turn.user))]
    ((draft, _),) = second_look(turn, drops, [], settings, every=True)
    entry = entry_of(draft, id=turn_id, owner=case.id, now=turn.at, model=None)
    memory.import_([plain(entry)], owner=case.id)


def _label(
    old: Sequence[MemoryEntry], new: Sequence[MemoryEntry], weighed: Sequence[Judgement], *, doubted: bool
) -> str:
    """From what was done; where nothing was, what the new statement was weighed to be, sure or not."""
    if any(one.validity is Validity.RETRACTED for one in old):
        return "retract"
    if any(one.validity is Validity.SUPERSEDED for one in old):
        return "update"
    if any(one in old for one in new):
        return "duplicate"
    if any(one.validity is Validity.DISPUTED for one in old):
        return "conflict"
    if doubted:
        return "unsure"
    return str(weighed[0].verdict) if weighed else str(Verdict.UNRELATED)


def _active(old: Sequence[MemoryEntry], new: Sequence[MemoryEntry]) -> str:
    holds = [any(one.validity in HOLDS for one in side) for side in (old, new)]
    if holds == [True, True]:
        return "old" if all(one in old for one in new) else "both"
    return "old" if holds[0] else "new" if holds[1] else "none"


def _case(line: Line) -> Case:
    row = dict(line.row)
    turns = []
    for seq, name in enumerate(("old", "new")):
        said = row.get(name)
        if not isinstance(said, dict):
            raise line.wrong(f"{name!r} must be an object with 'text' and 'at'")
        inner = Line(path=line.path, number=line.number, row=said)
        turns.append(spoken(inner.text("text"), inner.time("at"), seq=seq))
    return Case(
        id=line.name("id"),
        lang=line.name("lang"),
        split=line.text("split", ""),
        category=line.text("category", ""),
        old=turns[0],
        new=turns[1],
        labels=also(line, row, "label"),
        active=also(line, row, "active_after"),
    )
