"""Agents find their services running, are told once, and go on where one fails."""

import pytest

from adapters.setup.served_runner import ServedEnvironments, ServedRunner
from domain.agents.agents import AgentAnswer, AgentCall, SessionRole, StopReason
from domain.core.ids import TurnId
from domain.recipes.ports import Surroundings
from domain.recipes.recipe import User
from domain.recipes.services import ServiceRun, ServiceState, StartedService
from tests.adapters.terminal_lab import TASK, TURN

WELL = StartedService(
    name="web",
    run=ServiceRun(user=User.AGENT, number=20001, state=ServiceState.HEALTHY),
    port="web",
)
BROKEN = WELL.model_copy(
    update={
        "run": ServiceRun(user=User.AGENT, state=ServiceState.FAILED, failure="exited with code 3"),
        "output": "no disk",
    }
)


class Served:
    """Services that stand as the test says, and who asked for them."""

    def __init__(self) -> None:
        self.stand = (WELL,)
        self.places = []

    async def ports(self, workspace, user):
        return {"web": 20001}

    async def start(self, place, beat):
        self.places.append(place)
        return self.stand


class Agent:
    """Remembers what it was asked."""

    def __init__(self) -> None:
        self.calls: list[AgentCall] = []

    async def run_turn(self, call, record, beat):
        self.calls.append(call)
        return AgentAnswer(stop_reason=StopReason.END_TURN, agent_session="a")

    async def close(self, session_id): ...


class Lab:
    def __init__(self, folder) -> None:
        self.services, self.agent, self.recorded = Served(), Agent(), []
        self.runner = ServedRunner(self.agent, self.services)
        self.folder = folder

    async def turn(self, number: int, recipe: str = "text-1", **changes) -> AgentCall:
        """Have the agent take a turn; returns how it was asked."""
        workspace = TURN.workspace.model_copy(update={"recipe": recipe})
        known = {"agent_session": "a" if number > 1 else None, "workspace": workspace}
        turn = TURN.model_copy(update={"turn_id": TurnId(f"turn-{number}"), **known, **changes})
        call = AgentCall(
            turn=turn,
            directory=self.folder,
            prompt="Do it.",
            fresh_prompt="Do all.",
            agent_session=turn.agent_session,
            sandbox_ports=(4,),
        )
        await self.runner.run_turn(call, self._record, lambda: None)
        return self.agent.calls[-1]

    async def _record(self, body) -> None:
        self.recorded.append(body)


@pytest.fixture
def lab(tmp_path):
    return Lab(tmp_path)


async def test_an_agent_is_told_where_its_services_answer_and_may_reach_them(lab):
    asked = await lab.turn(1)

    assert "web runs at http://127.0.0.1:20001" in asked.prompt
    assert "web runs at http://127.0.0.1:20001" in asked.fresh_prompt
    assert asked.sandbox_ports == (4, 20001)
    assert [(place.owner, place.user) for place in lab.services.places] == [(TASK, User.AGENT)]
    assert lab.recorded == []


async def test_it_is_told_again_in_another_try_and_when_something_changed_only(lab):
    first, again = await lab.turn(1), await lab.turn(1)
    later = await lab.turn(2)
    lab.services.stand = (BROKEN,)
    changed = await lab.turn(3)

    assert first.prompt == again.prompt
    assert later.prompt == "Do it."
    assert "web runs" in later.fresh_prompt
    assert "web does not run: exited with code 3" in changed.prompt


async def test_one_that_failed_is_logged_and_the_turn_goes_on(lab):
    lab.services.stand = (BROKEN,)
    asked = await lab.turn(1)

    assert "no disk" in asked.prompt
    [notice] = lab.recorded
    assert notice.message == "service web: exited with code 3\nno disk"


@pytest.mark.parametrize(
    "changes", [{"recipe": ""}, {"role": SessionRole.REVIEWER}, {"role": SessionRole.PLANNER}]
)
async def test_readers_and_workspaces_without_a_recipe_have_none(lab, changes):
    asked = await lab.turn(1, **changes)

    assert (asked.prompt, asked.sandbox_ports) == ("Do it.", (4,))
    assert lab.services.places == []


class Known:
    """What a recipe has everybody know."""

    async def of(self, spec, user, folder=None):
        return Surroundings({"MODE": "dev"})


async def test_agents_know_the_ports_and_steps_have_theirs_otherwise():
    environments = ServedEnvironments(Known(), Served())
    agent = await environments.of(TURN.workspace, User.AGENT)
    step = await environments.of(TURN.workspace, User.VERIFICATION)

    assert agent.variables == {"MODE": "dev", "TREADLE_PORT_WEB": "20001"}
    assert agent.ports == (20001,)
    assert (step.variables, step.ports) == ({"MODE": "dev"}, ())
