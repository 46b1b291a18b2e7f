"""``yinji demo``: a made-up conversation of some weeks, played into a store of its own through the public door.

Whatever the engine keeps, finds and erases is what is shown; only the conversation and the questions are prepared.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any, NamedTuple

from yinji import Memory, Recall, Remembered, Settings, Turn, shipped
from yinji.errors import ModelUnavailable
from yinji.interfaces.cli.call import Call
from yinji.interfaces.cli.entry import DONE
from yinji.interfaces.cli.show import shortened
from yinji.interfaces.cli.widths import columns, hung, wrapped
from yinji.model import Role

WIDTH = 78
LABEL = 21
MARGIN = 9


@dataclass
class Clock:
    """The conversation's own time."""

    now: datetime

    def __call__(self) -> datetime:
        return self.now


class Piece(NamedTuple):
    """What became of a piece of a turn, as one line tells it."""

    mark: str
    style: str
    text: str
    label: str

    @property
    def kept(self) -> bool:
        return self.style != "dim"


@dataclass
class Play:
    """One run of the demonstration: what is needed to tell it, and what it came to (for ``--json``)."""

    call: Call
    memory: Memory
    clock: Clock
    script: Mapping[str, Any]
    told: dict[str, object] = field(default_factory=dict)

    def line(self, text: str = "", style: str = "") -> None:
        if not self.call.screen.json:
            self.call.screen.data(self.call.screen.styled(text, style) if style else text)
            sys.stdout.flush()

    def say(self, key: str, **params: object) -> str:
        return self.call.say(f"demo.{key}", **params)


def demo(call: Call) -> int:
    began = time.monotonic()
    language = call.say.language
    script = json.loads(_data(f"{language}.json"))
    turns = [_turn(line) for line in _data(f"{language}.jsonl").splitlines()]
    with _folder(keep=call.options.keep) as folder:
        clock = Clock(turns[0].at)
        with call.progress() as progress:
            memory = Memory.open(
                folder / "demo.yinji", settings=_settings(call), clock=clock, progress=progress.fraction
            )
            play = Play(call, memory, clock, script)
            with memory:
                _introduce(play, turns)
                progress.stop()
                _listen(play, turns)
                for act in ACTS:
                    act(play)
        _close(play, time.monotonic() - began, folder)
    if call.screen.json:
        call.screen.value(play.told)
    return DONE


def _data(name: str) -> str:
    return shipped.text(f"demo/{name}")


def _turn(line: str) -> Turn:
    row = json.loads(line)
    return Turn(**{**row, "at": datetime.fromisoformat(row["at"])})


def _settings(call: Call) -> Settings:
    """The user's own; but weeks pass in seconds here, and the model must not be released for that."""
    return call.settings().with_values("embed", {"idle_minutes": 0.0})


@contextmanager
def _folder(*, keep: bool) -> Iterator[Path]:
    if keep:
        yield Path(mkdtemp(prefix="yinji-demo-"))
        return
    with TemporaryDirectory(prefix="yinji-demo-") as name:
        yield Path(name)


def _introduce(play: Play, turns: list[Turn]) -> None:
    weeks = round((turns[-1].at - turns[0].at).days / 7)
    play.line(play.say("title", turns=len(turns), weeks=weeks), "bold")
    play.line(play.say("own_store"), "dim")
    try:
        play.memory.warm_up()
    except ModelUnavailable as error:
        play.call.screen.note(play.call.say("warning") + play.call.say.error(error))


def _listen(play: Play, turns: list[Turn]) -> None:
    play.line()
    outcomes, day, began = [], "", time.monotonic()
    for turn in turns:
        play.clock.now = turn.at
        outcome = play.memory.remember_many([turn])[0]
        outcomes.append(outcome)
        for piece in _pieces(play, outcome):
            date = f"{turn.at:%m-%d}"
            _row(play, piece, date if date != day else "")
            day = date
    _count(play, outcomes, time.monotonic() - began)


def _pieces(play: Play, outcome: Remembered) -> Iterator[Piece]:
    term = play.call.say.term
    for memory in outcome.added:
        yield Piece("✓", "green", memory.content, term("kind", memory.kind.value))
    for memory in outcome.reinforced:
        yield Piece("=", "cyan", memory.content, term("drop", "duplicate"))
    for memory in outcome.superseded:
        yield Piece("↻", "yellow", memory.content, term("validity", memory.validity.value))
    for drop in outcome.drops:
        if drop.role is Role.USER:
            yield Piece("·", "dim", drop.text, term("drop", drop.reason.value))


def _row(play: Play, piece: Piece, date: str = "") -> None:
    """What was kept is shown whole, on as many lines as it takes; what was not is cut to one."""
    screen, room = play.call.screen, WIDTH - MARGIN - LABEL
    first, *more = wrapped(piece.text, room) if piece.kept else [shortened(piece.text, room)]
    padded = first + " " * (room - columns(first))
    body = padded if piece.kept else screen.styled(padded, "dim")
    label = screen.styled(piece.label, "dim")
    play.line(f"{date:<5}  {screen.styled(piece.mark, piece.style)} {body} {label}".rstrip())
    for line in more:
        play.line(" " * MARGIN + line)


