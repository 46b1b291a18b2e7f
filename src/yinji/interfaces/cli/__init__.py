"""The command line. ``yinji --help`` imports nothing beyond this package, argparse and json."""

from __future__ import annotations

from yinji.interfaces.cli.entry import main

__all__ = ["main"]
