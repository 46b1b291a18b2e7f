"""Where the graph runs: NPU, then GPU, then CPU, from what this onnxruntime offers.

An accelerator is taken only if it loads, gives the CPU's answer, and is not slower: much of an int8 graph
falls back to the CPU on hardware that does not know its operators, and then each hop costs more than it saves.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from yinji.errors import ModelUnavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NPUS = ("QNNExecutionProvider", "VitisAIExecutionProvider", "CANNExecutionProvider", "OpenVINOExecutionProvider")
GPUS = (
    "CUDAExecutionProvider", "MIGraphXExecutionProvider", "ROCMExecutionProvider", "DmlExecutionProvider",
    "CoreMLExecutionProvider",
)  # fmt: skip
CPU = "CPUExecutionProvider"
_SAME = 0.99
"""Cosine to the CPU's answer below which an accelerator computes something else."""
_TRIES = 3


class Session(Protocol):
    """The part of ``onnxruntime.InferenceSession`` that is used."""

    def run(self, names: Sequence[str], feed: Mapping[str, Any]) -> list[Any]: ...

    def get_providers(self) -> list[str]: ...

    def get_inputs(self) -> list[Any]: ...


Probe: TypeAlias = "Callable[[Session], NDArray[np.float32]]"
"""Computes something that every session should compute alike. Raises ModelUnavailable."""
Trial: TypeAlias = "Callable[[Session], tuple[NDArray[np.float32], float]]"
Open: TypeAlias = Callable[[bytes, str, int], Session]


def best_session(
    graph: bytes,
    threads: int,
    probe: Probe,
    *,
    available: Sequence[str] | None = None,
    opened: Open | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[Session, str, tuple[str, ...]]:
    """The session to use, its provider's name, and why any provider before it was not taken.

    Raises ModelUnavailable when not even the CPU can run the graph.
    """
    opened = opened or open_session
    session = opened(graph, CPU, threads)
    wanted = accelerators(_available() if available is None else available)
    if not wanted:
        return session, CPU, ()
    notes: list[str] = []
    trial: Trial = partial(_tried, probe=probe, clock=clock)
    cpu = trial(session)
    for provider in wanted:
        try:
            other = opened(graph, provider, threads)
            reason = _refused(other, provider, trial, cpu)
        except ModelUnavailable as error:
            reason = str(error.params["problem"])
        if not reason:
            return other, provider, tuple(notes)
        notes.append(f"{provider}: {reason}")
    return session, CPU, tuple(notes)


def accelerators(available: Sequence[str]) -> list[str]:
    """The providers to try before the CPU, in order."""
    return [name for name in (*NPUS, *GPUS) if name in available]


def open_session(graph: bytes, provider: str, threads: int) -> Session:
    """A session on one provider, with the CPU for what it cannot do. Raises ModelUnavailable, ImportError."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.enable_mem_pattern = False
    options.enable_cpu_mem_arena = False  # it would keep 30 MB for good after one long text
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    providers = [provider] if provider == CPU else [provider, CPU]
    try:
        session: Session = onnxruntime.InferenceSession(graph, options, providers=providers)
    except Exception as error:  # onnxruntime's errors share no class below Exception
        raise ModelUnavailable(model="e5-small", problem=first_line(error)) from error
    return session


def _refused(session: Session, provider: str, trial: Trial, cpu: tuple[NDArray[np.float32], float]) -> str:
    """Why not to take it; empty when nothing speaks against it."""
    import numpy as np

    if provider not in session.get_providers():
        return "it did not load"
    try:
        other, its_seconds = trial(session)
    except ModelUnavailable as error:
        return str(error.params["problem"])
    answer, seconds = cpu
    cosine = float(other @ answer / (np.linalg.norm(other) * np.linalg.norm(answer)))
    if not cosine >= _SAME:
        return f"it computes something else (cosine {cosine:.3f})"
    if its_seconds > seconds:
        return f"slower than the CPU ({its_seconds * 1000:.1f} ms against {seconds * 1000:.1f} ms)"
    return ""


def _tried(session: Session, probe: Probe, clock: Callable[[], float]) -> tuple[NDArray[np.float32], float]:
    """The answer, and the shortest time of a few tries after a first one."""
    answer = probe(session)
    times = []
    for _ in range(_TRIES):
        start = clock()
        probe(session)
        times.append(clock() - start)
    return answer, min(times)


def _available() -> Sequence[str]:
    import onnxruntime

    found: Sequence[str] = onnxruntime.get_available_providers()
    return found


def first_line(error: Exception) -> str:
    """What a runtime says before its stack traces."""
    return str(error).partition("\n")[0] or type(error).__name__


def give_back() -> None:
    """Tells the C library to return what was freed to the system; by itself glibc keeps some 70 MB."""
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:
        trim(0)
