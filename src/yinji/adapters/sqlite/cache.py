"""What searching needs of an owner's memories, as arrays in RAM; the file stays the truth.

Each owner has a revision that every writing transaction raises. A read compares it and loads only the rows that
changed since, whichever process changed them.
"""

from __future__ import annotations

import json
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar

import apsw

from yinji.adapters.sqlite.postings import Postings
from yinji.adapters.sqlite.queries import load
from yinji.adapters.sqlite.signs import Signs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]
    Places = NDArray[np.intp]

_SQL = load("search")
ROWS = 400_000
"""Memories kept in RAM over all owners (about 450 bytes each at 384 dimensions); the owner in use always fits."""
ALWAYS = 2**63 - 1
"""Stands for an end that is not known: later than every time, and negated earlier."""

GROWN = 1.25
"""How many times as many memories make the middle that the signs are about another one."""
_BLOCK = 1024
"""Vectors turned to float at a time."""
_IDS = 20_000
"""Ids kept of an owner, about 200 bytes each."""
_FEW = 1000
"""Memories that may change at a time for the lists of terms to follow; else they are dropped."""
Made = TypeVar("Made")

_COLUMNS = {
    "rows": "int64",
    "language": "int16",
    "kind": "int16",
    "validity": "int16",
    "scenes": "int32",
    "recorded": "int64",
    "retired": "int64",
    "start": "int64",
    "end": "int64",
    "hidden": "bool",
    "length": "int32",
    "embedded": "bool",
    "scale": "float32",
    "session": "int32",
    "seq": "int64",
    "asks": "bool",
    "speaker": "int32",
}
_NAMED = ("language", "kind", "validity", "scenes", "session", "speaker")
_DATA = 12
"""Where the vector's bytes stand in a row that is read."""


