"""The argument parsers: the one of the chosen command only, speaking the user's language."""

from __future__ import annotations

import argparse
import re

from yinji.errors import YinjiError
from yinji.interfaces.cli import arguments as given
from yinji.interfaces.cli.table import COMMANDS, GLOBAL, Option
from yinji.interfaces.cli.widths import columns, of_help, wrapped
from yinji.interfaces.messages import Messages, suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn


class UsageError(YinjiError):
    """The command line itself is wrong."""

    code = "usage"
    template = "{problem} {hint}"


class HelpShown(Exception):
    """Not an error: the user asked for help and has it."""


class Parser(argparse.ArgumentParser):
    """Raises UsageError instead of ending the process, and gives the nearest option for an unknown one."""

    def __init__(self, say: Messages, **settings: Any) -> None:
        self.say = say
        super().__init__(
            formatter_class=lambda prog: Formatter(prog, say=say), allow_abbrev=False, add_help=False, **settings
        )

    def error(self, message: str) -> NoReturn:
        raise UsageError(
            problem=self.say("usage.sentence", problem=message), hint=self.say("usage.hint", command=self.prog)
        )

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Help was shown; ``main`` decides how the program ends."""
        raise HelpShown

    def ask_for_quotes(self, command: str, text: str) -> NoReturn:
        """The shell cut a text that stands without quotes into words."""
        raise UsageError(problem=self.say("usage.quotes"), hint=f'yinji {command} "{text}"')

    def format_help(self) -> str:
        """argparse ends headings with a colon of its own, which is not everyone's."""
        return re.sub(r"(?m)^(\S[^\n]*):$", lambda found: found[1] + self.say("colon"), super().format_help())

    def refuse_extra(self, extra: list[str]) -> None:
        if not extra:
            return
        known = [name for action in self._actions for name in action.option_strings]
        near = suggestion(self.say, extra[0].partition("=")[0], known) if extra[0].startswith("-") else ""
        message = self.say("usage.unknown", arguments=" ".join(extra))
        raise UsageError(problem=message, hint=near.strip() or self.say("usage.hint", command=self.prog))


class Formatter(argparse.HelpFormatter):
    """Breaks lines by columns, of which a Chinese character takes two."""

    def __init__(self, prog: str, *, say: Messages) -> None:
        super().__init__(prog, max_help_position=30, width=of_help())
        self._say = say

    def add_argument(self, action: argparse.Action) -> None:
        super().add_argument(action)
        if action.help is not argparse.SUPPRESS:
            wide = columns(self._format_action_invocation(action)) + self._current_indent
            self._action_max_length = max(self._action_max_length, wide)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrapped(text, width)

    def _format_action(self, action: argparse.Action) -> str:
        """argparse counts characters where it sets the meanings under one another."""
        named = self._format_action_invocation(action)
        wider = columns(named) - len(named)
        return super()._format_action(action).replace(named + " " * wider, named, 1)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(indent + line for part in text.splitlines() for line in wrapped(part, width) or [""])


def speak(say: Messages) -> None:
    """Makes argparse's own sentences come in the user's language.

    argparse looks its sentences up through these two names of its module; gettext's public way needs compiled
    catalogues and the process's locale, which is not where the user's choice of ``--lang`` stands.
    """
    setattr(argparse, "_", lambda text: say.texts.get(f"argparse.{text}", text))  # noqa: B010
    setattr(argparse, "ngettext", lambda one, more, n: say.texts.get(f"argparse.{one}", one if n == 1 else more))  # noqa: B010


def command_parser(name: str, say: Messages) -> Parser:
    """The parser of one command; the global options are taken after the command too."""
    parser = Parser(
        say,
        prog=f"yinji {name}",
        usage=_usage(name, say),
        description=say(f"help.{name}"),
        epilog=say.texts.get(f"example.{name}"),
    )
    for option in COMMANDS[name].options:
        _add(parser, option, say, f"option.{name}.{option.key}")
    everywhere = parser.add_argument_group(say("help.everywhere"))
    for option in GLOBAL:
        _add(everywhere, option, say, f"option.{option.key}", default=argparse.SUPPRESS)
    _add_help(everywhere, say)
    return parser


def _usage(name: str, say: Messages) -> str:
    """``yinji forget ID... [OPTIONS]``: the options stand below, each with its meaning."""
    shape = {None: "{}", "?": "[{}]", "+": "{}..."}
    words = [option for option in COMMANDS[name].options if not option.names[0].startswith("-")]
    taken = [shape[one.settings.get("nargs")].format(_metavar(one, say)) for one in words]
    return " ".join(["yinji", name, *taken, say("usage.options")])


def _metavar(option: Option, say: Messages) -> str:
    return say.term("metavar", option.settings.get("metavar", option.key.upper()))


def global_parser(say: Messages) -> Parser:
    """The parser of what stands before the command."""
    parser = Parser(say, prog="yinji")
    for option in GLOBAL:
        _add(parser, option, say, f"option.{option.key}")
    return parser


def whole_parser(say: Messages) -> Parser:
    """All commands in one parser: what completion and the reference are made from."""
    parser = Parser(say, prog="yinji", description=say("help"))
    for option in GLOBAL:
        _add(parser, option, say, f"option.{option.key}")
    _add_help(parser, say)
    parser.add_argument("--version", action="store_true", help=say("option.version"))
    below = parser.add_subparsers(dest="command")
    for name, command in COMMANDS.items():
        one = below.add_parser(name, say=say, help=say(f"summary.{name}"), description=say(f"help.{name}"))
        for option in command.options:
            _add(one, option, say, f"option.{name}.{option.key}")
        for option in GLOBAL:
            _add(one, option, say, f"option.{option.key}")
        _add_help(one, say)
    return parser


def _add(parser: argparse._ActionsContainer, option: Option, say: Messages, key: str, **more: Any) -> argparse.Action:
    help_text = say(key).replace("%", "%%")
    settings = option.settings | more
    if "metavar" in settings:
        settings["metavar"] = say.term("metavar", settings["metavar"])
    if settings.get("type") in (int, float, given.sizes):
        settings["type"] = _called(settings["type"], say)
    return parser.add_argument(*option.names, help=help_text, **settings)


def _called(kind: Callable[[str], Any], say: Messages) -> Callable[[str], Any]:
    """The same, under the name that argparse puts into its sentence about a wrong value."""

    def read(text: str) -> Any:
        return kind(text)

    read.__name__ = say(f"type.{kind.__name__}")
    return read


def _add_help(parser: argparse._ActionsContainer, say: Messages) -> None:
    parser.add_argument("--help", "-h", action="help", help=say("option.help"))
