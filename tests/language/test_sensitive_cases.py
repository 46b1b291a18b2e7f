"""The many ways in which people give away a number: a line of ``sensitive/*.txt`` marks what is to be found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from yinji.language.sensitive import find, mask

MARKED = re.compile(r"⟦(?P<value>[^|]*)\|(?P<type>[a-z_]+)⟧")
LINES = [
    line
    for path in sorted((Path(__file__).parent / "sensitive").glob("*.txt"))
    for line in path.read_text(encoding="utf-8").splitlines()
    if line
]


def read(line: str) -> tuple[str, list[tuple[str, str, int]]]:
    """The text, and the type, words and place of what is marked in it; ``none`` only shows a look-alike."""
    marked, text, at = [], "", 0
    for found in MARKED.finditer(line):
        text += line[at : found.start()]
        if found["type"] != "none":
            marked.append((found["type"], found["value"], len(text)))
        text, at = text + found["value"], found.end()
    return text + line[at:], marked


@pytest.mark.req("W10", "F34")
@pytest.mark.parametrize("line", LINES)
def test_what_is_marked_is_found_and_nothing_else(line: str) -> None:
    text, marked = read(line)
    assert [(one.type, text[one.start : one.end], one.start) for one in find(text)] == marked


@pytest.mark.req("W10")
@pytest.mark.parametrize("line", LINES)
def test_masking_what_was_masked_changes_nothing(line: str) -> None:
    once = mask(read(line)[0]).text
    assert mask(once).text == once
