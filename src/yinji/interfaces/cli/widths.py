"""How many columns text takes, and breaking it into lines: a Chinese character is two columns wide."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable


def of_help() -> int:
    """How wide help may be: the terminal, or COLUMNS, between 40 and 98."""
    try:
        wide = int(os.environ.get("COLUMNS") or os.get_terminal_size(sys.stdout.fileno()).columns)
    except (OSError, ValueError, AttributeError):
        wide = 80
    return max(40, min(wide, 100) - 2)


def hung(start: str, text: str, width: int) -> list[str]:
    """The text after ``start``, its further lines set under its first."""
    room = width - columns(start)
    first, *more = wrapped(text, room) or [""]
    return [start + first, *(" " * columns(start) + line for line in more)]


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(one) else 2 if east_asian_width(one) in "WF" else 1 for one in text)


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most ``width`` columns, broken at spaces or between wide characters."""
    lines, line, used = [], "", 0
    for piece in _pieces(text):
        size = columns(piece)
        if used + size > width and line:
            lines.append(line.rstrip())
            line, used = "", 0
        line, used = line + piece, used + size
    return [*lines, line.rstrip()] if line.strip() else lines


def _pieces(text: str) -> Iterable[str]:
    if text.isascii():
        return (f"{piece} " for piece in text.split())
    import re

    wide, closing = r"\u3000-\u9fff\uff00-\uffef", r"\u3001\u3002\u300d\u201d\uff01\uff09\uff0c\uff1a\uff1b\uff1f"
    return re.findall(rf"[^\s{wide}]+\s*|[{wide}][{closing}]*\s*|\s+", text)
