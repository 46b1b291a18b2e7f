"""How likely it is that what was found answers the question: what a small trained model makes of the best hits.

A cosine alone cannot tell: some memory is always nearest. The model looks at what the question asks for and the best
hits lack. FEATURES is the list; data and scores are in ``training/confidence.md``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from yinji import shipped
from yinji.language.entities import find_entities
from yinji.language.linear import squashed, weighed
from yinji.language.text import fold
from yinji.model import Candidate, Query
from yinji.ports import Examined
from yinji.recall.features import Standing
from yinji.recall.rank import TIME
from yinji.recall.read import FACTOR
from yinji.recall.signs import signs
from yinji.recall.sought import gives, sort_sought

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WORDS, READ = "words", "+read"
BEST, AFTER = 3, 5
"""Hits that are looked at, since an answer may be spread over several; and those that they are compared with."""
FEATURES: Mapping[str, str] = {
    "score": "the ranker's score of the best",
    "lead": "by how much it is better than the mean of those after it",
    "near": "z of the nearest cosine through the lens",
    "cosine": "the nearest cosine as it is",
    "words": "z of the best BM25",
    "covered": "share of the question's telling words that one of the best has, each by its rarity",
    "together": "the same of all the best together",
    "missed": "rarity of the rarest telling word that none of the best has, 1 for a word that only one memory has",
    "nowhere": "share of the telling words that no memory of the owner has, each by its rarity",
    "named_missed": "share of the names in the question that none of the best has",
    "given": "1 if one of the best gives something of the sort that the question seeks",
    "not_given": "1 if none does",
    "given_covered": "share of the telling words that one of the best has which gives something of that sort",
    "in_time": "1 if one of the best is of the time asked about",
    "across": "1 if the best is in the other language than the question",
    "advice": "1 if the question asks for advice",
    "asks": "1 if the message has the form of a question",
    "weak": "share of its words that are particles and question words: what is no language has none",
    "stands_out": "by how much the nearest is nearer than the mean of the best five",
    "terms": "logarithm of the number of telling words",
    "many": "logarithm of the number of memories in scope",
    "read": "the best log-odds, by reading, that one of the candidates answers",
    "zh": "1 if the question is Chinese",
}


def measured(query: Query, candidates: Sequence[Candidate], seen: Examined, stands: Standing) -> dict[str, float]:
    """Each feature of the best candidates, at least one; ``seen``: these beside the question."""
    best = candidates[:BEST]
    paths = [{path.path: path for path in one.paths} for one in best]
    share, together, missed, nowhere = _shares(seen, stands.words.count)
    sort = sort_sought(query)
    giving = gives(query, sort, [one.memory for one in best]) if sort else []
    rest = [one.score for one in candidates[1:AFTER]] or [0.0]
    nearness = [path.z for one in candidates[:AFTER] for path in one.paths if path.path == "vector"] or [0.0]
    said = query.text.lower()
    return {
        "score": best[0].score,
        "lead": best[0].score - sum(rest) / len(rest),
        "near": max(nearness),
        "cosine": max((one["vector"].score for one in paths if "vector" in one), default=0.0),
        "words": max((one["words"].z for one in paths if "words" in one), default=0.0),
        "covered": max(share, default=0.0),
        "together": together,
        "missed": missed,
        "nowhere": nowhere,
        "named_missed": _named_missed(query, best),
        "given": float(any(giving)),
        "not_given": float(bool(sort) and not any(giving)),
        "given_covered": max((one for one, gave in zip(share, giving, strict=False) if gave), default=0.0),
        "in_time": float(any("fields" in one and one["fields"].rank and one["fields"].score >= TIME for one in paths)),
        "across": float(best[0].memory.language != query.language),
        "advice": float(bool(signs(query.language)["advice"].search(said))),
        "asks": float(bool(signs(query.language)["question"].search(said))),
        "weak": len(query.weak) / max(1, len(query.weak) + len(query.terms)),
        "stands_out": max(nearness) - sum(nearness) / len(nearness),
        "terms": math.log1p(len(seen.rarity)),
        "many": math.log1p(stands.words.count),
        "read": max((one.factors[FACTOR] for one in candidates if FACTOR in one.factors), default=0.0),
        "zh": float(query.language == "zh"),
    }


def _shares(seen: Examined, count: int) -> tuple[list[float], float, float, float]:
    """(what each has of the question's words, what all have together, the rarest that none has, what is nowhere)"""
    if not len(seen.rarity) or not len(seen.ids):
        return [], 0.0, 0.0, 0.0
    rarity: NDArray[np.float32] = seen.rarity
    every, most = max(float(rarity.sum()), 1e-9), math.log1p((count + 0.5) / 0.5)
    anywhere = seen.holds.any(axis=0)
    unknown = rarity >= math.log1p((count + 0.5) / 1.0)
    return (
        (seen.holds @ rarity / every).tolist(),
        float(rarity[anywhere].sum()) / every,
        min(1.0, float(rarity[~anywhere].max(initial=0.0)) / most),
        float(rarity[unknown & ~anywhere].sum()) / every,
    )


def _named_missed(query: Query, best: Sequence[Candidate]) -> float:
    named = {fold(one.name) for one in find_entities(query.text, language=query.language)}
    said = " ".join(fold(one.memory.content) for one in best)
    return sum(name not in said for name in named) / len(named) if named else 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Confidence:
    """A regression: what each feature weighs, and which probability how many questions with an answer fall below."""

    bias: float
    weights: Mapping[str, float]
    points: Sequence[tuple[float, float]]
    """(share of the questions with an answer, the probability that as many are below), both rising."""

    def share(self, features: Mapping[str, float]) -> float:
        """How probable it is that one of the best answers, 0 to 1."""
        return squashed(self.bias + weighed(features, self.weights))

    def point(self, risk: float) -> float:
        """The probability below which to be silent, so that it costs that share of the questions with an answer."""
        for (low, below), (high, above) in pairwise(self.points):
            if risk <= high:
                return below + (above - below) * (risk - low) / (high - low)
        return self.points[-1][1]


@cache
def confidence(model: str | None, *, read: bool = False) -> Confidence | None:
    """The one made for an embedding model, or (``None``) for words alone; none for a model that it does not know.
    ``read``: the candidates were read beside the question."""
    made: Mapping[str, Any] = shipped.json("models/confidence.json")
    known = made.get(WORDS if model is None else f"{model}{READ}" if read else model)
    return None if known is None else Confidence(**known)
