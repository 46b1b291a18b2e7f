"""What goes in and out whole: remember, import, export."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from yinji.errors import InvalidInput
from yinji.interfaces.cli.call import Call, standard_input, typed_at
from yinji.interfaces.cli.entry import DONE, IMPORT, UNEXPECTED
from yinji.interfaces.cli.parser import UsageError
from yinji.interfaces.cli.show import tell_drops, tell_memory
from yinji.interfaces.wire import to_json
from yinji.model import Drop, DropReason, MemoryEntry, Remembered, Validity

TOLD_AT_THE_END = "not_read:"
"""What stopped the reading stops the command too, with the same sentence."""
OF_ONE_TURN = ("text", "assistant", "session", "seq", "turn_key", "at", "app")
"""Options of one turn, which a file has on each line."""
SHOWN_LINES = 20
LONGEST_DROP = 500
"""Characters of a text that was not kept which ``--json`` shows."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from yinji.interfaces.cli.screen import Screen


def remember(call: Call) -> int:
    """One turn from the arguments or standard input, or a file of turns."""
    options = call.options
    if options.file is not None:
        return _remember_file(call)
    text = _text(call)
    if options.explain:
        return _explain(call, text)
    waits = not options.no_wait
    with call.new_memory(waits=waits) as memory, call.progress() as progress:
        (outcome,) = memory.remember_many(
            [_turn(call, text)], wait=waits, progress=lambda done, total: progress.count("remember", done, total)
        )
    if call.screen.json:
        call.screen.value(_short(outcome))
    else:
        _tell(call.screen, outcome)
    return _code([outcome])


def _turn(call: Call, text: str) -> dict[str, object]:
    """The parts of a turn that the options give."""
    options = call.options
    given = {"seq": options.seq, "key": options.turn_key, "at": options.at, "assistant": options.assistant}
    parts = {"user": text, "session": options.session or "default", "role": options.role, "app": options.app}
    return {**parts, **{name: value for name, value in given.items() if value is not None}}


def _explain(call: Call, text: str) -> int:
    from yinji.interfaces.cli.explain import tell

    with call.memory(reads=True, any_owner=True) as memory:
        memory.flush()
        explained = memory.explain(text, session=call.options.session or "default", at=call.options.at)
    if call.screen.json:
        call.screen.value(explained)
    else:
        tell(call.screen, explained)
    return DONE


def _code(outcomes: Sequence[Remembered]) -> int:
    """A turn that could not be read is a bug: whoever runs this must not think that it was remembered."""
    failed = any(warning.startswith("failed:") for one in outcomes for warning in one.warnings)
    return UNEXPECTED if failed else DONE


def _text(call: Call) -> str:
    given: str | None = call.options.text
    if given not in (None, "-"):
        return str(given)
    if given is None and typed_at():
        raise InvalidInput(
            what=call.say("remember.what"), problem=call.say("remember.nothing"), hint=call.say("remember.hint")
        )
    return standard_input(call.say).rstrip("\r\n")


def _tell(screen: Screen, outcome: Remembered) -> None:
    say = screen.say
    if outcome.pending:
        screen.data(say("remember.pending"))
    if outcome.repeated:
        screen.note(say("remember.repeated"))
    for title, mark, style, memories in (
        ("remember.added", "✓", "green", outcome.added),
        ("remember.reinforced", "=", "cyan", outcome.reinforced),
        ("remember.superseded", "↻", "yellow", [one for one in outcome.superseded if not _is_forgotten(one)]),
        ("remember.forgotten", "⌫", "yellow", [one for one in outcome.superseded if _is_forgotten(one)]),
    ):
        if memories:
            screen.data(say(title, n=len(memories)))
            for memory in memories:
                tell_memory(screen, memory, mark, style)
    if drops := _untold(outcome):
        screen.data(say("remember.drops"))
        tell_drops(screen, drops)
        _tell_held(screen, drops)
    for warning in outcome.warnings:
        if not warning.startswith(TOLD_AT_THE_END):
            screen.note(f"{say('warning')}{say.warning(warning)}")


def _tell_held(screen: Screen, drops: Sequence[Drop]) -> None:
    if any(one.reason is DropReason.INJECTION for one in drops):
        screen.note(screen.say("remember.held"))


def _is_forgotten(memory: MemoryEntry) -> bool:
    return memory.validity is Validity.RETRACTED


