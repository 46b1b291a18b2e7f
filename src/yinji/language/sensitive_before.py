"""What a message that is little more than a value is, by what was said before it.

"What is the door code?" – "4821#". "My password is" – "OK." – "mellowkettle". "The PIN is [secret]" – "sorry, 4281".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from yinji.language.sensitive_checks import is_typed
from yinji.language.sensitive_rules import compiled, data
from yinji.language.sensitive_told import told, values
from yinji.language.text import HAN

CARRIED = 60
"""Characters of what was said before that may tell what a bare value is."""
LONGEST_VALUE = 60
AFTER_A_SECRET = 0.5
"""Probability from which a value that follows a secret is taken for one (``sensitive_told.LIKELY`` elsewhere)."""
MESSAGES = 2
"""How far back: the assistant may have said "OK" in between."""

Found = tuple[str, int, int]
"""A type, and where it begins and ends."""
Find = Callable[[str], Sequence[Found]]

_TOKEN = re.compile(r"(?:\d{2,6}(?:[ -]\d{2,6})+|[!-~]{3,})(?=[^!-~]*\Z)")
_TAIL = re.compile(r"[\s.,;!?\"')\u3002\uff01\uff0c]+\Z")
_LAST_SENTENCE = re.compile(r"[^.\u3002?\uff1f!\uff01\n]*[.\u3002?\uff1f!\uff01\s]*$")
_ASKS = re.compile(r"[?\uff1f]\s*\Z")
_PLACED = re.compile(r"\[(secret|otp|id_card|bank_card|passport)\]")


def is_bare(view: str) -> bool:
    """Whether a text is little more than a value, or than a word, so that what was said before may tell what it is."""
    return len(view) <= LONGEST_VALUE and bool(_bare().fullmatch(view) or _word().fullmatch(view) or view[:1].isdigit())


def by_what_was_said(before: Sequence[str], view: str, find: Find) -> list[Found]:
    """What a bare value is by the last messages before it, latest last; ``find``: what stands in any text."""
    for at, said in enumerate(reversed(before[-MESSAGES:])):
        if at and _ASKS.search(before[-1]) and not _left_open(said):
            break  # what the assistant asked in between is what is answered
        for look in (_asked, _opened, _corrected, _likely):
            if found := list(look(said, view, find)):
                return found
    return []


def _asked(said: str, view: str, find: Find) -> Iterator[Found]:
    """By the last sentence, where the two together say it."""
    if not _bare().fullmatch(view) or _PLACED.search(said):
        return
    said = re.sub(data()["words"]["asked"], "", said[-2 * CARRIED :])
    last = _LAST_SENTENCE.search(said)
    sentence = (last[0] if last else said)[-CARRIED:]
    for label in (sentence, *re.findall(data()["words"]["label"], sentence, re.IGNORECASE)):
        asked = f"{label}: "
        if found := [one for one in find(asked + view) if one[1] >= len(asked)]:
            yield from ((type, start - len(asked), end - len(asked)) for type, start, end in found)
            return


def _opened(said: str, view: str, find: Find) -> Iterator[Found]:
    """By a sentence that was left open: "my password is", "here's the address:"."""
    type = _left_open(said)
    start, end = _value(view)
    if type == "address" and any(map(str.isdigit, view)):
        yield type, 0, len(_TAIL.sub("", view))
    elif type in ("secret", "otp") and start < end and _again().fullmatch(view[:start]) and _is_told(view[start:end]):
        yield type, start, end


def _corrected(said: str, view: str, find: Find) -> Iterator[Found]:
    """By the value that stood there and is taken back, or told anew: what was masked of it names its type."""
    placed = _PLACED.findall(said)
    start, end = _value(view)
    if not placed or start >= end or not _again().fullmatch(view[:start]):
        return
    if _is_told(view[start:end]) if start else is_typed(view[start:end]):
        yield placed[-1], start, end


def _likely(said: str, view: str, find: Find) -> Iterator[Found]:
    """By its words, which need say less where a secret was just told: "Netflix is …"."""
    if any(type in ("secret", "otp") for type in _PLACED.findall(said)):
        for start, end in values(view):
            type, likely = told(view, start, end)
            if likely >= AFTER_A_SECRET:
                yield type, start, end


def _left_open(said: str) -> str:
    """The type of the value that a message ends before, "" where it says all that it says."""
    for type in ("secret", "otp", "address"):
        if _open(type).search(said[-CARRIED:]):
            return type
    return ""


def _value(view: str) -> tuple[int, int]:
    """Where the last thing that could be typed stands."""
    match = _TOKEN.search(view)
    if match is None:
        return 0, 0
    return match.start(), match.end() - (len(tail[0]) if (tail := _TAIL.search(match[0])) else 0)


def _is_told(value: str) -> bool:
    """No word that is said of passwords, and none that answers ("thanks")."""
    if not value.isalpha():
        return len(value) > 2
    return compiled("{plain}").fullmatch(value) is not None and not _answers().fullmatch(value)


@cache
def _bare() -> re.Pattern[str]:
    """A few words and a value with a digit or a sign in it. Compiled when it is needed: Chinese signs take long."""
    words = rf"\W*(?:[^\W\d_]{{1,9}}\W+){{0,4}}[{HAN}]{{0,6}}"
    return re.compile(rf"{words}(?=[!-~]*\d|[!-~]*[^\w\s])[!-~]{{3,}}(?:[ -]\d{{2,6}})*[{HAN}]{{0,3}}\W*")


@cache
def _word() -> re.Pattern[str]:
    """A few words and one of Latin letters."""
    return re.compile(rf"\W*(?:[^\W\d_]{{1,9}}\W+){{0,3}}[{HAN}]{{0,6}}[A-Za-z]{{4,40}}\W*")


@cache
def _open(type: str) -> re.Pattern[str]:
    return re.compile(data()["words"][f"open_{type}"], re.IGNORECASE)


@cache
def _again() -> re.Pattern[str]:
    return re.compile(data()["words"]["again"], re.IGNORECASE)


@cache
def _answers() -> re.Pattern[str]:
    return re.compile(data()["words"]["answers"], re.IGNORECASE)
