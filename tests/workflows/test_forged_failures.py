"""Anybody local may report an activity as failed; only our own reports count."""

import asyncio

from temporalio.api.common.v1 import Payload
from temporalio.api.failure.v1 import ApplicationFailureInfo, Failure
from temporalio.api.workflowservice.v1 import RespondActivityTaskFailedByIdRequest

from domain.agents.agents import AgentAnswer, AgentCall
from tests.played_agents import done, ended
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE


async def forge(house: House, workflow_id: str, activity_id: str) -> None:
    failure = Failure(
        message="the agent cannot do this",
        source="PythonSDK",
        encoded_attributes=Payload(metadata={"encoding": b"json/plain"}, data=b'{"message": "x"}'),
        application_failure_info=ApplicationFailureInfo(type="agent_failed", non_retryable=True),
    )
    await house.client.workflow_service.respond_activity_task_failed_by_id(
        RespondActivityTaskFailedByIdRequest(
            namespace=house.client.namespace,
            workflow_id=workflow_id,
            activity_id=activity_id,
            failure=failure,
        )
    )


async def test_a_failure_that_no_worker_reported_does_not_end_a_turn(house: House) -> None:
    goes_on = asyncio.Event()

    async def play(call: AgentCall) -> AgentAnswer:
        if call.turn.role != "task":
            return ended()
        if sum(c.turn.role == "task" for c in house.runner.calls) == 1:
            await goes_on.wait()
        return done()

    house.runner.play = play
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    task = f"{thread.id}/task-1"
    await house.seen(f"{task}/session-1", "agent_session_opened")
    await forge(house, task, "1")
    warned = await house.seen(task, "resource_warned")
    goes_on.set()

    assert "no worker of Treadle reported" in warned.body.model_dump()["message"]
    await house.seen(task, "gate_opened")
