"""The agents that a request may name."""

from adapters.files.agent_profiles import AgentFiles
from settings import config_dir


def refuse_unknown(*agents: str | None) -> None:
    """Refuse an agent that is not there at the door: later, its first turn would fail.

    Raises:
        UnknownAgentError: No such agent; the message lists those there are.
    """
    for agent in agents:
        if agent is not None:
            AgentFiles(config_dir()).profile(agent)
