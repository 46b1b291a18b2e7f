"""One run of one command: its options, the user's language, where output goes, and the memory to work on."""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager

from yinji.errors import Cancelled, ConfigError, InvalidInput, NotFound, ReadOnlyStore, StoreError, StoreFull
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
BEFORE_S, AFTER_S = 10.0, 2.0
"""How long a command works on turns that were left for it, before its answer and after."""
LOOK_S = 0.5
"""How often it looks how far that has come."""


class Call:
    def __init__(self, options: Namespace, say: Messages, screen: Screen) -> None:
        self.options = options
        self.say = say
        self.screen = screen
        self.settings_problem = ""
        """What is wrong with the settings, for a command that must work all the same."""
        self.only_read = ""
        """Why the store was opened for reading only, if it was."""
        self._defaults_will_do = False

    @property
    def owner(self) -> str:
        named: str | None = self.options.owner
        return DEFAULT_OWNER if named is None else named

    @contextmanager
    def new_memory(self, *, waits: bool = True) -> Iterator[Memory]:
        """The store that the options name, for commands that may make it; with ``waits``, until all is read."""
        with Progress(self.screen) as progress, self._opened(progress) as memory:
            yield memory
            memory.close(flush=waits)

    @contextmanager
    def memory(self, *, reads: bool = False, any_owner: bool = False) -> Iterator[Memory]:
        """The store that the options name, which must be there: nothing is made for a name that was mistyped.

        Where no store was named and none is at the usual place yet, there is an empty one for as long as it takes.
        ``reads``: what cannot be written is opened for reading only. An unknown owner is refused unless ``any_owner``.
        """
        with Progress(self.screen) as progress, self._there(progress, reads=reads) as opened:
            try:
                if not any_owner:
                    self._refuse_unknown_owner(opened)
                waiting = self._read_what_waits(opened, progress, BEFORE_S)
                progress.stop()
                yield opened
                if waiting:
                    self.screen.hint(self.say("store.still_waiting", n=waiting))
                    self._read_what_waits(opened, progress, AFTER_S)
            finally:
                opened.close(flush=False)

    @contextmanager
    def _there(self, progress: Progress, *, reads: bool) -> Iterator[Memory]:
        path = self.store()
        self.key()  # A key file that was mistyped is told even where there is nothing to open.
        if path.exists():
            try:
                opened = self._opened(progress)
            except (ReadOnlyStore, StoreFull) as error:
                if not reads:
                    raise
                self.only_read = self.say.error(error)
                opened = self._opened(progress, readonly=True)
            yield opened
        elif self.options.store is not None:
            raise NotFound(what="store", name=str(path), nearest=f" {self.say('store.mistyped')}")
        else:
            with self._empty() as opened:
                yield opened
            self.screen.hint(self.say("store.none_yet", path=path))

    def _opened(self, progress: Progress, *, readonly: bool = False) -> Memory:
        from yinji import Memory

        return Memory.open(
            self.options.store,
            owner=self.owner,
            key=self.key(),
            settings=self.settings(),
            progress=progress.fraction,
            readonly=readonly,
        )

    @contextmanager
    def _empty(self) -> Iterator[Memory]:
        from tempfile import TemporaryDirectory

        from yinji import Memory

        # Nothing is searched in it: no model is loaded, or even made, for that.
        settings = self.settings().with_values("embed", {"model": "hashing"})
        with TemporaryDirectory(prefix="yinji-") as folder:
            yield Memory.open(os.path.join(folder, "memory.yinji"), owner=self.owner, settings=settings)

    def _read_what_waits(self, memory: Memory, progress: Progress, seconds: float) -> int:
        """Reads turns that were left for the next command, and says how many still wait then.

        What stops this is only told, and the answer is given.
        """
        try:
            total = left = memory.flush(0)
            end = time.monotonic() + seconds
            while left and (more := end - time.monotonic()) > 0 and not self.only_read:
                left = memory.flush(min(LOOK_S, more))
                progress.count("remember", total - left, total)
            return left
        except StoreError as error:
            self.screen.hint(f"{self.say('warning')}{self.say('store.not_read', problem=self.say.error(error))}")
            return 0

    def store(self) -> Path:
        """Where the store is, or would be."""
        from yinji.build import store_path

        return store_path(self.options.store)

    def progress(self) -> Progress:
        return Progress(self.screen)

    def settings(self) -> Settings:
        from yinji import Settings

        path = settings_path(self.options.settings)
        try:
            return Settings.load(path if self.options.settings or path.exists() else None)
        except ConfigError as error:
            if not self._defaults_will_do:
                raise
            self.settings_problem = self.say.error(error)
            return Settings.load(environment={})

    def excuse_settings(self) -> None:
        """From now on settings that cannot be used are told about, and the defaults hold in their place."""
        self._defaults_will_do = True
        self.settings()

    def key(self) -> str | None:
        """The key of an encrypted store: from ``--key-file``, else YINJI_KEY; never an argument."""
        file: Path | None = self.options.key_file
        if file is None:
            return os.environ.get("YINJI_KEY") or None
        try:
            return file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            problem = error.strerror if isinstance(error, OSError) else self.say("turns.not_utf8")
            what, told = self.say("key_file.what", path=file), str(self.say.phrase(problem))
            raise InvalidInput(what=what, problem=told, hint=self.say("key_file.hint")) from error

    def confirm(self, question: str) -> None:
        """Returns when the user agrees. Off a terminal only ``--yes`` agrees."""
        if self.options.yes:
            return
        if not (typed_at() and sys.stderr.isatty()):
            problem = self.say("confirm.problem", question=question)
            raise InvalidInput(what=self.say("confirm.what"), problem=problem, hint=self.say("confirm.hint"))
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
