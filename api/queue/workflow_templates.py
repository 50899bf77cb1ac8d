"""Workflow templates: which there are, what each says, and starting one."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, ValidationError

from adapters.files.workflow_templates import WorkflowTemplateFiles
from api.core.queue_client import QueueClientDep, QueueItem
from api.queue.bodies import QueueBody, WaitingFlow, WaitingThread, WorkflowStartBody
from api.queue.items import ItemPreparationDep
from domain.core.errors import InvalidError
from domain.queue.workflow_templates.filling import filled
from domain.queue.workflow_templates.template import FoundWorkflow, TemplateGoal
from settings import config_dir


def _files() -> WorkflowTemplateFiles:
    return WorkflowTemplateFiles(config_dir())


WorkflowFilesDep = Annotated[WorkflowTemplateFiles, Depends(_files)]


class WorkflowStarts:
    """Makes of a workflow template's goals what waits in the queue."""

    def __init__(
        self,
        files: WorkflowFilesDep,
        preparation: ItemPreparationDep,
    ) -> None:
        self._files = files
        self._preparation = preparation

    async def items(
        self, name: str, body: WorkflowStartBody
    ) -> tuple[tuple[TemplateGoal, ...], list[QueueItem]]:
        """Return the goals with their parameters, and each as an item of the queue.

        Raises:
            TreadleError: The template, a parameter, an agent or a flow can't be used.
        """
        _, template = self._files.usable(name, body.repository)
        goals = filled(template, body.parameters)
        waiting = [_usable(goal, body) for goal in goals]
        request = QueueBody(command_id=body.command_id, items=waiting)
        return goals, await self._preparation.items(request)


WorkflowStartsDep = Annotated[WorkflowStarts, Depends()]


def _usable(goal: TemplateGoal, body: WorkflowStartBody) -> WaitingThread | WaitingFlow:
    """Return a goal as a request says it.

    Raises:
        InvalidError: What it says with its parameters cannot wait in the queue.
    """
    try:
        return _waiting(goal, body)
    except ValidationError as error:
        [first, *_] = error.errors(include_input=False, include_url=False)
        field = ".".join(str(part) for part in first["loc"])
        raise InvalidError(f"goal {goal.id[:80]!r}: {field}: {first['msg']}") from error


def _waiting(goal: TemplateGoal, body: WorkflowStartBody) -> WaitingThread | WaitingFlow:
    agent = goal.agent or body.agent
    model = goal.model or (body.model if agent == body.agent else None)
    after = list(goal.after)
    if goal.flow:
        return WaitingFlow(
            kind="flow",
            name=goal.id,
            flow=goal.flow,
            working_folder=body.repository,
            agent=agent,
            model=model,
            priority=goal.priority,
            after=after,
        )
    return WaitingThread(
        name=goal.id,
        goal=goal.goal,
        repository=body.repository,
        template=goal.template,
        agent=agent,
        model=model,
        priority=goal.priority,
        after=after,
        base=goal.base,
    )


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
    name: Name, body: WorkflowStartBody, starts: WorkflowStartsDep, queue_client: QueueClientDep
) -> StartedWorkflow:
    """Put all goals of a workflow template into the queue, or none where one can't be."""
    goals, items = await starts.items(name, body)
    entries = await queue_client.enqueue(items, body.command_id)
    return StartedWorkflow(
        entries=[
            StartedGoal(goal=goal.id, entry_id=entry.entry_id, after=goal.needs)
            for goal, entry in zip(goals, entries, strict=True)
        ]
    )
