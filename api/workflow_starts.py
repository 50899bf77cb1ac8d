"""How a workflow template is started: its goals as items of the queue, all or none."""

from typing import Annotated

from fastapi import Depends
from pydantic import ValidationError

from adapters.files.workflow_templates import WorkflowTemplateFiles
from api.queue_bodies import QueueBody, WaitingFlow, WaitingThread
from api.queue_items import PreparingDep
from api.queueing import Item
from api.schedule_bodies import WorkflowStartBody
from domain.core.errors import InvalidError
from domain.queue.workflow_templates.filling import filled
from domain.queue.workflow_templates.template import TemplateGoal
from settings import config_dir


def _files() -> WorkflowTemplateFiles:
    return WorkflowTemplateFiles(config_dir())


WorkflowFilesDep = Annotated[WorkflowTemplateFiles, Depends(_files)]


class WorkflowStarts:
    """Makes of a workflow template's goals what waits in the queue."""

    def __init__(
        self,
        files: WorkflowFilesDep,
        preparing: PreparingDep,
    ) -> None:
        self._files = files
        self._preparing = preparing

    async def items(
        self, name: str, body: WorkflowStartBody
    ) -> tuple[tuple[TemplateGoal, ...], list[Item]]:
        """Return the goals with their parameters, and each as an item of the queue.

        Raises:
            TreadleError: The template, a parameter, an agent or a flow can't be used.
        """
        _, template = self._files.usable(name, body.repository)
        goals = filled(template, body.parameters)
        waiting = [_usable(goal, body) for goal in goals]
        request = QueueBody(command_id=body.command_id, items=waiting)
        return goals, await self._preparing.items(request)


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
