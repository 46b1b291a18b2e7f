"""Stand-ins for ports, for tests that are about something else."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from yinji.ports import ModelCard, Purpose


class OtherModel:
    """An embedder of another model and dimension than any store here has."""

    card = ModelCard(id="other-v1", dim=8, licence="", source="", duplicate_point={}, relevance_floor={})
    engine = "fake"

    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> NDArray[np.float32]:
        return np.full((len(texts), 8), 8**-0.5, dtype=np.float32)

    def warm_up(self) -> None:
        """Nothing to load."""

    def release(self) -> None:
        """Nothing to give back."""
