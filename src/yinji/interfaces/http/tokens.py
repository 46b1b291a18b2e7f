"""Who asks: the bearer token of a request, or, while a store never had one, whoever is on this machine."""

from __future__ import annotations

from yinji.engine import Memory
from yinji.interfaces.http.refusals import NoToken, WrongToken
from yinji.interfaces.operations import Identity

SCHEME = "bearer "


def identify(memory: Memory, authorization: str, *, owner: str, always: bool) -> Identity:
    """For whom a request acts. ``owner`` is served without a token unless ``always`` or the store ever had one.

    Raises NoToken, WrongToken.
    """
    shown = authorization.lower().startswith(SCHEME)
    token = memory.tokens.holder(authorization[len(SCHEME) :].strip()) if shown else None
    if token is not None:
        return Identity(owner=token.owner, app=token.app, may=token.may, name=token.name)
    if not always and not memory.tokens.required():
        return Identity(owner=owner)
    if shown:
        raise WrongToken(hint="Those that hold are listed by: yinji token list")
    raise NoToken(hint="Send the header Authorization: Bearer TOKEN. Make one with: yinji token add")
