"""What the ranker looks at in a memory, beside a question: FEATURES is the list, each with its meaning.

``z`` of a path says how far a score stands out among all of the owner's memories in scope.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from yinji.language.packs import languages, pack
from yinji.language.text import HAN
from yinji.model import Query
from yinji.ports import Examined, Ranking, Spread
from yinji.recall.spread import pool

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.float32]

FEATURES: Mapping[str, str] = {
    "vector": "z of the cosine through the lens",
    "words": "z of BM25",
    "vector_across": "the same as vector, of a memory in the other language than the question",
    "covered": "share of the question's telling words that it has, each by its rarity",
    "rarest": "rarity of the rarest word that both have, 1 for a word that only one memory has",
    "pairs": "rarity of words that stand next to each other in the question and are both in it",
    "alike": "cosine to the middle of the three best: what is near to what answers",
    "answers": "fused z of what was said right before it, where that is a question",
    "asks": "1 if it is a question itself",
    "assistant": "1 if the assistant said it",
    "assistant_asked": "1 if the assistant said it and the question speaks to the assistant",
    "length": "logarithm of its index terms",
    "bridge": "what it shares with the best hit beyond the question, times what that leaves open (recall/bridge.py)",
}
LEADERS = 3
_HAN = re.compile(f"[{HAN}]")
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """How the scores of the two measured paths lie, over all languages."""

    vector: Spread
    words: Spread


def standing(rankings: Mapping[str, Ranking]) -> Standing:
    def of(path: str) -> Spread:
        return pool(list(rankings[path].spread.values()) if path in rankings else [])

    return Standing(vector=of("vector"), words=of("words"))


def telling(query: Query) -> tuple[str, ...]:
    """The question's telling terms, each once; of Chinese the words, not their characters."""
    every = tuple(dict.fromkeys(query.terms))
    return tuple(term for term in every if len(term) > 1 or not _HAN.match(term)) or every


def measure(query: Query, seen: Examined, stands: Standing) -> Mapping[str, Column]:
    """Each feature of each memory that was examined, in the order of FEATURES; all but ``bridge``, which needs more."""
    import numpy as np

    vector, words = _z(seen.meaning, stands.vector), _z(seen.words, stands.words)
    other = np.array([language != query.language for language in seen.languages], np.float32)
    asks_before, meaning_before, words_before = seen.before
    fused_before = (_z(meaning_before, stands.vector) + _z(words_before, stands.words)) / 2
    by_assistant = np.array([_is_assistant(name) for name in seen.speakers], np.float32)
    found = {
        "vector": vector,
        "words": words,
        "vector_across": vector * other,
        **_shared(seen, stands.words.count),
        "alike": _alike(seen, vector + words),
        "answers": asks_before * np.maximum(fused_before, 0),
        "asks": seen.asks.astype(np.float32),
        "assistant": by_assistant,
        "assistant_asked": by_assistant * float(_speaks_to_assistant(query.text)),
        "length": np.log1p(seen.lengths),
    }
    return {name: found[name].astype(np.float32) for name in FEATURES if name in found}


def _z(scores: Column, spread: Spread) -> Column:
    return (scores - spread.mean) / spread.std if spread.std > 0 else scores * 0


def _shared(seen: Examined, count: int) -> Mapping[str, Column]:
    """What the words that both have are worth."""
    import numpy as np

    rarity, holds = seen.rarity, seen.holds.astype(np.float32)
    every = max(float(rarity.sum()), 1e-9)
    most = float(np.log1p((count + 0.5) / 0.5))
    next_to = holds[:, :-1] * holds[:, 1:]
    with np.errstate(invalid="ignore"):  # All are finite; BLAS may look past short rows, at whatever stands there.
        return {
            "covered": holds @ rarity / every,
            "rarest": (holds * rarity).max(axis=1, initial=0.0) / most,
            "pairs": next_to @ ((rarity[:-1] + rarity[1:]) / 2) / every,
        }


def _alike(seen: Examined, scores: Column) -> Column:
    import numpy as np

    if not len(scores):
        return scores
    middle = seen.vectors[np.lexsort((np.arange(len(scores)), -scores))[:LEADERS]].sum(axis=0)
    alike: Column = seen.vectors @ (middle / max(float(np.linalg.norm(middle)), 1e-9))
    return alike


def _is_assistant(name: str) -> bool:
    return bool(name) and any(pack(language).has("assistants", name.lower()) for language in languages())


def _speaks_to_assistant(text: str) -> bool:
    words = [word.lower() for word in _WORD.findall(text)]
    return any(pack("en").has("addressed", word) for word in words) or any(
        pack("zh").has("addressed", char) for char in text
    )
