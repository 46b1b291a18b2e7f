"""What operations and their arguments mean, in both languages (``data/operations.toml``)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def meanings() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads((files("yinji") / "data" / "operations.toml").read_text(encoding="utf-8"))


def meaning(operation: str, language: str, parameter: str = "") -> str:
    """What an operation does, or what an argument of it means, in ``en`` or ``zh``."""
    texts = meanings()
    if not parameter:
        return str(texts["operations"][operation][language])
    own = texts["operations"][operation].get("arguments", {})
    return str((own.get(parameter) or texts["arguments"][parameter])[language])
