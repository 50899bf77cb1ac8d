"""Workflow templates: which there are, what each says, and starting one."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel

from api.queueing import QueueingDep
from api.schedule_bodies import WorkflowStartBody
from api.workflow_starts import WorkflowFilesDep, WorkflowStartsDep
from domain.queue.workflow_templates.template import FoundWorkflow

router = APIRouter(tags=["workflow templates"], prefix="/workflow-templates")

Repository = Annotated[
    str | None,
    Query(min_length=1, max_length=4096, description="A folder of it; none lists no repository's"),
]
Name = Annotated[str, Path(max_length=200)]


class WorkflowTemplates(BaseModel):
    """The workflow templates, in the order in which a name is looked for."""

    workflow_templates: list[FoundWorkflow]


class StartedGoal(BaseModel):
    """A goal, and the id of its entry in the queue, which its thread or run will have."""

    goal: str
    entry_id: str
    after: tuple[str, ...]


class StartedWorkflow(BaseModel):
    """What a workflow template has put into the queue."""

    entries: list[StartedGoal]


@router.get("")
def workflow_templates(files: WorkflowFilesDep, repository: Repository = None) -> WorkflowTemplates:
    """List workflow templates: the repository's, the user's, the built-in ones, with what is wrong."""
    return WorkflowTemplates(workflow_templates=files.found(repository))


@router.get("/{name}")
def workflow_template(
    name: Name, files: WorkflowFilesDep, repository: Repository = None
) -> FoundWorkflow:
    """Show the workflow template that counts for a name, be it a broken one."""
    return files.one(name, repository)


@router.post("/{name}/start", status_code=202)
async def start_workflow(
    name: Name, body: WorkflowStartBody, starts: WorkflowStartsDep, queueing: QueueingDep
) -> StartedWorkflow:
    """Put all goals of a workflow template into the queue, or none where one can't be."""
    goals, items = await starts.items(name, body)
    entries = await queueing.enqueue(items, body.command_id)
    return StartedWorkflow(
        entries=[
            StartedGoal(goal=goal.id, entry_id=entry.entry_id, after=goal.needs)
            for goal, entry in zip(goals, entries, strict=True)
        ]
    )
