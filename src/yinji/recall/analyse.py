"""What a question asks: its language, its words, and whether it is about now (SPEC R3, plain form)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from yinji.errors import InvalidInput
from yinji.language import text as words
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
