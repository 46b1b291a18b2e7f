"""Labelled data in the forms of SPEC E1, read line by line; whatever is not in form is named with its line.

A time without a zone is read as UTC: the public sets have none.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from yinji.errors import InvalidInput
from yinji.model import Turn

VARIABLE = "YINJI_EVAL_DATA"
QUESTIONS = "queries.jsonl"

_T = TypeVar("_T")


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """One question with what would answer it."""

    id: str
    owner: str
    text: str
    asked_at: datetime
    gold: tuple[frozenset[str], ...] = ()
    """Groups of interchangeable sources; none when nothing answers the question."""
    category: str = ""
    type: str = ""
    split: str = ""
    """``dev`` or ``test``, where the set says."""
    answer: tuple[str, ...] = ()
    """Parts that must all be there."""
    alternatives: tuple[tuple[str, ...], ...] = ()
    """Other wordings of the whole answer."""
    stale: frozenset[str] = frozenset()
    """Sources that hold an outdated value."""


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredText:
    """A text that is stored as it is."""

    id: str
    owner: str
    text: str
    at: datetime
    speaker: str = ""
    session: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class RetrievalSet:
    name: str
    texts: tuple[StoredText, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ConversationSet:
    name: str
    turns: tuple[Turn, ...]
    """``Turn.id`` is the set's own id."""
    questions: tuple[Question, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A line of a file, which reads its fields and says where one is wrong."""

    path: Path
    number: int
    row: Mapping[str, object]

    def wrong(self, problem: str) -> InvalidInput:
        return wrong_line(self.path, self.number, problem)

    def text(self, name: str, default: str | None = None) -> str:
        value = self._given(name, default)
        if isinstance(value, str):
            return value
        raise self.wrong(f"{name!r} is missing" if value is None else f"{name!r} must be a string, not {value!r}")

    def name(self, name: str) -> str:
        """A string that says something: an id, an owner."""
        if value := self.text(name).strip():
            return value
        raise self.wrong(f"{name!r} is empty")

    def time(self, name: str) -> datetime:
        value = self.text(name)
        try:
            at = datetime.fromisoformat(value)
        except ValueError:
            raise self.wrong(f"{name!r} is not a date and time: {value!r}") from None
        return at if at.tzinfo else at.replace(tzinfo=UTC)

    def number_of(self, name: str, default: int) -> int:
        value = self._given(name, default)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        raise self.wrong(f"{name!r} must be a whole number, not {value!r}")

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of strings; one alone counts as a list of one, numbers are written out, absent is none."""
        return self._texts(name, self.row.get(name))

    def wordings(self, name: str) -> tuple[tuple[str, ...], ...]:
        """A list of strings or lists of strings."""
        value = self._given(name, [])
        if not isinstance(value, list):
            raise self.wrong(f"{name!r} must be a list, not {value!r}")
        return tuple(self._texts(name, one) for one in value)

    def _given(self, name: str, default: object) -> object:
        value = self.row.get(name)
        return default if value is None else value

    def _texts(self, name: str, value: object) -> tuple[str, ...]:
        listed = value if isinstance(value, list) else [] if value is None else [value]
        if all(isinstance(one, str | int | float) for one in listed):
            return tuple(str(one) for one in listed)
        raise self.wrong(f"{name!r} must be a string or a list of strings, not {value!r}")


def wrong_line(path: Path, number: int, problem: str) -> InvalidInput:
    hint = "For the forms see: docs/how-to/evaluate.md"
    return InvalidInput(what=f"{path}, line {number}", problem=problem, hint=hint)


def resolve(name: str, data: Path | None) -> Path:
    """Where the data of the eval ``name`` is: what was given, or the folder that ``YINJI_EVAL_DATA`` names."""
    if data is None and os.environ.get(VARIABLE):
        data = Path(os.environ[VARIABLE])
    if data is None:
        raise InvalidInput(
            what="yinji eval", problem="no data was named", hint=f"Give --data, or set {VARIABLE} to a folder of sets."
        )
    if not data.exists():
        raise InvalidInput(what=str(data), problem="there is no such file or folder", hint="Check --data.")
    inner = data / name
    return inner if inner.is_dir() and not (data / QUESTIONS).exists() else data


def folders(data: Path, beside: str) -> list[Path]:
    """The sets in a folder: itself, or those directly in it, that have ``queries.jsonl`` and ``beside``."""
    found = [at for at in (data, *sorted(data.glob("*/"))) if (at / QUESTIONS).is_file() and (at / beside).is_file()]
    if not found:
        raise InvalidInput(
            what=str(data), problem=f"neither it nor a folder in it has {beside} and {QUESTIONS}", hint="Check --data."
        )
    return found[:1] if found[0] == data else found


def lines(path: Path) -> Iterator[Line]:
    """The objects of a JSON Lines file. Raises InvalidInput at the first line that is none."""
    with path.open("rb") as file:
        for number, raw in enumerate(file, 1):
            if raw.strip():
                yield Line(path=path, number=number, row=_object(raw, path, number))


def _object(raw: bytes, path: Path, number: int) -> Mapping[str, object]:
    try:
        row = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise wrong_line(path, number, f"it is not UTF-8 ({error.reason})") from None
    except json.JSONDecodeError as error:
        raise wrong_line(path, number, f"it is not JSON ({error.msg}, column {error.colno})") from None
    if not isinstance(row, dict):
        raise wrong_line(path, number, f"it is not a JSON object: {str(row)[:60]}")
    return row


def retrieval_set(folder: Path) -> RetrievalSet:
    """``memories.jsonl`` and ``queries.jsonl``; a question's gold must be among its owner's texts."""
    texts = _unique(folder / "memories.jsonl", _stored_text, lambda text: text.id)
    owners = {text.id: text.owner for text in texts}
    return RetrievalSet(name=folder.name, texts=texts, questions=_questions(folder, owners))


def conversation_set(folder: Path) -> ConversationSet:
    """``turns.jsonl`` and ``queries.jsonl``; a question without gold is one that nothing answers."""
    turns = _unique(folder / "turns.jsonl", _turn, lambda turn: turn.id)
    owners = {turn.id: turn.owner for turn in turns}
    return ConversationSet(name=folder.name, turns=turns, questions=_questions(folder, owners))


def sample(questions: Sequence[_T], limit: int | None) -> Sequence[_T]:
    """At most ``limit`` of them, evenly spread."""
    if limit is None or len(questions) <= limit:
        return questions
    return [questions[at * len(questions) // limit] for at in range(limit)]


def _unique(path: Path, read: Callable[[Line], _T], name: Callable[[_T], str]) -> tuple[_T, ...]:
    seen: dict[str, _T] = {}
    for line in lines(path):
        one = read(line)
        if name(one) in seen:
            raise line.wrong(f"the id {name(one)!r} was used before")
        seen[name(one)] = one
    if not seen:
        raise InvalidInput(what=str(path), problem="there is nothing in it", hint="Check --data.")
    return tuple(seen.values())


def _stored_text(line: Line) -> StoredText:
    return StoredText(
        id=line.name("id"),
        owner=line.name("owner"),
        text=line.name("text"),
        at=line.time("timestamp"),
        speaker=line.text("speaker", ""),
        session=line.text("session", ""),
    )


def _turn(line: Line) -> Turn:
    return Turn(
        id=line.name("id"),
        owner=line.name("owner"),
        session=line.text("session", "default"),
        seq=line.number_of("seq", -1),
        at=line.time("at"),
        user=line.text("user"),
        assistant=line.text("assistant", "") or None,
    )


def _questions(folder: Path, owners: Mapping[str, str]) -> tuple[Question, ...]:
    def read(line: Line) -> Question:
        question = _question(line)
        for source in sorted({one for group in question.gold for one in group} | question.stale):
            if source not in owners:
                raise line.wrong(f"there is no {source!r} for its gold or stale")
            if owners[source] != question.owner:
                raise line.wrong(f"{source!r} belongs to {owners[source]!r}, not to {question.owner!r}")
        return question

    return _unique(folder / QUESTIONS, read, lambda question: question.id)


def _question(line: Line) -> Question:
    groups = line.wordings("gold_groups") or tuple((one,) for one in line.texts("gold"))
    return Question(
        id=line.name("id"),
        owner=line.name("owner"),
        text=line.name("text"),
        asked_at=line.time("asked_at"),
        gold=tuple(dict.fromkeys(frozenset(group) for group in groups if group)),
        category=line.text("category", ""),
        type=line.text("type", line.text("subcat", "")),
        split=line.text("split", ""),
        answer=line.texts("answer"),
        alternatives=line.wordings("answer_alt"),
        stale=frozenset(line.texts("stale")),
    )
