"""The proxy on a real socket, between real clients and a model that says what a test tells it to."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from openai import OpenAI

from tests.interfaces.model import Model, serving
from yinji import Memory, Settings
from yinji.interfaces.http.app import Server, application
from yinji.interfaces.http.run import Address, lifespan, other_doors, server_of


@dataclass(frozen=True, kw_only=True)
class Proxy:
    url: str
    """Of the server; the proxy is below it."""
    server: Server

    @property
    def base(self) -> str:
        return f"{self.url}/proxy/v1"


@pytest.fixture
def proxies(memory: Memory, hashing: Settings, model: Model) -> Iterator[Callable[..., Proxy]]:
    """Starts proxies before the model on the test's memory; keyword arguments are settings of ``serve``."""
    with contextlib.ExitStack() as started:

        def start(on: Memory = memory, **limits: Any) -> Proxy:
            settings = hashing.with_values("serve", {"upstream": model.url, "upstream_recall_s": 60.0, **limits})
            server = server_of(on, address=Address(port=0), settings=settings, owner="me", language="en")
            doors = other_doors(server)
            up = threading.Event()
            living = lifespan(server, None, up.set, inside=[one.running for one in doors.values()])
            url = started.enter_context(serving(application(server, lifespan=living, more=doors)))
            assert up.wait(30)
            return Proxy(url=url, server=server)

        yield start


@pytest.fixture
def proxy(proxies: Callable[..., Proxy]) -> Proxy:
    return proxies()


@pytest.fixture
def openai() -> Iterator[Callable[..., OpenAI]]:
    """Makes the real client of a proxy; keyword arguments are headers, with _ for -."""
    with contextlib.ExitStack() as made:

        def make(proxy: Proxy, *, key: str = "sk-the-users-own", **headers: str) -> OpenAI:
            given = {name.replace("_", "-"): value for name, value in headers.items()}
            return made.enter_context(
                OpenAI(base_url=proxy.base, api_key=key, max_retries=0, default_headers=given, timeout=30)
            )

        yield make
