"""Whether it is sure whom a clause is about that does not say so itself, as Chinese ones need not.

It is about whom the clause before it is about where that is the speaker, or a being that does something. Behind a
thing ("外卖不做了，抽成太狠"), behind somebody who is brought in or named, and behind what somebody does for the user
("师傅来修了热水器，现在不漏水了") it may be about any of them: then it is told in its sentence.
"""

from __future__ import annotations

from collections.abc import Sequence

from yinji.language.memo import while_reading
from yinji.language.packs import Pack, pack
from yinji.language.segment import tagged
from yinji.remember.own_subject import own_being
from yinji.remember.statement import carried, state

RECENT = 3
"""Sentences back of which a thing may be that is gone on about."""
_CIRCUMSTANCE = frozenset({"t", "d", "c", "y", "zg", "f", "ns", "s"})
"""Parts of speech that say when, where and how, before the predicate."""
_ASPECT = frozenset({"ul", "ug", "uz"})
"""Those of the particles behind a verb, by which it is one whatever the dictionary takes it for."""
_PREDICATE = frozenset("vpailz")
"""First letters of the parts of speech with which a predicate begins."""


def is_unowned(said: str, words: Pack) -> bool:
    """Whether a Chinese clause names nobody whom it is about; a role is named without whose it is."""
    if words.matcher("anybodys_role").match(said):
        return True
    if words.language != "zh" or words.matcher("own_head").match(said):
        return False
    if words.matcher("pronoun_subject").match(said) or words.matcher("names_itself").match(said):
        return False
    return own_being(said, words.language) is None


def passes_on(before: str, said: str, words: Pack) -> bool:
    """Whether the clause is surely about the being that the clause before it is about."""
    if words.matcher("anybodys_role").match(said):
        return own_being(before, words.language) is not None  # whose it is was looked at (belonging)
    if any(words.matcher(name).search(before) for name in ("brings_in", "serves_speaker")):
        return False
    if words.matcher("beside_subject").search(said):
        return False
    theirs = words.matcher("owned_head").match(said) is not None
    return theirs or begins_predicate(said, words.language) or _is_of_named(before, said, words)


def is_of_speaker(said: str, words: Pack) -> bool:
    """Whether the speaker is who the clause is about, named or left out; not where it is about a thing or brings
    somebody in."""
    if words.matcher("brings_in").search(said):
        return False
    if own_being(said, words.language) == "user" or words.matcher("owned_head").match(said):
        return True
    if words.matcher("me_subject").search(said) and not _names_another(said, words):
        return True
    return is_unowned(said, words) and begins_predicate(said, words.language)


def opens_with_thing(said: str, language: str) -> bool:
    """Whether a Chinese clause names what something was done with, and the speaker behind it (橘子送给我妹养了)."""
    words = pack(language)
    return words.matcher("thing_to_speaker").match(said) is not None and not begins_predicate(said, language)


def _names_another(said: str, words: Pack) -> bool:
    """Whether the speaker only stands beside whom or what the clause is about: my sister's corgi."""
    if own_being(said, words.language) is not None or words.matcher("other_subject").search(said):
        return True
    return words.matcher("gives_name").search(said) is not None


@while_reading(512)
def begins_predicate(said: str, language: str) -> bool:
    """Whether the clause begins with what somebody does or is, behind when, where and how."""
    for name in ("before_subject", "at_which"):
        lead = pack(language).matcher(name).match(said)
        said = said[lead.end() if lead else 0 :]
    tags = [tag for word, tag in tagged(said) if word.strip()]
    tags = tags[next((at for at, tag in enumerate(tags) if tag not in _CIRCUMSTANCE), len(tags)) :]
    if not tags or (len(tags) > 2 and tags[1] in _ASPECT):
        return True
    return tags[0][0] in _PREDICATE and not (tags[0] == "a" and len(tags) > 1 and tags[1][0] in "nv")


def whose_before(said: str, before: Sequence[str], language: str) -> str | None:
    """Who the thing is of with which a Chinese sentence opens (手术很顺利), where one of the sentences before told of
    somebody's; None for the user's and for what nobody spoke of."""
    words = pack(language)
    opening = words.matcher("thing_opens").match(said)
    if opening is None or begins_predicate(opening["what"], language):
        return None
    told = next((one for one in reversed(before[-RECENT:]) if opening["what"] in one), None)
    return carried(state(told, language)) if told is not None else None


def _is_of_named(before: str, said: str, words: Pack) -> bool:
    """Whether it is an age of the being that the clause before it is about itself, and of nobody of theirs."""
    return (
        words.matcher("only_age").match(said) is not None and words.matcher("called_itself").match(before) is not None
    )
