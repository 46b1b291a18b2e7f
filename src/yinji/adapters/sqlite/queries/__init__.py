"""The SQL that the store runs: one file per subject, each query with a name and a sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files

_NAMED = re.compile(r"^-- name: (\w+)\n(?:--.*\n)*", re.MULTILINE)


def load(subject: str) -> Mapping[str, str]:
    """The queries of ``<subject>.sql`` by name."""
    text = files(__name__).joinpath(f"{subject}.sql").read_text(encoding="utf-8")
    _, *parts = _NAMED.split(text)
    return dict(zip(parts[::2], parts[1::2], strict=True))
