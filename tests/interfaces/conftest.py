"""The command line run inside this process: fast, and with everything it wrote."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from yinji.interfaces.cli import main

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

    from tests.interfaces.model import Model

LANGUAGES = pytest.mark.parametrize("lang", ["en", "zh"])


@dataclass(frozen=True, kw_only=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, str]:
        """The error that ``--json`` printed: one object, nothing else."""
        body: dict[str, dict[str, str]] = json.loads(self.err)
        return body["error"]


Yinji = Callable[..., Result]


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A home of the test's own, no model, and nothing of the developer's settings."""
    for name in list(os.environ):
        if name.startswith("YINJI_"):
            monkeypatch.delenv(name)
    mine = {"YINJI_HOME": str(tmp_path / "home"), "YINJI_EMBED__MODEL": "hashing", "YINJI_LANG": "en", "COLUMNS": "80"}
    for name, value in mine.items():
        monkeypatch.setenv(name, value)
    return {**os.environ, "PYTHONWARNINGS": "error"}


@pytest.fixture
def yinji(
    environment: dict[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Result]:
    def run(*arguments: str | Path, stdin: str | bytes = b"") -> Result:
        raw = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8"))
        code = main([str(one) for one in arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Result(code=code, out=captured.out, err=captured.err)

    return run


@pytest.fixture(scope="session")
def portal() -> Iterator[BlockingPortal]:
    """An event loop that runs beside the tests."""
    from anyio.from_thread import start_blocking_portal

    with start_blocking_portal() as started:
        yield started


@pytest.fixture(scope="session")
def any_model() -> Iterator[Model]:
    from tests.interfaces.model import answering

    with answering() as model:
        yield model


@pytest.fixture
def model(any_model: Model) -> Model:
    """A model on a socket, as if nobody had asked it anything."""
    from tests.interfaces.model import said

    any_model.answer = lambda _: said("ok")
    any_model.bodies, any_model.requests = [], []
    return any_model
