"""Memories, times and quantities in the words and widths of a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from yinji.interfaces.cli.screen import Screen
from yinji.model import Drop, MemoryEntry

SHORT_ID = 8


def short(id: str) -> str:
    """The end of an id, which is its random part; commands take it in place of the whole."""
    return id[-SHORT_ID:]


def local(at: datetime | None) -> str:
    """A time in this machine's zone, to the minute; nothing for none."""
    return "" if at is None else at.astimezone().strftime("%Y-%m-%d %H:%M")


def memory_line(screen: Screen, memory: MemoryEntry, mark: str, style: str) -> str:
    kind = screen.say.term("kind", memory.kind.value)
    return f"  {screen.styled(mark, style)} {screen.styled(short(memory.id), 'dim')}  {kind}  {memory.content}"


def drop_line(screen: Screen, drop: Drop) -> str:
    reason = screen.say.term("drop", drop.reason.value)
    return f"  {screen.styled('·', 'dim')} {shortened(drop.text, 40)}  {screen.styled('— ' + reason, 'dim')}"


def shortened(text: str, width: int) -> str:
    """The text on one line of at most ``width`` columns, with an ellipsis where it was cut."""
    from yinji.interfaces.cli.widths import columns

    line = " ".join(text.split())
    if columns(line) <= width:
        return line
    while line and columns(line) > width - 1:
        line = line[:-1]
    return line + "…"


def size(count: int) -> str:
    """Bytes for people: ``3.4 MB``."""
    amount = float(count)
    for unit in ("B", "KB", "MB"):
        if amount < 1024:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1024
    return f"{amount:.1f} GB"


def pairs(screen: Screen, rows: Iterable[tuple[str, str]]) -> None:
    """``name  value`` lines with the values under one another; tab-separated off a terminal."""
    from yinji.interfaces.cli.widths import columns, hung, of_help

    told = list(rows)
    width = max((columns(name) for name, _ in told), default=0)
    for name, value in told:
        if screen.is_terminal:
            start = name + " " * (width - columns(name) + 2)
            first, *more = hung(start, value, of_help())
            screen.data(screen.styled(start, "dim") + first.removeprefix(start))
            for line in more:
                screen.data(line)
        else:
            screen.data(f"{name}\t{value}")
