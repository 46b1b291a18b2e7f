"""Text to vectors without a model: hashed words and character n-grams, for tests and the smallest devices.

It knows spelling, not meaning: "car" and "automobile" are strangers to it.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from yinji.ports import ModelCard, Purpose, Vectors

_WORD = re.compile(r"[^\W_]+")
_SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_LONGEST_GRAM = 3
_INNER_WEIGHT = 0.5
"""A letter n-gram inside a spaced word counts half: the word itself is there too."""


def features(text: str) -> Iterator[tuple[str, float]]:
    """What a text is made of, and how much each counts: words, and n-grams of up to three characters."""
    for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()):
        if _SPACELESS.search(word):
            grams, weight, shortest = word, 1.0, 1
        else:
            yield f"w:{word}", 1.0
            grams, weight, shortest = f"<{word}>", _INNER_WEIGHT, _LONGEST_GRAM
        for size in range(shortest, _LONGEST_GRAM + 1):
            for start in range(len(grams) - size + 1):
                yield grams[start : start + size], weight


def hashed(text: str, dim: int) -> NDArray[np.float32]:
    """One text's unit vector. A text without words gets the first axis."""
    import numpy as np

    row = np.zeros(dim, dtype=np.float32)
    weights: dict[str, float] = {}
    for feature, weight in features(text):
        weights[feature] = weights.get(feature, 0.0) + weight
    for feature, weight in weights.items():
        digest = zlib.crc32(feature.encode("utf-8", "surrogatepass"))
        sign = 1.0 if digest & 0x80000000 else -1.0
        row[(digest & 0x7FFFFFFF) % dim] += sign * weight**0.5
    length = float(np.linalg.norm(row))
    if length == 0.0:
        row[0] = 1.0
        return row
    return row / np.float32(length)


class HashingEmbedder:
    """An :class:`~yinji.ports.Embedder` that loads nothing and is the same on every machine."""

    engine = "hashing"

    def __init__(self, card: ModelCard) -> None:
        self.card = card
        self.notes: tuple[str, ...] = ()

    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        import numpy as np

        rows = np.zeros((len(texts), self.card.dim), dtype=np.float32)
        for index, text in enumerate(texts):
            rows[index] = hashed(text, self.card.dim)
        return rows

    def warm_up(self) -> None:
        pass

    def release(self) -> None:
        pass
