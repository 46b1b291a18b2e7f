"""Names that a text says are one: "Robert, everyone calls him Bob".

In the text that the patterns see each known name is a mark of its length, so that they see only what is said of
names, and offsets stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from yinji.language.entities.lists import Found, Lists, gazetteer, lists
from yinji.model import Entity

Named = Sequence[Entity] | Sequence[Found]


def introduced(plain: str, named: Sequence[Found], language: str) -> Iterator[Found]:
    """Names that only such a statement shows to be names, of the type of what they stand for."""
    kinds = {one.start: one.type for one in named}
    known = {(one.start, one.end, one.type) for one in named}
    for match in _said(plain, named, lists(language)):
        kind = gazetteer(language).kind(match[_second(match)]) or kinds[match.start("a")]
        for start, end in (match.span("a"), match.span(_second(match))):
            if (start, end, kind) not in known:
                yield Found(start=start, end=end, type=kind, weight=95)


def pairs(text: str, plain: str, named: Sequence[Entity], language: str) -> tuple[tuple[str, str], ...]:
    """Pairs in the order they are said; none when the text says that two are not one."""
    found = (
        (text[slice(*one.span("a"))], text[slice(*one.span(_second(one)))])
        for one in _said(plain, named, lists(language))
    )
    return tuple(dict.fromkeys((first, second) for first, second in found if first != second))


def _said(plain: str, named: Named, known: Lists) -> Iterator[re.Match[str]]:
    """Statements of the form; where the second must be a known name (``b``) both are of one type."""
    marked = _marked(plain, named) if named else ""
    matchers = known.matchers_for("alias", marked) if named else ()
    if not matchers or any(one.search(marked) for one in known.matchers("not_alias")):
        return
    kinds = {one.start: one.type for one in named}
    for matcher in matchers:
        for match in matcher.finditer(marked):
            if _second(match) == "c" or kinds[match.start("b")] == kinds[match.start("a")]:
                yield match


def _second(match: re.Match[str]) -> str:
    return "c" if "c" in match.re.groupindex else "b"


def _marked(plain: str, named: Named) -> str:
    pieces, at = [], 0
    for one in named:
        if one.end - one.start > 1:
            pieces += [plain[at : one.start], "\x02", "\x03" * (one.end - one.start - 2), "\x04"]
            at = one.end
    return "".join([*pieces, plain[at:]])
