"""Small labelled sets, one in each language, written where a test can break them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from yinji.adapters.catalogue import load_embedder
from yinji.config import Settings
from yinji.evals import run
from yinji.evals.report import Report
from yinji.ports import Embedder

DATE = datetime(2026, 3, 1, tzinfo=UTC)

TEXTS = {
    "zh": (
        "我对芒果过敏",
        "我下周三去杭州出差",
        "我养了一只叫年糕的猫",
        "我妹妹在学法语",
        "我的自行车是蓝色的",
        "我每天六点起床",
    ),
    "en": (
        "I am allergic to mangoes",
        "I travel to Lisbon next Wednesday",
        "I have a cat called Pixel",
        "My sister studies French",
        "My bicycle is blue",
        "I get up at six every day",
    ),
}
QUESTIONS = {
    "zh": (("我的猫叫什么名字", 2), ("我对什么过敏", 0), ("妹妹在学什么", 3)),
    "en": (("What is my cat called?", 2), ("What am I allergic to?", 0), ("What does my sister study?", 3)),
}

Write = Callable[[Path, Sequence[Mapping[str, object]]], None]


def write_lines(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def memories(language: str) -> list[dict[str, object]]:
    return [
        {
            "id": f"{language}/{at}",
            "owner": language,
            "text": text,
            "speaker": "user",
            "timestamp": f"2026-01-{at + 1:02d}T09:00:00",
            "session": "s",
        }
        for at, text in enumerate(TEXTS[language])
    ]


def queries(language: str) -> list[dict[str, object]]:
    return [
        {
            "id": f"{language}/q{at}",
            "owner": language,
            "text": text,
            "gold": [f"{language}/{gold}"],
            "category": "fact" if at else "name",
            "asked_at": "2026-02-01T09:00:00+08:00",
        }
        for at, (text, gold) in enumerate(QUESTIONS[language])
    ]


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    """A folder of two retrieval sets."""
    for language in TEXTS:
        write_lines(tmp_path / "sets" / language / "memories.jsonl", memories(language))
        write_lines(tmp_path / "sets" / language / "queries.jsonl", queries(language))
    return tmp_path / "sets"


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    return load_embedder("hashing")


@pytest.fixture
def evaluate(embedder: Embedder, hashing: Settings) -> Callable[..., Report]:
    """``yinji.evals.run`` with the embedder that needs no model, on a fixed day."""

    def one(name: str, data: Path | None, **options: object) -> Report:
        return run(name, data, **({"embedder": embedder, "settings": hashing, "date": DATE} | options))  # type: ignore[arg-type]

    return one
