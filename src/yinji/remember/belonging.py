"""Whose somebody is who is named by a bare noun ("Jen's back, husband's a pilot"), and who fills a role now.

Such a noun is of the person whom the clause before it is about, where that is somebody else than the user. What is
shared stays the user's: a spouse's children, a parent's spouse, whatever the speaker takes part in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from yinji.language.entities import find_entities
from yinji.language.packs import Pack, pack
from yinji.language.text import sentences
from yinji.remember.clauses import Clause, clauses
from yinji.remember.statement import carried, state

RELATIVES = ("partner", "parent", "offspring", "sibling", "wider")
"""Sorts of people by what they are to the user; anybody else is of none."""
_EDGES = " ,.;!\uff0c\u3002\uff1b\uff01"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Topic:
    """Whom what was said is about, and the clause that says so."""

    person: str | None = None
    """As a statement calls them; None for the user."""
    said: str = ""
    bare: bool = False
    """They were named by a bare noun themselves."""


def told_whose(cut: Sequence[Clause], words: Pack, *, lead: str = "") -> list[Clause]:
    """The clauses, each bare noun and each new holder of a role with whose they are.

    ``lead``: what the same message says before.
    """
    if not any(_waits(one.text, words) for one in cut):
        return list(cut)
    topic, done, before = _Topic(), list[Clause](), ""
    for said in _each_clause(lead, words):
        topic, before = _after(topic, said, words), said
    for one in cut:
        told = _role(before, one.text, topic, words) or _in_full(one.text, topic, words)
        done.append(one if told is None else replace(one, text=told))
        topic, before = _after(topic, one.text, words), one.text
    return done


def _each_clause(lead: str, words: Pack) -> Iterator[str]:
    for start, end in sentences(lead):
        if said := lead[start:end].strip(_EDGES):
            yield from (one.text for one in clauses(said, words))


def told_after(said: str, lead: str, language: str) -> str:
    """The same for one clause behind what its message says before."""
    clause = Clause(start=0, end=len(said), text=said)
    return told_whose([clause], pack(language), lead=lead)[0].text


def _waits(said: str, words: Pack) -> bool:
    return any(words.matcher(name).search(said) for name in ("whose_bare", "role_filled"))


def _after(topic: _Topic, said: str, words: Pack) -> _Topic:
    """Whom the next clause is about when it does not say; what is told of somebody of theirs leaves that as it is."""
    if topic.person is not None and words.matcher("pronoun_subject").match(said):
        return replace(topic, said=f"{topic.said} {said}")
    bare = words.matcher("whose_bare").match(said)
    told = _in_full(said, topic, words) or said
    if bare is not None and _theirs(bare, said, topic, words):
        return topic
    person = carried(state(told, words.language, subject=topic.person), topic.person)
    return _Topic(person=person, said=said if person != topic.person else topic.said, bare=bare is not None)


# ------------------------------------------------------------- whose somebody is


def _in_full(said: str, topic: _Topic, words: Pack) -> str | None:
    """The clause with whose its bare noun is; None where it has none or that goes without saying."""
    match = words.matcher("whose_bare").match(said)
    if match is None:
        return None
    noun = match["noun"].lower()
    if of := _theirs(match, said, topic, words):
        owned = words.tables["whose"]["of"].format(owner=_spoken(of, words), noun=noun)
    elif words.matcher("whose_mine").match(noun):
        owned = f"{words.tables['whose']['mine']} {noun}"
    else:
        return None
    return f"{match['lead']}{owned}{said[match.end() :]}"


def _theirs(bare: re.Match[str], said: str, topic: _Topic, words: Pack) -> str | None:
    """Whose the person is whom the bare noun names; None for the user's."""
    of = topic.person
    if of is None or not _is_person(of, topic.said, words):
        return None
    return of if _is_theirs(_sort(bare["noun"].lower(), words), topic, said, words) else None


def _is_theirs(noun: str, topic: _Topic, said: str, words: Pack) -> bool:
    of = _relative(topic.person or "", words) or _relative_named(topic, words)
    if of in words.tables["shared_with"][noun].split() or _is_of_both(topic, said, words):
        return False
    if noun == "acquaintance" and topic.bare:
        return bool(of)  # 老板人好，同事也好: both are the speaker's
    paired = (topic.bare and of) or of in words.tables["only_paired"][noun].split()
    return not paired or words.matcher("whose_paired").search(topic.said) is not None


def _is_of_both(topic: _Topic, said: str, words: Pack) -> bool:
    """Whether the speaker takes part in it, or the same is said of somebody close as of the other."""
    behind = topic.said[len(_opening(topic, words)) :]
    if any(words.matcher("whose_speaker").search(one) for one in (behind, said)):
        return True
    alike = words.matcher("whose_alike").search(said)
    return alike is not None and (alike.groupdict().get("verb") or "") in topic.said


def _opening(topic: _Topic, words: Pack) -> str:
    """How the clause opens that names the person: the speaker's "my" in it is no part that the speaker takes."""
    match = words.matcher("whose_opening").match(topic.said)
    return match[0] if match else ""


def _sort(noun: str, words: Pack) -> str:
    bare = noun.replace(" ", "_")
    return next(name for name in words.tables["shared_with"] if bare in words.words[f"their_{name}"])


def _relative(person: str, words: Pack) -> str:
    """What they are to the user; nothing for others, and for who is somebody else's relative."""
    return next((one for one in RELATIVES if words.matcher(f"whose_as_{one}").search(person)), "")


def _relative_named(topic: _Topic, words: Pack) -> str:
    """What somebody is to the user who is called by name behind it: "my eldest son Kai"."""
    before = topic.said[: max(topic.said.find(topic.person or ""), 0)].strip()
    parts = before if words.language == "zh" else before.split()
    blank = "" if words.language == "zh" else " "
    told = (f"{words.tables['person']['users']}{blank.join(parts[-size:])}" for size in range(1, len(parts) + 1))
    return next((found for one in told if (found := _relative(one, words))), "")


def _is_person(name: str, said: str, words: Pack) -> bool:
    """Whether the words of the clause call a person so."""
    if words.matcher("whose_person").search(name):
        return True
    return any(one.type == "person" and one.name == name for one in find_entities(said, language=words.language))


def _spoken(person: str, words: Pack) -> str:
    """The person as the user calls them: "my brother" for "the user's brother"."""
    users = words.tables["person"]["users"]
    mine = person.lower().startswith(users)
    return f"{words.tables['whose']['mine']}{person[len(users) :]}" if mine else person


# ------------------------------------------------------------- who has a role now


def _role(before: str, said: str, topic: _Topic, words: Pack) -> str | None:
    """ "Now it's Harriet" behind "we've a new manager", as what it says of the manager."""
    changed = words.matcher("role_changed").match(before.strip(_EDGES))
    filled = words.matcher("role_filled").match(said.strip(_EDGES))
    if changed is None or filled is None or not _is_person(filled["who"], said, words):
        return None
    owner = _spoken(topic.person, words) if topic.person and _is_person(topic.person, topic.said, words) else ""
    table = words.tables["whose"]
    of = table["of"].format(owner=owner, noun="") if owner else table["mine"]
    told = table["role"].format(of=of.strip(), role=changed["role"], who=filled["who"], **{"is": filled["is"]})
    return re.sub(r"\s+", " ", told)
