import json
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yinji.model import Entity, Fields, Interval, Kind, Layer, Link, LinkKind, MemoryEntry, Mention, Role, Slot, Source
from yinji.ownership.portability import from_minimal, plain, read_time, to_memory, write_time

ZONES = [UTC, ZoneInfo("Asia/Shanghai"), ZoneInfo("America/New_York"), timezone(timedelta(hours=5, minutes=45))]
TIMES = st.builds(
    lambda moment, zone: moment.replace(tzinfo=UTC).astimezone(zone),
    st.datetimes(min_value=datetime(1950, 1, 1), max_value=datetime(2100, 1, 1)),  # noqa: DTZ001
    st.sampled_from(ZONES),
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
MENTIONS = st.builds(Mention, text=TEXTS, start=st.integers(0, 9), end=st.integers(9, 20))
SOURCES = st.builds(
    Source, turn_id=TEXTS, session=TEXTS, seq=st.integers(0), role=st.sampled_from(Role), start=st.integers(0, 9),
    end=st.integers(9, 20), quote=TEXTS, at=TIMES, app=st.none() | TEXTS,
)  # fmt: skip
MEMORIES = st.builds(
    MemoryEntry, id=TEXTS, owner=TEXTS, content=TEXTS, kind=st.sampled_from(Kind), layer=st.sampled_from(Layer),
    language=st.sampled_from(["zh", "en"]), importance=st.floats(0, 1), confidence=st.floats(0, 1), created_at=TIMES,
    updated_at=TIMES, recorded_at=TIMES, retired_at=st.none() | TIMES, recalls=st.integers(0, 9), pinned=st.booleans(),
    valid=st.none() | st.builds(Interval, start=st.none() | TIMES, end=st.none() | TIMES, text=TEXTS),
    slot=st.none() | st.builds(Slot, subject=TEXTS, attribute=TEXTS, value=TEXTS, single=st.booleans()),
    fields=st.builds(Fields, time=st.tuples(MENTIONS), people=st.tuples(MENTIONS, MENTIONS)),
    entities=st.tuples(st.builds(Entity, name=TEXTS, type=TEXTS, start=st.integers(0, 9), end=st.integers(9, 20))),
    sources=st.lists(SOURCES, max_size=2).map(tuple), scenes=st.lists(TEXTS, max_size=2).map(tuple),
    links=st.lists(st.builds(Link, kind=st.sampled_from(LinkKind), target=TEXTS), max_size=2).map(tuple),
)  # fmt: skip


@pytest.mark.req("O9")
@given(MEMORIES)
def test_a_memory_survives_export_and_import_without_loss(memory: MemoryEntry) -> None:
    assert to_memory(json.loads(json.dumps(plain(memory)))) == memory


@pytest.mark.req("O9", "F9")
@given(TIMES)
def test_a_time_keeps_its_instant_and_the_zone_it_was_said_in(moment: datetime) -> None:
    back = read_time(write_time(moment))
    assert back == moment
    assert back.utcoffset() == moment.utcoffset()
    assert getattr(back.tzinfo, "key", None) == getattr(moment.tzinfo, "key", None)


@pytest.mark.req("O9")
@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ({"content": 3}, "content is not a text"),
        ({"content": "  "}, "content is empty"),
        ({"content": "用户爱喝茶", "colour": 1}, "unknown parts: colour"),
        ({"content": "用户爱喝茶", "kind": "rumour"}, "rumour"),
        ({"content": "tea", "at": "yesterday"}, "yesterday"),
        ({"content": "tea", "importance": 2}, "importance"),
    ],
)
def test_a_bad_record_says_what_is_wrong_with_it(record: dict[str, object], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        from_minimal(record, owner="me", now=datetime(2026, 1, 1, tzinfo=UTC), new_id=str, line=1)


@pytest.mark.req("O9")
def test_a_wrong_part_of_an_exported_record_is_named() -> None:
    with pytest.raises(ValueError, match=r"memory\.recorded_at cannot be 'soon'"):
        to_memory({"content": "x", "recorded_at": "soon"})
    with pytest.raises(ValueError, match="memory lacks confidence, created_at"):
        to_memory({"content": "x", "recorded_at": "2026-01-01T00:00:00+00:00"})
