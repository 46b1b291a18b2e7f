"""What the words of a message show: patterns of each language, from ``data/lang/recall``, in both scripts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from yinji import shipped
from yinji.language.script import both_scripts


def signs(language: str) -> Mapping[str, re.Pattern[str]]:
    """Signs that memory matters to the answer."""
    return _table(language, "signs")


def asking(language: str) -> Mapping[str, re.Pattern[str]]:
    """Signs of what a question asks for."""
    return _table(language, "asking")


def whom_asked(language: str) -> Mapping[str, re.Pattern[str]]:
    """Signs of a question whether, or whom, one has of a sort: children, pets."""
    return _table(language, "whom_asked")


def whom_told(language: str) -> Mapping[str, re.Pattern[str]]:
    """How a memory names one of each sort."""
    return _table(language, "whom_told")


def following(language: str) -> Mapping[str, re.Pattern[str]]:
    """Signs of a message that goes on from the question before it."""
    return _table(language, "following")


def forms(language: str) -> Mapping[str, str]:
    """How the user is called in a question of theirs: by themselves, and before what is theirs."""
    found: Mapping[str, str] = shipped.toml(f"lang/recall/{language}.toml")["forms"]
    return found


def own(language: str) -> Mapping[str, re.Pattern[str]]:
    """For attributes of the user's own: how a question asks for them."""
    return _table(language, "own")


def sought(language: str) -> Mapping[str, re.Pattern[str]]:
    """By sort of thing, what shows that a question seeks one."""
    return _table(language, "sought")


def given(language: str) -> Mapping[str, re.Pattern[str]]:
    """By sort of thing, what shows that a text gives one."""
    return _table(language, "gives")


def attributes(language: str) -> Mapping[str, re.Pattern[str]]:
    """By attribute that is told by its own word or form alone, how a question asks for it."""
    return _table(language, "attributes")


def tells(language: str) -> Mapping[str, re.Pattern[str]]:
    """By the same attributes, what a text that tells one has."""
    return _table(language, "tells")


def single(language: str) -> Mapping[str, re.Pattern[str]]:
    """By attribute of a thing that has one value at a time, how a question asks for it."""
    return _table(language, "single")


def gives_single(language: str) -> Mapping[str, re.Pattern[str]]:
    """By attribute that has one value at a time, what a text that gives one has."""
    return _table(language, "gives_single")


@cache
def _table(language: str, name: str) -> Mapping[str, re.Pattern[str]]:
    rows = shipped.toml(f"lang/recall/{language}.toml")[name]
    return {key: re.compile(both_scripts(one)) for key, one in rows.items()}
