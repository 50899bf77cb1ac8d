"""Workflow templates: list, show and start them."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path
from pydantic import BaseModel, ValidationError

from adapters.files.workflow_templates import WorkflowTemplateFiles
from api.core.dependencies import AnyRepository
from api.core.permissions import STARTS_IN_REPOSITORY
from api.core.queue_client import QueueClientDep, QueueItem
from api.queue.bodies import QueueBody, WaitingFlow, WaitingThread, WorkflowStartBody
from api.queue.items import ItemPreparationDep
from domain.core.errors import InvalidError
from domain.core.remote_repositories import local_folder
from domain.queue.workflow_templates.filling import filled
from domain.queue.workflow_templates.template import FoundWorkflow, TemplateGoal
from settings import config_dir


def _files() -> WorkflowTemplateFiles:
    return WorkflowTemplateFiles(config_dir())


WorkflowFilesDep = Annotated[WorkflowTemplateFiles, Depends(_files)]


class WorkflowStarts:
    """Turns the goals of a workflow template into items of the queue."""

    def __init__(self, files: WorkflowFilesDep, preparation: ItemPreparationDep) -> None:
        self._files = files
        self._preparation = preparation

    async def items(
        self, name: str, body: WorkflowStartBody
    ) -> tuple[tuple[TemplateGoal, ...], list[QueueItem]]:
        """Return the goals with their parameters filled in, and each as an item of the queue.

        Raises:
            TreadleError: The template, a parameter, an agent or a flow can't be used.
        """
        _, template = self._files.usable(name, local_folder(body.repository))
        goals = filled(template, body.parameters)
        waiting = [_usable(goal, body) for goal in goals]
        request = QueueBody(command_id=body.command_id, items=waiting)
        return goals, await self._preparation.items(request)


WorkflowStartsDep = Annotated[WorkflowStarts, Depends()]


def _usable(goal: TemplateGoal, body: WorkflowStartBody) -> WaitingThread | WaitingFlow:
    """Return a goal as an item of a request.

    Raises:
        InvalidError: It is invalid with these parameters.
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
            host=body.host,
            labels=body.labels,
            agent=agent,
            model=model,
            priority=goal.priority,
            after=after,
        )
    return WaitingThread(
        name=goal.id,
        goal=goal.goal,
        repository=body.repository,
        host="" if goal.base else body.host,
        labels=[] if goal.base else body.labels,
        template=goal.template,
        agent=agent,
        model=model,
        priority=goal.priority,
        after=after,
        base=goal.base,
    )


router = APIRouter(
    tags=["workflow templates"], prefix="/workflow-templates", dependencies=[STARTS_IN_REPOSITORY]
)

Name = Annotated[str, Path(max_length=200)]


class WorkflowTemplates(BaseModel):
    """All workflow templates, in order of precedence."""

    workflow_templates: list[FoundWorkflow]


class StartedGoal(BaseModel):
    """A goal and its queue entry; its thread or flow run has the same id."""

    goal: str
    entry_id: str
    after: tuple[str, ...]


class StartedWorkflow(BaseModel):
    """The queued goals of a workflow template."""

    entries: list[StartedGoal]


@router.get("")
def workflow_templates(
    files: WorkflowFilesDep, repository: AnyRepository = None
) -> WorkflowTemplates:
    """List workflow templates of the repository, of the user, and built-in ones, with their errors."""
    return WorkflowTemplates(workflow_templates=files.found(repository))


@router.get("/{name}")
def workflow_template(
    name: Name, files: WorkflowFilesDep, repository: AnyRepository = None
) -> FoundWorkflow:
    """Get a workflow template by name, even a broken one."""
    return files.one(name, repository)


@router.post("/{name}/start", status_code=202)
async def start_workflow(
    name: Name, body: WorkflowStartBody, starts: WorkflowStartsDep, queue_client: QueueClientDep
) -> StartedWorkflow:
    """Queue all goals of a workflow template, or none if one is refused."""
    goals, items = await starts.items(name, body)
    entries = await queue_client.enqueue(items, body.command_id)
    return StartedWorkflow(
        entries=[
            StartedGoal(goal=goal.id, entry_id=entry.entry_id, after=goal.needs)
            for goal, entry in zip(goals, entries, strict=True)
        ]
    )
