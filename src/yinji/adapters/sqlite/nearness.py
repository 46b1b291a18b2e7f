"""How near memories are to a question, by their vectors: the cosine, seen through a lens where there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from yinji.adapters.sqlite.cache import Mask, OwnerCache, Places
    from yinji.ports import Lens, Probe

    Scores = NDArray[np.float32]

_CELLS = 1024 * 384
"""Numbers turned to float at a time: they stay in the processor's cache, and are too few for the BLAS to call in
threads, which on a busy machine made 6 ms into 180 (100,000 x 384; docs/decisions/0002-store.md)."""
MANY = 20_000
"""Memories from which on the vector path looks at signs first, and only some are scored."""
_SPARSE = 0.25
"""Share of rows in scope below which picking them out first is quicker than scoring all."""
_TINY = 1e-9


def same_model(columns: OwnerCache, probe: Probe) -> bool:
    """Whether the owner's vectors can be compared with the probe's."""
    return (
        columns.model is not None and probe.vector is not None and columns.model[1:] == (probe.model, len(probe.vector))
    )


def seen(columns: OwnerCache, probe: Probe, places: Places) -> Scores:
    """Cosines through the probe's lens of the memories at these places; elsewhere what a search before this one for the
    same probe found, or 0. Not to be changed by who gets it."""
    import numpy as np

    def none() -> tuple[Scores, Mask]:
        return np.zeros(columns.count, np.float32), np.zeros(columns.count, np.bool_)

    scores, known = columns.remembered("seen", _asking(probe), none)
    unknown = places[~known[places]]
    if len(unknown):
        scores[unknown] = _seen(columns, probe, unknown)[unknown]
        known[unknown] = True
    return scores


def _asking(probe: Probe) -> tuple[object, ...]:
    """What nearness depends on, of a question."""
    return _query(probe).tobytes(), probe.language, probe.lens


def _seen(columns: OwnerCache, probe: Probe, places: Places) -> Scores:
    import numpy as np

    if probe.lens is None:
        return products(columns, _query(probe), places)
    if columns.count > MANY and len(places) < _SPARSE * columns.count:
        return _seen_at_once(columns, probe, probe.lens, places)
    means, apart = _apart(columns, probe.lens)
    direction = turned(columns, probe, probe.lens)
    codes = columns["language"][places]
    shared = np.array([means[language] @ direction for language in means], np.float32)
    scores = products(columns, direction, places)
    scores[places] = (scores[places] - shared[codes]) / apart[places]
    return scores


def _seen_at_once(columns: OwnerCache, probe: Probe, lens: Lens, places: Places) -> Scores:
    """The same, each vector turned to float once: nothing of the others is known beforehand."""
    import numpy as np

    direction, middles = turned(columns, probe, lens), np.array(list(centres(columns, lens).values()))
    shared, squares, beside = middles @ direction, (middles**2).sum(axis=1), np.vstack([direction, middles]).T
    scores = np.zeros(columns.count, np.float32)
    for at in range(0, len(places), block := max(1, _CELLS // len(direction))):
        part = places[at : at + block]
        codes = columns["language"][part]
        near = (columns.vectors[part].astype(np.float32) @ beside) * columns["scale"][part, None]
        to_middle = near[np.arange(len(part)), codes + 1]
        apart = np.sqrt(np.maximum(1 + squares[codes] - 2 * to_middle, _TINY))
        scores[part] = (near[:, 0] - shared[codes]) / apart
    return scores


def _apart(columns: OwnerCache, lens: Lens) -> tuple[dict[str, Scores], Scores]:
    """The means, and how far from its mean each memory's vector is."""
    import numpy as np

    def made() -> tuple[dict[str, Scores], Scores]:
        means = centres(columns, lens)
        squares = np.ones(columns.count, np.float32)
        for code, mean in enumerate(means.values()):
            own = np.flatnonzero(columns["language"] == code)
            squares[own] += mean @ mean - 2 * products(columns, mean, own)[own]
        return means, np.sqrt(np.maximum(squares, _TINY))

    return columns.remembered("apart", lens, made)


def centres(columns: OwnerCache, lens: Lens) -> dict[str, Scores]:
    """By language, the mean of the owner's vectors, drawn towards the lens's."""
    return columns.remembered("centres", lens, lambda: _centres(columns, lens))


def _centres(columns: OwnerCache, lens: Lens) -> dict[str, Scores]:
    import numpy as np

    found: dict[str, Scores] = {}
    for language in columns.names["language"].texts:
        count, total = columns.total(language)
        elsewhere = lens.centres.get(language)
        drawn = total if elsewhere is None else total + np.float64(lens.weight) * elsewhere.astype(np.float64)
        found[language] = (drawn / (count + lens.weight)).astype(np.float32)
    return found


def turned(columns: OwnerCache, probe: Probe, lens: Lens) -> Scores:
    """The probe's vector as its lens shows it."""
    mean = centres(columns, lens).get(probe.language)
    return columns.remembered("turned", _asking(probe), lambda: through(_query(probe), mean, lens))


def through(query: Scores, mean: Scores | None, lens: Lens) -> Scores:
    """A question's vector as the lens shows it."""
    import numpy as np

    apart = query if mean is None else query - mean
    unit: Scores = (apart / max(float(np.linalg.norm(apart)), _TINY)).astype(np.float32)
    return unit if lens.turn is None else unit + unit @ lens.turn


def _query(probe: Probe) -> Scores:
    import numpy as np

    return np.asarray(probe.vector, np.float32)


def products(columns: OwnerCache, other: Scores, places: Places) -> Scores:
    """The vector at each of these places by another; 0 or meaningless elsewhere."""
    import numpy as np

    found = np.zeros(columns.count, np.float32)
    block = max(1, _CELLS // max(len(other), 1))
    if len(places) < _SPARSE * columns.count:
        for at in range(0, len(places), block):
            part = places[at : at + block]
            found[part] = (columns.vectors[part].astype(np.float32) @ other) * columns["scale"][part]
        return found
    for at in range(0, columns.count, block):
        found[at : at + block] = columns.vectors[at : at + block].astype(np.float32) @ other
    found *= columns["scale"]
    return found
