"""A labelled case of something said: what comes before it as turns, its right answers, and the answer it was given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from yinji.evals.data import Line
from yinji.evals.report import Answer
from yinji.model import Draft, Turn
from yinji.remember.classify import Judged, to_judge
from yinji.remember.discern import worthy
from yinji.remember.kinds import in_kinds
from yinji.remember.weigh import EMBEDDER, Weighed, weigh, worths

AT = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)
"""When a case is said that does not tell."""

if TYPE_CHECKING:
    from yinji.ports import Embedder, Vector


class Said(Protocol):
    """What every labelled case of a text tells of itself."""

    @property
    def id(self) -> str: ...
    @property
    def lang(self) -> str: ...
    @property
    def split(self) -> str: ...
    @property
    def category(self) -> str: ...
    @property
    def text(self) -> str: ...


def answer_to(
    case: Said, name: str, values: dict[str, float], floor: dict[str, float], detail: dict[str, object]
) -> Answer:
    """What was measured of a case of the set ``name``, told apart by language, category and split."""
    return Answer(
        set=name,
        id=case.id,
        text=case.text,
        lang=case.lang,
        category=f"{case.lang} {case.category}",
        split=f"{case.lang} {case.split}",
        values=values,
        floor=floor,
        detail=detail,
    )


def weighed(turn: Turn, before: Sequence[Turn], embedder: Embedder | None) -> Weighed:
    """What the classifier thinks of a turn, as the pipeline asks it."""
    judged = to_judge(turn, before)
    vectors = vectors_of(judged, embedder)
    scores = worths(judged, vectors, worthy(embedder))
    return weigh(turn, judged, scores, embedded=all(one is not None for one in vectors))


def vectors_of(judged: Sequence[Judged], embedder: Embedder | None) -> list[Vector | None]:
    """What the classifier sees of each text; None without the model that it was trained on."""
    if embedder is None or embedder.card.id != EMBEDDER:
        return [None] * len(judged)
    return list(embedder.embed([one.embedded for one in judged], purpose="passage"))


def sorted_(drafts: Sequence[Draft], embedder: Embedder | None) -> list[Draft]:
    """The statements in their kinds, as the pipeline sorts them once they have vectors."""
    if not drafts or embedder is None or embedder.card.id != EMBEDDER:
        return list(drafts)
    return list(in_kinds(drafts, list(embedder.embed([one.content for one in drafts], purpose="passage"))))


def spoken(text: str, at: datetime, *, seq: int) -> Turn:
    return Turn(id=f"turn-{seq}", owner="eval", session="case", seq=seq, key=f"case#{seq}", user=text, at=at)


def turns_before(context: Sequence[str], at: datetime) -> list[Turn]:
    """The lines "user: ..." and "assistant: ..." as turns, oldest first; what has no such head is the user's."""
    turns: list[Turn] = []
    for line in context:
        who, _, said = line.partition(": ")
        if who == "assistant":
            if not turns or turns[-1].assistant is not None:
                turns.append(spoken("", at, seq=len(turns)))
            turns[-1] = replace(turns[-1], assistant=said)
        else:
            turns.append(spoken(said if who == "user" else line, at, seq=len(turns)))
    return turns


def also(line: Line, row: dict[str, object], name: str) -> frozenset[str]:
    """The right answers for a field: its own and those of ``NAME_also``."""
    given, more = row.get(name), row.get(f"{name}_also", [])
    if not isinstance(more, list):
        raise line.wrong(f"'{name}_also' must be a list, not {more!r}")
    return frozenset(str(one) for one in [given, *more] if one is not None)
