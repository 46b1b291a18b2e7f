"""A memory as other libraries want one, a module for each; each needs the extra of its name.

Importing ``yinji`` imports none of them, and none of them goes to the network.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from yinji.errors import MissingExtra


class MissingLibrary(MissingExtra, ImportError):
    """The library that a module is for is not installed."""

    template = "yinji.{command} needs more than the base install: pip install 'yinji[{extra}]'"


@contextmanager
def of_extra(extra: str, module: str) -> Iterator[None]:
    """Imports that an extra brings. Raises MissingLibrary, which says how to get it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingLibrary(command=f"integrations.{module}", extra=extra) from error
