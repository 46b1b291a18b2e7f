"""How likely a message is worth keeping (SPEC W2, the trained part).

Kernel ridge regression over the message's embedding and what the language packs see in it, reduced to some
thousand landmarks, and a linear part over hashed pieces of the text; the same without an embedding where there is no
embedder. Made by ``training/gate.py``; its card is beside that.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from yinji import shipped
from yinji.language.dates import find_times
from yinji.language.entities import find_entities
from yinji.language.packs import pack
from yinji.language.text import detect, sentences
from yinji.model import Turn
from yinji.remember.clean import clean, unshouted, widened
from yinji.remember.gate import evidence, refuse
from yinji.remember.statement import state

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from yinji.ports import Vector

BUCKETS = 4096
LENGTHS = (2, 4, 6, 9, 13, 18, 25, 40)
ASSISTANT = "assistant:"
_ANY_DAY = datetime(2000, 1, 3, tzinfo=UTC)
_WORD = re.compile(r"[a-z0-9']+|[^\w\s]")

_BEHIND_WIDE = re.compile(r"(?<=[\uff0c\u3002\uff01\uff1f\uff1b\uff1a]) +")

LONGEST = 600
"""Characters of a text that are judged: what is worth keeping shows long before."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """A text to judge, with the question that it may answer."""

    text: str
    question: str | None

    @property
    def embedded(self) -> str:
        """What is embedded: an answer counts with its question."""
        return f"{self.question} {self.text}" if self.question else self.text

    @property
    def parts(self) -> tuple[str, ...]:
        """What tuned layers read: the question and the answer, each closed."""
        return (self.question, self.text) if self.question else (self.text,)


def to_judge(turn: Turn, recent: Sequence[Turn]) -> tuple[Judged, ...]:
    """The message, and behind it its sentences where it has several; the first may answer the question before."""
    question = (recent[-1].assistant or "").strip()[:LONGEST] if recent else ""
    said = unshouted(widened(turn.user))
    whole = Judged(text=_unspaced(said[:LONGEST]), question=question or None)
    spans = sentences(said)
    if len(spans) < 2:
        return (whole,)
    texts = [_unspaced(said[start : min(end, start + LONGEST)]) for start, end in spans]
    return (whole, *(Judged(text=text, question=None if at else whole.question) for at, text in enumerate(texts)))


def _unspaced(text: str) -> str:
    """Without the blanks behind wide marks, which say nothing."""
    return _BEHIND_WIDE.sub("", text)


def worth(judged: Judged, vector: Vector | None) -> float:
    """How much a trained eye finds it worth keeping: -1 not at all, 1 certainly, 0 undecided; it may lie beyond.

    ``vector``: the embedding of ``judged.embedded``; None without a model.
    """

    language = detect(judged.text)
    model = _model(language, with_vector=vector is not None)
    seen = features(judged, language)
    return float(model.tell(seen, vector, hashed(judged, language))[0])


# ------------------------------------------------------------------ features


def features(judged: Judged, language: str) -> dict[str, float]:
    """What the language pack and the rules see in a text, by name; what is absent is 0."""
    text = clean(judged.text, language).text or judged.text
    seen = dict.fromkeys(_matched(text, language), 1.0)
    seen["evidence"] = evidence(text, language=language) / 4
    seen[f"refused:{refuse(judged.text, language=language)}"] = 1.0
    read = state(text, language)
    for name in (f"kind:{read.kind}", f"modality:{read.modality}", f"polarity:{read.polarity}"):
        seen[name] = 1.0
    seen["of_user"], seen["demand"] = float(read.subject == "user"), float(read.demand)
    if read.slot is not None:
        seen["slot"] = seen[f"slot:{read.slot.attribute.split()[0]}"] = 1.0
    for entity in find_entities(text, language=language):
        seen[f"entity:{entity.type}"] = 1.0
    for name in (*_times(text, language), *_form(judged, text, language)):
        seen[name] = 1.0
    return seen


@cache
def _telling(language: str) -> tuple[str, ...]:
    """The patterns of the pack that some model of the language asks for."""
    named = {name.partition("|")[0] for one in (True, False) for name in _model(language, with_vector=one).names}
    return tuple(name for name in pack(language).patterns if f"p:{name}" in named or f"h:{name}" in named)


def _matched(text: str, language: str) -> Iterator[str]:
    """Names of the patterns found in the text (``p:``) and at its head (``h:``)."""
    for name in _telling(language):
        if found := pack(language).matcher(name).search(text):
            yield f"p:{name}"
            if found.start() == 0:
                yield f"h:{name}"


def _times(text: str, language: str) -> Iterator[str]:
    for one in find_times(text, at=_ANY_DAY, language=language):
        yield f"time:{one.interval.grain}"
        if one.relative:
            yield "time_relative"
        if one.interval.recurrence:
            yield "time_recurs"
        elif one.interval.start is not None:
            yield "time_past" if one.interval.start < _ANY_DAY else "time_to_come"


def _form(judged: Judged, text: str, language: str) -> Iterator[str]:
    length = len(text) if language == "zh" else len(text.split())
    yield from (f"longer:{many}" for many in LENGTHS if length > many)
    marks = {
        "asks": "?\uff1f",
        "quotes": '\u201c"\u300c\u300e',
        "colon": ":\uff1a",
        "exclaims": "!\uff01",
        "lines": "\n",
    }
    yield from (name for name, signs in marks.items() if any(sign in judged.text for sign in signs))
    if any(char.isdigit() for char in text):
        yield "digit"
    if any(ord(char) > 0x1F000 for char in judged.text):
        yield "emoji"
    if judged.question:
        yield "answers"
        if judged.question.endswith(("?", "\uff1f")):
            yield "answers_question"


# --------------------------------------------------------------------- words


def hashed(judged: Judged, language: str) -> NDArray[np.float32]:
    """Characters (Chinese) or words and parts of words (English), one to three in a row, in hashed buckets."""
    import numpy as np

    pieces = list(_pieces(judged.text, language))
    pieces += [f"q:{one}" for one in _pieces(judged.question, language)] if judged.question else []
    counted = np.zeros(BUCKETS, dtype=np.float32)
    for piece, times in Counter(pieces).items():
        digest = zlib.crc32(piece.encode("utf-8", "surrogatepass"))
        counted[digest % BUCKETS] += (1 if digest >> 31 else -1) * (1 + np.log(times))
    length = float(np.linalg.norm(counted))
    return counted / length if length else counted


def _pieces(text: str, language: str) -> Iterator[str]:
    if language == "zh":
        plain = f"^{text.lower()}$"
        yield from (plain[at : at + size] for size in (1, 2, 3) for at in range(len(plain) - size + 1))
        return
    words = ["^", *_WORD.findall(text.lower()), "$"]
    yield from (" ".join(words[at : at + size]) for size in (1, 2, 3) for at in range(len(words) - size + 1))
    plain = " ".join(words)
    yield from (f"c{plain[at : at + size]}" for size in (3, 4) for at in range(len(plain) - size + 1))


# --------------------------------------------------------------------- model


@dataclass(frozen=True, kw_only=True, slots=True)
class Model:
    """The weights for one language: a column for each number that it gives."""

    names: tuple[str, ...]
    scale: float
    """By which features are multiplied before distances are taken; ``spread`` does it for the embedding."""
    mean: NDArray[np.float32]
    basis: NDArray[np.float32]
    """The directions of the embedding that are looked at, in columns."""
    spread: float
    gamma: float
    landmarks: NDArray[np.float32]
    lengths: NDArray[np.float32]
    """Their squared lengths."""
    weights: NDArray[np.float32]
    offset: NDArray[np.float32]
    word_weights: NDArray[np.float32]

    def tell(self, seen: Mapping[str, float], vector: Vector | None, words: NDArray[np.float32]) -> NDArray[np.float32]:
        """Its numbers for a text: what is seen in it, its embedding where the model has one, its hashed words."""
        import numpy as np

        given = np.array([seen.get(name, 0.0) for name in self.names], dtype=np.float32) * self.scale
        if vector is not None:
            placed = (np.asarray(vector, dtype=np.float32) - self.mean) @ self.basis
            given = np.concatenate([given, placed * self.spread])
        apart = self.lengths - 2 * (self.landmarks @ given) + given @ given
        told: NDArray[np.float32] = np.exp(-self.gamma * apart) @ self.weights + self.offset + words @ self.word_weights
        return told


@cache
def _model(language: str, *, with_vector: bool) -> Model:
    return unpacked(shipped.arrays("models/gate.npz"), f"{language}.{'vector' if with_vector else 'words'}")


def unpacked(stored: Any, prefix: str) -> Model:
    """The model under that prefix in the file of weights; the large parts are kept in a byte each."""
    import numpy as np

    def of(name: str) -> NDArray[np.float32]:
        kept = stored[f"{prefix}.{name}"]
        unit = stored.get(f"{prefix}.{name}.unit", 1.0)
        return np.asarray(kept, dtype=np.float32) * np.float32(unit)

    landmarks = of("landmarks")
    return Model(
        names=tuple(str(stored[f"{prefix}.names"]).split("\n")),
        scale=float(of("scale")),
        mean=of("mean"),
        basis=of("basis") if f"{prefix}.basis" in stored else np.eye(len(of("mean")), dtype=np.float32),
        spread=float(of("spread")),
        gamma=float(of("gamma")),
        landmarks=landmarks,
        lengths=(landmarks**2).sum(axis=1),
        weights=of("weights"),
        offset=of("offset"),
        word_weights=of("word_weights"),
    )
