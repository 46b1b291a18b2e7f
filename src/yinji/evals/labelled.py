"""Labelled sentences: the files of a folder that has one per language, or a single file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from yinji.errors import InvalidInput
from yinji.evals.data import Line, lines

_T = TypeVar("_T")


def labelled(data: Path, read: Callable[[Line], _T], limit: int | None) -> Iterator[tuple[str, Sequence[_T]]]:
    """Each file's name with its cases, at most ``limit`` of them, evenly spread."""
    files = [data] if data.is_file() else sorted(data.glob("*.jsonl"))
    if not files:
        raise InvalidInput(what=str(data), problem="there is no *.jsonl in it", hint="Check --data.")
    for file in files:
        cases = [read(line) for line in lines(file)]
        if limit is not None and len(cases) > limit:
            cases = [cases[at * len(cases) // limit] for at in range(limit)]
        yield file.stem, cases


def whole(line: Line, row: dict[str, object], name: str) -> int:
    """A whole number of an object within the line."""
    value = row.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise line.wrong(f"{name!r} must be a whole number, not {value!r}")
