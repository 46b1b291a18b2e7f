"""Whether a message needs memory at all (SPEC R2): explicit triggers always do, of the rest a small model judges.

It is asked where nobody asked for memories: for the context of a conversation's next answer. Who calls ``recall``
has decided already. The model is a logistic regression over signs of the language (``data/lang/recall``) and, where
there is one, the message's vector; data, split and scores are in ``training/recall_gate.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from yinji import shipped
from yinji.language.entities import find_entities
from yinji.language.linear import squashed, weighed
from yinji.language.text import detect, query_terms, terms
from yinji.recall.signs import asking
from yinji.recall.signs import signs as told_by

if TYPE_CHECKING:
    from yinji.ports import Vector

SHORT = {"zh": 12, "en": 40}
"""Characters up to which a message leans on the one before it."""
LONG = {"zh": 60, "en": 240}
SHARED, COVERED = 2, 0.5
"""Words that a message and a memory share at the least, and what share of the message's they are."""
NAMED = frozenset({"person", "project", "organisation"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Need:
    """Whether memories would make the answer better, how probable that is, and by what: trigger, vector or signs."""

    recall: bool
    share: float
    by: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Head:
    """One regression: what each sign and each number of the vector weighs."""

    bias: float
    signs: Mapping[str, float]
    vector: Sequence[float] = ()
    centre: Sequence[float] = ()


def need(text: str, *, context: Sequence[str], vector: Vector | None, model: str | None, sensitivity: float) -> Need:
    """``context``: what was said before the message, oldest first. ``vector``: of the message, by ``model``.

    ``sensitivity`` 0 to 1: at 1 everything recalls, at 0 only a trigger; 0.5 is the point chosen in training.
    """
    found = signs(text, context)
    if "trigger" in found:
        return Need(recall=True, share=1.0, by="trigger")
    known = weights()
    if vector is not None and model == known.model:
        share = _probability(known.with_vector, found, vector)
        return Need(recall=share >= _point(known.point, sensitivity), share=share, by="vector")
    share = _probability(known.signs_only, found, None)
    return Need(recall=share >= _point(known.signs_point, sensitivity), share=share, by="signs")


def asks(text: str) -> bool:
    """Whether a message has the form of a question."""
    said, language = text.strip().lower(), detect(text)
    return any(sign.search(said) for sign in (told_by(language)["question"], asking(language)["asks"]))


def speaks_of(message: str, contents: Iterable[str]) -> bool:
    """Whether a message is about what one of the memories says: they share most of the message's telling words."""
    telling = {term for term in query_terms(message) if len(term) > 1}
    least = max(SHARED, COVERED * len(telling))
    return any(len(telling & set(terms(content))) >= least for content in contents)


def _point(middle: float, sensitivity: float) -> float:
    """The probability from which it recalls: 1 at no sensitivity, ``middle`` half-way, 0 at the full."""
    low, high = (1.0, middle) if sensitivity < 0.5 else (middle, 0.0)
    share = sensitivity * 2 if sensitivity < 0.5 else sensitivity * 2 - 1
    return low + (high - low) * share


def _probability(head: Head, found: Mapping[str, float], vector: Vector | None) -> float:
    total = head.bias + weighed(found, head.signs)
    if vector is not None:
        total += sum(
            weight * (float(one) - middle) for weight, one, middle in zip(head.vector, vector, head.centre, strict=True)
        )
    return squashed(total)


def signs(text: str, context: Sequence[str]) -> dict[str, float]:
    """What the regression weighs of a message: its signs, some of them together, and how it stands to the context."""
    language = detect(text)
    said = text.strip().lower()
    seen = {name for name, sign in told_by(language).items() if sign.search(said)}
    found = dict.fromkeys(seen, 1.0)
    found |= {f"{one} & {two}": 1.0 for one, two in TOGETHER if one in seen and two in seen}
    found |= {f"{one} & not {two}": 1.0 for one, two in WITHOUT if one in seen and two not in seen}
    found["length"] = min(len(said), LONG[language]) / LONG[language]
    found |= dict.fromkeys(_of_context(said, context, language), 1.0)
    if any(one.type in NAMED for one in find_entities(text, language=language)):
        found["named"] = 1.0
        found |= {"named & question": 1.0} if "question" in seen else {}
    found[language] = 1.0
    return found


TOGETHER = (("mine", "question"), ("me", "advice"), ("question", "pointing"), ("me", "past"), ("mine", "past"))
WITHOUT = (("advice", "task"), ("question", "me"), ("task", "me"))


def _of_context(said: str, context: Sequence[str], language: str) -> Iterator[str]:
    if not context:
        return
    yield "follows"
    if len(said) < SHORT[language]:
        yield "short & follows"
    before = " ".join(context).lower()
    if any(told_by(language)[name].search(before) for name in ("mine", "past", "memory")):
        yield "context is personal"


@dataclass(frozen=True, kw_only=True, slots=True)
class Weights:
    model: str
    """The embedding model whose vectors it was trained on."""
    point: float
    signs_point: float
    with_vector: Head
    signs_only: Head


@cache
def weights() -> Weights:
    read = shipped.json("models/recall_gate.json")
    heads = {name: Head(**read[name]) for name in ("with_vector", "signs_only")}
    return Weights(model=read["model"], point=read["point"], signs_point=read["signs_point"], **heads)
