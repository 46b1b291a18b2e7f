"""The facade: what a user of Yinji calls. It checks arguments, names the owner, and leaves the work to the stages."""

from __future__ import annotations

import contextlib
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Self

from yinji.engine.asking import Asking
from yinji.engine.filing import Filing
from yinji.engine.keeping import Keeping
from yinji.engine.reviewing import Reviewing
from yinji.engine.writing import Writing
from yinji.errors import ModelUnavailable
from yinji.language import text as language

if TYPE_CHECKING:
    pass


class Memory(Writing, Asking, Keeping, Reviewing, Filing):
    """A long-term memory in one file. Thread-safe; several processes may open the same file.

    Open it with ``Memory.open``, as a context manager. Leaving the block waits until every accepted turn is read,
    unless an exception leaves it: the turns are durable, and the next to open the file reads them. What is being read
    is finished, but for Ctrl-C.
    """

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            self._embedding.stop()
        self.close(flush=kind is None)

    def close(self, *, flush: bool = True) -> None:
        """Gives everything back; with ``flush``, first waits until all accepted turns are read. Twice is once."""
        if self._closed:
            return
        self._closed = True
        try:
            if flush:
                self.flush()
        finally:
            self._reader.close()
            self._embedding.close()
            if self._reranker is not None:
                self._reranker.close()
            self._store.close()

    def __repr__(self) -> str:
        return f"Memory({self.path!r}, owner={self._owner!r})"

    def warm_up(self, *, wait: bool = True) -> None:
        """Loads the model and dictionaries now, so that no later call waits for them.

        ``wait=False`` does it in the background: right after opening, in a service. Raises ModelUnavailable when
        it waits; otherwise ``embedder`` shows what went wrong, and words alone answer.
        """
        if not wait:
            threading.Thread(target=self._warm, name="yinji-warm-up", daemon=True).start()
            return
        language.preload()
        self._embedding.warm_up()

    def _warm(self) -> None:
        language.preload()
        with contextlib.suppress(ModelUnavailable):  # The embedding keeps the reason, and its state shows it.
            self._embedding.warm_up()
