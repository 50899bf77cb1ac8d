"""What to start for a session: argument vector, environment, and the agent's home."""

import json
import os
import re
import string
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from adapters.acp.sandboxes import CERTIFICATES, AgentSandboxes
from adapters.agent_programs.builtin import TREADLE_AGENT, BuiltinAgent
from adapters.agent_programs.commands import REGISTRY_ENVIRONMENT, InstallerCommands
from adapters.agent_programs.programs import Program, Programs
from adapters.files.safe_open import safe_write
from adapters.processes.command import Command
from adapters.processes.login_path import with_own_programs
from adapters.processes.spawner import Spawner
from domain.agents.agents import TurnInput
from domain.agents.checks import Tell
from domain.agents.errors import InstallError
from domain.agents.profiles import AgentProfile
from domain.core.errors import AgentError
from domain.core.ids import SessionId

LAUNCHER = "${treadle}"


def this_installation() -> tuple[str, ...]:
    """Return the argument vector that runs Treadle itself, from a checkout or from a wheel."""
    root = Path(__file__).resolve().parents[2]
    places = (root / "treadle" / "__main__.py", root / "__main__.py")
    return (sys.executable, str(next((p for p in places if p.is_file()), places[0])))


@dataclass(frozen=True)
class Launch:
    """Where agents live on this host.

    `data_dir` must not lie under the temporary folder: codex refuses to run there. `environment`
    returns those of the named variables that are set. `programs` finds an agent's program; without
    it the PATH does.
    """

    data_dir: Path
    environment: Callable[[tuple[str, ...]], dict[str, str]]
    launcher: tuple[str, ...] = ()
    programs: Programs | None = None
    sandboxes: AgentSandboxes | None = None

    async def prepare(self, profile: AgentProfile, spawner: Spawner, tell: Tell) -> None:
        """Install what an agent of ours needs, where it is not there yet.

        Raises:
            InstallError: It can't be installed here.
        """
        if TREADLE_AGENT in profile.command and self.programs is not None:
            folders = self.programs.folders
            environment = self.environment(REGISTRY_ENVIRONMENT)
            commands = InstallerCommands(spawner, folders.root, environment)
            await self._builtin.install(commands, tell)

    def command(self, profile: AgentProfile, session_id: SessionId, cwd: Path) -> Command:
        """Make the agent's home and return what to start.

        Raises:
            AgentError: The home can't be written, or `prepare` was not called.
        """
        home = self.home(profile.name, session_id)
        try:
            home.mkdir(parents=True, exist_ok=True, mode=0o700)
            for name, text in profile.files.items():
                # the agent can write here too: a link that it left is replaced, never followed
                safe_write(home, name, _filled(text, home).encode())
        except OSError as error:
            raise AgentError(
                f"the home of agent {profile.name!r} can't be made: {error}"
            ) from error
        argv: list[str] = []
        for part in profile.command:
            argv += self._expanded(part, home)
        environment = {**self.environment((*profile.environment, *CERTIFICATES))}
        for name, value in profile.set_environment.items():
            environment[name] = _completed(_filled(value, home), environment.get(name, ""))
        program = self.programs.find(profile) if self.programs else None
        if program is not None:
            argv[:1] = program.start
            environment |= self._path_with(program)
        return Command(tuple(argv), cwd, environment, writes=(home,))

    def confined(
        self, command: Command, profile: AgentProfile, turn: TurnInput, ports: tuple[int, ...]
    ) -> Command:
        """Return a command in the sandbox of its turn; without the user's rules it has none.

        Raises:
            SandboxUnavailableError: It cannot be had.
        """
        if self.sandboxes is None:
            return command
        return self.sandboxes.confine(command, profile, turn, ports)

    def home(self, agent: str, session_id: SessionId) -> Path:
        """Return the folder of a session's agent; loading a session needs the same one again."""
        return self.data_dir / "agents" / agent / re.sub(r"[^A-Za-z0-9.-]", "_", session_id)

    def _path_with(self, program: Program) -> dict[str, str]:
        """Return the PATH of a program with a Node of its own: that one is found after the user's."""
        usual = self.environment(("PATH",)).values()
        return (
            {"PATH": os.pathsep.join((*usual, *map(str, program.paths)))} if program.paths else {}
        )

    def _expanded(self, part: str, home: Path) -> tuple[str, ...]:
        if part == LAUNCHER:
            return self._launcher
        return self._builtin.command() if part == TREADLE_AGENT else (_filled(part, home),)

    @property
    def _builtin(self) -> BuiltinAgent:
        if self.programs is None:
            raise InstallError("there is no programs folder for the built-in agent")
        path = self.environment(("PATH",)).get("PATH", os.defpath)
        return BuiltinAgent(self.programs.folders, with_own_programs(path))

    def own_program(self, *arguments: str) -> tuple[str, ...]:
        """Return the argument vector of a part of Treadle itself."""
        return (*self._launcher, *arguments)

    @property
    def _launcher(self) -> tuple[str, ...]:
        return self.launcher or this_installation()


def _filled(text: str, home: Path) -> str:
    return string.Template(text).safe_substitute(home=str(home))


def _completed(own: str, users: str) -> str:
    """Return a variable that a profile sets and its user, too: one object where both are one in JSON."""
    try:
        objects = [json.loads(text) for text in (own, users)]
    except ValueError:
        return own
    if not all(isinstance(each, dict) for each in objects):
        return own
    return json.dumps({**objects[0], **objects[1]})


def folder_identity(folder: Path) -> tuple[int, int] | None:
    """Return what tells a folder from another one of the same name, None where there is none."""
    try:
        found = folder.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
