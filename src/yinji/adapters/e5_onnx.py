"""multilingual-e5-small in onnxruntime: built once from the weights file, then loaded from the cache.

Rows of the word table are looked up in the weights file itself, mapped into memory: exact, not copied, and
off the heap.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from yinji.adapters.e5_cache import Damaged, make_room, read_parts, write_parts
from yinji.adapters.e5_providers import CPU, Session, best_session, first_line, give_back, open_session
from yinji.adapters.e5_tokens import Tokenizer, packed_vocabulary, unpacked_vocabulary, vocabulary
from yinji.adapters.e5_weights import Weights, checksum, refuse_others, unpacked
from yinji.errors import ModelUnavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from yinji.adapters.catalogue import CatalogueRow
    from yinji.ports import Pointed, Purpose, Span, Vectors

BUILD = 1
"""Raised whenever a build would come out otherwise."""
TOKENS_A_RUN = 256
"""Tokens that go through the graph at once: more fall out of the processor's cache and are a third slower."""

Progress: TypeAlias = Callable[[str, float], None]
Check: TypeAlias = "Callable[[OnnxEngine], None]"
"""Raises ModelUnavailable when a new graph does not compute what it should."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Segment:
    """A stretch of one text that fits the model."""

    text: int
    ids: list[int]


class OnnxEngine:
    """Thread-safe; a call keeps what it needs while another releases."""

    def __init__(
        self, row: CatalogueRow, weights: Weights, parts: Mapping[str, bytes], *, threads: int, cache_file: Path
    ) -> None:
        """Loads what :func:`build` made. Raises ModelUnavailable or ImportError."""
        self._threads, self._cache_file = threads, cache_file
        self._loading = threading.Lock()
        self._tuned_sessions: dict[str, Session] = {}
        self._weights = weights
        self._prefixes: dict[Purpose, str] = {"query": row.query_prefix, "passage": row.passage_prefix}
        facts = json.loads(parts["facts"])
        self._bos, self._eos = facts["bos"], facts["eos"]
        self._tokenizer = Tokenizer(unpacked_vocabulary(parts))
        self._words = self._weights.rows("emb.word", self._weights.sizes.hidden)
        self._positions = _positions(self._weights)
        self._session, provider, self.notes = best_session(parts["graph"], threads, self._probe())
        self.name = f"onnx-int8/{provider}"

    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        """Rows of unit length."""
        import numpy as np

        prefix = self._prefixes[purpose]
        segments = [part for index, text in enumerate(texts) for part in self._segments(index, prefix + text)]
        totals = np.zeros((len(texts), self._weights.sizes.hidden), dtype=np.float32)
        for run in runs(segments):
            means = _mean(self._session, *self._feed(run))
            for segment, mean in zip(run, means, strict=True):
                totals[segment.text] += mean * max(len(segment.ids) - 2, 1)
        totals /= np.linalg.norm(totals, axis=1, keepdims=True)
        return totals

    def discern(self, texts: Sequence[Sequence[str]], heads: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """What the tuned layers tell: for each head, scores of every text. Raises ModelUnavailable."""
        import numpy as np

        from yinji.adapters import e5_tuned

        prefix = self._prefixes["query"]
        segments = [
            Segment(
                text=index,
                ids=e5_tuned.cut(
                    [self._tokenizer.ids(prefix * (at == 0) + part) for at, part in enumerate(parts)],
                    self._bos,
                    self._eos,
                ),
            )
            for index, parts in enumerate(texts)
        ]
        told: dict[str, list[NDArray[np.float32]]] = {head: [np.zeros(0, np.float32)] * len(texts) for head in heads}
        for file, own in e5_tuned.by_file(heads).items():
            for run in runs(segments):
                embeds, mask = self._feed(run)
                states = _run(self._tuned(file), "states", embeds, mask)
                for head in own:
                    for segment, row in zip(run, e5_tuned.scored(states, mask, head), strict=True):
                        told[head][segment.text] = row
        return {head: np.array(rows) for head, rows in told.items()}

    def refer(self, messages: Sequence[str], spoken: Sequence[bool], pronoun: Span) -> Pointed | None:
        """Which words the pronoun stands for, by the tuned layers; None where it is out of their sight. Raises
        ModelUnavailable."""
        from yinji.adapters import e5_pointing, e5_tuned

        opening = [self._bos, *self._tokenizer.ids(self._prefixes["query"].strip())]
        tokens = e5_pointing.talk(messages, spoken, pronoun, self._tokenizer.placed, opening=opening, closing=self._eos)
        if not any(one.asked for one in tokens):
            return None
        segment = Segment(text=0, ids=[one.id for one in tokens])
        states = _run(self._tuned(e5_tuned.TUNED), "states", *self._feed([segment]))[0]
        return e5_pointing.pointed(states, tokens, e5_tuned.pointing())

    def _tuned(self, file: str) -> Session:
        """The session with that file's changes, loaded when first asked for."""
        from yinji.adapters import e5_tuned

        with self._loading:
            if file not in self._tuned_sessions:
                try:
                    graph = e5_tuned.opened_graph(self._weights, self._cache_file, file)
                    self._tuned_sessions[file] = open_session(graph, CPU, self._threads)
                    del graph
                    give_back()
                except (ImportError, MemoryError) as error:
                    raise ModelUnavailable(model="e5-small", problem=str(error) or type(error).__name__) from error
            return self._tuned_sessions[file]

    def _segments(self, index: int, text: str) -> Iterator[Segment]:
        """A long text in stretches without overlap, each between the marks for start and end."""
        ids = self._tokenizer.ids(text)
        room = self._weights.sizes.positions - 2
        for start in range(0, max(len(ids), 1), room):
            yield Segment(text=index, ids=[self._bos, *ids[start : start + room], self._eos])

    def _feed(self, run: Sequence[Segment]) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        """The graph's inputs: embeddings, and the mask that tells tokens from padding."""
        import numpy as np

        length = max(len(segment.ids) for segment in run)
        ids = np.zeros((len(run), length), dtype=np.int64)
        mask = np.zeros((len(run), length), dtype=np.int32)
        for row, segment in enumerate(run):
            ids[row, : len(segment.ids)] = segment.ids
            mask[row, : len(segment.ids)] = 1
        distinct, places = np.unique(ids, return_inverse=True)
        words = unpacked(self._words[distinct])[places.reshape(ids.shape)]
        return words + self._positions[:length], mask

    def _probe(self) -> Callable[[Session], NDArray[np.float32]]:
        """What tries a session out: a short text's mean."""
        ids = self._tokenizer.ids("query: 0123456789 abcdefghij")
        inputs = self._feed([Segment(text=0, ids=[self._bos, *ids, self._eos])])
        return lambda session: _mean(session, *inputs)[0]


