"""An agent's sandbox: by its role, with its own folders, and with what it needs to reach its model."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import which

from adapters.processes.command import Command
from adapters.processes.listeners import listening_ports
from adapters.processes.sandbox import SandboxUnavailableError
from adapters.processes.toolchains import of_program
from domain.agents.agents import TurnInput
from domain.agents.profiles import AgentProfile
from domain.agents.sandbox import Level, RulesNow, Sandbox, ports_of_urls
from domain.core.hosts import MODEL_HOSTS, HostRules, hosts_of_urls

CERTIFICATES = (
    *("SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CODEX_CA_CERTIFICATE"),
)
"""Variables that name files of certificate authorities, for networks that have their own."""

_PORT_RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")


@dataclass(frozen=True)
class AgentSandboxes:
    """The user's rules for agents; `tool_url` is where Treadle's tools are served."""

    rules: RulesNow
    home: Path
    tool_url: str

    def confine(
        self, command: Command, profile: AgentProfile, turn: TurnInput, ports: Collection[int]
    ) -> Command:
        """Return an agent's command in its sandbox; makes its own folders, where it has a login.

        Raises:
            SandboxUnavailableError: A folder of its own cannot be made.
        """
        sandbox = self._sandbox(command, profile, turn, ports)
        if sandbox.level is Level.OFF:
            return replace(command, sandbox=sandbox)
        named = sorted(self._named(command, profile))
        own = [self._made(self.home / folder) for folder in profile.own_folders]
        writes = (*command.writes, *own, *(path for path in named if path.is_dir()))
        reads = (*(path for path in named if path.is_file()), *_programs(command))
        return replace(command, sandbox=sandbox, writes=writes, reads=reads)

    def _sandbox(
        self, command: Command, profile: AgentProfile, turn: TurnInput, ports: Collection[int]
    ) -> Sandbox:
        texts = (self.tool_url, *command.environment.values(), *profile.files.values())
        connect = {*profile.connect, *ports_of_urls(texts)}
        if profile.quirks.binds_ports:
            listening = listening_ports()
            connect |= {port for port in _chosen_by_the_kernel() if port not in listening}
        listed = (*(profile.hosts or MODEL_HOSTS), *turn.workspace.hosts)
        sandbox = self.rules.now.of(
            turn.role,
            Path(turn.workspace.repository),
            ports,
            connect,
            hosts=HostRules(listed=listed, named=tuple(sorted(hosts_of_urls(texts)))),
            is_direct=profile.quirks.ignores_proxy,
        )
        return sandbox.model_copy(update={"binds_any": profile.quirks.binds_ports})

    def _named(self, command: Command, profile: AgentProfile) -> Iterator[Path]:
        """Yield files and folders that the user's variables name: another home of the agent's."""
        for name in {*profile.environment, *profile.set_environment, *CERTIFICATES}:
            value = command.environment.get(name, "")
            path = Path(value)
            is_own = path != self.home and not self.home.is_relative_to(path)
            if value.startswith("/") and is_own and path.exists():
                yield path

    def _made(self, folder: Path) -> Path:
        try:
            if not folder.exists():
                folder.mkdir(parents=True, mode=0o700)
        except OSError as error:
            raise SandboxUnavailableError(
                f"the agent's own folder {folder} cannot be made: {error}"
            ) from error
        return folder


def _programs(command: Command) -> Iterator[Path]:
    """Yield what the program, and the files named to it, need: they may lie in HOME."""
    path = command.environment.get("PATH")
    found = which(command.argv[0], path=path) if path else which(command.argv[0])
    files = (found, *(part for part in command.argv[1:] if part.startswith("/")))
    for file in (Path(name) for name in files if name):
        if file.is_file():
            yield from of_program(file)


def _chosen_by_the_kernel() -> range:
    """Return the ports that a server gets which leaves the choice to the kernel."""
    try:
        first, last = map(int, re.findall(r"\d+", _PORT_RANGE.read_text()))
    except (OSError, ValueError):
        return range(32_768, 61_000)
    return range(first, last + 1)
