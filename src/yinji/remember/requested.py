"""What stands beside a request: whom it is for, and what only says how it is to be met."""

from __future__ import annotations

from collections.abc import Sequence

from yinji.language.packs import pack
from yinji.model import DropReason
from yinji.remember.gate import refuse
from yinji.remember.pieces import Piece

ASKS = frozenset({DropReason.QUESTION, DropReason.COMMAND})


def asked_for(said: str, language: str) -> str | None:
    """Whom a request is for ("a card for my sister Aoife"), for what goes on with "she"; None for two or nobody."""
    found = {match["who"] for match in pack(language).matcher("asked_for").finditer(said)}
    asks = len(found) == 1 and refuse(said.strip(), language=language) in ASKS
    return found.pop() if asks else None


def of_asked(said: str, asked: str | None, language: str) -> str | None:
    """The same for what leaves the "she" out and tells of a person: "a name for my nephew, born this week"."""
    words = pack(language)
    if asked is None or not words.matcher("of_somebody").match(said):
        return None
    return f"{words.tables['person']['users']}{asked}"


def of_request(at: int, parts: Sequence[Piece], language: str) -> bool:
    """Whether the piece only says more of how the request before it is to be met: "set the dates in bold"."""
    if at == 0 or not pack(language).matcher("of_request").match(parts[at].text):
        return False
    return refuse(parts[at - 1].text, language=language) in ASKS or of_request(at - 1, parts, language)
