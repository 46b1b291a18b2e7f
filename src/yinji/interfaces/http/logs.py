"""The server's log: one JSON object a line, never a word of a request (SPEC S6)."""

from __future__ import annotations

import json
import logging
import sys
from typing import TextIO


class JsonLines(logging.Formatter):
    """One JSON object a line: when, what, and the facts that came with it. No text of a request is among them."""

    def format(self, record: logging.LogRecord) -> str:
        told = getattr(record, "told", None) or {}
        line = {"at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"), "level": record.levelname.lower()}
        return json.dumps(line | {"event": record.getMessage()} | told, ensure_ascii=False)


def log_to(stream: TextIO | None = None, *, requests: bool = True) -> None:
    """Lets the server's log out, to standard error by default. Without ``requests`` only what went wrong."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("yinji", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.propagate = False
        logger.setLevel(logging.INFO if requests and name == "yinji" else logging.WARNING)
