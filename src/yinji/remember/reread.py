"""What a memory says once its user has changed its words, or words that were taken in as they stand."""

from __future__ import annotations

from datetime import datetime

from yinji.language.entities import find_entities
from yinji.ports import Says
from yinji.remember.drafts import fields_of
from yinji.remember.statement import state


def reread(content: str, language: str, *, at: datetime) -> Says:
    """``at``: when it was said, which relative dates count from."""
    read, entities = state(content, language), find_entities(content, language=language)
    return Says(
        subject=read.subject,
        slot=read.slot,
        polarity=read.polarity,
        modality=read.modality,
        fields=fields_of(entities, content, 0, at, language),
        entities=entities,
    )
