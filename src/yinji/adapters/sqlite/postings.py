"""Which memories hold a term that many hold: to read such a list from the index takes longer than the rest of a search.

Lists that were read are kept with the owner's columns and follow what is written; what is erased drops them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Listed = tuple[NDArray[np.int32], NDArray[np.int32]]
    """Where the memories stand that hold a term, in order, and how often each does."""

MANY = 200
"""Memories from which on a list is kept: to read it takes 0.15 ms for each thousand (docs/decisions/0002-store.md)."""
ROOM = 1_000_000
"""Memories in all of an owner's lists, at 8 bytes each; when they are more, what was not asked for longest goes."""


class Postings:
    """One owner's lists by term. Guarded by the lock of its columns."""

    def __init__(self) -> None:
        self._lists: dict[str, Listed] = {}
        self._held = 0

    def __len__(self) -> int:
        return len(self._lists)

    def of(self, term: str, read: Callable[[], Listed], *, keep: bool) -> Listed:
        """The list of a term; one that had to be read is kept where it is long."""
        known = self._lists.pop(term, None)
        if known is not None:
            self._lists[term] = known  # behind the others
            return known
        known = read()
        if keep and len(known[0]) >= MANY:
            self._lists[term] = known
            self._held += len(known[0])
            while self._held > ROOM:
                self._drop(next(iter(self._lists)))
        return known

    def append(self, place: int, held: Mapping[str, int]) -> None:
        """Notes a new memory, behind all others, and how often it holds each term."""
        import numpy as np

        for term in self._lists.keys() & held.keys():
            places, counts = self._lists[term]
            self._lists[term] = np.append(places, np.int32(place)), np.append(counts, np.int32(held[term]))
            self._held += 1

    def check(self, place: int, held: Mapping[str, int]) -> None:
        """Drops the lists in which this memory stands otherwise than it holds their terms."""
        import numpy as np

        for term, (places, counts) in list(self._lists.items()):
            at = int(np.searchsorted(places, place))
            listed = int(counts[at]) if at < len(places) and places[at] == place else 0
            if listed != held.get(term, 0):
                self._drop(term)

    def _drop(self, term: str) -> None:
        self._held -= len(self._lists.pop(term)[0])

    def clear(self) -> None:
        self._lists.clear()
        self._held = 0
