"""The agents of this host: their files, how they stand, and which a request may name."""

from typing import Annotated

from fastapi import Depends

from adapters.agent_programs.host import Host
from adapters.agent_programs.statuses import AgentStatuses
from adapters.files.agent_profiles import TRUSTED_AGENTS, AgentFiles
from adapters.files.trusted_files import TrustedFiles
from adapters.host import known_host
from api.core.dependencies import SettingsDep, ThreadsDep
from api.core.projections import ThreadProjections
from domain.core.errors import NotFoundError
from domain.core.ids import ThreadId
from settings import config_dir, environment, home_dir


def _files(settings: SettingsDep) -> AgentFiles:
    return AgentFiles(config_dir(), trusted=TrustedFiles(settings.data_dir, TRUSTED_AGENTS))


def _statuses(settings: SettingsDep) -> AgentStatuses:
    host = Host(settings.data_dir, settings.programs, home_dir(), environment)
    is_here = bool(known_host(settings.data_dir))
    return AgentStatuses(host, is_here=is_here, default_agent=settings.default_agent)


FilesDep = Annotated[AgentFiles, Depends(_files)]
StatusesDep = Annotated[AgentStatuses, Depends(_statuses)]


class ChosenAgents:
    """Refuses agents that cannot be used, at the door: later, their first turn would fail."""

    def __init__(self, files: FilesDep, statuses: StatusesDep, folds: ThreadsDep) -> None:
        self._files = files
        self._statuses = statuses
        self._folds: ThreadProjections = folds

    def refuse_unusable(self, repository: str | None, *agents: str | None) -> None:
        """Refuse an agent for threads on a repository; None is no choice, and fine.

        Raises:
            UnknownAgentError: There is none, its repository's file is not trusted, or it is not
                installed; the message says what to do.
            InvalidError: Its file can't be used.
        """
        for agent in agents:
            if agent is not None:
                self._statuses.refuse_missing(self._files.profile(agent, repository))

    async def refuse_for(self, thread: ThreadId, *agents: str | None) -> None:
        """Refuse an agent for a thread; as `refuse_unusable`."""
        if any(agent is not None for agent in agents):
            self.refuse_unusable(await self._repository(thread), *agents)

    async def _repository(self, thread: ThreadId) -> str | None:
        try:
            return (await self._folds.view(thread)).repository
        except NotFoundError:
            return None  # its workflow says so


AgentsDep = Annotated[ChosenAgents, Depends()]
