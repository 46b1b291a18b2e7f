"""What ships in ``yinji/data``: rules, words and small models, by their path below it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from numpy.typing import NDArray


def file(path: str) -> Traversable:
    """The file or folder; it need not be there."""
    return files("yinji").joinpath("data", *path.split("/"))


def text(path: str) -> str:
    return file(path).read_text(encoding="utf-8")


def toml(path: str) -> dict[str, Any]:
    from tomllib import loads

    return loads(text(path))


def json(path: str) -> Any:
    from json import loads

    return loads(text(path))


def arrays(path: str) -> Mapping[str, NDArray[Any]]:
    """The arrays of an ``npz`` file by name, each read when it is asked for."""
    import numpy as np

    found: Mapping[str, NDArray[Any]] = np.load(BytesIO(file(path).read_bytes()), allow_pickle=False)
    return found
