"""What the engine asks the user: which of two memories holds; and the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yinji.errors import InvalidInput
from yinji.interfaces.cli.call import Call
from yinji.interfaces.cli.entry import DONE
from yinji.interfaces.cli.show import local, short

if TYPE_CHECKING:
    from yinji.model import MemoryEntry, Question


def questions(call: Call) -> int:
    """Lists them; with a number and a choice, settles one."""
    options = call.options
    if options.question is not None:
        return _settle(call)
    with call.memory(reads=True) as memory:
        found = memory.questions(answered=options.answered)
    if call.screen.json:
        call.screen.value(found)
        return DONE
    titles = [call.say(f"column.{name}") for name in ("question", "when", "text", "answer")]
    call.screen.rows(titles, (_row(call, one) for one in found))
    call.screen.note(call.say("questions.how" if found and not options.answered else "questions.nothing"))
    return DONE


def _row(call: Call, question: Question) -> tuple[str, ...]:
    answer = call.say.term("choice", question.answer) if question.answer else ""
    return str(question.id), local(question.at), question.text, answer


def _settle(call: Call) -> int:
    options = call.options
    if options.choice is None:
        raise InvalidInput(what="The answer", problem="none was given", hint="Add one of: old, new, both, neither.")
    with call.memory() as memory:
        settled = memory.answer(options.question, options.choice)
    if call.screen.json:
        call.screen.value(settled)
    else:
        done = call.say("questions.done", old=_stands(call, settled.old), new=_stands(call, settled.new))
        call.screen.data(done)
    return DONE


def _stands(call: Call, memory: MemoryEntry) -> str:
    hidden = memory.hidden_at is not None
    return f"{short(memory.id)} {call.say('hidden') if hidden else call.say.term('validity', memory.validity.value)}"
