"""Who is reading the waiting turns, and whether that process still lives."""

from __future__ import annotations

import os
import platform
from functools import cache

_CLOCK_SLACK_S = 2.0
"""Start times of the same process, asked twice, differ by less: they are derived from the boot time."""


def holder_name(label: str = "") -> str:
    """A name for this process that another one on this machine can check for life."""
    return _name(os.getpid(), label)


@cache
def _name(pid: int, label: str) -> str:
    import psutil

    return f"{platform.node()}|{pid}|{psutil.Process(pid).create_time():.2f}|{label}"


def is_dead(holder: str) -> bool:
    """True when the holder is known to have ended; False when it lives or nobody here can tell."""
    import psutil

    match holder.split("|"):
        case [node, pid, started, _] if node == platform.node() and pid.isdecimal():
            try:
                process = psutil.Process(int(pid))
                same = abs(process.create_time() - float(started)) < _CLOCK_SLACK_S
                return not same or process.status() == psutil.STATUS_ZOMBIE
            except psutil.NoSuchProcess:
                return True
            except (psutil.AccessDenied, ValueError):
                return False
        case _:
            return False
