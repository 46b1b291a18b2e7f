"""What a correction that says only part of a statement makes of it: "I test for Alibaba", then "no, NetEase".

What both have in common tells where what was wrong stands: before it, behind it, or between. Where they have nothing
in common, what is new stands for the one thing of its type that was named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice

from yinji.language.entities import find_entities
from yinji.language.entities.reading import read
from yinji.language.packs import Pack
from yinji.language.text import content_key, is_telling, query_terms, terms
from yinji.model import Misstated
from yinji.remember.statement import state
from yinji.remember.values import values

LONGEST = 6
"""English words of what may be put for something else: what is longer tells something by itself."""
LONGEST_ZH = 10
"""The same in Chinese characters."""
TELLING = frozenset("vrdcypo")
"""First letters of the parts of speech with which Chinese says something of what it names."""
NOMINAL = frozenset("nmtqsfxejil")
"""First letters of the parts of speech of which Chinese names, numbers and things are made."""
ALIKE = 0.6
"""Share of letters from which one name may be another spelling of the other."""
SORTS = {"organisation": "place"}
"""Types of names that stand for each other: somebody is at a firm as at a place."""
_NUMBER = re.compile(r"\d+(?:[.,:\uff0c\uff1a]\d+)+")
_WORD = re.compile(r"[^\W_][\w'’&.-]*")


@dataclass(frozen=True, kw_only=True, slots=True)
class Mended:
    """A statement set right."""

    text: str
    of: Misstated


@dataclass(frozen=True, kw_only=True, slots=True)
class _Token:
    start: int
    end: int
    key: str
    tag: str
    """The part of speech; of an English word only whether it is one of grammar (``p``) or not (``n``)."""

    @property
    def names(self) -> bool:
        return self.tag[0] in NOMINAL


@dataclass(frozen=True, kw_only=True, slots=True)
class _Both:
    """A stretch that both have, as offsets into what is new and into what was said."""

    new: int
    old: int
    length: int
    old_length: int


def mended(part: str, said: str, words: Pack, *, last: bool) -> Mended | None:
    """The statement with the part in place of what it has in common with it and of what stands there for the rest.

    ``last``: it was the last thing said. What was said before is only set right by what names something of it.
    """
    opening = words.matcher("mend_head").match(part.strip())
    if opening and opening["self"] and state(said, words.language).subject != "user":
        return None
    part = part.strip()[opening.end() if opening else 0 :].strip()
    if cleft := words.matcher("mend_cleft").match(part):
        part = f"{cleft['frame']} {cleft['new']}"
    both = _in_both(part, said, words)
    telling = (is_telling(term) for one in both for term in terms(part[one.new : one.new + one.length]))
    if not both or not (last or any(telling)):
        return None
    found = _around(part, said, both, words)
    return found if found and content_key(found.text) != content_key(said) else None


def exchanged(part: str, said: str, words: Pack) -> Mended | None:
    """The statement with the only thing of the part's type exchanged for it: York for Leeds, 网易 for 阿里."""
    sort = next((sort for span, sort in _named(part, words) if span == (0, len(part))), None)
    spans = [span for span, other in _named(said, words) if other == sort] if sort else []
    if len(spans) != 1 or values(part, words):
        return None
    start, end = spans[0]
    text = f"{said[:start]}{part}{said[end:]}"
    return Mended(text=text, of=Misstated(said=said, wrong=said[start:end])) if text != said else None


def respelt(name: str, said: str, words: Pack) -> Mended | None:
    """The statement with the name in place of the one that is nearly written so."""
    spans = [one.span() for one in words.matcher("capitalised").finditer(said)]
    alike = [(start, end) for start, end in spans if _likeness(name, said[start:end]) >= ALIKE]
    if len(alike) != 1 or said[slice(*alike[0])] == name:
        return None
    start, end = alike[0]
    return Mended(text=f"{said[:start]}{name}{said[end:]}", of=Misstated(said=said, wrong=said[start:end]))


def _likeness(name: str, other: str) -> float:
    return SequenceMatcher(None, name.lower(), other.lower(), autojunk=False).ratio()


def another_role(part: str, said: str, words: Pack) -> Mended | None:
    """The statement with who is meant by what they do: a dentist's appointment, not a doctor's."""
    meant = words.matcher("role_alone").fullmatch(_without_head(part, words))
    spans = [one.span() for one in words.matcher("roles").finditer(said)] if meant else []
    if meant is None or len(spans) != 1:
        return None
    (start, end), role = spans[0], meant["role"] or meant["bare"]
    head = words.matcher("article_before").sub(lambda one: one["a"] + ("n" if role[0] in "aeiou" else ""), said[:start])
    text = f"{head}{role}{said[end:]}"
    return Mended(text=text, of=Misstated(said=said, wrong=said[start:end])) if text != said else None


def _without_head(part: str, words: Pack) -> str:
    opening = words.matcher("mend_head").match(part.strip())
    return part.strip()[opening.end() if opening else 0 :].strip()


def _tokens(text: str, words: Pack) -> list[_Token]:
    if words.language == "zh":
        return _numbers_whole(
            text, [_Token(start=one.start, end=one.end, key=one.text, tag=one.tag) for one in read(text).words]
        )
    found = (match for match in _WORD.finditer(text))
    return [
        _Token(
            start=one.start(),
            end=one.end(),
            key="".join(query_terms(one[0])),
            tag="p" if words.has("breaks_name", one[0].lower()) else "n",
        )
        for one in found
    ]


