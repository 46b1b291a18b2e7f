"""Sentences for the bench, Chinese and English by turns, drawn from ``data/bench.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from random import Random

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
    read = tomllib.loads((files("yinji") / "data" / "bench.toml").read_text(encoding="utf-8"))
    found: Mapping[str, Sequence[str]] = read[name]
    return found
