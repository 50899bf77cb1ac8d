"""The `AgentChecker`: installs, looks and keeps, on the worker's host."""

import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from adapters.acp.inspection import inspect_agent
from adapters.acp.launch import Launch
from adapters.agent_programs.commands import REGISTRY_ENVIRONMENT, InstallerCommands
from adapters.agent_programs.host import Host
from adapters.agent_programs.installer import Installer
from adapters.agent_programs.known_agents import KnownAgents, key_of
from adapters.agent_programs.programs import OURS, Programs
from adapters.disk_room import describe_error, is_full
from adapters.processes.command import Command
from adapters.processes.login_path import with_own_programs
from adapters.processes.spawner import Spawner
from domain.agents.agents import TurnInput
from domain.agents.checks import CheckResult, Seen, Tell
from domain.agents.errors import InstallError
from domain.agents.profiles import AgentProfile
from domain.core.ids import SessionId, StreamId

FILE = "README.md"
CONTENT = "# A test\n\nThe secret word is heron.\n"
PLAIN = (
    *("-c", "user.name=Treadle", "-c", "user.email=treadle@treadle.invalid"),
    *("-c", "commit.gpgSign=false", "-c", "core.hooksPath=/dev/null", "-c", "init.templateDir="),
)
"""What keeps a person's own git configuration out of a repository that nobody keeps."""

GIT_SECONDS = 30.0


@dataclass(frozen=True)
class HostAgentChecker:
    """Implements `AgentChecker` with what a worker has."""

    spawner: Spawner
    launch: Launch
    programs: Programs
    installer: Installer
    seen: KnownAgents

    async def install(self, profile: AgentProfile, tell: Tell) -> str:
        """Install the pinned version; see the port."""
        await self.launch.prepare(profile, self.spawner, tell)
        if profile.command[0] in OURS:
            await self.launch.prepare(profile, self.spawner, tell)
            return ""
        root = self.programs.folders.root
        try:
            return (await self.installer.install(profile, tell)).version
        except OSError as error:
            why = describe_error(error, root) if is_full(error) else str(error)
            raise InstallError(f"it can't be written to {root}: {why}") from error

    async def look(self, profile: AgentProfile, turn: TurnInput, tell: Tell) -> Seen:
        """Ask the agent what it offers; see the port."""
        await self.launch.prepare(profile, self.spawner, tell)
        async with self._folder(StreamId(turn.session_id)) as folder:
            found = await inspect_agent(self.spawner, self.launch, profile, turn, folder)
        return Seen(
            key=key_of(profile, self.programs.find(profile)),
            at=datetime.now(UTC),
            version=found.version,
            capabilities=found.capabilities,
            login_methods=found.login_methods,
        )

    @asynccontextmanager
    async def scratch(self, stream: StreamId) -> AsyncGenerator[Path]:
        """Make a git repository with one file; see the port."""
        async with self._folder(stream) as folder:
            (folder / FILE).write_text(CONTENT, encoding="utf-8")
            for words in (("init", "--quiet"), ("add", FILE), ("commit", "--quiet", "-m", "test")):
                argv = ("git", *PLAIN, *words)
                command = Command(argv, folder, is_brief=True, is_uncovered=True)
                done = await self.spawner.run(command, limit_seconds=GIT_SECONDS)
                if done.returncode != 0:
                    raise InstallError(f"git made no repository to try in: {done.errors}")
            yield folder

    def keep(self, profile: AgentProfile, result: CheckResult, seen: Seen | None) -> None:
        """Keep what was found out."""
        self.seen.keep(profile, self.programs.find(profile), result, seen)

    @classmethod
    def on(cls, host: Host, spawner: Spawner, launch: Launch) -> Self:
        """Return the checker of a host."""
        programs = host.programs
        environment = host.environment(REGISTRY_ENVIRONMENT)
        commands = InstallerCommands(spawner, programs.folders.root, environment)
        installer = Installer(programs, commands, with_own_programs(host.path))
        return cls(spawner, launch, programs, installer, host.seen)

    @asynccontextmanager
    async def _folder(self, stream: StreamId) -> AsyncGenerator[Path]:
        """Make an empty folder, and remove it with the agent's home of this check."""
        agent = stream.split("/")[1]
        home = self.launch.home(agent, SessionId(stream))
        folder = self.launch.data_dir / "checks" / stream.replace("/", "-")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, mode=0o700)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            shutil.rmtree(home, ignore_errors=True)
