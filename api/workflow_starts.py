"""How a workflow template is started: its goals as items of the queue, all or none."""

from typing import Annotated

from fastapi import Depends

from adapters.files.template_files import TemplateFiles
from adapters.files.trusted_templates import TrustedTemplates
from adapters.files.workflow_templates import WorkflowTemplateFiles
from api.dependencies import SettingsDep
from api.queue_bodies import QueueBody, WaitingFlow, WaitingThread
from api.queueing import Item
from api.routes.queue import Preparing
from api.schedule_bodies import WorkflowStartBody
from domain.threads.inputs import ThreadInput
from domain.workflow_templates.filling import filled
from domain.workflow_templates.template import TemplateGoal
from settings import config_dir, home_dir


def _files() -> WorkflowTemplateFiles:
    return WorkflowTemplateFiles(config_dir())


WorkflowFilesDep = Annotated[WorkflowTemplateFiles, Depends(_files)]


class WorkflowStarts:
    """Makes of a workflow template's goals what waits in the queue."""

    def __init__(
        self,
        files: WorkflowFilesDep,
        preparing: Annotated[Preparing, Depends()],
        settings: SettingsDep,
    ) -> None:
        self._files = files
        self._preparing = preparing
        trusted = TrustedTemplates(settings.data_dir)
        self._templates = TemplateFiles(config_dir(), home=home_dir(), trusted=trusted)

    async def items(
        self, name: str, body: WorkflowStartBody
    ) -> tuple[tuple[TemplateGoal, ...], list[Item]]:
        """Return the goals with their parameters, and each as an item of the queue.

        Raises:
            TreadleError: The template, a parameter, an agent or a flow can't be used.
        """
        _, template = self._files.usable(name, body.repository)
        goals = filled(template, body.parameters)
        waiting = [_waiting(goal, body) for goal in goals]
        request = QueueBody(command_id=body.command_id, items=waiting)
        items = await self._preparing.items(request)
        by_id = {goal.id: item for goal, item in zip(goals, items, strict=True)}
        based = [self._based(by_id[goal.id], goal, by_id) for goal in goals]
        return goals, based

    def _based(self, item: Item, goal: TemplateGoal, by_id: dict[str, Item]) -> Item:
        """Return an item that begins at the branch of its base, if it has one."""
        base = by_id[goal.base].begun if goal.base else None
        if not isinstance(base, ThreadInput) or not isinstance(item.begun, ThreadInput):
            return item
        prefix = self._templates.template(base.template, base.repository).git.branch_prefix
        branch = f"{prefix}{base.thread_id.removeprefix('thread-')}"
        return item._replace(begun=item.begun.model_copy(update={"base": branch}))


WorkflowStartsDep = Annotated[WorkflowStarts, Depends()]


def _waiting(goal: TemplateGoal, body: WorkflowStartBody) -> WaitingThread | WaitingFlow:
    agent = goal.agent or body.agent
    model = goal.model or (body.model if agent == body.agent else None)
    after = list(goal.needs)
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
    )
