"""What the signs, the tuned layers and places in a list are worth beside each other for pronouns, and from which
probability something is put in: ``refer`` in ``data/models/tuned.json`` (called by ``tuned_mix.py``).

Learned from what ``coref.py`` holds back of the pronouns, and from half of those that were written last: neither model
has seen them. Both languages are taken together.
The points are found by cross-validation: the lowest with which few enough of the everyday ones get something wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from coref import EVERYDAY, HELD_TENS, LANGUAGES, LATER, Answer, Case, held_pronouns, learned_from, seen
from numpy.typing import NDArray
from scipy.optimize import minimize

from yinji.evals.coref import answer_key
from yinji.remember.discern import referring
from yinji.remember.resolve_listed import KINDS as LISTED
from yinji.remember.resolve_listed import pick
from yinji.remember.resolve_model import Told, learned
from yinji.remember.resolve_rank import SOMETHING, Evidence, evidence, likeliest_of, scores

Floats = NDArray[np.float64]
FOLDS = 5
SEED = 0
WRONG_ALLOWED = 0.025
"""Share of everyday pronouns that may get something wrong."""
OWN, TOLD, LISTED_WEIGHT, NOTHING = 0.4, 0.7, 2.0, 0.5
"""Where the fit starts, and what it is drawn to."""
PULL, PULL_OF_KIND = 1.0, 10.0
"""Weights of the squared distance from the start, and of what a kind of pronoun has of its own."""
KINDS = ("person", "group", "place", "thing", "bare", "noun", "ordinal")
ORDERS = ("sharp", "plain", "loose")
POINTS = tuple(at / 100 for at in range(40, 100))


@dataclass(frozen=True, kw_only=True)
class Held:
    """A case with what is known of it; ``known`` is None where nothing is asked for the pronoun."""

    case: Case
    known: Evidence | None


def fitted(embedder: Any) -> dict[str, dict[str, Any]]:
    """By language what ``Told`` has."""
    cases = [one for language in LANGUAGES for one in _held(language, embedder)]
    fold = np.random.default_rng(SEED).integers(0, FOLDS, len(cases))
    answers: list[Answer] = [_answer(one, None) for one in cases]
    for part in range(FOLDS):
        weights = _fit([one for one, at in zip(cases, fold, strict=True) if at != part])
        for at in np.flatnonzero(fold == part):
            answers[at] = _answer(cases[at], weights)
    points = {language: _told_of(language, answers) for language in LANGUAGES}
    weights = _fit(cases)
    return {language: asdict(replace(weights, least=points[language])) for language in LANGUAGES}


def _held(language: str, embedder: Any) -> list[Held]:
    refer, model = referring(embedder), learned(language)
    assert refer is not None
    found = []
    held = [one for name in HELD_TENS for one in held_pronouns(language, name)]
    for case in (*held, *learned_from(language, LATER)):
        pronoun, scene = seen(case, model)
        told = refer(scene.originals, scene.assistant, (scene.now, pronoun.start, pronoun.end)) if pronoun else None
        picked = pick(pronoun, scene) if pronoun and pronoun.kind in LISTED else None
        asked = pronoun and told and (picked or pronoun.kind not in LISTED or pronoun.kind == "ordinal")
        known = evidence(pronoun, scene, told, picked) if asked and pronoun and told else None
        found.append(Held(case=case, known=known))
    return found


def _answer(one: Held, weights: Told | None) -> Answer:
    if one.known is None or weights is None:
        return Answer(case=one.case, given=None, probability=0.0)
    best, likely, nothing = likeliest_of(one.known, weights)
    if best is None or nothing >= SOMETHING:
        return Answer(case=one.case, given=None, probability=nothing)
    return Answer(case=one.case, given=best.text, probability=likely)


def _told_of(language: str, answers: Sequence[Answer]) -> float:
    """The point; and prints how it goes with every set."""
    own = [one for one in answers if one.case.language == language]
    everyday = [one for one in own if one.case.part == EVERYDAY]
    allowed = WRONG_ALLOWED * len(everyday)
    point = next((at for at in POINTS if sum(one.is_wrong(at) for one in everyday) <= allowed), POINTS[-1])
    for name in dict.fromkeys(one.case.part for one in own):
        part = [one for one in own if one.case.part == name]
        shares = (
            f"{at}: {np.mean([one.is_right(at) for one in part]):.3f}/{np.mean([one.is_wrong(at) for one in part]):.3f}"
            for at in (0.0, 0.6, 0.7, 0.8, 0.9, point)
        )
        print(language, name, len(part), "  ".join(shares))
    return point


# ------------------------------------------------------------------ the fit

NAMES = ("own", "told", *ORDERS, "nothing", "unpicked", *KINDS)


def _fit(cases: Sequence[Held]) -> Told:
    """By the likelihood of what is right: a softmax over the things and nothing."""
    groups = [(_table(one.known), right) for one in cases if one.known and any(right := _right(one, one.known))]
    rows = np.concatenate([table for table, _ in groups])
    good = np.concatenate([np.array(one) for _, one in groups])
    starts = np.cumsum([0, *(len(table) for table, _ in groups)])[:-1]
    of = np.repeat(np.arange(len(groups)), [len(table) for table, _ in groups])
    first = np.array([OWN, TOLD, *(LISTED_WEIGHT for _ in ORDERS), NOTHING, 0.0, *(0.0 for _ in KINDS)])
    pull = np.array([PULL_OF_KIND if name in KINDS else PULL for name in NAMES])

    def loss(weights: Floats) -> tuple[float, Floats]:
        raised = np.exp((found := rows @ weights) - np.maximum.reduceat(found, starts)[of])
        shares = raised / np.add.reduceat(raised, starts)[of]
        chance = np.maximum(np.add.reduceat(shares * good, starts), 1e-12)
        far = weights - first
        slope = rows.T @ (shares - shares * good / chance[of]) + pull * far
        return float(-np.log(chance).sum() + (pull * far**2).sum() / 2), slope

    told = dict(zip(NAMES, map(float, minimize(loss, first, jac=True, method="L-BFGS-B").x), strict=True))
    return Told(
        own=round(told["own"], 3),
        told=round(told["told"], 3),
        listed={name: round(told[name], 3) for name in ORDERS},
        nothing={kind: round(told["nothing"] + told[kind], 3) for kind in KINDS}
        | {"listed": round(told["unpicked"], 3)},
        least=0.0,
    )


def _right(one: Held, known: Evidence) -> list[bool]:
    return [*(answer_key(thing.text) in one.case.right for thing in known.things), not one.case.right]


def _table(known: Evidence) -> Floats:
    """How the scores of the things and of nothing come about: a row each, a column for each of ``NAMES``."""
    return np.array([_columns(known, weights) for weights in _units()]).T


def _units() -> list[Told]:
    """One weight alone each, in the order of ``NAMES``."""
    none = Told(own=0.0, told=0.0, listed=dict.fromkeys(ORDERS, 0.0), nothing=_nothing({}), least=0.0)
    return [
        replace(none, own=1.0),
        replace(none, told=1.0),
        *(replace(none, listed={**none.listed, name: 1.0}) for name in ORDERS),
        replace(none, nothing=_nothing(dict.fromkeys(KINDS, 1.0))),
        replace(none, nothing=_nothing({"listed": 1.0})),
        *(replace(none, nothing=_nothing({kind: 1.0})) for kind in KINDS),
    ]


def _nothing(told: Mapping[str, float]) -> dict[str, float]:
    return dict.fromkeys((*KINDS, "listed"), 0.0) | dict(told)


def _columns(known: Evidence, weights: Told) -> list[float]:
    return scores(known, weights)
