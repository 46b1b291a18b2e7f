"""Who may knock: the Host and Origin of every request are checked before anything else (SPEC S1, F32).

A page in the user's browser can reach a server on this machine: directly, or under a name of its own that it points at
127.0.0.1. The first shows in Origin (and Sec-Fetch-Site), the second in Host.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from yinji.interfaces.http.refusals import ForeignHost, ForeignOrigin

HERE = frozenset({"localhost", "127.0.0.1", "::1"})
_OURS = frozenset({"same-origin", "none", ""})


@dataclass(frozen=True, kw_only=True, slots=True)
class Gate:
    hosts: frozenset[str] = HERE
    """Names and addresses under which this server may be called."""
    addresses: bool = False
    """Any IP address will do: for a server on all interfaces. A page cannot take an address for its name."""
    origins: frozenset[str] = frozenset()
    """Pages of other origins that may use this server."""

    def check(self, headers: Mapping[str, str], *, path: str) -> None:
        """Raises ForeignHost or ForeignOrigin."""
        host = headers.get("host", "")
        if not self._is_ours(_name(host)):
            raise ForeignHost(name=host, hint="Another name of this machine is made known with --allow-host.")
        origin = headers.get("origin", "")
        site = headers.get("sec-fetch-site", "")
        if origin in self.origins and origin:
            return
        if origin and urlsplit(origin).netloc.lower() != host.lower():
            raise ForeignOrigin(name=origin, hint="A page that may is made known with --allow-origin.")
        if site not in _OURS and not (path == "/" and headers.get("sec-fetch-mode") == "navigate"):
            raise ForeignOrigin(name=site, hint="A page that may is made known with --allow-origin.")

    def _is_ours(self, name: str) -> bool:
        return name in self.hosts or (self.addresses and _is_address(name))


def is_loopback(host: str) -> bool:
    return host == "localhost" or (_is_address(host) and ip_address(host).is_loopback)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _name(host: str) -> str:
    """The host without its port; ``[::1]:80`` is ``::1``. Empty for what is neither name nor address."""
    name, bracket, rest = host.lower().removeprefix("[").partition("]")
    if host.startswith("["):
        return name if bracket and (not rest or rest.startswith(":")) else ""
    name, colon, port = host.lower().partition(":")
    return name if not colon or port.isdecimal() else ""
