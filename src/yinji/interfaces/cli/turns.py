"""A file of turns, one JSON object a line: ``{user, assistant, at, session, seq, key, role, app}``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from yinji.errors import ImportFailed, InvalidTime
from yinji.interfaces.cli.arguments import time
from yinji.interfaces.cli.call import standard_input
from yinji.interfaces.cli.show import shortened
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
        except json.JSONDecodeError as error:
            problems.append(say("turns.line", line=number, problem=say("turns.not_json", at=error.colno)))
        except ValueError as error:
            problems.append(say("turns.line", line=number, problem=str(error)))
    if problems:
        more = len(problems) - SHOWN_PROBLEMS
        told = [*problems[:SHOWN_PROBLEMS], *([say("turns.more", n=more)] if more > 0 else [])]
        raise ImportFailed(path=source, problem=say("turns.between").join(told), hint=say("turns.hint"))
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
    read = partial(_part, row, say)
    return Turn(
        user=row["user"],
        assistant=read("assistant", _words, None),
        at=read("at", _moment, now),
        session=read("session", _label, "default"),
        seq=read("seq", _number, -1),
        key=read("key", _label, "") or _key(row, line, seen),
        role=read("role", Role, Role.USER),
        app=read("app", _words, None),
    )


def _part(row: Mapping[str, Any], say: Messages, name: str, kind: Callable[[Any], Any], default: Any) -> Any:
    """A part of a line; what is not of its kind is named with what it should be."""
    value = row.get(name)
    if value is None or value == "":
        return default
    try:
        return kind(value)
    except (ValueError, InvalidTime) as error:
        shown = shortened(json.dumps(value, ensure_ascii=False), 40)
        raise ValueError(say("turns.part", name=name, value=shown, wanted=say(f"turns.wanted.{name}"))) from error


def _words(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError
    return value


def _label(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError
    return str(value)


def _number(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError
    return value


def _moment(value: object) -> datetime:
    return time(_words(value))


def _key(row: Mapping[str, Any], line: str, seen: Counter[str]) -> str:
    """Without a key or number of its own a line is known by its words, so that reading a file again adds nothing."""
    if row.get("seq") is not None:
        return ""
    digest = sha256(line.strip().encode("utf-8", "surrogatepass")).hexdigest()[:24]
    seen[digest] += 1
    return f"line:{digest}:{seen[digest]}"
