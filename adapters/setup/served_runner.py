"""An `AgentRunner` whose agents find their workspace's services running, and what knows their ports."""

from dataclasses import replace
from pathlib import Path

from domain.agents.agents import AgentAnswer, AgentCall, SessionRole, TurnInput
from domain.agents.ports import AgentRunner
from domain.agents.terminals import port_environment
from domain.conversations.events import AgentNotice
from domain.core.ids import SessionId, TurnId, terminals_owner
from domain.core.ports import Beat, Record
from domain.core.workspaces import WorkspaceSpec
from domain.recipes.ports import Environments, Surroundings
from domain.recipes.recipe import User
from domain.recipes.services import (
    ServicePlace,
    Services,
    StartedService,
    describe_failures,
    describe_services,
)

_WORKERS = frozenset({SessionRole.TASK, SessionRole.CHAT})


class ServedEnvironments:
    """What recipes have agents know, with the ports of the services that run for them."""

    def __init__(self, environments: Environments | None, services: Services) -> None:
        self._environments = environments
        self._services = services

    async def of(self, spec: WorkspaceSpec, user: str, folder: Path | None = None) -> Surroundings:
        """Return what a workspace's processes get; see the port."""
        around = Surroundings()
        if self._environments is not None:
            around = await self._environments.of(spec, user, folder)
        if user != User.AGENT:
            return around
        ports = await self._services.ports(spec, User.AGENT)
        variables = {**around.variables, **port_environment(ports)}
        return replace(around, variables=variables, ports=tuple(ports.values()))


class ServedRunner:
    """Runs turns with a runner, once the services of their workspace run, or have failed."""

    def __init__(self, runner: AgentRunner, services: Services) -> None:
        self._runner = runner
        self._services = services
        self._told: dict[SessionId, tuple[TurnId, str]] = {}

    async def run_turn(self, call: AgentCall, record: Record, beat: Beat) -> AgentAnswer:
        """Run one turn to its end; a service that fails is told to its agent, and holds up nothing."""
        turn = call.turn
        if turn.role in _WORKERS and turn.workspace.recipe:
            call = await self._served(call, record, beat)
        return await self._runner.run_turn(call, record, beat)

    async def close(self, session_id: SessionId) -> None:
        """End a session's agent; its services end with its terminals."""
        self._told.pop(session_id, None)
        await self._runner.close(session_id)

    async def _served(self, call: AgentCall, record: Record, beat: Beat) -> AgentCall:
        turn = call.turn
        owner = terminals_owner(turn.owner, turn.thread_id, turn.session_id)
        place = ServicePlace(owner, turn.workspace, User.AGENT, call.directory)
        started = await self._services.start(place, beat)
        if failure := describe_failures(started):
            await record(AgentNotice(turn_id=turn.turn_id, message=failure))
        ports = await self._services.ports(turn.workspace, User.AGENT)
        numbers = tuple(n for n in ports.values() if n not in call.sandbox_ports)
        note = describe_services(started)
        told = note if self._is_news(turn, started, note) else ""
        return call.model_copy(
            update={
                "prompt": f"{call.prompt}{told}",
                "fresh_prompt": f"{call.fresh_prompt}{note}",
                "sandbox_ports": (*call.sandbox_ports, *numbers),
            }
        )

    def _is_news(self, turn: TurnInput, started: tuple[StartedService, ...], note: str) -> bool:
        """Tell whether the session's agent does not know this yet; the same in every try at a turn."""
        told_in, known = self._told.get(turn.session_id, (None, ""))
        if told_in == turn.turn_id or known != note:
            self._told[turn.session_id] = (turn.turn_id, note)
            return bool(started)
        return False
