"""What two statements show of what the later is to the earlier: cues in their words, values, people, nearness.

Cues are the language's (``data/lang/relation/<language>.toml``). Nothing here decides; the numbers go to
``relation.py``, and to the script that trains its weights.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache

from yinji import shipped
from yinji.language.entities import find_entities
from yinji.language.memo import while_reading
from yinji.language.packs import pack
from yinji.language.text import query_terms, terms
from yinji.remember.counted import Counted, compared, counted
from yinji.remember.slots import Filled, attributes, filled, topics
from yinji.remember.values import Value, values, without

OPENING = 12
"""Characters in which a correction says that it is one."""
RESPELT = 0.6
"""How alike two names must be written, 0 to 1, for one to be the other spelt right."""
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9'-]{3,}|[A-Za-z]*\d[A-Za-z0-9-]+")
TOGETHER = (
    ("done", "plan"),
    ("ended", "plan"),
    ("changed", "plan"),
    ("ended", "every"),
    ("start", "negation"),
    ("occasion", "every"),
    ("occasion", "plan"),
    ("occasion", "fixed"),
    ("fixed", "negation"),
    ("negation", "fixed"),
    ("every", "every"),
    ("now", "before"),
    ("before", "now"),
    ("changed", "hearsay"),
    ("firm", "hearsay"),
    ("changed", "hedge"),
    ("scope", "scope"),
    ("additive", "favourite"),
    ("changed", "instruct"),
    ("retract", "instruct"),
)
"""Cues of the later and of the earlier statement that say more together than each."""
TURNS = ("changed", "ended", "done", "now", "start", "correction", "plan", "occasion", "additive", "every", "hedge")
"""Cues of the later statement that say more the more both say of the same thing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """One statement, in the words in which it was said, as far as comparing needs it."""

    text: str
    language: str
    cues: frozenset[str]
    kin: frozenset[str]
    sides: frozenset[tuple[str, int]]
    """Of which of several like things it speaks: a contrast, and a side of it."""
    names: frozenset[str]
    terms: frozenset[str]
    """Index terms that say what it is about, its values left out."""
    values: tuple[Value, ...]
    topics: frozenset[str]
    filled: tuple[Filled, ...]
    numbers: tuple[float, ...]
    counted: tuple[Counted, ...]
    typed: Mapping[str, frozenset[str]]
    """What is named, by its type."""
    first: str
    """The first of its terms that say what it is about."""
    opens: bool
    """Whether it opens by correcting something."""
    length: int


@dataclass(frozen=True, kw_only=True, slots=True)
class _Words:
    cues: Mapping[str, re.Pattern[str]]
    kin: Mapping[str, re.Pattern[str]]
    contrasts: Mapping[str, tuple[re.Pattern[str], ...]]


@cache
def _words(language: str) -> _Words:
    read = shipped.toml(f"lang/relation/{language}.toml")
    found = {
        part: {
            name: re.compile("|".join(f"(?:{one})" for one in listed), re.IGNORECASE)
            for name, listed in read[part].items()
        }
        for part in ("cues", "kin")
    }
    contrasts = {
        name: tuple(re.compile(one, re.IGNORECASE) for one in listed) for name, listed in read["contrasts"].items()
    }
    return _Words(cues=found["cues"], kin=found["kin"], contrasts=contrasts)


def cues(text: str, language: str) -> frozenset[str]:
    """Names of the cues that it has."""
    return frozenset(name for name, cue in _words(language).cues.items() if cue.search(text))


@while_reading(1024)
def said(text: str, language: str) -> Said:
    words, told = _words(language), pack(language)
    found = tuple(values(text, told))
    kin = told.tables["same_kin"]
    about = told.matcher("called_kin").sub(lambda one: kin.get(one[0].lower(), one[0]), without(text, list(found)))
    telling = [term for term in query_terms(about) if len(term) > 1]
    named = find_entities(text, language=language)
    return Said(
        text=text,
        language=language,
        cues=cues(text, language),
        kin=frozenset(name for name, cue in words.kin.items() if cue.search(text)),
        sides=frozenset(
            (name, side)
            for name, patterns in words.contrasts.items()
            for side, pattern in enumerate(patterns)
            if pattern.search(text)
        ),
        names=frozenset(one.name.casefold() for one in named),
        typed={
            kind: frozenset(one.name.casefold() for one in named if one.type == kind)
            for kind in {one.type for one in named}
        },
        counted=counted(text, language),
        terms=frozenset(telling),
        first=telling[0] if telling else "",
        opens=bool(words.cues["correction"].search(text[:OPENING])),
        numbers=tuple(float(one) for one in _NUMBER.findall(text.replace(",", ""))),
        values=found,
        topics=topics(text, language),
        filled=filled(text, language),
        length=len(terms(text)),
    )


