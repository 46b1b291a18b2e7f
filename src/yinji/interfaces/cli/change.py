"""What the user changes: edit, pin, forget, erase, undo."""

from __future__ import annotations

from yinji.errors import InvalidInput
from yinji.interfaces.cli.call import Call
from yinji.interfaces.cli.entry import DONE
from yinji.interfaces.cli.show import short, tell_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from yinji.model import Erasure, MemoryEntry


def edit(call: Call) -> int:
    options = call.options
    changes = {
        "content": options.content,
        "kind": options.kind,
        "layer": options.layer,
        "importance": options.importance,
        "scenes": options.scene,
    }
    if all(value is None for value in changes.values()):
        raise InvalidInput(what=call.say("edit.what"), problem=call.say("edit.nothing"), hint=call.say("edit.hint"))
    with call.memory() as memory:
        return _shown(call, memory.edit(options.id, **changes), "edit.done")


def pin(call: Call) -> int:
    pinned = not call.options.unpin
    with call.memory() as memory:
        return _shown(call, memory.pin(call.options.id, pinned), "pin.done" if pinned else "unpin.done")


def _shown(call: Call, entry: MemoryEntry, message: str) -> int:
    if call.screen.json:
        call.screen.value(entry)
    else:
        call.screen.data(call.say(message))
        tell_memory(call.screen, entry, "✓", "green")
    return DONE


def forget(call: Call) -> int:
    """Hides, which can be undone; ``--hard`` erases from the file, after asking."""
    options = call.options
    with call.memory() as memory:
        if options.hard:
            found = [memory.get(id) for id in options.ids]
            call.confirm("\n".join([call.say("forget.confirm"), *(f"  {one.content}" for one in found)]))
        forgotten = memory.forget(options.ids, hard=options.hard)
    if call.screen.json:
        call.screen.value(forgotten)
    elif forgotten.erasure is not None:
        _receipt(call, forgotten.erasure)
    else:
        for entry in forgotten.hidden:
            tell_memory(call.screen, entry, "−", "yellow")
        call.screen.data(call.say("forget.done", n=len(forgotten.hidden)))
    return DONE


def erase(call: Call) -> int:
    """Everything of the owner."""
    with call.memory() as memory:
        counted = memory.stats()
        kept = counted.memories + counted.hidden
        question = call.say("erase.confirm", owner=call.owner, memories=kept, turns=counted.turns)
        more = call.say("erase.documents", documents=counted.documents) + " " if counted.documents else ""
        call.confirm(more + question)
        erasure = memory.erase(call.owner)
    if call.screen.json:
        call.screen.value(erasure)
    else:
        _receipt(call, erasure)
    return DONE


def _receipt(call: Call, erasure: Erasure) -> None:
    say, screen = call.say, call.screen
    screen.data(say("erased", memories=erasure.memories, turns=erasure.turns))
    if erasure.documents:
        screen.data(say("erased.documents", documents=erasure.documents))
    proof = "erased.proved" if erasure.proved else "erased.found"
    screen.data(
        screen.styled(
            say(proof, probes=erasure.probes, files=", ".join(erasure.files), found=erasure.found),
            "green" if erasure.proved else "red",
        )
    )
    if erasure.shared:
        screen.data(say("erased.shared", shared=erasure.shared))


def undo(call: Call) -> int:
    with call.memory() as memory:
        entry = memory.undo(call.options.entry)
    if call.screen.json:
        call.screen.value(entry)
    else:
        call.screen.data(
            call.say(
                "undo.done",
                action=call.say.term("action", entry.action),
                memory=short(entry.memory_id or ""),
                id=entry.id,
            )
        )
        for about in entry.memories:
            tell_memory(call.screen, about, "⌫" if about.hidden_at else "✓", "yellow" if about.hidden_at else "green")
    return DONE
