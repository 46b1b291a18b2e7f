"""What a question asks: its language, its words, the times and names in it, and whether it is about now (SPEC R3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache

from yinji.errors import InvalidInput
from yinji.language import text as words
from yinji.language.dates import find_times
from yinji.language.names import may_be_names
from yinji.language.packs import languages, pack
from yinji.model import Interval, Query, Scope, Validity
from yinji.recall.signs import asking, own


def says_nothing(text: str) -> bool:
    """Whether there is no word in it, only marks, signs or space."""
    return words.is_blank(words.tidy(text)[0])


def analyse(text: str, *, scope: Scope, now: datetime, past: bool, language: str | None) -> Query:
    """The question ready for the paths, its reasons to be told in ``language`` or its own.

    ``past`` lets in what no longer holds; so does a question that asks for what was. Raises InvalidInput for one
    that says nothing.
    """
    tidy, _ = words.tidy(text)
    if says_nothing(text):
        raise InvalidInput(
            what="The question", problem="there is no word in it", hint="Ask something, in Chinese or English."
        )
    if past and scope.as_of is None:
        scope = replace(scope, validity=None)
    spoken = words.detect(tidy)
    terms = words.query_terms(_timeless(tidy, spoken))
    telling = set(terms)
    times = _times(tidy, now, spoken)
    if not past and scope.as_of is None and scope.during is None:
        past = _asks_past(tidy, times, now, spoken)
        if past or _reaches_back(tidy, times, now, spoken):
            scope = replace(scope, validity=(scope.validity or frozenset()) | WAS)
    return Query(
        text=tidy.strip(),
        language=spoken,
        reply=language or spoken,
        scope=scope,
        terms=terms,
        weak=tuple(term for term in words.terms(tidy) if term not in telling),
        now=now,
        past=past,
        times=times,
        many=bool(times) or asking(spoken)["many"].search(tidy.lower()) is not None,
        names=may_be_names(tidy),
        attributes=tuple(name for name, asked in own(spoken).items() if asked.search(tidy.lower())),
    )


LONG = timedelta(days=31)
"""Since when a stretch of time that still goes on began, for its past to be asked about too."""
WAS = frozenset({Validity.SUPERSEDED, Validity.EXPIRED, Validity.DISPUTED})
"""What may answer a question about the past besides what holds; what was taken back never does."""


def _timeless(text: str, language: str) -> str:
    """The question without "now" and "these days": which say that what holds is wanted, not what it is about."""
    left = asking(language)["now"].sub(" ", text)
    return text if words.is_blank(left) else left


def _times(text: str, now: datetime, language: str) -> tuple[Interval, ...]:
    """The stretches of time that a question names; what repeats is none."""
    found = (one.interval for one in find_times(text, at=now, language=language))
    return tuple(one for one in found if one.recurrence is None and one.start is not None and one.end is not None)


def _asks_past(text: str, times: Sequence[Interval], now: datetime, language: str) -> bool:
    """Whether it asks for what was: it says so, or names a time that is over."""
    over = any(one.end is not None and one.end <= now for one in times)
    said = text.lower()
    return over or any(asking(language)[name].search(said) for name in ("past", "tense"))


def _reaches_back(text: str, times: Sequence[Interval], now: datetime, language: str) -> bool:
    """Whether what was and what is answer it together: "which cars have I had", "this year"."""
    spans = any(one.start <= now - LONG for one in times if one.start is not None)
    return spans or asking(language)["ever"].search(text.lower()) is not None


def questions_in(query: Query) -> tuple[Query, ...]:
    """The questions that one message asks together ("…? Also, …?"), each to be answered by itself and without the
    talk that leads up to it ("…, what I wanted to ask is: …?"); none when the message is one question and no more.
    """
    asked = [part for part in _told_apart(query.text) if _ASKS.search(part) and not words.is_blank(part)]
    asked = [_meant(part, query.language) for part in asked]
    if len(asked) < 2 and asked != [_meant(query.text, query.language)]:
        return ()
    if asked == [query.text]:
        return ()
    parts = (analyse(one, scope=query.scope, now=query.now, past=query.past, language=query.reply) for one in asked)
    return tuple(parts)


_ASKS = re.compile("[?？]")


def _meant(text: str, language: str) -> str:
    """A message from where it says that its question comes; all of it where it does not."""
    *_, last = (0, *(turn.end() for turn in asking(language)["turning"].finditer(text.lower())))
    return text[last:] if _ASKS.search(text, last) and not words.is_blank(text[last:]) else text


def _told_apart(text: str) -> Iterator[str]:
    """Stretches of sentences; one that starts with a word such as "also" begins a new one."""
    start = 0
    for at, _ in words.sentences(text):
        if at > start and _adding().match(text, at):
            yield text[start:at]
            start = at
    yield text[start:]


@cache
def _adding() -> re.Pattern[str]:
    listed = {word.replace("_", " ") for language in languages() for word in pack(language).words["adding"]}
    return re.compile("|".join(rf"{re.escape(word)}(?![a-z])" for word in sorted(listed, key=len, reverse=True)), re.I)
