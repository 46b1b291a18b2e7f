"""Which commands there are, what each takes, and which module answers it. Help is in ``data/messages``.

The function that answers ``yinji NAME`` is ``NAME`` in its module, with an underscore where Python has that name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from yinji.interfaces.cli import arguments as given

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

KINDS = ("fact", "preference", "state", "event", "relation", "procedure")
LAYERS = ("working", "episodic", "semantic", "procedural", "core")
ROLES = ("user", "tool", "web", "import")


class Option:
    """One argument of a command: its names and what argparse is told of it."""

    def __init__(self, *names: str, **settings: Any) -> None:
        self.names = names
        self.settings = settings

    @property
    def key(self) -> str:
        """Under which name its help is looked up: ``--top-k`` → ``top_k``."""
        return max(self.names, key=len).lstrip("-").replace("-", "_")


def flag(*names: str) -> Option:
    return Option(*names, action="store_true")


def number(*names: str, default: int | None = None) -> Option:
    return Option(*names, type=int, metavar="N", default=default)


def time(*names: str) -> Option:
    return Option(*names, type=given.time, metavar="TIME")


def several(name: str, *, choices: tuple[str, ...] | None = None, metavar: str | None = None) -> Option:
    named = {} if metavar is None else {"metavar": metavar}
    return Option(name, action="append", choices=choices, **named)


def word(name: str, metavar: str) -> Option:
    return Option(name, metavar=metavar)


def path(name: str, metavar: str = "FILE") -> Option:
    return Option(name, type=given.path, metavar=metavar)


ID = Option("id", metavar="ID")
IDS = Option("ids", metavar="ID", nargs="+")
SURE = flag("--yes", "-y")
KINDS_WANTED = several("--kind", choices=KINDS)

QUERY = Option("query", metavar="QUERY")
ASKED_WITH = (
    number("--top-k", "-k"),
    KINDS_WANTED,
    time("--as-of"),
    Option("--during", type=given.interval, metavar="FROM/TO"),
    time("--now"),
    flag("--past"),
)

GLOBAL = (
    path("--store"),
    word("--owner", "NAME"),
    Option("--lang", choices=("en", "zh")),
    path("--settings"),
    path("--key-file"),
    flag("--json"),
)


class Command:
    def __init__(self, module: str, *options: Option) -> None:
        self.module = module
        self.options = options


COMMANDS: Mapping[str, Command] = {
    "init": Command("care"),
    "demo": Command("demo", flag("--keep")),
    "remember": Command(
        "take",
        Option("text", metavar="TEXT", nargs="?"),
        word("--assistant", "TEXT"),
        path("--file"),
        word("--session", "NAME"),
        number("--seq"),
        word("--turn-key", "KEY"),
        time("--at"),
        Option("--role", choices=ROLES, default="user"),
        word("--app", "NAME"),
        flag("--no-wait"),
        flag("--explain"),
    ),
    "recall": Command(
        "read",
        QUERY,
        *ASKED_WITH,
        flag("--trace"),
    ),
    "why": Command("why", QUERY, ID, *ASKED_WITH),
    "context": Command(
        "read",
        QUERY,
        number("--budget"),
        Option("--format", choices=("xml", "markdown", "json")),
        number("--top-k", "-k"),
        time("--as-of"),
        time("--now"),
        word("--session", "NAME"),
        flag("--always"),
        flag("--unused"),
    ),
    "graph": Command("graph", Option("name", metavar="NAME"), number("--steps", default=2), time("--as-of")),
    "list": Command(
        "read",
        KINDS_WANTED,
        flag("--all"),
        flag("--hidden"),
        flag("--dropped"),
        flag("--digests"),
        number("--limit", default=50),
        number("--offset", default=0),
    ),
    "show": Command("read", ID),
    "edit": Command(
        "change",
        ID,
        word("--content", "TEXT"),
        Option("--kind", choices=KINDS),
        Option("--layer", choices=LAYERS),
        Option("--importance", type=float, metavar="0..1"),
        several("--scene", metavar="NAME"),
    ),
    "pin": Command("change", ID, flag("--unpin")),
    "forget": Command("change", IDS, flag("--hard"), SURE),
    "erase": Command("change", SURE),
    "undo": Command("change", Option("entry", metavar="ENTRY", type=int, nargs="?")),
    "questions": Command(
        "questions",
        Option("question", metavar="QUESTION", type=int, nargs="?"),
        Option("choice", choices=("old", "new", "both", "neither"), nargs="?", metavar="old|new|both|neither"),
        flag("--answered"),
    ),
    "history": Command("read", Option("id", metavar="ID", nargs="?"), number("--limit", default=50)),
    "import": Command("take", path("source"), flag("--dry-run")),
    "export": Command(
        "take", Option("target", type=given.path, metavar="FILE", nargs="?", default="-"), flag("--hidden"), SURE
    ),
    "stats": Command("read"),
    "mcp": Command(
        "mcp",
        Option("action", choices=("install",), nargs="?", metavar="install"),
        Option("client", metavar="CLIENT", nargs="?"),
        Option("--profile", choices=("yinji", "mem0", "search"), default="yinji"),
        SURE,
    ),
    "serve": Command(
        "serve",
        Option("--host", metavar="HOST", default="127.0.0.1"),
        number("--port"),
        several("--allow-host", metavar="HOST"),
        several("--allow-origin", metavar="URL"),
        word("--upstream", "URL"),
    ),
    "token": Command(
        "serve",
        Option("action", choices=("add", "list", "revoke"), metavar="add|list|revoke"),
        Option("name", metavar="NAME", nargs="?"),
        several("--may", metavar="GRANT,GRANT"),
        word("--app", "NAME"),
        time("--until"),
    ),
    "onboard": Command("review", flag("--questions")),
    "quarantine": Command(
        "review",
        Option("action", choices=("list", "show", "release", "delete"), nargs="?", default="list", metavar="ACTION"),
        Option("number", type=int, nargs="?", metavar="NUMBER"),
        number("--limit", default=50),
    ),
    "feedback": Command("review", several("--of", metavar="ID"), flag("--irrelevant")),
    "doctor": Command("care"),
    "config": Command(
        "care",
        Option("action", choices=("get", "set"), nargs="?", metavar="get|set"),
        Option("name", metavar="NAME", nargs="?"),
        Option("value", metavar="VALUE", nargs="?"),
        flag("--path"),
    ),
    "eval": Command(
        "measure",
        Option("name", metavar="NAME"),
        path("--data", "PATH"),
        path("--out", "DIR"),
        path("--against"),
        number("--limit"),
    ),
    "bench": Command(
        "measure", Option("--sizes", type=given.sizes, metavar="N,N", default=(1000, 10000)), flag("--language")
    ),
    "parse": Command(
        "parse", Option("text", metavar="TEXT", nargs="?"), time("--at"), several("--context", metavar="TEXT")
    ),
    "completion": Command("care", Option("shell", choices=("bash", "zsh", "fish"), metavar="bash|zsh|fish")),
}

TAKEN = frozenset({"import", "list", "eval"})
"""Names that mean something else in Python."""

OTHER_NAMES: Mapping[str, str] = {
    **dict.fromkeys(("add", "save", "store", "learn"), "remember"),
    **dict.fromkeys(("search", "find", "query", "ask"), "recall"),
    **dict.fromkeys(("delete", "remove", "rm", "hide"), "forget"),
    **dict.fromkeys(("ls", "all"), "list"),
    **dict.fromkeys(("get", "view", "cat"), "show"),
    **dict.fromkeys(("revert", "restore"), "undo"),
    **dict.fromkeys(("log", "journal"), "history"),
    **dict.fromkeys(("check", "status"), "doctor"),
    **dict.fromkeys(("settings", "set"), "config"),
    **dict.fromkeys(("explain", "reason"), "why"),
    **dict.fromkeys(("server", "http", "api"), "serve"),
    **dict.fromkeys(("tokens", "login"), "token"),
    "prompt": "context",
    "update": "edit",
    "version": "--version",
}
"""What other programs call it."""

NEVER_SUGGESTED = frozenset({"erase"})
"""Whoever mistypes must not be led to what destroys."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "begin": ("demo", "init", "onboard", "remember", "recall", "context", "why"),
    "look": ("list", "show", "graph", "questions", "quarantine", "history", "stats"),
    "change": ("edit", "pin", "feedback", "forget", "undo", "erase"),
    "carry": ("import", "export"),
    "let_in": ("serve", "token", "mcp"),
    "care": ("doctor", "config", "parse", "eval", "bench", "completion"),
}
"""How ``yinji --help`` arranges them."""


def answer(name: str) -> Callable[..., int]:
    """The function that carries out a command; only its module is imported."""
    from importlib import import_module

    module = import_module(f"yinji.interfaces.cli.{COMMANDS[name].module}")
    function: Callable[..., int] = getattr(module, f"{name}_" if name in TAKEN else name)
    return function
