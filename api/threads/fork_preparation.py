"""Work that starts from a checkpoint: forks of threads, and retries of tasks."""

from typing import Annotated

from fastapi import Depends

from api.core.dependencies import ThreadsDep
from api.core.permissions import PermitsDep
from api.threads.bodies import ForkBody, ThreadBody
from api.threads.history import HistoriesDep
from api.threads.opening import ThreadPreparationDep
from domain.core.errors import NotFoundError, WrongStateError
from domain.core.ids import TaskId, ThreadId
from domain.core.task_names import quoted_task
from domain.people.roles import Role
from domain.reading.forks.packet import packet
from domain.reading.forks.rules import forkable, is_planned
from domain.threads.checkpoints import Checkpoint, NoCheckpointError, newest, of_stream, of_task
from domain.threads.events import ThreadOpened
from domain.threads.fork_origin import ForkOrigin
from domain.threads.inputs import ThreadInput


class ForkPreparation:
    """Finds checkpoints and prepares forks."""

    def __init__(
        self,
        new: ThreadPreparationDep,
        folds: ThreadsDep,
        histories: HistoriesDep,
        permits: PermitsDep,
    ) -> None:
        self._new = new
        self._permits = permits
        self._folds = folds
        self._histories = histories

    async def checkpoint_of_task(self, thread: ThreadId, task: TaskId, position: int) -> Checkpoint:
        """Return the last checkpoint of a task at or before a position.

        Raises:
            NotFoundError: There is no such thread or task, or no such checkpoint.
        """
        view = await self._folds.task(thread, task)
        known = (await self._folds.fold(thread)).recall.checkpoints
        return newest(of_task(known, view.task_id), position, quoted_task(task))

    async def prepare(self, thread: ThreadId, body: ForkBody) -> ThreadInput:
        """Return the input of a fork; the same `command_id` gives the same id.

        What needs an approver comes along only for one.

        Raises:
            NotFoundError: There is no such thread.
            NoCheckpointError: It was not open at that position, or there is no checkpoint before it.
            TreadleError: The agent cannot be used, or planning is turned off.
        """
        await self._refuse_before(thread, body.position)
        fold, position = await self._histories.fold(thread, body.position)
        opened, known = fold.thread.opened, fold.recall.checkpoints
        if opened is None:
            raise NotFoundError(f"thread {thread!r} is not open yet")
        if opened.beside:
            raise WrongStateError(
                "a thread with several repositories cannot be forked yet: open another one with --also"
            )
        chosen = of_stream(known, body.stream) if body.stream else forkable(fold)
        checkpoint = newest(chosen, body.position, body.stream or f"thread {thread!r}")
        asked = _asked(body, opened, is_chat=not is_planned(fold.thread))
        begun = await self._new.prepare(asked)
        planner = opened.planner
        if not self._permits.may_in(Role.APPROVER, opened.facts.root):
            planner = planner.without_favours(begun.planner)
        origin = ForkOrigin(thread_id=thread, position=position, commit=checkpoint.commit)
        return begun.model_copy(
            update={
                "forked_from": origin,
                "base": checkpoint.commit,
                "on_host": opened.host,
                "context": packet(fold, checkpoint),
                "inherited": opened.template,
                "recipe": fold.thread.set_up.recipe,
                "planner": planner,
                "options": opened.options if begun.agent == opened.agent else {},
                "has_plan_files": fold.thread.plan_files.is_on,
            }
        )

    async def _refuse_before(self, thread: ThreadId, position: int) -> None:
        known = (await self._folds.fold(thread)).recall.checkpoints
        if known and position < known[0].position:
            raise NoCheckpointError(
                f"thread {thread!r} was not open at position {position}: choose {known[0].position} "
                "or later"
            )


ForkPreparationDep = Annotated[ForkPreparation, Depends()]


def _asked(body: ForkBody, opened: ThreadOpened, *, is_chat: bool) -> ThreadBody:
    """Return the request for a thread that a fork stands for."""
    agent = body.agent or opened.agent
    own = opened.model if agent == opened.agent else None
    return ThreadBody(
        command_id=body.command_id,
        repository=opened.facts.root,
        goal=body.goal or opened.goal,
        agent=agent,
        model=body.model or own,
        is_planned=(not is_chat) if body.is_planned is None else body.is_planned,
    )
