"""How the scores of an owner's memories lie, by language."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from yinji.ports import Spread

if TYPE_CHECKING:
    from yinji.adapters.sqlite.cache import Mask, OwnerCache, Places
    from yinji.adapters.sqlite.search import Scores


def spread(columns: OwnerCache, scores: Scores, mask: Mask, counts: Sequence[int]) -> dict[str, Spread]:
    """By language how the scores at these places lie; they stand for as many as are counted."""
    import numpy as np

    found = {}
    places = np.flatnonzero(mask)
    codes, looked = columns["language"][places], scores[places]
    for code, language in enumerate(columns.names["language"].texts):
        own = looked[codes == code].astype(np.float64)
        if len(own):
            found[language] = Spread(count=counts[code], mean=float(own.mean()), std=float(own.std()))
    return found


def spread_of_few(columns: OwnerCache, scores: Scores, places: Places, counts: Sequence[int]) -> dict[str, Spread]:
    """The same where the scores of all others are 0: only those at these places are looked at."""
    import numpy as np

    codes, looked = columns["language"][places], scores[places].astype(np.float64)
    found = {}
    for code, (language, count) in enumerate(zip(columns.names["language"].texts, counts, strict=True)):
        if count:
            own = looked[codes == code]
            mean = float(own.sum()) / count
            squares = float(((own - mean) ** 2).sum()) + (count - len(own)) * mean**2
            found[language] = Spread(count=count, mean=mean, std=math.sqrt(squares / count))
    return found


def counted(columns: OwnerCache, mask: Mask) -> list[int]:
    """How many of these memories are of each language, by its code."""
    import numpy as np

    codes = columns["language"]
    return [int(np.count_nonzero(mask & (codes == code))) for code in range(len(columns.names["language"].texts))]