def _untold(outcome: Remembered) -> list[Drop]:
    """What was not kept, without what is told as known already."""
    told = {DropReason.DUPLICATE} if outcome.reinforced else set()
    return [drop for drop in outcome.drops if drop.reason not in told]


def _short(outcome: Remembered) -> Any:
    """As JSON; of a long text that was not kept the beginning, with ``cut`` beside it (its place says its length)."""
    told: Any = to_json(outcome)
    for drop in told["drops"]:
        if len(drop["text"]) > LONGEST_DROP:
            drop |= {"text": drop["text"][:LONGEST_DROP], "cut": True}
    return told


def _remember_file(call: Call) -> int:
    from yinji.interfaces.cli.turns import read_turns

    source: Path = call.options.file
    if call.options.explain:
        raise UsageError(problem=call.say("explain.beside", name="--file"), hint="")
    if beside := [name for name in OF_ONE_TURN if getattr(call.options, name) is not None]:
        told = "TEXT" if beside[0] == "text" else f"--{beside[0].replace('_', '-')}"
        raise UsageError(problem=call.say("remember.beside", name=call.say.term("metavar", told)), hint="")
    turns = read_turns(source, call.say)
    with call.new_memory() as memory, call.progress() as progress:
        outcomes = memory.remember_many(turns, progress=lambda done, total: progress.count("remember", done, total))
    summary = _summary(outcomes)
    if call.screen.json:
        call.screen.value({**summary, "results": [_short(one) for one in outcomes]})
        return _code(outcomes)
    call.screen.data(call.say("remember.file", **summary))
    drops = [drop for one in outcomes for drop in one.drops]
    for reason, count in Counter(drop.reason.value for drop in drops).most_common():
        call.screen.data(f"  · {count} × {call.say.term('drop', reason)}")
    _tell_held(call.screen, drops)
    _tell_failed(call, outcomes)
    return _code(outcomes)


def _tell_failed(call: Call, outcomes: Sequence[Remembered]) -> None:
    warnings = Counter(warning for one in outcomes for warning in one.warnings)
    for warning, count in warnings.items():
        if not warning.startswith(TOLD_AT_THE_END):
            times = f"{count} × " if count > 1 else ""
            call.screen.note(f"{call.say('warning')}{times}{call.say.warning(warning)}")


def _summary(outcomes: Sequence[Remembered]) -> dict[str, int]:
    return {
        "turns": len(outcomes),
        "repeated": sum(one.repeated for one in outcomes),
        "added": sum(len(one.added) for one in outcomes),
        "superseded": sum(len(one.superseded) for one in outcomes),
        "drops": sum(len(one.drops) for one in outcomes),
    }


def import_(call: Call) -> int:
    """Exit code 6 when some lines could not be taken; the others are."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="yinji-") as folder:
        source = call.options.source
        if str(source) == "-":
            source = Path(folder) / "stdin.jsonl"
            source.write_text(standard_input(call.say), encoding="utf-8")
        with call.new_memory() as memory, call.progress() as progress:
            result = memory.import_(
                source,
                dry_run=call.options.dry_run,
                progress=lambda done, total: progress.count("import", done, total),
            )
    if call.screen.json:
        call.screen.value(result)
    else:
        call.screen.data(
            call.say("import.dry" if result.dry_run else "import.done", new=result.new, unchanged=result.unchanged)
        )
        if result.quarantined:
            call.screen.note(call.say("import.held", n=result.quarantined))
        for line, problem in result.errors[:SHOWN_LINES]:
            call.screen.note(call.say("import.line", line=line, problem=call.say.phrase(problem)))
        if more := len(result.errors[SHOWN_LINES:]):
            call.screen.note(call.say("import.more", n=more))
    return IMPORT if result.errors else DONE


def export(call: Call) -> int:
    target = call.options.target
    piped = str(target) == "-"
    if not piped and target.exists():
        call.confirm(call.say("export.exists", path=target))
    with call.memory(reads=True) as memory:
        if piped:
            memory.export(sys.stdout, hidden=call.options.hidden)
            return DONE
        with call.progress() as progress:
            count = memory.export(
                target,
                hidden=call.options.hidden,
                progress=lambda done, total: progress.count("export", done, total),
            )
    if call.screen.json:
        call.screen.value({"exported": count, "target": target})
    else:
        call.screen.note(call.say("export.done", n=count, path=target))
    return DONE
