"""What one session may call, and how often."""

import asyncio
import json
import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from adapters.tools.catalogue import tools_for
from adapters.tools.tool import Tool
from domain.agents import SessionRole
from domain.errors import InvalidError, NotFoundError, WrongStateError
from domain.events.session import ToolCalled
from domain.ids import SessionId, StreamId, ThreadId, TurnId
from domain.limits.tool_filters import ToolFilter

MAX_ARGUMENT_BYTES = 768 << 10
"""What Temporal can carry, with room for what is said around it."""

MAX_CALLS = 200
"""Calls in one turn; each may become an entry in a history."""

MAX_AT_ONCE = 4


@dataclass
class Grant:
    """One session's access: its token, what it may call, and who is told of each call.

    `turn_id` is the running turn, kept by the session's owner; without one no call is taken.
    `listed` is set once the agent has asked for the list of tools, so that its first prompt can
    wait for it.
    """

    session_id: SessionId
    owner: StreamId
    thread_id: ThreadId
    role: SessionRole
    on_call: Callable[[ToolCalled], None] = lambda _call: None
    turn_id: TurnId | None = None
    tool_filter: ToolFilter = field(default_factory=ToolFilter)
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    listed: asyncio.Event = field(default_factory=asyncio.Event)
    slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MAX_AT_ONCE))
    calls: Counter[TurnId] = field(default_factory=Counter[TurnId])

    @property
    def workflow_id(self) -> str:
        """The workflow that decides: the thread for a planner, the session's owner for others."""
        return self.thread_id if self.role is SessionRole.PLANNER else self.owner

    @property
    def tools(self) -> dict[str, Tool]:
        """What this session may call."""
        offered = (tool for tool in tools_for(self.role) if self.tool_filter.offers(tool.name))
        return {tool.name: tool for tool in offered}


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
