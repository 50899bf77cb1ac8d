"""The ports to agents."""

from collections.abc import Callable
from typing import Protocol

from domain.agents.agents import AgentAnswer, AgentCall, Usage
from domain.agents.profiles import AgentProfile
from domain.core.ids import SessionId
from domain.core.money import Money
from domain.core.ports import Beat, Record


class AgentRunner(Protocol):
    """Runs agents; keeps a session's process between turns and closes it when idle."""

    async def run_turn(self, call: AgentCall, record: Record, beat: Beat) -> AgentAnswer:
        """Run one turn to its end.

        Records `agent_session_opened` before the first prompt, and `prompt_sent` before each.
        Cancelling the coroutine cancels the turn at the agent, and ends the agent where it does not
        obey.

        Raises:
            AgentError: It did not start, exited, fell silent or spoke garbage; the message has the
                reason and the tail of its standard error.
            AgentDiedError: Its process ended by itself; another try may resume its session.
            RefusedByProviderError: Its model's provider refused; the message is what it said.
        """
        ...

    async def close(self, session_id: SessionId) -> None:
        """End a session's process and all below it; unknown and ended ones are fine."""
        ...


class AgentProfiles(Protocol):
    """The agents that can be chosen."""

    def profile(self, name: str, repository: str | None = None) -> AgentProfile:
        """Return one profile; agents that a repository brings are known only with it.

        Raises:
            UnknownAgentError: No such agent, or one that nobody has trusted; the message says which
                are known, or what to do.
        """
        ...


Rate = Callable[[Usage | None, str], Money]
"""Returns what a turn cost by what its agent told of it, and the model that it had."""


class Costs(Protocol):
    """What turns cost."""

    async def rate_of(self, agent: str, repository: str | None) -> Rate:
        """Return what prices turns of an agent; of one that is not known any more nothing is known."""
        ...


class PortLeases(Protocol):
    """The ports of this host; no two owners ever hold one number."""

    async def lease(self, owner: str, port_id: str) -> int:
        """Return a port free on both address families, the same one when asked again."""
        ...

    async def release(self, owner: str, port_id: str | None = None) -> None:
        """Give back a port of an owner, or all of them; what is not held is fine."""
        ...

    async def owners(self) -> set[str]:
        """Return who holds ports."""
        ...
