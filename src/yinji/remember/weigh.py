"""Which sentences of a turn the classifier finds worth keeping, beside the rules.

A sentence counts with its message: half of each, so that a sentence of a text that was pasted is not taken for the
user's own, and the one that matters in a ramble is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from yinji.config import RememberSettings
from yinji.language.text import sentences
from yinji.model import DropReason, Turn
from yinji.remember.classify import Judged, worth
from yinji.remember.clean import widened

if TYPE_CHECKING:
    from yinji.ports import Vector

EMBEDDER = "multilingual-e5-small-q4"
"""The model whose vectors the classifier was trained on."""
DOUBTFUL = frozenset({DropReason.TOO_SHORT, DropReason.NOT_ABOUT_USER, DropReason.UNCERTAIN})
"""Reasons of the rules that only say that nothing spoke for a sentence: the classifier may overrule them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Weighed:
    """What the classifier thinks of a turn, sentence by sentence."""

    spans: tuple[tuple[int, int], ...]
    scores: tuple[float, ...]
    embedded: bool
    """Whether an embedding was seen; without one only a clearer opinion counts, and nothing is let go for it."""
    answers: bool
    """The first sentence may answer a question of the assistant."""

    def score(self, start: int, end: int) -> float:
        return max((self.scores[at] for at in self._within(start, end)), default=0.0)

    def wanted(self, start: int, end: int, settings: RememberSettings) -> bool | None:
        """Whether it is worth keeping; None leaves it to the rules."""
        score, least = self.score(start, end), threshold(settings)
        above = settings.gate_doubt if self.embedded else settings.gate_unseen
        below = settings.gate_veto if self.embedded else settings.gate_unseen
        if least - below < score < least + above:
            return None
        return score >= least

    def certain(self, start: int, end: int, settings: RememberSettings) -> bool:
        """Whether it is so clearly worth keeping that a request in it does not speak against the rest."""
        return self.embedded and self.score(start, end) >= threshold(settings) + settings.gate_certain

    def _within(self, start: int, end: int) -> list[int]:
        return [at for at, (first, last) in enumerate(self.spans) if first < end and start < last]


def threshold(settings: RememberSettings) -> float:
    """The score from which a sentence is kept: lower the more readily things are to be kept."""
    return settings.gate_threshold + (0.5 - settings.sensitivity)


def weigh(turn: Turn, judged: Sequence[Judged], vectors: Sequence[Vector | None]) -> Weighed:
    """``judged``: what ``to_judge`` gave for the turn, and the vector of each, or None."""
    found = [worth(one, vector) for one, vector in zip(judged, vectors, strict=True)]
    spans = sentences(widened(turn.user)) if len(found) > 1 else [(0, len(turn.user))]
    parts = found[1:] or found
    return Weighed(
        spans=tuple(spans),
        scores=tuple((found[0] + one) / 2 for one in parts),
        embedded=all(vector is not None for vector in vectors),
        answers=bool(judged and judged[0].question),
    )
