"""The rules and the policy of ``data/sensitive.toml``, and of a user's own file beside it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from yinji import shipped
from yinji.errors import ConfigError, meant

MASK, DROP, MARK, NONE = "mask", "drop", "mark", "none"
ACTIONS = (MASK, DROP, MARK)
SETTING = "remember.sensitive_policy"

_PART = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """How one class is found; see the head of ``data/sensitive.toml``."""

    type: str
    patterns: tuple[str, ...]
    cues: tuple[str, ...] = ()
    digits: int = 0
    run: int = 0
    whole: bool = False
    check: str | None = None
    grow: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Policy:
    """What is done about each class, and how it is found."""

    actions: Mapping[str, str]
    rules: tuple[Rule, ...]

    def types(self, *actions: str) -> tuple[str, ...]:
        """The classes that have one of these actions."""
        return tuple(name for name, action in self.actions.items() if action in actions)


@cache
def policy(path: str = "") -> Policy:
    """The policy that ships, or that with the user's own file (``[policy]`` and ``[[rule]]``) laid over it.

    Read once a process. Raises ConfigError for a file that cannot be read, an unknown class or action, and an
    action that would keep what is never kept.
    """
    shipped = data()
    ours = tuple(_rule(row, where="sensitive.toml") for row in shipped["rule"])
    if not path:
        return Policy(actions=shipped["policy"], rules=ours)
    own = _read(Path(path).expanduser())
    theirs = tuple(_rule(row, where=path) for row in own.get("rule", ()))
    actions = {**shipped["policy"], **{rule.type: MASK for rule in theirs if rule.type not in shipped["policy"]}}
    actions.pop(NONE, None)
    for name, action in own.get("policy", {}).items():
        _allow(name, action, actions, path)
        actions[name] = action
    return Policy(actions=actions, rules=theirs + ours)


@cache
def data() -> Mapping[str, Any]:
    """The whole of the file that ships."""
    return shipped.toml("sensitive.toml")


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern with its parts filled in; each is compiled when a text first needs it."""
    parts: Mapping[str, str] = data()["parts"]
    while _PART.search(pattern) and any(name in parts for name in _PART.findall(pattern)):
        pattern = _PART.sub(lambda found: parts.get(found[1], found[0]), pattern)
    return re.compile(pattern)


def _rule(row: Mapping[str, Any], *, where: str) -> Rule:
    try:
        rule = Rule(**{**row, "patterns": tuple(row["patterns"]), "cues": _cues(row.get("cues", ()))})
        if where != "sensitive.toml":
            for pattern in rule.patterns:
                compiled(pattern)
    except (TypeError, KeyError, re.error) as error:
        raise _wrong(str(row.get("type", "rule")), where, str(error)) from error
    if not re.fullmatch(r"[a-z_]{2,20}", rule.type):
        raise _wrong(rule.type, where, "a class is named by small letters and underscores")
    return rule


def _cues(listed: Sequence[str]) -> tuple[str, ...]:
    lists: Mapping[str, Sequence[str]] = data()["cues"]
    return tuple(cue for one in listed for cue in (lists[one[1:]] if one[:1] == "@" and one[1:] in lists else (one,)))


def _read(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _wrong(SETTING, str(path), str(error)) from error


def _allow(name: str, action: object, known: Mapping[str, str], path: str) -> None:
    if name not in known:
        hint = meant(name, known) or f"There are: {', '.join(known)}."
        raise _wrong(name, path, "there is no such class of sensitive data", hint)
    if action not in ACTIONS:
        raise _wrong(name, path, f"{action!r} is not an action", f"There are: {', '.join(ACTIONS)}.")
    if action == MARK and name in data()["limits"]["never_kept"]:
        raise _wrong(name, path, "it is never kept as it was said", f"Choose {MASK!r} or {DROP!r}.")


def _wrong(name: str, where: str, problem: str, hint: str = "See: docs/how-to/sensitive-data.md") -> ConfigError:
    return ConfigError(name=name, where=where, problem=problem, hint=hint)
