"""Text to the token ids of multilingual-e5-small, with the pieces that Chinese and English need.

**Which pieces are kept** (108,000 of 250,000): those whose letters are all ASCII or Han, whatever digits,
punctuation, symbols and emoji they have; and every piece of a single character in any script, so that
a Russian or Korean word is spelled out letter by letter instead of being unknown. The rest costs 40 MB of
memory and a quarter of a second at each start.

Ids are the same as the C engine's for Chinese and English, but for a literal ``</s>`` and its like in a
text: there it is a mark of the model, here it is text.
"""

from __future__ import annotations

import re
import struct
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from yinji.adapters.e5_weights import Pieces

_SPACE = "\u2581"
"""SentencePiece writes a space like this."""
_SPACES = re.compile(" +")
_HAN = re.compile("[\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_UNKNOWN_KIND, _CONTROL_KIND, _NORMAL_KIND = 2, 3, 1
_UNIGRAM = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Vocabulary:
    """The kept pieces, ready to be stored."""

    model: bytes
    """A SentencePiece model whose piece ``i`` is the original's ``ids[i]``."""
    ids: NDArray[np.int32]
    replacements: Mapping[int, str]


class Tokenizer:
    """Thread-safe; holds about 20 MB."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        from sentencepiece import SentencePieceProcessor

        self._processor = SentencePieceProcessor()
        self._processor.LoadFromSerializedProto(vocabulary.model)
        self._originals: list[int] = vocabulary.ids.tolist()
        self._unknown: int = self._processor.unk_id()
        self._replacements = dict(vocabulary.replacements)

    def ids(self, text: str) -> list[int]:
        """The ids of the original vocabulary, without the marks for start and end."""
        spaced = _SPACES.sub(_SPACE, text.translate(self._replacements))
        if not spaced.startswith(_SPACE):
            spaced = _SPACE + spaced
        kept: Sequence[int] = self._processor.encode(spaced)
        if self._unknown in kept:
            kept = self._spelled(spaced, kept)
        return [self._originals[piece] for piece in kept]

    def placed(self, text: str) -> list[tuple[int, int, int]]:
        """The ids with where each stands in the text: (id, start, end), in characters. The spaces before a piece are
        not part of it, and a piece that is nothing else is nowhere (start and end are one)."""
        written, places = self._written(text)
        found, at = [], 0
        for piece, part in zip(
            self._processor.encode(written), self._processor.encode(written, out_type=str), strict=True
        ):
            steps = [1] * len(part) if piece == self._unknown else [len(part)]
            for step in steps:
                first = next((one for one in range(at, at + step) if written[one] != _SPACE), None)
                start = places[at] if first is None else places[first]
                found.append((self._originals[piece], start, start if first is None else places[at + step - 1] + 1))
                at += step
        return found

    def _written(self, text: str) -> tuple[str, list[int]]:
        """The text as SentencePiece reads it, and for each of its characters which one of the text it comes from."""
        written, places = [_SPACE], [0]
        for place, character in enumerate(text):
            for one in self._replacements.get(ord(character), character):
                if one not in " \u2581" or written[-1] != _SPACE:
                    written.append(_SPACE if one == " " else one)
                    places.append(place)
        return "".join(written), places

    def _spelled(self, spaced: str, kept: Sequence[int]) -> list[int]:
        """SentencePiece joins neighbouring unknown characters into one token; the model counts each."""
        texts: Sequence[str] = self._processor.encode(spaced, out_type=str)
        found: list[int] = []
        for piece, text in zip(kept, texts, strict=True):
            found.extend([piece] * (len(text) if piece == self._unknown else 1))
        return found


def vocabulary(pieces: Pieces) -> Vocabulary:
    """The part of the tokenizer that Chinese and English need."""
    import numpy as np

    controls = {pieces.bos, pieces.eos, pieces.pad} | {
        index for index, text in enumerate(pieces.texts) if text == "<mask>"
    }
    kinds = {pieces.unk: _UNKNOWN_KIND} | dict.fromkeys(controls, _CONTROL_KIND)
    kept = [index for index, text in enumerate(pieces.texts) if index in kinds or is_kept(text)]
    rows = [(pieces.texts[index], pieces.scores[index], kinds.get(index, _NORMAL_KIND)) for index in kept]
    marks = [kept.index(mark) for mark in (pieces.unk, pieces.bos, pieces.eos, pieces.pad)]
    return Vocabulary(
        model=_sentencepiece_model(rows, marks),
        ids=np.array(kept, dtype=np.int32),
        replacements=pieces.replacements,
    )


def is_kept(piece: str) -> bool:
    """Whether Chinese or English text may need this piece; see the rule at the top of the module."""
    text = piece.lstrip(_SPACE)
    if len(text) <= 1 or text.isascii():
        return True
    return all(
        character.isascii() or unicodedata.category(character)[0] not in "LM" or _HAN.match(character)
        for character in text
    )


def _sentencepiece_model(rows: Sequence[tuple[str, float, int]], marks: Sequence[int]) -> bytes:
    """A ``ModelProto`` (sentencepiece_model.proto) that takes text as it is and splits it by unigram scores."""
    parts = [_field(1, _piece(text, score, kind)) for text, score, kind in rows]
    training = _field(3, _UNIGRAM) + b"".join(_field(40 + index, mark) for index, mark in enumerate(marks))
    as_it_is = _field(1, b"identity") + b"".join(_field(switch, 0) for switch in (3, 4, 5))
    return b"".join([*parts, _field(2, training), _field(3, as_it_is)])


def _piece(text: str, score: float, kind: int) -> bytes:
    body = _field(1, text.encode("utf-8")) + _varint(2 << 3 | 5) + struct.pack("<f", score)
    return body if kind == _NORMAL_KIND else body + _field(3, kind)


def _field(number: int, value: int | bytes) -> bytes:
    """One field in protobuf's wire format."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def packed_vocabulary(words: Vocabulary) -> dict[str, bytes]:
    """The vocabulary as named byte strings; :func:`unpacked_vocabulary` reads them."""
    points = sorted(words.replacements.items())
    text = "".join(f"{point:x} {' '.join(f'{ord(c):x}' for c in value)}\n" for point, value in points)
    return {
        "pieces": words.model,
        "ids": words.ids.astype("<i4").tobytes(),
        "replacements": text.encode("ascii"),
    }


def unpacked_vocabulary(parts: Mapping[str, bytes]) -> Vocabulary:
    import numpy as np

    replacements: dict[int, str] = {}
    for line in parts["replacements"].decode("ascii").splitlines():
        point, _, value = line.partition(" ")
        replacements[int(point, 16)] = "".join(chr(int(code, 16)) for code in value.split())
    return Vocabulary(model=parts["pieces"], ids=np.frombuffer(parts["ids"], dtype="<i4"), replacements=replacements)
