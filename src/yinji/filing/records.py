"""Documents as records of an export, and back (SPEC O9, plain form)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from yinji.arguments import name
from yinji.document import Document, DocumentWrite, Shelf
from yinji.errors import YinjiError
from yinji.filing.documents import with_vectors
from yinji.filing.parts import WHOLE
from yinji.filing.values import key_name, labels, safe
from yinji.ports import Store

if TYPE_CHECKING:
    from yinji.embedding import Embedding
    from yinji.language.sensitive import Policy

PARTS = frozenset({"collection", "namespace", "key", "value", "fields", "created_at", "updated_at"})

Filed = tuple[str, DocumentWrite]
"""(collection, what is written into it where nothing of that name is)"""


def record_of(document: Document) -> dict[str, object]:
    return {
        "collection": document.collection,
        "namespace": list(document.namespace),
        "key": document.key,
        "value": document.value,
        "fields": list(document.fields),
        "created_at": document.created_at.isoformat(),
        "updated_at": document.updated_at.isoformat(),
    }


def is_document(record: Mapping[str, object]) -> bool:
    """Whether a record is a document and not a memory."""
    return "collection" in record and "value" in record


def filed(record: Mapping[str, object], policy: Policy | None) -> Filed:
    """What a record says is kept where. Raises ValueError that says which part is wrong."""
    if unknown := set(record) - PARTS:
        raise ValueError(f"unknown parts: {', '.join(sorted(map(str, unknown)))}; known are {', '.join(sorted(PARTS))}")
    try:
        write = DocumentWrite(
            namespace=labels(_list(record, "namespace")),
            key=key_name(_text(record.get("key", ""), "key"), "The key"),
            value=safe(_object(record["value"]), policy),
            fields=tuple(_list(record, "fields", default=[WHOLE])),
            expected=0,
            created_at=_time(record, "created_at"),
            updated_at=_time(record, "updated_at"),
        )
        return name(_text(record["collection"], "collection"), "The collection"), write
    except YinjiError as error:
        raise ValueError(str(error)) from error


def file_away(
    found: Sequence[Filed], *, owner: str, store: Store, embedding: Embedding, now: datetime, dry_run: bool
) -> int:
    """Keeps documents where there is none of their name; how many were new."""
    fresh = [(where, one) for where, one in found if not _is_there(store, owner, where, one)]
    if dry_run:
        return len({(where, one.namespace, one.key) for where, one in fresh})
    ready = with_vectors([one for _, one in fresh], embedding)
    return sum(store.write_documents(owner, where, [one], at=now) for (where, _), one in zip(fresh, ready, strict=True))


def _is_there(store: Store, owner: str, collection: str, one: DocumentWrite) -> bool:
    shelf = Shelf(owner=owner, collection=collection, namespace=one.namespace, below=False, key=one.key)
    return bool(store.documents(shelf, limit=1))


def _list(record: Mapping[str, object], part: str, *, default: list[str] | None = None) -> list[str]:
    value = record.get(part, default)
    if not isinstance(value, list):
        raise ValueError(f"{part} is not a list")
    return [_text(one, part) for one in value]


def _text(value: object, part: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{part} is not a text")
    return value


def _object(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise ValueError("value is not an object")
    return value


def _time(record: Mapping[str, object], part: str) -> datetime | None:
    if record.get(part) is None:
        return None
    try:
        moment = datetime.fromisoformat(_text(record[part], part))
    except ValueError as error:
        raise ValueError(f"{part} is not a time") from error
    if moment.tzinfo is None:
        raise ValueError(f"{part} has no zone")
    return moment
