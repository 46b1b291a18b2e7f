"""What a bare number measures ("77.5 this morning"), where the user spoke before of what is measured."""

from __future__ import annotations

import re
from collections.abc import Sequence

from yinji.language.packs import Pack, pack

RECENT = 3
"""Messages of the user back of which what is measured may be named."""


def measured(said: str, before: Sequence[str], language: str) -> str | None:
    """The number in full, or None where it is no number alone or nothing that is measured was spoken of.

    ``before``: what the user said before, oldest first.
    """
    words = pack(language)
    match = words.matcher("bare_number").match(said)
    if match is None:
        return None
    for one in reversed(before[-RECENT:]):
        for pattern, what in words.tables["measures"].items():
            if found := re.search(pattern, one, re.IGNORECASE):
                named = {name: (value or "").strip() for name, value in match.groupdict().items()}
                told = words.tables["answer"]["measured"].format(
                    whose=_whose(one[: found.end()], words), what=what, **named
                )
                return " ".join(told.split())
    return None


def _whose(said: str, words: Pack) -> str:
    """Whose it is, as the user calls them."""
    somebody = [found[0] for found in words.matcher("somebody").finditer(said)]
    return words.tables["answer"]["theirs"].format(who=somebody[-1]) if somebody else words.tables["answer"]["mine"]
