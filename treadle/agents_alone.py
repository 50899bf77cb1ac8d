"""Agents without an engine: the same lists from the same files, and the same installation."""

import asyncio

from adapters.acp.launch import Launch
from adapters.agent_programs.checker import HostAgentChecker
from adapters.agent_programs.host import Host
from adapters.agent_programs.statuses import AgentStatuses
from adapters.files.agent_profiles import TRUSTED_AGENTS, AgentFiles
from adapters.files.trusted_files import TrustedFiles
from adapters.processes.host_spawner import COMMON_VARIABLES, HostFolders, with_users_path
from cli.core.console import say
from cli.core.errors import CommandError
from domain.agents.status import AgentDetails, AgentStatus
from domain.core.errors import TreadleError
from settings import Settings, config_dir, environment, home_dir
from treadle.engine import EngineError, prepare_data_dir


class AgentsAlone:
    """This machine's agents, as an engine on it would tell of them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._files = AgentFiles(
            config_dir(), trusted=TrustedFiles(settings.data_dir, TRUSTED_AGENTS)
        )
        self._host = Host(settings.data_dir, settings.programs, home_dir(), environment)
        self._judge = AgentStatuses(self._host, default_agent=settings.default_agent)

    def listed(self, repository: str) -> list[AgentStatus]:
        """List the agents of this machine, and of a repository."""
        return [self._judge.of(found) for found in self._files.found(repository)]

    def details(self, name: str, repository: str) -> AgentDetails:
        """Show one agent.

        Raises:
            CommandError: There is none of that name.
        """
        try:
            return self._judge.details(self._files.one(name, repository))
        except TreadleError as error:
            raise CommandError(error.message) from error

    def install(self, name: str, repository: str) -> str:
        """Install an agent's pinned version, telling how far it is; returns the version.

        Raises:
            CommandError: There is no such agent, or it cannot be installed here.
        """
        try:
            prepare_data_dir(self._settings)
            return asyncio.run(self._install(name, repository))
        except EngineError as error:
            raise CommandError(str(error)) from error
        except TreadleError as error:
            raise CommandError(error.message) from error

    async def _install(self, name: str, repository: str) -> str:
        settings, host = self._settings, self._host
        profile = self._files.profile(name, repository)
        folders = HostFolders(settings.data_dir, settings.programs, config_dir())
        spawner = await with_users_path(folders, environment(COMMON_VARIABLES))
        launch = Launch(settings.data_dir, host.variables, programs=host.programs)
        return await HostAgentChecker.on(host, spawner, launch).install(profile, _tell)


async def _tell(line: str) -> None:
    say(line, style="dim")