def _numbers_whole(text: str, found: Sequence[_Token]) -> list[_Token]:
    """The words with those of one number as one: the dictionary takes 54,500 apart."""
    kept = list(found)
    for number in _NUMBER.finditer(text):
        start, end = number.span()
        inside = [at for at, one in enumerate(kept) if start <= one.start and one.end <= end]
        if len(inside) > 1 and kept[inside[0]].start == start and kept[inside[-1]].end == end:
            kept[inside[0] : inside[-1] + 1] = [_Token(start=start, end=end, key=number[0], tag="m")]
    return kept


# ----------------------------------------------------------------- what both have


def _in_both(part: str, said: str, words: Pack) -> list[_Both]:
    """Word by word in English; in Chinese by characters, as far as words of either begin and end there."""
    if words.language == "zh":
        edges = [_edges(one, words) for one in (part, said)]
        found = SequenceMatcher(None, part, said, autojunk=False).get_matching_blocks()
        kept = (_within_words(one.a, one.b, one.size, *edges) for one in found)
        return [_Both(new=a, old=b, length=size, old_length=size) for a, b, size in kept if size]
    new, old = _tokens(part, words), _tokens(said, words)
    matcher = SequenceMatcher(None, [one.key for one in new], [one.key for one in old], autojunk=False)
    return [
        _Both(
            new=new[one.a].start,
            old=old[one.b].start,
            length=new[one.a + one.size - 1].end - new[one.a].start,
            old_length=old[one.b + one.size - 1].end - old[one.b].start,
        )
        for one in matcher.get_matching_blocks()
        if one.size
    ]


def _edges(text: str, words: Pack) -> frozenset[int]:
    return frozenset({0, len(text)} | {at for one in _tokens(text, words) for at in (one.start, one.end)})


def _within_words(a: int, b: int, size: int, new: frozenset[int], old: frozenset[int]) -> tuple[int, int, int]:
    while size and a not in new and b not in old:
        a, b, size = a + 1, b + 1, size - 1
    while size and a + size not in new and b + size not in old:
        size -= 1
    return a, b, size


# ----------------------------------------------------------------- where what is new goes


def _around(part: str, said: str, both: Sequence[_Both], words: Pack) -> Mended | None:
    """The part in place of what it has in common with what was said, and of what stands there for what is new."""
    first, last = both[0], both[-1]
    lead, tail = part[: first.new], part[last.new + last.length :]
    if not all(_names_only(one, words) for one in _new_parts(part, both)):
        return None
    tokens = _tokens(said, words)
    start, end = first.old, last.old + last.old_length
    if lead.strip():
        start = _back(first.old, tokens, _count(lead, words))
    if tail.strip():
        end = _on(end, said, tokens, _count(tail, words), words)
    wrong = max(_old_parts(said, start, end, both), key=len, default="").strip()
    if not wrong or _left_out(said, both, part):
        return None
    return Mended(text=f"{said[:start]}{part}{said[end:]}", of=Misstated(said=said, wrong=wrong))


def _left_out(said: str, both: Sequence[_Both], part: str) -> bool:
    """Whether something told between what both have has nothing in its place: it is of another that they tell."""
    between = zip(_old_parts(said, both[0].old, both[-1].old, both), _new_parts(part, both), strict=False)
    return any(not new.strip() and any(map(is_telling, terms(old))) for old, new in islice(between, 1, len(both)))


def _new_parts(part: str, both: Sequence[_Both]) -> Iterator[str]:
    at = 0
    for one in both:
        yield part[at : one.new]
        at = one.new + one.length
    yield part[at:]


def _old_parts(said: str, start: int, end: int, both: Sequence[_Both]) -> Iterator[str]:
    at = start
    for one in both:
        yield said[at : one.old]
        at = one.old + one.old_length
    yield said[at:end]


def _names_only(text: str, words: Pack) -> bool:
    """Whether nothing is said in it but a name, a number or a thing."""
    found = _tokens(text, words)
    if words.language == "zh":
        return len(text) <= LONGEST_ZH and not any(one.tag[0] in TELLING and one.tag != "vn" for one in found)
    return len(found) <= LONGEST and not words.matcher("mend_not").search(text.strip())


def _count(text: str, words: Pack) -> int:
    return len(_tokens(text, words))


def _back(at: int, tokens: Sequence[_Token], most: int) -> int:
    """Where the words before a place begin that name something, as many as are put for them."""
    for one in reversed([each for each in tokens if each.end <= at]):
        if not most or not (one.names or one.tag == "r"):
            break
        at, most = one.start, most - 1
    return at


def _on(at: int, said: str, tokens: Sequence[_Token], most: int, words: Pack) -> int:
    """Where the words behind a place end that name something: all of a name, else as many as are put for them."""
    begin = next((one.start for one in tokens if one.start >= at), at)
    named = [one.end for one in find_entities(said, language=words.language) if one.start == begin]
    if words.language != "zh":
        most = LONGEST
    for one in (each for each in tokens if each.start >= at):
        between = said[at : one.start]
        if not most or not one.names or between.strip():
            break
        at, most = one.end, most - 1
    return max(at, *named, at)


# ----------------------------------------------------------------- what is named


def _named(text: str, words: Pack) -> list[tuple[tuple[int, int], str]]:
    """What is named in it, by its type in Chinese, by its capital in English, where that does not open the text.

    A Chinese thing without a name counts behind the first verb: before it stands whom it is of.
    """
    if words.language == "zh":
        found = [((one.start, one.end), SORTS.get(one.type, one.type)) for one in find_entities(text, language="zh")]
        tokens = _tokens(text, words)
        said = next((at for at, one in enumerate(tokens) if one.tag[0] in "vp"), -1)
        things = [(one.start, one.end) for one in tokens[said + 1 :] if one.tag == "n"]
        return found + [(span, "thing") for span in things if all(span != other for other, _ in found)]
    names = words.matcher("capitalised").finditer(text)
    return [(one.span(), "name") for one in names if one.start() or one.end() == len(text)]
