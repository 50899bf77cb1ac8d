"""What people do with a flow run: stop, resume, answer, rename, archive, delete."""

from typing import Annotated

from fastapi import APIRouter, Path

from api.core.agents import AgentsDep
from api.core.bodies import DeletionBody, TopicBody
from api.core.commands import CommandRoute, CommandsDep, add_commands
from api.core.deletion import Deletion, delete_workflow
from api.core.dependencies import FlowProjectionsDep, WorkflowsDep
from api.core.permissions import OF_RUN, REMOVES_RUN
from api.flows.bodies import FlowAnswerBody, FlowResumeBody
from api.flows.lookup import FlowRun, FlowSession, KnownFlowRun, flow_run_id, flow_session
from api.flows.starting import FlowStartsDep
from api.sessions.bodies import AnswerBody, SwitchBody
from api.sessions.questions import send_answer
from domain.conversations.commands import SkipWait, SwitchAgent
from domain.core.command import Answer
from domain.core.errors import NotFoundError
from domain.core.lifecycle.commands import Archive, Rename, Unarchive
from domain.flows.person_commands import AnswerFlow, ResumeFlow, StopFlow

router = APIRouter(tags=["flows"], prefix="/flow-runs/{run}", dependencies=[OF_RUN])

Question = Annotated[str, Path(max_length=200)]

add_commands(
    router,
    flow_run_id,
    CommandRoute("/stop", StopFlow, "Stop a flow run; it can be resumed."),
    CommandRoute("/rename", Rename, "Rename a flow run.", TopicBody),
    CommandRoute("/archive", Archive, "Archive a flow run that has ended or stopped."),
    CommandRoute("/unarchive", Unarchive, "Unarchive a flow run."),
)
add_commands(
    router,
    flow_session,
    CommandRoute(
        "/sessions/{number}/skip-wait",
        SkipWait,
        "Continue a turn now that is waiting for its provider's limit.",
    ),
)


@router.post("/resume")
async def resume(
    run: FlowRun,
    body: FlowResumeBody,
    commands: CommandsDep,
    folds: FlowProjectionsDep,
    runs: FlowStartsDep,
) -> Answer:
    """Resume a stopped or failed flow run.

    It uses the flow as it was when the run started.
    """
    has_changed = runs.has_changed(await folds.view(run))
    return await commands.send(run, ResumeFlow, body, has_definition_changed=has_changed)


@router.post("/answer")
async def answer(
    run: FlowRun, body: FlowAnswerBody, commands: CommandsDep, folds: FlowProjectionsDep
) -> Answer:
    """Answer the question of a step."""
    shown = (await folds.view(run)).request
    request_id = body.request_id or (shown.request.request_id if shown else "")
    if not request_id:
        raise NotFoundError(f"{run} has no open question")
    content_hash = body.content_hash or (shown.content_hash if shown else "")
    return await commands.send(
        run, AnswerFlow, body, request_id=request_id, content_hash=content_hash
    )


@router.post("/questions/{question:path}/answer")
async def answer_agent(
    run: FlowRun,
    question: Question,
    body: AnswerBody,
    folds: FlowProjectionsDep,
    commands: CommandsDep,
) -> Answer:
    """Answer an agent's question: a permission by option id, a decision by option labels."""
    asked = (await folds.view(run)).questions
    found = next((q for q in asked if q.question.question_id == question), None)
    shown = body.content_hash or (found.question.content_hash if found else "")
    session = f"{run}/{question.partition('/')[0]}"
    workflow_id = found.workflow_id if found else session
    return await send_answer(commands, workflow_id, question, body, shown)


@router.post("/sessions/{number}/switch-agent")
async def switch_agent(
    run: FlowRun,
    session: FlowSession,
    body: SwitchBody,
    commands: CommandsDep,
    folds: FlowProjectionsDep,
    agents: AgentsDep,
) -> Answer:
    """Switch a conversation to another agent, model or option."""
    agents.refuse_unusable((await folds.view(run)).repository, body.agent)
    return await commands.send(session, SwitchAgent, body)


@router.delete("", dependencies=[REMOVES_RUN])
async def delete(
    run: KnownFlowRun,
    body: DeletionBody,
    workflows: WorkflowsDep,
    commands: CommandsDep,
    folds: FlowProjectionsDep,
) -> Deletion:
    """Delete a flow run with everything in it; a running one only with `is_forced`."""
    return await delete_workflow(run, body, commands, workflows, folds)
