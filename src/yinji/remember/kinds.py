"""Of what kind a statement is, told from its vector, its words and what the rules see in it (SPEC W6).

One turn may state a fact, a plan and a taste: each statement is sorted by itself, once it has a vector. Made by
``training/kinds.py``, its card beside it; without a vector the kind is that of the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from yinji import shipped
from yinji.language.packs import pack
from yinji.model import Draft, Kind
from yinji.remember.classify import Judged, Model, hashed, unpacked
from yinji.remember.statement import LAYERS

if TYPE_CHECKING:
    from yinji.ports import Vector

KINDS = (Kind.FACT, Kind.PREFERENCE, Kind.STATE, Kind.EVENT, Kind.RELATION, Kind.PROCEDURE)
TELLING = (
    "kind_", "planned", "intends", "wished", "habitual", "ongoing", "going_on", "term", "identity", "quantity",
    "emotion", "hedge", "negative", "strong_verb", "befell", "important", "reported", "time_of_past",
)  # fmt: skip
"""Beginnings of the names of patterns that may tell a kind."""


def in_kinds(drafts: Sequence[Draft], vectors: Sequence[Vector | None]) -> tuple[Draft, ...]:
    """The statements, each of the kind that the model gives it; what tells the assistant how to behave stays so.

    ``vectors``: of their contents, by the embedder that the model was trained on; None leaves the kind of the rules.
    """
    return tuple(
        one if vector is None or _is_demand(one) else _of_kind(one, kind_of(one, vector))
        for one, vector in zip(drafts, vectors, strict=True)
    )


def kind_of(draft: Draft, vector: Vector) -> Kind:
    import numpy as np

    words = hashed(Judged(text=draft.content, question=None), draft.language)
    told = _model(draft.language).tell(dict.fromkeys(features(draft), 1.0), vector, words)
    return KINDS[int(np.argmax(told))]


def features(draft: Draft) -> Iterator[str]:
    """Names of what the rules see in a statement."""
    words = pack(draft.language)
    for name in telling(draft.language):
        if words.matcher(name).search(draft.content):
            yield f"p:{name}"
    yield f"rules:{draft.kind}"
    yield f"modality:{draft.modality}"
    yield f"polarity:{draft.polarity}"
    if draft.subject == "user":
        yield "of_user"
    if draft.slot is not None:
        yield "slot"
        yield f"slot:{draft.slot.attribute.split()[0]}"


@cache
def telling(language: str) -> tuple[str, ...]:
    return tuple(name for name in pack(language).patterns if name.startswith(TELLING))


def _is_demand(draft: Draft) -> bool:
    return draft.content.startswith(pack(draft.language).tables["person"]["demand"].strip())


def _of_kind(draft: Draft, kind: Kind) -> Draft:
    return replace(draft, kind=kind, layer=LAYERS[kind])


@cache
def _model(language: str) -> Model:
    return unpacked(shipped.arrays("models/kinds.npz"), language)
