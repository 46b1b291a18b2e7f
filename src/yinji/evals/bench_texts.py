"""Sentences for the bench, Chinese and English by turns, drawn from ``data/bench.toml``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from random import Random

from yinji import shipped

_PLACE = re.compile(r"\{(\w+)\}")
LANGUAGES = ("zh", "en")
NUMBERS = (2, 980)


def texts(count: int, *, seed: int) -> list[str]:
    """That many different statements; the same for the same seed."""
    return _drawn("texts", count, seed)


def questions(count: int, *, seed: int) -> list[str]:
    """That many different questions about such statements; there are a few hundred."""
    return _drawn("questions", count, seed)


def _drawn(what: str, count: int, seed: int) -> list[str]:
    draw, drawn = Random(seed), dict[str, None]()
    while len(drawn) < count:
        drawn[_filled(_language(LANGUAGES[len(drawn) % len(LANGUAGES)]), what, draw)] = None
    return list(drawn)


def _filled(language: Mapping[str, Sequence[str]], what: str, draw: Random) -> str:
    def word(place: re.Match[str]) -> str:
        return str(draw.randint(*NUMBERS)) if place[1] == "number" else draw.choice(language[place[1]])

    text = _PLACE.sub(word, draw.choice(language[what]))
    return text[0].upper() + text[1:]


@cache
def _language(name: str) -> Mapping[str, Sequence[str]]:
    read = shipped.toml("bench.toml")
    found: Mapping[str, Sequence[str]] = read[name]
    return found
