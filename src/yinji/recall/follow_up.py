"""A message that only names another one of what was asked before ("and my brother?"), as the question that it means.

By itself such a message says of whom something is wanted, and not what.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from yinji.language.dates import find_times
from yinji.language.entities import find_entities
from yinji.language.packs import pack
from yinji.language.text import detect
from yinji.recall.signs import following, forms, signs
from yinji.recall.sought import PERSON

Span = tuple[int, int]
MARK = "'s"


def in_full(message: str, said: Sequence[str], *, now: datetime) -> str:
    """The question that the message asks after what the user said before it, oldest first; itself where it stands
    alone."""
    asked = ""
    for one in said:
        if signs(detect(one))["question"].search(one.strip().lower()):
            asked = _after(asked, one.strip(), now)
    return _after(asked, message.strip(), now)


def _after(asked: str, message: str, now: datetime) -> str:
    """The message, or where it only names another one to ask of, the question before it with that one in it."""
    language = detect(message)
    other = _other(message, language) if asked and detect(asked) == language else ""
    if not other:
        return message
    if times := find_times(other, at=now, language=language):
        other = other[times[0].start : times[0].end]
        old = next(((one.start, one.end) for one in find_times(asked, at=now, language=language)), None)
    else:
        old = _somebody(asked, language) if _is_somebody(other, language) else None
    return f"{asked.rstrip(' ?？')}, {other}?" if old is None else _instead(asked, old, other, language)


def _other(message: str, language: str) -> str:
    """Whom, what or which time a message names and no more; nothing where it says more, or nobody knows whom."""
    words = following(language)
    found = words["another"].fullmatch(message)
    other = "".join(filter(None, found.groupdict().values())).strip() if found else ""
    unknown = words["someone"].fullmatch(other) and not words["user"].fullmatch(other)
    return "" if unknown or words["no_other"].match(other) else other


def _is_somebody(other: str, language: str) -> bool:
    return following(language)["user"].fullmatch(other) is not None or any(_named(other, language))


def _somebody(asked: str, language: str) -> Span | None:
    """Where it speaks of the first person or animal: by name or by what they are, or else by a pronoun."""
    pronouns = (one.span() for one in following(language)["someone"].finditer(asked))
    return next(iter([*sorted(_named(asked, language)), *pronouns]), None)


def _named(text: str, language: str) -> Iterator[Span]:
    words = following(language)
    for one in pack(language).matcher("being").finditer(text):
        if not words["nobody"].fullmatch(one[0]):
            owner = words["owner"].search(text, 0, one.start())
            yield owner.start() if owner else one.start(), one.end()
    yield from ((one.start, one.end) for one in find_entities(text, language=language) if one.type == PERSON)


def _instead(asked: str, old: Span, other: str, language: str) -> str:
    """The question with the other one in that place, in the form that belongs there."""
    before, after = asked[: old[0]], asked[old[1] :]
    owning = following(language)["owning"].match(asked, *old) is not None and after[:1] == " "
    if following(language)["user"].fullmatch(other):
        form = "owner" if owning or after.startswith(MARK) else "user"
        return f"{before}{forms(language)[form]}{after.removeprefix(MARK)}"
    return f"{before}{other.removesuffix(MARK)}{MARK if owning else ''}{after}"
