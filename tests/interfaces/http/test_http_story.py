"""The same story through Python, the command line and HTTP: same answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.interfaces.conftest import Yinji
from tests.story import STORIES, Story, play
from yinji import Context, Forgotten, JournalEntry, Memory, Recall, Remembered
from yinji.client import Client
from yinji.interfaces.wire import from_json


class CommandLine:
    """The commands, as the methods that the story calls."""

    def __init__(self, yinji: Yinji) -> None:
        self._yinji = yinji

    def _run(self, kind: Any, *arguments: str) -> Any:
        shown = self._yinji(*arguments, "--json")
        assert shown.code == 0, shown.err
        return from_json(kind, shown.json, "the output", strict=False)

    def remember(self, user_msg: str, *, at: datetime, wait: bool) -> Remembered:
        made: Remembered = self._run(Remembered, "remember", user_msg, "--at", at.isoformat())
        return made

    def recall(self, query: str, *, now: datetime, as_of: datetime | None = None) -> Recall:
        then = ["--as-of", as_of.isoformat()] if as_of else []
        made: Recall = self._run(Recall, "recall", query, "--now", now.isoformat(), *then)
        return made

    def context(self, query: str, budget: int, *, now: datetime) -> Context:
        made: Context = self._run(Context, "context", query, "--budget", str(budget), "--now", now.isoformat())
        return made

    def forget(self, ids: str | Iterable[str], *, hard: bool = False) -> Forgotten:
        named = [ids] if isinstance(ids, str) else list(ids)
        made: Forgotten = self._run(Forgotten, "forget", *named, *(["--hard", "--yes"] if hard else []))
        return made

    def undo(self) -> JournalEntry:
        made: JournalEntry = self._run(JournalEntry, "undo")
        return made


@pytest.mark.req("S1", "P2", "R9", "F6", "F51")
@STORIES
def test_python_the_command_line_and_http_tell_one_story(
    story: Story, memory: Memory, open_memory: Callable[..., Memory], client: Callable[..., Client], yinji: Yinji
) -> None:
    python = play(story, open_memory("python.yinji"))
    assert play(story, client()) == python
    assert play(story, CommandLine(yinji)) == python
    memory.close()
    for path in Path(memory.path).parent.iterdir():
        if path.is_file():
            assert story.secret_word.encode() not in path.read_bytes(), path.name
