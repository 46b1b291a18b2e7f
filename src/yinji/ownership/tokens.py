"""Tokens: who may come in through a server's door, for whom, and to do what (SPEC O3, S1).

A secret is shown once, when it is made. Kept is its SHA-256: it has 256 random bits, so there is nothing to guess.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from datetime import datetime

from yinji.arguments import aware, nearest
from yinji.arguments import name as named
from yinji.errors import InvalidInput, NotFound
from yinji.ports import Clock, Store, Token

PREFIX = "yinji_"
"""How every secret begins, so that one that leaked can be searched for."""


class Tokens:
    """The tokens of one store."""

    def __init__(self, store: Store, *, clock: Clock, new_secret: Callable[[], str]) -> None:
        self._store = store
        self._clock = clock
        self._new_secret = new_secret

    def add(
        self, name: str, *, owner: str, may: Iterable[str], app: str | None = None, until: datetime | None = None
    ) -> tuple[Token, str]:
        """A new token and its secret, which cannot be shown again; ``until`` then it holds. Raises InvalidInput."""
        secret, now = PREFIX + self._new_secret(), self._clock()
        if (end := aware(until, "until")) is not None and end <= now:
            raise InvalidInput(
                what=f"The token's end {end.isoformat()}", problem="it is over already", hint="Give a later time."
            )
        token = Token(
            name=named(name, "The token's name"),
            owner=named(owner, "The owner"),
            app=None if app is None else named(app, "The app"),
            may=frozenset(may),
            created_at=now,
            until=end,
        )
        if not self._store.add_token(token, _digest(secret)):
            raise InvalidInput(
                what=f"The token's name {token.name!r}",
                problem="it was given before",
                hint="Take another: the log tells tokens apart by name.",
            )
        return token, secret

    def holder(self, secret: str) -> Token | None:
        """Whose secret that is; None when it is nobody's, was revoked, or its time is over."""
        return self._store.token(_digest(secret), now=self._clock()) if secret.startswith(PREFIX) else None

    def all(self) -> list[Token]:
        """Those that were not revoked, oldest first."""
        return self._store.tokens()

    def required(self) -> bool:
        """Whether this store has ever had one: then nothing is answered without, even if all were revoked."""
        return self._store.ever_had_tokens()

    def revoke(self, name: str) -> None:
        """From now on it opens nothing. Raises NotFound."""
        if not self._store.revoke_token(name, at=self._clock()):
            known = [one.name for one in self.all()]
            raise NotFound(what="token", name=name, nearest=nearest(name, known))


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
