"""What one day's unkept pieces come to: the few that say most, in their own words (SPEC W12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from yinji.language.packs import pack
from yinji.language.text import content_key, detect, query_terms
from yinji.model import DropReason

MOST = 5
"""Pieces in a digest."""
LONGEST = 160
"""Characters of each."""
EMPTY_TALK = frozenset(
    {
        DropReason.EMPTY,
        DropReason.FILLER,
        DropReason.GREETING,
        DropReason.ACKNOWLEDGEMENT,
        DropReason.REPEATED,
        DropReason.DUPLICATE,
        DropReason.SENSITIVE,
        DropReason.INJECTION,
        DropReason.ASSISTANT,
    }
)
"""Reasons of pieces that say nothing, say it again, or must not be passed on."""


def digest(pieces: Sequence[tuple[str, DropReason]]) -> str:
    """A line for each of the pieces that say most, in the order in which they were said; empty when none says anything.

    A piece counts by its telling words, each the more the more often the day came back to it.
    """
    said: dict[str, str] = {}
    for text, reason in pieces:
        if reason not in EMPTY_TALK:
            said.setdefault(content_key(text), " ".join(text.split()))
    words = {text: _telling(text) for text in said.values()}
    often = Counter(word for telling in words.values() for word in telling)
    best = sorted(words, key=lambda text: -sum(often[word] for word in words[text]))[:MOST]
    chosen = [text for text in said.values() if text in best and words[text]]
    return "\n".join(text if len(text) <= LONGEST else text[: LONGEST - 1] + "…" for text in chosen)


def _telling(text: str) -> set[str]:
    known = pack(detect(text))
    return {word for word in query_terms(text) if not (known.has("weak", word) or known.has("stop", word))}