def features(new: Said, old: Said, *, cosine: float | None, common: Mapping[str, float]) -> dict[str, float]:
    """Name → number, all about 0 to 1; what is absent is 0. ``cosine``: of their vectors, where there are any;
    ``common``: how little a common term says, 0 to 1."""
    return dict(_all(new, old, cosine, common))


def _all(new: Said, old: Said, cosine: float | None, common: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    near = 0.0 if cosine is None else max(0.0, min(1.0, (cosine - 0.75) * 5))
    shared = len(new.terms & old.terms)
    mine, theirs = shared / max(1, len(new.terms)), shared / max(1, len(old.terms))
    yield "near", near
    yield "near2", near * near
    yield "no_vector", float(cosine is None)
    yield "shared_new", mine
    yield "shared_old", theirs
    yield "shared_least", min(mine, theirs)
    yield "shared_any", float(shared > 0)
    yield "shared_two", float(shared > 1)
    yield "all_new_shared", float(bool(new.terms) and new.terms <= old.terms)
    yield "opens_with_shared", float(bool(new.first) and new.first in old.terms)
    yield "opens_correcting", float(new.opens)
    grams = _overlap(new.text, old.text)
    yield "grams", grams
    yield "short_new", float(new.length <= 12)
    yield "long_new", min(1.0, new.length / 60)
    yield "long_old", min(1.0, old.length / 60)
    yield "zh", float(new.language == "zh")
    yield from _of_cues(new, old, near, max(mine, theirs))
    yield from _of_things(new, old, common)
    yield from _of_values(new, old)
    yield from _of_people(new, old)
    yield from _of_slots(new, old)


def _overlap(one: str, other: str) -> float:
    """Share of the shorter text's character pairs that the other has."""
    pairs = [{text[at : at + 2] for at in range(len(text) - 1)} for text in (one.casefold(), other.casefold())]
    return len(pairs[0] & pairs[1]) / max(1, min(map(len, pairs)))


def _of_cues(new: Said, old: Said, near: float, shared: float) -> Iterator[tuple[str, float]]:
    for name in _words(new.language).cues:
        has = float(name in new.cues)
        yield f"new_{name}", has
        yield f"old_{name}", float(name in old.cues)
        yield f"both_{name}", float(name in new.cues and name in old.cues)
        yield f"near_{name}", has * near
        yield f"shared_{name}", has * shared
    for mine, theirs in TOGETHER:
        yield f"new_{mine}_old_{theirs}", float(mine in new.cues and theirs in old.cues)
    yield "negation_differs", float(("negation" in new.cues) is not ("negation" in old.cues))
    yield "negation_differs_shared", shared * (("negation" in new.cues) is not ("negation" in old.cues))


def _of_things(new: Said, old: Said, common: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    """How much what both name says about what they are about, other than who."""
    people = {term for side in (new, old) for name in side.typed.get("person", ()) for term in query_terms(name)}
    telling = sorted((1.0 - common.get(term, 0.0) for term in (new.terms & old.terms) - people), reverse=True)
    best = telling[0] if telling else 0.0
    told = min(1.0, sum(telling) / 3)
    yield "thing", best
    yield "things", told
    yield "thing_none", float(not telling)
    for name in TURNS:
        has = float(name in new.cues)
        yield f"thing_{name}", has * best
        yield f"things_{name}", has * told
        yield f"no_thing_{name}", has * float(not telling)
    yield "thing_slot", best * float(bool({one.place for one in new.filled} & {one.place for one in old.filled}))
    yield "thing_old_event", best * float("occasion" in old.cues)


def _of_values(new: Said, old: Said) -> Iterator[tuple[str, float]]:
    kinds = [{one.type.split()[0] for one in side.values} for side in (new, old)]
    keys = [{one.key for one in side.values} for side in (new, old)]
    both = kinds[0] & kinds[1]
    same = bool(keys[0] & keys[1])
    differs = any(
        {one.key for one in new.values if one.type.split()[0] == kind}.isdisjoint(
            one.key for one in old.values if one.type.split()[0] == kind
        )
        for kind in both
    )
    yield "value_same", float(same)
    yield "value_differs", float(differs)
    yield "value_both", float(bool(both))
    yield "value_new_only", float(bool(kinds[0] - kinds[1]))
    yield "value_old_only", float(bool(kinds[1] - kinds[0]))
    apart, alike, grew = compared(new.counted, old.counted)
    yield "count_differs", min(1.0, apart / 2)
    yield "count_same", min(1.0, alike / 2)
    yield "count_grew", min(1.0, apart / 2) * float(grew)
    yield "count_new", min(1.0, len(new.counted) / 3)
    yield "count_old", min(1.0, len(old.counted) / 3)
    yield from _of_types(new, old)
    yield "numbers_near", _nearest_ratio(new, old)
    yield "numbers_near_shared", _nearest_ratio(new, old) * float(bool(new.terms & old.terms))
    yield "respelt", float(_respelt(new, old))
    yield "names_same", float(bool(new.names & old.names))
    yield "names_differ", float(bool(new.names) and bool(old.names) and not new.names & old.names)
    yield "names_new_only", float(bool(new.names) and not old.names)


def _of_types(new: Said, old: Said) -> Iterator[tuple[str, float]]:
    """Per type of what can be named: whether both name one, and another."""
    for kind in sorted(new.typed.keys() | old.typed.keys()):
        mine, theirs = new.typed.get(kind, frozenset()), old.typed.get(kind, frozenset())
        yield f"names_{kind}_both", float(bool(mine) and bool(theirs))
        yield f"names_{kind}_same", float(bool(mine & theirs))
        yield f"names_{kind}_other", float(bool(mine) and bool(theirs) and not mine & theirs)
        yield f"names_{kind}_new", float(bool(mine) and not theirs)


def _nearest_ratio(new: Said, old: Said) -> float:
    """How near the nearest two differing numbers are: 1 for nearly the same, 0 from twice on."""
    ratios = [max(a, b) / min(a, b) for a in new.numbers for b in old.numbers if a != b and a > 0 and b > 0]
    return max(0.0, 2.0 - min(ratios)) if ratios else 0.0


def _respelt(new: Said, old: Said) -> bool:
    mine, theirs = (set(_TOKEN.findall(side.text.casefold())) for side in (new, old))
    match = SequenceMatcher()
    for other in theirs - mine:
        match.set_seq2(other)
        if any(_alike(match, one) for one in mine - theirs):
            return True
    return False


def _alike(match: SequenceMatcher[str], one: str) -> bool:
    """The cheap upper bounds are asked first: most pairs are nothing like each other."""
    match.set_seq1(one)
    return match.real_quick_ratio() >= RESPELT and match.quick_ratio() >= RESPELT and match.ratio() >= RESPELT


def contrast(new: Said, old: Said) -> bool:
    """Whether each speaks of another of several like things."""
    return any(
        {side for kind, side in new.sides if kind == name}.isdisjoint(side for kind, side in old.sides if kind == name)
        for name in {kind for kind, _ in new.sides} & {kind for kind, _ in old.sides}
    )


def _of_people(new: Said, old: Said) -> Iterator[tuple[str, float]]:
    yield "contrast", float(contrast(new, old))
    yield "side_new_only", float(bool({kind for kind, _ in new.sides} - {kind for kind, _ in old.sides}))
    yield "kin_same", float(bool(new.kin & old.kin))
    yield "kin_differs", float(bool(new.kin) and bool(old.kin) and not new.kin & old.kin)
    yield "kin_new_only", float(bool(new.kin - old.kin))
    yield "kin_old_only", float(bool(old.kin - new.kin))


def _of_slots(new: Said, old: Said) -> Iterator[tuple[str, float]]:
    both = new.topics & old.topics
    valued = {one.name: one.valued for one in attributes(new.language) if one.topic is not None}
    for name in valued:
        yield f"about_{name}", float(name in both)
    for sort in ("one", "fixed", "many"):
        yield f"about_any_{sort}", float(any(valued[name] == sort for name in both))
    yield "about_nothing_shared", float(not both)
    yield "about_share", len(both) / max(1, min(len(new.topics), len(old.topics)))
    yield "about_new_nothing", float(not new.topics)
    for sort in ("one", "fixed", "many"):
        places = {one.place for one in new.filled if one.valued == sort} & {one.place for one in old.filled}
        same = [_values_at(place, new) & _values_at(place, old) for place in places]
        yield f"slot_same_{sort}", float(any(same))
        yield f"slot_differs_{sort}", float(any(not one for one in same))


def another_value(new: Said, old: Said) -> bool:
    """Whether both fill in something that has one value, or count the same, and with other values."""
    apart, alike, _ = compared(new.counted, old.counted)
    return _filled_otherwise(new, old, "one") or apart > max(1, alike)


def excludes(new: Said, old: Said) -> bool:
    """Whether both give what has one value for good, of a few, and another one: two star signs of one person."""
    return _filled_otherwise(new, old, "closed")


def _filled_otherwise(new: Said, old: Said, valued: str) -> bool:
    mine = {one.place for one in new.filled if one.valued == valued}
    places = mine & {one.place for one in old.filled}
    return any(not _values_at(place, new) & _values_at(place, old) for place in places)


def each_anew(new: Said, old: Said) -> bool:
    """Whether both give several numbers, and none that is the same: "458 boxes in warehouse 65" tells of another
    warehouse than "472 boxes in warehouse 67"."""
    mine, theirs = ({one.number for one in said.counted} for said in (new, old))
    return min(len(mine), len(theirs)) > 1 and mine.isdisjoint(theirs)


def _values_at(place: tuple[str, str], statement: Said) -> set[str]:
    return {one.value for one in statement.filled if one.place == place}
