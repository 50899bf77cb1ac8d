"""What one session may call, and how often."""

import asyncio
import hashlib
import json
import secrets
from collections import Counter
from collections.abc import Callable, Coroutine
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from domain.agents.agents import SessionRole, TurnInput
from domain.agents.limits.tool_filters import ToolFilter
from domain.conversations.events import ToolCalled
from domain.core.errors import InvalidError, NotFoundError, WrongStateError
from domain.core.ids import CommandId, SessionId, StreamId, ThreadId, TurnId, terminals_owner

MAX_ARGUMENT_BYTES = 768 << 10
"""What Temporal can carry, with room for what is said around it."""

MAX_CALLS = 200
"""Calls in one turn; each may become an entry in a history."""

MAX_AT_ONCE = 4


@dataclass(frozen=True)
class RunningTurn:
    """The running turn of a session, and what is carried out in it on the host.

    `context` is the turn's own: what is started in it is bound to the turn's hold on its workspace.
    """

    turn: TurnInput
    directory: Path
    context: Context = field(default_factory=copy_context)
    work: dict[str, asyncio.Task[str]] = field(default_factory=dict[str, asyncio.Task[str]])

    def carry_out(self, key: str, act: Coroutine[Any, Any, str]) -> asyncio.Task[str]:
        """Start an act; it ends with the turn at the latest."""
        self.work[key] = asyncio.create_task(act, name=key, context=self.context)
        return self.work[key]

    async def end(self) -> None:
        """Cancel what is still carried out, and wait until it has ended; nobody fetches its answers."""
        for task in self.work.values():
            task.cancel()
        await asyncio.gather(*self.work.values(), return_exceptions=True)


@dataclass
class Grant:
    """One session's access: its token, what it may call, and who is told of each call.

    `turn_id` is the running turn, kept by the session's owner; without one no call is taken, and
    without `running` none that is carried out on the host.
    `refused` counts how often a call of the turn was not taken, and may come again.
    `listed` is set once the agent has asked for the list of tools or called one, so that its first
    prompt can wait for it.
    """

    session_id: SessionId
    owner: StreamId
    thread_id: ThreadId
    role: SessionRole
    on_call: Callable[[ToolCalled], None] = lambda _call: None
    turn_id: TurnId | None = None
    running: RunningTurn | None = None
    tool_filter: ToolFilter = field(default_factory=ToolFilter)
    has_plan_files: bool = False
    known_plan_files: dict[str, str] = field(default_factory=dict[str, str])
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    listed: asyncio.Event = field(default_factory=asyncio.Event)
    slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MAX_AT_ONCE))
    calls: Counter[TurnId] = field(default_factory=Counter[TurnId])
    refused: Counter[CommandId] = field(default_factory=Counter[CommandId])

    @property
    def workflow_id(self) -> str:
        """The workflow that decides: the thread for a planner, the session's owner for others."""
        return self.thread_id if self.role is SessionRole.PLANNER else self.owner

    def begin(self, turn: TurnInput, directory: Path) -> None:
        """Take calls for a turn; called in the turn's own context."""
        self.turn_id = turn.turn_id
        self.refused.clear()
        self.running = RunningTurn(turn, directory)

    async def end(self) -> None:
        """Take no more calls, and end what the host still does for the turn."""
        running, self.running, self.turn_id = self.running, None, None
        if running is not None:
            await running.end()

    @property
    def keeper(self) -> str:
        """The workflow that keeps its questions: its task's, or its own."""
        return self.terminals_owner

    @property
    def terminals_owner(self) -> StreamId:
        """Whose terminals it opens: its task's, or its own where it is a session of the thread."""
        return terminals_owner(self.owner, self.thread_id, self.session_id)


def check_call(grant: Grant, name: str, arguments: dict[str, Any]) -> None:
    """Refuse what need not even be recorded.

    Raises:
        WrongStateError: No turn runs, or it has called too often.
        NotFoundError: The call names another session.
        InvalidError: The arguments are too large.
    """
    if grant.turn_id is None:
        raise WrongStateError("no turn of this session is running: call tools during a turn")
    grant.calls[grant.turn_id] += 1
    if grant.calls[grant.turn_id] > MAX_CALLS:
        raise WrongStateError(f"this turn has called more than {MAX_CALLS} times: end it")
    if arguments.get("session_id", grant.session_id) != grant.session_id:
        raise NotFoundError("there is no such session here: every call is for your own")
    size = len(json.dumps(arguments))
    if size > MAX_ARGUMENT_BYTES:
        raise InvalidError(
            f"the arguments of {name[:80]!r} have {size} bytes, at most {MAX_ARGUMENT_BYTES}"
        )


def call_key(grant: Grant, name: str, arguments: dict[str, Any]) -> CommandId:
    """Return the id of a call's command, the same for the same call in the same turn.

    Not of the request's id: a restarted agent counts those from the start again. A call that was not
    taken is another one when it comes again; where the worker died meanwhile, it is refused once more.
    """
    key = _key(grant, name, arguments)
    times = grant.refused[key]
    return CommandId(f"{key}-{times}") if times else key


def refuse_call(grant: Grant, name: str, arguments: dict[str, Any]) -> None:
    """Note that a call was not taken."""
    grant.refused[_key(grant, name, arguments)] += 1


def _key(grant: Grant, name: str, arguments: dict[str, Any]) -> CommandId:
    parts = [grant.session_id, grant.turn_id or "", name, arguments]
    text = json.dumps(parts, sort_keys=True)
    return CommandId(f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:32]}")
