"""Which of several that were set side by side is meant: "the former", "the second one", "option B", "both", by rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from yinji.language.amounts import find_amounts
from yinji.remember.resolve_features import Pronoun, Scene, bare
from yinji.remember.resolve_lists import CHOICE, Item, Row, rank, rows

PLACES = ("first", "second", "third", "fourth", "fifth")
"""Lists of ordinals by what they pick, counted from the first."""
PAIR = 2
_LABEL = re.compile(r"[a-z]+|[^\W_]")
_FIGURE = re.compile(r"\d+(?:\.\d+)?")
_ENDS: Mapping[str, Callable[[Sequence[Item]], Sequence[Item]]] = {
    "first_two": lambda items: items[:PAIR],
    "last_two": lambda items: items[-PAIR:],
}
_AMOUNTS = {"cheap": False, "dear": True}
"""Lists of words for the least and the highest figure."""


KINDS = ("ordinal", "label", "both")
"""Kinds of pronouns that pick out of a list."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Picked:
    item: Item
    plain: bool
    """Whether it is plainly a list of alternatives; any two things are for "the former"."""
    counted: bool
    """Whether "the former" or "the latter" is said after two alternatives, or "the cheaper one" after their prices, and
    so can mean but one."""

    @property
    def how(self) -> str:
        """``sharp`` where its words or its place are plain too, ``plain`` or ``loose``."""
        return ("sharp" if self.item.sharp or self.counted else "plain") if self.plain else "loose"


def pick(pronoun: Pronoun, scene: Scene) -> Picked | None:
    """What it picks out of the list that is meant; None where nothing is listed."""
    for row in rows(scene, pronoun.start):
        found = _PICKED[pronoun.kind](row, scene, pronoun)
        if found is not None:
            low, chosen = pronoun.text.lower(), row.sure >= CHOICE
            of_two, priced = _is(low, "of_two", scene), any(_is(low, name, scene) for name in _AMOUNTS)
            return Picked(item=found, plain=chosen or of_two or priced, counted=(chosen and of_two) or priced)
    return None


def _labelled(row: Row, scene: Scene, pronoun: Pronoun) -> Item | None:
    """ "B", "step 2": what stood behind that mark."""
    low = pronoun.text.lower()
    said = _LABEL.findall(low)[-1]
    place = rank(said, scene.words)
    marks = [rank(one, scene.words) if _is_letter(one) == _is_letter(said) else 0 for one in row.marks]
    item = row.items[marks.index(place)] if place in marks else None
    return item if item and low != item.text.lower() else None


def _is_letter(mark: str) -> bool:
    return len(mark) == 1 and mark.isascii() and mark.isalpha()


def _all(row: Row, scene: Scene, pronoun: Pronoun) -> Item | None:
    """ "Both", of a list of two."""
    return _together(row.items, scene) if len(row.items) == PAIR else None


def _together(items: Sequence[Item], scene: Scene) -> Item:
    """From the first to the last, as they were said."""
    said = scene.originals[items[0].message]
    start = said.find(items[0].text, items[0].start)
    end = said.find(items[-1].text, items[-1].start) + len(items[-1].text)
    return replace(items[0], start=start, end=end, text=said[start:end], sharp=True)


def _ordered(row: Row, scene: Scene, pronoun: Pronoun) -> Item | None:
    """ "The second one", "the last two", "the cheaper one"."""
    low = pronoun.text.lower()
    if _is(low, "of_two", scene) and len(row.items) != PAIR:
        return None
    items = _as_named_last(row.items, scene)
    for name, take in _ENDS.items():
        if _is(low, name, scene):
            return _together(take(items), scene) if len(items) > PAIR else None
    if _is(low, "other", scene):
        return _other(items, scene, pronoun)
    for name, most in _AMOUNTS.items():
        if _is(low, name, scene):
            return _by_amount(items, scene, most)
    if _is(low, "last", scene):
        return items[-1]
    if _is(low, "middle", scene):
        return items[len(items) // 2] if len(items) % 2 else None
    at = next((at for at, name in enumerate(PLACES) if _is(low, name, scene)), len(items))
    return items[at] if at < len(items) else None


def _is(low: str, name: str, scene: Scene) -> bool:
    return any(low.startswith(word) for word in scene.words.words[name])


def _by_amount(items: Sequence[Item], scene: Scene, most: bool) -> Item | None:
    """The one with the least or the highest figure; None where one has none, or two are level."""
    said = [_figure(scene.messages[one.message][one.start : one.end], scene.model.language) for one in items]
    figures = [one for one in said if one is not None]
    wanted = max(figures, default=0.0) if most else min(figures, default=0.0)
    if len(figures) != len(items) or figures.count(wanted) != 1:
        return None
    return replace(items[figures.index(wanted)], sharp=True)  # Its words end where the amount begins.


def _figure(text: str, language: str) -> float | None:
    """What it costs, or else the first amount of any sort or the first figure."""
    found = find_amounts(text, language=language)
    told = [one.value for one in sorted(found, key=lambda one: not one.unit.isupper())]
    written = _FIGURE.search(text)
    return told[0] if told else float(written[0]) if written else None


def _as_named_last(items: Sequence[Item], scene: Scene) -> Sequence[Item]:
    """In the order of the last message that names them all; two only."""
    if len(items) != PAIR:
        return items
    for message in range(scene.now - 1, items[0].message, -1):
        places = [_found(one, items, scene.messages[message]) for one in items]
        if all(place >= 0 for place in places) and places[0] != places[1]:
            return [one for _, one in sorted(zip(places, items, strict=True), key=lambda pair: pair[0])]
    return items


def _found(one: Item, items: Sequence[Item], text: str) -> int:
    """Where a message names it, by its whole or by a word that only it has; -1 for nowhere."""
    low = text.lower()
    if bare(one.text) in low:
        return low.index(bare(one.text))
    others = " ".join(other.text.lower() for other in items if other is not one)
    places = [low.find(part) for part in _parts(bare(one.text)) if part not in others and part in low]
    return min(places, default=-1)


def _parts(text: str) -> Iterator[str]:
    for run in re.findall(r"[a-z0-9]{4,}|[\u4e00-\u9fff]+", text):
        if run.isascii():
            yield run
        else:
            yield from (run[at : at + 2] for at in range(len(run) - 1))


def _other(items: Sequence[Item], scene: Scene, pronoun: Pronoun) -> Item | None:
    """The one of two that nothing was said of since."""
    heard = " ".join([*scene.messages[items[0].message + 1 : -1], scene.messages[-1][: pronoun.start]])
    left = [one for one in items if _found(one, items, heard) < 0]
    return left[0] if len(left) == 1 and len(items) == PAIR else None


_PICKED = {"ordinal": _ordered, "label": _labelled, "both": _all}
