"""A scenario of a flow, to be recorded: every kind of step, a stop, a resume, a dropped conversation."""

from domain.core.approvals import decision_code
from domain.core.ids import CommandId, RequestId
from domain.flows.definition import Condition, StepKind
from domain.flows.person_commands import AnswerFlow, ResumeFlow, StopFlow
from tests.domain.flow_world import WRITER, FlowText
from tests.workflows.conftest import House
from tests.workflows.test_flows import Talk, begin


async def stopped_flow(house: House) -> str:
    """A run that is stopped in a turn, resumed, asked a person, and completed; its first talk is dropped."""
    talk = Talk('{"answer": "no"}', "maybe")
    talk.hangs.add("hang")
    house.runner.play = talk.play
    text = FlowText().llm("plan").loop(lambda t: t.llm("write").judge()).llm("hang")
    text.add(StepKind.COMMAND, command="true", output_key="made")
    text.add(StepKind.WAIT, seconds=1)
    text.add(StepKind.HUMAN, question="Ship it?", options=("yes", "no"), output_key="ship")
    text.loop(
        lambda t: t.add(StepKind.BREAK, condition=Condition(output_key="ship", equals="yes")).llm()
    )
    text.add(StepKind.RESET, slot=WRITER)
    run = (await begin(house, text)).id
    await house.seen(f"{run}/session-1", "prompt_sent", number=4)
    await house.send(run, StopFlow(command_id=CommandId("stop"), by="tester"))
    await house.seen(run, "flow_stopped")
    talk.hangs.clear()
    await house.send(run, ResumeFlow(command_id=CommandId("resume"), by="tester"))
    asked = (await house.seen(run, "flow_asked")).body.request  # pyright: ignore[reportAttributeAccessIssue] (its kind says so)
    known = {"request_id": RequestId(asked.request_id), "content_hash": asked.content_hash}
    code = decision_code(b"test key", run, asked.request_id, "yes", asked.content_hash)
    await house.send(run, AnswerFlow(**known, option="yes", code=code, by="tester"))
    await house.seen(run, "flow_completed")
    return run
