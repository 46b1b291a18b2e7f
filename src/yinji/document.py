"""Documents: what a program keeps here under names of its own, whole, and finds again by name or by meaning.

They are no memories: nothing is read from them, and no context tells them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol, overload

from yinji.model import Erasure

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True, slots=True)
class Document:
    """A JSON object under a key in a namespace of a collection."""

    collection: str
    """Of one kind of program; nothing is found across two."""
    namespace: tuple[str, ...]
    key: str
    value: Mapping[str, object]
    created_at: datetime
    updated_at: datetime
    fields: tuple[str, ...] = ()
    """Paths to the parts of the value whose texts it is found by; without any it is found by its name alone."""
    stamp: int = 0
    """Another after every change; higher is later. 0 where it is not kept."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundDocument:
    """A document that a search gives."""

    document: Document
    score: float | None
    """Of the nearest of its texts; higher is nearer, within one search alone. None where nothing of it is searched."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundDocuments(Sequence[FoundDocument]):
    """What a search gives, the nearest first, and what the caller should know about how it came."""

    found: tuple[FoundDocument, ...]
    warnings: tuple[str, ...] = ()

    @overload
    def __getitem__(self, index: int) -> FoundDocument: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[FoundDocument, ...]: ...
    def __getitem__(self, index: int | slice) -> FoundDocument | tuple[FoundDocument, ...]:
        return self.found[index]

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[FoundDocument]:
        return iter(self.found)


@dataclass(frozen=True, kw_only=True, slots=True)
class Shelf:
    """Which documents are meant: those of a namespace, with ``below`` also of the namespaces that begin with it."""

    owner: str
    collection: str
    namespace: tuple[str, ...] = ()
    below: bool = True
    key: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class DocumentWrite:
    """What becomes of the document of that name: its new value, or ``None`` to remove it."""

    namespace: tuple[str, ...]
    key: str
    value: Mapping[str, object] | None
    fields: tuple[str, ...] = ()
    vectors: NDArray[np.float32] | None = None
    """Of the texts that ``fields`` lead to; ``None`` where they are still to be embedded."""
    model: str | None = None
    expected: int | None = None
    """The stamp that it must have for any of the writes to be done; 0: there must be none of that name."""
    created_at: datetime | None = None
    """By default when the one before it was written first, or now."""
    updated_at: datetime | None = None


class DocumentStore(Protocol):
    """The part of a store that keeps documents: see ``ports.Store``."""

    def write_documents(self, owner: str, collection: str, writes: Sequence[DocumentWrite], *, at: datetime) -> bool:
        """Does all of them in one transaction, in order; none, and False, where one is not as it was expected."""
        ...

    def documents(
        self,
        shelf: Shelf,
        *,
        limit: int | None = None,
        offset: int = 0,
        newest_first: bool = True,
        pending: bool = False,
    ) -> list[Document]:
        """In the order of their last change; with ``pending`` those alone that wait for vectors."""
        ...

    def documents_at(self, owner: str, stamps: Sequence[int]) -> list[Document]:
        """Those that are still so, in the order asked."""
        ...

    def iterate_documents(self, owner: str) -> Iterator[Document]:
        """All of an owner's, of every collection, the longest unchanged first."""
        ...

    def document_namespaces(self, owner: str, collection: str) -> list[tuple[str, ...]]:
        """Those that have a document, sorted."""
        ...

    def document_vectors(self, shelf: Shelf, *, model: str) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Stamps and, row by row, the vector of one of the texts of that document."""
        ...

    def put_document_vectors(self, owner: str, rows: Sequence[tuple[int, NDArray[np.float32]]], *, model: str) -> None:
        """(stamp, vectors of its texts) of documents that waited for them and are as they were."""
        ...

    def erase_documents(self, shelf: Shelf, *, at: datetime) -> Erasure:
        """Removes them with their vectors, checkpoints, and scans every file of the store, as :meth:`erase` does."""
        ...
