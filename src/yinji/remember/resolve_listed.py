"""Which of several that were set side by side is meant: "the former", "the second one", by rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from yinji.remember.resolve_features import Pronoun, Scene, bare
from yinji.remember.resolve_mentions import Mention
from yinji.remember.resolve_words import span_of

PLACES = ("first", "second", "third", "last", "other")
"""Lists of ordinals by what they pick; "the latter" of three is the last."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Listed:
    """One thing of a list, in the message that sets it beside the others."""

    text: str
    start: int
    end: int


def pick(pronoun: Pronoun, scene: Scene) -> str | None:
    """What the ordinal picks out of the list that is meant: the plainest kind of list, named last."""
    low = pronoun.text.lower()
    place = next((one for one in PLACES if any(low.startswith(word) for word in scene.words.words[one])), None)
    for find in (_numbered, _each, _lettered, _titles, _either, _both, _by_clause):
        for at in range(scene.now, -1, -1):
            text = scene.messages[at] if at < scene.now else scene.messages[at][: pronoun.start]
            listed = find(text, scene, at) if place else []
            if len(listed) > 1:
                ordered = _as_named_last(listed, at, scene)
                return _other(ordered, at, scene, pronoun) if place == "other" else _at(place or "", ordered)
    return None


def _at(place: str, listed: Sequence[Listed]) -> str | None:
    at = {"first": 0, "second": 1, "third": 2, "last": len(listed) - 1}[place]
    return listed[at].text if at < len(listed) else None


def _numbered(text: str, scene: Scene, at: int) -> list[Listed]:
    return _items("item", text.replace("\\n", "\n "), scene)


def _each(text: str, scene: Scene, at: int) -> list[Listed]:
    """One is this, one is that."""
    return _items("each", text, scene)


def _lettered(text: str, scene: Scene, at: int) -> list[Listed]:
    """Plan A and plan B, wherever they stand."""
    return _items("lettered", text, scene)


def _titles(text: str, scene: Scene, at: int) -> list[Listed]:
    """Two titles that are all that is said."""
    match = scene.words.matcher("titles").search(text)
    return [_trimmed(text, *span_of(match, name)) for name in ("one", "two")] if match else []


def _items(name: str, text: str, scene: Scene) -> list[Listed]:
    return [_trimmed(text, *span_of(match, "item")) for match in scene.words.matcher(name).finditer(text)]


def _trimmed(text: str, start: int, end: int) -> Listed:
    said = text[start:end]
    start += len(said) - len(said.lstrip())
    return Listed(text=text[start:end].rstrip(" .,;\u3002\uff0c\uff1b\n\\"), start=start, end=end)


def _either(text: str, scene: Scene, at: int) -> list[Listed]:
    """The two on both sides of the last "or"."""
    return _alternatives("either", text, scene, at)


def _both(text: str, scene: Scene, at: int) -> list[Listed]:
    """The two on both sides of the last "and"."""
    return _alternatives("both", text, scene, at)


def _alternatives(name: str, text: str, scene: Scene, at: int) -> list[Listed]:
    inside = _inside(text, scene, at)
    for match in reversed(list(scene.words.matcher(name).finditer(text))):
        left = _left(text, match.start(), inside, scene, guess=at < scene.now)
        right = _right(text, match.end(), inside, scene, guess=at < scene.now)
        if left and right and _is_person(left, inside) == _is_person(right, inside):
            return [left, right]
    return []


def _inside(text: str, scene: Scene, at: int) -> list[Mention]:
    return [one for one in scene.mentions[at] if one.end <= len(text) and not one.whole and one.kind != "deed"]


def _is_person(one: Listed, inside: Sequence[Mention]) -> bool:
    return any(
        other.start == one.start and other.end == one.end and other.kind == "person" and not other.named
        for other in inside
    )


def _left(text: str, at: int, inside: Sequence[Mention], scene: Scene, *, guess: bool) -> Listed | None:
    ends = [one for one in inside if one.end <= at and not text[one.end : at].strip(' ,"\u201d\u300d\u300b')]
    if ends:
        return _listed(max(ends, key=lambda one: one.score))
    match = scene.words.matcher("left_of").search(text[:at])
    return _trimmed(text, *span_of(match, "item")) if match and guess else None


def _right(text: str, at: int, inside: Sequence[Mention], scene: Scene, *, guess: bool) -> Listed | None:
    starts = [
        one for one in inside if one.start >= at and scene.words.matcher("between").fullmatch(text[at : one.start])
    ]
    if starts:
        return _listed(max(starts, key=lambda one: one.score))
    match = scene.words.matcher("right_of").match(text, at)
    return _trimmed(text, *span_of(match, "item")) if match and guess else None


def _listed(one: Mention) -> Listed:
    return Listed(text=one.text, start=one.start, end=one.end)


def _by_clause(text: str, scene: Scene, at: int) -> list[Listed]:
    """The first of each clause, where two clauses follow each other; not of the text at hand."""
    if at == scene.now:
        return []
    inside = _inside(text, scene, at)
    clauses: dict[tuple[int, int], list[Mention]] = {}
    for one in inside:
        clauses.setdefault(one.clause, []).append(one)
    firsts = [max(row, key=lambda one: (-one.start, one.score)) for row in clauses.values()]
    firsts = [one for one in firsts if one.role in ("subject", "object") and one.kind != "person"]
    return [_listed(one) for one in firsts[-2:]] if len(firsts) > 1 else []


def _as_named_last(listed: Sequence[Listed], at: int, scene: Scene) -> list[Listed]:
    """In the order of the last message that names them all; two only."""
    if len(listed) != 2:
        return list(listed)
    for message in range(scene.now - 1, at, -1):
        places = [_found(one, listed, scene.messages[message]) for one in listed]
        if all(place >= 0 for place in places) and places[0] != places[1]:
            return [one for _, one in sorted(zip(places, listed, strict=True), key=lambda pair: pair[0])]
    return list(listed)


def _found(one: Listed, listed: Sequence[Listed], text: str) -> int:
    """Where a message names it, by its whole or by a word that only it has; -1 for nowhere."""
    low = text.lower()
    if bare(one.text) in low:
        return low.index(bare(one.text))
    others = " ".join(other.text.lower() for other in listed if other is not one)
    places = [low.find(part) for part in _parts(bare(one.text)) if part not in others and part in low]
    return min(places, default=-1)


def _parts(text: str) -> Iterator[str]:
    for run in re.findall(r"[a-z0-9]{4,}|[\u4e00-\u9fff]+", text):
        if run.isascii():
            yield run
        else:
            yield from (run[at : at + 2] for at in range(len(run) - 1))


def _other(listed: Sequence[Listed], at: int, scene: Scene, pronoun: Pronoun) -> str | None:
    """The one of two that nothing was said of since."""
    heard = " ".join([*scene.messages[at + 1 : -1], scene.messages[-1][: pronoun.start]])
    left = [one for one in listed if _found(one, listed, heard) < 0]
    return left[0].text if len(left) == 1 and len(listed) == 2 else None
