"""Traditional and simplified Chinese: folding one into the other, and patterns that match both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache

from yinji import shipped


def simplify(text: str) -> str:
    """The text with traditional characters in their simplified form; its length stays."""
    return text if text.isascii() else text.translate(_simplified())


def both_scripts(pattern: str) -> str:
    """The regular expression with every simplified character also standing for its traditional forms."""
    if pattern.isascii():
        return pattern
    pieces, inside = [], False
    for at, char in enumerate(pattern):
        if char in "[]" and (at == 0 or pattern[at - 1] != "\\"):
            inside = char == "["
        forms = _traditional().get(char)
        if forms is None or _in_range(pattern, at):
            pieces.append(char)
        else:
            pieces.append(f"{char}{forms}" if inside else f"[{char}{forms}]")
    return "".join(pieces)


def _in_range(pattern: str, at: int) -> bool:
    """Whether the character is an end of a range such as ``[a-z]``."""
    return pattern[at - 1 : at] == "-" or pattern[at + 1 : at + 2] == "-"


@cache
def _simplified() -> dict[int, str]:
    lines = shipped.text("traditional.txt").splitlines()
    traditional, simplified = (line for line in lines if not line.startswith("#"))
    return {ord(old): new for old, new in zip(traditional, simplified, strict=True)}


@cache
def _traditional() -> Mapping[str, str]:
    forms: dict[str, str] = defaultdict(str)
    for old, new in _simplified().items():
        forms[new] += chr(old)
    return dict(forms)
