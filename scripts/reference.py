"""Writes docs/reference from the code, or with --check tells whether it is up to date."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yinji
from yinji import config, errors
from yinji.interfaces.cli.entry import EXIT_CODES, exit_code
from yinji.interfaces.cli.table import COMMANDS, GLOBAL, GROUPS, Option
from yinji.interfaces.http.openapi import meaning
from yinji.interfaces.http.table import ROUTES, STATUS
from yinji.interfaces.messages import Messages
from yinji.interfaces.operations import OPERATIONS, Operation

FOLDER = Path(__file__).parent.parent / "docs" / "reference"
MADE = "<!-- Made by scripts/reference.py: change the code, then run it again. -->\n\n"
say = Messages("en")


def table(titles: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    lines = [titles, tuple("---" for _ in titles), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in line) + " |" for line in lines
    )


def cli() -> str:
    parts = [
        "# Command line\n",
        "`yinji COMMAND …`; `yinji COMMAND --help` shows the same in the terminal, in Chinese with `--lang zh`.",
        "Data goes to standard output, all else to standard error. A time is ISO 8601; one without a zone is in this",
        "machine's zone, and times are shown in it. The meaning of exit codes: [exit codes](exit-codes.md).\n",
        "## Options of every command\n",
        "They may stand before the command or after it.\n",
        table(("option", "meaning"), (_option(one, f"option.{one.key}") for one in GLOBAL)),
        "\n## Environment\n",
        table(("variable", "meaning"), iter(ENVIRONMENT)),
    ]
    for group, names in GROUPS.items():
        parts.append(f"\n## {say(f'group.{group}')}")
        parts += [_command(name) for name in names]
    return "\n".join(parts) + "\n"


ENVIRONMENT = (
    ("`YINJI_HOME`", "folder of the store (`memory.yinji`) and the settings file (`settings.toml`)"),
    ("`YINJI_LANG`", "`en` or `zh`: language of messages"),
    ("`YINJI_KEY`", "key of an encrypted store"),
    ("`YINJI_SECTION__NAME`", "one setting, such as `YINJI_RECALL__TOP_K=8`"),
    ("`YINJI_DEBUG`", "`1`: an unexpected error leaves a file with its details"),
    ("`NO_COLOR`", "anything: no colours"),
)


def _command(name: str) -> str:
    options = COMMANDS[name].options
    words = " ".join(_word(one) for one in options if not one.names[0].startswith("-"))
    text = f"\n### {name}\n\n`yinji {name}{' ' if words else ''}{words}`\n\n{say(f'help.{name}')}\n"
    if not options:
        return text
    return text + "\n" + table(("argument", "meaning"), (_option(one, f"option.{name}.{one.key}") for one in options))


def _word(option: Option) -> str:
    shape = {"?": "[{}]", "+": "{}..."}.get(option.settings.get("nargs", ""), "{}")
    return shape.format(option.settings.get("metavar", option.key.upper()))


def _option(option: Option, key: str) -> tuple[str, str]:
    value = option.settings.get("metavar") or ""
    names = " ".join((", ".join(option.names), value)) if option.names[0].startswith("-") else value
    choices = option.settings.get("choices")
    told = f" One of: {', '.join(choices)}." if choices else ""
    return f"`{names.strip()}`", say(key) + told


def settings() -> str:
    parts = [
        "# Settings\n",
        "Defaults, then the settings file (`yinji config --path`), then `YINJI_SECTION__NAME` variables, then",
        "arguments; each value is checked against its range. `yinji config` shows them all,",
        "`yinji config set NAME VALUE` changes one.\n",
    ]
    for section, rows in config.describe().items():
        parts += [f"## {section}\n", table(("name", "default", "allowed", "meaning", "evidence"), _settings(rows)), ""]
    return "\n".join(parts)


def _settings(rows: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    for name, row in rows.items():
        allowed = row["range"]
        numbers = all(isinstance(one, int | float) for one in allowed)
        told = (" to " if numbers else ", ").join(str(one) for one in allowed) or "any text"
        yield f"`{name}`", f"`{row['value']}`", told, row["meaning"], row["evidence"]


def error_tree() -> str:
    tree = inspect.getdoc(errors) or ""
    start = tree.index("YinjiError\n")
    drawn = tree[start : tree.index("\n\n", start)]
    return "\n".join(
        [
            "# Errors\n",
            "Everything that Yinji raises on purpose is a `YinjiError` with a stable `code`, its `params`, and a",
            "message that says what happened, with what, and what to do. On the command line with `--json`, an",
            'error is one object on standard error: `{"error": {"code", "message", "hint"}}`.\n',
            f"```text\n{drawn}\n```\n",
            table(("class", "code", "exit code", "message"), _errors(errors.YinjiError)),
            "",
        ]
    )


def _errors(kind: type[errors.YinjiError]) -> Iterator[tuple[str, ...]]:
    for one in kind.__subclasses__():
        if one.__module__ == errors.__name__:
            yield f"`{one.__name__}`", f"`{one.code}`", str(exit_code(one())), one.template
            yield from _errors(one)


def exit_codes() -> str:
    rows = ((str(code), say(f"exit.{key}")) for code, key in EXIT_CODES.items())
    return "# Exit codes\n\n" + table(("code", "meaning"), rows) + "\n"


def python() -> str:
    parts = ["# Python\n", "`from yinji import …`: these names are the whole public interface.\n"]
    for name in yinji.__all__:
        thing = getattr(yinji, name)
        parts.append(f"## {name}\n")
        parts.append(f"{_documented(thing)}\n")
        if name == "Memory":
            parts += [_method(method) for method in _methods(thing)]
    return "\n".join(parts)


def _documented(thing: type) -> str:
    text = inspect.getdoc(thing) or ""
    own = getattr(thing, "__dataclass_fields__", None)
    if not own:
        return text
    return text + "\n\n" + "\n".join(f"- `{name}: {field.type}`" for name, field in own.items())


def _methods(kind: type) -> Iterator[Any]:
    """Its own, then those of its bases: ``Memory`` opens here and does its work in the engine."""
    members: dict[str, Any] = {}
    for base in kind.__mro__:
        members |= {name: one for name, one in vars(base).items() if name not in members}
    for name, member in members.items():
        if not name.startswith("_") and (callable(member) or isinstance(member, classmethod | property)):
            yield member


def _method(member: Any) -> str:
    if isinstance(member, property):
        return f"### {member.fget.__name__}\n\n{inspect.getdoc(member) or ''}\n"
    function = member.__func__ if isinstance(member, classmethod) else member
    signature = str(inspect.signature(function)).replace("'", "").replace("builtins.", "")
    return (
        f"### {function.__name__}\n\n```text\n{function.__name__}{signature}\n```\n\n{inspect.getdoc(function) or ''}\n"
    )


def http() -> str:
    parts = [
        "# HTTP\n",
        "What `yinji serve` answers; how to use it is in [how to serve](../how-to/serve.md). `/openapi.json` says the",
        "same for programs. Arguments of GET and DELETE stand in the query, of others in a JSON object.\n",
    ]
    for route in ROUTES:
        operation = OPERATIONS[route.operation]
        parts.append(f"## {route.method} {route.path}\n")
        parts.append(f"{meaning(route.operation, 'en')} Grant: `{operation.grant}`.\n")
        if operation.parameters:
            parts.append(table(("argument", "meaning"), _arguments(operation)) + "\n")
    codes: dict[int, list[str]] = {}
    for code, status in STATUS.items():
        codes.setdefault(status, []).append(f"`{code}`")
    rows = ((str(status), ", ".join(codes[status])) for status in sorted(codes))
    parts += ["## Errors\n", table(("status", "codes"), rows), ""]
    return "\n".join(parts)


def _arguments(operation: Operation) -> Iterator[tuple[str, ...]]:
    for name, parameter in operation.parameters.items():
        needed = " (needed)" if parameter.required else ""
        yield f"`{name}`{needed}", meaning(operation.name, "en", name)


PAGES = {
    "cli": cli,
    "settings": settings,
    "errors": error_tree,
    "exit-codes": exit_codes,
    "python": python,
    "http": http,
}


def main() -> int:
    stale = []
    for name, write in PAGES.items():
        path, text = FOLDER / f"{name}.md", MADE + write().rstrip() + "\n"
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path.name)
    if stale:
        sys.stderr.write(f"out of date: {', '.join(stale)}; run: python scripts/reference.py\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
