"""The agents of this host: their files, their status, and which a request may use."""

from typing import Annotated, Any

from fastapi import Depends

from adapters.agent_programs.host import Host
from adapters.agent_programs.named_agents import HostNamedAgents
from adapters.agent_programs.statuses import AgentStatuses
from adapters.files.agent_profiles import TRUSTED_AGENTS, AgentFiles
from adapters.files.trusted_files import TrustedFiles
from adapters.host import known_host
from adapters.readings.projections import ThreadProjections
from api.core.dependencies import SettingsDep, ThreadLists, ThreadsDep
from domain.core.errors import NotFoundError, TreadleError
from domain.core.ids import ThreadId
from domain.core.remote_repositories import local_folder
from domain.plans.named_agents import find_doubts
from settings import config_dir, environment, home_dir


def _files(settings: SettingsDep) -> AgentFiles:
    return AgentFiles(config_dir(), trusted=TrustedFiles(settings.data_dir, TRUSTED_AGENTS))


def _statuses(settings: SettingsDep) -> AgentStatuses:
    host = Host(settings.data_dir, settings.programs, home_dir(), environment)
    is_here = bool(known_host(settings.data_dir))
    return AgentStatuses(host, is_here=is_here, default_agent=settings.default_agent)


FilesDep = Annotated[AgentFiles, Depends(_files)]
StatusesDep = Annotated[AgentStatuses, Depends(_statuses)]


async def _has_other_hosts(journal: ThreadLists, settings: SettingsDep) -> bool:
    own = known_host(settings.data_dir)
    return any(host.host != own for host in await journal.hosts.every())


class ChosenAgents:
    """Refuses agents that cannot be used, before their first turn would fail."""

    def __init__(
        self,
        files: FilesDep,
        statuses: StatusesDep,
        folds: ThreadsDep,
        is_elsewhere: Annotated[bool, Depends(_has_other_hosts)],
    ) -> None:
        self._is_elsewhere = is_elsewhere
        self._files = files
        self._statuses = statuses
        self._folds: ThreadProjections = folds

    def refuse_unusable(self, repository: str | None, *agents: str | None) -> None:
        """Refuse agents for threads on a repository; None is allowed.

        Raises:
            UnknownAgentError: There is none, its repository's file is not trusted, or it is not
                installed; the message says what to do.
            InvalidError: Its file cannot be used.
        """
        if self._is_elsewhere:
            return  # the host that opens the thread looks at its own files
        folder = local_folder(repository)
        for agent in agents:
            if agent is not None:
                self._statuses.refuse_missing(self._files.profile(agent, folder))

    async def refuse_for(self, thread: ThreadId, *agents: str | None) -> None:
        """Refuse agents for a thread, as `refuse_unusable` does."""
        if any(agent is not None for agent in agents):
            self.refuse_unusable(await self._repository(thread), *agents)

    async def doubts_of(self, thread: ThreadId, plan: Any) -> tuple[str, ...]:
        """Say which agents and models of a plan can't be used for a thread, and why."""
        try:
            view = await self._folds.view(thread)
        except NotFoundError:
            return ()  # the workflow refuses the command
        named = HostNamedAgents(self._files, self._statuses.host)

        def why_not(agent: str, model: str | None) -> str:
            try:
                self.refuse_unusable(view.repository, agent)
            except TreadleError as error:
                return error.message
            return named.why_not(local_folder(view.repository), agent, model)

        return find_doubts(plan, why_not, view.agent)

    async def _repository(self, thread: ThreadId) -> str | None:
        try:
            return (await self._folds.view(thread)).repository
        except NotFoundError:
            return None  # the workflow refuses the command


AgentsDep = Annotated[ChosenAgents, Depends()]
