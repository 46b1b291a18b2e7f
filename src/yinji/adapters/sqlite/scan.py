"""Looking for what was erased in every byte of a file, fast enough to do it for 100,000 memories.

What is looked for (the probes), all in UTF-8 and by exact byte:

- each run of nine bytes that starts at a character: three Chinese characters, nine Latin ones;
- whole texts and single index terms of six to eight bytes: two Chinese characters, short words;
- of each vector four runs of nine bytes.

Shorter strings occur by chance in any file and prove nothing. Probes are compared as 64-bit numbers; two different
runs of nine bytes share one with a chance of 2⁻⁶⁴.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Keys = NDArray[np.uint64]

RUN = 9
"""Bytes of a run: three Chinese characters."""
SHORTEST = 6
"""Bytes below which a text is not looked for."""
_PAGE = 4096
_CHUNK = 1 << 22
_SEPARATOR = b"\xff"
"""Between texts: it occurs in no UTF-8."""
_MIX = 0x9E3779B97F4A7C15
"""Fibonacci hashing, Knuth 6.4: spreads the keys over the filter."""
_SPREAD = 0xD6E8FEB86659FD93
"""Odd, so that multiplying loses nothing; from Mix13, Stafford 2011."""
_PLAIN_VECTOR = 6
"""Different byte values that a run of a vector must have: fewer, such as zeros, occur by chance."""


@dataclass(frozen=True, slots=True)
class Probes:
    """Sorted distinct keys by the width in bytes of what they stand for."""

    keys: dict[int, Keys]

    def __len__(self) -> int:
        return sum(len(keys) for keys in self.keys.values())

    def found_in(self, blocks: Iterable[bytes]) -> Probes:
        """Those that occur in any of the blocks."""
        import numpy as np

        filters = {width: _filter(keys) for width, keys in self.keys.items() if len(keys)}
        seen = {width: np.zeros(len(keys), np.bool_) for width, keys in self.keys.items()}
        for chunk in _chunks(blocks):
            words = _words(chunk)
            for width, bits in filters.items():
                _note_found(_keys(words, chunk, width), bits, self.keys[width], seen[width])
        return Probes({width: keys[seen[width]] for width, keys in self.keys.items()})

    def without(self, other: Probes) -> Probes:
        import numpy as np

        return Probes({width: np.setdiff1d(keys, other.keys[width]) for width, keys in self.keys.items()})


def probes_of(texts: Iterable[str | None], vectors: Iterable[bytes]) -> Probes:
    """What to look for when these are gone."""
    import numpy as np

    whole = list({text.encode() for text in texts if text})
    keys = {RUN: np.unique(np.concatenate([_text_runs(whole), _vector_runs(vectors)]))}
    for width in range(SHORTEST, RUN):
        exact = b"".join(text.ljust(8, b"\0") for text in whole if len(text) == width)
        keys[width] = np.unique(np.frombuffer(exact, "<u8"))
    return Probes(keys)


def _text_runs(texts: list[bytes]) -> Keys:
    """Keys of the runs that start at a character and end within the same text."""
    import numpy as np

    data = np.frombuffer(_SEPARATOR.join(texts) + _SEPARATOR, np.uint8)
    if len(data) < RUN:
        return np.empty(0, np.uint64)
    starts = ((data & 0xC0) != 0x80)[: len(data) - RUN + 1]
    # A run with a separator would cross texts, one with NUL could be the empty part of a page.
    ends = np.concatenate([[0], np.cumsum((data == 0xFF) | (data == 0))])
    whole = ends[RUN:] == ends[: len(data) - RUN + 1]
    keys: Keys = _keys(_words(data), data, RUN)[starts & whole]
    return keys


def _vector_runs(vectors: Iterable[bytes]) -> Keys:
    import numpy as np

    runs = [
        vector[at : at + RUN]
        for vector in vectors
        for at in (0, len(vector) // 4, len(vector) // 2, len(vector) - RUN)
        if at >= 0 and len(set(vector[at : at + RUN])) >= _PLAIN_VECTOR
    ]
    data = np.frombuffer(b"".join(runs), np.uint8)
    if not len(data):
        return np.empty(0, np.uint64)
    keys: Keys = _keys(_words(data), data, RUN)[::RUN]
    return keys


def _chunks(blocks: Iterable[bytes]) -> Iterator[NDArray[np.uint8]]:
    """The bytes in pieces that overlap by a run, without the pages that are all zero."""
    import numpy as np

    for block in blocks:
        data = np.frombuffer(block, np.uint8)
        even = len(data) // _PAGE * _PAGE
        pages = data[:even].reshape(-1, _PAGE)
        used = np.concatenate([pages[pages.any(axis=1)].ravel(), data[even:], np.zeros(RUN, np.uint8)])
        for at in range(0, len(used) - RUN + 1, _CHUNK):
            yield used[at : at + _CHUNK + RUN]


def _words(data: NDArray[np.uint8]) -> Keys:
    """The eight bytes from each place on as a little-endian number."""
    import numpy as np

    count = max(len(data) - 7, 0)
    words = np.empty(count, np.uint64)
    raw = data.tobytes()
    for shift in range(min(8, count)):
        part = np.frombuffer(raw, "<u8", count=(len(raw) - shift) // 8, offset=shift)
        words[shift::8] = part[: len(words[shift::8])]
    return words


def _keys(words: Keys, data: NDArray[np.uint8], width: int) -> Keys:
    """One number for the ``width`` bytes from each place on."""
    import numpy as np

    if width == RUN:
        last = data[8:].astype(np.uint64) + np.uint64(1)
        return (words[:-1] ^ (last * np.uint64(_MIX))) * np.uint64(_SPREAD)
    return words & np.uint64((1 << 8 * width) - 1) if width < 8 else words


def _filter(keys: Keys) -> NDArray[np.bool_]:
    """A table by hash that says which keys may be among these: small enough to be quick, large enough to say no."""
    import numpy as np

    bits = max(16, min(26, int(len(keys) * 16).bit_length()))
    table = np.zeros(1 << bits, np.bool_)
    table[_slot(keys, table)] = True
    return table


def _slot(keys: Keys, table: NDArray[np.bool_]) -> Keys:
    import numpy as np

    shift = 64 - (len(table).bit_length() - 1)
    return (keys * np.uint64(_MIX)) >> np.uint64(shift)


def _note_found(at: Keys, table: NDArray[np.bool_], keys: Keys, seen: NDArray[np.bool_]) -> None:
    import numpy as np

    maybe = at[table[_slot(at, table)]]
    if len(maybe):
        places = np.searchsorted(keys, maybe).clip(0, len(keys) - 1)
        seen[places[keys[places] == maybe]] = True
