"""Who and what a text names: people, places, organisations, codes, amounts, each with its span.

Chinese names come from the segmenter's part-of-speech tags, English ones from capitals; forms that both
miss (codes, amounts, titles such as "surname + engineer") from the pack's ``entity_*`` patterns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from yinji.language.packs import pack
from yinji.model import Entity

TAGS = {"nr": "person", "nrt": "person", "nrfg": "person", "ns": "place", "nt": "organisation"}
PATTERNS = ("person", "organisation", "place", "code", "amount", "device", "project", "product")
"""Kinds with an ``entity_<kind>`` pattern, the most telling first."""

_CAPITALS = re.compile(r"\b[A-Z][\w'’&+#.-]*(?:\s+(?:of|the|de|van|von)?\s*[A-Z][\w'’&+#-]*)*")


@lru_cache(maxsize=256)
def find_entities(text: str, *, language: str) -> tuple[Entity, ...]:
    """Everything named, in order, none overlapping another; the same name twice is there twice."""
    kept: list[Entity] = []
    for finder in (_by_pattern, _by_tag, _by_capitals):
        for one in finder(text, language):
            if all(one.end <= other.start or other.end <= one.start for other in kept):
                kept.append(one)
    return tuple(sorted(kept, key=lambda one: one.start))


def _by_pattern(text: str, language: str) -> Iterator[Entity]:
    words = pack(language)
    for kind in PATTERNS:
        if f"entity_{kind}" not in words.patterns:
            continue
        for matcher in words.matchers(f"entity_{kind}"):
            for match in matcher.finditer(text):
                group = "name" if "name" in matcher.groupindex else 0
                if match[group] and not words.has("not_a_name", match[group].lower()):
                    yield Entity(name=match[group], type=kind, start=match.start(group), end=match.end(group))


def _by_tag(text: str, language: str) -> Iterator[Entity]:
    if language != "zh":
        return
    import rjieba

    at, words = 0, pack(language)
    for word, tag in rjieba.tag(text):
        start = text.find(word, at)
        if start < 0:  # the segmenter may drop what it cannot show
            continue
        at = start + len(word)
        if tag in TAGS and TAGS[tag] == "person" and len(word) > 2 and words.has("after_name", word[-1]):
            name = word[:-1]  # a guessed name may have swallowed the verb behind it
        else:
            name = word
        if tag in TAGS and len(name) > 1 and not words.has("not_a_name", name):
            yield Entity(name=name, type=TAGS[tag], start=start, end=start + len(name))


def _by_capitals(text: str, language: str) -> Iterator[Entity]:
    """Runs of capitalised words; a lone one that opens a sentence only when it is no ordinary word."""
    words = pack("en")
    for match in _CAPITALS.finditer(text):
        name = re.sub(r"['’]s$", "", match[0].rstrip(".'’-"))
        first, _, rest = name.partition(" ")
        start = match.start()
        if words.has("not_a_name", first.lower()) or words.has("function", first.lower()):
            name, start = rest.lstrip(), start + len(name) - len(rest.lstrip())
        if name and not words.has("not_a_name", name.lower()) and not _is_ordinary(name, text, start):
            yield Entity(name=name, type=_capital_type(name), start=start, end=start + len(name))


def _is_ordinary(name: str, text: str, start: int) -> bool:
    """Whether a lone capital may only mark the start of a sentence, or a day."""
    if name.lower() in pack("en").tables["weekdays"]:
        return True
    opens = not text[:start].strip() or text[:start].rstrip()[-1] in ".!?"
    return opens and " " not in name and name.lower().endswith(("ing", "ly", "ed"))


def _capital_type(name: str) -> str:
    words = pack("en")
    if words.has("places", name.lower()):
        return "place"
    if words.has("first_names", name.split(maxsplit=1)[0].lower()):
        return "person"
    return "other"
