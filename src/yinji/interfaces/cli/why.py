"""Why a memory came or did not, and a picture of how the candidates of a question stood."""

from __future__ import annotations

from yinji.interfaces.cli.call import Call
from yinji.interfaces.cli.entry import DONE
from yinji.interfaces.cli.read import asked_with, question
from yinji.interfaces.cli.show import pairs, short, shortened, tell_drops

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from yinji.interfaces.cli.screen import Screen
    from yinji.model import PathRank, Recall, Why

BAR = 12
"""Columns of the longest bar."""
CONTENT = 36
FULL, EMPTY = "█", "·"


def why(call: Call) -> int:
    with call.memory(reads=True) as memory:
        told = memory.why(question(call), call.options.id, call.options.top_k, **asked_with(call))
    screen = call.screen
    if screen.json:
        screen.value(told)
        return DONE
    if told.memory is not None:
        screen.paragraph("", told.memory.content, "bold")
    screen.paragraph("", told.why, "green" if told.stage == "shown" else "yellow")
    tell_drops(screen, told.drops)
    pairs(screen, ((call.say(f"column.{name}"), value) for name, value in _details(call, told) if value))
    return DONE


def _details(call: Call, told: Why) -> Iterator[tuple[str, str]]:
    yield "stage", call.say.term("stage", told.stage)
    yield "rank", str(told.rank or "")
    yield "score", "" if told.score is None else f"{told.score:.2f}"
    yield "needed", "" if told.needed is None else f"{told.needed:.2f}"
    for one in told.paths:
        yield "path", _path(call, one)
    for name, amount in sorted(told.factors.items(), key=lambda one: -abs(one[1])):
        yield "factor", f"{call.say.term('factor', name)} {amount:+.2f}"
    yield "replaced_by", short(told.by or "")


def _path(call: Call, one: PathRank) -> str:
    name = call.say.term("path", one.path)
    return call.say("why.place", path=name, rank=one.rank) if one.rank else call.say("why.no_place", path=name)


def tell_trace(screen: Screen, found: Recall) -> None:
    """The candidates as a table: what each path saw, what moved the score, and where the cut fell."""
    say = screen.say
    shown = {hit.memory.id for hit in found.hits}
    paths = list(dict.fromkeys(path.path for one in found.trace for path in one.paths))
    titles = [say("column.rank"), *(say.term("path", path) for path in paths)]
    titles += [say("column.score"), say("column.id"), say("column.content")]
    most = max((abs(one.score) for one in found.trace), default=1.0)
    rows = [
        [
            str(place) if one.memory.id in shown else f"({place})",
            *_places(one.paths, paths),
            _bar(one.score, most, say.term("factor", _strongest(one.factors))),
            short(one.memory.id),
            shortened(one.memory.content, CONTENT),
        ]
        for place, one in enumerate(found.trace, 1)
    ]
    screen.rows(titles, rows)
    screen.note(say("trace.legend", shown=len(found.hits), n=len(found.trace)))
    took = " · ".join(f"{say.term('stage', stage)} {ms:.1f} ms" for stage, ms in found.stages_ms.items())
    screen.note(say("trace.took", stages=took))


def _places(ranks: Sequence[PathRank], paths: Sequence[str]) -> list[str]:
    by = {one.path: one for one in ranks}
    return [f"#{by[path].rank} {by[path].z:+.1f}" if path in by and by[path].rank else "–" for path in paths]


def _bar(score: float, most: float, strongest: str) -> str:
    filled = round(BAR * max(0.0, score) / most) if most else 0
    return f"{FULL * filled}{EMPTY * (BAR - filled)} {score:.2f} {strongest}"


def _strongest(factors: Mapping[str, float]) -> str:
    return max(factors, key=lambda name: factors[name], default="")
