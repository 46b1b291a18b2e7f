"""What a pronoun, or a correction that names only the new value, stands for; left alone when that is not clear.

Candidates are the people and things named in the last five turns and earlier in this one. A pronoun is replaced
only when exactly one of them can be meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from yinji.language.entities import find_entities
from yinji.language.packs import Pack, pack
from yinji.language.script import simplify
from yinji.language.text import sentences
from yinji.model import Turn

TURNS = 5
_NUMBER = re.compile(r"\d[\d.,:]*")


def antecedent(pronoun: str, before: Sequence[str], language: str) -> str | None:
    """The one person or thing in the texts before that the pronoun can stand for, as it was said."""
    words = pack(language)
    wanted = words.tables["gender"].get(simplify(pronoun).lower())
    found: dict[str, str] = {}
    for text in before:
        for name, gender in _mentions(text, words):
            if gender == wanted or (gender == "person" and wanted != "thing"):
                found[name.lower()] = name
    return next(iter(found.values())) if len(found) == 1 else None


def _mentions(text: str, words: Pack) -> Iterator[tuple[str, str]]:
    """Who is mentioned, each with ``male``, ``female``, ``person`` (either) or ``thing``."""
    taken: list[tuple[int, int]] = []
    for matcher in words.matchers("mention"):
        for match in matcher.finditer(text):
            taken.append(match.span())
            yield match[0], _gender(match["kin"].lower(), words)
    for one in find_entities(text, language=words.language):
        if one.type == "person" and all(one.end <= start or end <= one.start for start, end in taken):
            yield one.name, "person"


def _gender(kin: str, words: Pack) -> str:
    for gender in ("male", "female", "thing"):
        if words.has(f"kin_{gender}", kin):
            return gender
    return "person"


def resolve(clause: str, before: Sequence[str], language: str) -> str:
    """The clause with the pronoun that opens it replaced, when it is clear whom it stands for."""
    for matcher in pack(language).matchers("pronoun_subject"):
        if match := matcher.match(clause):
            meant = antecedent(match["pronoun"], before, language)
            if meant is not None:
                start, end = match.span("pronoun")
                return f"{clause[:start]}{meant}{clause[end:]}"
    return clause


def restate(clause: str, before: Sequence[str], language: str) -> str | None:
    """What a correction such as "it's 8081, not 8080" makes of the sentence it corrects; None when it finds none."""
    words = pack(language)
    for matcher in words.matchers("correct_pair"):
        if match := matcher.search(clause):
            return _replaced(match["old"].strip(), match["new"].strip(), before)
    prefix = words.matcher("correction_prefix").match(clause)
    for said in (clause, clause[prefix.end() :] if prefix else clause):
        for matcher in words.matchers("correct_value"):
            if match := matcher.fullmatch(said.strip(" 。.!！")):
                return _renumbered(match["new"].strip(), before)
    return None


def _replaced(old: str, new: str, before: Sequence[str]) -> str | None:
    said = next((one for one in _latest(before) if old in one), None)
    return None if said is None else said.replace(old, new)


def _renumbered(new: str, before: Sequence[str]) -> str | None:
    """The latest sentence with one number, with that number replaced."""
    if not (value := _NUMBER.search(new)):
        return None
    for said in _latest(before):
        numbers = _NUMBER.findall(said)
        if len(numbers) == 1 and numbers[0] != value[0]:
            return said.replace(numbers[0], value[0])
    return None


def _latest(before: Sequence[str]) -> Iterator[str]:
    """Sentences said before, the latest first."""
    for text in reversed(before):
        for start, end in reversed(sentences(text)):
            yield text[start:end]


def said_before(recent: Sequence[Turn]) -> list[str]:
    """What the user said in the last five turns, oldest first."""
    return [turn.user for turn in recent[-TURNS:]]
