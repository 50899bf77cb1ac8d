"""The demo: a thread on a small example repository, with the scripted agent."""

import secrets
from typing import Annotated

from fastapi import APIRouter, Depends

from api.core.bodies import CommandBody
from api.core.dependencies import SettingsDep, WorkflowsDep
from api.core.permissions import OF_DEMO
from api.threads.bodies import ThreadBody
from api.threads.opening import ThreadPreparationDep
from api.threads.proposing import OpenedThread
from domain.core.ids import CommandId
from domain.threads.demo import AGENT, FOLDER, GOAL, REPOSITORY
from domain.threads.inputs import ThreadInput


class DemoThreads:
    """Prepares demo threads."""

    def __init__(self, new: ThreadPreparationDep, settings: SettingsDep) -> None:
        self._new = new
        self._folder = settings.data_dir / FOLDER

    async def prepare(self, command_id: CommandId) -> ThreadInput:
        """Return the input of a demo; the same `command_id` gives the same thread and repository.

        Raises:
            TreadleError: The scripted agent cannot be used, or planning is turned off.
        """
        command_id = command_id or CommandId(secrets.token_hex(8))
        body = ThreadBody(
            repository=str(self._folder),
            goal=GOAL,
            agent=AGENT,
            is_planned=True,
            command_id=command_id,
        )
        thread = await self._new.prepare(body)
        repository = self._folder / thread.thread_id / REPOSITORY
        return thread.model_copy(update={"repository": str(repository), "is_demo": True})


DemoThreadsDep = Annotated[DemoThreads, Depends()]


router = APIRouter(tags=["threads"], dependencies=[OF_DEMO])


@router.post("/demo", status_code=201)
async def demo(body: CommandBody, demos: DemoThreadsDep, workflows: WorkflowsDep) -> OpenedThread:
    """Open a demo thread on a new example repository; its plan waits for your approval.

    The same `command_id` returns the same thread; another one creates another repository.
    """
    thread = await demos.prepare(body.command_id)
    answer = await workflows.open_thread(thread)
    return OpenedThread(thread_id=thread.thread_id, message=answer.message)
