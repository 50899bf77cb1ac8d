"""How a terminal's process starts: in the turn's hold on its workspace, and in its session's sandbox."""

from collections.abc import Callable
from pathlib import Path

from adapters.egress.doors import Gate
from adapters.processes.command import Command
from adapters.processes.spawner import Spawner
from adapters.redaction import Redactor
from adapters.terminals.live import LiveTerminal
from adapters.terminals.recorder import TerminalRecorder
from domain.agents.agents import TurnInput
from domain.agents.hosting import TerminalRequest
from domain.agents.sandbox import RulesNow
from domain.agents.terminals import Terminal, port_environment
from domain.core.errors import InvalidError
from domain.core.hosts import HostRules
from domain.recipes.ports import Environments, Surroundings
from domain.recipes.recipe import User

ROWS_AND_COLUMNS = (24, 120)
"""How large programs find their terminal; the page draws it so large."""

BASE_ENVIRONMENT = {
    "TERM": "xterm-256color",
    # nobody is at the keyboard: a pager would wait for ever, and git for a password
    **dict.fromkeys(("PAGER", "GIT_PAGER"), "cat"),
    "GIT_TERMINAL_PROMPT": "0",
}


class TerminalLauncher:
    """Starts the processes of terminals."""

    gate_of: Callable[[TurnInput], Gate] | None = None
    """Who is asked for hosts; set before the first start."""

    environments: Environments | None = None
    """What recipes have terminals know; set before the first start."""

    def __init__(self, spawner: Spawner, rules: RulesNow, redactor: Redactor) -> None:
        self._spawner = spawner
        self._rules = rules
        self._redactor = redactor

    async def start(
        self, request: TerminalRequest, terminal: Terminal, recorder: TerminalRecorder
    ) -> LiveTerminal:
        """Start a terminal's process.

        Raises:
            InvalidError: It cannot be started; the message says what is missing.
        """
        spec, role = request.turn.workspace, request.turn.role
        hosts = HostRules(listed=spec.hosts)
        around = Surroundings()
        if self.environments is not None:
            around = await self.environments.of(spec, User.AGENT)
        ports = (*request.ports.values(), *around.ports)
        # set inside: LD_PRELOAD and the like must not reach what confines it
        own = [f"{name}={value}" for name, value in request.environment.items()]
        command = Command(
            ("env", *own, *request.argv) if own else request.argv,
            request.cwd,
            {**BASE_ENVIRONMENT, **port_environment(request.ports)},
            terminal=ROWS_AND_COLUMNS,
            # what it starts to serve, it may ask as well
            sandbox=self._rules.now.of(role, Path(spec.repository), ports, hosts=hosts),
            workspace=request.workspace,
            gate=self.gate_of(request.turn) if self.gate_of else None,
        )
        try:
            child = await self._spawner.start(command.within(around))
        except OSError as error:
            raise InvalidError(f"the command does not start: {error}") from error
        return LiveTerminal(terminal, child, recorder, self._redactor)
