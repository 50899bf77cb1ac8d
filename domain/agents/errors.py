"""What keeps an agent from being started: a branch of the tree in domain/errors.py."""

from domain.core.errors import AgentError, UnknownAgentError


class InstallError(AgentError):
    """An agent can't be installed on this host; the message says why and what to do."""

    type = "install_failed"


class AgentWithoutToolsError(AgentError):
    """A task's agent never asked for Treadle's tools: whatever it does, it cannot report its work."""

    type = "agent_without_tools"


class AgentNotInstalledError(UnknownAgentError):
    """An agent's program is not on the host that would start it; the message says how to install it."""

    type = "agent_not_installed"


class AgentNotTrustedError(UnknownAgentError):
    """A repository brings an agent, and the person has not trusted its profile as it is now."""

    type = "agent_not_trusted"
