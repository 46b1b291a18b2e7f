"""The documents of one owner in one collection: kept whole under names, found by name or by meaning.

What must never be written down (SPEC W10) is masked in values; names are kept exactly.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from yinji.arguments import text, whole
from yinji.document import Document, DocumentWrite, FoundDocument, FoundDocuments, Shelf
from yinji.embedding import Embedding
from yinji.errors import ModelUnavailable
from yinji.filing.nearness import nearness
from yinji.filing.parts import WHOLE, matches, searched
from yinji.filing.values import key_name, labels, safe
from yinji.language import sensitive
from yinji.language import text as language
from yinji.model import Erasure
from yinji.ports import Clock, Lens, Store

if TYPE_CHECKING:
    from yinji.ports import Vector, Vectors

_EMBEDDED_AT_ONCE = 256
"""Documents without vectors that a search makes good before it looks."""
_FETCHED = 64

Where = Mapping[str, object]


@dataclass(frozen=True, kw_only=True, slots=True)
class Put:
    """A document to write; without a value, to remove. ``expected``: the stamp that it must have, 0 for none."""

    namespace: tuple[str, ...]
    key: str
    value: Mapping[str, object] | None
    fields: tuple[str, ...] = (WHOLE,)
    expected: int | None = None
    created_at: datetime | None = None


class Documents:
    """See ``Memory.documents``. Thread-safe, and safe beside other processes: ``expected`` tells what was changed."""

    def __init__(
        self,
        *,
        store: Store,
        embedding: Embedding,
        owner: str,
        collection: str,
        policy: sensitive.Policy | None,
        clock: Clock,
        new_id: Callable[[], str],
        lens: Callable[[str], Lens | None] = lambda model: None,
        readonly: bool = False,
    ) -> None:
        self.owner = owner
        self.collection = collection
        self._store = store
        self._embedding = embedding
        self._policy = policy
        self._clock = clock
        self._new_id = new_id
        self._lens = lens
        self._readonly = readonly

    def as_kept(self, value: Mapping[str, object]) -> Mapping[str, object]:
        """A value as it would be kept: without what must never be written down. Raises InvalidInput."""
        return safe(value, self._policy)

    def get(self, namespace: Iterable[str], key: str) -> Document | None:
        """The document of that name, or None."""
        shelf = replace(self._shelf(namespace), below=False, key=key_name(key, "The key"))
        return next(iter(self._store.documents(shelf)), None)

    def put(
        self,
        namespace: Iterable[str],
        key: str,
        value: Mapping[str, object],
        *,
        fields: Sequence[str] = (WHOLE,),
        expected: int | None = None,
    ) -> bool:
        """Keeps a JSON object under a name, in place of what was there. ``fields`` are paths to what it is found by.

        With ``expected``, the stamp of the document that it replaces (0: there is none), False and nothing is done
        where another one is there by now. Raises InvalidInput.
        """
        one = Put(namespace=labels(namespace), key=key, value=value, fields=tuple(fields), expected=expected)
        return self.write([one])

    def add(
        self, namespace: Iterable[str], values: Iterable[Mapping[str, object]], *, fields: Sequence[str] = ()
    ) -> builtins.list[str]:
        """Keeps values in order, each under a key of its own; the keys. Raises InvalidInput."""
        shelf = labels(namespace)
        puts = [Put(namespace=shelf, key=self._new_id(), value=value, fields=tuple(fields)) for value in values]
        self.write(puts)
        return [one.key for one in puts]

    def delete(self, namespace: Iterable[str], key: str, *, expected: int | None = None) -> bool:
        """Removes the document of that name, if there is one. ``erase`` proves that nothing is left of it."""
        return self.write([Put(namespace=labels(namespace), key=key, value=None, expected=expected)])

    def write(self, puts: Iterable[Put]) -> bool:
        """All of these at once, or none: False where one was expected to be otherwise. Raises InvalidInput."""
        ready = [self._checked(one) for one in puts]
        return not ready or self._store.write_documents(
            self.owner, self.collection, with_vectors(ready, self._embedding), at=self._clock()
        )

    def select(
        self,
        namespace: Iterable[str] = (),
        *,
        below: bool = True,
        where: Where | None = None,
        limit: int | None = None,
        offset: int = 0,
        newest_first: bool = True,
    ) -> builtins.list[Document]:
        """Those of a namespace and, with ``below``, of all that begin with it, in the order of their last change."""
        shelf = replace(self._shelf(namespace), below=below)
        most, first = _most(limit), whole(offset, "offset", least=0)
        if not where:
            return self._store.documents(shelf, limit=most, offset=first, newest_first=newest_first)
        found = [one for one in self._store.documents(shelf, newest_first=newest_first) if matches(one.value, where)]
        return found[first : None if most is None else first + most]

    def search(
        self,
        query: str,
        namespace: Iterable[str] = (),
        *,
        where: Where | None = None,
        limit: int | None = 10,
        offset: int = 0,
    ) -> FoundDocuments:
        """The documents nearest in meaning, then those that are not searched by meaning, the newest first.

        Without an embedder the share of the query's words that a document has stands for its nearness, and a warning
        says so. Raises InvalidInput.
        """
        shelf, asked = self._shelf(namespace), text(query, "The query")
        most, first = _most(limit), whole(offset, "offset", least=0)
        scores, warnings = self._scores(shelf, asked)
        ranked = sorted(scores, key=lambda stamp: (-scores[stamp], -stamp))
        found: builtins.list[FoundDocument] = []
        wanted = None if most is None else first + most
        for start in range(0, len(ranked), _FETCHED):
            if wanted is not None and len(found) >= wanted:
                break
            batch = self._store.documents_at(self.owner, ranked[start : start + _FETCHED])
            found += [FoundDocument(document=one, score=scores[one.stamp]) for one in batch if _fits(one, where)]
        if wanted is None or len(found) < wanted:
            others = [one for one in self._store.documents(shelf) if one.stamp not in scores and _fits(one, where)]
            found += [FoundDocument(document=one, score=None) for one in others]
        return FoundDocuments(found=tuple(found[first:wanted]), warnings=warnings)

    def namespaces(self) -> builtins.list[tuple[str, ...]]:
        """Those that have documents, sorted."""
        return self._store.document_namespaces(self.owner, self.collection)

    def erase(self, namespace: Iterable[str] = (), key: str | None = None) -> Erasure:
        """Removes one document, or all of a namespace and below, and proves it by a byte scan of every file."""
        shelf = self._shelf(namespace)
        if key is not None:
            shelf = replace(shelf, below=False, key=key_name(key, "The key"))
        self._embedding.forget_queries()
        return self._store.erase_documents(shelf, at=self._clock())

    # ------------------------------------------------------------- writing

    def _shelf(self, namespace: Iterable[str]) -> Shelf:
        return Shelf(owner=self.owner, collection=self.collection, namespace=labels(namespace))

    def _checked(self, one: Put) -> DocumentWrite:
        value = None if one.value is None else safe(one.value, self._policy)
        fields = tuple(text(path, "A field") for path in one.fields) if value is not None else ()
        return DocumentWrite(
            namespace=labels(one.namespace),
            key=key_name(one.key, "The key"),
            value=value,
            fields=fields,
            expected=one.expected,
            created_at=one.created_at,
        )

    # ------------------------------------------------------------- finding

    def _scores(self, shelf: Shelf, query: str) -> tuple[Mapping[int, float], tuple[str, ...]]:
        vector, problems = self._question(query)
        card = self._embedding.card
        if vector is None or card is None:
            return self._by_words(shelf, query), tuple(f"words_only:{one}" for one in problems)
        if not self._readonly:
            self._make_good(shelf)
        stamps, vectors = self._store.document_vectors(shelf, model=card.id)
        scores: dict[int, float] = {}
        if len(stamps):
            near = nearness(vector, vectors, language=language.detect(query), lens=self._lens(card.id))
            for stamp, score in zip(stamps.tolist(), near.tolist(), strict=True):
                scores[stamp] = max(score, scores.get(stamp, score))
        return scores, ()

    def _question(self, query: str) -> tuple[Vector | None, tuple[str, ...]]:
        try:
            return self._embedding.query(query), self._embedding.state.notes
        except ModelUnavailable as error:
            return None, (str(error),)

    def _make_good(self, shelf: Shelf) -> None:
        """Gives documents their vectors that were written while there was no embedder."""
        waiting = self._store.documents(shelf, limit=_EMBEDDED_AT_ONCE, pending=True)
        made = vectors_of([searched(one.value, one.fields) for one in waiting], self._embedding)
        card = self._embedding.card
        rows = [(one.stamp, vectors) for one, vectors in zip(waiting, made, strict=True) if vectors is not None]
        if rows and card is not None:
            self._store.put_document_vectors(self.owner, rows, model=card.id)

    def _by_words(self, shelf: Shelf, query: str) -> Mapping[int, float]:
        """The share of the query's words that stand in a document's texts, of those that have any."""
        asked = set(language.query_terms(query))
        scores = {}
        for one in self._store.documents(shelf):
            held = {term for text in searched(one.value, one.fields) for term in language.terms(text)}
            if asked & held:
                scores[one.stamp] = len(asked & held) / len(asked)
        return scores


def with_vectors(writes: Sequence[DocumentWrite], embedding: Embedding) -> builtins.list[DocumentWrite]:
    """With the vectors of what they are found by; where there is no embedder they wait for one."""
    made = vectors_of([searched(one.value, one.fields) for one in writes], embedding)
    model = embedding.card.id if embedding.card else None
    return [replace(one, vectors=vectors, model=model) for one, vectors in zip(writes, made, strict=True)]


def vectors_of(texts: Sequence[Sequence[str]], embedding: Embedding) -> builtins.list[Vectors | None]:
    """Of each, the vectors of its texts; None where they have to wait."""
    import numpy as np

    together = [text for several in texts for text in several]
    nothing: Vectors = np.zeros((0, 0), np.float32)
    found: Vectors | None = None
    if together and embedding.available:
        with suppress(ModelUnavailable):  # they wait, and the search says that it goes by words
            found = embedding.embed(together)
    made: builtins.list[Vectors | None] = []
    start = 0
    for several in texts:
        part = None if found is None else found[start : start + len(several)]
        made.append(part if several else nothing)
        start += len(several)
    return made


def _fits(one: Document, where: Where | None) -> bool:
    return not where or matches(one.value, where)


def _most(limit: int | None) -> int | None:
    return None if limit is None else whole(limit, "limit", least=0)
