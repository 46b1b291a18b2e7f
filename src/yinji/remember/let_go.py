"""What the user lets go of that was told before: a plan that is dropped, and what was only a joke.

Neither is a request to forget: of what is dropped the past stays as it was, and what a joke had ended holds again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from yinji.language.packs import pack
from yinji.language.text import detect, query_terms, sentences
from yinji.model import HOLDS, MemoryEntry, Modality, Validity
from yinji.ports import Retire
from yinji.remember.gate import refuse
from yinji.remember.pieces import Piece
from yinji.remember.retract import covered, has_term, sought
from yinji.remember.whose import whose
from yinji.review import FeedbackVerdict

WAS_JOKE = "it was said as a joke"
_BREAK = re.compile(r"[,;\u2014\u2013\u2026\uff0c\uff1b]\s*|\s-\s|\.{3}\s*|[.!]\s+|[\u3002\uff01]\s*")


@dataclass(frozen=True, kw_only=True, slots=True)
class CalledOff:
    """A plan that is let go of."""

    what: str
    why: int
    """Where the text goes on with why, or with what is done instead."""


def called_off(text: str) -> CalledOff | None:
    """What the user lets go of, where the text opens by saying to forget it and goes on: "forget Rome, we're going to
    Milan". None where it is what was said that is to be forgotten."""
    words = pack(detect(text))
    match = words.first_match("called_off", text)
    return CalledOff(what=match["what"], why=match.start("why")) if match else None


def instead(piece: Piece, off: str, language: str) -> Piece:
    """What is told behind a plan that is dropped: what the user does instead is kept, "it" is what was planned."""
    words = pack(language)
    text = words.matcher("it_alone").sub(lambda _: off, piece.text)
    own = bool(words.matcher("me_subject").search(text)) and refuse(text, language=language) is None
    return replace(piece, text=text, sure=piece.sure or own)


def planned(what: str, known: Sequence[MemoryEntry], at: datetime) -> list[MemoryEntry]:
    """The user's plans and endeavours with it; what was so stays so, whatever becomes of them."""
    words = pack(detect(what))
    wanted = sought(what, words)
    of_it = [one for one in known if wanted and one.validity in HOLDS and covered(wanted, one) == 1]
    return [one for one in of_it if _is_ahead(one, at) and not whose(one).another]


def retracted(memories: Sequence[MemoryEntry], *, at: datetime, reason: str) -> tuple[Retire, ...]:
    """What is said no more, neither of now nor of then."""
    return tuple(
        Retire(
            memory_id=one.id,
            validity=Validity.RETRACTED,
            at=at,
            by=None,
            reason=reason,
            feedback=FeedbackVerdict.DELETED if one.validity in HOLDS else None,
        )
        for one in memories
    )


def holding_again(memories: Iterable[str], *, at: datetime, reason: str) -> tuple[Retire, ...]:
    """What something had ended or put in doubt that is itself no more."""
    return tuple(
        Retire(memory_id=one, validity=Validity.CURRENT, at=at, by=None, reason=reason) for one in sorted(memories)
    )


def _is_ahead(memory: MemoryEntry, at: datetime) -> bool:
    start = memory.valid.start if memory.valid is not None else None
    meant_so = memory.modality in (Modality.PLANNED, Modality.WISHED) or (start is not None and start > at)
    return meant_so or bool(pack(memory.language).matcher("endeavour").search(memory.content))


def joke(text: str) -> tuple[int, int] | None:
    """Where the text says that what was said just before was not meant: at its beginning, or behind a mark."""
    matcher = pack(detect(text)).matcher("joke")
    starts = (0, *(one.end() for one in _BREAK.finditer(text)))
    found = ((at, matcher.match(text[at:])) for at in starts)
    return next(((at, at + match.end()) for at, match in found if match is not None), None)


def joked(text: str, latest: Sequence[MemoryEntry], spoken: str) -> list[MemoryEntry]:
    """Which memories of what was said before a text that calls it a joke are none: those that it names, else those of
    the last thing said. ``latest``: the memories of what was ``spoken`` before."""
    words = pack(detect(text))
    named = sought(words.matcher("joke").sub(lambda one: one.groupdict().get("about") or "", text.strip()), words)
    had = [(one, set(query_terms(one.content))) for one in latest]
    if found := [one for one, terms in had if any(has_term(terms, each) for each in named)]:
        return found
    last = max((start for start, _ in sentences(spoken)), default=0)
    return [one for one in latest if any(source.start >= last for source in one.sources)]
