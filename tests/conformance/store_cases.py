"""Turns, memories and stores for the tests of the Store port."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from yinji.adapters.sqlite import open_store
from yinji.model import (
    Entity,
    Fields,
    Grain,
    Interval,
    Kind,
    Layer,
    Link,
    LinkKind,
    MemoryEntry,
    Mention,
    Modality,
    Polarity,
    Role,
    Scope,
    Sensitivity,
    Slot,
    Source,
    State,
    Tier,
    Trust,
    Turn,
    Validity,
    Visibility,
)
from yinji.ports import NewMemory, Outcome, Store

if TYPE_CHECKING:
    from yinji.ports import Vector

Opener = Callable[[Path], Store]

STORES: Mapping[str, Opener] = {
    "sqlite": lambda folder: open_store(folder / "memory.yinji"),
    "sqlite-encrypted": lambda folder: open_store(folder / "memory.yinji", key=bytes(range(32))),
}
"""Every store that must behave alike: add one here and all of tests/conformance/test_store.py runs on it."""

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 3, 1, 9, 30, 15, 123456, tzinfo=SHANGHAI)
MODEL = "fake-v1"
DIM = 32
DAY = timedelta(days=1)
ME = Scope(owner="me")


def turn(number: int = 1, user: str = "我不吃香菜", **fields: object) -> Turn:
    known = {"id": f"turn-{number}", "owner": "me", "session": "s", "seq": number, "at": NOW}
    return replace(Turn(user=user, at=NOW), **(known | fields))  # type: ignore[arg-type]


def source(number: int = 1, quote: str = "我不吃香菜") -> Source:
    return Source(
        turn_id=f"turn-{number}",
        session="s",
        seq=number,
        role=Role.USER,
        start=0,
        end=len(quote),
        quote=quote,
        at=NOW,
    )


def entry(memory_id: str = "m1", content: str = "用户不吃香菜", **fields: object) -> MemoryEntry:
    plain = MemoryEntry(
        id=memory_id,
        owner="me",
        content=content,
        kind=Kind.PREFERENCE,
        layer=Layer.SEMANTIC,
        language="zh",
        importance=0.5,
        confidence=1.0,
        created_at=NOW,
        updated_at=NOW,
        recorded_at=NOW,
        model=MODEL,
    )
    return replace(plain, **fields)  # type: ignore[arg-type]


def vector(text: str, dim: int = DIM) -> Vector:
    """A unit vector drawn from the text."""
    seed = int.from_bytes(hashlib.sha256(text.encode(errors="surrogatepass")).digest()[:8])
    drawn = np.random.default_rng(seed).normal(size=dim).astype(np.float32)
    return drawn / np.float32(np.linalg.norm(drawn))


def new(memory: MemoryEntry, *terms: str) -> NewMemory:
    """The memory with a vector drawn from its content, when it names a model."""
    return NewMemory(
        entry=memory,
        terms=terms or (memory.content,),
        vector=vector(memory.content) if memory.model else None,
    )


def remember(store: Store, number: int, *memories: NewMemory, owner: str = "me", **outcome: object) -> Turn:
    """Takes a turn and applies what it changes."""
    (accepted,) = store.accept([turn(number, f"第{number}句话", owner=owner)])
    assert store.commit(Outcome(turn=accepted.turn, at=NOW, added=memories, **outcome))  # type: ignore[arg-type]
    return accepted.turn


def ids(found: Sequence[Any]) -> list[str]:
    return [each.id for each in found]


# what hypothesis draws

FRESH = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
"""For properties of a store that is new for each example: ``opener`` alone is shared."""

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
zones = st.one_of(
    st.sampled_from([ZoneInfo(name) for name in ("Asia/Shanghai", "Europe/London", "America/New_York", "UTC")]),
    st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes))),
)
moments = st.datetimes(
    datetime(1, 1, 3),  # noqa: DTZ001 - hypothesis adds the zone
    datetime(9999, 12, 29),  # noqa: DTZ001
    timezones=zones,
    allow_imaginary=False,  # a time that a clock skipped comes back as the one it is told as
)
unit = st.floats(0, 1)
offsets = st.integers(0, 10_000)
mentions = st.lists(st.builds(Mention, text=texts, start=offsets, end=offsets), max_size=2).map(tuple)

entries = st.builds(
    MemoryEntry,
    id=names,
    owner=names,
    content=texts,
    kind=st.sampled_from(Kind),
    layer=st.sampled_from(Layer),
    language=st.sampled_from(["zh", "en"]),
    importance=unit,
    confidence=unit,
    created_at=moments,
    updated_at=moments,
    recorded_at=moments,
    retired_at=st.none() | moments,
    accessed_at=st.none() | moments,
    hidden_at=st.none() | moments,
    recalls=offsets,
    recalls_90d=offsets,
    valid=st.none()
    | st.builds(
        Interval,
        start=st.none() | moments,
        end=st.none() | moments,
        grain=st.sampled_from(Grain),
        recurrence=st.none() | texts,
        text=texts,
    ),
    validity=st.sampled_from(Validity),
    state=st.sampled_from(State),
    tier=st.sampled_from(Tier),
    pinned=st.booleans(),
    subject=texts,
    slot=st.none() | st.builds(Slot, subject=texts, attribute=texts, value=texts, single=st.booleans()),
    polarity=st.sampled_from(Polarity),
    modality=st.sampled_from(Modality),
    fields=st.builds(Fields, time=mentions, place=mentions, people=mentions, event=mentions, action=mentions),
    entities=st.lists(st.builds(Entity, name=texts, type=texts, start=offsets, end=offsets), max_size=2).map(tuple),
    scenes=st.lists(texts, max_size=3).map(tuple),
    visibility=st.sampled_from(Visibility),
    sensitivity=st.sampled_from(Sensitivity),
    trust=st.sampled_from(Trust),
    sources=st.lists(
        st.builds(
            Source,
            turn_id=names,
            session=texts,
            seq=st.integers(0, 9),
            role=st.sampled_from(Role),
            start=offsets,
            end=offsets,
            quote=texts,
            at=moments,
            app=st.none() | texts,
        ),
        max_size=3,
        unique_by=lambda drawn: (drawn.turn_id, drawn.role, drawn.start, drawn.end),
    ).map(tuple),
    links=st.lists(st.builds(Link, kind=st.sampled_from(LinkKind), target=names), max_size=2).map(tuple),
    model=st.none() | st.just(MODEL),
)