class Names:
    """Texts that repeat, by small numbers."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._codes: dict[str, int] = {}

    def code(self, text: str) -> int:
        found = self._codes.get(text)
        if found is None:
            found = self._codes[text] = len(self.texts)
            self.texts.append(text)
        return found

    def codes(self, wanted: Sequence[str]) -> list[int]:
        """Those of the texts that occur."""
        return [self._codes[text] for text in wanted if text in self._codes]


class OwnerCache:
    """One owner's memories as columns, in the order of their rows. Guarded by ``lock``."""

    def __init__(self, model: tuple[int, str, int] | None) -> None:
        import numpy as np

        self.lock = threading.Lock()
        self.model = model
        self.names = {name: Names() for name in _NAMED}
        self.revision = 0
        self.erasures = 0
        self.count = 0
        self._arrays: dict[str, NDArray[Any]] = {name: np.empty(0, dtype) for name, dtype in _COLUMNS.items()}
        self._vectors: NDArray[np.int8] = np.empty((0, model[2] if model else 0), np.int8)
        self._totals: dict[int, tuple[int, NDArray[np.float64]]] = {}
        self._memo: dict[str, tuple[object, Any]] = {}
        self._signs: Signs | None = None
        self.postings = Postings()
        self.newer = False
        """Whether the columns are newer than what whoever holds the lock reads from the file."""
        self.ids: dict[int, str] = {}
        """Of rows that were looked up."""
        self.known: dict[str, int] = {}
        """The same, the other way round."""

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._arrays[name][: self.count]

    @property
    def vectors(self) -> NDArray[np.int8]:
        return self._vectors[: self.count]

    def total(self, language: str) -> tuple[int, NDArray[np.float64]]:
        """How many memories of a language have a vector, and the sum of these."""
        import numpy as np

        (code,) = self.names["language"].codes([language]) or (-1,)
        return self._totals.get(code, (0, np.zeros(self._vectors.shape[1])))

    def signs(self) -> Signs:
        """One bit for each number of each vector; made anew when the memories have become far more than they were."""
        if self._signs is None or self.count > GROWN * self._signs.made_of:
            self._signs = Signs(self)
        self._signs.bring_up_to_date(self)
        return self._signs

    def remembered(self, what: str, key: object, make: Callable[[], Made]) -> Made:
        """What was made for this key last, or is made now; until anything of the owner's changes."""
        known = self._memo.get(what)
        if known is None or known[0] != key:
            known = self._memo[what] = (key, make())
        made: Made = known[1]
        return made

    def learn(self, pairs: Iterable[tuple[int, str]]) -> None:
        """Notes which row has which id."""
        if len(self.ids) > _IDS:
            self.ids.clear()
            self.known.clear()
        for row, id in pairs:
            self.ids[row] = id
            self.known[id] = row

    def refresh(self, db: apsw.Connection, owner: int, revision: int, erasures: int) -> None:
        """Brings in what changed up to this revision; an older snapshot than the cache's changes nothing."""
        if revision > self.revision:
            self._memo.clear()
        if erasures != self.erasures and revision > self.revision:
            self._keep_only([row for (row,) in db.execute(_SQL["rows"], {"owner": owner})])
            self.erasures = erasures
        if revision > self.revision:
            model = self.model[0] if self.model else None
            bindings = {"owner": owner, "revision": self.revision, "model": model}
            # Sorted here: SQLite would carry the vectors along through a sort on disk.
            changed, known = sorted(db.execute(_SQL["changed"], bindings), key=itemgetter(0)), self.count
            self._apply(changed)
            self._follow(db, owner, [row[0] for row in changed], known)
            self.revision = revision
        self.newer = revision < self.revision

    def places(self, rows: NDArray[np.int64]) -> tuple[Places, Mask]:
        """Where rows stand in the columns, and which of them are there at all."""
        import numpy as np

        if self.count == 0:
            return np.zeros(len(rows), np.intp), np.zeros(len(rows), np.bool_)
        known = self["rows"]
        if known[-1] - known[0] == self.count - 1:  # None is missing: each stands where its number says.
            found = rows - known[0]
            return found, (found >= 0) & (found < self.count)
        found = np.searchsorted(known, rows).clip(0, self.count - 1)
        return found, known[found] == rows

    def _follow(self, db: apsw.Connection, owner: int, changed: list[int], known: int) -> None:
        """Brings the lists of terms up to date; before, ``known`` memories were there."""
        import numpy as np

        if not self.postings or len(changed) > _FEW:
            self.postings.clear()
            return
        held = dict(db.execute(_SQL["terms"], {"owner": owner, "rows": json.dumps(changed)}))
        places, _ = self.places(np.array(changed, np.int64))
        for row, place in zip(changed, places.tolist(), strict=True):
            note = self.postings.check if place < known else self.postings.append
            note(place, Counter(held.get(row, "").split(" ")))

    def _keep_only(self, rows: list[int]) -> None:
        import numpy as np

        keep = np.isin(self["rows"], np.array(rows, np.int64), assume_unique=True)
        for name in _COLUMNS:
            self._arrays[name] = self[name][keep]
        self._vectors = self.vectors[keep]
        self.count = int(keep.sum())
        self._signs = None
        self.postings.clear()
        self._totals.clear()
        self._sum(np.arange(self.count), 1)
        self.ids.clear()
        self.known.clear()

    def _apply(self, changed: list[tuple[Any, ...]]) -> None:
        """Overwrites the rows that are there and appends the others: new rows always have higher numbers."""
        import numpy as np

        if not changed:
            return
        columns = self._columns(list(zip(*changed, strict=True)))
        places, there = self.places(columns["rows"])
        self._sum(places[there], -1)
        places[~there] = np.arange(self.count, self.count + int((~there).sum()))
        self._grow(self.count + int((~there).sum()))
        for name, values in columns.items():
            self._arrays[name][places] = values
        self._put_vectors(places[columns["embedded"]], [row[_DATA] for row in changed if row[_DATA] is not None])
        if self._signs is not None:
            self._signs.changed(places, self.count)
        self._sum(places, 1)

    def _sum(self, places: Places, sign: int) -> None:
        """Adds the vectors at these places to the totals of their languages, or takes them out."""
        import numpy as np

        with_vector = places[self["embedded"][places]]
        languages = self["language"][with_vector]
        for code in np.unique(languages):
            own = with_vector[languages == code]
            count, total = self._totals.get(int(code), (0, np.zeros(self._vectors.shape[1])))
            for at in range(0, len(own), _BLOCK):
                part = own[at : at + _BLOCK]
                total = total + sign * (self["scale"][part].astype(np.float64) @ self.vectors[part])
            self._totals[int(code)] = (count + sign * len(own), total)

    def _columns(self, raw: Sequence[Sequence[Any]]) -> dict[str, NDArray[Any]]:
        import numpy as np

        rows, language, kind, validity, scenes, recorded, retired, start, end, hidden, length, scale, data, *more = raw
        session, seq, asks, speaker = more
        values: dict[str, Sequence[Any]] = {
            "rows": rows,
            "language": [self.names["language"].code(text) for text in language],
            "kind": [self.names["kind"].code(text) for text in kind],
            "validity": [self.names["validity"].code(text) for text in validity],
            "scenes": [self.names["scenes"].code(text) for text in scenes],
            "recorded": recorded,
            "retired": [ALWAYS if at is None else at for at in retired],
            "start": [-ALWAYS if at is None else at for at in start],
            "end": [
                ALWAYS if until is None else until if since is None else max(until, since + 1)
                for since, until in zip(start, end, strict=True)
            ],
            "hidden": hidden,
            "length": [count or 0 for count in length],
            "embedded": [blob is not None for blob in data],
            "scale": [number or 0.0 for number in scale],
            "session": [self.names["session"].code(text) for text in session],
            "seq": seq,
            "asks": asks,
            "speaker": [self.names["speaker"].code(text) for text in speaker],
        }
        return {name: np.array(values[name], dtype) for name, dtype in _COLUMNS.items()}

    def _put_vectors(self, places: Places, blobs: list[bytes]) -> None:
        import numpy as np

        if blobs:
            self._vectors[places] = np.frombuffer(b"".join(blobs), np.int8).reshape(len(blobs), -1)

    def _grow(self, count: int) -> None:
        import numpy as np

        room = len(self._arrays["rows"])
        if count > room:
            # Some to spare, so that memories that come one by one do not copy all each time.
            room = count + count // 8 + 64
            for name, dtype in _COLUMNS.items():
                grown = np.empty(room, dtype)
                grown[: self.count] = self[name]
                self._arrays[name] = grown
            matrix = np.zeros((room, self._vectors.shape[1]), np.int8)
            matrix[: self.count] = self.vectors
            self._vectors = matrix
        self.count = count


