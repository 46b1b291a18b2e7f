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
    Table = NDArray[np.bool_]

RUN = 9
"""Bytes of a run: three Chinese characters."""
SHORTEST = 6
"""Bytes below which a text is not looked for."""
_PAGE = 4096
_CHUNK = 1 << 18
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
    """What to look for, as numbers."""

    keys: dict[int, Keys]
    """Sorted and distinct, by the width in bytes of what they stand for."""
    starts: Table
    """A filter of what they all start with."""

    def __len__(self) -> int:
        return sum(len(keys) for keys in self.keys.values())

    def found_in(self, blocks: Iterable[bytes]) -> Probes:
        """Those that occur in any of the blocks."""
        import numpy as np

        tables = {width: _filter(keys, most=26) for width, keys in self.keys.items() if len(keys)}
        seen = {width: np.zeros(len(keys), np.bool_) for width, keys in self.keys.items()}
        for chunk in _chunks(blocks):
            words = _words(chunk)
            places = np.flatnonzero(self.starts[_slot(_start(words), self.starts)])
            words = words[places]
            for width, table in tables.items():
                _note_found(_keys(words, chunk, places, width), table, self.keys[width], seen[width])
        return Probes({width: keys[seen[width]] for width, keys in self.keys.items()}, self.starts)


def probes_of(texts: Iterable[str | None], vectors: Iterable[bytes]) -> Probes:
    """What to look for when these are gone."""
    import numpy as np

    whole = list({text.encode() for text in texts if text})
    runs = _text_runs(whole)
    short: dict[int, list[bytes]] = {width: [] for width in range(SHORTEST, RUN)}
    for text in whole:
        if SHORTEST <= len(text) < RUN:
            short[len(text)].append(text.ljust(8, b"\0"))
    brief = {width: np.frombuffer(b"".join(found), "<u8") for width, found in short.items()}
    pieces = [runs[0], *brief.values()]
    found, starts = _vector_runs(vectors)
    keys = {RUN: _distinct(np.concatenate([runs[1], found]))} | {width: _distinct(k) for width, k in brief.items()}
    return Probes(keys, _filter(_start(np.concatenate([*pieces, starts])), most=24))


def _text_runs(texts: list[bytes]) -> tuple[Keys, Keys]:
    """(first eight bytes, keys) of the runs that start at a character and end within the same text."""
    import numpy as np

    data = np.frombuffer(_SEPARATOR.join(texts) + _SEPARATOR * RUN, np.uint8)
    starts = (data & 0xC0) != 0x80
    # A run with a separator would cross texts, one with NUL could be the empty part of a page.
    breaks = np.concatenate([[0], np.cumsum((data == 0xFF) | (data == 0))])
    whole = breaks[RUN:] == breaks[:-RUN]
    places = np.flatnonzero(starts[: len(whole)] & whole)
    words = _words(data)[places]
    return words, _keys(words, data, places, RUN)


def _vector_runs(vectors: Iterable[bytes]) -> tuple[Keys, Keys]:
    """(keys, first eight bytes) of four runs of each vector."""
    import numpy as np

    runs = [
        vector[at : at + RUN]
        for vector in vectors
        for at in (0, len(vector) // 4, len(vector) // 2, len(vector) - RUN)
        if at >= 0 and len(set(vector[at : at + RUN])) >= _PLAIN_VECTOR
    ]
    data = np.frombuffer(b"".join(runs) + bytes(RUN), np.uint8)
    places = np.arange(len(runs)) * RUN
    words = _words(data)[places]
    return _keys(words, data, places, RUN), words


def _chunks(blocks: Iterable[bytes]) -> Iterator[NDArray[np.uint8]]:
    """The bytes in pieces that overlap by a run, without the pages that are all zero."""
    import numpy as np

    for block in blocks:
        data = np.frombuffer(block, np.uint8)
        even = len(data) // _PAGE * _PAGE
        pages = data[:even].reshape(-1, _PAGE)
        used = np.concatenate([pages[pages.any(axis=1)].ravel(), data[even:], np.zeros(RUN, np.uint8)])
        for at in range(0, len(used) - RUN, _CHUNK):
            yield used[at : at + _CHUNK + RUN - 1]


def _words(data: NDArray[np.uint8]) -> Keys:
    """The eight bytes from each place on as a little-endian number."""
    import numpy as np

    return np.ndarray(len(data) - 7, "<u8", data.tobytes(), strides=(1,)).astype(np.uint64)


def _start(words: Keys) -> Keys:
    """A number for the first six of eight bytes, which every probe has."""
    import numpy as np

    return words << np.uint64(16)


def _keys(words: Keys, data: NDArray[np.uint8], places: NDArray[np.intp], width: int) -> Keys:
    """One number for the ``width`` bytes at each place, whose first eight are ``words``."""
    import numpy as np

    if width < RUN:
        return words & np.uint64((1 << 8 * width) - 1)
    last = data[np.minimum(places + 8, len(data) - 1)].astype(np.uint64) + np.uint64(1)
    return (words ^ (last * np.uint64(_MIX))) * np.uint64(_SPREAD)


def _distinct(keys: Keys) -> Keys:
    """Sorted, each once: far quicker for these than ``np.unique``, which hashes."""
    import numpy as np

    keys = np.sort(keys.astype(np.uint64))
    return keys[np.concatenate([[True], keys[1:] != keys[:-1]])] if len(keys) else keys


def _filter(keys: Keys, *, most: int) -> Table:
    """A table by hash that says which keys may be among these: at most 2 to the power of ``most`` slots."""
    import numpy as np

    bits = max(16, min(most, int(len(keys) * 16).bit_length()))
    table = np.zeros(1 << bits, np.bool_)
    table[_slot(keys, table)] = True
    return table


def _slot(keys: Keys, table: Table) -> Keys:
    import numpy as np

    shift = 64 - (len(table).bit_length() - 1)
    return (keys * np.uint64(_MIX)) >> np.uint64(shift)


def _note_found(at: Keys, table: Table, keys: Keys, seen: NDArray[np.bool_]) -> None:
    import numpy as np

    maybe = at[table[_slot(at, table)]]
    if len(maybe):
        places = np.searchsorted(keys, maybe).clip(0, len(keys) - 1)
        seen[places[keys[places] == maybe]] = True
