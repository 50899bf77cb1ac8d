"""What people do with a run of a flow: stop, go on, answer, name, put away, remove."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel

from api.core.agents import AgentsDep
from api.core.bodies import CommandBody, DeletionBody, TopicBody
from api.core.dependencies import Number, Person, WorkflowsDep
from api.flows.bodies import FlowAnswerBody, FlowResumeBody
from api.flows.lookup import FlowProjectionsDep, FlowRun, KnownFlowRun
from api.flows.starting import FlowStartsDep
from api.sessions.bodies import AnswerBody, SwitchBody
from api.sessions.questions import answer_command
from domain.conversations.commands import SkipWait, SwitchAgent
from domain.core.command import Answer
from domain.core.errors import NotFoundError
from domain.core.ids import RequestId, session_stream
from domain.core.lifecycle.commands import Archive, DeleteThread, Rename, Unarchive
from domain.flows.person_commands import AnswerFlow, ResumeFlow, StopFlow

router = APIRouter(tags=["flows"], prefix="/flow-runs/{run}")

Question = Annotated[str, Path(max_length=200)]


class RunDeletion(BaseModel):
    """How far a deletion is; `is_over` is false where it goes on by itself."""

    message: str
    is_over: bool


@router.post("/stop")
async def stop(run: FlowRun, body: CommandBody, workflows: WorkflowsDep, person: Person) -> Answer:
    """Stop a run where it is; once more is harmless."""
    return await workflows.send(run, StopFlow(command_id=body.command_id, by=person))


@router.post("/resume")
async def resume(
    run: FlowRun,
    body: FlowResumeBody,
    workflows: WorkflowsDep,
    folds: FlowProjectionsDep,
    runs: FlowStartsDep,
    person: Person,
) -> Answer:
    """Go on with a run that stands still, with the flow as it was when the run began."""
    has_changed = runs.has_changed(await folds.view(run))
    command = ResumeFlow(**body.model_dump(), has_definition_changed=has_changed, by=person)
    return await workflows.send(run, command)


@router.post("/answer")
async def answer(
    run: FlowRun,
    body: FlowAnswerBody,
    workflows: WorkflowsDep,
    folds: FlowProjectionsDep,
    person: Person,
) -> Answer:
    """Answer what a step asks."""
    shown = (await folds.view(run)).request
    request_id = body.request_id or (shown.request.request_id if shown else "")
    if not request_id:
        raise NotFoundError(f"{run} asks nothing now")
    known = shown.content_hash if shown else ""
    command = AnswerFlow(
        command_id=body.command_id,
        by=person,
        request_id=RequestId(request_id),
        content_hash=body.content_hash or known,
        option=body.option,
        text=body.text,
    )
    return await workflows.send(run, command)


@router.post("/questions/{question:path}/answer")
async def answer_agent(
    run: FlowRun,
    question: Question,
    body: AnswerBody,
    folds: FlowProjectionsDep,
    workflows: WorkflowsDep,
    person: Person,
) -> Answer:
    """Answer what an agent of a run asks: a permission by an option's id, a decision by labels."""
    asked = (await folds.view(run)).questions
    found = next((q for q in asked if q.question.question_id == question), None)
    shown = body.content_hash or (found.question.content_hash if found else "")
    command = answer_command(question, body, shown)
    fields = {"command_id": body.command_id, "by": person}
    session = f"{run}/{question.partition('/')[0]}"
    workflow_id = found.workflow_id if found else session
    return await workflows.send(workflow_id, command.model_copy(update=fields))


@router.post("/sessions/{number}/skip-wait")
async def skip_wait(
    run: FlowRun, number: Number, body: CommandBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Go on now with a turn that waits for its provider."""
    command = SkipWait(command_id=body.command_id, by=person)
    return await workflows.send(session_stream(run, number), command)


@router.post("/sessions/{number}/switch-agent")
async def switch_agent(  # noqa: PLR0913, PLR0917  (what FastAPI gives)
    run: FlowRun,
    number: Number,
    body: SwitchBody,
    workflows: WorkflowsDep,
    folds: FlowProjectionsDep,
    agents: AgentsDep,
    person: Person,
) -> Answer:
    """Go on with another agent or model in a conversation."""
    agents.refuse_unusable((await folds.view(run)).repository, body.agent)
    command = SwitchAgent(**body.model_dump(), by=person)
    return await workflows.send(session_stream(run, number), command)


@router.post("/rename")
async def rename(run: FlowRun, body: TopicBody, workflows: WorkflowsDep, person: Person) -> Answer:
    """Give a run a title of one's own."""
    return await workflows.send(run, Rename(**body.model_dump(), by=person))


@router.post("/archive")
async def archive(
    run: FlowRun, body: CommandBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Put a run that stands still away; it stays readable."""
    return await workflows.send(run, Archive(command_id=body.command_id, by=person))


@router.post("/unarchive")
async def unarchive(
    run: FlowRun, body: CommandBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Put a run back among the others."""
    return await workflows.send(run, Unarchive(command_id=body.command_id, by=person))


@router.delete("")
async def delete(
    run: KnownFlowRun,
    body: DeletionBody,
    workflows: WorkflowsDep,
    folds: FlowProjectionsDep,
    person: Person,
) -> RunDeletion:
    """Remove a run with all that it holds; one that runs only where it is forced."""
    answer = await workflows.send(run, DeleteThread(**body.model_dump(), by=person))
    ending = await workflows.await_end(run)
    if ending is not None:
        folds.forget(run)
    return RunDeletion(message=ending or answer.message, is_over=ending is not None)
