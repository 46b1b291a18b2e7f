"""A language model behind any OpenAI-compatible endpoint, asked over plain HTTP with the standard library.

Nothing is sent but to the endpoint that the settings name: redirects are not followed. The key is read from the
environment when it is needed, and stands in no log, error or file.
"""

from __future__ import annotations

import http.client
import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from typing import Any

from yinji.endpoints import is_inner, parts_of
from yinji.errors import ConfigError, LLMUnavailable

LONGEST_ANSWER = 256 * 1024
"""Bytes of an answer that are read."""
BLOCK = 16 * 1024


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """An endpoint that points elsewhere is not the one that the user configured."""

    def redirect_request(self, *args: object, **named: object) -> None:
        return None


class OpenAIChat:
    """See :class:`yinji.ports.LLM`."""

    def __init__(
        self,
        *,
        endpoint: str,
        model: str,
        key_env: str,
        timeout_s: float,
        most_tokens: int,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = model
        self._url = _address(endpoint)
        self._model = model
        self._key_env = key_env
        self._timeout_s = timeout_s
        self._most_tokens = most_tokens
        self._now = now
        self._opener = urllib.request.build_opener(_NoRedirect)

    def answer(self, instructions: str, text: str, *, schema: Mapping[str, Any]) -> str:
        """What the model answers, which should be JSON of that schema. Raises LLMUnavailable."""
        until = self._now() + self._timeout_s
        try:
            with self._opener.open(self._request(instructions, text, schema), timeout=self._timeout_s) as response:
                return _content(_read(response, until, self._now))
        except urllib.error.HTTPError as error:
            error.close()
            raise LLMUnavailable(problem=f"it answered with HTTP {error.code}") from None
        except TimeoutError:
            raise LLMUnavailable(problem="it did not answer in time") from None
        except urllib.error.URLError as error:
            late = isinstance(error.reason, TimeoutError)
            raise LLMUnavailable(problem="it did not answer in time" if late else "it cannot be reached") from None
        except (OSError, http.client.HTTPException):
            raise LLMUnavailable(problem="the connection broke") from None

    def _request(self, instructions: str, text: str, schema: Mapping[str, Any]) -> urllib.request.Request:
        body = {
            "model": self._model,
            "temperature": 0,
            "max_tokens": self._most_tokens,
            "messages": [{"role": "system", "content": instructions}, {"role": "user", "content": text}],
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "memories", "strict": True, "schema": schema},
            },
        }
        headers = {"Content-Type": "application/json", "User-Agent": "yinji"}
        if self._key_env and (key := os.environ.get(self._key_env)):
            headers["Authorization"] = f"Bearer {key.strip()}"
        return urllib.request.Request(self._url, data=json.dumps(body).encode("utf-8"), headers=headers, method="POST")


def _address(endpoint: str) -> str:
    """``https://host/v1`` with the path of chat completions behind it, unless it is there. Raises ConfigError."""
    parts = parts_of(endpoint)
    if parts is None or is_inner(parts.hostname or ""):
        told = "it is no http(s) address without a name and password in it"
        if parts is not None:
            told = "no model is there: it is where machines tell their own secrets, or nobody's"
        raise ConfigError(name="llm.endpoint", where="the settings", problem=told, hint="See: yinji config")
    path = parts.path.rstrip("/")
    return endpoint if path.endswith("/chat/completions") else parts._replace(path=f"{path}/chat/completions").geturl()


def _read(response: Any, until: float, now: Callable[[], float]) -> bytes:
    """The whole answer, unless it is too long or drips too slowly."""
    read = bytearray()
    while block := response.read1(BLOCK):
        read += block
        if len(read) > LONGEST_ANSWER:
            raise LLMUnavailable(problem="its answer is too long")
        if now() > until:
            raise LLMUnavailable(problem="it did not answer in time")
    return bytes(read)


def _content(raw: bytes) -> str:
    """The message of a chat completion."""
    try:
        content = json.loads(raw)["choices"][0]["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError):
        content = None
    if not isinstance(content, str):
        raise LLMUnavailable(problem="its answer is not a chat completion")
    return content
