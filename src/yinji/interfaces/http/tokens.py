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
    if not always and not memory.tokens.required():
        return Identity(owner=owner)
    if not authorization.lower().startswith(SCHEME):
        raise NoToken(hint="Send the header Authorization: Bearer TOKEN. Make one with: yinji token add")
    token = memory.tokens.holder(authorization[len(SCHEME) :].strip())
    if token is None:
        raise WrongToken(hint="Those that hold are listed by: yinji token list")
    return Identity(owner=token.owner, app=token.app, may=token.may, name=token.name)
