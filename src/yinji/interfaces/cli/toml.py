"""Changing one value of a settings file and leaving the rest, comments too, as it was."""

from __future__ import annotations

import json
import re
from pathlib import Path

from yinji.errors import ConfigFileError


def read_or_empty(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8") if path.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        problem = (error.strerror or str(error)) if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ConfigFileError(where=path, problem=problem, hint="") from error


def with_value(text: str, section: str, name: str, value: object) -> str:
    """The file's text with ``name = value`` in ``[section]``: in place of the old one, or added."""
    line = f"{name} = {_written(value)}"
    lines = text.splitlines()
    header = next((at for at, one in enumerate(lines) if re.match(rf"\s*\[\s*{section}\s*\]", one)), None)
    if header is None:
        return "\n".join([*lines, *([""] if lines else []), f"[{section}]", line]) + "\n"
    end = next((at for at in range(header + 1, len(lines)) if lines[at].lstrip().startswith("[")), len(lines))
    for at in range(header + 1, end):
        if re.match(rf"\s*{name}\s*=", lines[at]):
            lines[at] = line
            break
    else:
        lines.insert(header + 1, line)
    return "\n".join(lines) + "\n"


def _written(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
