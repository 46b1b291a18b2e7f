"""How scores lie: the mean and spread of several groups taken together."""

from __future__ import annotations

import math
from collections.abc import Sequence

from yinji.ports import Spread

NOTHING = Spread(count=0, mean=0.0, std=0.0)


def pool(spreads: Sequence[Spread]) -> Spread:
    """The spread of all scores together (parallel variance, Chan et al. 1979)."""
    count = sum(one.count for one in spreads)
    if not count:
        return NOTHING
    mean = sum(one.mean * one.count for one in spreads) / count
    variance = sum((one.std**2 + (one.mean - mean) ** 2) * one.count for one in spreads) / count
    return Spread(count=count, mean=mean, std=math.sqrt(variance))
