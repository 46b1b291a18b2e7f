"""What ``yinji --help`` prints; argparse is not needed for it."""

from __future__ import annotations

from yinji.interfaces.cli.table import GLOBAL, GROUPS
from yinji.interfaces.cli.widths import columns, hung, of_help
from yinji.interfaces.messages import Messages


def overview(say: Messages) -> str:
    lines = [say("help"), "", say("usage.overview")]
    for group, names in GROUPS.items():
        lines += ["", say(f"group.{group}")]
        lines += [f"  {name:<12}{say(f'summary.{name}')}" for name in names]
    lines += ["", say("help.everywhere_title")]
    for option in GLOBAL:
        metavar = say.term("metavar", option.settings.get("metavar", "|".join(option.settings.get("choices", ()))))
        spelling = f"{option.names[0]} {metavar}".rstrip()
        lines += hung(f"  {spelling}" + " " * (18 - columns(spelling)), say(f"option.{option.key}"), of_help())
    return "\n".join([*lines, "", say("help.more")])
