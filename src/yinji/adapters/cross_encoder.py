"""A cross-encoder in ONNX as a reranker: ``model.onnx`` and ``tokenizer.json`` in a folder of the user's.

Nothing is downloaded. The package ``tokenizers`` reads the tokenizer (the extra ``rerank``).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yinji.adapters.e5_providers import CPU, Session, open_session
from yinji.errors import ModelUnavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MODEL, TOKENIZER = "model.onnx", "tokenizer.json"
LONGEST = 256
"""Tokens of a question and a memory together."""


class CrossEncoder:
    """A :class:`~yinji.ports.Reranker`. Loads when first used; thread-safe."""

    def __init__(self, folder: Path, *, threads: int) -> None:
        self.name = folder.name
        self._folder = folder
        self._threads = threads
        self._lock = threading.Lock()
        self._loaded: tuple[Session, Any] | None = None

    def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        import numpy as np

        if not texts:
            return []
        with self._lock:
            self._loaded = self._loaded or self._load()
        session, tokenizer = self._loaded
        encoded = tokenizer.encode_batch([(query, text) for text in texts])
        known = {
            "input_ids": [one.ids for one in encoded],
            "attention_mask": [one.attention_mask for one in encoded],
            "token_type_ids": [one.type_ids for one in encoded],
        }
        feed = {each.name: np.array(known[each.name], np.int64) for each in session.get_inputs() if each.name in known}
        logits: NDArray[np.float32] = session.run([], feed)[0]
        return [float(one) for one in logits.reshape(len(texts), -1)[:, -1]]

    def _load(self) -> tuple[Session, Any]:
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise self._unavailable("the package tokenizers is not installed") from error
        try:
            graph = (self._folder / MODEL).read_bytes()
            tokenizer = Tokenizer.from_str((self._folder / TOKENIZER).read_text(encoding="utf-8"))
        except Exception as error:  # what tokenizers raises for a bad file has no class of its own
            raise self._unavailable(str(error)) from error
        tokenizer.enable_truncation(LONGEST)
        tokenizer.enable_padding()
        return open_session(graph, CPU, self._threads), tokenizer

    def _unavailable(self, problem: str) -> ModelUnavailable:
        return ModelUnavailable(model=self.name, problem=problem)
