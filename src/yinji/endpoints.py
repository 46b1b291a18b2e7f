"""Addresses of models that a user configures: never where a machine's own secrets are served (F32).

A model on this machine or in the house is the usual case, so loopback and private addresses are allowed. What is never
a model: link-local addresses, under which clouds answer with a machine's credentials, and those of nobody or of many.
"""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import SplitResult, urlsplit

SCHEMES = ("http", "https")
METADATA_NAMES = frozenset({"metadata", "metadata.google.internal", "metadata.goog", "instance-data"})
METADATA = frozenset(map(ip_address, ("100.100.100.200", "192.0.0.192", "168.63.129.16", "fd00:ec2::254")))
"""Those of clouds that are not link-local: Alibaba, Oracle, Azure, Amazon over IPv6."""


def parts_of(address: str) -> SplitResult | None:
    """The parts of an http(s) address with a host and without a name or password; None where it is none."""
    try:
        parts = urlsplit(address)
        fits = parts.scheme in SCHEMES and parts.hostname and parts.username is None and parts.password is None
        return parts if fits and parts.port != 0 else None
    except ValueError:
        return None


def is_inner(host: str) -> bool:
    """Whether a host, by name or by address in whatever notation, is one that no model is at."""
    name = host.lower().rstrip(".")
    if name in METADATA_NAMES:
        return True
    found = _address(name)
    if isinstance(found, IPv6Address) and (inside := found.ipv4_mapped or found.sixtofour) is not None:
        found = inside
    if found is None:
        return False
    if found.is_loopback:
        return False
    return found.is_link_local or found.is_unspecified or found.is_multicast or found.is_reserved or found in METADATA


def _address(name: str) -> IPv4Address | IPv6Address | None:
    """``169.254.169.254``, and what the system reads as the same: ``0xa9fea9fe``, ``2852039166``, ``0251.0376.1``."""
    try:
        return ip_address(name.partition("%")[0])
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(name))
    except (OSError, UnicodeError):
        return None
