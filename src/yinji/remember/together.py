"""Who "we" are, and what "mine" is, where what was said before tells: my girlfriend and I, my flat."""

from __future__ import annotations

from collections.abc import Sequence

from yinji.language.packs import Pack, pack

RECENT = 3
"""Sentences back of which "we" and "mine" may be."""


def spelt_out(said: str, before: Sequence[str], language: str, *, lead: str = "") -> str:
    """The clause with who it speaks of instead of "we", and what instead of "mine", where it opens with either.

    ``before``: what was said before its sentence, oldest first; ``lead``: what its sentence says before it.
    """
    words = pack(language)
    told = [*before, lead] if lead else list(before)
    return _mine(_we(said, told, words), told, words)


def _we(said: str, told: Sequence[str], words: Pack) -> str:
    opening = words.matcher("we_opens").match(said)
    if opening is None:
        return said
    who = _last(told[-RECENT:], "we_two", words)
    if who is None and words.matcher("we_couple").search(said):
        who = _last(told, "we_partner", words)
    if who is None:
        return said
    verb = words.tables["we_verbs"].get((opening.groupdict().get("short") or "").lower(), "")
    both = words.tables["answer"]["both"].format(who=who)
    return f"{said[: opening.start('we')]}{both}{verb}{said[opening.end() :]}"


def _mine(said: str, told: Sequence[str], words: Pack) -> str:
    opening = words.matcher("mine_opens").match(said)
    what = _last(told[-1:], "of_others", words) if opening is not None else None
    if opening is None or what is None:
        return said
    return f"{said[: opening.start('mine')]}{words.tables['answer']['my'].format(what=what)}{said[opening.end() :]}"


def _last(told: Sequence[str], name: str, words: Pack) -> str | None:
    """Whom or what the last of them names that fits a pattern of that name."""
    for one in reversed(told):
        if found := list(words.matcher(name).finditer(one)):
            return next(value for value in found[-1].groups() if value)
    return None
