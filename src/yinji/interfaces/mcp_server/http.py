"""The server over streamable HTTP, as a place in ``yinji serve``: every request shows its token and stands alone."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from yinji.interfaces.http import answers
from yinji.interfaces.mcp_server.server import Context, server_of
from yinji.interfaces.operations import Identity

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from yinji.interfaces.http.app import Server

PATH = "/mcp"
WHO = "yinji.who"


class Place:
    """The ASGI application under ``/mcp``. ``running`` must be entered while it answers."""

    def __init__(self, server: Server, *, profile: str = "yinji") -> None:
        self._server = server
        made = server_of(server.service, who=_who, profile=profile, language=server.language)
        # The gate before every request has checked Host and Origin already.
        self._manager = StreamableHTTPSessionManager(
            app=made, stateless=True, max_request_body_size=int(server.settings.body_mb * (1 << 20))
        )

    def running(self) -> AbstractAsyncContextManager[None]:
        return self._manager.run()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from starlette.requests import Request
        from starlette.responses import Response

        from yinji.errors import YinjiError

        scope["yinji.route"] = f"{scope['method']} {PATH}"
        request = Request(scope)
        try:
            scope[WHO] = await self._server.identify(request)
        except YinjiError as error:
            answer, headers = answers.refused(error, self._server.language_of(request))
            await Response(answer.body, answer.status, headers, answers.JSON)(scope, receive, send)
            return
        # Spaces around a header's value are no part of it (RFC 9110, 5.5); the manager compares values with the body.
        scope["headers"] = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
        await self._manager.asgi_app(scope, receive, send)
        self._server.taken()


def _who(ctx: Context) -> Identity:
    request: Any = ctx.request
    found: Identity = request.scope[WHO]
    return found
