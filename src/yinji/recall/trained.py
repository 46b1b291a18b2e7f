"""The small models of recall that ship in ``data/models``: the ranker's weights, and a lens for each embedding model.

How they were made, from what, and what each part is worth: ``training/ranker.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from yinji import shipped
from yinji.ports import Lens

CENTRE = 30.0
"""How many memories a lens's centre counts for; 10 to 300 give the same within a point (training/ranker.md)."""


@cache
def ranker(kind: str) -> Mapping[str, float]:
    """A weight for each feature: ``meaning`` where memories have vectors, ``words`` where nothing has."""
    weights: Mapping[str, Mapping[str, float]] = shipped.json("models/ranker.json")
    return weights[kind]


@cache
def lens(model: str) -> Lens:
    """The lens made for an embedding model; for one that has none, a lens that takes the owner's own mean alone."""
    import numpy as np

    path = f"models/lens-{model}.npz"
    if not shipped.file(path).is_file():
        return Lens(centres={}, weight=CENTRE)
    read = shipped.arrays(path)
    centres = {name.removeprefix("centre_"): one for name, one in read.items() if name.startswith("centre_")}
    return Lens(centres=centres, weight=CENTRE, turn=read["turn"].astype(np.float32))
