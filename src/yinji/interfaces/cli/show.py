"""Memories, times and quantities in the words and widths of a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

from yinji.interfaces.cli.screen import Screen
from yinji.model import Drop, MemoryEntry

SHORT_ID = 8
SHOWN_DROPS = 20
LONGEST_LOOK = 8
"""How many characters for a column are looked at when a text is shortened: a pasted book is not read to its end."""


def short(id: str) -> str:
    """The end of an id, which is its random part; commands take it in place of the whole."""
    return id[-SHORT_ID:]


def local(at: datetime | None) -> str:
    """A time in this machine's zone, to the minute; nothing for none."""
    return "" if at is None else at.astimezone().strftime("%Y-%m-%d %H:%M")


def tell_memory(screen: Screen, memory: MemoryEntry, mark: str, style: str) -> None:
    """A line for a memory, on a terminal broken under its content."""
    kind = screen.say.term("kind", memory.kind.value)
    plain = f"  {mark} {short(memory.id)}  {kind}  "
    styled = f"  {screen.styled(mark, style)} {screen.styled(short(memory.id), 'dim')}  {kind}  "
    screen.hanging(plain, styled, memory.content)


def tell_drops(screen: Screen, drops: Sequence[Drop]) -> None:
    """What was not kept and why: the first of it line by line, the rest as numbers."""
    for drop in drops[:SHOWN_DROPS]:
        screen.data(drop_line(screen, drop))
    if rest := drops[SHOWN_DROPS:]:
        reasons = Counter(drop.reason.value for drop in rest).most_common()
        told = " · ".join(f"{screen.say.term('drop', reason)} {count}" for reason, count in reasons)
        screen.hanging("  ", "  ", screen.say("remember.more_drops", n=len(rest), reasons=told))


def drop_line(screen: Screen, drop: Drop) -> str:
    reason = screen.say.term("drop", drop.reason.value)
    return f"  {screen.styled('·', 'dim')} {shortened(drop.text, 40)}  {screen.styled('— ' + reason, 'dim')}"


def shortened(text: str, width: int) -> str:
    """The text on one line of at most ``width`` columns, with an ellipsis where it was cut."""
    from yinji.interfaces.cli.widths import columns

    start, rest = text[: width * LONGEST_LOOK], text[width * LONGEST_LOOK :]
    line = " ".join(start.split())
    if not rest and columns(line) <= width:
        return line
    used = 0
    for at, one in enumerate(line):
        used += columns(one)
        if used >= width:
            return line[:at] + "…"
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
    from yinji.interfaces.cli.widths import columns

    told = list(rows)
    width = max((columns(name) for name, _ in told), default=0)
    for name, value in told:
        if screen.is_terminal:
            start = name + " " * (width - columns(name) + 2)
            screen.hanging(start, screen.styled(start, "dim"), value)
        else:
            screen.data(f"{name}\t{value}")
