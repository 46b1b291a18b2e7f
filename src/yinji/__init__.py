"""Yinji (印记): long-term memory for AI agents, on the user's own device, in Chinese and English.

The names below are the whole public API; each loads on first use, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing would double the time of yinji --help
    from yinji.build import Memory
    from yinji.config import Settings
    from yinji.engine import Forgotten, Undone
    from yinji.errors import YinjiError
    from yinji.model import (
        Context,
        Erasure,
        Hit,
        Interval,
        JournalEntry,
        Kind,
        MemoryEntry,
        Recall,
        Remembered,
        Stats,
        Turn,
        Why,
    )
    from yinji.ownership.portability import Imported
    from yinji.review import Digest, Dropped, Feedback, OnboardingQuestion

__version__ = "0.1.0"

_HOMES = {
    "Memory": "yinji.build",
    "Forgotten": "yinji.engine",
    "Undone": "yinji.engine",
    "Settings": "yinji.config",
    "YinjiError": "yinji.errors",
    "Digest": "yinji.review",
    "Dropped": "yinji.review",
    "Feedback": "yinji.review",
    "OnboardingQuestion": "yinji.review",
    "Imported": "yinji.ownership.portability",
} | dict.fromkeys(
    (
        "Context",
        "Erasure",
        "Hit",
        "Interval",
        "JournalEntry",
        "Kind",
        "MemoryEntry",
        "Recall",
        "Remembered",
        "Stats",
        "Turn",
        "Why",
    ),
    "yinji.model",
)

__all__ = [
    "Context",
    "Digest",
    "Dropped",
    "Erasure",
    "Feedback",
    "Forgotten",
    "Hit",
    "Imported",
    "Interval",
    "JournalEntry",
    "Kind",
    "Memory",
    "MemoryEntry",
    "OnboardingQuestion",
    "Recall",
    "Remembered",
    "Settings",
    "Stats",
    "Turn",
    "Undone",
    "Why",
    "YinjiError",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'yinji' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
