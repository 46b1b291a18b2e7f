"""What a language model proposes to keep of a turn, taken only where it is grounded in the turn (SPEC W15).

The answer is data: it is parsed strictly, every content word must come from the turn or from its dates, negation and
doubt must be as the turn has them, and what passes is judged by the same reconcile stage as everything else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from yinji import shipped
from yinji.errors import LLMUnavailable
from yinji.language.dates import find_times
from yinji.language.injection import attacks
from yinji.language.packs import pack
from yinji.language.sensitive import Policy
from yinji.language.text import content_key, detect, sentences, terms
from yinji.model import Draft, DropReason, Kind, MemoryEntry, Modality, Role, Turn
from yinji.remember.drafts import draft
from yinji.remember.gate import refuse
from yinji.remember.statement import state

MOST = 8
"""Statements of one turn that are looked at."""
LONGEST = {"zh": 80, "en": 400}
"""Characters of a statement."""
OPERATIONS = ("ADD", "UPDATE", "IGNORE")
UNSAID = (DropReason.QUESTION, DropReason.HYPOTHETICAL, DropReason.INJECTION)
"""Forms of a sentence that say nothing of what is so."""
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposal:
    """One statement as the model gave it, checked for its form."""

    content: str
    kind: Kind
    importance: float
    entities: tuple[str, ...]
    time: str | None
    op: str
    target: str | None


def schema() -> Mapping[str, Any]:
    """The strict JSON schema of an answer."""
    statement = {
        "content": {"type": "string"},
        "kind": {"type": "string", "enum": [kind.value for kind in Kind]},
        "importance": {"type": "number"},
        "entities": {"type": "array", "items": {"type": "string"}},
        "time": {"type": ["string", "null"]},
        "op": {"type": "string", "enum": list(OPERATIONS)},
        "target": {"type": ["string", "null"]},
    }
    one = {"type": "object", "properties": statement, "required": list(statement), "additionalProperties": False}
    listed = {"memories": {"type": "array", "items": one}}
    return {"type": "object", "properties": listed, "required": ["memories"], "additionalProperties": False}


def question(turn: Turn, known: Sequence[MemoryEntry]) -> tuple[str, str]:
    """The instructions, and the turn with the memories that it may replace."""
    listed = "\n".join(f"{one.id}: {one.content}" for one in known) or "-"
    text = turn.user.replace("</turn>", "").replace("<turn>", "")
    asked = _data()["turn"].format(at=turn.at.strftime("%Y-%m-%d %H:%M %A"), known=listed, text=text)
    return _data()["instructions"].strip(), asked.strip()


def parsed(answer: str) -> list[Proposal]:
    """The statements of an answer. Raises LLMUnavailable when it is not of the schema."""
    try:
        read = json.loads(answer)
        listed = read["memories"]
        if set(read) != {"memories"} or not isinstance(listed, list):
            raise ValueError
        return [_proposal(one) for one in listed[:MOST]]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise LLMUnavailable(problem="its answer is not of the form that was asked for") from None


def _proposal(row: Any) -> Proposal:
    importance, time, target = row["importance"], row["time"], row["target"]
    fits = (
        set(row) == set(Proposal.__dataclass_fields__)
        and isinstance(row["content"], str)
        and isinstance(importance, int | float)
        and not isinstance(importance, bool)
        and 0 <= importance <= 1
        and isinstance(row["entities"], list)
        and all(isinstance(one, str) for one in row["entities"])
        and all(one is None or isinstance(one, str) for one in (time, target))
        and row["op"] in OPERATIONS
    )
    if not fits:
        raise ValueError
    return Proposal(
        content=" ".join(row["content"].split()),
        kind=Kind(row["kind"]),
        importance=float(importance),
        entities=tuple(row["entities"]),
        time=time,
        op=row["op"],
        target=target,
    )


# --------------------------------------------------------------- grounding


def grounded(
    proposals: Sequence[Proposal], turn: Turn, known: Sequence[MemoryEntry], policy: Policy
) -> tuple[list[Draft], int]:
    """The drafts of what holds, and how many statements were rejected."""
    wanted = [one for one in proposals if one.op != "IGNORE"]
    drafts = [made for one in wanted if (made := _draft(one, turn, known, policy)) is not None]
    return drafts, len(wanted) - len(drafts)


def _draft(one: Proposal, turn: Turn, known: Sequence[MemoryEntry], policy: Policy) -> Draft | None:
    language = detect(turn.user)
    span = evidence(one.content, turn.user)
    if span is None or not _may_stand(one, turn, language):
        return None
    said = turn.user[slice(*span)]
    if refuse(said, language=language) in UNSAID:
        return None
    read, source = state(one.content, language), state(said, language)
    if read.polarity is not source.polarity:
        return None
    modality = source.modality if read.modality is Modality.ASSERTED else read.modality
    told = replace(read, kind=one.kind, importance=one.importance, modality=modality, confidence=source.confidence)
    replaces = read.replaces or (one.op == "UPDATE" and one.target in {memory.id for memory in known})
    return draft(told, span, turn, replaces=replaces, policy=policy)


def _may_stand(one: Proposal, turn: Turn, language: str) -> bool:
    """Whether the statement is in the user's language, short, no order, and says only what the turn says."""
    if detect(one.content) != language or not 0 < len(one.content) <= LONGEST[language]:
        return False
    if attacks(one.content, Role.WEB, point=0.99):
        return False
    said = content_key(turn.user)
    if any(content_key(name) not in said for name in one.entities):
        return False
    return not any(True for _ in unfounded(one.content, turn))


def unfounded(content: str, turn: Turn) -> Iterator[str]:
    """The words and numbers of a statement that come neither from the turn nor from its dates."""
    language = detect(content)
    said, plain = {*terms(turn.user), *_allowed(language)}, content_key(turn.user)
    rest = content
    for date in sorted(_dates(turn, language), key=len, reverse=True):
        rest = rest.replace(date, " ")
    for word in terms(rest):
        if word not in said and not (language == "zh" and not word.isascii() and word in plain):
            yield word
    numbers = set(_NUMBER.findall(turn.user))
    yield from (one for one in _NUMBER.findall(rest) if one not in numbers)


def _dates(turn: Turn, language: str) -> Iterator[str]:
    """The ways to write out the days that the turn speaks of."""
    words = pack(language)
    for found in find_times(turn.user, at=turn.at, language=language):
        for moment in (found.interval.start, found.interval.end):
            if moment is not None:
                day = moment.astimezone(turn.at.tzinfo)
                name = words.tables.get("month_names", {}).get(str(day.month), "")
                parts = {"year": day.year, "month": day.month, "day": day.day, "month_name": name, "part": ""}
                for form in _data()["dates"][language]:
                    yield form.format(**parts, hour=day.hour, minute=day.minute)


@cache
def _allowed(language: str) -> frozenset[str]:
    return frozenset(terms(_data()["allowed"][language]))


def evidence(content: str, text: str) -> tuple[int, int] | None:
    """The sentence of the turn that a statement is taken from: the one with most of its words."""
    words = set(terms(content)) - _allowed(detect(content))
    scored = [(len(words & set(terms(text[start:end]))), -start, (start, end)) for start, end in sentences(text)]
    best = max(scored, default=(0, 0, None))
    return best[2] if best[0] else None


@cache
def _data() -> Mapping[str, Any]:
    return shipped.toml("llm.toml")
