"""Fits how much the tuned layers count beside the older models: ``data/models/tuned.json``.

    python training/tuned_mix.py [--write]

Only cases that neither saw are used: those that ``tuned_data.py`` holds back of what was written after the older
models were made. Half of them fit the weights, the other half is reported.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import coref
import numpy as np
from coref import Answer, Case
from numpy.typing import NDArray
from scipy.optimize import minimize
from tuned_data import held_pairs, held_pronouns

from yinji.adapters.catalogue import load_embedder
from yinji.model import Verdict
from yinji.remember import relation
from yinji.remember.clean import clean
from yinji.remember.discern import VERDICTS, referring, tell
from yinji.remember.features import said
from yinji.remember.resolve import find_pronouns, scene_of
from yinji.remember.resolve_model import Points, learned
from yinji.remember.resolve_rank import choose
from yinji.remember.statement import state

TARGET = Path(__file__).parent.parent / "src" / "yinji" / "data" / "models" / "tuned.json"
HARMLESS = (Verdict.COMPATIBLE, Verdict.UNRELATED)
WRONG_ALLOWED = 0.03
"""Share of these cases that may get something wrong: sense decides in more of them than in talk."""
WRONG_IN_TALK = 0.03
EVALS = Path(__file__).parents[1] / "evals"
PLACES: Mapping[str, Mapping[float, float]] = {
    "ends": {0.8: 0.015, 0.4: 0.1},
    "acts": {0.35: 0.05},
}
"""Probability at which something is done → share of what is not so that may then be taken for it, of look-alikes."""
PULL = 0.01
"""Weight of the squared distance from the start, so that few cases do not fit freely."""

Floats = NDArray[np.float64]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    write = parser.parse_args().write
    embedder = load_embedder("e5-small")
    found: dict[str, Any] = _relation(embedder)
    found["refer"] = {language: _refer(language, embedder) for language in ("zh", "en")}
    if write:
        TARGET.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return 0


# ------------------------------------------------------------------ pairs


def _relation(embedder: Any) -> dict[str, list[float]]:
    pairs = held_pairs()
    told = tell(embedder, [(one.old, one.new) for one in pairs])
    texts = sorted({(one.language, text) for one in pairs for text in (one.old, one.new)})
    vectors = embedder.embed([state(clean(text, of).text or text, of).told for of, text in texts], purpose="passage")
    vector = dict(zip(texts, vectors, strict=True))
    own = [
        relation.relate(
            said(one.new, one.language),
            said(one.old, one.language),
            (vector[one.language, one.new], vector[one.language, one.old]),
        )
        for one in pairs
    ]
    mine = np.log([[max(one.chances[verdict], relation.LEAST) for verdict in VERDICTS] for one in own])
    theirs = np.array([one.verdicts for one in told if one is not None])
    label = np.array([VERDICTS.index(one.label) for one in pairs])
    fit = np.arange(len(pairs)) // 10 % 2 == 0
    mix = _fitted(lambda w: _softmax_loss(w[0] * mine[fit] + w[1] * theirs[fit], label[fit]), (0.5, 0.5))
    for name, scores in (("own", mine), ("tuned", theirs), ("both", mix[0] * mine + mix[1] * theirs)):
        print(f"label {name:6} {_as_one(scores[~fit], label[~fit]):.3f}")
    chances = np.exp(mix[0] * mine + mix[1] * theirs)
    chances /= chances.sum(1, keepdims=True)
    does = 1 - chances[:, [VERDICTS.index(one) for one in HARMLESS]].sum(1)
    acts = ~np.isin(label, [VERDICTS.index(one) for one in HARMLESS])
    ends = np.array([one.ends for one in pairs])
    own_ends = np.array([relation.log_odds(one.ends) for one in own])
    own_acts = np.array([relation.log_odds(one.acts) for one in own])
    tuned_ends = np.array([one.ends for one in told if one is not None])
    does_odds = np.array([relation.log_odds(one) for one in does])
    kept = {"relation": list(mix)}
    for name, first, second, wanted in (("ends", own_ends, tuned_ends, ends), ("acts", own_acts, does_odds, acts)):
        kept[name] = list(_odds_fitted(first[fit], second[fit], wanted[fit]))
        both = kept[name][0] * first + kept[name][1] * second + kept[name][2]
        for which, scores in (("own", first), ("tuned", second), ("both", both)):
            print(f"{name} {which:6} {_curve(scores[~fit], wanted[~fit])}")
        kept[name] = _placed(kept[name], both[~wanted], PLACES[name])
    return {name: [round(one, 3) for one in weights] for name, weights in kept.items()}


def _odds_fitted(first: Floats, second: Floats, wanted: NDArray[np.bool_]) -> Floats:
    return _fitted(lambda w: _logistic_loss(w[0] * first + w[1] * second + w[2], wanted), (0.5, 0.5, 0.0))


def _placed(weights: Sequence[float], harmless: Floats, places: Mapping[float, float]) -> list[float]:
    """The weights stretched and moved so that at each probability so many of what is not so are taken for it."""
    wanted = [relation.log_odds(chance) for chance in places]
    now = [float(np.quantile(harmless, 1 - share)) for share in places.values()]
    stretch = (wanted[0] - wanted[-1]) / (now[0] - now[-1]) if len(places) > 1 else 1.0
    return [stretch * weights[0], stretch * weights[1], stretch * (weights[2] - now[0]) + wanted[0]]


def _as_one(scores: Floats, label: NDArray[np.int64]) -> float:
    harmless = [VERDICTS.index(one) for one in HARMLESS]
    best = scores.argmax(1)
    return float(np.mean((best == label) | (np.isin(best, harmless) & np.isin(label, harmless))))


def _curve(scores: Floats, wanted: NDArray[np.bool_]) -> str:
    """Found where so many of what is not so are taken for it."""
    points = [(share, np.quantile(scores[~wanted], 1 - share)) for share in (0.01, 0.02, 0.05, 0.1)]
    return "  ".join(f"{(scores[wanted] > point).mean():.2f} at {share:.2f}" for share, point in points)


def _softmax_loss(scores: Floats, label: NDArray[np.int64]) -> float:
    most = scores.max(1)
    return float(np.mean(most + np.log(np.exp(scores - most[:, None]).sum(1)) - scores[np.arange(len(label)), label]))


def _logistic_loss(scores: Floats, wanted: NDArray[np.bool_]) -> float:
    return float(np.mean(np.logaddexp(0, np.where(wanted, -scores, scores))))


def _fitted(loss: Callable[[Floats], float], start: Sequence[float]) -> Floats:
    first = np.array(start)
    found = minimize(lambda w: loss(w) + PULL * float(((w - first) ** 2).sum()), first, method="Nelder-Mead")
    weights: Floats = found.x
    return weights


# --------------------------------------------------------------- pronouns


def _refer(language: str, embedder: Any) -> dict[str, Any]:
    """Weights, and the probability from which few enough get something wrong: on half of the held back cases and on
    the development half of ``evals/coref``, which only the older model learned from."""
    cases, refer = held_pronouns(language), referring(embedder)
    talk = [*coref.cases_of(EVALS / "coref" / f"{language}.jsonl", language, "evals dev")]
    free = replace(learned(language), points=Points(any=0, only=0, here=0), points_told=Points(any=0, only=0, here=0))
    kept: dict[tuple[Any, ...], Any] = {}

    def remembered(*asked: Any) -> Any:
        key = (tuple(asked[0]), asked[1], tuple(asked[2]))
        if key not in kept:
            kept[key] = refer(*asked) if refer else None
        return kept[key]

    def answers(mix: Sequence[float], of: Sequence[Case]) -> list[Answer]:
        return [_answer(one, replace(free, mix=tuple(mix)), remembered) for one in of]

    fit, rest = cases[0::2], cases[1::2]
    own = [_answer(one, free, None) for one in cases]
    grid = [(a, b, c) for a in (0.3, 0.6, 1.0) for b in (0.0, 0.3, 0.6, 1.0) for c in (-1.0, 0.0, 1.0)]
    best = max(grid, key=lambda mix: _area(answers(mix, fit)) + _area(answers(mix, talk)))
    least = max(_lowest(answers(best, cases), WRONG_ALLOWED), _lowest(answers(best, talk), WRONG_IN_TALK))
    points = {"least": least, "least_only": least, "least_here": learned(language).points.here}
    for name, found in (("own", own), ("both", answers(best, rest)), ("both, talk", answers(best, talk))):
        print(
            language,
            name,
            len(found),
            "  ".join(_told_at(found, least) for least in (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)),
        )
    print(language, "mix", best, points)
    return {"mix": list(best), **points}


def _answer(case: Case, model: Any, refer: Any) -> Answer:
    pronoun = next(
        (one for one in find_pronouns(case.text, case.language) if one.start < case.end and case.start < one.end), None
    )
    if pronoun is None:
        return Answer(case=case, given=None, probability=1.0)
    choice = choose(pronoun, scene_of(case.text, case.messages, model), refer)
    return Answer(case=case, given=choice.meant, probability=choice.probability, only=choice.only, here=choice.here)


def _area(answers: Sequence[Answer]) -> float:
    """How many are right, on average over how many may be wrong (1 to 6 in a hundred)."""
    return float(np.mean([_right_at(answers, wrong / 100) for wrong in range(1, 7)]))


def _right_at(answers: Sequence[Answer], wrong: float) -> float:
    least = _lowest(answers, wrong)
    return float(np.mean([one.is_right(least) for one in answers]))


def _lowest(answers: Sequence[Answer], wrong: float = WRONG_ALLOWED) -> float:
    for at in range(40, 100):
        if np.mean([one.is_wrong(at / 100) for one in answers]) <= wrong:
            return at / 100
    return 0.99


def _told_at(answers: Sequence[Answer], least: float) -> str:
    right, wrong = (
        np.mean([call(least) for call in calls])
        for calls in ([one.is_right for one in answers], [one.is_wrong for one in answers])
    )
    return f"{least}: {right:.3f}/{wrong:.3f}"


if __name__ == "__main__":
    sys.exit(main())
