"""How near documents are to a question: cosines, through the lens of the model where there is one.

An embedder's cosines are higher within a language than across two: without a lens a Chinese question finds every
Chinese document before the English one that answers it. The lens takes away what all texts of a language share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yinji.ports import Lens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from yinji.ports import Vector, Vectors

_TINY = 1e-9


def nearness(question: Vector, vectors: Vectors, *, language: str, lens: Lens | None) -> NDArray[np.float32]:
    """A score for each vector. ``language`` is the question's; a vector is of that whose centre it is nearest to."""
    import numpy as np

    if lens is None or not lens.centres:
        return np.asarray(vectors @ question, np.float32)
    names = sorted(lens.centres)
    centres = np.stack([lens.centres[name] for name in names]).astype(np.float32)
    spoken = np.argmax(vectors @ _unit(centres).T, axis=1)
    apart, means = vectors.copy(), centres.copy()
    for code in range(len(names)):
        own = spoken == code
        means[code] = (vectors[own].sum(axis=0) + lens.weight * centres[code]) / (own.sum() + lens.weight)
        apart[own] -= means[code]
    asked = _unit((question - means[names.index(language)] if language in names else question)[None])[0]
    turned = asked if lens.turn is None else asked + asked @ lens.turn
    return np.asarray(_unit(apart) @ turned, np.float32)


def _unit(rows: Vectors) -> Vectors:
    import numpy as np

    made: Vectors = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), _TINY)
    return made
