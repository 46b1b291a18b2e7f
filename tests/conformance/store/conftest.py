"""Runs every test of this folder on every store that is listed in ``tests.conformance.store_cases``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.store_cases import STORES, Opener
from yinji.ports import Store


@pytest.fixture(params=list(STORES))
def opener(request: pytest.FixtureRequest) -> Opener:
    return STORES[request.param]


@pytest.fixture
def store(opener: Opener, tmp_path: Path) -> Iterator[Store]:
    with opener(tmp_path) as opened:
        yield opened
