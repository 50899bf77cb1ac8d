"""What keeps an agent from being started: a branch of the tree in domain/errors.py."""

from domain.core.errors import AgentError, UnknownAgentError


class InstallError(AgentError):
    """An agent cannot be installed on this host; the message says why and what to do."""

    type = "install_failed"


class AgentWithoutToolsError(AgentError):
    """A task's agent never loaded Treadle's tools, so it cannot report its work."""

    type = "agent_without_tools"


class AgentNotInstalledError(UnknownAgentError):
    """The agent's program is not installed on its host; the message says how to install it."""

    type = "agent_not_installed"


class AgentNotTrustedError(UnknownAgentError):
    """A repository brings this agent, and its current profile is not trusted."""

    type = "agent_not_trusted"
