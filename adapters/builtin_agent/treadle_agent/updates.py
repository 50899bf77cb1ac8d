"""Tells the client what happens in a turn, as ACP's session updates; and what happened, on a load."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic_ai.messages import (
    AgentStreamEvent,
    FunctionToolCallEvent,
    FunctionToolResultEvent,
    ModelMessage,
    ModelRequest,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from treadle_agent.rpc import Params, Peer
from treadle_agent.tolerant import whole
from treadle_agent.tool_calls import PLAN, described, ended, text_content

FIRST_HALVES = ("\ud800", "\udbff")
"""Between which the first halves of characters lie that JSON writes as two."""

COMPACTED = "The conversation was compacted: its older part is a summary now."


class SessionUpdates:
    """Speaks of one session."""

    def __init__(self, peer: Peer, session_id: str, cwd: Path) -> None:
        self._peer = peer
        self._session_id = session_id
        self._cwd = cwd
        self._shown: dict[str, Params] = {}
        self._half = ""

    async def update(self, kind: str, /, **fields: Any) -> None:
        """Send one session update."""
        params = {"sessionId": self._session_id, "update": {"sessionUpdate": kind, **fields}}
        await self._peer.notify("session/update", params)

    async def say(self, text: str) -> None:
        """Send a text of the agent."""
        await self._chunk("agent_message_chunk", text)

    async def event(self, event: AgentStreamEvent) -> None:
        """Tell one event of a running turn."""
        if isinstance(event, PartStartEvent):
            if isinstance(part := event.part, (TextPart, ThinkingPart)):
                await self._part(part)
        elif isinstance(event, PartDeltaEvent):
            delta = event.delta
            if isinstance(delta, TextPartDelta):
                await self._chunk("agent_message_chunk", delta.content_delta)
            elif isinstance(delta, ThinkingPartDelta):
                await self._chunk("agent_thought_chunk", delta.content_delta or "")
        elif isinstance(event, FunctionToolCallEvent):
            await self._called(event.part, "pending")
        elif isinstance(event, FunctionToolResultEvent):
            await self._returned(event.part)

    def shown(self, call: ToolCallPart) -> Params:
        """Return how a call is shown to the client."""
        if call.tool_call_id not in self._shown:
            self._shown[call.tool_call_id] = described(call, self._cwd)
        return self._shown[call.tool_call_id]

    async def started(self, call: ToolCallPart) -> None:
        """Tell that a call runs."""
        if call.tool_name != PLAN:
            await self._changed(call.tool_call_id, status="in_progress")

    async def output(self, call_id: str, text: str) -> None:
        """Tell the newest output of a running call."""
        await self._changed(call_id, content=[text_content(text)])

    async def replay(self, messages: Iterable[ModelMessage]) -> None:
        """Tell a whole conversation again."""
        for message in messages:
            for part in message.parts:
                if isinstance(part, UserPromptPart) and isinstance(message, ModelRequest):
                    await self._prompted(part)
                elif isinstance(part, (TextPart, ThinkingPart)):
                    await self._part(part)
                elif isinstance(part, ToolCallPart):
                    await self._called(part, "in_progress")
                elif isinstance(part, ToolReturnPart):
                    await self._returned(part)

    async def _part(self, part: TextPart | ThinkingPart) -> None:
        kind = "agent_message_chunk" if isinstance(part, TextPart) else "agent_thought_chunk"
        await self._chunk(kind, part.content)

    async def _prompted(self, part: UserPromptPart) -> None:
        items = [part.content] if isinstance(part.content, str) else part.content
        for item in items:
            await self._chunk(
                "user_message_chunk", item if isinstance(item, str) else "[attachment]"
            )

    async def _chunk(self, kind: str, text: str) -> None:
        """Send a piece of text; a character that is cut in its middle waits for the next piece."""
        text, self._half = self._half + text, ""
        if text and FIRST_HALVES[0] <= text[-1] <= FIRST_HALVES[1]:
            text, self._half = text[:-1], text[-1]
        if text:
            await self.update(kind, content={"type": "text", "text": whole(text)})

    async def _called(self, call: ToolCallPart, status: str) -> None:
        if call.tool_name == PLAN:
            return
        await self.update("tool_call", **self.shown(call), status=status)

    async def _returned(self, part: ToolReturnPart) -> None:
        if part.tool_name == PLAN:
            return
        shown = self._shown.pop(part.tool_call_id, {})
        await self.update("tool_call_update", **ended(part, shown.get("content")))

    async def _changed(self, call_id: str, **fields: Any) -> None:
        await self.update("tool_call_update", toolCallId=call_id, **fields)
