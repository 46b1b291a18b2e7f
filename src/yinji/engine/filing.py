"""The call that gives programs a place for documents of their own."""

from __future__ import annotations

from yinji.arguments import name
from yinji.engine.desk import Desk
from yinji.filing.documents import Documents
from yinji.recall.trained import lens


class Filing(Desk):
    """Keeping what programs write under names of their own."""

    def documents(self, collection: str, *, owner: str | None = None, mask: bool = True) -> Documents:
        """The documents of a collection: JSON objects under names, which no context tells and nothing is read from.

        They are the owner's: exported, encrypted and erased with the memories. Card and identity numbers, passwords
        and whatever else is never written down are masked in their values, unless ``mask=False``. Raises InvalidInput.
        """
        return Documents(
            store=self._store,
            embedding=self._embedding,
            owner=self._whose(owner),
            collection=name(collection, "The collection"),
            policy=self._sensitive if mask else None,
            clock=self._clock,
            new_id=self._new_id,
            lens=lens,
            readonly=self._readonly,
        )