def opened(
    row: CatalogueRow, weights_path: Path, *, cache: Path, threads: int, progress: Progress, check: Check
) -> OnnxEngine:
    """The engine from the cache; built first, and checked, when the cache has none, a damaged one, or one of
    other weights. Raises ModelUnavailable, ImportError or OSError."""
    weights = Weights(weights_path)
    path = cache / f"{row.name}-{row.checksum[:12]}-{BUILD}.bin"
    if parts := kept_parts(path, weights, row):
        progress("model.load", 0.0)
        engine = OnnxEngine(row, weights, parts, threads=threads, cache_file=path)
        progress("model.load", 1.0)
        return engine
    make_room(path)
    parts = build(row, weights, progress)
    engine = OnnxEngine(row, weights, parts, threads=threads, cache_file=path)
    check(engine)
    write_parts(path, parts)
    progress("model.build", 1.0)
    return engine


def kept_parts(path: Path, weights: Weights, row: CatalogueRow) -> dict[str, bytes]:
    """What the cache holds for these weights; empty when it must be built."""
    try:
        parts = read_parts(path)
    except (FileNotFoundError, Damaged):
        return {}
    return parts if _is_of(weights, json.loads(parts["facts"]), row) else {}


def build(row: CatalogueRow, weights: Weights, progress: Progress) -> dict[str, bytes]:
    """Vocabulary and graph, a second or two. Raises ModelUnavailable when the weights are not the row's."""
    progress("model.build", 0.0)
    refuse_others(weights.path, row.checksum)
    progress("model.build", 0.1)
    pieces = weights.pieces()
    words = packed_vocabulary(vocabulary(pieces))
    progress("model.build", 0.5)
    from yinji.adapters.e5_graph import graph

    model = graph(weights)
    progress("model.build", 0.9)
    facts = {"bos": pieces.bos, "eos": pieces.eos, "weights": _witness(weights)}
    return {"facts": json.dumps(facts).encode("ascii"), "graph": model, **words}


def runs(segments: Sequence[Segment]) -> Iterator[list[Segment]]:
    """Segments of like length together, so that little is padding, and few enough to stay in cache."""
    run: list[Segment] = []
    for segment in sorted(segments, key=lambda one: len(one.ids)):
        if run and len(segment.ids) * (len(run) + 1) > TOKENS_A_RUN:
            yield run
            run = []
        run.append(segment)
    if run:
        yield run


def _is_of(weights: Weights, facts: dict[str, object], row: CatalogueRow) -> bool:
    """Whether these are the weights that were built from. Their size and time tell without reading them."""
    return facts.get("weights") == _witness(weights) or checksum(weights.path) == row.checksum


def _witness(weights: Weights) -> list[int]:
    stat = weights.path.stat()
    return [stat.st_size, stat.st_mtime_ns]


def _positions(weights: Weights) -> NDArray[np.float32]:
    """What is added to every word: its place, and the one token type that texts have."""
    import numpy as np

    hidden = weights.sizes.hidden
    places: NDArray[np.float32] = weights.floats("emb.pos").reshape(-1, hidden)
    kind: NDArray[np.float32] = weights.floats("emb.type").reshape(-1, hidden)[0]
    return np.add(places, kind)


def _mean(session: Session, embeds: NDArray[np.float32], mask: NDArray[np.int32]) -> NDArray[np.float32]:
    return _run(session, "mean", embeds, mask)


def _run(session: Session, output: str, embeds: NDArray[np.float32], mask: NDArray[np.int32]) -> NDArray[np.float32]:
    """Raises ModelUnavailable when the runtime fails."""
    try:
        found: NDArray[np.float32] = session.run([output], {"embeds": embeds, "mask": mask})[0]
    except Exception as error:  # onnxruntime's errors share no class below Exception
        raise ModelUnavailable(model="e5-small", problem=first_line(error)) from error
    return found
