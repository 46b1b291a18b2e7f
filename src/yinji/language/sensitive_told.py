"""What a value in a sentence is where no rule says so: a secret or a code to log in with, by the words around it.

A small linear classifier (``training/told.md``) sees the shape of what could be typed and the words beside it, never
the value itself, so that it knows no password and learns none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from yinji.language.linear import model
from yinji.language.script import simplify
from yinji.language.sensitive_rules import compiled, data
from yinji.language.text import HAN

NEAR = 80
"""Characters on either side that may tell what a value is."""
NEXT = 24
"""Characters behind a word for a password in which what is typed must stand."""
LIKELY = 0.8
"""Probability from which a value is taken for what the words say."""

_BODY = r"[!#-&*+0-9?@A-Z^_a-z~.-]"
_VALUE = re.compile(
    rf"""(?<![0-9A-Za-z@\#$%&*+_~./\\^\u00a3\u00a5\u20ac-])(?<!\d[,:])["'`(\[]{{0,2}}(?P<value>
    \d{{3}}[ -]\d{{3}}(?![ -]?\d) | \d{{4}}[ ]\d{{4}}(?![ ]?\d) | [*\#]?\d{{3,8}}[*\#]?
    | \d{{1,3}}-\d{{1,3}}-\d{{1,3}}(?:-\d{{1,3}})? | G-\d{{4,8}}
    | (?={_BODY}*\d)[0-9A-Za-z@\#$!]{_BODY}{{2,62}}
    | [A-Za-z]+[!\#$%&*+@^_~.-](?={_BODY}*[A-Za-z]){_BODY}{{2,30}}
    )(?=(?:[.!?]|\.{{3}})?["'`)\]]{{0,2}}(?:[\s,;:]|\Z|[^\x00-\x7f]))(?![ ]?[%\u00b0]|[,:]\d)""",
    re.VERBOSE,
)
_SITE = re.compile(r"(?:[a-z]+[.@])+[a-z]+|[\w.-]+@[\w.-]+\.[a-z]{2,}")
_COUNTED = re.compile(r"[(\uff08]\d{1,3}[)\uff09]")
"""A small number in brackets, which is no part of what is said."""
_TAIL = re.compile(r"[.?]+\Z|(?<=^\d{4})!\Z|(?<=^\d{6})!\Z")
_MEASURE = re.compile(
    r"[$]?\d[\d.,]*(?:%|st|nd|rd|th|am|pm|k|[kmgt]b?|m?s|px|p|k?g|[kcm]?m|x|ml|kw|v|w|hz|ghz|mhz|fps)|v?\d+(?:\.\d+)+|f1?\d|000|(?-i:[A-Z][a-z]{2,}\d)",
    re.IGNORECASE,
)
"""What is measured, a time of the day, an ordinal, a fraction, a version, a key of a keyboard, a lock as it comes."""
_SPOKEN = re.compile(rf"[{HAN}]|[A-Za-z']+|\d+|[^\w\s]")
_SENTENCE = re.compile(r"[\n\u3002\uff01\uff1f!?;\uff1b]+|\.(?=\s|$)")
_CLAUSE = re.compile(r"[,\uff0c:\uff1a;\u3001]")


def values(text: str) -> Iterator[tuple[int, int]]:
    """What in a text could be typed at a lock or into a form."""
    counted = compiled("{not_unit}")
    for match in _VALUE.finditer(text):
        start, end = match.span("value")
        end -= len(found[0]) if (found := _TAIL.search(text[start:end])) else 0
        if not any(shape.fullmatch(text[start:end]) for shape in (_MEASURE, _SITE)) and counted.match(text, end):
            yield start, end


def told(text: str, start: int, end: int) -> tuple[str, float]:
    """What a value most likely is, and how likely that is; the name of what a password opens is nothing."""
    if is_name(text[end : end + NEAR]):
        return "", 0.0
    seen = set(features(text, start, end))
    return max(((label, weights.probability(seen)) for label, weights in model("told").items()), key=lambda one: one[1])


def is_name(behind: str) -> bool:
    """Whether the password comes only after it: "the wifi is Attic_5G, password …"."""
    label = _label().match(behind)
    return label is not None and any(True for _ in values(behind[label.end() : label.end() + NEXT]))


def features(text: str, start: int, end: int) -> Iterator[str]:
    """The shape of a value, and the words before it, behind it, and of its clause and sentence."""
    shape = _shape(text[start:end])
    before, earlier = _last(text[max(0, start - NEAR) : start])
    behind = _SENTENCE.split(text[end : end + NEAR])[0]
    left, right = _words(before), _words(_COUNTED.sub("", behind))
    if re.match(r"\s[A-Z][a-z]", behind):
        yield "named"
    yield from (f"shape:{shape}", f"long:{shape[:1]}:{min(end - start, 24) // 2}")
    yield from _beside("b", left[::-1], shape)
    yield from _beside("a", right, shape)
    yield from (f"clause:{one}" for one in _runs(_words(_CLAUSE.split(before)[-1])))
    yield from (f"said:{one}" for one in (*_runs(left), *_runs(right)))
    yield from (f"earlier:{one}" for one in _runs(_words(earlier)))
    if re.match(r"[?\uff1f]", text[end + len(behind) :]):
        yield "asked"
    yield f"others:{min(2, sum(1 for _ in values(before)) + sum(1 for _ in values(behind)))}"


def _last(before: str) -> tuple[str, str]:
    """The beginning of the sentence that a value stands in, and the sentence before it."""
    parts = _SENTENCE.split(before)
    return parts[-1], parts[-2] if len(parts) > 1 else ""


def _beside(side: str, words: list[str], shape: str) -> Iterator[str]:
    """The words next to a value, nearest first, one to four of them."""
    words = [*words, "|"]
    yield f"{side}1:{words[0]}:{shape[:1]}"
    for many in range(1, min(4, len(words)) + 1):
        yield f"{side}{many}:{' '.join(words[:many])}"


def _runs(words: list[str]) -> Iterator[str]:
    """Words, and pairs of Chinese signs."""
    for at, word in enumerate(words):
        yield word
        if word >= "\u3400" and words[at + 1 : at + 2] and words[at + 1] >= "\u3400":
            yield word + words[at + 1]


@cache
def _label() -> re.Pattern[str]:
    return re.compile(rf"[\s,;/|]{{1,3}}{data()['words']['own_label']}", re.IGNORECASE)


def _words(text: str) -> list[str]:
    """Words in small letters, numbers by how many digits they have."""
    plain = simplify(text).lower()
    return [f"{min(len(one), 9)}0" if one.isdigit() else one for one in _SPOKEN.findall(plain)]


def _shape(value: str) -> str:
    """Runs of capitals, small letters and digits each as one sign; the number of digits where there is nothing else."""
    bare = value.strip("*#")
    if bare.isdigit():
        return f"0{len(bare)}{'#' if bare != value else ''}"
    runs = re.sub(r"[0-9]+", "0", re.sub(r"[A-Z]+", "A", re.sub(r"[a-z]+", "a", value)))
    return runs[:12]
