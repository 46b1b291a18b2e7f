"""NPU, then GPU, then CPU; and back to the CPU with a reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from yinji.adapters.catalogue import load_embedder
from yinji.adapters.e5_providers import CPU, Session, accelerators, best_session
from yinji.errors import ModelUnavailable
from yinji.ports import Embedder

NPU, GPU = "QNNExecutionProvider", "CUDAExecutionProvider"
RIGHT, WRONG, BROKEN = np.array([1.0, 2.0]), np.array([2.0, -1.0]), np.array([np.nan, 1.0])


class Pretended:
    """A session that answers what it is told, and says how long it took."""

    def __init__(self, provider: str, answer: np.ndarray, seconds: float, *, loaded: bool = True) -> None:
        self.provider, self.answer, self.seconds, self.loaded = provider, answer, seconds, loaded
        self.ran = 0

    def run(self, names: Sequence[str], feed: Mapping[str, Any]) -> list[Any]:
        self.ran += 1
        return [self.answer]

    def get_providers(self) -> list[str]:
        return [self.provider, CPU] if self.loaded else [CPU]


class Bench:
    """Opens pretended sessions, and a clock that runs by what they take."""

    def __init__(self, **sessions: Pretended | str) -> None:
        self.sessions = {"cpu": Pretended(CPU, RIGHT, 1.0), **sessions}
        self.now = 0.0

    def open(self, graph: bytes, provider: str, threads: int) -> Session:
        found = self.sessions[{CPU: "cpu", NPU: "npu", GPU: "gpu"}[provider]]
        if isinstance(found, str):
            raise ModelUnavailable(model="e5-small", problem=found)
        return found

    def probe(self, session: Session) -> np.ndarray:
        assert isinstance(session, Pretended)
        self.now += session.seconds
        answer: np.ndarray = session.run([], {})[0]
        return answer

    def best(self, *available: str) -> tuple[str, tuple[str, ...]]:
        _, provider, notes = best_session(
            b"", 1, self.probe, available=[*available, CPU], opened=self.open, clock=lambda: self.now
        )
        return provider, notes


@pytest.mark.req("D1")
def test_npu_comes_before_gpu_and_gpu_before_cpu() -> None:
    assert accelerators([CPU, GPU, NPU, "AzureExecutionProvider"]) == [NPU, GPU]
    fast = Bench(npu=Pretended(NPU, RIGHT, 0.5), gpu=Pretended(GPU, RIGHT, 0.1))
    assert fast.best(GPU, NPU) == (NPU, ())
    assert fast.best(GPU) == (GPU, ())
    assert fast.best() == (CPU, ())


@pytest.mark.req("D1")
@pytest.mark.parametrize(
    ("npu", "reason"),
    [
        ("the driver is missing", "the driver is missing"),
        (Pretended(NPU, RIGHT, 0.1, loaded=False), "did not load"),
        (Pretended(NPU, WRONG, 0.1), "computes something else (cosine 0.000)"),
        (Pretended(NPU, BROKEN, 0.1), "computes something else (cosine nan)"),
        (Pretended(NPU, RIGHT, 3.0), "slower than the CPU (3000.0 ms against 1000.0 ms)"),
    ],
)
def test_what_fails_is_passed_over_with_the_reason(npu: Pretended | str, reason: str) -> None:
    provider, (note,) = Bench(npu=npu, gpu=Pretended(GPU, RIGHT, 0.1)).best(NPU, GPU)
    assert provider == GPU
    assert note.startswith(f"{NPU}: ")
    assert reason in note
    assert Bench(npu=npu).best(NPU) == (CPU, (note,))


@pytest.mark.req("D1")
def test_the_reason_can_be_seen_on_the_embedder(e5: Embedder, monkeypatch: pytest.MonkeyPatch, e5_cache: Any) -> None:
    monkeypatch.setattr("yinji.adapters.e5_providers._available", lambda: [GPU, CPU])
    embedder = load_embedder(cache=e5_cache, min_free_mb=0)
    embedder.warm_up()
    assert embedder.engine == f"onnx-int8/{CPU}"
    assert [note.partition(":")[0] for note in getattr(embedder, "notes")] == [GPU]  # noqa: B009


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Makes every further run of the graph fail as onnxruntime fails."""

    def break_it() -> None:
        def fail(*arguments: object, **named: object) -> None:
            raise Exception("[ONNXRuntimeError] : 6 : out of memory\nstack")

        monkeypatch.setattr("onnxruntime.InferenceSession.run", fail)

    return break_it


@pytest.mark.req("R12")
def test_a_runtime_that_fails_is_told_in_one_line(e5_cache: Any, refusing: Callable[[], None]) -> None:
    embedder = load_embedder(cache=e5_cache, min_free_mb=0)
    embedder.warm_up()
    refusing()
    with pytest.raises(ModelUnavailable, match="out of memory") as caught:
        embedder.embed(["你好"], purpose="query")
    assert "stack" not in str(caught.value)
