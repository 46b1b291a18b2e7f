"""What the tests of integrations share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from yinji import Memory, Settings


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, hashing: Settings) -> Iterator[Memory]:
    """One memory for many examples, each in a collection or for an owner of its own."""
    with Memory.open(tmp_path_factory.mktemp("shared") / "memory.yinji", settings=hashing) as memory:
        yield memory
