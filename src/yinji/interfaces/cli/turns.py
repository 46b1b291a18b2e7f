"""A file of turns, one JSON object a line: ``{user, assistant, at, session, seq, key, role, app}``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from yinji.errors import ImportFailed, InvalidInput, InvalidTime
from yinji.interfaces.cli.arguments import time
from yinji.interfaces.cli.call import standard_input
from yinji.interfaces.messages import Messages
from yinji.model import Role, Turn

KNOWN = frozenset({"user", "assistant", "at", "session", "seq", "key", "role", "app"})
SHOWN_PROBLEMS = 5


def read_turns(source: Path, say: Messages) -> list[Turn]:
    """All turns of a file (``-``: standard input). When a line is wrong none is taken, and the error names it."""
    now = datetime.now().astimezone()
    seen: Counter[str] = Counter()
    turns: list[Turn] = []
    problems: list[str] = []
    for number, line in enumerate(_text(source, say).splitlines(), 1):
        if not line.strip():
            continue
        try:
            turns.append(_turn(line, now, seen, say))
        except (ValueError, InvalidInput) as error:
            problem = say.error(error) if isinstance(error, InvalidInput) else str(error)
            problems.append(say("turns.line", line=number, problem=problem))
    if problems:
        told = " ".join(problems[:SHOWN_PROBLEMS])
        raise ImportFailed(path=source, problem=told, hint=say("turns.hint"))
    return turns


def _text(source: Path, say: Messages) -> str:
    if str(source) == "-":
        return standard_input(say)
    try:
        return source.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        problem = error.strerror if isinstance(error, OSError) else say("turns.not_utf8")
        raise ImportFailed(path=source, problem=problem, hint="") from error


def _turn(line: str, now: datetime, seen: Counter[str], say: Messages) -> Turn:
    row = json.loads(line)
    if not isinstance(row, Mapping) or not isinstance(row.get("user"), str):
        raise ValueError(say("turns.no_user"))
    if unknown := sorted(set(row) - KNOWN):
        raise ValueError(say("turns.unknown", name=unknown[0]))
    return Turn(
        user=row["user"],
        assistant=row.get("assistant"),
        at=_time(row["at"]) if row.get("at") else now,
        session=str(row.get("session") or "default"),
        seq=int(row.get("seq", -1)),
        key=str(row.get("key") or _key(row, line, seen)),
        role=Role(row.get("role", "user")),
        app=row.get("app"),
    )


def _time(value: object) -> datetime:
    if not isinstance(value, str):
        raise InvalidTime(value=value, problem="it is not a date or time in ISO 8601")
    return time(value)


def _key(row: Mapping[str, Any], line: str, seen: Counter[str]) -> str:
    """Without a key or number of its own a line is known by its words, so that reading a file again adds nothing."""
    if row.get("seq") is not None:
        return ""
    digest = sha256(line.strip().encode("utf-8", "surrogatepass")).hexdigest()[:24]
    seen[digest] += 1
    return f"line:{digest}:{seen[digest]}"
