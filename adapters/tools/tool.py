"""What a tool of ours is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from domain.agents import SessionRole
from domain.commands import AgentCommand
from domain.ids import SessionId

Arguments = dict[str, Any]


@dataclass(frozen=True)
class Tool:
    """One tool: who may call it, its JSON schema, and the command that a call becomes."""

    name: str
    roles: frozenset[SessionRole]
    description: str
    schema: dict[str, Any]
    command: Callable[[SessionId, Arguments], AgentCommand]
