"""What was not kept, what is held, first questions, and what was of use."""

from __future__ import annotations

import json
import sys
from collections import Counter

from yinji.errors import InvalidInput
from yinji.interfaces.cli.call import Call, standard_input, typed_at
from yinji.interfaces.cli.entry import DONE
from yinji.interfaces.cli.show import local, short, shortened, tell_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from yinji.review import Dropped, OnboardingQuestion

WIDTH = 60
"""Columns of a text in a list."""


def list_unkept(call: Call) -> int:
    """``yinji list --dropped`` and ``--digests``."""
    return _digests(call) if call.options.digests else _dropped(call)


def _dropped(call: Call) -> int:
    with call.memory(reads=True) as memory:
        found = memory.dropped(limit=call.options.limit)
    return _pieces(call, found, "dropped.nothing")


def _digests(call: Call) -> int:
    with call.memory(reads=True) as memory:
        found = memory.digests()
    if call.screen.json:
        call.screen.value(found)
        return DONE
    titles = [call.say(f"column.{name}") for name in ("day", "pieces", "content")]
    rows = ((one.day.isoformat(), str(one.pieces), line) for one in found for line in one.text.split("\n"))
    call.screen.rows(titles, rows)
    if not found:
        call.screen.note(call.say("digests.nothing"))
    return DONE


def _pieces(call: Call, found: Sequence[Dropped], nothing: str) -> int:
    if call.screen.json:
        call.screen.value(found)
        return DONE
    titles = [call.say(f"column.{name}") for name in ("number", "said", "from", "reason", "content")]
    call.screen.rows(titles, (_row(call, one) for one in found))
    if not found:
        call.screen.note(call.say(nothing))
    return DONE


def _row(call: Call, one: Dropped) -> tuple[str, ...]:
    reason = call.say.term("drop", one.reason.value)
    return str(one.number), local(one.said_at), one.role.value, reason, shortened(one.text, WIDTH)


def quarantine(call: Call) -> int:
    options = call.options
    if options.action == "list":
        with call.memory(reads=True) as memory:
            return _pieces(call, memory.quarantine(limit=options.limit), "quarantine.nothing")
    if options.number is None:
        raise InvalidInput(
            what=call.say("quarantine.number"),
            problem=call.say("quarantine.missing"),
            hint=call.say("quarantine.hint"),
        )
    return {"show": _show, "release": _release, "delete": _delete}[options.action](call)


def _show(call: Call) -> int:
    with call.memory(reads=True) as memory:
        held = memory.held(call.options.number)
    call.screen.value(held) if call.screen.json else call.screen.data(held.text)
    return DONE


def _release(call: Call) -> int:
    with call.memory() as memory:
        entry = memory.release(call.options.number)
    if call.screen.json:
        call.screen.value(entry)
        return DONE
    call.screen.data(call.say("quarantine.released"))
    tell_memory(call.screen, entry, "✓", "green")
    return DONE


def _delete(call: Call) -> int:
    with call.memory() as memory:
        gone = memory.discard(call.options.number)
    call.screen.value(gone) if call.screen.json else call.screen.data(call.say("quarantine.deleted"))
    return DONE


def feedback(call: Call) -> int:
    ids = call.options.of
    verdict = "irrelevant" if call.options.irrelevant else "used"
    with call.memory() as memory:
        recorded = memory.feedback(ids, verdict)
    if call.screen.json:
        call.screen.value(recorded)
    elif ids:
        call.screen.data(call.say("feedback.done", n=len(ids)))
    else:
        counted = Counter((one.memory_id, one.verdict.value) for one in recorded)
        titles = [call.say(f"column.{name}") for name in ("memory", "verdict", "times")]
        rows = ((short(id), call.say.term("verdict", said), str(n)) for (id, said), n in counted.items())
        call.screen.rows(titles, rows)
        if not recorded:
            call.screen.note(call.say("feedback.nothing"))
    return DONE


def onboard(call: Call) -> int:
    """Asks on a terminal; off one the answers come as JSON on standard input."""
    with call.new_memory() as memory:
        asked = memory.onboarding(language=call.say.language)
        if call.options.questions:
            return _questions(call, asked)
        answers = _asked(call, asked) if typed_at() and not call.screen.json else _given(call)
        kept = memory.onboard(answers, language=call.say.language)
    if call.screen.json:
        call.screen.value(kept)
        return DONE
    for one in (entry for outcome in kept for entry in (*outcome.added, *outcome.reinforced)):
        tell_memory(call.screen, one, "✓", "green")
    call.screen.note(call.say("onboard.done", n=len(kept)))
    return DONE


def _questions(call: Call, asked: Sequence[OnboardingQuestion]) -> int:
    if call.screen.json:
        call.screen.value(asked)
        return DONE
    for one in asked:
        call.screen.data(f"{one.id}\t{_worded(one)}")
    return DONE


def _worded(one: OnboardingQuestion) -> str:
    choices = " / ".join(f"{number} {words}" for number, (_, words) in enumerate(one.choices, 1))
    return f"{one.ask} ({choices})" if choices else one.ask


def _asked(call: Call, asked: Sequence[OnboardingQuestion]) -> dict[str, str]:
    call.screen.note(call.say("onboard.skip"))
    answers: dict[str, str] = {}
    for one in asked:
        answers[one.id] = _typed(one)
        while one.choices and answers[one.id].isdecimal() and not 0 < int(answers[one.id]) <= len(one.choices):
            answers[one.id] = _typed(one)
    return answers


def _typed(one: OnboardingQuestion) -> str:
    sys.stderr.write(f"{_worded(one)} ")
    sys.stderr.flush()
    return sys.stdin.readline().strip()


def _given(call: Call) -> dict[str, str]:
    try:
        read = json.loads(standard_input(call.say) or "{}")
    except json.JSONDecodeError:
        read = None
    if not isinstance(read, dict):
        raise InvalidInput(
            what=call.say("onboard.answers"), problem=call.say("onboard.not_json"), hint=call.say("onboard.hint")
        )
    return read
