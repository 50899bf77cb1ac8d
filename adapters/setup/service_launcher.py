"""How the process of a service starts: in its workspace, in the sandbox of those whom it is for."""

from collections.abc import Mapping
from pathlib import Path

from adapters.egress.doors import Gate
from adapters.processes.command import Command
from adapters.processes.spawner import Spawner
from adapters.redaction import Redactor
from adapters.terminals.launcher import BASE_ENVIRONMENT, ROWS_AND_COLUMNS
from adapters.terminals.live import LiveTerminal
from adapters.terminals.recorder import TerminalRecorder
from domain.agents.sandbox import RulesNow, Sandbox
from domain.agents.terminals import Terminal, port_environment
from domain.core.errors import InvalidError
from domain.core.hosts import HostRules
from domain.recipes.ports import Environments, Surroundings
from domain.recipes.recipe import Service
from domain.recipes.services import ServicePlace

_IN_FOLDER = 'cd -- "$1" && exec /bin/sh -c "$2"'


class ServiceLauncher:
    """Starts the processes of services."""

    def __init__(
        self,
        spawner: Spawner,
        rules: RulesNow,
        redactor: Redactor,
        environments: Environments | None,
    ) -> None:
        self._spawner = spawner
        self._rules = rules
        self._redactor = redactor
        self.environments = environments

    async def start(
        self,
        service: Service,
        place: ServicePlace,
        ports: Mapping[str, int],
        terminal: Terminal,
        recorder: TerminalRecorder,
    ) -> LiveTerminal:
        """Start a service's process.

        Raises:
            InvalidError: It cannot be started; the message says what is missing.
            SecretUnavailableError: A secret of its user cannot be read.
        """
        command = Command(
            ("/bin/sh", "-c", _IN_FOLDER, terminal.label, service.cwd, service.command),
            place.directory,
            {**BASE_ENVIRONMENT, **service.environment, **port_environment(ports)},
            terminal=ROWS_AND_COLUMNS,
            sandbox=self._sandbox(place, ports),
            shown_at=place.shown_at,
            gate=Gate(),
        )
        try:
            child = await self._spawner.start(command.within(await self._around(place)))
        except OSError as error:
            raise InvalidError(f"it does not start: {error}") from error
        return LiveTerminal(terminal, child, recorder, self._redactor)

    async def _around(self, place: ServicePlace) -> Surroundings:
        if self.environments is None:
            return Surroundings()
        return await self.environments.of(place.workspace, place.user, place.directory)

    def _sandbox(self, place: ServicePlace, ports: Mapping[str, int]) -> Sandbox:
        spec = place.workspace
        hosts = HostRules(listed=spec.hosts)
        return self._rules.now.of(None, Path(spec.repository), ports.values(), hosts=hosts)
