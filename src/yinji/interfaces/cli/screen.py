"""Where output goes: data to standard output, everything else to standard error, all of it UTF-8."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence

from yinji.errors import Cancelled, YinjiError
from yinji.interfaces.messages import Messages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

    from yinji.interfaces.wire import Json


class Screen:
    """The two streams of one run. ``json`` turns data and errors into JSON."""

    def __init__(self, say: Messages, *, json: bool) -> None:
        self.say = say
        self.json = json
        # A lone surrogate cannot be written as UTF-8: escaped it is valid JSON, in plain text a question mark.
        _as_utf8(sys.stdout, "backslashreplace" if json else "replace")
        _as_utf8(sys.stderr, "backslashreplace")

    @property
    def is_terminal(self) -> bool:
        return sys.stdout is not None and sys.stdout.isatty() and not self.json

    @property
    def colours(self) -> bool:
        return self.is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def data(self, text: str) -> None:
        with _written():
            sys.stdout.write(_legible(text) + "\n")

    def value(self, value: object) -> None:
        """One JSON value on a line of its own."""
        import json

        from yinji.interfaces.wire import to_json

        self.data(json.dumps(to_json(value), ensure_ascii=False))

    def note(self, text: str) -> None:
        """Something the user should know that is not the answer."""
        self.flush()
        sys.stderr.write(_legible(text) + "\n")

    def hint(self, text: str) -> None:
        """A note for a person alone: standard error holds nothing but errors with ``--json``."""
        if not self.json:
            self.note(text)

    def error(self, code: str, message: str, hint: str = "") -> None:
        if self.json:
            import json

            body: Json = {"error": {"code": code, "message": message, "hint": hint}}
            sys.stderr.write(json.dumps(body, ensure_ascii=False) + "\n")
            return
        # The user who stopped it knows that; it is no error.
        sys.stderr.write(_legible(f"{'' if code == Cancelled.code else self.say('error')}{message}\n"))
        if hint:
            sys.stderr.write(f"  {hint}\n")

    def rows(self, titles: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """A table on a terminal, tab-separated lines elsewhere."""
        if not self.is_terminal:
            for row in rows:
                self.data("\t".join(cell.replace("\t", " ").replace("\n", " ") for cell in row))
            return
        from rich import box
        from rich.console import Console
        from rich.table import Table

        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for title in titles[:-1]:
            table.add_column(title, overflow="fold")
        # Chinese has no spaces to break at: cutting is not breaking, so the text is folded.
        table.add_column(titles[-1], overflow="fold", ratio=1)
        for row in rows:
            table.add_row(*(_plain(cell) for cell in row))
        Console(no_color=not self.colours, highlight=False).print(table)

    def paragraph(self, start: str, text: str, style: str) -> None:
        """A text after ``start``: broken and indented on a terminal, one line elsewhere."""
        from yinji.interfaces.cli.widths import hung, of_help

        for line in hung(start, text, of_help()) if self.is_terminal else [start + text]:
            self.data(self.styled(line, style))

    def hanging(self, plain: str, styled: str, text: str) -> None:
        """A text after a start that has colours (``plain`` is the same without): broken and indented on a terminal."""
        from yinji.interfaces.cli.widths import hung, of_help

        first, *more = hung(plain, text, of_help()) if self.is_terminal else [plain + text]
        self.data(styled + first.removeprefix(plain))
        for line in more:
            self.data(line)

    def styled(self, text: str, style: str) -> str:
        """With the escape codes of a style (``bold``, ``dim``, ``green`` …) where colours are shown."""
        if not self.colours:
            return text
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m"

    def flush(self) -> None:
        """Raises BrokenPipeError when nobody reads any more."""
        with _written():
            sys.stdout.flush()


class OutputFailed(YinjiError):
    """Standard output is closed, or its disk is full."""

    code = "output"
    template = "The output could not be written: {problem}."


class _written:
    """Says in a sentence that something could not be written; a closed pipe goes on as it is."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError | AttributeError) and not isinstance(error, BrokenPipeError):
            raise OutputFailed(problem=getattr(error, "strerror", None) or "it is closed") from error


_STYLES = {"plain": "0", "bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


def _legible(text: str) -> str:
    """File names that this machine's locale could not read are shown by their bytes, which are UTF-8."""
    if text.isascii():
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError:  # Half a character that is no byte: the stream escapes it.
        return text


def _plain(cell: str) -> str:
    from rich.markup import escape

    return escape(cell)


def _as_utf8(stream: TextIO, errors: str) -> None:
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors=errors)
