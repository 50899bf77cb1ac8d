"""Agents' requests for permission that policy does not answer: put to the person, waited for."""

import asyncio
import math
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from temporalio.client import WorkflowUpdateRPCTimeoutOrCancelledError
from temporalio.service import RPCError

from adapters.acp.permission_requests import describe_request
from adapters.acp.tool_calls import Request
from adapters.acp.waits import Waits
from adapters.tolerant import as_text
from adapters.tools.catalogue import tools_of
from adapters.tools.grants import Grant
from domain.agents.agents import TurnInput
from domain.agents.permissions import PermissionMode, Rights
from domain.agents.sandbox import Level, Sandbox
from domain.conversations.questions.commands import AskPermission, AwaitAnswer, FindRule
from domain.conversations.questions.question import ALLOW, DENY, Asked
from domain.conversations.questions.rules import PermissionState, PermissionStatus
from domain.core.command import AgentCommand, Answer
from domain.core.errors import (
    TooManyQuestionsError,
    TreadleError,
    TurnAsleepError,
    UnavailableError,
)
from domain.core.ports import CommandDoor, Journal

C = TypeVar("C", bound=AgentCommand)

RETRY_SECONDS = 1.0
SHARE = 0.05
"""Of a turn's limited time, how much a question may wait in it."""

_AWAY = (RPCError, WorkflowUpdateRPCTimeoutOrCancelledError, UnavailableError)


@dataclass(frozen=True)
class QuestionChannel:
    """Where questions go; a turn that waits `wait_seconds` in all is put to sleep at the next one."""

    door: CommandDoor
    journal: Journal
    mode: PermissionMode = PermissionMode.POLICY
    wait_seconds: float = 3600.0
    waits: Waits = field(default_factory=Waits)


class Chosen(NamedTuple):
    """The agent's option, None for none of them; and what to note of it."""

    option_id: str | None
    note: str

    @property
    def outcome(self) -> dict[str, Any]:
        """What the request is answered, as ACP has it."""
        if self.option_id is None:
            return {"outcome": {"outcome": "cancelled"}}
        return {"outcome": {"outcome": "selected", "optionId": self.option_id}}


def by_policy(request: Request) -> Chosen | None:
    """Return what policy answers; None where a person must."""
    answer = request.answer
    if answer is None:
        return None
    outcome = "allowed once" if answer.is_allowed else "refused"
    return Chosen(answer.option_id, f"permission for {request.name!r}: {outcome}")


class Questions:
    """The questions of one process of an agent. Many may wait; one look for answers serves all."""

    def __init__(
        self, channel: QuestionChannel, grant: Grant, fall_asleep: Callable[[TreadleError], None]
    ) -> None:
        self._channel = channel
        self._grant = grant
        self._fall_asleep = fall_asleep
        self._process = secrets.token_hex(8)
        self._patience = channel.wait_seconds
        self._asked = 0
        self._looking: asyncio.Task[Answer] | None = None

    def rights(self, turn: TurnInput, sandbox: Sandbox) -> Rights:
        """Return what a turn that begins may do without asking.

        One whose time is limited sleeps sooner: waiting must not use that up.
        """
        limit = turn.time_limit.total_seconds() if turn.time_limit else None
        self._patience = min(self._channel.wait_seconds, limit * SHARE if limit else math.inf)
        own = tools_of(self._grant)
        return Rights(
            role=turn.role,
            tools=turn.tools,
            own=frozenset(own),
            commanding=frozenset(n for n, t in own.items() if "command" in t.schema["properties"]),
            is_confined=sandbox.level is not Level.OFF,
            mode=self._channel.mode,
        )

    async def ask(self, request: Request) -> Chosen:
        """Ask the person and wait; a refused question is answered no."""
        asked, whole = describe_request(request)
        if not asked.options:
            return Chosen(None, f"permission for {request.name!r}: it offers no option to choose")
        if whole:
            reference = await self._channel.journal.put_text(whole)
            asked = asked.model_copy(update={"detail_ref": reference})
        try:
            state = await self.state_of(asked)
        except TimeoutError:
            self._fall_asleep(TurnAsleepError("it waits for a person"))
            return Chosen(None, f"permission for {request.name!r}: the turn sleeps until an answer")
        except TooManyQuestionsError as error:
            no = _first(request, *DENY)
            return Chosen(no, f"permission for {request.name!r}: refused: {error.message}")
        except TreadleError as error:
            return Chosen(None, f"permission for {request.name!r}: not asked: {error.message}")
        return Chosen(_option(request, state), f"permission for {request.name!r}: {state.words}")

    async def state_of(self, asked: Asked) -> PermissionState:
        """Return what the thread remembers, or what the person says.

        Raises:
            TimeoutError: They said nothing for so long that the turn is to sleep.
            TreadleError: They cannot be asked.
        """
        self._asked += 1
        asker = f"{self._process}/{self._asked}"
        if asked.scope:
            found = await self._send(
                self._grant.thread_id, self._command(FindRule, scope=asked.scope)
            )
            if found.data:
                return PermissionState.model_validate(found.data)
        ask = self._command(AskPermission, asked=asked, asker=asker)
        state = PermissionState.model_validate((await self._send(self._keeper, ask)).data)
        clock = asyncio.get_running_loop().time
        began = clock()
        try:
            async with self._channel.waits.within(self._patience):
                while state.status is PermissionStatus.WAITING:
                    await self._news(state.version)
                    answer = await self._send(self._keeper, ask)
                    state = PermissionState.model_validate(answer.data)
        finally:  # of the whole try at a turn: each look for an answer lies in a history
            self._patience = max(0.0, self._patience - (clock() - began))
        return state

    async def _news(self, seen: int) -> None:
        """Wait until something was answered or withdrawn."""
        version = seen
        while version == seen:
            looking = self._looking
            if looking is None or looking.done():
                wait = self._command(AwaitAnswer, seen=seen)
                looking = self._looking = asyncio.create_task(self._send(self._keeper, wait))
                looking.add_done_callback(_seen)
            await asyncio.wait({looking})
            version = -1 if looking.exception() else looking.result().data["version"]

    @property
    def _keeper(self) -> str:
        return self._grant.keeper

    def _command(self, kind: type[C], **fields: object) -> C:
        return kind.model_validate(
            {"session_id": self._grant.session_id, "turn_id": self._grant.turn_id or "", **fields}
        )

    async def _send(self, workflow_id: str, command: AgentCommand) -> Answer:
        """Send a command, again while Temporal is away."""
        while True:
            sending = asyncio.create_task(self._channel.door.send(workflow_id, command))
            try:
                await asyncio.wait({sending})  # who waits here can be cancelled, whatever it does
                return sending.result()
            except _AWAY:
                await asyncio.sleep(RETRY_SECONDS)
            finally:
                sending.cancel()
                sending.add_done_callback(_seen)


def _seen(task: asyncio.Task[Answer]) -> None:
    with suppress(asyncio.CancelledError):
        task.exception()


def _option(request: Request, state: PermissionState) -> str | None:
    if state.status is PermissionStatus.RULED:
        return _first(request, *(ALLOW if state.is_allowed else DENY))
    offered = [as_text(option["optionId"]) for option in request.options]
    place = state.chosen
    return offered[place] if place is not None and place < len(offered) else None


def _first(request: Request, *kinds: str) -> str | None:
    found = (
        as_text(option["optionId"])
        for kind in kinds
        for option in request.options
        if option.get("kind") == kind
    )
    return next(found, None)
