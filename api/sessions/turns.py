"""Turns that wait for their provider, their agents, and more sessions on a task's directory."""

from fastapi import APIRouter

from api.core.agents import AgentsDep
from api.core.bodies import CommandBody
from api.core.dependencies import Number, Person, Task, Thread, WorkflowsDep
from api.sessions.bodies import SessionBody, SwitchBody
from domain.conversations.commands import OpenSession, SkipWait, StopTurn, SwitchAgent
from domain.core.command import Answer
from domain.core.ids import session_stream, task_workflow_id

router = APIRouter(tags=["sessions"], prefix="/threads/{thread}")


@router.post("/tasks/{task}/skip-wait")
async def skip_wait_of_task(
    thread: Thread, task: Task, body: CommandBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Go on now with the task's turn that waits for its provider."""
    command = SkipWait(command_id=body.command_id, by=person)
    return await workflows.send(task_workflow_id(thread, task), command)


@router.post("/tasks/{task}/switch-agent")
async def switch_agent_of_task(
    thread: Thread,
    task: Task,
    body: SwitchBody,
    workflows: WorkflowsDep,
    agents: AgentsDep,
    person: Person,
) -> Answer:
    """Go on with another agent or model: at once where the turn waits, else from the next one on."""
    await agents.refuse_for(thread, body.agent)
    command = SwitchAgent(**body.model_dump(), by=person)
    return await workflows.send(task_workflow_id(thread, task), command)


@router.post("/tasks/{task}/stop")
async def stop_turn_of_task(
    thread: Thread, task: Task, body: CommandBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Stop the running turn of the task; it waits for a message then."""
    command = StopTurn(command_id=body.command_id, by=person)
    return await workflows.send(task_workflow_id(thread, task), command)


@router.post("/tasks/{task}/sessions", status_code=201)
async def open_session_on_task(
    thread: Thread,
    task: Task,
    body: SessionBody,
    workflows: WorkflowsDep,
    agents: AgentsDep,
    person: Person,
) -> Answer:
    """Open one more session on the task's directory; one turn at a time works there."""
    await agents.refuse_for(thread, body.agent)
    command = OpenSession(**body.model_dump(), by=person)
    return await workflows.send(task_workflow_id(thread, task), command)


@router.post("/sessions/{number}/skip-wait")
async def skip_wait(
    thread: Thread, number: Number, body: CommandBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Go on now with the session's turn that waits for its provider."""
    command = SkipWait(command_id=body.command_id, by=person)
    return await workflows.send(session_stream(thread, number), command)


@router.post("/sessions/{number}/switch-agent")
async def switch_agent(
    thread: Thread,
    number: Number,
    body: SwitchBody,
    workflows: WorkflowsDep,
    agents: AgentsDep,
    person: Person,
) -> Answer:
    """Go on with another agent or model: at once where the turn waits, else from the next one on."""
    await agents.refuse_for(thread, body.agent)
    command = SwitchAgent(**body.model_dump(), by=person)
    return await workflows.send(session_stream(thread, number), command)
