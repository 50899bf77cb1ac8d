"""Services of a task's workspace: how they stand, started and stopped by people, and what they print."""

import uuid
from typing import Annotated

from fastapi import APIRouter, Depends, Response
from pydantic import Field

from adapters.journal import Wanted
from adapters.readings.projections import task_of
from api.core.bodies import CommandBody, Name
from api.core.dependencies import (
    After,
    JournalDep,
    Number,
    Streaming,
    Task,
    Thread,
    ThreadLists,
    ThreadsDep,
    WorkflowsDep,
    task_workflow,
)
from api.core.permissions import OF_THREAD
from api.core.sse import EventStream, LastEventId, followed
from api.tasks.service_views import ServiceList, runs_below, views_of
from api.tasks.terminal_views import OutputView, output_of
from api.tasks.terminals import Since
from domain.core.errors import InvalidError, WrongStateError
from domain.core.ids import StreamId, run_workspace_id, service_stream
from domain.core.workspaces import WorkspaceKind, WorkspaceSpec
from domain.recipes.recipe import WorkspaceRecipe
from domain.recipes.service_calls import ServiceAction, ServiceCall

router = APIRouter(
    tags=["services"], prefix="/threads/{thread}/tasks/{task}/services", dependencies=[OF_THREAD]
)


class ServicesBody(CommandBody):
    """Services to start or stop; without names, all that are for people."""

    names: list[Name] = Field(default=[], max_length=50)


class ServicesOfTask:
    """What a task's recipe says, and what its host does with it."""

    def __init__(
        self,
        thread: Thread,
        task: Task,
        folds: ThreadsDep,
        journal: JournalDep,
        workflows: WorkflowsDep,
    ) -> None:
        self._thread = thread
        self._task = task
        self._folds = folds
        self._journal = journal
        self._workflows = workflows
        self.owner = task_workflow(thread, task)

    async def all(self) -> ServiceList:
        """Return the services of the recipe, each with its newest starts.

        Raises:
            NotFoundError: There is no such task.
        """
        recipe = await self._recipe()
        runs = await runs_below(self._journal, self.owner)
        return ServiceList(services=views_of(recipe.services, runs))

    async def carry_out(self, action: ServiceAction, names: list[str]) -> ServiceList:
        """Have services started or stopped; returns how all stand then.

        Raises:
            InvalidError: The recipe has no such service.
            WrongStateError: The task has no workspace now, or its thread no recipe.
            UnavailableError: No host answers.
        """
        recipe = await self._recipe()
        if unknown := [name for name in names if name not in recipe.services]:
            known = ", ".join(recipe.services) or "none"
            raise InvalidError(f"there is no service {unknown[0][:80]!r}; services: {known}")
        call = await self._call(action, names)
        answer = await self._workflows.run_services(call)
        if answer is not None and answer.failure:
            raise WrongStateError(answer.failure)
        return await self.all()

    async def _recipe(self) -> WorkspaceRecipe:
        fold = await self._folds.fold(self._thread)
        task_of(fold, self._task)
        reference = fold.thread.set_up.used
        kept = await self._journal.text(reference) if reference else None
        return WorkspaceRecipe.model_validate_json(kept) if kept else WorkspaceRecipe()

    async def _call(self, action: ServiceAction, names: list[str]) -> ServiceCall:
        fold = await self._folds.fold(self._thread)
        opened = fold.thread.opened
        if opened is None:
            raise WrongStateError("the thread is not open yet")
        run = task_of(fold, self._task).run
        workspace = WorkspaceSpec(
            workspace_id=run_workspace_id(self._thread, self._task, run),
            kind=WorkspaceKind.TASK,
            repository=opened.facts.root,
            thread_id=self._thread,
            task_id=self._task,
            base=opened.branch,
            recipe=fold.thread.set_up.used,
        )
        return ServiceCall(
            call_id=f"{self._thread}/services-{uuid.uuid4().hex}",
            thread_id=self._thread,
            host=opened.host,
            owner=self.owner,
            workspace=workspace,
            action=action,
            names=tuple(names),
        )


Found = Annotated[ServicesOfTask, Depends()]


async def stream_of(found: Found, number: Number) -> StreamId:
    """Return the stream of one start of a task's services."""
    return service_stream(found.owner, number)


One = Annotated[StreamId, Depends(stream_of)]


@router.get("")
async def services(found: Found) -> ServiceList:
    """List the services of a task's workspace, and how they stand for each of their users."""
    return await found.all()


@router.post("/start", status_code=202)
async def start_services(body: ServicesBody, found: Found) -> ServiceList:
    """Start services for people in the task's workspace, after all that they depend on."""
    return await found.carry_out(ServiceAction.START, body.names)


@router.post("/stop", status_code=202)
async def stop_services(body: ServicesBody, found: Found) -> ServiceList:
    """Stop services that people started in the task's workspace."""
    return await found.carry_out(ServiceAction.STOP, body.names)


@router.get("/{number}/output")
async def service_output(stream: One, journal: JournalDep, since: Since = 0) -> OutputView:
    """Get what a start of a service printed after a position, at most the last 256 KiB."""
    return await output_of(journal, stream, since)


@router.get("/{number}/stream", response_class=EventStream, dependencies=[Streaming])
async def follow_service(
    stream: One, journal: ThreadLists, after: After = 0, last_event_id: LastEventId = None
) -> Response:
    """Stream what a start of a service prints and its end, after a journal position."""
    return followed(journal, Wanted((stream,)), last_event_id or after)
