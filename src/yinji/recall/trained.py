"""The small models of recall that ship in ``data/models``: the ranker's weights, and a lens for each embedding model.

How they were made, from what, and what each part is worth: ``training/ranker.md``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from io import BytesIO

from yinji.ports import Lens

CENTRE = 30.0
"""How many memories a lens's centre counts for; 10 to 300 give the same within a point (training/ranker.md)."""


@cache
def ranker(kind: str) -> Mapping[str, float]:
    """A weight for each feature: ``meaning`` where memories have vectors, ``words`` where nothing has."""
    text = (files("yinji") / "data" / "models" / "ranker.json").read_text(encoding="utf-8")
    weights: Mapping[str, Mapping[str, float]] = json.loads(text)
    return weights[kind]


@cache
def lens(model: str) -> Lens:
    """The lens made for an embedding model; for one that has none, a lens that takes the owner's own mean alone."""
    import numpy as np

    file = files("yinji") / "data" / "models" / f"lens-{model}.npz"
    if not file.is_file():
        return Lens(centres={}, weight=CENTRE)
    with np.load(BytesIO(file.read_bytes()), allow_pickle=False) as read:
        centres = {name.removeprefix("centre_"): read[name] for name in read.files if name.startswith("centre_")}
        return Lens(centres=centres, weight=CENTRE, turn=read["turn"].astype(np.float32))
