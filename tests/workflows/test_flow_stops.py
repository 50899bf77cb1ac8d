"""A run of a flow that is stopped at bad moments goes on as if nothing had been."""

import asyncio

from domain.flows.definition import StepKind
from domain.flows.effects import RunTurn
from domain.flows.person_commands import ResumeFlow, StopFlow
from domain.flows.rules import effects
from domain.flows.state import FlowStatus
from tests.domain.flow_world import FlowRun, FlowText
from tests.workflows.test_flows import Talk, begin, said
from workflows.flow_effects import carry_out


class Stubborn(Talk):
    """Agents that take their time to stop."""

    def __init__(self) -> None:
        super().__init__()
        self.let_go = asyncio.Event()

    async def play(self, call):
        try:
            return await super().play(call)
        except asyncio.CancelledError:
            await self.let_go.wait()
            return said("late")


async def test_a_command_whose_directory_comes_when_its_run_is_stopped_gives_it_back(house):
    talk = Stubborn()
    talk.hangs.add("work")
    house.runner.play = talk.play
    run = await begin(house, FlowText().llm("work").add(StepKind.COMMAND, command="make"))
    await house.seen(f"{run.id}/session-1", "prompt_sent")
    await house.send(run.id, StopFlow(command_id="s1"))
    await house.seen(run.id, "flow_stopped")
    await house.send(run.id, ResumeFlow(command_id="r1", step_index=1))
    await house.send(run.id, StopFlow(command_id="s2"))

    talk.let_go.set()
    await house.seen(run.id, "flow_stopped", number=2)
    await house.send(run.id, ResumeFlow(command_id="r2", step_index=1))
    await house.seen(run.id, "flow_completed")


class Desk:
    """What an effect sees of a run whose rules alone are played."""

    def __init__(self, run: FlowRun) -> None:
        self.run = run
        self.started: set[str] = set()
        self.busy: set[str] = set()

    @property
    def state(self):
        return self.run.state

    def submit(self, command) -> None:
        self.run.do(command)


async def test_a_conversation_that_was_to_begin_as_its_run_was_stopped_is_not_begun():
    run = FlowRun(FlowText().llm().flow())
    run.do(StopFlow())
    await carry_out(next(e for e in effects(run.state) if isinstance(e, RunTurn)), Desk(run))
    assert (run.state.status, run.state.index) == (FlowStatus.STOPPED, 0)
    assert not list(effects(run.state))
