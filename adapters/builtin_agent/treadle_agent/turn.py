"""One turn: the model's steps, each committed, until it has nothing more to do."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_ai import Agent
from pydantic_ai.exceptions import (
    AgentRunError,
    ContentFilterError,
    IncompleteToolCall,
)
from pydantic_ai.messages import (
    FunctionToolResultEvent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
)
from pydantic_ai.models import Model
from pydantic_ai.run import AgentRun
from pydantic_ai.tool_manager import ToolManager
from pydantic_ai.usage import UsageLimits
from pydantic_ai.workspaces import WorkspaceBackend
from pydantic_graph import End

from treadle_agent.failures import (
    UnreadableError,
    api_error,
    as_rpc_error,
    is_overflow,
    seconds_to_wait,
)
from treadle_agent.history import dumped_result
from treadle_agent.ledger import Ledger
from treadle_agent.models import settings_of
from treadle_agent.repetition import MAX_ROUNDS, RepetitionDetector
from treadle_agent.updates import SessionUpdates

STOP_REASONS = {"length": "max_tokens", "content_filter": "refusal"}
MAX_REQUESTS = 300
"""Requests to the model in one turn; one that wants more is asked to go on by its client."""


@dataclass(frozen=True)
class TurnContext:
    """What a turn is run with."""

    agent: Agent[object, str | None]
    model: Model
    workspace: WorkspaceBackend


class Turn:
    """Runs one turn. The ledger holds the conversation, and is never behind by more than one step."""

    def __init__(self, context: TurnContext, ledger: Ledger, updates: SessionUpdates) -> None:
        self._context = context
        self._ledger = ledger
        self._updates = updates
        self._requests = 0
        self._tries = 0
        self._has_room = True
        self._repetition = RepetitionDetector()
        self._is_repeating = False

    async def run(self) -> str:
        """Run to the end; returns ACP's stop reason.

        Raises:
            RpcError: The provider refused, or the model made no sense.
        """
        with ToolManager.parallel_execution_mode("sequential"):
            while True:
                try:
                    reason = await self._steps()
                except IncompleteToolCall:
                    return "max_tokens"
                except ContentFilterError as error:
                    await self._updates.say(error.message)
                    return "refusal"
                except AgentRunError as error:
                    await self._recover(error)
                else:
                    if reason is not None:
                        return reason
                    await self._shorten()

    async def _recover(self, error: AgentRunError) -> None:
        """Make ready for another try: by waiting, or by making the conversation shorter.

        Raises:
            RpcError: There is none.
        """
        if (refused := api_error(error)) is None:
            raise as_rpc_error(error) from error
        self._ledger.drop_answer()
        if is_overflow(refused) and self._has_room:
            await self._shorten()
            return
        wait = seconds_to_wait(refused, self._tries)
        if wait is None:
            raise as_rpc_error(refused) from error
        self._tries += 1
        await asyncio.sleep(wait)

    async def _shorten(self) -> None:
        try:
            await self._ledger.compact(self._context.model, "")
        except AgentRunError as error:
            raise as_rpc_error(error) from error
        self._has_room = False

    async def _steps(self) -> str | None:
        """Take step after step; returns the stop reason, None where the context must be shortened."""
        context, record = self._context, self._ledger.record
        async with context.agent.iter(
            message_history=self._ledger.messages,
            model=context.model,
            model_settings=settings_of(record.effort),
            usage_limits=UsageLimits(request_limit=None),
            workspace=context.workspace,
        ) as run:
            node: Any = run.next_node
            try:
                while not isinstance(node, End):
                    if Agent.is_model_request_node(node):
                        if self._is_repeating or self._requests >= MAX_REQUESTS:
                            return await self._given_up()
                        if self._has_room and self._ledger.is_full(context.model):
                            return None
                    node = await self._step(node, run)
            except BaseException:
                self._ledger.keep_cut_off(run.all_messages())
                raise
        if self._ledger.is_unanswered:
            await self._updates.say("The model gave an empty answer, twice.")
        return STOP_REASONS.get(self._ledger.finish_reason, "end_turn")

    async def _step(self, node: Any, run: AgentRun[object, str | None]) -> Any:
        """Run one node, telling what happens in it, and commit what it gave; returns the next one."""
        if Agent.is_model_request_node(node):
            self._requests += 1
            await self._ask(node, run)
        elif Agent.is_call_tools_node(node):
            async with node.stream(run.ctx) as events:
                async for event in events:
                    if isinstance(event, FunctionToolResultEvent):
                        self._ledger.add_result(event.part.tool_call_id, dumped_result(event.part))
                    await self._updates.event(event)
        following = await run.next(node)
        upcoming = [following.request] if Agent.is_model_request_node(following) else []
        self._ledger.keep(_joined(run.all_messages(), upcoming))
        match self._ledger.messages[-2:]:
            case [ModelResponse() as answer, ModelRequest() as results]:
                self._is_repeating = self._repetition.is_repeating(answer, results)
            case _:
                pass
        if Agent.is_model_request_node(node):
            self._tries, self._has_room = 0, True
            await self._ledger.count(self._context.model, self._updates)
        return following

    async def _given_up(self) -> str:
        """Say why the turn ends though its model wants to go on; returns the stop reason."""
        why = (
            f"The model made the same call {MAX_ROUNDS} times in a row, with the same result each time"
            if self._is_repeating
            else f"The model was asked {MAX_REQUESTS} times in this turn"
        )
        await self._updates.say(f"\n\n{why}: the turn ends here. Send a message to go on.")
        return "max_turn_requests"

    async def _ask(self, node: Any, run: AgentRun[object, str | None]) -> None:
        """Ask the model, telling its answer as it comes.

        Raises:
            UnreadableError: The library could not make sense of what the server sent.
        """
        try:
            async with node.stream(run.ctx) as events:
                async for event in events:
                    await self._updates.event(event)
        except (TypeError, ValueError, AttributeError, LookupError, AssertionError) as error:
            name = self._context.model.model_name
            raise UnreadableError(name, f"{type(error).__name__}: {error}") from error


def _joined(
    messages: Sequence[ModelMessage], upcoming: Sequence[ModelRequest]
) -> list[ModelMessage]:
    """Return a conversation with the request that is to be sent next, where it is not in it yet."""
    new = [request for request in upcoming if not any(request is old for old in messages)]
    return [*messages, *(request for request in new if request.parts)]
