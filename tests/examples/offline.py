"""Runs a program that may not reach the network: ``python offline.py PROGRAM``."""

from __future__ import annotations

import runpy
import socket
import sys
from typing import Any


def refuse(*_: Any, **__: Any) -> None:
    raise OSError("an example may not use the network")


socket.socket.connect = refuse  # type: ignore[method-assign,assignment]
socket.socket.connect_ex = refuse  # type: ignore[method-assign,assignment]
socket.getaddrinfo = refuse  # type: ignore[assignment]
runpy.run_path(sys.argv[1], run_name="__main__")
