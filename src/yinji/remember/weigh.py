"""Which sentences of a turn are worth keeping, beside the rules: by a classifier, and by reading what that leaves open.

A sentence counts with its message: half of each, so that a sentence of a text that was pasted is not taken for the
user's own, and the one that matters in a ramble is found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import tanh
from typing import TYPE_CHECKING

from yinji.config import RememberSettings
from yinji.language.text import detect, sentences
from yinji.model import DropReason, Turn
from yinji.remember.classify import Judged, worth
from yinji.remember.clean import widened
from yinji.remember.gate import refuse

if TYPE_CHECKING:
    from yinji.ports import Vector

Read = Callable[[Sequence[Sequence[str]]], Sequence[float] | None]
"""What layers tuned to it tell of texts, before the logistic function; None where there are no such layers."""

EMBEDDER = "multilingual-e5-small-q4"
"""The model whose vectors the classifier was trained on."""
READ, OF_CLASSIFIER = 0.3, 0.5
"""How far what is read may move a score, and what is left of the classifier's beside it (training/worth.md)."""
OPEN = 0.8
"""How far from nothing the classifier's score may be for a text to be read: beyond it reading changes nothing."""
NOTHING = 0.4
"""How far below the threshold what has a slot, or is plainly told, is let go: an exercise, a quotation, a test
sentence. Of 1,140 messages held back five lie there and none was worth it (training/worth.md)."""
NODS = frozenset({DropReason.EMPTY, DropReason.GREETING, DropReason.ACKNOWLEDGEMENT})
"""Reasons by which a message is let go whatever is read of it."""
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

    def nothing(self, start: int, end: int, settings: RememberSettings) -> bool:
        """Whether it is so clearly not worth keeping that even what is plainly told in it is somebody else's."""
        return self.embedded and self.score(start, end) <= threshold(settings) - NOTHING

    def _within(self, start: int, end: int) -> list[int]:
        return [at for at, (first, last) in enumerate(self.spans) if first < end and start < last]


def threshold(settings: RememberSettings) -> float:
    """The score from which a sentence is kept: lower the more readily things are to be kept."""
    return settings.gate_threshold + (0.5 - settings.sensitivity)


def worths(judged: Sequence[Judged], vectors: Sequence[Vector | None], read: Read | None = None) -> list[float]:
    """How much each text is worth keeping: by the classifier, and where that is in doubt by what is read of it, too."""
    found = [worth(one, vector) for one, vector in zip(judged, vectors, strict=True)]
    unsure = [at for at, one in enumerate(judged) if abs(found[at]) < OPEN and not _is_nod(one.text)]
    told = read([judged[at].parts for at in unsure]) if read and unsure else None
    for at, each in zip(unsure, told or (), strict=told is not None):
        found[at] = OF_CLASSIFIER * found[at] + READ * tanh(each / 2)
    return found


def _is_nod(text: str) -> bool:
    return refuse(text, language=detect(text)) in NODS


def weigh(turn: Turn, judged: Sequence[Judged], scores: Sequence[float], *, embedded: bool) -> Weighed:
    """``judged``: what ``to_judge`` gave for the turn, and what :func:`worths` says of each."""
    spans = sentences(widened(turn.user)) if len(scores) > 1 else [(0, len(turn.user))]
    parts = scores[1:] or scores
    return Weighed(
        spans=tuple(spans),
        scores=tuple((scores[0] + one) / 2 for one in parts),
        embedded=embedded,
        answers=bool(judged and judged[0].question),
    )
