"""Which embedding models Yinji knows (``data/models.toml``), and the one door that loads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from yinji import shipped
from yinji.errors import NotFound, meant
from yinji.ports import Embedder, ModelCard

Progress: TypeAlias = Callable[[str, float], None]
"""Told a stable message code and how much of the work is done, 0 to 1."""

DEFAULT_THREADS = 1
DEFAULT_MIN_FREE_MB = 400


@dataclass(frozen=True, kw_only=True, slots=True)
class CatalogueRow:
    """All that ``data/models.toml`` says of one model; ``card`` is what the engine needs of it."""

    name: str
    engine: str
    card: ModelCard
    query_prefix: str
    passage_prefix: str
    package: str
    """The installed package that holds the weights; empty when there are none."""
    weights: str
    checksum: str
    """sha256 of the weights file, in hex."""


def load_embedder(
    name: str = "e5-small",
    *,
    cache: Path | None = None,
    threads: int = DEFAULT_THREADS,
    min_free_mb: int = DEFAULT_MIN_FREE_MB,
    progress: Progress | None = None,
) -> Embedder:
    """The embedder of that name, not loaded yet: ``warm_up`` or the first ``embed`` does that.

    ``e5-small`` runs as an int8 graph, or in its C engine where the graph cannot be had; ``e5-small-c`` is
    always the C engine; ``hashing`` needs no model. ``cache`` is where the graph is built once (default:
    ``YINJI_CACHE``, or the user's cache folder); ``threads`` are used inside one call; with less than
    ``min_free_mb`` MB of memory available the C engine is taken. Raises NotFound for any other name.
    """
    row = catalogue_row("e5-small" if name == "e5-small-c" else name)
    if row.engine == "hashing":
        from yinji.adapters.hashing import HashingEmbedder

        return HashingEmbedder(row.card)
    from yinji.adapters.e5 import E5Embedder, EngineName

    engines: tuple[EngineName, ...] = ("c",) if name == "e5-small-c" else ("onnx", "c")
    return E5Embedder(row, cache=cache, threads=threads, min_free_mb=min_free_mb, progress=progress, engines=engines)


def catalogue_row(name: str) -> CatalogueRow:
    """The row of that name. Raises NotFound."""
    rows = catalogue()
    if name not in rows:
        told = meant(name, [*rows, "e5-small-c"])
        raise NotFound(what="embedder", name=name, nearest=f" {told}" if told else "")
    return rows[name]


@lru_cache(maxsize=1)
def catalogue() -> Mapping[str, CatalogueRow]:
    """Every row of ``data/models.toml`` by its name."""
    return {name: _row(name, values) for name, values in shipped.toml("models.toml").items()}


def _row(name: str, values: Mapping[str, object]) -> CatalogueRow:
    prefixes = values.get("prefixes", {})
    assert isinstance(prefixes, dict)
    return CatalogueRow(
        name=name,
        engine=str(values["engine"]),
        card=_card(values),
        query_prefix=str(prefixes.get("query", "")),
        passage_prefix=str(prefixes.get("passage", "")),
        package=str(values.get("package", "")),
        weights=str(values.get("weights", "")),
        checksum=str(values.get("checksum", "")),
    )


def _card(values: Mapping[str, object]) -> ModelCard:
    duplicates, floors, dim = values["duplicate_point"], values["relevance_floor"], values["dim"]
    assert isinstance(duplicates, dict)
    assert isinstance(floors, dict)
    assert isinstance(dim, int)
    return ModelCard(
        id=str(values["id"]),
        dim=dim,
        licence=str(values["licence"]),
        source=str(values["source"]),
        duplicate_point={language: float(point) for language, point in duplicates.items()},
        relevance_floor={language: float(floor) for language, floor in floors.items()},
    )