class Cache:
    """The owners read lately, the least recent let go when they hold too many memories together."""

    def __init__(self, rows: int = ROWS) -> None:
        self._rows = rows
        self._lock = threading.Lock()
        self._owners: OrderedDict[int, OwnerCache] = OrderedDict()

    @contextmanager
    def of(self, db: apsw.Connection, owner: int) -> Iterator[OwnerCache]:
        """The owner's columns as the snapshot of ``db`` has them, or newer; nobody changes them meanwhile."""
        revision, erasures, *model = db.execute(_SQL["standing"], {"owner": owner}).get
        known = tuple(model) if model[0] is not None else None
        with self._lock:
            found = self._owners.get(owner)
            if found is None or found.model != known:
                found = self._owners[owner] = OwnerCache(known)
            self._owners.move_to_end(owner)
        with found.lock:
            found.refresh(db, owner, revision, erasures)
            self._let_go()
            yield found

    def forget(self) -> None:
        """Gives the memory back; the next read loads again."""
        with self._lock:
            self._owners.clear()

    def owners(self) -> list[int]:
        with self._lock:
            return list(self._owners)

    def _let_go(self) -> None:
        with self._lock:
            while len(self._owners) > 1 and sum(each.count for each in self._owners.values()) > self._rows:
                self._owners.popitem(last=False)
