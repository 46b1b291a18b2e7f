"""kill -9 and crowds, small; ``python -m tests.crash`` does it at full size."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from tests.crash import WORKER, crowd, killed_round


@pytest.mark.req("W13", "K10")
@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is POSIX")
@pytest.mark.parametrize(("seed", "key"), [(1, None), (2, None), (3, "密码")])
def test_killed_at_any_point_every_accepted_turn_is_there_once(tmp_path: Path, seed: int, key: str | None) -> None:
    killed_round(tmp_path, turns=120, kills=2, draw=random.Random(seed), worker=WORKER, key=key)


@pytest.mark.req("K10", "W13", "F38")
def test_a_crowd_of_writers_and_readers_loses_nothing_and_sees_no_error(tmp_path: Path) -> None:
    crowd(tmp_path, processes=4, each=25, readers=1, key=None)
