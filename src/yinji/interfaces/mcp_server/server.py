"""The MCP server over the shared service: tools, resources and a prompt, for whoever the transport says is asking."""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio.to_thread
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

import yinji
from yinji.arguments import nearest
from yinji.errors import InvalidInput, NotFound, YinjiError
from yinji.interfaces.mcp_server import words
from yinji.interfaces.mcp_server.tools import Offer, offers
from yinji.interfaces.meanings import meanings
from yinji.interfaces.messages import Messages
from yinji.interfaces.operations import Identity
from yinji.interfaces.service import Service, told

log = logging.getLogger("yinji.mcp")

Context = ServerRequestContext[Any, Any]
Who = Callable[[Context], Identity]
"""For whom a request acts."""

SCHEME = "yinji://"
PROFILE, RECENT = "yinji://profile", "yinji://recent"
RESOURCES = {PROFILE: "profile", RECENT: "recent"}
MEMORY = "yinji://memory/"
"""Before a memory's id: the addresses that ``search`` gives."""
PROMPT = "with_memory"
SHOWN = 50
NO_RESOURCE = -32002
"""What clients of the protocol before 2026 expect for a resource that is not there; now it is an invalid parameter."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Desk:
    """What the handlers share."""

    service: Service
    who: Who
    profile: str
    language: str

    @property
    def say(self) -> Messages:
        return Messages(self.language)

    def about(self, name: str) -> str:
        return str(meanings()["mcp"][name][self.language])


def server_of(service: Service, *, who: Who, profile: str = "yinji", language: str = "en") -> Server[Any]:
    """The server; a transport runs it. Raises NotFound for a profile that is not there."""
    offers(profile, language)
    desk = Desk(service=service, who=who, profile=profile, language=language)
    return Server(
        "yinji",
        version=yinji.__version__,
        title="Yinji",
        instructions=desk.about("instructions"),
        on_list_tools=partial(_list_tools, desk),
        on_call_tool=partial(_call_tool, desk),
        on_list_resources=partial(_list_resources, desk),
        on_list_resource_templates=partial(_list_templates, desk),
        on_read_resource=partial(_read_resource, desk),
        on_list_prompts=partial(_list_prompts, desk),
        on_get_prompt=partial(_get_prompt, desk),
    )


# ----------------------------------------------------------------- tools


async def _list_tools(desk: Desk, ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    may = desk.who(ctx).may
    found = [one for one in offers(desk.profile, desk.language).values() if one.operation.grant in may]
    return types.ListToolsResult(tools=[_tool(one) for one in found])


def _tool(offer: Offer) -> types.Tool:
    return types.Tool(
        name=offer.name,
        title=offer.name.replace("_", " ").capitalize(),
        description=offer.about,
        input_schema=offer.schema,
        annotations=types.ToolAnnotations(
            title=offer.name.replace("_", " ").capitalize(),
            read_only_hint=offer.reads,
            destructive_hint=offer.destroys,
            idempotent_hint=offer.operation.idempotent,
            open_world_hint=False,
        ),
    )


async def _call_tool(desk: Desk, ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
    known = offers(desk.profile, desk.language)
    if params.name not in known:
        with _told_as_error(desk):
            raise NotFound(what="tool", name=params.name, nearest=nearest(params.name, known))
    try:
        return await anyio.to_thread.run_sync(_run, desk, desk.who(ctx), known[params.name], params.arguments or {})
    except YinjiError as error:
        return _failed(error, desk.language)


def _run(desk: Desk, who: Identity, offer: Offer, arguments: Mapping[str, object]) -> types.CallToolResult:
    given = {one: value for one, value in offer.convert(arguments).items() if value is not None}
    value = desk.service.value(offer.operation.name, given, who)
    if offer.shape:
        shaped = words.SHAPES[offer.shape](value)
        text = json.dumps(shaped, ensure_ascii=False)
        return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=dict(shaped))
    text = words.told(value, desk.say)
    return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=dict(words.whole(value)))


def _failed(error: YinjiError, language: str) -> types.CallToolResult:
    """An error that the model can act on: what was wrong, with what, and what to do."""
    one, text = told(error, language), _sentences(error, language)
    whole = {"error": {"code": one.code, "message": one.message, "hint": one.hint}}
    return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=whole, is_error=True)


def _sentences(error: YinjiError, language: str) -> str:
    one = told(error, language)
    return " ".join(filter(None, (one.message, one.hint)))


@contextlib.contextmanager
def _told_as_error(desk: Desk, *, code: int = types.INVALID_PARAMS, data: object = None) -> Iterator[None]:
    """What has no result to say it in is told as an error of the protocol."""
    try:
        yield
    except YinjiError as error:
        raise MCPError(code, _sentences(error, desk.language), data) from error


# ---------------------------------------------------- resources and the prompt


async def _list_resources(
    desk: Desk, ctx: Context, params: types.PaginatedRequestParams | None
) -> types.ListResourcesResult:
    found = [
        types.Resource(name=name, uri=uri, description=desk.about(name), mime_type="application/json")
        for uri, name in RESOURCES.items()
        if "list" in desk.who(ctx).may
    ]
    return types.ListResourcesResult(resources=found)


async def _list_templates(
    desk: Desk, ctx: Context, params: types.PaginatedRequestParams | None
) -> types.ListResourceTemplatesResult:
    one = types.ResourceTemplate(
        name="memory",
        uri_template=f"{MEMORY}{{id}}",
        description=desk.about("memory"),
        mime_type="application/json",
    )
    return types.ListResourceTemplatesResult(resource_templates=[one] if "list" in desk.who(ctx).may else [])


async def _read_resource(desk: Desk, ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
    uri = str(params.uri)
    modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
    with _told_as_error(desk, code=types.INVALID_PARAMS if modern else NO_RESOURCE, data={"uri": uri}):
        value = await anyio.to_thread.run_sync(_read, desk, desk.who(ctx), uri)
    text = json.dumps(words.whole(value), ensure_ascii=False)
    return types.ReadResourceResult(
        contents=[types.TextResourceContents(uri=uri, mime_type="application/json", text=text)]
    )


def _read(desk: Desk, who: Identity, uri: str) -> object:
    if uri.startswith(MEMORY):
        return desk.service.value("get", {"id": uri.removeprefix(MEMORY)}, who)
    if uri not in RESOURCES:
        raise NotFound(what="resource", name=uri, nearest=nearest(uri, RESOURCES, after=SCHEME))
    asked: dict[str, object] = {"limit": SHOWN}
    if uri == PROFILE:
        asked["kinds"] = ["fact", "preference", "relation", "procedure"]
    return desk.service.value("list", asked, who)


async def _list_prompts(
    desk: Desk, ctx: Context, params: types.PaginatedRequestParams | None
) -> types.ListPromptsResult:
    asked = types.PromptArgument(name="message", description=desk.about("message"), required=True)
    return types.ListPromptsResult(
        prompts=[types.Prompt(name=PROMPT, description=desk.about(PROMPT), arguments=[asked])]
    )


async def _get_prompt(desk: Desk, ctx: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
    with _told_as_error(desk):
        if params.name != PROMPT:
            raise NotFound(what="prompt", name=params.name, nearest=nearest(params.name, [PROMPT]))
        message = (params.arguments or {}).get("message", "")
        if not message.strip():
            raise InvalidInput(what="The prompt", problem="'message' is missing", hint="Give the user's message.")
        value = await anyio.to_thread.run_sync(desk.service.value, "context", {"query": message}, desk.who(ctx))
    text = "\n\n".join(filter(None, (words.told(value, desk.say), message)))
    said = types.PromptMessage(role="user", content=types.TextContent(text=text))
    return types.GetPromptResult(description=desk.about(PROMPT), messages=[said])
