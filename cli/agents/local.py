"""What commands can do on this machine without an engine."""

from collections.abc import Callable
from typing import Protocol

import typer

from address import read_server
from cli.core.console import load_settings, say
from cli.core.errors import UnreachableError
from domain.agents.status import AgentDetails, AgentStatus
from settings import Settings


class AgentsHere(Protocol):
    """The agents of this machine, without an engine."""

    def listed(self, repository: str) -> list[AgentStatus]:
        """List them, with those of a repository."""
        ...

    def details(self, name: str, repository: str) -> AgentDetails:
        """Show one.

        Raises:
            CommandError: There is none.
        """
        ...

    def install(self, name: str, repository: str) -> str:
        """Install one and return its version.

        Raises:
            CommandError: It cannot be installed.
        """
        ...


Maker = Callable[[Settings], AgentsHere]
"""What `treadle` is started with; the commands that only speak REST have none."""


def agents_here(context: typer.Context, error: UnreachableError, host: str = "") -> AgentsHere:
    """Return what answers if no engine is running, and say so; the agents of a named host have nothing else.

    Raises:
        UnreachableError: The given one, if nothing can answer.
    """
    made: Maker | None = context.find_root().obj
    settings = load_settings()
    if host or made is None or read_server(settings.data_dir) is not None:
        raise error
    say("No engine is running; answering from this machine.", style="dim")
    return made(settings)
