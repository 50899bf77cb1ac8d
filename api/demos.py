"""Threads of the demo: each has a small repository that the worker makes below the data folder."""

import secrets
from typing import Annotated

from fastapi import Depends

from api.bodies import ThreadBody
from api.dependencies import SettingsDep
from api.new_threads import NewThreadsDep
from domain.core.ids import CommandId
from domain.threads.demo import AGENT, FOLDER, GOAL, REPOSITORY
from domain.threads.inputs import ThreadInput


class DemoThreads:
    """Prepares threads of the demo."""

    def __init__(self, new: NewThreadsDep, settings: SettingsDep) -> None:
        self._new = new
        self._folder = settings.data_dir / FOLDER

    def prepared(self, command_id: CommandId) -> ThreadInput:
        """Return what a demo begins with; the same `command_id` gives the same thread and repository.

        Raises:
            TreadleError: The scripted agent cannot be used, or nothing is planned here.
        """
        command_id = command_id or CommandId(secrets.token_hex(8))
        body = ThreadBody(
            repository=str(self._folder), goal=GOAL, agent=AGENT, command_id=command_id
        )
        thread = self._new.prepared(body)
        repository = self._folder / thread.thread_id / REPOSITORY
        return thread.model_copy(update={"repository": str(repository), "is_demo": True})


DemoThreadsDep = Annotated[DemoThreads, Depends()]
