"""The labelled cases, and a turn to say one in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from yinji.config import Settings
from yinji.model import Draft, Drop, Role, Turn
from yinji.remember.extract import extract

SETTINGS = Settings.load(environment={})
AT = datetime(2026, 3, 2, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
LANGUAGES = ("zh", "en")


def turn(text: str, *, seq: int = 1, at: datetime = AT, assistant: str | None = None, role: Role = Role.USER) -> Turn:
    return Turn(
        id=f"t{seq}", owner="me", session="s", seq=seq, key=f"s#{seq}", user=text, assistant=assistant, at=at, role=role
    )


def read(text: str, *before: str, **options: Any) -> tuple[list[Draft], list[Drop]]:
    """What is proposed and dropped of a text said after others."""
    recent: Sequence[Turn] = [turn(said, seq=-len(before) + at) for at, said in enumerate(before)]
    return extract(turn(text, **options), recent, SETTINGS.remember)


def contents(text: str, *before: str, **options: Any) -> list[str]:
    return [draft.content for draft in read(text, *before, **options)[0]]


def load(language: str) -> list[dict[str, Any]]:
    path = Path(__file__).parent.parent / "cases" / f"remember_{language}.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
