"""A sentence in as few pieces as can be told by themselves: whole, or clause by clause.

It is taken apart when it mixes a fact with a request, says several things that can change apart, or is too long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from yinji.config import RememberSettings
from yinji.language.packs import Pack, pack
from yinji.model import DropReason, Slot
from yinji.remember.gate import judge, refuse
from yinji.remember.statement import state

LONGEST = {"zh": 48, "en": 38}
"""Characters or words of a clause group, two short of the limit of a memory: the subject is added."""
APART = frozenset({DropReason.QUESTION, DropReason.COMMAND, DropReason.ACKNOWLEDGEMENT, DropReason.GREETING})
"""A clause that is one of these is told apart from its neighbours."""
UNDIVIDED = frozenset({DropReason.INJECTION, DropReason.GREETING, DropReason.ACKNOWLEDGEMENT, DropReason.FILLER})


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """Some neighbouring clauses of a sentence, as offsets into its cleaned text."""

    start: int
    end: int
    text: str
    sure: bool = False
    """One of its clauses is worth keeping, so that the others are kept with it."""


def pieces(text: str, raw: str, language: str, settings: RememberSettings) -> list[Piece]:
    """The sentence in as few pieces as can be: whole when it asks nothing, says one thing and is short.

    What would be dropped as a whole is looked at clause by clause, unless its form leaves no hope.
    """
    words = pack(language)
    clauses = list(_clauses(text, words))
    if len(clauses) == 1 or refuse(raw, language=language) in UNDIVIDED:
        return [Piece(start=0, end=len(text), text=text)]
    if refuse(clauses[0].text, language=language) is DropReason.HYPOTHETICAL:
        return [Piece(start=0, end=len(text), text=text)]
    asked = [bool(words.matcher("request").search(one.text)) or _is_apart(one.text, language) for one in clauses]
    runs = _runs(clauses, asked) if any(asked) or refuse(raw, language=language) is not None else [clauses]
    groups = [group for run in runs for group in _grouped(run, text, language)]
    return [piece for group in groups for piece in _hopeful(group, settings, words)]


def _is_apart(text: str, language: str) -> bool:
    return refuse(text, language=language) in APART


def _hopeful(group: Piece, settings: RememberSettings, words: Pack) -> list[Piece]:
    """The group; where it would be dropped and one of its clauses would not, whole all the same, unless another
    of them is refused for its form."""
    if judge(group.text, language=words.language, settings=settings) is None:
        return [group]
    clauses = [
        Piece(start=group.start + one.start, end=group.start + one.end, text=one.text)
        for one in _clauses(group.text, words)
    ]
    if not any(judge(one.text, language=words.language, settings=settings) is None for one in clauses):
        return [group]
    refused = any(refuse(one.text, language=words.language) is not None for one in clauses)
    return clauses if refused else [replace(group, sure=True)]


def _clauses(text: str, words: Pack) -> Iterator[Piece]:
    at = 0
    for cut in words.matcher("clause_split").finditer(text):
        said = text[at : cut.start()]
        if said.strip() and (words.matcher("has_verb").search(said) or words.matcher("command").search(said)):
            yield Piece(start=at, end=cut.start(), text=text[at : cut.start()])
            at = cut.end()
    if text[at:].strip():
        yield Piece(start=at, end=len(text), text=text[at:])


def _runs(clauses: Sequence[Piece], asked: Sequence[bool]) -> list[list[Piece]]:
    """Clauses that ask by themselves, the others with their neighbours."""
    runs: list[list[Piece]] = []
    for at, clause in enumerate(clauses):
        if at and not asked[at] and not asked[at - 1]:
            runs[-1].append(clause)
        else:
            runs.append([clause])
    return runs


def _grouped(clauses: Sequence[Piece], text: str, language: str) -> list[Piece]:
    """Neighbours together until a group is full or the next clause fills a slot of its own."""
    groups = [clauses[0]]
    filled = state(clauses[0].text, language).slot
    for clause in clauses[1:]:
        slot = state(clause.text, language).slot
        leans = pack(language).matcher("leans").search(clause.text)
        joined = Piece(start=groups[-1].start, end=clause.end, text=text[groups[-1].start : clause.end])
        fits = _length(joined.text, language) <= LONGEST[language] and not _is_other(groups[-1], clause, language)
        if fits and (leans or _keeps_slots(joined, filled, slot, language)):
            groups[-1], filled = joined, filled or (None if leans else slot)
        else:
            groups.append(clause)
            filled = slot
    return groups


def _is_other(group: Piece, clause: Piece, language: str) -> bool:
    """Whether the clause names its subject and tells of somebody else, or the contrary."""
    if not pack(language).matcher("own_head").match(clause.text):
        return False
    before, now = state(group.text, language), state(clause.text, language)
    return (before.subject, before.polarity) != (now.subject, now.polarity)


def _keeps_slots(joined: Piece, first: Slot | None, second: Slot | None, language: str) -> bool:
    """Whether two clauses told together still say what each fills in."""
    if first is not None and second is not None:
        return False
    filled = first or second
    together = state(joined.text, language).slot
    return filled is None or (together is not None and together.attribute == filled.attribute)


def _length(text: str, language: str) -> int:
    return len(text) if language == "zh" else len(text.split())
