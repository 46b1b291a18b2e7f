"""What a question asks: its language, its words, and whether it is about now (SPEC R3, plain form)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from functools import cache

from yinji.errors import InvalidInput
from yinji.language import text as words
from yinji.language.packs import languages, pack
from yinji.model import Query, Scope


def analyse(text: str, *, scope: Scope, now: datetime, past: bool, language: str | None) -> Query:
    """The question ready for the paths, its reasons to be told in ``language`` or its own.

    ``past`` lets superseded and expired memories in. Raises InvalidInput for a question that says nothing.
    """
    tidy, _ = words.tidy(text)
    if words.is_blank(tidy):
        raise InvalidInput(what="The question", problem="it is empty", hint="Ask something, in Chinese or English.")
    if past and scope.as_of is None:
        scope = replace(scope, validity=None)
    terms = words.query_terms(tidy)
    telling = set(terms)
    return Query(
        text=tidy.strip(),
        language=words.detect(tidy),
        reply=language or words.detect(tidy),
        scope=scope,
        terms=terms,
        weak=tuple(term for term in words.terms(tidy) if term not in telling),
        now=now,
        past=past,
    )


def questions_in(query: Query) -> tuple[Query, ...]:
    """The questions that one message asks together ("…? Also, …?"), each to be answered by itself; none when it
    asks one thing.
    """
    asked = [part for part in _told_apart(query.text) if _ASKS.search(part) and not words.is_blank(part)]
    if len(asked) < 2:
        return ()
    parts = (analyse(one, scope=query.scope, now=query.now, past=query.past, language=query.reply) for one in asked)
    return tuple(parts)


_ASKS = re.compile("[?？]")


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
