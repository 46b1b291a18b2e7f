"""How far a long thing has come, on standard error: a bar on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import sys
import time

from yinji.interfaces.cli.screen import Screen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from rich.progress import Progress as Bar
    from rich.progress import TaskID

SHOWN_AFTER_S = 0.7
LINE_AFTER_S = 2.0
LINE_EVERY_S = 10.0


class Progress:
    """Quiet for what is quick. Several things may go on one after another, each with its own label."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._bar: Bar | None = None
        self._tasks: dict[str, TaskID] = {}
        self._started: dict[str, float] = {}
        self._last_line = 0.0

    def fraction(self, what: str, done: float) -> None:
        """``done`` from 0 to 1; ``what`` is a key of the messages, such as ``model.build``."""
        self.count(what, round(done * 100), 100, unit="%")

    def count(self, what: str, done: int, total: int | None, *, unit: str = "") -> None:
        """``total`` is ``None`` while nobody knows it."""
        now = time.monotonic()
        began = self._started.setdefault(what, now)
        if done != total and now - began < SHOWN_AFTER_S and what not in self._tasks:
            return
        if sys.stderr.isatty():
            self._show_bar(what, done, total)
        elif self._screen.json:
            return
        elif now - began >= LINE_AFTER_S and (done == total or now - self._last_line >= LINE_EVERY_S):
            self._last_line = now
            self._screen.note(f"{self._label(what)} {done}{unit or (f'/{total}' if total else '')}")

    def _label(self, what: str) -> str:
        return self._screen.say.term("progress", what)

    def _show_bar(self, what: str, done: int, total: int | None) -> None:
        if self._bar is None:
            if done == total:
                return
            self._bar = _bar(self._screen)
            self._bar.start()
        if what not in self._tasks:
            self._tasks[what] = self._bar.add_task(self._label(what), total=total)
        self._bar.update(self._tasks[what], completed=done, total=total)

    def stop(self) -> None:
        """Takes the bar off the screen, so that output may follow."""
        if self._bar is not None:
            self._bar.stop()
            self._bar, self._tasks = None, {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def _bar(screen: Screen) -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeRemainingColumn(),
        console=Console(stderr=True, no_color=not screen.colours),
        transient=True,
    )
