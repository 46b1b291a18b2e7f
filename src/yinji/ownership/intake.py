"""Takes memories in from records, so that doing it twice changes nothing (SPEC O9, plain form)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from yinji.embedding import Embedding
from yinji.errors import ModelUnavailable
from yinji.filing.records import Filed, file_away, filed, is_document
from yinji.language import sensitive
from yinji.language import text as language
from yinji.language.injection import attacks
from yinji.model import TRUST_ORDER, Fields, MemoryEntry, Mention, Role, Sensitivity, Source, Trust, Turn
from yinji.ownership.portability import HEADER, Imported, from_minimal, is_minimal, read_lines, to_memory
from yinji.ports import NewMemory, Reinforce, Says, Store

if TYPE_CHECKING:
    from yinji.ports import Vector

BATCH = 256
CONTEXT_CHARS = 300
"""Characters of what was said before that give a line its context."""
SHOWN_ERRORS = 100


class Reading(Protocol):
    """Reads what words say that were said ``at``."""

    def __call__(self, content: str, language: str, *, at: datetime) -> Says: ...


StableId = Callable[[str, datetime | None], str]
"""An id that the same words and time always give."""


def take_in(
    source: Path | Iterable[Mapping[str, object]],
    *,
    owner: str,
    store: Store,
    embedding: Embedding,
    now: datetime,
    stable_id: StableId,
    dry_run: bool,
    progress: Callable[[int, int | None], None] | None,
    policy: sensitive.Policy | None = None,
    injection_point: float = 1.0,
    read: Reading | None = None,
) -> Imported:
    """Imports what is new, in batches that are each durable as a whole; bad records are named, not fatal.

    ``read``: what a record's words name, where the record does not say.
    """
    errors: list[tuple[int, str]] = []
    warnings: dict[str, None] = {}
    seen: set[str] = set()
    last: dict[str, str] = {}
    new = unchanged = quarantined = 0
    papers: list[Filed] = []
    foreign: set[str] = set()
    entry_of = partial(_entry, owner=owner, now=now, stable_id=stable_id, policy=policy, read=read, foreign=foreign)
    entries = _entries(source, entry_of, errors=errors, policy=policy, papers=papers)
    while batch := list(islice(entries, BATCH)):
        before = _before(batch, last)
        fresh = _unknown(batch, store, owner, seen)
        unchanged += len(batch) - len(fresh)
        fresh, held = _apart(fresh, injection_point)
        named = len(fresh)
        fresh, again = _once(fresh, foreign, store)
        unchanged += named - len(fresh)
        quarantined += len(held) if dry_run else _hold(held, store)
        if not dry_run and again:
            store.reinforce(owner, again, at=now)
        if not dry_run and fresh:
            added = store.import_memories(_prepared(fresh, before, embedding, warnings), at=now)
            unchanged += len(fresh) - added
            new += added
        else:
            new += len(fresh)
        if progress is not None:
            progress(new + unchanged + quarantined + len(errors), None)
    kept = file_away(papers, owner=owner, store=store, embedding=embedding, now=now, dry_run=dry_run)
    new, unchanged = new + kept, unchanged + len(papers) - kept
    return Imported(
        new=new,
        unchanged=unchanged,
        errors=tuple(errors[:SHOWN_ERRORS]),
        dry_run=dry_run,
        warnings=tuple(warnings),
        quarantined=quarantined,
    )


def _apart(entries: list[MemoryEntry], point: float) -> tuple[list[MemoryEntry], list[MemoryEntry]]:
    """What may be kept, and what gives orders to an agent. What the user said before and exported is the user's own.

    A record that is wrongly held is missing from every recall, so it takes more to hold one than to hold a passage.
    """
    point = (1 + point) / 2
    held = [
        one
        for one in entries
        if TRUST_ORDER[one.trust] < TRUST_ORDER[Trust.USER_IMPLIED] and attacks(one.content, Role.IMPORT, point=point)
    ]
    return [one for one in entries if one not in held], held


def _hold(entries: list[MemoryEntry], store: Store) -> int:
    """Gives these to the reader as turns of an import, which it puts into quarantine; how many were new."""
    turns = [
        Turn(
            user=one.content,
            at=one.recorded_at,
            session="import",
            key=f"import:{one.id}",
            owner=one.owner,
            id=one.id,
            role=Role.IMPORT,
        )
        for one in entries
    ]
    return sum(not one.repeated for one in store.accept(turns)) if turns else 0


def _entries(
    source: Path | Iterable[Mapping[str, object]],
    entry_of: Callable[[Mapping[str, object], int], MemoryEntry],
    *,
    errors: list[tuple[int, str]],
    policy: sensitive.Policy | None,
    papers: list[Filed],
) -> Iterator[MemoryEntry]:
    """The memories, each made of a record and its line; documents among the records go to ``papers``."""
    records: Iterable[tuple[int, object]] = read_lines(source) if isinstance(source, Path) else enumerate(source, 1)
    for line, record in records:
        try:
            if isinstance(record, ValueError):
                raise record
            if not isinstance(record, Mapping):
                raise ValueError("not an object with a content")
            if record.get("format") == HEADER["format"]:
                continue
            if is_document(record):
                papers.append(filed(record, policy))
                continue
            yield entry_of(record, line)
        except ValueError as error:
            errors.append((line, str(error)))


def _entry(
    record: Mapping[str, object],
    line: int,
    *,
    owner: str,
    now: datetime,
    stable_id: StableId,
    policy: sensitive.Policy | None,
    read: Reading | None,
    foreign: set[str],
) -> MemoryEntry:
    """The memory that a record stands for; ``foreign`` gets its id where it is a statement of another program."""
    if not is_minimal(record):
        if "content" not in record:
            raise ValueError("it has no content")
        return _safe(replace(to_memory(record), owner=owner), policy)
    entry = from_minimal(record, owner=owner, now=now, new_id=str, line=line)
    if read is not None:
        says = read(entry.sources[0].quote, entry.language, at=entry.recorded_at)
        entry = replace(entry, entities=says.entities, fields=says.fields)
    named = record.get("id")
    said = entry.recorded_at if record.get("at") else None
    key = f"id:{owner}:{entry.sources[0].session}:{named}" if named else f"content:{owner}:{entry.content}"
    entry = replace(entry, id=stable_id(key, said))
    if record.get("session") is None and record.get("speaker") is None:
        foreign.add(entry.id)
    return _safe(entry, policy)


def _safe(entry: MemoryEntry, policy: sensitive.Policy | None) -> MemoryEntry:
    """Without what must never be written down, wherever it came from (SPEC W10)."""
    if not entry.content.strip():
        raise ValueError("content is empty")
    texts = [language.tidy(text)[0] for text in (entry.content, *(source.quote for source in entry.sources))]
    content, *quotes = (sensitive.mask(text, policy).text for text in texts)
    if sensitive.only_placeholder(content, policy):
        raise ValueError("nothing is left of it without what must never be kept")
    delicate = entry.sensitivity is Sensitivity.SENSITIVE or sensitive.is_delicate(content, policy)
    safe = replace(
        entry,
        content=content,
        sources=tuple(replace(one, quote=quote) for one, quote in zip(entry.sources, quotes, strict=True)),
        sensitivity=Sensitivity.SENSITIVE if delicate else Sensitivity.NORMAL,
        model=None,
    )
    return _without_details(safe, policy) if _holds_values(entry, texts, policy) else safe


def _holds_values(entry: MemoryEntry, texts: Sequence[str], policy: sensitive.Policy | None) -> bool:
    """Whether what was taken from the texts may repeat what was masked in them, or has such a thing itself."""
    details = [entry.subject, *(one.name for one in entry.entities), *(one.text for one in _mentions(entry.fields))]
    details += [entry.slot.attribute, entry.slot.value] if entry.slot else []
    return any(sensitive.mask(text, policy).text != text for text in (*texts, *details))


def _without_details(entry: MemoryEntry, policy: sensitive.Policy | None) -> MemoryEntry:
    """Its text alone: names, fields and slot are read from words that are gone."""
    subject = sensitive.mask(entry.subject, policy).text
    return replace(entry, subject=subject, slot=None, entities=(), fields=Fields())


def _mentions(values: Fields) -> list[Mention]:
    return [one for part in fields(values) for one in getattr(values, part.name)]


def _unknown(batch: list[MemoryEntry], store: Store, owner: str, seen: set[str]) -> list[MemoryEntry]:
    known = {entry.id for entry in store.get(owner, [entry.id for entry in batch], hidden=True)} | seen
    fresh = list({entry.id: entry for entry in batch if entry.id not in known and not _said(entry, store)}.values())
    seen.update(entry.id for entry in fresh)
    return fresh


def _said(entry: MemoryEntry, store: Store) -> bool:
    """Whether a record that nobody named says just what is kept already (whoever kept it)."""
    nameless = all(source.role is Role.IMPORT and not source.turn_id for source in entry.sources)
    return nameless and bool(store.by_content(entry.owner, language.content_key(entry.content)))


def _once(entries: list[MemoryEntry], foreign: set[str], store: Store) -> tuple[list[MemoryEntry], list[Reinforce]]:
    """What is to be kept, and what says once more what is kept already: other programs file the same words under
    several kinds and names. Lines of a conversation stay apart: each is asked for as what was said there and then."""
    kept: dict[str, MemoryEntry] = {}
    first: dict[str, MemoryEntry] = {}
    again: list[Reinforce] = []
    for entry in entries:
        key = language.content_key(entry.content)
        twin = first.get(key) or next(iter(store.by_content(entry.owner, key)), None)
        if entry.id not in foreign or twin is None:
            kept[entry.id] = entry
            first.setdefault(key, entry)
        elif twin.id in kept:
            kept[twin.id] = replace(kept[twin.id], sources=(*kept[twin.id].sources, *entry.sources))
        else:
            known = {_place(one) for one in twin.sources}
            fresh = [one for one in entry.sources if _place(one) not in known]
            again += [Reinforce(memory_id=twin.id, source=one, reason="same words") for one in fresh]
    return list(kept.values()), again


def _place(source: Source) -> tuple[str, str, int]:
    return source.turn_id, source.session, source.seq


def _before(batch: list[MemoryEntry], last: dict[str, str]) -> dict[str, str]:
    """By id, the end of what was said right before, of the lines of a conversation. ``last``: of each session."""
    found = {}
    for entry in batch:
        source = entry.sources[0] if entry.sources else None
        if source is None or source.role is not Role.IMPORT or source.seq < 0:
            continue
        if source.session in last:
            found[entry.id] = last[source.session]
        last[source.session] = entry.content[-CONTEXT_CHARS:]
    return found


def _prepared(
    entries: list[MemoryEntry], before: Mapping[str, str], embedding: Embedding, warnings: dict[str, None]
) -> list[NewMemory]:
    card = embedding.card
    vectors: Sequence[Vector | None] = [None] * len(entries)
    if card is not None:
        try:
            vectors = _vectors(entries, before, embedding)
        except ModelUnavailable as error:
            warnings[f"words_only:{error}"] = None
            card = None
    return [
        NewMemory(
            entry=replace(entry, model=card.id if card else None), terms=language.terms(entry.content), vector=vector
        )
        for entry, vector in zip(entries, vectors, strict=True)
    ]


def _vectors(entries: list[MemoryEntry], before: Mapping[str, str], embedding: Embedding) -> Sequence[Vector]:
    """A line of a conversation says little by itself: its vector is the middle of its own and of the one that it has
    after what was said before it (training/ranker.md tells what that is worth)."""
    import numpy as np

    vectors = embedding.embed([entry.content for entry in entries])
    lines = [at for at, entry in enumerate(entries) if entry.id in before]
    if lines:
        told = [f"{before[entries[at].id]}\n{entries[at].content}" for at in lines]
        vectors[lines] += embedding.embed(told)
        vectors[lines] /= np.maximum(np.linalg.norm(vectors[lines], axis=1, keepdims=True), 1e-9)
    return list(vectors)
