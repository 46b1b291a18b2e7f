"""What the layers of multilingual-e5-small tell of texts and pairs of texts once they are tuned to it.

Each file that ``HEADS`` names has small changes of their weights and, for each head, where to look and how to score;
the cards are ``tuned.md``, ``orders.md`` and ``worth.md`` in ``training/``. The graph with a file's changes is built
once, beside the embedder's own, and loaded when something is first asked of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from yinji import shipped
from yinji.adapters.e5_cache import Damaged, make_room, read_parts, write_parts
from yinji.adapters.e5_graph import tuned_graph
from yinji.adapters.e5_weights import Weights
from yinji.errors import ModelUnavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

TUNED, ORDERS, WORTH = "models/tuned.npz", "models/orders.npz", "models/worth.npz"
HEADS = {"relation": TUNED, "ends": TUNED, "answers": TUNED, "orders": ORDERS, "worth": WORTH}
"""What can be asked for, each with the file that has it."""
LONGEST = 160
"""Tokens that are looked at; they were trained on 128."""
SHARPNESS = 2.0
"""By which attention is multiplied before the softmax, as in training."""
LOUDNESS = 8.0 / 3
"""By which states are multiplied before they are scored, as in training."""


@cache
def arrays(file: str) -> Mapping[str, Floats]:
    import numpy as np

    read = shipped.arrays(file)
    return {name: np.asarray(read[name], np.float32) for name in read}


def by_file(heads: Sequence[str]) -> dict[str, list[str]]:
    """Raises ModelUnavailable for a head that no file has."""
    found: dict[str, list[str]] = {}
    for head in heads:
        if head not in HEADS:
            raise ModelUnavailable(model="e5-small", problem=f"its tuned layers have no head {head!r}")
        found.setdefault(HEADS[head], []).append(head)
    return found


def changes(file: str) -> dict[str, Floats]:
    """Tensor → what is added to its weights, (out, in)."""
    known = arrays(file)
    names = [name.removesuffix(".down") for name in known if name.endswith(".down")]
    return {name: (known[f"{name}.down"] @ known[f"{name}.up"]).T for name in names}


def opened_graph(weights: Weights, cache_file: Path, file: str) -> bytes:
    """The graph from the cache, or built, and kept there where that can be. Raises ModelUnavailable or ImportError."""
    path = cache_file.with_name(f"{cache_file.stem}-{Path(file).stem}-{_witness(file)}.bin")
    try:
        return read_parts(path)["graph"]
    except (OSError, Damaged):
        graph = tuned_graph(weights, changes(file))
    try:
        make_room(path)
        write_parts(path, {"graph": graph})
    except OSError:
        pass  # a full disk or a folder that cannot be written: built again next time, a second's work
    return graph


@cache
def _witness(file: str) -> str:
    return hashlib.sha256(shipped.file(file).read_bytes()).hexdigest()[:12]


def pointing() -> dict[str, Floats]:
    """What :func:`~yinji.adapters.e5_pointing.pointed` scores by."""
    known = arrays(TUNED)
    return {name.removeprefix("point."): value for name, value in known.items() if name.startswith("point.")}


def scored(states: Floats, mask: NDArray[np.int32], head: str) -> Floats:
    """``states`` (texts, tokens, hidden) → scores (texts, classes): an average over the tokens that the head looks at,
    weighed."""
    import numpy as np

    known = arrays(HEADS[head])
    attention = states @ known[f"{head}.look"] * SHARPNESS + (1 - mask) * np.float32(-1e9)
    attention = np.exp(attention - attention.max(1, keepdims=True))
    attention /= attention.sum(1, keepdims=True)
    looked = (attention[:, None] @ states)[:, 0] * LOUDNESS
    found: Floats = (looked @ known[f"{head}.weights"] + known[f"{head}.bias"]).astype(np.float32)
    return found


def cut(parts: Sequence[list[int]], bos: int, eos: int, *, most: int = LONGEST) -> list[int]:
    """The tokens of a text's parts, each closed, as many as are looked at."""
    ids = [bos, *(one for part in parts for one in (*part, eos))]
    return ids if len(ids) <= most else [*ids[: most - 1], eos]
