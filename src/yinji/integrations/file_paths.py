"""Paths that a model names: which file is meant, or why none may be.

There is no file system behind them, so nothing can be reached with ``..``; a path that tries is refused all the same,
in whatever spelling: a model that was talked into it should hear so.
"""

from __future__ import annotations

import re
import unicodedata

ROOT = "/memories"
LONGEST_PART = 255
"""Bytes in UTF-8 of one name."""
DEEPEST = 32
_ENCODED = re.compile(r"%(?:25)*(?:2e|2f|5c|00)", re.IGNORECASE)
_JOINERS = "\u200c\u200d"
"""Invisible, but spelling in Persian and in emoji."""


class RefusedPath(ValueError):
    """No file may be named so; the sentence says why."""


def parts_of(path: object) -> tuple[str, ...]:
    """The names below the root that a path leads through; none for the root. Raises RefusedPath."""
    if not isinstance(path, str) or not (path == ROOT or path.startswith(ROOT + "/")):
        raise RefusedPath(f"Path must start with {ROOT}, got: {path}")
    if _ENCODED.search(path):
        raise RefusedPath(f"Path {path} would escape {ROOT} directory")
    named = [unicodedata.normalize("NFC", part) for part in path[len(ROOT) :].split("/") if part]
    if len(named) > DEEPEST:
        raise RefusedPath(f"Path is more than {DEEPEST} directories deep")
    for part in named:
        _check(part, path)
    return tuple(named)


def path_of(parts: tuple[str, ...]) -> str:
    return "/".join((ROOT, *parts))


def _check(part: str, path: str) -> None:
    plain = unicodedata.normalize("NFKC", part)
    if not plain.strip(". ") or plain.strip() in {".", ".."} or "/" in plain or "\\" in plain:
        raise RefusedPath(f"Path {path} would escape {ROOT} directory")
    if any(unicodedata.category(one) in {"Cc", "Cf", "Cs", "Zl", "Zp"} and one not in _JOINERS for one in part):
        raise RefusedPath("Path has characters that cannot be seen or written")
    if len(part.encode()) > LONGEST_PART:
        raise RefusedPath(f"A name in the path has more than {LONGEST_PART} bytes")
