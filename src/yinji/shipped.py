"""What ships in ``yinji/data``: rules, words and small models, by their path below it."""

from __future__ import annotations

import marshal
from collections.abc import Mapping
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import CodeType

    from numpy.typing import NDArray

_DATA = Path(__file__).with_name("data")


class _Rules(SourceFileLoader):
    """Keeps what a TOML file says where Python keeps the bytecode of modules, and by the same rules: made anew when
    the file is another, not kept where nobody may write. To read that takes a twentieth of the time."""

    @staticmethod
    def source_to_code(data: Any, path: Any = "<string>") -> CodeType:  # type: ignore[override]  # static in the other base
        from tomllib import loads

        said = marshal.dumps(loads(bytes(data).decode("utf-8")))
        return compile("", path, "exec").replace(co_consts=(said,))


def file(path: str) -> Path:
    """The file or folder; it need not be there."""
    return _DATA.joinpath(*path.split("/"))


def text(path: str) -> str:
    return file(path).read_text(encoding="utf-8")


def toml(path: str) -> dict[str, Any]:
    code = _Rules(path, str(file(path))).get_code(path)
    assert code is not None
    read: dict[str, Any] = marshal.loads(code.co_consts[0])
    return read


def json(path: str) -> Any:
    from json import loads

    return loads(text(path))


def arrays(path: str) -> Mapping[str, NDArray[Any]]:
    """The arrays of an ``npz`` file by name, each read when it is asked for."""
    from io import BytesIO

    import numpy as np

    found: Mapping[str, NDArray[Any]] = np.load(BytesIO(file(path).read_bytes()), allow_pickle=False)
    return found
