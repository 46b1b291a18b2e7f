"""Fits how much the tuned layers count beside the older models: ``data/models/tuned.json``.

    python training/tuned_mix.py [--write] [--pronouns]

Only cases that neither saw are used: those that ``tuned_data.py`` holds back of what was written after the older
models were made. Half of them fit the weights and the points, the other half is reported.
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import coref_told
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from tuned_data import LANGUAGES, TOUCHES, World, held_pairs, worlds

from yinji.adapters.catalogue import load_embedder
from yinji.model import Verdict
from yinji.remember import relation
from yinji.remember.beside import LOOKED_AT
from yinji.remember.clean import clean
from yinji.remember.discern import VERDICTS, tell
from yinji.remember.features import said
from yinji.remember.statement import state

TARGET = Path(__file__).parent.parent / "src" / "yinji" / "data" / "models" / "tuned.json"
HARMLESS = [VERDICTS.index(one) for one in (Verdict.COMPATIBLE, Verdict.UNRELATED)]
PLACES: Mapping[str, Mapping[float, float]] = {
    "ends": {0.8: 0.02, 0.4: 0.1},
    "acts": {0.35: 0.05},
}
"""Probability at which something is done → share of news, each beside the memories of its world, of which it may then
be done wrongly."""
PULL = 0.01
"""Weight of the squared distance from the start, so that few cases do not fit freely."""
PAIRS = "pairs"

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--pronouns", action="store_true", help="only what stands under refer; the rest stays")
    asked = parser.parse_args()
    embedder = load_embedder("e5-small")
    found: dict[str, Any] = json.loads(TARGET.read_text(encoding="utf-8")) if asked.pronouns else _relation(embedder)
    found["refer"] = coref_told.fitted(embedder)
    if asked.write:
        TARGET.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return 0


# ------------------------------------------------------------------ pairs


@dataclass(frozen=True, kw_only=True)
class Held:
    """A pair that was held back; ``news`` names the statement of a world that it belongs to."""

    language: str
    old: str
    new: str
    label: Verdict
    ends: bool
    news: str = PAIRS

    @property
    def fits(self) -> bool:
        return zlib.crc32((self.old + self.new if self.news == PAIRS else self.news).encode()) % 2 == 0


@dataclass(frozen=True, kw_only=True)
class Opinions:
    """Of one model on pairs: log-chances of the verdicts, log-odds that the old one is over, and that something is
    done to it."""

    verdicts: Floats
    ends: Floats
    acts: Floats


def _relation(embedder: Any) -> dict[str, list[float]]:
    """The weights of both opinions; verdicts, ends and acts each for themselves."""
    pairs = [*_pairs(), *(one for language in LANGUAGES for one in _news(language, embedder))]
    mine, theirs = _own(pairs, embedder), _tuned(pairs, embedder)
    fit, label = np.array([one.fits for one in pairs]), np.array([VERDICTS.index(one.label) for one in pairs])
    mix = _fitted(
        lambda w: _verdict_loss(w[0] * mine.verdicts[fit] + w[1] * theirs.verdicts[fit], label[fit]), (0.3, 0.8)
    )
    both = mix[0] * mine.verdicts + mix[1] * theirs.verdicts
    theirs = replace(theirs, acts=_does(both))
    for name, scores in (("own", mine.verdicts), ("tuned", theirs.verdicts), ("both", both)):
        _tell_verdicts(name, scores, label, pairs)
    kept = {"relation": list(mix)}
    wanted = {"ends": np.array([one.ends for one in pairs]), "acts": ~np.isin(label, HARMLESS)}
    for name, right in wanted.items():
        first, second = getattr(mine, name), getattr(theirs, name)
        weights = list(_odds_fitted(first[fit], second[fit], right[fit]))
        mixed = weights[0] * first + weights[1] * second + weights[2]
        for which, scores in (("own", first), ("tuned", second), ("both", mixed)):
            _tell_curve(f"{name} {which}", scores, right, pairs)
        kept[name] = _placed(weights, _worst([one for one in pairs if one.fits], mixed[fit], right[fit]), PLACES[name])
    return {name: [round(one, 3) for one in weights] for name, weights in kept.items()}


def _pairs() -> Iterator[Held]:
    for one in held_pairs():
        yield Held(language=one.language, old=one.old, new=one.new, label=one.label, ends=one.ends)


def _news(language: str, embedder: Any) -> Iterator[Held]:
    """Each piece of news of a held back world beside the nearest memories, as many as are looked at at work."""
    for world in (one for one in worlds(language) if one.held):
        memories = np.asarray(embedder.embed(world.memories, purpose="passage"))
        vectors = np.asarray(embedder.embed([text for text, _ in world.news], purpose="passage"))
        for number, near in enumerate(vectors @ memories.T):
            yield from (_beside(world, number, int(at)) for at in np.argsort(-near)[:LOOKED_AT])


def _beside(world: World, number: int, at: int) -> Held:
    text, touched = world.news[number]
    label, ends = TOUCHES[touched[at]] if at in touched else (Verdict.COMPATIBLE, False)
    news = f"{world.language} {world.name} {number}"
    return Held(language=world.language, old=world.memories[at], new=text, label=label, ends=ends, news=news)


def _own(pairs: Sequence[Held], embedder: Any) -> Opinions:
    texts = sorted({(one.language, text) for one in pairs for text in (one.old, one.new)})
    vectors = embedder.embed([state(clean(text, of).text or text, of).told for of, text in texts], purpose="passage")
    vector = dict(zip(texts, vectors, strict=True))
    found = [
        relation.relate(
            said(one.new, one.language),
            said(one.old, one.language),
            (vector[one.language, one.new], vector[one.language, one.old]),
        )
        for one in pairs
    ]
    return Opinions(
        verdicts=np.log([[max(one.chances[verdict], relation.LEAST) for verdict in VERDICTS] for one in found]),
        ends=np.array([relation.log_odds(one.ends) for one in found]),
        acts=np.array([relation.log_odds(one.acts) for one in found]),
    )


def _tuned(pairs: Sequence[Held], embedder: Any) -> Opinions:
    told = [one for one in tell(embedder, [(one.old, one.new) for one in pairs]) if one is not None]
    verdicts = np.array([one.verdicts for one in told], np.float64)
    return Opinions(verdicts=verdicts, ends=np.array([one.ends for one in told]), acts=_does(verdicts))


def _does(verdicts: Floats) -> Floats:
    """The log-odds that something is done to the old one."""
    chances = np.exp(verdicts - verdicts.max(1, keepdims=True))
    chances /= chances.sum(1, keepdims=True)
    return np.array([relation.log_odds(float(one)) for one in 1 - chances[:, HARMLESS].sum(1)])


def _odds_fitted(first: Floats, second: Floats, wanted: Flags) -> Floats:
    return _fitted(lambda w: _logistic_loss(w[0] * first + w[1] * second + w[2], wanted), (0.2, 0.8, 0.0))


def _worst(pairs: Sequence[Held], scores: Floats, wanted: Flags) -> Floats:
    """Of each piece of news the likeliest that is not so."""
    most: dict[str, float] = {}
    for pair, score, right in zip(pairs, scores, wanted, strict=True):
        if pair.news != PAIRS and not right:
            most[pair.news] = max(most.get(pair.news, -np.inf), float(score))
    return np.array(list(most.values()))


def _placed(weights: Sequence[float], harmless: Floats, places: Mapping[float, float]) -> list[float]:
    """The weights stretched and moved so that at each probability so much of what is not so is taken for it."""
    wanted = [relation.log_odds(chance) for chance in places]
    now = [float(np.quantile(harmless, 1 - share)) for share in places.values()]
    stretch = (wanted[0] - wanted[-1]) / (now[0] - now[-1]) if len(places) > 1 else 1.0
    return [stretch * weights[0], stretch * weights[1], stretch * (weights[2] - now[0]) + wanted[0]]


def _tell_verdicts(name: str, scores: Floats, label: NDArray[np.int64], pairs: Sequence[Held]) -> None:
    """How many verdicts are right, those without effect as one, of what did not fit the weights."""
    best = scores.argmax(1)
    right = (best == label) | (np.isin(best, HARMLESS) & np.isin(label, HARMLESS))
    parts = {
        (language, of): [
            bool(good)
            for good, one in zip(right, pairs, strict=True)
            if not one.fits and one.language == language and (one.news == PAIRS) == (of == PAIRS)
        ]
        for language in LANGUAGES
        for of in (PAIRS, "worlds")
    }
    print(f"verdict {name:6}", "  ".join(f"{' '.join(key)} {np.mean(told):.3f}" for key, told in parts.items()))


def _tell_curve(name: str, scores: Floats, wanted: Flags, pairs: Sequence[Held]) -> None:
    """Found where so much of what is not so is taken for it: of pairs, and of news beside its world."""
    aside = np.array([not one.fits for one in pairs])
    alone = aside & np.array([one.news == PAIRS for one in pairs])
    print(f"{name:11} pairs  {_curve(scores[alone & wanted], scores[alone & ~wanted])}")
    for language in LANGUAGES:
        here = [at for at, one in enumerate(pairs) if aside[at] and one.news != PAIRS and one.language == language]
        own = [pairs[at] for at in here]
        hit = -_worst(own, -scores[here], ~wanted[here])
        print(f"{name:11} {language}     {_curve(hit, _worst(own, scores[here], wanted[here]))}")


def _curve(right: Floats, wrong: Floats) -> str:
    points = [(share, np.quantile(wrong, 1 - share)) for share in (0.005, 0.01, 0.02, 0.03, 0.05)]
    return "  ".join(f"{(right > point).mean():.2f} at {share:.3f}" for share, point in points)


def _verdict_loss(scores: Floats, label: NDArray[np.int64]) -> float:
    """Of the softmax; what has no effect is one verdict."""
    whole = _log_sum(scores)
    right = np.where(np.isin(label, HARMLESS), _log_sum(scores[:, HARMLESS]), scores[np.arange(len(label)), label])
    return float(np.mean(whole - right))


def _log_sum(scores: Floats) -> Floats:
    most = scores.max(1)
    found: Floats = most + np.log(np.exp(scores - most[:, None]).sum(1))
    return found


def _logistic_loss(scores: Floats, wanted: Flags) -> float:
    return float(np.mean(np.logaddexp(0, np.where(wanted, -scores, scores))))


def _fitted(loss: Callable[[Floats], float], start: Sequence[float]) -> Floats:
    first = np.array(start)
    found = minimize(lambda w: loss(w) + PULL * float(((w - first) ** 2).sum()), first, method="Nelder-Mead")
    weights: Floats = found.x
    return weights


if __name__ == "__main__":
    sys.exit(main())
