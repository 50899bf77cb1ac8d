"""What a tool of ours is."""

from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from adapters.tools.grants import Grant
from adapters.tools.host import Host
from domain.agents.agents import SessionRole
from domain.core.command import AgentCommand
from domain.core.ids import SessionId
from domain.core.wire import Wire

GRANT = "treadle.grant"
"""Where a request carries the grant of its session."""

Arguments = dict[str, Any]

A = TypeVar("A", bound=Wire)


class ToolAnswer(NamedTuple):
    """What a call is answered."""

    text: str
    is_refused: bool


Call = Callable[[Grant, str, Arguments], Awaitable[ToolAnswer]]
"""Carries out a call of a tool by its name."""


@dataclass(frozen=True)
class HostTool(Generic[A]):
    """How a call is carried out in the worker: what it takes, and what it does and answers.

    `act` runs in the context of the session's running turn and is cancelled with it; it answers within
    the server's limit, or says how to ask again.
    """

    takes: type[A]
    act: Callable[[Host, Grant, A], Coroutine[Any, Any, str]]


@dataclass(frozen=True)
class Tool:
    """One tool: who may call it, its JSON schema, and what a call becomes.

    That is a `command` to the workflow that decides, or an act on the `host`. `is_harmless` tells
    agents that a call changes nothing by itself. An `is_repeatable` one is a new call each time: it looks
    up what is now, or is the same done twice. One that `needs_plan_files` is there where its thread has
    some.
    """

    name: str
    roles: frozenset[SessionRole]
    description: str
    schema: dict[str, Any]
    command: Callable[[SessionId, Arguments], AgentCommand] | None = None
    host: HostTool[Any] | None = None
    is_harmless: bool = True
    is_repeatable: bool = False
    needs_plan_files: bool = False
