"""What leads on from the best hit to the one that answers (SPEC R13): "what is my gardener's number?" is answered by
"my uncle is a gardener" and "my uncle's number is …", and the second has no word of the question's description.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from yinji.language.text import is_telling


def beyond(terms: Iterable[str], asked: Collection[str]) -> frozenset[str]:
    """The telling index terms of a memory that the question does not have."""
    return frozenset(term for term in terms if term not in asked and is_telling(term))


def bridge(said: frozenset[str], shared: Sequence[frozenset[str]], best: int, left_open: float) -> list[float]:
    """For each memory the share that it has of what the best one ``said`` beyond the question, each term by its
    rarity among these; times what the best one leaves open of the question. 0 for the best itself.

    ``shared``: which of the terms each has; ``best``: its place among them.
    """
    having = Counter(term for own in shared for term in own)
    rarity = {term: math.log1p((len(shared) - having[term] + 0.5) / (having[term] + 0.5)) for term in said}
    every = max(sum(rarity.values()), 1e-9)
    return [
        0.0 if at == best else left_open * sum(rarity[term] for term in own) / every for at, own in enumerate(shared)
    ]
