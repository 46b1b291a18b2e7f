import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from yinji.config import Settings
from yinji.model import Kind, Layer, MemoryEntry
from yinji.strength import strength

SETTINGS = Settings.load(environment={}).strength
THEN = datetime(2026, 1, 1, tzinfo=UTC)
MEMORY = MemoryEntry(
    id="1", owner="me", content="用户喜欢美式", kind=Kind.PREFERENCE, layer=Layer.SEMANTIC, language="zh",
    importance=0.6, confidence=1.0, created_at=THEN, updated_at=THEN, recorded_at=THEN,
)  # fmt: skip


@pytest.mark.req("L1", "F44")
@pytest.mark.parametrize(("days", "recalls"), [(0, 0), (10, 0), (10, 3), (200, 1)])
def test_strength_follows_the_formula(days: int, recalls: int) -> None:
    memory = replace(MEMORY, recalls_90d=recalls)
    expected = 0.6 * math.exp(-0.05 * days) * (1 + 0.1 * recalls)
    assert strength(memory, THEN + timedelta(days=days), SETTINGS) == pytest.approx(expected)


@pytest.mark.req("L1")
def test_a_recall_starts_the_decay_anew() -> None:
    later = THEN + timedelta(days=100)
    recalled = replace(MEMORY, accessed_at=later)
    assert strength(recalled, later, SETTINGS) == pytest.approx(0.6)


@pytest.mark.req("L1", "F44")
@pytest.mark.parametrize("kept", [{"pinned": True}, {"layer": Layer.CORE}])
def test_pinned_and_core_memories_do_not_decay(kept: dict[str, object]) -> None:
    memory = replace(MEMORY, **kept)  # type: ignore[arg-type]
    assert strength(memory, THEN + timedelta(days=4000), SETTINGS) == pytest.approx(0.6)


@pytest.mark.req("L1")
def test_the_half_life_form_halves_in_its_days() -> None:
    halved = replace(SETTINGS, form="half_life")
    assert strength(MEMORY, THEN + timedelta(days=30), halved) == pytest.approx(0.3)


@pytest.mark.req("L1")
def test_strength_never_leaves_zero_to_one() -> None:
    loud = replace(MEMORY, importance=1.0, recalls_90d=50)
    assert strength(loud, THEN, SETTINGS) == 1.0
    assert 0.0 <= strength(loud, THEN + timedelta(days=36500), SETTINGS) < 1e-6
