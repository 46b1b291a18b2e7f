"""From the words on the command line to an exit code: parse, run the one command, put errors into a sentence."""

from __future__ import annotations

import os
import sys

from yinji.errors import (
    Cancelled,
    ConfigError,
    ImportFailed,
    InvalidInput,
    MissingExtra,
    ModelUnavailable,
    NotAllowed,
    NotFound,
    StoreError,
    YinjiError,
)
from yinji.interfaces.cli.arguments import recovered
from yinji.interfaces.cli.screen import OutputFailed, Screen
from yinji.interfaces.messages import Messages, suggestion, users_language

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from yinji.interfaces.cli.parser import Parser

DONE, UNEXPECTED, BAD_INPUT, NOT_FOUND, STORE, MODEL, IMPORT, STOPPED, PIPE_CLOSED = 0, 1, 2, 3, 4, 5, 6, 130, 141
EXIT_CODES: dict[int, str] = {
    DONE: "done",
    UNEXPECTED: "unexpected",
    BAD_INPUT: "bad_input",
    NOT_FOUND: "not_found",
    STORE: "store",
    MODEL: "model",
    IMPORT: "import",
    STOPPED: "stopped",
    PIPE_CLOSED: "pipe_closed",
}
"""Exit code → the key of its meaning (``exit.KEY`` in the messages)."""

_BY_ERROR: tuple[tuple[type[YinjiError], int], ...] = (
    (InvalidInput, BAD_INPUT),
    (ConfigError, BAD_INPUT),
    (NotFound, NOT_FOUND),
    (StoreError, STORE),
    (ModelUnavailable, MODEL),
    (NotAllowed, BAD_INPUT),
    (MissingExtra, BAD_INPUT),
    (ImportFailed, IMPORT),
    (Cancelled, STOPPED),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs ``yinji`` with these arguments (``None``: the process's) and gives the exit code."""
    given = [recovered(one) for one in (sys.argv[1:] if arguments is None else arguments)]
    say = Messages(users_language(given))
    screen = Screen(say, json="--json" in given)
    try:
        code = _run(given, say, screen)
        screen.flush()
        return code
    except OutputFailed as error:
        _silence_stdout()
        screen.error(error.code, say.error(error))
        return UNEXPECTED
    except YinjiError as error:
        screen.error(error.code, say.error(error))
        return exit_code(error)
    except KeyboardInterrupt:
        screen.error(Cancelled.code, say("stopped" if _goes_on(given) else "stopped.plainly"))
        return STOPPED
    except BrokenPipeError:
        _silence_stdout()
        return PIPE_CLOSED
    except Exception as error:  # noqa: BLE001 - the edge of the program: a bug becomes a sentence, never a traceback
        problem = f"{type(error).__name__}: {error}"
        screen.error("unexpected", say("unexpected", problem=problem), hint=_details(error, say))
        return UNEXPECTED


def _goes_on(given: list[str]) -> bool:
    """Whether the same command again would go on where this one was stopped."""
    return given[_command_at(given) :][:1] in (["remember"], ["import"])


def exit_code(error: YinjiError) -> int:
    """Usage errors are a YinjiError of the command line's own, so they are bad input too."""
    if error.code == "usage":
        return BAD_INPUT
    return next((code for kind, code in _BY_ERROR if isinstance(error, kind)), UNEXPECTED)


def _run(given: list[str], say: Messages, screen: Screen) -> int:
    at = _command_at(given)
    before = given[:at]
    if at == len(given) or "--help" in before or "-h" in before or "--version" in before:
        return _without_command(before, say, screen)
    from yinji.interfaces.cli.parser import HelpShown, UsageError, command_parser, global_parser, speak
    from yinji.interfaces.cli.table import COMMANDS, NEVER_SUGGESTED, OTHER_NAMES, answer

    speak(say)
    name = given[at]
    if name == "help":
        return _help(given[at + 1 :], say, screen)
    if name not in COMMANDS:
        near = suggestion(say, OTHER_NAMES.get(name, name), [*COMMANDS, "--version"], never=NEVER_SUGGESTED).strip()
        raise UsageError(problem=say("usage.no_command", name=name), hint=near or say("usage.hint", command="yinji"))
    try:
        options = _parsed(global_parser(say), before)
        options = _parsed(command_parser(name, say), given[at + 1 :], options, name)
    except HelpShown:
        return DONE
    from yinji.interfaces.cli.call import Call

    screen.json = options.json
    return answer(name)(Call(options, say, screen))


def _without_command(before: list[str], say: Messages, screen: Screen) -> int:
    from yinji.interfaces.cli.overview import overview

    if "--version" in before:
        from importlib.metadata import version

        told = version("yinji")
        screen.value({"version": told}) if screen.json else screen.data(f"yinji {told}")
        return DONE
    screen.data(overview(say))
    return DONE if "--help" in before or "-h" in before else BAD_INPUT


def _help(names: list[str], say: Messages, screen: Screen) -> int:
    from yinji.interfaces.cli.parser import command_parser
    from yinji.interfaces.cli.table import COMMANDS

    if names and names[0] in COMMANDS:
        screen.data(command_parser(names[0], say).format_help().rstrip())
        return DONE
    return _without_command(["--help"], say, screen)


def _command_at(given: list[str]) -> int:
    """Where the command stands: the first word that is neither a global option nor its value."""
    from yinji.interfaces.cli.table import GLOBAL

    takes_value = {name for option in GLOBAL for name in option.names if "action" not in option.settings}
    at = 0
    while at < len(given) and given[at].startswith("-") and given[at] != "-":
        at += 2 if given[at] in takes_value else 1
    return min(at, len(given))


def _parsed(parser: Parser, words: list[str], options: Namespace | None = None, command: str = "") -> Namespace:
    read, extra = parser.parse_known_args(words, options)
    begun = getattr(read, "text", None) or getattr(read, "query", None)
    if command and begun and extra and not any(one.startswith("-") for one in extra):
        parser.ask_for_quotes(command, " ".join([begun, *extra]))
    parser.refuse_extra(extra)
    return read


def _details(error: Exception, say: Messages) -> str:
    """With YINJI_DEBUG=1 the traceback goes to a file, whose name is told; otherwise how to get it."""
    if not os.environ.get("YINJI_DEBUG"):
        return say("unexpected.hint")
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile("w", prefix="yinji-", suffix=".log", delete=False, encoding="utf-8") as log:
        traceback.print_exception(error, file=log)
    return say("unexpected.log", path=log.name)


def _silence_stdout() -> None:
    """Nobody reads any more: what is still buffered must not raise again when Python ends."""
    if sys.stdout is None:
        return
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return
