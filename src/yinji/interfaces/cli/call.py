"""One run of one command: its options, the user's language, where output goes, and the memory to work on."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager

from yinji.errors import Cancelled, ConfigError, InvalidInput, NotFound
from yinji.interfaces.cli.progress import Progress
from yinji.interfaces.cli.screen import Screen
from yinji.interfaces.messages import Messages, suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator
    from pathlib import Path

    from yinji import Memory, Settings

DEFAULT_OWNER = "me"
OTHERS_TURNS_S = 2.0
"""How long a reading command works, after its answer, on turns that were left for the next command."""


class Call:
    def __init__(self, options: Namespace, say: Messages, screen: Screen) -> None:
        self.options = options
        self.say = say
        self.screen = screen

    @property
    def owner(self) -> str:
        named: str | None = self.options.owner
        return DEFAULT_OWNER if named is None else named

    @contextmanager
    def memory(self, *, writes: bool = False) -> Iterator[Memory]:
        """The store that the options name. A reading command refuses an owner that it does not know."""
        from yinji import Memory

        with Progress(self.screen) as progress:
            opened = Memory.open(
                self.options.store,
                owner=self.owner,
                key=self.key(),
                settings=self.settings(),
                progress=progress.fraction,
            )
            if writes:
                with opened as memory:
                    yield memory
                return
            try:
                self._refuse_unknown_owner(opened)
                yield opened
                opened.flush(OTHERS_TURNS_S)
            finally:
                opened.close(flush=False)

    def progress(self) -> Progress:
        return Progress(self.screen)

    def settings(self) -> Settings:
        from yinji import Settings

        path = settings_path(self.options.settings)
        return Settings.load(path if self.options.settings or path.exists() else None)

    def key(self) -> str | None:
        """The key of an encrypted store: from ``--key-file``, else YINJI_KEY; never an argument."""
        file: Path | None = self.options.key_file
        if file is None:
            return os.environ.get("YINJI_KEY") or None
        try:
            return file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(name="--key-file", where=file, problem=str(error), hint="") from error

    def confirm(self, question: str) -> None:
        """Returns when the user agrees. Off a terminal only ``--yes`` agrees."""
        if self.options.yes:
            return
        if not (typed_at() and sys.stderr.isatty()):
            raise InvalidInput(
                what=self.say("confirm.what"), problem=self.say("confirm.problem"), hint=self.say("confirm.hint")
            )
        self.screen.note(question)
        sys.stderr.write(self.say("confirm.ask"))
        sys.stderr.flush()
        if sys.stdin.readline().strip().lower() not in self.say("confirm.agreed").split():
            raise Cancelled

    def _refuse_unknown_owner(self, memory: Memory) -> None:
        if self.owner == DEFAULT_OWNER or not self.owner.strip():
            return
        known = memory.owners()
        if self.owner not in known:
            raise NotFound(what="owner", name=self.owner, nearest=suggestion(self.say, self.owner, known))


def settings_path(named: Path | None) -> Path:
    """The settings file: the one that is named, else ``settings.toml`` in YINJI_HOME or the platform's place."""
    from pathlib import Path

    if named is not None:
        return named
    if home := os.environ.get("YINJI_HOME"):
        return Path(home).expanduser() / "settings.toml"
    from platformdirs import user_config_path

    return user_config_path("yinji", appauthor=False) / "settings.toml"


def typed_at() -> bool:
    """Whether standard input is a terminal; a closed one is not."""
    return sys.stdin is not None and sys.stdin.isatty()


def standard_input(say: Messages) -> str:
    """All of standard input, which must be UTF-8 (or UTF-16 with its mark, as PowerShell writes)."""
    raw = b"" if sys.stdin is None else sys.stdin.buffer.read()
    encoding = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        raise InvalidInput(
            what=say("stdin"), problem=say("stdin.not_utf8", at=error.start), hint=say("stdin.convert")
        ) from error
