"""Why a memory came, in one sentence of the asker's language (SPEC R10)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from yinji import shipped
from yinji.language import text as language
from yinji.model import Candidate, Fate, Query, Question, Validity, Why
from yinji.recall.rank import FILLED

WORDS_SHOWN = 3
NOTABLE_Z = 1.0
RECALLED_OFTEN = 3
SHORT_ID = 8
_WORD = re.compile(r"[A-Za-z0-9][\w+#.@'-]*")


def sentence(query: Query, candidate: Candidate) -> str:
    """Names the shared words and nearness that brought it, and what the reader should know of it."""
    say = _phrases(query.reply)
    paths = {one.path: one for one in candidate.paths if one.rank}
    shared = shared_words(query, candidate.memory.content) if "words" in paths else ()
    near = "vector" in paths and paths["vector"].z >= NOTABLE_Z
    shown = say["joiner"].join(say["quote"].format(word=word) for word in shared[:WORDS_SHOWN])
    fills = "fields" in paths and paths["fields"].score >= FILLED
    head = "fills" if fills else "both" if shared and near else "words" if shared else "vector"
    then = query.scope.as_of is not None
    return say[head].format(words=shown) + _notes(candidate, say, then=then) + say["stop"]


def lost(query: Query, told: Why) -> str:
    """Says where a memory was lost, and what would have to be otherwise."""
    say = _phrases(query.reply)
    terms = _terms(query.reply)
    reasons = say["joiner"].join(dict.fromkeys(terms[f"drop.{drop.reason}"] for drop in told.drops))
    return say[f"fate_{told.fate}{_case(told)}"].format(
        rank=told.rank or 0,
        score=f"{told.score or 0:.2f}",
        needed=f"{told.needed or 0:.2f}",
        by=(told.by or "")[-SHORT_ID:],
        kind=terms[f"kind.{told.memory.kind}"] if told.memory else "",
        reasons=reasons,
    )


def _case(told: Why) -> str:
    """Which of a fate's sentences fits: one may name what took its place or what was shown only where there is such."""
    if told.fate is Fate.SUPERSEDED and told.by is None:
        return "_alone"
    return "_nothing" if told.fate in (Fate.TOO_WEAK, Fate.BELOW_CUT) and told.needed is None else ""


def shared_words(query: Query, content: str) -> tuple[str, ...]:
    """The question's words that the memory has too, longest first, as the question writes them."""
    common = set(query.terms) & set(language.terms(content))
    written: dict[str, str] = {}
    for match in _WORD.finditer(query.text):
        for term in language.terms(match.group()):
            written.setdefault(term, match.group())
    if any(len(term) > 1 for term in common):
        common = {
            term for term in common if len(term) > 1
        }  # a single character is a piece of a word, if there are words
    ordered = sorted(common, key=lambda term: (-len(term), query.terms.index(term)))
    words: list[str] = []
    for term in ordered:
        word = written.get(term, term)
        if not any(word in longer for longer in words):
            words.append(word)
    return tuple(words)


def _notes(candidate: Candidate, say: Mapping[str, str], *, then: bool) -> str:
    """What else matters; whether it still holds is no matter to a question about what was known ``then``."""
    memory = candidate.memory
    notes = say["pinned"] if memory.pinned else ""
    if memory.recalls_90d >= RECALLED_OFTEN:
        notes += say["recalled"].format(n=memory.recalls_90d)
    if memory.validity is not Validity.CURRENT and not then:
        notes += say[memory.validity.value]
    return notes + (say["overtaken"] if candidate.newer else "")


def asked(question: Question) -> Question:
    """The question with its text, in the language of the new memory."""
    form = _phrases(question.new.language)[f"question_{question.verdict}"]
    return replace(question, text=form.format(old=question.old.content, new=question.new.content))


def _phrases(tongue: str) -> Mapping[str, str]:
    return _texts("why", tongue)


def _terms(tongue: str) -> Mapping[str, str]:
    """The words that every door uses for what it names, such as the reasons of a drop."""
    return _texts("messages", tongue)


@cache
def _texts(sort: str, tongue: str) -> Mapping[str, str]:
    known = shipped.file(f"{sort}/{tongue}.json").is_file()
    found: dict[str, str] = shipped.json(f"{sort}/{tongue if known else 'en'}.json")
    return found