def _count(play: Play, outcomes: list[Remembered], seconds: float) -> None:
    reasons = Counter(drop.reason.value for one in outcomes for drop in one.drops if drop.role is Role.USER)
    kept = sum(len(one.added) for one in outcomes)
    told = " · ".join(f"{play.call.say.term('drop', name)} {count}" for name, count in reasons.most_common())
    play.line()
    play.line(
        play.say("kept", turns=len(outcomes), kept=kept, drops=sum(reasons.values()), seconds=f"{seconds:.1f}"), "bold"
    )
    _hang(play, "  ", told, "dim")
    play.told |= {"turns": len(outcomes), "kept": kept, "drops": reasons, "outcomes": outcomes}


def _ask(play: Play, question: str, *, shown: int = 1, as_of: datetime | None = None) -> Recall:
    began = time.perf_counter()
    found = play.memory.recall(question, as_of=as_of, language=play.call.say.language)
    milliseconds = (time.perf_counter() - began) * 1000
    asked = question if as_of is None else play.say("as_of", date=f"{as_of:%Y-%m-%d}", question=question)
    play.line(f"  {play.say('question')}{asked}")
    for hit in found[:shown]:
        said = play.say("said", date=f"{hit.memory.recorded_at:%m-%d}", ms=f"{milliseconds:.0f}")
        _hang(play, "    → ", hit.memory.content, "green")
        _hang(play, "      ", f"{hit.why} {said}", "dim")
    if not found:
        play.line(f"    → {play.call.say('recall.nothing')}", "yellow")
    return found


def _hang(play: Play, start: str, text: str, style: str) -> None:
    for line in hung(start, text, WIDTH):
        play.line(line, style)


def _answer(play: Play) -> None:
    play.clock.now = datetime.fromisoformat(play.script["now"])
    _headline(play, "recall")
    play.told["answers"] = {question: _ask(play, question).hits[:1] for question in play.script["questions"]}


def _correct(play: Play) -> None:
    correction = play.script["correction"]
    _headline(play, "correct")
    _ask(play, correction["ask"])
    play.line(f"  {play.say('told')}{correction['say']}")
    outcome = play.memory.remember(correction["say"], wait=True)
    for piece in _pieces(play, outcome):
        _row(play, piece)
    now = _ask(play, correction["ask"])
    then = _ask(play, correction["ask"], as_of=datetime.fromisoformat(correction["as_of"]))
    play.told["correction"] = {"outcome": outcome, "now": now.hits[:1], "as_of": then.hits[:1]}


def _forget(play: Play) -> None:
    question = play.script["secret"]
    _headline(play, "forget")
    found = _ask(play, question)
    if not found:
        return
    erasure = play.memory.forget(found[0].memory.id, hard=True).erasure
    if erasure is None:
        return
    proof = "erased.proved" if erasure.proved else "erased.found"
    play.line(f"  {play.call.say('erased', memories=erasure.memories, turns=erasure.turns)}")
    told = play.call.say(proof, probes=erasure.probes, files=", ".join(erasure.files), found=erasure.found)
    _hang(play, "  ", told, "green" if erasure.proved else "red")
    again = play.memory.recall(question)
    gone = all(hit.memory.id != found[0].memory.id for hit in again)
    play.line(f"  {play.say('question')}{question}")
    play.line(f"    → {play.say('gone' if gone else 'still_there', n=len(again))}", "green" if gone else "red")
    play.told["erasure"] = {"before": found.hits[:1], "receipt": erasure, "gone": gone}


def _context(play: Play) -> None:
    _headline(play, "context")
    play.line(f"  {play.say('question')}{play.script['task']}")
    context = play.memory.context(play.script["task"], budget=300, language=play.call.say.language)
    for line in context.text.splitlines():
        _hang(play, "  ", line, "dim")
    play.line(f"  {play.call.say('context.cost', tokens=context.tokens, budget=context.budget, n=len(context.hits))}")
    play.told["context"] = context


ACTS = (_answer, _correct, _forget, _context)


def _headline(play: Play, key: str) -> None:
    play.line()
    play.line(play.say(f"headline.{key}"), "bold")


def _close(play: Play, seconds: float, folder: Path) -> None:
    command = _this_command()
    play.line()
    play.line(play.say("took", seconds=f"{seconds:.1f}"), "bold")
    if play.call.options.keep:
        play.line(play.say("kept_store", path=folder / "demo.yinji"))
    for text in (play.say("next.remember"), play.say("next.recall"), "--help"):
        play.line(f"  {command} {text}", "cyan")
    play.told["seconds"] = round(seconds, 2)
    if play.call.options.keep:
        play.told["store"] = folder / "demo.yinji"


def _this_command() -> str:
    """How the user called this program: ``yinji`` where that finds it, else the path that was typed."""
    typed = sys.argv[0]
    found = shutil.which("yinji")
    if found and os.path.realpath(found) == os.path.realpath(typed):
        return "yinji"
    return os.path.relpath(typed) if Path(typed).name.startswith("yinji") else "yinji"
