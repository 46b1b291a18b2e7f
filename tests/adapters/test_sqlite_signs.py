"""A first look at many memories by their vectors' signs finds what a look at all of them finds."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from tests.conformance.store_cases import ME, MODEL, NOW, entry, new, vector
from yinji.adapters.sqlite import nearness, open_store, search
from yinji.ports import Lens, Ranking, Store

LENS = Lens(centres={"zh": vector("众"), "en": vector("many")}, weight=2.0)
ROOM = 120


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "memory.yinji") as opened:
        yield opened


@pytest.fixture
def few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearness, "MANY", 100)
    monkeypatch.setattr(search, "PREFILTERED", ROOM)
    monkeypatch.setattr(search, "SAMPLE", 200)


def fill(store: Store, numbers: range) -> None:
    made = [entry(f"m{n}", f"text {n}", language="zh" if n % 2 else "en") for n in numbers]
    store.import_memories([new(one) for one in made], at=NOW)


def asked(store: Store, text: str, *, limit: int = 3) -> Ranking:
    return store.vectors(ME, vector(text), model=MODEL, limit=limit, lens=LENS, language="zh")


@pytest.mark.req("K6", "R4")
def test_the_nearest_of_many_is_found_with_its_exact_score(store: Store, few_at_a_time: None) -> None:
    fill(store, range(600))
    for number in (0, 1, 298, 599):
        found = asked(store, f"text {number}").hits
        (nearest,) = (hit for hit in found if hit.id == f"m{number}")
        assert nearest.cosine == pytest.approx(1.0, abs=0.02)
        assert nearest.score == max(hit.score for hit in found)


@pytest.mark.req("K6", "R4")
def test_scores_and_how_they_lie_are_those_of_a_look_at_all(store: Store, request: pytest.FixtureRequest) -> None:
    fill(store, range(600))
    whole = asked(store, "text 7", limit=5)
    request.getfixturevalue("few_at_a_time")
    with open_store(Path(store.path)) as again:
        first = asked(again, "text 7", limit=5)
    scores = {hit.id: hit.score for hit in whole.hits}
    assert all(hit.score == pytest.approx(scores[hit.id], abs=1e-5) for hit in first.hits if hit.id in scores)
    for language, spread in whole.spread.items():
        assert first.spread[language].count == spread.count == 300
        assert first.spread[language].mean == pytest.approx(spread.mean, abs=0.05)
        assert first.spread[language].std == pytest.approx(spread.std, rel=0.2)


@pytest.mark.req("K6", "R11", "O5")
def test_what_comes_later_is_seen_and_what_is_gone_is_not(store: Store, few_at_a_time: None) -> None:
    fill(store, range(300))
    assert asked(store, "text 400").hits[0].id != "m400"
    fill(store, range(400, 402))
    assert asked(store, "text 400").hits[0].id == "m400"
    fill(store, range(500, 900))  # so many that the middle is another
    assert asked(store, "text 850").hits[0].id == "m850"
    store.hide("me", ["m850"], at=NOW + timedelta(days=1), actor="user", reason="")
    assert asked(store, "text 850").hits[0].id != "m850"
    store.erase("me", ["m400"], at=NOW, actor="user")
    assert "m400" not in {hit.id for hit in asked(store, "text 400", limit=50).hits}
    assert asked(store, "text 401").hits[0].id == "m401"


@pytest.mark.req("R4")
def test_numbers_that_fill_no_whole_word_of_bits_are_compared_too(tmp_path: Path) -> None:
    from yinji.adapters.sqlite.signs import _packed

    drawn = np.random.default_rng(1).normal(size=(3, 70)).astype(np.float32)
    bits = _packed(drawn)
    assert bits.shape == (3, 2)
    differing = sum(int(word).bit_count() for word in bits[0] ^ bits[1])
    assert differing == int(((drawn[0] > 0) != (drawn[1] > 0)).sum())
