"""What operations and their arguments mean, in both languages (``data/operations.toml``)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from yinji import shipped


@cache
def meanings() -> Mapping[str, Mapping[str, Any]]:
    return shipped.toml("operations.toml")


def meaning(operation: str, language: str, parameter: str = "") -> str:
    """What an operation does, or what an argument of it means, in ``en`` or ``zh``."""
    texts = meanings()
    if not parameter:
        return str(texts["operations"][operation][language])
    own = texts["operations"][operation].get("arguments", {})
    return str((own.get(parameter) or texts["arguments"][parameter])[language])
