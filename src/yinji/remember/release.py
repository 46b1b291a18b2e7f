"""Text that the user lets out of the quarantine, as a memory."""

from __future__ import annotations

from datetime import datetime

from yinji.language.text import detect
from yinji.model import Kind, Layer, MemoryEntry, Modality, Role, Source, Trust
from yinji.review import Dropped

TRUST = {
    Role.USER: Trust.IMPORT,  # what the user handed over is somebody else's
    Role.ASSISTANT: Trust.ASSISTANT,
    Role.TOOL: Trust.TOOL,
    Role.WEB: Trust.WEB,
    Role.IMPORT: Trust.IMPORT,
}


def as_memory(held: Dropped, *, owner: str, id: str, now: datetime) -> MemoryEntry:
    """The text as it stands, quoted: being let out makes it neither the user's own statement nor more trusted."""
    source = Source(
        turn_id=held.turn_id,
        session=held.session,
        seq=0,
        role=held.role,
        start=0,
        end=len(held.text),
        quote=held.text,
        at=held.said_at,
        app=held.app,
    )
    return MemoryEntry(
        id=id,
        owner=owner,
        content=held.text,
        kind=Kind.FACT,
        layer=Layer.SEMANTIC,
        language=detect(held.text),
        importance=0.3,
        confidence=0.5,
        created_at=now,
        updated_at=now,
        recorded_at=held.said_at,
        subject="other",
        modality=Modality.QUOTED,
        trust=TRUST[held.role],
        sources=(source,),
    )
