"""The tools as MCP has them: the one module that needs its library, which takes a second to import."""

from typing import Any

import mcp_types
from mcp.server.lowlevel import Server
from starlette.types import ASGIApp

from adapters.tools.catalogue import tools_of
from adapters.tools.grants import Grant
from adapters.tools.tool import GRANT, Call, Tool

MAX_REQUEST_BYTES = 8 << 20
"""More than any call may have, so that most of those that are too large are told so in words."""

HARMLESS = mcp_types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
"""Most tools of ours touch no files; Gemini's plan mode hides the ones without this."""

ACTING = mcp_types.ToolAnnotations(read_only_hint=False, destructive_hint=False)

RULES = (
    "These tools connect you to Treadle, which plans, verifies and merges your work. "
    "Do not commit: Treadle does."
)


def application(call: Call) -> ASGIApp:
    """Return what lists the tools of a request's grant, and has `call` carry out what is called."""

    async def list_tools(context: Any, _params: Any) -> mcp_types.ListToolsResult:
        grant = _grant_of(context)
        grant.listed.set()
        return mcp_types.ListToolsResult(tools=[_shown(tool) for tool in tools_of(grant).values()])

    async def call_tool(
        context: Any, params: mcp_types.CallToolRequestParams
    ) -> mcp_types.CallToolResult:
        grant = _grant_of(context)
        grant.listed.set()  # some agents know the list from an earlier session
        result = await call(grant, params.name, params.arguments or {})
        text = mcp_types.TextContent(type="text", text=result.text)
        return mcp_types.CallToolResult(content=[text], is_error=result.is_refused)

    server = Server("treadle", instructions=RULES, on_list_tools=list_tools, on_call_tool=call_tool)
    return server.streamable_http_app(stateless_http=True, max_request_body_size=MAX_REQUEST_BYTES)


def _shown(tool: Tool) -> mcp_types.Tool:
    return mcp_types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.schema,
        annotations=HARMLESS if tool.is_harmless else ACTING,
    )


def _grant_of(context: Any) -> Grant:
    return context.request.scope[GRANT]
