"""Killed or crowded, the whole engine loses nothing; ``python -m tests.crash_engine`` runs the long form."""

import random
from pathlib import Path

import pytest

from tests.crash_engine import crowd, killed_round


@pytest.mark.req("W13", "W14", "K10", "F38")
def test_killed_at_any_point_every_accepted_turn_is_remembered_once(tmp_path: Path) -> None:
    killed_round(str(tmp_path / "crash.yinji"), turns=120, kills=3, draw=random.Random(7))


@pytest.mark.req("K10", "F38")
def test_several_processes_remember_and_recall_at_once_without_an_error(tmp_path: Path) -> None:
    crowd(str(tmp_path / "crowd.yinji"), processes=3, each=40, readers=1)
