"""Of whom a statement tells, and whether two may be of the same: the user's news ends nothing of his sister's."""

from __future__ import annotations

import re
from dataclasses import dataclass

from yinji.language.kin import with_one_kin
from yinji.language.packs import Pack, pack
from yinji.language.text import detect
from yinji.model import Draft, MemoryEntry


@dataclass(frozen=True, kw_only=True, slots=True)
class Whose:
    """Somebody other than the user, by all that they are called in a statement; nobody for the user and for things."""

    called: frozenset[str]

    @property
    def another(self) -> bool:
        return bool(self.called)

    def named_in(self, text: str) -> bool:
        """Whether a text names them, by name or as a relative."""
        told = with_one_kin(text.casefold(), pack(detect(text)))
        return any(_stands(one, told) for one in self.called)


def whose(statement: Draft | MemoryEntry) -> Whose:
    words = pack(statement.language)
    subject = statement.subject.casefold()
    if subject == "user":
        return Whose(called=_heads(statement, words))
    plain = with_one_kin(subject, words)
    called = {one[0].casefold() for one in words.matcher("anybody").finditer(plain)}
    if subject in {one.name.casefold() for one in statement.entities if one.type == "person"}:
        called |= {subject} | _before_name(subject, with_one_kin(statement.content.casefold(), words), words)
    return Whose(called=frozenset(called))


def _heads(statement: Draft | MemoryEntry, words: Pack) -> frozenset[str]:
    """Whom a statement opens with that nobody was found to be the subject of ("the tenants in Brighton …")."""
    head = words.matcher("opens_with_somebody").match(statement.content)
    own = head is None or _names_user(statement.content, statement.language)
    return frozenset() if own or head is None else frozenset({head["who"].casefold()})


def apart(draft: Draft, memory: MemoryEntry) -> bool:
    """Whether they tell of different people, and the new one does not speak of the other's."""
    pronoun = pack(draft.language).matcher("somebody_unnamed")
    if draft.language != memory.language or pronoun.fullmatch(draft.subject.casefold()):
        return False
    if not whose(memory).another and pack(draft.language).matcher("hands_over").search(draft.source.quote):
        return False  # "Yinka's chairing the weekly from now on"
    new, old = whose(draft), whose(memory)
    if draft.replaces and old.named_in(draft.source.quote):
        return False  # "it was Alfie who cried, not Poppy"
    if _of_them(memory) and not _of_them(draft) and _names_user(draft.content, draft.language):
        return True
    if not (new.another or old.another) or new.called & old.called:
        return False
    if old.another:
        return not (old.named_in(draft.content) or (new.another and new.named_in(memory.content)))
    decides = all(pack(draft.language).matcher("decides").fullmatch(one) for one in new.called)
    return not (decides or new.named_in(memory.content) or _of_user(draft))


def _of_user(draft: Draft) -> bool:
    """Whether what is told of somebody else happens to the user ("the doctor took the user off it")."""
    return _names_user(draft.content.casefold().removeprefix(draft.subject.casefold()), draft.language)


def _names_user(text: str, language: str) -> bool:
    return pack(language).tables["person"]["user"] in text.casefold()


def _of_them(statement: Draft | MemoryEntry) -> bool:
    """Whether it tells of people by a pronoun alone, and not of the user ("they start there on Tuesdays")."""
    if statement.subject != "user" or _names_user(statement.content, statement.language):
        return False
    return bool(pack(statement.language).matcher("tells_of_them").search(statement.content))


def _before_name(name: str, content: str, words: Pack) -> set[str]:
    """What somebody is to whom, where it stands before the name ("my colleague Raj")."""
    at = content.find(name)
    before = content[:at].rstrip(" ,") if at > 0 else ""
    ends = [one for one in words.matcher("anybody").finditer(before) if one.end() == len(before)]
    return {one[0] for one in ends}


def _stands(name: str, text: str) -> bool:
    if not name.isascii():
        return name in text
    return re.search(rf"\b{re.escape(name)}\b", text) is not None
