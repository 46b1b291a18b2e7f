"""What people say of themselves when they introduce themselves: "I'm Priya, 34, a nurse at St Thomas'" is three
statements, each of which may change without the others."""

from __future__ import annotations

from yinji.language.entities import find_entities
from yinji.language.packs import Pack
from yinji.remember.clauses import Clause

_VOWELS = frozenset("aeiou")
_SPOKEN_WITH_A_VOWEL = frozenset("AEFHILMNORSX")


def introductions(text: str, words: Pack) -> list[Clause]:
    """Each thing that a sentence tells of its speaker behind his name, as a clause of its own, from the name on; none
    where nothing but a name is told so. What follows the last of them is read as anything else is."""
    lead = words.first_match("introduces_self", text)
    if lead is None:
        return []
    name = next(value for value in lead.groupdict().values() if value)
    told = [Clause(start=0, end=lead.end(), text=words.tables["introduces"]["name"].format(name))]
    for part in words.matcher("introduced_part").finditer(text, lead.end()):
        if part.start() != told[-1].end:
            break
        said = _said(part["said"], words)
        if said is not None:
            told.append(Clause(start=part.start(), end=part.end(), text=said))
        elif len(told) > 1 and _is_place(part["said"], words):
            before = told[-1]
            told[-1] = Clause(start=before.start, end=part.end(), text=f"{before.text}{text[before.end : part.end()]}")
        else:
            break
    return told if len(told) > 1 else []


def _said(part: str, words: Pack) -> str | None:
    """The part as a sentence of the speaker; None where it is neither an age, nor where from, nor what somebody is."""
    forms = words.tables["introduces"]
    if age := words.matcher("introduced_age").fullmatch(part):
        return forms["age"].format(age["age"])
    if words.matcher("introduced_from").match(part):
        return forms["from"].format(part)
    if being := words.matcher("introduced_being").fullmatch(part):
        return forms["being"].format(f"{being['article'] or _article(part, words)}{being['what']}")
    return None


def _article(noun: str, words: Pack) -> str:
    """What stands before a noun of the language, by how its first word is spoken."""
    if words.language != "en":
        return ""
    spelled = noun[:2].isupper()
    vowel = noun[0] in _SPOKEN_WITH_A_VOWEL if spelled else noun[0].lower() in _VOWELS
    return "an " if vowel else "a "


def _is_place(part: str, words: Pack) -> bool:
    named = find_entities(part, language=words.language)
    return any(one.type == "place" and one.name == part for one in named)
