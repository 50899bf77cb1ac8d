"""Asks the client before a tool acts, and remembers what was allowed for the session."""

import asyncio
from collections.abc import Callable
from typing import Any

from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import RunContext, ToolDefinition

from treadle_agent.rpc import Peer
from treadle_agent.store import Record
from treadle_agent.tolerant import as_dict
from treadle_agent.tool_calls import EDITS, KINDS, SHELL, arguments_of
from treadle_agent.updates import SessionUpdates

REFUSED = (
    "The user refused this call, and nothing was done. Do not make it again, and not in another way: "
    "go on without it, or end your turn and say what you need."
)
ALLOW_ONCE, ALLOW_ALWAYS, REJECT_ONCE = "allow_once", "allow_always", "reject_once"


class Gate(AbstractCapability[object]):
    """Lets a tool call through that needs no question, or whose question was answered with yes.

    `remember` keeps the session's record after a person allowed something for the whole session; `stop`
    cancels the turn, which is what a client means that answers a question with "cancelled".
    """

    def __init__(
        self,
        peer: Peer,
        updates: SessionUpdates,
        record: Record,
        remember: Callable[[], None],
        stop: Callable[[], object],
    ) -> None:
        self._peer = peer
        self._updates = updates
        self._record = record
        self._remember = remember
        self._stop = stop

    async def wrap_tool_execute(
        self,
        ctx: RunContext[object],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        handler: Callable[[dict[str, Any]], Any],
    ) -> Any:
        """Ask, where the tool may change something; then run it."""
        del ctx, tool_def
        if _is_asked(call.tool_name):
            rule = _rule(call)
            if rule not in self._record.allowed:
                await self._ask(call, rule)
        await self._updates.started(call)
        return await handler(args)

    async def _ask(self, call: ToolCallPart, rule: str) -> None:
        """Ask for one call.

        Raises:
            ToolFailed: The person refused.
        """
        params = {
            "sessionId": self._record.session_id,
            "toolCall": {**self._updates.shown(call), "status": "pending"},
            "options": _options(call),
        }
        answer = await self._peer.request("session/request_permission", params)
        chosen = as_dict(answer.get("outcome")).get("optionId")
        if chosen is None:
            self._stop()
            await asyncio.Event().wait()
        if chosen == ALLOW_ALWAYS:
            self._record.allowed.append(rule)
            self._remember()
        elif chosen != ALLOW_ONCE:
            raise ToolFailed(REFUSED)


def _is_asked(tool: str) -> bool:
    """Tell whether a tool may change something; tools of other servers may."""
    return tool in EDITS or tool == SHELL or tool not in KINDS


def _rule(call: ToolCallPart) -> str:
    """Return what is allowed by allowing a call always: all edits, one command, one tool."""
    if call.tool_name in EDITS:
        return "edit"
    if call.tool_name == SHELL:
        return f"{SHELL} {arguments_of(call).get('command', '')}"
    return call.tool_name


def _options(call: ToolCallPart) -> list[dict[str, str]]:
    if call.tool_name in EDITS:
        always = "Allow all edits in this session"
    elif call.tool_name == SHELL:
        always = "Allow this command in this session"
    else:
        always = f"Allow {call.tool_name} in this session"
    names = ((ALLOW_ONCE, "Allow"), (ALLOW_ALWAYS, always), (REJECT_ONCE, "Reject"))
    return [{"optionId": option, "kind": option, "name": name} for option, name in names]
