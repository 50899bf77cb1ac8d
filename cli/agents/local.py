"""What commands ask of this machine itself where no engine runs."""

from collections.abc import Callable
from typing import Protocol

import typer

from cli.core.console import load_settings, say
from cli.core.errors import UnreachableError
from domain.agents.status import AgentDetails, AgentStatus
from settings import Settings


class AgentsHere(Protocol):
    """The agents of this machine, without an engine."""

    def listed(self, repository: str) -> list[AgentStatus]:
        """List them, and those of a repository."""
        ...

    def details(self, name: str, repository: str) -> AgentDetails:
        """Show one; fails as a command does."""
        ...

    def install(self, name: str, repository: str) -> str:
        """Install one and return its version; fails as a command does."""
        ...


Maker = Callable[[Settings], AgentsHere]
"""What the whole command line is started with; the commands that speak REST alone have none."""


def agents_here(context: typer.Context, error: UnreachableError) -> AgentsHere:
    """Return what answers in place of an engine that is not there, and say so.

    Raises:
        UnreachableError: The one given: nothing does.
    """
    made: Maker | None = context.find_root().obj
    if made is None:
        raise error
    say("No engine is running; answering from this machine.", style="dim")
    return made(load_settings())
