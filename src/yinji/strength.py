"""How alive a memory is now (SPEC L1)."""

from __future__ import annotations

import math
from datetime import datetime

from yinji.config import StrengthSettings
from yinji.model import Layer, MemoryEntry

DAY_S = 86_400.0


def strength(memory: MemoryEntry, now: datetime, settings: StrengthSettings) -> float:
    """0 to 1: ``importance · exp(−λ · days since last recall) · (1 + α · recalls in 90 days)``.

    The half-life form is ``importance · 0.5^(days / half_life_days)``, with the same gain. A memory that was
    never recalled counts from when it was learned. Pinned and core memories do not decay.
    """
    gain = 1.0 + settings.recall_gain * memory.recalls_90d
    return min(1.0, memory.importance * _freshness(memory, now, settings) * gain)


def _freshness(memory: MemoryEntry, now: datetime, settings: StrengthSettings) -> float:
    if memory.pinned or memory.layer is Layer.CORE:
        return 1.0
    days = max(0.0, (now - (memory.accessed_at or memory.recorded_at)).total_seconds() / DAY_S)
    if settings.form == "half_life":
        return float(0.5 ** (days / settings.half_life_days))
    return math.exp(-settings.decay * days)
