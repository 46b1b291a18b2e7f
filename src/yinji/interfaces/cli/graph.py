"""What hangs together with a name, as a tree."""

from __future__ import annotations

from yinji.interfaces.cli.call import Call
from yinji.interfaces.cli.entry import DONE
from yinji.interfaces.cli.show import local, short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from yinji.model import Edge

INDENT = "   "
BRANCH = "└─ "


def graph(call: Call) -> int:
    with call.memory(reads=True) as memory:
        found = memory.graph(call.options.name, steps=call.options.steps, as_of=call.options.as_of)
    if call.screen.json:
        call.screen.value(found)
        return DONE
    call.screen.data(call.screen.styled(call.options.name, "bold"))
    told: set[tuple[str, ...]] = set()
    for edge in sorted(found.edges, key=lambda one: (one.path, -one.strength)):
        _tell(call, edge, told)
    return DONE


def _tell(call: Call, edge: Edge, told: set[tuple[str, ...]]) -> None:
    """The memory under the name that led to it; a name is told once, however many memories hold it."""
    screen = call.screen
    if len(edge.path) > 1 and edge.path not in told:
        screen.data(INDENT * (len(edge.path) - 1) + BRANCH + screen.styled(edge.path[-1], "cyan"))
    told.add(edge.path)
    start = INDENT * len(edge.path)
    about = f" · {call.say.phrase(edge.relation)}" if edge.relation else ""
    screen.hanging(start, start, edge.memory.content)
    screen.data(screen.styled(f"{start}{local(edge.memory.recorded_at)}{about} · {short(edge.memory.id)}", "dim"))
