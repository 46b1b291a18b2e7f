"""What the proxy itself has to say of the model's server."""

from __future__ import annotations

from collections.abc import Mapping

from yinji.interfaces.http.refusals import Refusal


class UpstreamUnreachable(Refusal):
    code = "upstream_unreachable"
    template = "The model's server {name} cannot be reached: {problem}."


class UpstreamSilent(Refusal):
    code = "upstream_silent"
    template = "The model's server {name} did not answer in time."


STATUS: Mapping[str, int] = {UpstreamUnreachable.code: 502, UpstreamSilent.code: 504}
"""Those of them that no other route has."""
