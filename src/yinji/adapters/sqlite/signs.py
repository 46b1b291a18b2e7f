"""Vectors by their signs alone, 48 bytes for 384 numbers: a first look at many memories that costs next to nothing.

Each bit says whether a number lies above the middle of the memory's language: texts of one language share most of
their vector, and bits about zero would tell nothing. What is chosen by bits is then scored exactly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from yinji.adapters.sqlite.cache import OwnerCache, Places

_BLOCK = 1024
_WORD = 64


class Signs:
    """The signs of an owner's vectors about fixed middles. Guarded by the lock of its columns."""

    def __init__(self, columns: OwnerCache) -> None:
        import numpy as np

        self.made_of = columns.count
        width = columns.vectors.shape[1]
        self._bits: NDArray[np.uint64] = np.zeros((-(-width // _WORD), columns.count), np.uint64)
        """The first words of all, then the second: to go through them like this is six times as fast."""
        self._known: NDArray[np.bool_] = np.zeros(columns.count, np.bool_)
        totals = {code: columns.total(text) for code, text in enumerate(columns.names["language"].texts)}
        self._middles = {code: (total / max(count, 1)).astype(np.float32) for code, (count, total) in totals.items()}

    def changed(self, places: Places, count: int) -> None:
        """The vectors at these places are others now; there are ``count`` in all."""
        import numpy as np

        more = count - len(self._known)
        if more > 0:
            self._bits = np.concatenate([self._bits, np.zeros((len(self._bits), more), np.uint64)], axis=1)
            self._known = np.concatenate([self._known, np.zeros(more, np.bool_)])
        self._known[places] = False

    def bring_up_to_date(self, columns: OwnerCache) -> None:
        import numpy as np

        waiting = np.flatnonzero(~self._known)
        for at in range(0, len(waiting), _BLOCK):
            part = waiting[at : at + _BLOCK]
            vectors = columns.vectors[part].astype(np.float32) * columns["scale"][part, None]
            for code in np.unique(columns["language"][part]):
                middle = self._middles.get(int(code))
                if middle is not None:
                    vectors[columns["language"][part] == code] -= middle
            self._bits[:, part] = _packed(vectors).T
        self._known[waiting] = True

    def apart(self, direction: NDArray[np.float32]) -> NDArray[np.uint16]:
        """In how many signs each vector differs from one that is about its middle already."""
        import numpy as np

        apart = np.zeros(len(self._known), np.uint16)
        for words, word in zip(self._bits, _packed(direction[None])[0], strict=True):
            apart += np.bitwise_count(words ^ word)
        return apart


def least(places: Places, apart: NDArray[np.uint16], room: int) -> Places:
    """As many of the places as there is room for, where the least is apart; of equal ones the newer."""
    import numpy as np

    if len(places) <= room:
        return places
    own = apart[places]
    last = int(np.searchsorted(np.cumsum(np.bincount(own)), room))
    nearer = places[own < last]
    return np.concatenate([nearer, places[own == last][len(nearer) - room :]])


def _packed(vectors: NDArray[np.float32]) -> NDArray[np.uint64]:
    import numpy as np

    bits = np.packbits(vectors > 0, axis=1)
    room = -bits.shape[1] % (_WORD // 8)
    padded = np.pad(bits, ((0, 0), (0, room))) if room else bits
    words: NDArray[np.uint64] = np.ascontiguousarray(padded).view(np.uint64)
    return words
