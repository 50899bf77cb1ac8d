"""The flow files of this host, and the agents for their steps."""

from typing import Annotated

from fastapi import Depends

from adapters.files.flow_files import TRUSTED_FLOWS, FlowFiles
from adapters.files.trusted_files import TrustedFiles
from api.core.agents import AgentsDep
from api.core.dependencies import SettingsDep
from domain.core.errors import TreadleError, UnknownAgentError
from domain.flows.definition import FlowDefinition
from domain.flows.views import FlowAgent, FlowView, FoundFlow
from settings import config_dir


def _files(settings: SettingsDep) -> FlowFiles:
    return FlowFiles(config_dir(), trusted=TrustedFiles(settings.data_dir, TRUSTED_FLOWS))


FlowFilesDep = Annotated[FlowFiles, Depends(_files)]


class FlowAgents:
    """Finds the agent for each agent type if a run chooses none: the one of the same name."""

    def __init__(self, agents: AgentsDep) -> None:
        self._agents = agents
        self._known: dict[tuple[str, str | None], FlowAgent] = {}

    def of(self, flow: FlowDefinition | None, repository: str | None) -> tuple[FlowAgent, ...]:
        """Return the agent for each agent type of a flow, in the order of the file."""
        types = flow.agent_types if flow else ()
        return tuple(self._one(agent_type, repository) for agent_type in types)

    def _one(self, agent_type: str, repository: str | None) -> FlowAgent:
        key = (agent_type, repository)
        if key not in self._known:
            self._known[key] = self._looked_up(agent_type, repository)
        return self._known[key]

    def _looked_up(self, agent_type: str, repository: str | None) -> FlowAgent:
        try:
            self._agents.refuse_unusable(repository, agent_type)
        except UnknownAgentError:
            return FlowAgent(agent_type=agent_type, missing="no agent has this name")
        except TreadleError as error:
            return FlowAgent(agent_type=agent_type, missing=error.message)
        return FlowAgent(agent_type=agent_type, agent=agent_type)


FlowAgentsDep = Annotated[FlowAgents, Depends()]


def view_of(found: FoundFlow, agents: tuple[FlowAgent, ...], text: str) -> FlowView:
    """Return the view of a flow."""
    return FlowView(flow=found.row(agents), definition=found.definition, text=text)
