"""The configuration files of common MCP clients: where each is, and how a server is named in it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yinji.errors import InvalidInput

NAME = "yinji"


@dataclass(frozen=True, kw_only=True, slots=True)
class Client:
    """One client: its file, and under which key it lists servers."""

    file: Path
    key: str = "mcpServers"


def clients(home: Path, here: Path) -> Mapping[str, Client]:
    """The clients that are known. ``here`` is the project's folder, where some keep theirs."""
    return {
        "claude-desktop": Client(file=_settings(home) / "Claude" / "claude_desktop_config.json"),
        "claude-code": Client(file=here / ".mcp.json"),
        "cursor": Client(file=home / ".cursor" / "mcp.json"),
        "vscode": Client(file=here / ".vscode" / "mcp.json", key="servers"),
        "windsurf": Client(file=home / ".codeium" / "windsurf" / "mcp_config.json"),
        "gemini-cli": Client(file=home / ".gemini" / "settings.json"),
    }


def _settings(home: Path) -> Path:
    """Where programs keep their settings on this system."""
    if sys.platform == "darwin":
        return home / "Library" / "Application Support"
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", home / "AppData" / "Roaming"))
    return Path(os.environ.get("XDG_CONFIG_HOME", home / ".config"))


def entry(arguments: list[str]) -> dict[str, object]:
    """How a client starts the server: this very Python, which has Yinji."""
    return {"command": sys.executable, "args": ["-m", "yinji", *arguments, "mcp"]}


def with_server(client: Client, server: Mapping[str, object]) -> str:
    """The client's file as it is with the server in it; whatever else stands there stays. Raises InvalidInput."""
    made = _read(client.file)
    listed = made.setdefault(client.key, {})
    if not isinstance(listed, dict):
        raise _unreadable(client.file, f"{client.key!r} is no object")
    listed[NAME] = dict(server)
    return json.dumps(made, ensure_ascii=False, indent=2) + "\n"


def write(client: Client, text: str) -> Path | None:
    """Writes the file whole or not at all; the copy of what was there before, if anything was."""
    client.file.parent.mkdir(parents=True, exist_ok=True)
    kept = None
    if client.file.exists():
        kept = client.file.with_name(client.file.name + ".bak")
        kept.write_bytes(client.file.read_bytes())
    part = client.file.with_name(client.file.name + ".part")
    part.write_text(text, encoding="utf-8")
    part.replace(client.file)
    return kept


def _read(file: Path) -> dict[str, Any]:
    if not file.exists():
        return {}
    try:
        made = json.loads(file.read_text(encoding="utf-8-sig") or "{}")
    except ValueError as error:
        raise _unreadable(file, str(error)) from error
    if not isinstance(made, dict):
        raise _unreadable(file, "it is no object")
    return made


def _unreadable(file: Path, problem: str) -> InvalidInput:
    return InvalidInput(
        what=str(file), problem=problem, hint="Mend it, or add the server by hand; nothing was changed."
    )
