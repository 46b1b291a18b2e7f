"""What the HTTP door itself refuses, before any operation is asked."""

from __future__ import annotations

from yinji.errors import YinjiError


class Refusal(YinjiError):
    """Not an error of the memory: the request does not get as far as that."""


class ForeignHost(Refusal):
    code = "foreign_host"
    template = "The host {name!r} is none of this server's. {hint}"


class ForeignOrigin(Refusal):
    code = "foreign_origin"
    template = "The page {name!r} may not use this server. {hint}"


class NoToken(Refusal):
    code = "no_token"
    template = "This server answers only with a token. {hint}"


class WrongToken(Refusal):
    code = "wrong_token"
    template = "The token is unknown, was revoked, or its time is over. {hint}"


class RateLimited(Refusal):
    code = "rate_limited"
    template = "The token makes more than {rate} requests a second. Try again in {seconds} s."


class TooLarge(Refusal):
    code = "too_large"
    template = "The body is larger than {limit}. {hint}"


class NotJson(Refusal):
    code = "not_json"
    template = "The body is not usable JSON: {problem}. {hint}"


class NotAMediaType(Refusal):
    code = "not_a_media_type"
    template = "The content type {name!r} is not taken. {hint}"


class WrongMethod(Refusal):
    code = "wrong_method"
    template = "{path} does not take {method}. {hint}"


class Unexpected(Refusal):
    code = "unexpected"
    template = "Something unexpected went wrong here. {hint}"
