"""The first questions and what becomes of their answers (SPEC W17)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from yinji import shipped
from yinji.errors import InvalidInput, meant
from yinji.language.packs import languages
from yinji.language.sensitive import is_delicate
from yinji.language.text import content_key
from yinji.model import Draft, Kind, Layer, Role, Sensitivity, Slot, Source, Trust, Turn
from yinji.remember.statement import state
from yinji.review import OnboardingQuestion

SESSION = "onboarding"
LONGEST = 300
"""Characters of an answer."""
_STOPS = " .,;!\uff0c\u3002\uff1b\uff01"


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """One answer, ready to be kept."""

    question: OnboardingQuestion
    text: str


def questions(language: str) -> tuple[OnboardingQuestion, ...]:
    """The questions in a language, in their order."""
    return tuple(
        OnboardingQuestion(
            id=row["id"],
            ask=row[language]["ask"],
            choices=tuple((choice, row[language][choice]) for choice in row.get("choices", ())),
            language=language,
        )
        for row in _rows().values()
    )


def checked(answers: Mapping[str, str], language: str) -> Iterator[Answer]:
    """The answers to known questions that say anything; an empty one skips its question. Raises InvalidInput."""
    known = {one.id: one for one in questions(language)}
    for name, said in answers.items():
        if name not in known:
            hint = meant(name, known) or f"There are: {', '.join(known)}."
            raise InvalidInput(what=f"The answer to {name!r}", problem="there is no such question", hint=hint)
        if not isinstance(said, str):
            told = f"it is {type(said).__name__}, not text"
            raise InvalidInput(what=f"The answer to {name!r}", problem=told, hint="Give words.")
        if len(said) > LONGEST:
            told = f"it has more than {LONGEST} characters"
            raise InvalidInput(what=f"The answer to {name!r}", problem=told, hint="Say it shorter.")
        answer, choices = said.strip(_STOPS), known[name].choices
        if choices and answer.isdecimal() and _numbered(answer, known[name]) is None:
            hint = f"Give a number from 1 to {len(choices)}, or words."
            raise InvalidInput(what=f"The answer to {name!r}", problem="no choice has that number", hint=hint)
        if answer:
            yield Answer(question=known[name], text=_chosen(answer, known[name]))


def _chosen(said: str, question: OnboardingQuestion) -> str:
    """The words of a choice that was named by its number, its name or its words; else what was said."""
    named = (words for name, words in question.choices if said.casefold() in (name, words.casefold()))
    return _numbered(said, question) or next(named, said)


def _numbered(said: str, question: OnboardingQuestion) -> str | None:
    return {str(number): words for number, (_, words) in enumerate(question.choices, 1)}.get(said)


def answered(turn: Turn) -> Draft | None:
    """What is to be kept of a turn that answers one of the questions; None for any other turn."""
    if turn.session != SESSION or turn.app != SESSION or turn.role is not Role.USER:
        return None
    asked = {row[language]["ask"]: (row, language) for row in _rows().values() for language in languages()}
    row, language = asked.get(turn.assistant or "", (None, ""))
    return None if row is None else _draft(row, language, turn)


def _draft(row: Mapping[str, Any], language: str, turn: Turn) -> Draft:
    content = row[language]["tell"].format(answer=turn.user)
    slot = Slot(subject="user", attribute=row["attribute"], value=content_key(turn.user), single=row["single"])
    read = state(content, language).slot
    return Draft(
        content=content,
        kind=Kind(row["kind"]),
        layer=Layer(row["layer"]),
        language=language,
        importance=row["importance"],
        confidence=1.0,
        source=_source(turn),
        slot=read if read is not None and read.attribute == slot.attribute else slot,
        scenes=tuple(row["scenes"]),
        sensitivity=Sensitivity.SENSITIVE if is_delicate(content) else Sensitivity.NORMAL,
        trust=Trust.USER_EXPLICIT,
        replaces=row["single"],
    )


def _source(turn: Turn) -> Source:
    return Source(
        turn_id=turn.id,
        session=turn.session,
        seq=turn.seq,
        role=Role.USER,
        start=0,
        end=len(turn.user),
        quote=turn.user,
        at=turn.at,
        app=turn.app,
    )


def turn_of(answer: Answer, *, at: datetime, owner: str) -> Turn:
    """The turn that an answer is taken as: beside it stands the question."""
    return Turn(user=answer.text, assistant=answer.question.ask, at=at, session=SESSION, owner=owner, app=SESSION)


@cache
def _rows() -> Mapping[str, Mapping[str, Any]]:
    read = shipped.toml("onboarding.toml")
    return {row["id"]: row for row in read["questions"]}
