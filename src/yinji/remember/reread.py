"""What a memory says once its user has changed its words, or words that were taken in as they stand."""

from __future__ import annotations

from datetime import datetime

from yinji.language.entities import find_entities
from yinji.language.packs import pack
from yinji.model import Entity
from yinji.ports import Says
from yinji.remember.drafts import fields_of
from yinji.remember.statement import state


def reread(content: str, language: str, *, at: datetime) -> Says:
    """``at``: when it was said, which relative dates count from."""
    read = state(content, language)
    entities = tuple(one for one in find_entities(content, language=language) if not _is_called(one, content, language))
    return Says(
        subject=read.subject,
        slot=read.slot,
        polarity=read.polarity,
        modality=read.modality,
        fields=fields_of(entities, content, 0, at, language),
        entities=entities,
    )


def _is_called(one: Entity, content: str, language: str) -> bool:
    """Whether somebody is only addressed by the name ("Hey Priya, …"): nothing is said of them."""
    words = pack(language)
    called = words.matcher("calls").search(content[: one.start]) and words.matcher("called").match(content[one.end :])
    return one.type == "person" and bool(called)
