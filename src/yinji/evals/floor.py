"""What plain words would have found: exact BM25 over whole texts, the floor beside every number.

BM25 as in Robertson & Zaragoza 2009, with ``log(1 + (N - n + ½) / (n + ½))`` so that no term counts against a
text. Terms are ``language.text.terms``; the question's come without stop words, which makes the floor higher:
0.50 to 0.55 on English LoCoMo. ``k1`` between 0.9 and 1.5 moves it by at most 0.02 (docs/decisions/0004-evals.md).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

K1 = 1.2
B = 0.75


class WordIndex:
    """BM25 over texts that were cut into terms; positions stand for texts."""

    def __init__(self, texts: Sequence[Sequence[str]], *, k1: float = K1, b: float = B) -> None:
        self._k1, self._count = k1, len(texts)
        average = sum(map(len, texts)) / len(texts) if texts else 0.0
        self._length = [1 - b + b * len(text) / (average or 1.0) for text in texts]
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for at, text in enumerate(texts):
            for term, times in Counter(text).items():
                self._postings[term].append((at, times))

    def search(self, terms: Sequence[str], limit: int) -> list[tuple[int, float]]:
        """The best positions with their scores, all above 0; of equal scores the earlier text first."""
        scores: dict[int, float] = defaultdict(float)
        for term, weight in Counter(terms).items():
            postings = self._postings.get(term, ())
            rarity = math.log(1 + (self._count - len(postings) + 0.5) / (len(postings) + 0.5))
            for at, times in postings:
                scores[at] += weight * rarity * times * (self._k1 + 1) / (times + self._k1 * self._length[at])
        return sorted(scores.items(), key=lambda pair: (-round(pair[1], 9), pair[0]))[:limit]


def index(texts: Sequence[str]) -> WordIndex:
    """The floor's index of these texts."""
    from yinji.language.text import terms

    return WordIndex([terms(text) for text in texts])


def search(words: WordIndex, question: str, limit: int) -> list[tuple[int, float]]:
    """What the floor finds for a question."""
    from yinji.language.text import query_terms

    return words.search(query_terms(question), limit)
