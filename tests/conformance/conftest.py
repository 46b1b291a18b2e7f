"""Embedders that are loaded once for the whole run, the default one built into a folder of the run's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from yinji.adapters.catalogue import load_embedder
from yinji.ports import Embedder


@pytest.fixture(scope="session")
def e5_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder in which the default model is built already."""
    folder = tmp_path_factory.mktemp("e5-cache")
    load_embedder("e5-small", cache=folder, min_free_mb=0).warm_up()
    return folder


@pytest.fixture(scope="session")
def e5(e5_cache: Path) -> Iterator[Embedder]:
    """The default embedder, loaded."""
    embedder = load_embedder("e5-small", cache=e5_cache, min_free_mb=0)
    yield embedder
    embedder.release()


@pytest.fixture(scope="session")
def e5_c() -> Iterator[Embedder]:
    """The same model in its C engine."""
    embedder = load_embedder("e5-small-c")
    yield embedder
    embedder.release()
